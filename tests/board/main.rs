//! The board in a browser.
#![cfg(all(feature = "board", unix))]

#[path = "../support/program.rs"]
mod program;
mod support;

mod browser;
mod languages;
mod learning;
mod server;
