//! Matches between engines, good and bad ones.
// What the tests of signals need.
#![cfg_attr(not(unix), allow(dead_code, unused_imports))]

#[path = "../support/program.rs"]
mod program;
mod support;

mod compliance;
mod fuzz;
mod hostile;
mod journal;
mod manners;
mod matches;
mod ponder;
#[cfg(unix)]
mod poverty;
mod repeats;
mod statistics;
#[cfg(target_os = "linux")]
mod stops;
mod truth;
