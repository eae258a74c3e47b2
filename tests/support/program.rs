//! The program, run with command lines.

#![allow(
    dead_code,
    reason = "compiled into several test programs, each of which uses its own part"
)]

use std::ffi::OsString;
#[cfg(unix)]
use std::fs::File;
#[cfg(unix)]
use std::io::Read;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
#[cfg(unix)]
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};
use std::{env, iter, thread};

#[cfg(unix)]
use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use tempfile::TempDir;

/// The program under test.
pub fn totemic() -> Command {
    Command::new(env!("CARGO_BIN_EXE_totemic"))
}

/// Waits until something is so; fails after a minute.
pub fn wait(what: &str, mut so: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !so() {
        assert!(
            begin.elapsed() < Duration::from_secs(60),
            "not in time: {what}"
        );
        thread::sleep(Duration::from_millis(5));
    }
}

/// A directory in which command lines are run.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(TempDir::new().expect("a directory"))
    }

    pub fn at(&self) -> &Path {
        self.0.path()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.at().join(name)
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("a file")
    }

    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), text).expect("written");
    }

    /// Returns `totemic` with the words of a line, split as in a shell.
    pub fn command(&self, line: &str) -> Command {
        let mut command = totemic();
        command.current_dir(self.at()).args(words(line));
        command
    }

    /// Like `command`, in a shell that does something else first, such as `ulimit -n 30`.
    pub fn in_shell_after(&self, first: &str, line: &str) -> Command {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("{first}; exec \"$0\" \"$@\"")]);
        shell.arg(totemic().get_program()).args(words(line));
        shell.current_dir(self.at());
        shell
    }

    pub fn run(&self, line: &str) -> Output {
        self.command(line).output().expect("it starts")
    }

    /// Runs a line, which must succeed; returns its stdout.
    #[track_caller]
    pub fn stdout_of(&self, line: &str) -> String {
        self.outputs_of(line).0
    }

    /// Runs a line, which must succeed; returns its stdout and its stderr.
    #[track_caller]
    pub fn outputs_of(&self, line: &str) -> (String, String) {
        let output = self.run(line);
        let said = stderr(&output);
        assert!(output.status.success(), "{line}: {said}");
        (stdout(&output), said)
    }

    /// Runs a line, which must succeed; returns its stdout with its stderr after it.
    #[track_caller]
    pub fn all_output_of(&self, line: &str) -> String {
        let (printed, said) = self.outputs_of(line);
        printed + &said
    }

    /// Runs a line, which must end with this exit code; returns its stderr.
    #[track_caller]
    pub fn fails(&self, code: i32, line: &str) -> String {
        let output = self.run(line);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{line}: {said}");
        said
    }

    /// Like `fails`; the stderr must have this part.
    #[track_caller]
    pub fn fails_with(&self, code: i32, line: &str, part: &str) -> String {
        let said = self.fails(code, line);
        assert!(said.contains(part), "{line}: '{part}' is not in {said}");
        said
    }

    /// Runs a line, which must print one JSON object; returns that.
    #[track_caller]
    pub fn json(&self, line: &str) -> serde_json::Value {
        serde_json::from_str(&self.stdout_of(line)).expect("one JSON object")
    }

    /// Starts a line with pipes for its input and output.
    pub fn start(&self, line: &str) -> Child {
        piped(&mut self.command(line))
    }

    /// Like `run`, with this on stdin.
    pub fn feed(&self, line: &str, input: impl AsRef<[u8]> + Send) -> Output {
        feed(self.start(line), input)
    }
}

fn words(line: &str) -> Vec<String> {
    shell_words::split(line).expect("words")
}

/// Returns Python, which finds the program on its search path; `None` without Python.
pub fn python() -> Option<Command> {
    if Command::new("python3").arg("--version").output().is_err() {
        println!("skipped: there is no python3 on this machine");
        return None;
    }
    let mut python = Command::new("python3");
    python.env("PATH", path());
    Some(python)
}

