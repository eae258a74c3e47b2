//! Why a text is not a position or not a move.

use thiserror::Error;

use super::text::quoted;

/// Why a text or a list of pieces is refused as a position.
///
/// Offsets `at` count bytes from 0 in the text that was given.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum PositionError {
    #[error("the board has {expected} ranks, but {found} are given")]
    RankCount { found: usize, expected: usize },
    #[error("rank {rank} is too long at byte {at}: it has {expected} squares")]
    RankTooLong {
        rank: u8,
        at: usize,
        expected: usize,
    },
    #[error("rank {rank} is too short: {found} squares are given, but it has {expected}")]
    RankTooShort {
        rank: u8,
        found: usize,
        expected: usize,
    },
    #[error("unexpected {} at byte {at}: expected {expected}", quoted(found))]
    Unexpected {
        at: usize,
        found: String,
        expected: &'static str,
    },
    #[error("the side to move is missing after the board: expected {expected}")]
    NoSide { expected: &'static str },
    #[error(
        "unexpected {} at byte {at}: a position ends with the side to move",
        quoted(found)
    )]
    Trailing { at: usize, found: String },
    #[error("there is no totem '*' on the board")]
    NoTotem,
    #[error("there is a second totem '*' on {cell}")]
    SecondTotem { cell: String },
    /// The square is off the board or used twice, or the piece has no such value.
    #[error("{cell} is not a square that can hold this")]
    BadCell { cell: String },
    #[error("{found} {what} are on the board, but a side has only {at_most}")]
    TooMany {
        what: String,
        found: u32,
        at_most: u32,
    },
    /// Yoxii: numbers of pieces that are impossible with this side to move.
    #[error(
        "{white} white and {red} red pieces do not fit {side} to move: \
         white moves when the numbers are equal, red when white has one more"
    )]
    PieceBalance {
        white: u32,
        red: u32,
        side: &'static str,
    },
    /// Hokito: a height that no tower can have.
    #[error("height {found} on {cell}: a pawn has height 1, a stack 2 to 36")]
    Height { cell: String, found: u32 },
    #[error("the heights add up to {found}, but there are only 36 pawns")]
    TotalHeight { found: u32 },
}

/// Why a text is refused as a move.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum MoveError {
    #[error("{} is not a move: expected {expected}", quoted(text))]
    Syntax {
        text: String,
        expected: &'static str,
    },
    #[error("'{mv}' is illegal: {reason}")]
    Illegal { mv: String, reason: &'static str },
    #[error("'{mv}' is illegal: the game is over")]
    GameOver { mv: String },
}
