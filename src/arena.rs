//! Matches between engines, refereed by the rules of [`totemic_engine`].
//!
//! Engines are [processes](crate::process) that speak UGI; nothing that they say is
//! trusted. A match is defined by its [`settings`]: the schedule and the openings follow
//! from them and the seed, so a match can be repeated, split and resumed. The [`runner`]
//! plays it. Every finished game becomes a [record](totemic_games::record) in the journal, and
//! every statement about strength ([`stats`], [`sprt`], `rating`) is computed from these
//! records alone.
//!
//! Only the commands of this program use it, so its texts name the options that help.
//!
//! Two engines that play each other have a *meeting*, which consists of *pairs*. A pair is two
//! games from one opening, its *legs*: each engine moves first in one of them. Pairs are handed out
//! in *stages*. In a Swiss tournament a stage is a *round*, in which each engine has one meeting;
//! in a knockout it is a round or a *replay*, one more pair of each tie. Where the pairings are
//! fixed, stage number n is pair number n of every meeting.

pub(crate) mod accuracy;
pub mod adjudicate;
pub(crate) mod audit;
pub(crate) mod compliance;
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
