//! Describes an engine: its command, its options and its limits.

use serde::{Deserialize, Serialize};

use crate::record::game::plain_text;
use crate::record::limits::MoveLimits;

/// The command that stands for this program.
pub(crate) const SELF: &str = "self";

/// An engine: how to start it and how it plays.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct EngineSpec {
    /// Its name in tables and records, unique in the match.
    #[serde(deserialize_with = "plain_text")]
    pub name: String,
    /// The program, with arguments if it contains blanks; or `self` for this program.
    pub cmd: String,
    /// More arguments, quoted as a shell would read them.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub args: String,
    /// Working directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dir: Option<String>,
    /// Options to set, in this order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<(String, String)>,
    /// The weights of its evaluation, if known: their checksum or `classic`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weights: Option<String>,
    /// Limits of its searches.
    pub limits: MoveLimits,
    /// Whether it is started again for every game.
    #[serde(default)]
    pub restart: bool,
}

/// How long an engine may take where no clock runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Patience {
    /// For the handshake and the options, in milliseconds.
    pub startup_ms: u64,
    /// For `isready`, and for a move that is limited only by nodes or depth, in
    /// milliseconds. The deadline is fixed: output does not extend it.
    pub answer_ms: u64,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            startup_ms: 10_000,
            answer_ms: 60_000,
        }
    }
}
