//! Matches between engines, good and bad ones.
#![cfg(feature = "arena")]
// What the tests of signals need.
#![cfg_attr(not(unix), allow(dead_code, unused_imports))]

mod fuzz;
mod statistics;
mod truth;

#[cfg(feature = "cli")]
#[path = "../support/program.rs"]
mod program;
#[cfg(feature = "cli")]
mod support;

#[cfg(feature = "cli")]
mod compliance;
#[cfg(feature = "cli")]
mod hostile;
#[cfg(feature = "cli")]
mod journal;
#[cfg(feature = "cli")]
mod manners;
#[cfg(feature = "cli")]
mod matches;
#[cfg(feature = "cli")]
mod ponder;
#[cfg(all(feature = "cli", unix))]
mod poverty;
#[cfg(feature = "cli")]
mod repeats;
#[cfg(all(feature = "cli", target_os = "linux"))]
mod stops;
