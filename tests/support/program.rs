//! The program, run with command lines.

#![allow(
    dead_code,
    reason = "compiled into several test programs, each of which uses its own part"
)]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// The program under test.
pub fn totemic() -> Command {
    Command::new(env!("CARGO_BIN_EXE_totemic"))
}

/// A directory to run command lines in.
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

    /// `totemic` with the words of a line, which are split as in a shell.
    pub fn command(&self, line: &str) -> Command {
        let mut command = totemic();
        let words = shell_words::split(line).expect("words");
        command.current_dir(self.at()).args(words);
        command
    }

    pub fn run(&self, line: &str) -> Output {
        self.command(line).output().expect("it starts")
    }

    /// What a line that succeeds prints.
    pub fn ok(&self, line: &str) -> String {
        let output = self.run(line);
        assert!(output.status.success(), "{line}: {}", stderr(&output));
        stdout(&output)
    }

    /// What a line says that ends with this exit code.
    pub fn fails(&self, code: i32, line: &str) -> String {
        let output = self.run(line);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{line}: {said}");
        said
    }

    /// As `run`, with this on stdin.
    pub fn feed(&self, line: &str, input: impl AsRef<[u8]>) -> Output {
        let mut command = self.command(line);
        command.stdin(Stdio::piped());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("it starts");
        // A program that does not read its input may close it first.
        let _ = child
            .stdin
            .take()
            .expect("a pipe")
            .write_all(input.as_ref());
        child.wait_with_output().expect("it ends")
    }
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
