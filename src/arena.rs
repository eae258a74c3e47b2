//! Matches between engines, judged by the rules of [`totemic_engine`].
//!
//! Engines are [processes](crate::process) that speak UGI; nothing that they say is
//! trusted. A match is defined by its [`settings`]: the schedule and the openings follow
//! from them and the seed, so a match can be repeated, split and resumed. The [`runner`]
//! plays it. Every finished game becomes a [record](totemic_games::record) in the journal, and
//! every statement about strength ([`stats`], [`sprt`], `rating`) is computed from these
//! records alone.

pub mod adjudicate;
pub(crate) mod audit;
pub(crate) mod compliance;
mod difference;
pub(crate) mod json;
pub(crate) mod player;
pub(crate) mod rating;
pub(crate) mod report;
pub mod runner;
pub(crate) mod schedule;
pub mod settings;
pub mod sprt;
pub mod stats;
pub mod tally;
pub mod tokens;
