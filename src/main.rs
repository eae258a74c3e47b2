//! The `totemic` program: parse, run, and turn the outcome into an exit code.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    // What a panic says is on stderr by then.
    std::panic::catch_unwind(totemic::cli::main).unwrap_or(ExitCode::FAILURE)
}
