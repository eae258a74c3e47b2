//! Whole games as a page reads and writes them.

use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use crate::record::reader::{ReadError, read};
use crate::record::{PgnGame, PgnMove};
use totemic_engine::game::Outcome;

/// An item of a tree of moves, which is a list of items.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum TreeItem {
    /// A move in the notation of the protocol.
    Move(String),
    /// Moves that could have been played instead of the move before, with variations of their own.
    Variation(Vec<TreeItem>),
}

fn tree(moves: &[PgnMove]) -> Vec<TreeItem> {
    let mut all = Vec::new();
    for played in moves {
        all.push(TreeItem::Move(played.mv.clone()));
        let variations = played.variations.iter().map(|moves| tree(moves));
        all.extend(variations.map(TreeItem::Variation));
    }
    all
}

/// Reads the games of a file that may still be written: a game that is cut off is not
/// there yet. `skipped` is the number of lines that stand before this part of the file.
pub fn whole_games(text: &str, skipped: usize) -> Vec<Json> {
    let mut games = read(text, None);
    games.retain(|game| !game.as_ref().is_err_and(ReadError::is_cut_off));
    for why in games.iter_mut().filter_map(|game| game.as_mut().err()) {
        why.line += skipped;
    }
    games.into_iter().map(game_json).collect()
}

/// A game that was read; the error, as `why` in words and as `reason`, if it cannot be. The
/// keys are those of `src/wasm/totemic.d.ts`, on which pages rely.
pub(super) fn game_json(game: Result<PgnGame, ReadError>) -> Json {
    match game {
        Ok(game) => json!({
            "game": game.kind.name(),
            "fen": game.start,
            "moves": game.moves.iter().map(|played| &played.mv).collect::<Vec<_>>(),
            "tree": tree(&game.moves),
            "players": game.players,
            "result": Outcome::result_word(game.result),
            "termination": game.termination,
            "reason": game.reason_text,
        }),
        Err(why) => json!({"why": why.to_string(), "reason": why}),
    }
}

/// Returns the moves of a tree, with their variations.
pub(super) fn moves(tree: &[TreeItem]) -> Vec<PgnMove> {
    let mut all: Vec<PgnMove> = Vec::new();
    for item in tree {
        match item {
            TreeItem::Move(mv) => all.push(PgnMove::new(mv)),
            TreeItem::Variation(variation) => {
                // Before the first move there is none that a variation could replace.
                if let Some(last) = all.last_mut() {
                    last.variations.push(moves(variation));
                }
            }
        }
    }
    all
}
