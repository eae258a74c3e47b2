//! Where a game begins.

use serde::{Deserialize, Serialize};

use crate::game::{AnyPosition, Game, GameKind, with_game};

/// A position and the moves that were played from it before the engines take
/// over.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Opening {
    /// Text of the position.
    pub fen: String,
    /// Moves from there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<String>,
}

impl Opening {
    /// The position after the moves; `None` for an opening that breaks the rules.
    pub(crate) fn position(&self) -> Option<AnyPosition> {
        with_game!(GameKind::of_text(&self.fen)?, G => {
            let mut position: G = self.fen.parse().ok()?;
            for text in &self.moves {
                position = position.play(position.read_move(text).ok()?);
            }
            Some(position.into())
        })
    }
}
