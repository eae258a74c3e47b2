//! The board's server, and the lessons and puzzles of its page. The page itself is tested in
//! a browser: `tests/browser`.
#![cfg(unix)]

#[path = "../support/program.rs"]
mod program;

mod learning;
mod server;
