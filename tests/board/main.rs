//! The board in a browser.
#![cfg(all(feature = "board", unix))]

mod support;

mod browser;
mod server;
