//! What an engine says about its own search.

use std::fmt::{self, Display};

use serde::{Deserialize, Serialize};

/// An engine's score for its own side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EngineScore {
    /// Centipoints.
    Cp(i32),
    /// Proven win in so many plies, loss when negative.
    Mate(i32),
}

impl EngineScore {
    /// On one scale: a proven result is beyond every estimate.
    pub(crate) const fn centipoints(self) -> i32 {
        match self {
            Self::Cp(cp) => cp,
            Self::Mate(plies) if plies > 0 => 1_000_000,
            Self::Mate(_) => -1_000_000,
        }
    }
}

impl Display for EngineScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Cp(cp) => write!(f, "{:+.2}", f64::from(cp) / 100.0),
            Self::Mate(plies) => write!(f, "{}M{}", if plies > 0 { '+' } else { '-' }, plies.abs()),
        }
    }
}

/// What an engine said about a search, in its last principal `info` line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SearchInfo {
    /// Score for the side to move.
    #[serde(default, rename = "s", skip_serializing_if = "Option::is_none")]
    pub score: Option<EngineScore>,
    /// Depth in plies.
    #[serde(default, rename = "d", skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Nodes.
    #[serde(default, rename = "n", skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Milliseconds by the engine's own clock.
    #[serde(default, rename = "ms", skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<u64>,
}
