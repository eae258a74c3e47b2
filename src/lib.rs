//! The program `totemic`: what the command line does with the engine.
//!
//! Other programs embed [`totemic_engine`]: the rules, the search, the solver and the
//! protocol. This library is there for the tests and measurements of the program.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`storage`] | files that are written completely or not at all; journals of games |
//! | [`process`] | an engine as a child process |
//! | `train` | self-play, and fitting the weights of the evaluation to it |
//! | [`analysis`] | a server that analyses many positions, over lines of JSON |
//! | `same_settings` | how the settings of two runs differ, in words |
//! | [`shard`] | parts of a match, or of the games of self-play, for several machines |
//! | [`arena`] | matches between engines as processes; of the engine it needs neither search nor solver |
//! | `board` | the board in a browser |
//! | [`cli`] | the command line |
//!
//! [`totemic_games`] has the rest: games as text, reviews, and facts for web pages. The folders
//! `src/engine`, `src/games`, `src/python` and `src/wasm` are crates of their own.
//! [`contributing`] says how to make and test changes.
#![forbid(unsafe_code)]
#![warn(unreachable_pub)]
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

pub mod analysis;
pub mod arena;
mod board;
pub mod cli;
pub mod contributing;
pub mod process;
mod same_settings;
pub mod shard;
pub mod storage;
mod train;
