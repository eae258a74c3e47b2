//! The board in a browser.
#![cfg(all(feature = "board", unix))]

#[path = "../support/program.rs"]
mod program;
mod support;

mod browser;
mod learning;
mod server;
