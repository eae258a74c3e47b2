//! Describes an engine: its command, its options and its limits.

use std::fmt::{self, Display};

use serde::{Deserialize, Serialize};

use totemic_games::limits::MoveLimits;
use totemic_games::record::deserialize_sanitized;

/// What plays, as the key `cmd` names it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum EngineCommand {
    /// This program: `self`.
    ThisProgram,
    /// Random moves, in matches, without a process: `random`.
    Random,
    /// The move after which the points on the board are best, by lot among equals, as
    /// [`greedy_moves`](totemic_engine::game::greedy_moves) has them: `greedy`. Only in matches.
    Greedy,
    /// A program, with arguments if the text contains blanks.
    Program(String),
}

const SELF: &str = "self";
pub(crate) const RANDOM: &str = "random";
pub(crate) const GREEDY: &str = "greedy";

impl Default for EngineCommand {
    /// No program yet.
    fn default() -> Self {
        Self::Program(String::new())
    }
}

impl EngineCommand {
    /// Whether it plays without a process, and therefore only in matches.
    pub(crate) fn is_built_in(&self) -> bool {
        matches!(self, Self::Random | Self::Greedy)
    }
}

impl From<String> for EngineCommand {
    fn from(text: String) -> Self {
        match text.as_str() {
            SELF => Self::ThisProgram,
            RANDOM => Self::Random,
            GREEDY => Self::Greedy,
            _ => Self::Program(text),
        }
    }
}

impl From<EngineCommand> for String {
    fn from(command: EngineCommand) -> Self {
        command.to_string()
    }
}

impl Display for EngineCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ThisProgram => SELF,
            Self::Random => RANDOM,
            Self::Greedy => GREEDY,
            Self::Program(text) => text,
        })
    }
}

/// An engine: how to start it and how it plays.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct EngineSpec {
    /// Its name in tables and records, unique in the match.
    #[serde(deserialize_with = "deserialize_sanitized")]
    pub name: String,
    /// What plays.
    pub cmd: EngineCommand,
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

impl EngineSpec {
    /// How many threads its options let it think with.
    pub(crate) fn threads(&self) -> usize {
        let mut options = self.options.iter();
        let option = options.find(|(name, _)| name.eq_ignore_ascii_case("Threads"));
        let threads: Option<u16> = option.and_then(|(_, value)| value.parse().ok());
        threads.map_or(usize::from(!self.cmd.is_built_in()), usize::from)
    }
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
