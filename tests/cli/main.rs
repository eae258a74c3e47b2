//! The commands of the program, and the pages that show them.
// What the tests of signals need.
#![cfg_attr(not(unix), allow(dead_code, unused_imports))]

#[path = "../support/program.rs"]
mod program;
mod proof_support;
mod support;

mod analyze_server;
mod broken_pipe;
mod certificates;
mod every_command;
mod files;
mod parts;
mod perft;
mod play;
mod readme;
mod refusals;
mod review;
mod setup;
mod solve;
mod train;
