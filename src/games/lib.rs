//! Games of Yoxii and Hokito as text, their reviews, and what a page shows of them. Nothing here
//! needs a file, a process or a clock, so WebAssembly has it, too.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`numbers`] | whole numbers and times as people write them |
//! | [`limits`] | clocks, and limits of an engine's searches |
//! | [`record`] | games on paper: PGN, openings, moves as people type them |
//! | [`final_score`] | who won, and what counted for each side |
//! | [`odds_in_words`] | what a search found, as people say it |
//! | [`review`] | reviews of finished games, move by move |
//! | [`facts`] | answers for web pages: positions, moves and games, reviews; JSON in, JSON out |
#![forbid(unsafe_code)]
#![warn(unreachable_pub)]
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

pub mod facts;
pub mod final_score;
pub mod limits;
pub mod numbers;
pub mod odds_in_words;
pub mod record;
pub mod review;
