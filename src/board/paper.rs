//! Games and moves on paper, read for the page.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use serde::Serialize;

use crate::game::{GameKind, Outcome, Side, with_game};
use crate::record::notation::read_move;
use crate::record::reader::{self, PlayedGame, PlayedMove};

/// The most that is read of a journal, in bytes.
const MAX_JOURNAL: u64 = 64 * 1024 * 1024;

/// A game as the page takes it, or why it cannot be read.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Sheet {
    Game {
        game: &'static str,
        fen: String,
        moves: Vec<String>,
        /// The moves once more, each with the lines behind it that could have
        /// been played instead.
        tree: Vec<Twig>,
        players: [String; 2],
        result: &'static str,
        reason: String,
    },
    Refused {
        why: String,
    },
}

/// A move, or a line instead of the move before it.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Twig {
    Move(String),
    Variation(Vec<Twig>),
}

fn tree(moves: &[PlayedMove]) -> Vec<Twig> {
    let twigs = |played: &PlayedMove| {
        let variations = played.variations.iter().map(|line| tree(line));
        std::iter::once(Twig::Move(played.mv.clone()))
            .chain(variations.map(Twig::Variation))
            .collect::<Vec<_>>()
    };
    moves.iter().flat_map(twigs).collect()
}

impl From<PlayedGame> for Sheet {
    fn from(game: PlayedGame) -> Self {
        Self::Game {
            game: game.kind.name(),
            fen: game.start,
            tree: tree(&game.moves),
            moves: game.moves.into_iter().map(|played| played.mv).collect(),
            players: game.players,
            result: match game.result {
                None => "none",
                Some(Outcome::Win(Side::First)) => "p1win",
                Some(Outcome::Win(Side::Second)) => "p2win",
                Some(Outcome::Draw) => "draw",
            },
            reason: game.reason,
        }
    }
}

/// Every game of a text: PGN, a journal, or lines of moves.
pub(super) fn games(text: &str, hint: Option<GameKind>) -> Vec<Sheet> {
    let refused = |why: reader::ReadError| Sheet::Refused {
        why: why.to_string(),
    };
    (reader::read(text, hint).into_iter())
        .map(|game| game.map_or_else(refused, Sheet::from))
        .collect()
}

/// A move as it was typed, in the notation of the protocol.
///
/// # Errors
/// What is wrong with it, and what would be legal.
pub(super) fn typed(game: &str, fen: &str, text: &str) -> Result<String, String> {
    let kind = GameKind::named(game).ok_or_else(|| format!("'{game}' is no game"))?;
    with_game!(kind, G => {
        let position: G = fen.parse().map_err(|why| format!("position: {why}"))?;
        let mv = read_move(&position, text).map_err(|why| why.to_string())?;
        Ok(mv.to_string())
    })
}

/// The finished games of a match; the line that is being written is left out.
///
/// # Errors
/// When the file cannot be read.
pub(super) fn journal(path: &Path) -> Result<Vec<Sheet>, String> {
    let failure = |why: std::io::Error| format!("{}: {why}", path.display());
    let file = File::open(path).map_err(failure)?;
    let mut bytes = Vec::new();
    (file.take(MAX_JOURNAL).read_to_end(&mut bytes)).map_err(failure)?;
    let end = bytes.iter().rposition(|&byte| byte == b'\n');
    let text = String::from_utf8_lossy(&bytes[..end.unwrap_or(0)]);
    Ok(games(&text, None))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_becomes_a_move_or_a_reason() {
        let start = "3/5/7/3*3/7/5/3 w";
        assert_eq!(typed("yoxii", start, "C5-B6 4"), Ok("c5b6x".to_owned()));
        let why = typed("yoxii", start, "c5h9x").expect_err("no square");
        assert!(why.contains("c5h9x"), "{why}");
        assert!(typed("yoxii", "nowhere", "c5b6x").is_err());
        assert!(typed("chess", start, "c5b6x").is_err());
    }

    #[test]
    fn variations_come_with_the_game() {
        let read = games("1. c5b6y (1. c4b5x d5e6x (d5c6x)) (1. zz) d6e6x *", None);
        let Sheet::Game { tree, moves, .. } = &read[0] else {
            panic!("{read:?}");
        };
        assert_eq!(moves.len(), 2);
        let expected = r#"["c5b6y",["c4b5x","d5e6x",["d5c6x"]],"d6e6x"]"#;
        assert_eq!(serde_json::to_string(tree).expect("JSON"), expected);
    }

    #[test]
    fn a_text_gives_its_games_and_hides_no_error() {
        let read = games("c5b6y d6e6x\nc5b6y zz", None);
        assert_eq!(read.len(), 2);
        assert!(matches!(&read[0], Sheet::Game { moves, game: "yoxii", .. } if moves.len() == 2));
        assert!(matches!(&read[1], Sheet::Refused { why } if why.contains("zz")));
    }
}
