//! Matches between engines, judged by the rules of this crate.
pub mod sprt;
pub mod stats;
