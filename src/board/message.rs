//! What the page and the server say to each other beside UGI.
//!
//! A message that begins with `{` is for the server itself, or from it. All
//! others are `ID LINE`: a line to or from the engine that the page started
//! under that name.

use serde::{Deserialize, Serialize};

use super::paper::{Ending, GameText, Sheet};
use super::reviewing::Judged;
use crate::review::words::Advantage;

/// What the page asks for.
#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "ask", rename_all = "lowercase")]
pub(super) enum Ask {
    /// Start an engine under a name of the page's choice.
    Start {
        /// A short word; an engine of that name is ended first.
        id: String,
        /// Place in the list of engines; none: the referee.
        engine: Option<usize>,
        /// The game it begins with.
        game: String,
    },
    /// Read games: PGN, a journal, lines of moves.
    Read {
        /// A number for the answer.
        call: u64,
        /// The game where nothing in the text tells.
        game: String,
        /// What is to be read.
        text: String,
    },
    /// Read a move as people type it.
    Typed {
        /// A number for the answer.
        call: u64,
        /// Name of the game.
        game: String,
        /// The position.
        fen: String,
        /// What was typed.
        text: String,
    },
    /// Write a game as PGN.
    Write {
        /// A number for the answer.
        call: u64,
        /// The game.
        #[serde(flatten)]
        game: GameText,
    },
    /// How the end of a game came about.
    Ending {
        /// A number for the answer.
        call: u64,
        /// Name of the game.
        game: String,
        /// The last position.
        fen: String,
    },
    /// The games of the journal that the command line names.
    Journal {
        /// A number for the answer.
        call: u64,
        /// Games that the page has already.
        from: usize,
    },
    /// Judge a game move by move; another one that is being judged is left.
    Review {
        /// A number for the answers.
        call: u64,
        /// Name of the game.
        game: String,
        /// Where it began.
        fen: String,
        /// Its moves.
        moves: Vec<String>,
        /// Thought for each position, in milliseconds.
        millis: u64,
    },
    /// Leave the game that is being judged, with what is known.
    Enough,
    /// End an engine.
    End {
        /// Its name.
        id: String,
    },
}

/// What the server tells the page.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "say", rename_all = "lowercase")]
pub(super) enum Say {
    /// First of all, once for each socket.
    Hello {
        /// Version of the server.
        version: &'static str,
        /// The name by which a reload takes this tab over.
        tab: String,
        /// Names of the engines that may be started.
        engines: Vec<String>,
        /// The most memory an engine is given, in MiB.
        hash: u64,
        /// The most threads an engine is given.
        threads: u64,
        /// Whether there is a journal to follow.
        journal: bool,
        /// Engines that run already, after a reload.
        running: Vec<Running>,
        /// From which expected points on a side is how far ahead.
        leads: &'static [(f64, Advantage)],
    },
    /// An engine is gone.
    Ended {
        /// Its name.
        id: String,
        /// Why, in words of the system or of the engine.
        why: String,
        /// What kind of end it was.
        how: How,
    },
    /// Games that were read.
    Games {
        /// The number of the question.
        call: u64,
        /// In the order of the text.
        games: Vec<Sheet>,
    },
    /// A move that was read.
    Move {
        /// The number of the question.
        call: u64,
        /// In the notation of the protocol.
        mv: String,
    },
    /// A game that was written.
    Text {
        /// The number of the question.
        call: u64,
        /// The PGN.
        text: String,
    },
    /// The end explained.
    Ending {
        /// The number of the question.
        call: u64,
        /// What counted.
        ending: Ending,
    },
    /// A move was judged, or the position at the end.
    Judged {
        /// The number of the question.
        call: u64,
        /// Positions done.
        done: usize,
        /// Positions in all.
        total: usize,
        /// What is said of the move.
        judged: Option<Judged>,
    },
    /// A game was judged, or left.
    Reviewed {
        /// The number of the question.
        call: u64,
        /// The whole, as `totemic review --json` has it.
        review: serde_json::Value,
    },
    /// A question cannot be answered.
    Failed {
        /// The number of the question.
        call: u64,
        /// Why not.
        why: String,
    },
    /// A request was refused.
    Refused {
        /// What was wrong with it.
        why: String,
    },
}

/// An engine that waited for a reload.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Running {
    pub(super) id: String,
    pub(super) engine: Option<usize>,
    pub(super) game: String,
    /// Searches that have not been answered yet.
    pub(super) pending: u32,
}

/// How an engine came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum How {
    /// It could not be started.
    NoStart,
    /// It ended by itself, or closed its pipes.
    Gone,
    /// It wrote without measure, or a line without end.
    Flood,
    /// It reads no more.
    Deaf,
    /// The page wanted it.
    Asked,
}

impl Say {
    /// The message as it goes over the socket.
    pub(super) fn text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}
