//! The protocol, and the page that describes it.
// What the tests of signals need.
#![cfg_attr(not(unix), allow(dead_code, unused_imports))]

mod client;

mod book;
mod dialogues;
mod process;
#[path = "../support/program.rs"]
mod program;
mod protocol_page;
mod races;
mod random;
