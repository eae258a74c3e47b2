//! What tests of commands share: positions, and how to read and interrupt what runs.

use std::fs;
use std::process::{Command, Output, Stdio};
use std::sync::mpsc::Receiver;
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value as Json;
use sha2::{Digest, Sha256};

use crate::program::Folder;

/// A late position of Yoxii, in which White wins by 5.
pub const YOXII_LATE: &str = "3/IIy1o/yOO1I*1/o1Yy3/yoiiIX1/IXoyO/3 w";

/// A late position of Hokito, in which Black wins by 73 with b6a4, and by less otherwise.
pub const HOKITO_LATE: &str = "x,b3:14,x,w1:2,x,b1/x5,b2/w1:14,x5/x6/x6/w3:2,w2,x3,w1 b";

/// Runs a command in a folder of its own, and returns what it prints.
pub fn output(line: &str) -> String {
    Folder::new().stdout_of(line)
}

pub fn sha256(bytes: impl AsRef<[u8]>) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the commands that a help lists, except `help`.
pub fn listed(help: &str) -> Vec<String> {
    let list = help.split("Commands:\n").nth(1).unwrap_or_default();
    let lines = list.lines().take_while(|line| !line.is_empty());
    let names = lines.filter_map(|line| line.split_whitespace().next());
    let names = names.filter(|name| *name != "help");
    names.map(str::to_owned).collect()
}

/// Returns what is printed with one JSON object on each line.
#[track_caller]
pub fn objects(text: &str) -> Vec<Json> {
    let read = |line| serde_json::from_str(line).expect("an object a line");
    text.lines().map(read).collect()
}

/// Reads what is printed on a terminal until it contains a text, and returns that.
pub fn printed_until(printed: &Receiver<String>, part: &str) -> String {
    let mut seen = String::new();
    while !seen.contains(part) {
        let more = printed.recv_timeout(Duration::from_secs(60));
        seen += &more.unwrap_or_else(|_| panic!("'{part}' was not said, but\n{seen}"));
    }
    seen
}

/// Returns the identity of the task to prove that the first side wins a position.
pub fn task_id(position: &str) -> String {
    sha256(format!("{position}\np1 wins\n"))[..16].to_owned()
}

/// Stops a command by Ctrl-C, `wait` milliseconds after it listens for that.
#[cfg(unix)]
pub fn stopped(mut command: Command, wait: u64) -> Output {
    use nix::sys::signal::Signal;
    let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().expect("it starts");
    crate::program::wait("its handler", || hears_interrupts(child.id()));
    sleep(Duration::from_millis(wait));
    crate::program::send(child.id(), Signal::SIGINT);
    child.wait_with_output().expect("it ends")
}

/// Without `/proc` nobody knows, so it is assumed after a second.
#[cfg(unix)]
pub fn hears_interrupts(program: u32) -> bool {
    let Ok(status) = fs::read_to_string(format!("/proc/{program}/status")) else {
        sleep(Duration::from_secs(1));
        return true;
    };
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    let caught = caught.and_then(|digits| u64::from_str_radix(digits.trim(), 16).ok());
    caught
        .is_some_and(|signals| (signals >> (nix::sys::signal::Signal::SIGINT as i32 - 1)) & 1 == 1)
}
