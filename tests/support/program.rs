//! The program, run with command lines.

#![allow(
    dead_code,
    reason = "compiled into several test programs, each of which uses its own part"
)]

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use std::{env, iter, thread};

use tempfile::TempDir;

/// The program under test.
pub fn totemic() -> Command {
    Command::new(env!("CARGO_BIN_EXE_totemic"))
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

    /// Returns `totemic` with the words of a line, which are split as in a shell.
    pub fn command(&self, line: &str) -> Command {
        let mut command = totemic();
        command.current_dir(self.at()).args(words(line));
        command
    }

    /// Like `command`, in a shell that does something else first, such as `ulimit -n 30`.
    pub fn after(&self, first: &str, line: &str) -> Command {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("{first}; exec \"$0\" \"$@\"")]);
        shell.arg(totemic().get_program()).args(words(line));
        shell.current_dir(self.at());
        shell
    }

    pub fn run(&self, line: &str) -> Output {
        self.command(line).output().expect("it starts")
    }

    /// Returns what a line that succeeds prints.
    #[track_caller]
    pub fn ok(&self, line: &str) -> String {
        let output = self.run(line);
        assert!(output.status.success(), "{line}: {}", stderr(&output));
        stdout(&output)
    }

    /// Returns what a line says that ends with this exit code.
    #[track_caller]
    pub fn fails(&self, code: i32, line: &str) -> String {
        let output = self.run(line);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{line}: {said}");
        said
    }

    /// Like `fails`, but it also has to say this part.
    #[track_caller]
    pub fn fails_with(&self, code: i32, line: &str, part: &str) -> String {
        let said = self.fails(code, line);
        assert!(said.contains(part), "{line}: '{part}' is not in {said}");
        said
    }

    /// Like `ok`, for a line that must print one JSON object.
    #[track_caller]
    pub fn json(&self, line: &str) -> serde_json::Value {
        serde_json::from_str(&self.ok(line)).expect("one JSON object")
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

/// Returns what a command says that has to end by itself.
pub fn in_time(command: &mut Command) -> io::Result<Output> {
    command.stdin(Stdio::null());
    let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let (mut child, begin) = (command.spawn()?, Instant::now());
    while child.try_wait()?.is_none() {
        if begin.elapsed() > Duration::from_secs(300) {
            child.kill()?;
            child.wait()?;
            panic!("{command:?} does not end");
        }
        thread::sleep(Duration::from_millis(5));
    }
    child.wait_with_output()
}

/// Starts a command with pipes for its input and output.
pub fn piped(command: &mut Command) -> Child {
    command.stdin(Stdio::piped());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("it starts")
}

/// Returns what a child says that reads all of this.
pub fn feed(mut child: Child, input: impl AsRef<[u8]> + Send) -> Output {
    let mut stdin = child.stdin.take().expect("a pipe");
    thread::scope(|scope| {
        // The child may end before it has read everything, or write much before it reads
        // on.
        scope.spawn(move || stdin.write_all(input.as_ref()).is_ok());
        child.wait_with_output().expect("it ends")
    })
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
