//! A board as a process.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use crate::program::totemic;

/// No board takes this long to say where it listens unless it is broken.
const PATIENCE: Duration = Duration::from_secs(20);

/// `totemic board` as a process, which ends with its owner.
pub struct Board {
    pub child: Child,
    pub url: String,
}

impl Drop for Board {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Board {
    /// Starts a board with the words of a line, which are split as in a shell.
    pub fn start(line: &str) -> Self {
        Self::start_with(totemic(), &format!("--no-open {line}"))
    }

    /// Starts a board by a command that runs the program.
    pub fn start_with(mut command: Command, line: &str) -> Self {
        let words = shell_words::split(line).expect("words");
        command.arg("board");
        if !words.iter().any(|word| word == "--port") {
            command.args(["--port", "0"]);
        }
        command.args(words);
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        let child = command.spawn().expect("the program starts");
        let url = String::new();
        let mut board = Self { child, url };
        board.url = board.first_line();
        board
    }

    fn first_line(&mut self) -> String {
        let mut lines = BufReader::new(self.child.stdout.take().expect("a pipe")).lines();
        let (found, answer) = mpsc::channel();
        thread::spawn(move || found.send(lines.next()));
        let line = answer.recv_timeout(PATIENCE);
        let line = line.expect("the board says in time where it listens");
        line.expect("an address").expect("text")
    }

    /// Returns the processes that this board started and that still run; the guard is one
    /// of them.
    pub fn children(&self) -> BTreeSet<u32> {
        let own = self.child.id().to_string();
        let mut list = Command::new("ps");
        let list = list.args(["-A", "-o", "pid=,ppid=,stat="]).output();
        let child = |line: &str| {
            let (pid, rest) = line.trim_start().split_once(' ')?;
            let (parent, stat) = rest.trim_start().split_once(' ')?;
            let is_own = parent == own && !stat.trim_start().starts_with('Z');
            is_own.then(|| pid.parse().ok())?
        };
        let list = String::from_utf8_lossy(&list.expect("ps runs").stdout).into_owned();
        list.lines().filter_map(child).collect()
    }
}
