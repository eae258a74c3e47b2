//! Reads and writes whole games as text.

use serde::{Deserialize, Serialize};

use super::position::parsed;
use crate::game::{Game, GameKind, MoveError, Outcome, with_game};
use crate::record::fault::Fault;
use crate::record::pgn::PgnGame;
use crate::record::reader::{self, Close, PlayedGame, PlayedMove};

/// A game from a text, or why it cannot be read. `tree` repeats the moves, together with
/// their variations.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
#[allow(missing_docs)]
pub enum ReadGame {
    Legal {
        game: &'static str,
        fen: String,
        moves: Vec<String>,
        tree: Vec<Variation>,
        players: [String; 2],
        result: &'static str,
        reason: String,
    },
    Refused {
        why: String,
        reason: Fault,
    },
}

/// A move, or moves that could have been played instead of the one before.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Variation {
    /// A move in the notation of the protocol.
    Move(String),
    /// Moves instead of the move before, with variations of their own.
    Moves(Vec<Variation>),
}

fn tree(moves: &[PlayedMove]) -> Vec<Variation> {
    let with_variations = |played: &PlayedMove| {
        let variations = played.variations.iter().map(|line| tree(line));
        std::iter::once(Variation::Move(played.mv.clone()))
            .chain(variations.map(Variation::Moves))
            .collect::<Vec<_>>()
    };
    moves.iter().flat_map(with_variations).collect()
}

impl From<PlayedGame> for ReadGame {
    fn from(game: PlayedGame) -> Self {
        Self::Legal {
            game: game.kind.name(),
            fen: game.start,
            tree: tree(&game.moves),
            moves: game.moves.into_iter().map(|played| played.mv).collect(),
            players: game.players,
            result: game.result.map_or("none", Outcome::word),
            reason: game.reason,
        }
    }
}

/// Reads the games in a text; `hint` is the game where the text does not say which one it
/// is.
pub(crate) fn read(text: &str, hint: Option<GameKind>) -> Vec<ReadGame> {
    let refused = |why: reader::ReadError| ReadGame::Refused {
        why: why.to_string(),
        reason: why.into(),
    };
    (reader::read(text, hint).into_iter())
        .map(|game| game.map_or_else(refused, ReadGame::from))
        .collect()
}

/// A game to be written as PGN.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct GameToWrite {
    game: String,
    fen: String,
    tree: Vec<Variation>,
    /// The names of the players; empty if unknown.
    players: [String; 2],
    /// The day, as `2026.11.24`.
    date: String,
    /// How the game ended, if not by the rules.
    ended: Option<(Outcome, Close)>,
}

impl GameToWrite {
    pub(super) fn pgn(&self) -> Result<String, Fault> {
        with_game!(super::kind(&self.game)?, G => self.pgn_of::<G>())
    }

    fn pgn_of<G: Game>(&self) -> Result<String, Fault> {
        let start: G = parsed(&self.fen)?;
        let (moves, end) = pgn_moves(start, &self.tree)?;
        let by_rules = end.outcome().map(|outcome| (outcome, Close::Rules));
        let (outcome, close) = by_rules.or(self.ended).unzip();
        let close = close.unwrap_or_default();
        let players = self.players.each_ref().map(String::as_str);
        let mut pgn = PgnGame::new::<G>("Totemic board", players, &self.fen, outcome);
        pgn.moves = moves;
        pgn.tag("Date", &self.date);
        pgn.tag(
            "First",
            if players[0].is_empty() {
                "?"
            } else {
                players[0]
            },
        );
        pgn.tag("Termination", close.termination().unwrap_or_default());
        Ok(pgn.to_string())
    }
}

/// Returns the moves of a line with their variations, and the position after them.
fn pgn_moves<G: Game>(start: G, line: &[Variation]) -> Result<(Vec<PlayedMove>, G), MoveError> {
    let mut moves: Vec<PlayedMove> = Vec::new();
    let (mut before, mut position) = (start, start);
    for part in line {
        match (part, moves.last_mut()) {
            (Variation::Moves(line), Some(last)) => {
                last.variations.push(pgn_moves(before, line)?.0);
            }
            // There is no move that this variation could replace.
            (Variation::Moves(_), None) => {}
            (Variation::Move(text), _) => {
                let mv = position.read_move(text)?;
                (before, position) = (position, position.play(mv));
                moves.push(PlayedMove {
                    mv: mv.to_string(),
                    ..PlayedMove::default()
                });
            }
        }
    }
    Ok((moves, position))
}
