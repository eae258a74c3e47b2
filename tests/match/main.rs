//! Matches between engines, good and bad ones.
// What the tests of signals need.
#![cfg_attr(not(unix), allow(dead_code, unused_imports))]

#[path = "../support/program.rs"]
mod program;
mod support;

mod adjudication;
mod compliance;
mod fuzz;
mod hostile;
mod journal;
mod matches;
mod ponder;
mod repeats;
#[cfg(unix)]
mod scarce_resources;
mod statistics;
#[cfg(target_os = "linux")]
mod stops;
mod tournaments;
