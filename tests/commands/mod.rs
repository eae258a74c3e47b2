//! The program's commands, for tests that run them to their end or interrupt them.

#![allow(
    dead_code,
    reason = "compiled into several test programs, each of which uses its own part"
)]

use std::process::{Command, Output};

/// What a command does, run to its end.
pub fn totemic(args: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_totemic");
    Command::new(program)
        .args(args)
        .output()
        .expect("the program starts")
}

/// What it says.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Whether a program hears Ctrl-C; none knows without `/proc`, but after a second.
#[cfg(unix)]
pub fn hears_interrupts(program: u32) -> bool {
    use std::{fs, thread::sleep, time::Duration};
    let Ok(status) = fs::read_to_string(format!("/proc/{program}/status")) else {
        sleep(Duration::from_secs(1));
        return true;
    };
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    let caught = caught.and_then(|digits| u64::from_str_radix(digits.trim(), 16).ok());
    caught
        .is_some_and(|signals| (signals >> (nix::sys::signal::Signal::SIGINT as i32 - 1)) & 1 == 1)
}
