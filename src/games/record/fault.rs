//! What is wrong with a text, as data: a page says it in its reader's language.

use serde::Serialize;
use thiserror::Error;

use totemic_engine::game::{GameKind, MoveError, Outcome, Phrase, PositionError};
use totemic_engine::text::quoted;

/// Why a text is refused. Each variant has the English text of the program; a page makes
/// its own sentence of the name `why` and the fields.
#[derive(Clone, PartialEq, Eq, Debug, Error, Serialize)]
#[serde(tag = "why", rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum Fault {
    #[error("move {number}: {of}")]
    Move { number: usize, of: Box<Self> },
    #[error("position {}: {of}", quoted(text))]
    Position { text: String, of: Box<Self> },

    // Moves as people type them.
    #[error("{} is not a move: {of}; expected {expected}", quoted(text))]
    NotMove {
        text: String,
        of: Box<Self>,
        expected: Phrase,
    },
    #[error("it names no square")]
    NoSquare,
    #[error("unexpected '{part}' after a complete move")]
    TooMuch { part: String },
    #[error("'{square}' is not a square of the board")]
    OffBoard { square: String },
    #[error("unexpected {found:?}")]
    Stray { found: char },
    #[error("{found:?} comes before the squares of a move")]
    ValueFirst { found: char },
    #[error("{}: the game is over", quoted(text))]
    Over { text: String },
    #[error("{} is incomplete: which {part}? {choices}", quoted(text))]
    Incomplete {
        text: String,
        part: &'static str,
        choices: String,
    },
    /// `rule` is missing if the squares are right and no legal move is written like that.
    #[error(
        "{} is illegal: {}; legal {part}s{}{after}: {choices}",
        quoted(text),
        rule.map_or("no legal move is written like that".to_owned(), |rule| rule.to_string()),
        if after.is_empty() { "" } else { " after " }
    )]
    NotLegal {
        text: String,
        rule: Option<Phrase>,
        part: &'static str,
        after: String,
        choices: String,
    },

    // Games.
    #[error("expected a position or moves")]
    NoGame,
    #[error("expected a position after 'fen'")]
    NoPosition,
    #[error("{}: expected a position, a board and the side to move", quoted(text))]
    NoSideAfter { text: String },
    #[error("tag {}: expected [Name \"value\"] on one line", quoted(text))]
    BadTag { text: String },
    #[error("comment: '{{' without a '}}' after it")]
    OpenComment,
    #[error("variation: '(' without a ')' after it")]
    OpenVariation,
    #[error("')': there is no variation to close")]
    NoVariation,
    #[error("the game has more than {most} words")]
    TooLong { most: usize },
    #[error("variant {}: expected {}", quoted(name), GameKind::any_name())]
    Variant { name: String },
    #[error("game {}: expected {}", quoted(name), GameKind::any_name())]
    NoSuchGame { name: String },
    #[error(
        "result {}: by the rules the moves end in a {}{winner}",
        quoted(text),
        if winner.is_empty() { "draw" } else { "win for " }
    )]
    Result {
        text: String,
        #[serde(rename = "result")]
        outcome: Outcome,
        #[serde(skip)]
        winner: &'static str,
    },
    #[error("not the first line of {of}")]
    NoJournal {
        #[serde(skip)]
        of: String,
    },
    #[error("it is cut off after {bytes} bytes: the game is left out")]
    CutOff { bytes: usize },
    #[error("result {}, but {} in the tags", quoted(text), quoted(tag))]
    Results { text: String, tag: String },
    #[error("not a game: {text}")]
    NoRecord { text: String },

    // What a page or the server of `totemic board` asks.
    #[error("{} is not a square", quoted(text))]
    NotSquare { text: String },
    #[error("one square or two are expected")]
    SquareCount,
    #[error("a QR code of {bytes} bytes: {text}")]
    Qr { bytes: usize, text: String },
    #[error("{path}: {text}")]
    File { path: String, text: String },
    /// An error in English only.
    #[error("{text}")]
    Plain { text: String },

    #[error(transparent)]
    #[serde(untagged)]
    BadPosition(#[from] PositionError),
    #[error(transparent)]
    #[serde(untagged)]
    BadMove(#[from] MoveError),
}

impl Fault {
    /// What is wrong with the move at an index, from 0.
    pub(crate) fn in_move(index: usize, why: impl Into<Self>) -> Self {
        Self::Move {
            number: index + 1,
            of: Box::new(why.into()),
        }
    }

    /// An error that no page translates.
    pub fn plain(why: impl ToString) -> Self {
        let text = why.to_string();
        Self::Plain { text }
    }
}
