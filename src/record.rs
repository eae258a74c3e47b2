//! Records of games, and the files that hold them.
//!
//! A [`GameRecord`] is a finished game. The [`journal`] of a match keeps them
//! as lines of JSON, [`pgn`] writes them for people and other tools,
//! [`reader`] reads both back, and lines of moves; [`openings`] says where
//! games begin, [`limits`] with how much time, and [`notation`] reads moves as
//! people type them. Needs the rules only: who plays, and what the results prove, is the
//! business of those above.

pub mod duration;
pub(crate) mod ending;
pub(crate) mod game;
pub(crate) mod info;
pub mod journal;
pub mod limits;
pub mod notation;
mod opening;
pub mod openings;
pub mod pgn;
pub mod pgn_file;
pub mod reader;
pub mod replay;
pub(crate) mod shard;

pub use ending::{GameResult, Reason};
pub use game::GameRecord;
pub(crate) use game::{Accuracy, GameId, MoveRecord};
pub(crate) use info::{EngineScore, SearchInfo};
pub(crate) use limits::MoveLimits;
pub use limits::TimeControl;
