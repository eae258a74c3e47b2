//! Matches between engines, judged by the rules of this crate.
pub mod adjudicate;
pub mod journal;
pub mod openings;
pub mod record;
pub mod schedule;
pub mod settings;
pub mod sprt;
pub mod stats;
pub mod tokens;
