//! Matches between engines, judged by the rules of this crate.
//!
//! Engines are [processes](crate::process) that speak UGI; nothing they say is
//! trusted. A match is defined by its [`settings`]: from them and the seed
//! follow the [`schedule`] and the openings, so a match can be repeated, split
//! and resumed. The [`runner`] plays it with a `referee` for each game; every
//! finished game becomes a [record](crate::record) in the journal, and
//! everything that is said about strength ([`stats`], [`sprt`], [`rating`]) is
//! computed from records alone.

pub mod adjudicate;
pub mod audit;
pub mod compliance;
mod difference;
pub mod json;
pub(crate) mod player;
pub mod rating;
pub(crate) mod referee;
#[cfg(feature = "cli")]
pub(crate) mod report;
pub mod runner;
pub mod schedule;
pub mod settings;
pub mod sprt;
pub mod stats;
pub mod tally;
pub mod tokens;
