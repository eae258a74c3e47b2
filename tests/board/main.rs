//! The board in a browser.
#![cfg(unix)]

#[path = "../support/program.rs"]
mod program;
mod support;

mod browser;
mod languages;
mod learning;
mod server;
