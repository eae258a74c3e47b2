//! Why a text is not a position or not a move.

use thiserror::Error;

use super::text::quoted;

/// Why a text or a setup is refused as a position.
///
/// Offsets `at` count bytes from 0 in the text that was given.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PositionError {
    /// Not as many `/`-separated ranks as the board has.
    #[error("the board has {expected} ranks, but {found} are given")]
    RankCount {
        /// Ranks in the text.
        found: usize,
        /// Ranks of the board.
        expected: usize,
    },
    /// A rank describes more squares than it has.
    #[error("rank {rank} is too long at byte {at}: it has {expected} squares")]
    RankTooLong {
        /// Number of the rank, from 1.
        rank: u8,
        /// Where the first square too many stands.
        at: usize,
        /// Squares of the rank.
        expected: usize,
    },
    /// A rank describes fewer squares than it has.
    #[error("rank {rank} is too short: {found} squares are given, it has {expected}")]
    RankTooShort {
        /// Number of the rank, from 1.
        rank: u8,
        /// Squares in the text.
        found: usize,
        /// Squares of the rank.
        expected: usize,
    },
    /// A square's text cannot be read.
    #[error("unexpected {} at byte {at}: expected {expected}", quoted(found))]
    Unexpected {
        /// Where it stands.
        at: usize,
        /// The token or character.
        found: String,
        /// What may stand there.
        expected: &'static str,
    },
    /// The side to move is missing behind the board.
    #[error("the side to move is missing behind the board: expected {expected}")]
    NoSide {
        /// The letters of the sides.
        expected: &'static str,
    },
    /// There is something behind the side to move.
    #[error(
        "unexpected {} at byte {at}: a position ends with the side to move",
        quoted(found)
    )]
    Trailing {
        /// Where it stands.
        at: usize,
        /// The token.
        found: String,
    },
    /// Yoxii: no square holds the totem.
    #[error("there is no totem '*' on the board")]
    NoTotem,
    /// Yoxii: more than one square holds the totem.
    #[error("there is a second totem '*' on {cell}")]
    SecondTotem {
        /// Its square.
        cell: String,
    },
    /// A cell of a setup is off the board or used twice.
    #[error("{cell} is not a square that can hold this")]
    BadCell {
        /// The square.
        cell: String,
    },
    /// More pieces of a kind than a side owns.
    #[error("{found} {what} are on the board, a side has only {at_most}")]
    TooMany {
        /// Which pieces.
        what: String,
        /// How many there are.
        found: u32,
        /// How many there can be.
        at_most: u32,
    },
    /// Yoxii: numbers of pieces that cannot be with this side to move.
    #[error(
        "{white} white and {red} red pieces do not fit {side} to move: \
         white moves at equal numbers, red when white has one more"
    )]
    PieceBalance {
        /// White pieces on the board.
        white: u32,
        /// Red pieces on the board.
        red: u32,
        /// The side to move.
        side: &'static str,
    },
    /// Hokito: a height that is not one of a tower.
    #[error("height {found} on {cell}: a pawn has height 1, a stack 2 to 36")]
    Height {
        /// The square.
        cell: String,
        /// The height given.
        found: u32,
    },
    /// Hokito: more pawns than the game has.
    #[error("the heights add up to {found}, but there are only 36 pawns")]
    TotalHeight {
        /// The sum.
        found: u32,
    },
}

/// Why a text is refused as a move.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum MoveError {
    /// Not the form of a move.
    #[error("{} is not a move: expected {expected}", quoted(text))]
    Syntax {
        /// What was given.
        text: String,
        /// The form of a move.
        expected: &'static str,
    },
    /// A move that the rules forbid here.
    #[error("'{mv}' is illegal: {reason}")]
    Illegal {
        /// The move.
        mv: String,
        /// The rule that it breaks.
        reason: &'static str,
    },
    /// No move is legal because the game is over.
    #[error("'{mv}' is illegal: the game is over")]
    GameOver {
        /// The move.
        mv: String,
    },
}
