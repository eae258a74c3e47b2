//! The protocol, and the page that describes it.
// What the tests of signals need.
#![cfg_attr(not(unix), allow(dead_code, unused_imports))]

mod client;

#[cfg(feature = "arena")]
mod book;
mod dialogues;
#[cfg(feature = "cli")]
mod process;
#[cfg(feature = "cli")]
#[path = "../support/program.rs"]
mod program;
#[cfg(feature = "cli")]
mod protocol_page;
mod races;
mod random;
