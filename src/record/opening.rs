//! Where a game begins.

use serde::{Deserialize, Serialize};

/// A position and the moves that were played from it before the engines take
/// over.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Opening {
    /// Text of the position.
    pub fen: String,
    /// Moves from there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<String>,
}
