//! The `totemic` program: parse, run, and turn the outcome into an exit code.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    totemic::cli::main()
}
