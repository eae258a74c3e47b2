//! Records of games, as text.
//!
//! A [`GameRecord`] is a finished game. The journal of a match keeps games as lines
//! of JSON, [`writer`] writes them as PGN for people and other tools, and [`reader`] reads both, as
//! well as lines of moves. [`openings`] are the positions where games begin, and
//! [`notation`] reads moves as people type them. These modules need no search; who
//! plays, and what the results prove, is left to the modules above them.

mod ending;
pub mod fault;
mod game;
mod limits;
pub mod notation;
pub mod numbers;
pub mod openings;
pub mod reader;
pub mod writer;

pub use ending::{Reason, Termination, end_in_words};
pub use game::{
    Accuracy, EngineScore, GameId, GameRecord, MoveRecord, Opening, PlayedGame, PlayedMove,
    SearchInfo, plain_text,
};
pub use limits::{MoveLimits, RunningClock, TimeControl};
