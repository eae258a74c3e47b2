//! Why a text is not a position or not a move.

use std::fmt;

use thiserror::Error;

use super::Side;
use crate::text::quoted;

/// The names of the sides, which the messages of both games need.
pub(super) const YOXII_SIDES: [&str; 2] = ["White", "Red"];
pub(super) const HOKITO_SIDES: [&str; 2] = ["Black", "White"];

/// What a game says in a message: the rule that a move breaks, or the form of a text.
// One reference to a name and a text, so that the errors that hold it stay small.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Phrase(&'static [&'static str; 2]);

impl Phrase {
    /// Takes a name, by which a page finds the phrase in another language, and the English
    /// text, as a part of a sentence.
    pub const fn new(name_and_text: &'static [&'static str; 2]) -> Self {
        Self(name_and_text)
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        self.0[0]
    }
}

impl fmt::Display for Phrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0[1])
    }
}

/// Why a text or a list of pieces is refused as a position.
///
/// Offsets `at` count bytes from 0 in the text that was given.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(tag = "why", rename_all = "kebab-case"))]
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
        expected: Phrase,
    },
    #[error("the side to move is missing after the board: expected {expected}")]
    NoSide { expected: Phrase },
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
    /// Yoxii.
    #[error(
        "{found} {} pieces of value {value} are on the board, but a side has only {at_most}",
        YOXII_SIDES[side.index()].to_lowercase()
    )]
    TooManyPieces {
        side: Side,
        value: u8,
        found: u32,
        at_most: u32,
    },
    /// Hokito.
    #[error(
        "{found} {} top pawns of value {value} are on the board, but a side has only {at_most}",
        HOKITO_SIDES[side.index()].to_lowercase()
    )]
    TooManyTops {
        side: Side,
        value: u8,
        found: u32,
        at_most: u32,
    },
    /// Yoxii: numbers of pieces that are impossible with this side to move.
    #[error(
        "{white} white and {red} red pieces do not fit {} to move: \
         white moves when the numbers are equal, red when white has one more",
        YOXII_SIDES[side.index()]
    )]
    PieceBalance { white: u32, red: u32, side: Side },
    /// Hokito: a height that no tower can have.
    #[error("height {found} on {cell}: a pawn has height 1, a stack 2 to 36")]
    Height { cell: String, found: u32 },
    #[error("the heights add up to {found}, but there are only 36 pawns")]
    TotalHeight { found: u32 },
}

/// Why a text is refused as a move.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(tag = "why", rename_all = "kebab-case"))]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum MoveError {
    #[error("{} is not a move: expected {expected}", quoted(text))]
    Syntax { text: String, expected: Phrase },
    #[error("'{mv}' is illegal: {rule}")]
    Illegal { mv: String, rule: Phrase },
    #[error("'{mv}' is illegal: the game is over")]
    GameOver { mv: String },
}
