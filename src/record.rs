//! Records of games, and the files that contain them.
//!
//! A [`GameRecord`] is a finished game. The [`journal`] of a match keeps games as lines
//! of JSON, [`pgn`] writes them for people and other tools, and [`reader`] reads both, as
//! well as lines of moves. [`openings`] are the positions where games begin, and
//! [`notation`] reads moves as people type them. These modules need only the rules; who
//! plays, and what the results prove, is left to the modules above them.

pub(crate) mod duration;
pub(crate) mod ending;
pub mod fault;
pub(crate) mod game;
#[cfg(feature = "arena")]
pub mod journal;
pub(crate) mod limits;
pub mod notation;
pub mod openings;
pub mod pgn;
#[cfg(feature = "arena")]
pub(crate) mod pgn_file;
pub mod reader;
#[cfg(feature = "arena")]
pub(crate) mod shard;

pub use ending::Reason;
pub use game::GameRecord;
pub(crate) use game::{Accuracy, EngineScore, GameId, MoveRecord, SearchInfo};
pub use limits::{MoveLimits, TimeControl};