/// Returns the search path with the program's folder in front.
pub fn path() -> OsString {
    let program = Path::new(env!("CARGO_BIN_EXE_totemic"));
    let folder = program.parent().expect("the program is in a folder");
    let others = env::var_os("PATH").unwrap_or_default();
    let all = iter::once(folder.to_owned()).chain(env::split_paths(&others));
    env::join_paths(all).expect("a search path")
}

/// Returns the output of a command, which must end by itself.
pub fn in_time(command: &mut Command) -> io::Result<Output> {
    command.stdin(Stdio::null());
    let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    Ok(ended(command.spawn()?))
}

/// Returns the output of a child, which must end by itself when its input ends.
pub fn ended(mut child: Child) -> Output {
    drop(child.stdin.take());
    let begin = Instant::now();
    while child.try_wait().expect("a child").is_none() {
        if begin.elapsed() > Duration::from_secs(300) {
            child.kill().expect("it can be killed");
            panic!("it does not end: {:?}", child.wait_with_output());
        }
        thread::sleep(Duration::from_millis(5));
    }
    child.wait_with_output().expect("it has ended")
}

/// Sends a signal to a process.
#[cfg(unix)]
pub fn send(process: u32, signal: Signal) {
    kill(Pid::from_raw(process.cast_signed()), signal).expect("it runs");
}

/// Makes a pipe that is a file.
#[cfg(unix)]
pub fn named_pipe(path: &Path) {
    nix::unistd::mkfifo(path, nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
}

/// Starts a command on a terminal of 80 columns. Returns it, the terminal, and what it
/// prints there.
#[cfg(unix)]
pub fn on_a_terminal(mut command: Command) -> (Child, File, Receiver<String>) {
    let size = nix::pty::Winsize {
        ws_row: 24,
        ws_col: 80,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    let nix::pty::OpenptyResult { master, slave } =
        nix::pty::openpty(&size, None).expect("a terminal");
    let end = || slave.try_clone().expect("a file");
    command.stdin(end()).stdout(end()).stderr(end());
    let child = command.spawn().expect("it starts");
    let terminal = File::from(master);
    let mut screen = terminal.try_clone().expect("a file");
    let (sender, printed) = channel();
    thread::spawn(move || {
        let mut bytes = [0; 4096];
        // The end of the program is an error here.
        while let Ok(count @ 1..) = screen.read(&mut bytes) {
            let text = String::from_utf8_lossy(&bytes[..count]).into_owned();
            let _ = sender.send(text);
        }
    });
    (child, terminal, printed)
}

/// Starts a command with pipes for its input and output.
pub fn piped(command: &mut Command) -> Child {
    command.stdin(Stdio::piped());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("it starts")
}

/// Writes this to a child's stdin, and returns the child's output.
pub fn feed(mut child: Child, input: impl AsRef<[u8]> + Send) -> Output {
    let mut stdin = child.stdin.take().expect("a pipe");
    thread::scope(|scope| {
        // The child may end before it has read everything, or write much before it reads
        // on.
        scope.spawn(move || stdin.write_all(input.as_ref()).is_ok());
        child.wait_with_output().expect("it ends")
    })
}

/// Returns the columns of each line of a table, where `|` separates them.
#[track_caller]
pub fn cases<const N: usize>(table: &str) -> impl Iterator<Item = [&str; N]> {
    let lines = table.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| {
        let columns: Vec<&str> = line.split('|').map(str::trim).collect();
        let count = columns.len();
        columns
            .try_into()
            .unwrap_or_else(|_| panic!("{count} columns: {line}"))
    })
}

/// Returns the fenced blocks of a page that are marked with a language.
pub fn blocks(page: &str, language: &str) -> Vec<String> {
    let begin = format!("```{language}\n");
    let parts = page.split(&begin).skip(1);
    let blocks = parts.filter_map(|rest| rest.split("```").next());
    blocks.map(str::to_owned).collect()
}

#[track_caller]
pub fn assert_has(text: &str, part: &str) {
    assert!(text.contains(part), "'{part}' is not in\n{text}");
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
