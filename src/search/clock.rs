//! The clock: the only place that names one.
//!
//! `std`'s panics where there is none, as in WebAssembly in a browser.

pub(crate) use std::time::Instant;
