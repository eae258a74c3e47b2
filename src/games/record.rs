//! Records of games, as text.
//!
//! A [`GameRecord`] is a finished game as a journal keeps it, on a line of JSON. A [`PgnGame`] is
//! a game with comments and variations: [`reader`] reads it from PGN, a journal or a line of moves,
//! and [`writer`] writes it as PGN. [`openings`] are the positions where games begin,
//! [`random`] has the random numbers of a match, and [`notation`] reads moves as people type
//! them. Who plays, and what the results prove, is left to the modules above.

mod ending;
pub mod fault;
mod game;
pub mod notation;
pub mod openings;
pub mod random;
pub mod reader;
pub mod writer;

pub use ending::{Reason, Termination, end_in_words};
pub use game::{
    Accuracy, EngineScore, GameId, GameRecord, MoveRecord, Opening, PgnGame, PgnMove, SearchInfo,
    deserialize_sanitized,
};
