//! How games end: the result as text, and the reason.

use std::fmt::{self, Display};

use serde::{Deserialize, Serialize};

use totemic_engine::game::Outcome;

/// Why a game of a match ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// The rules: the side to move has no move.
    Rules,
    /// The solver proved the result.
    Solver,
    /// The loser's scores were too low.
    Resign,
    /// The scores of both engines were even.
    AgreedDraw,
    /// The game had too many plies.
    MaxPlies,
    /// The loser did not answer within its time.
    TimeForfeit,
    /// The loser did not answer by the deadline that holds where no clock runs.
    Stall,
    /// The loser's move was illegal or not a move at all.
    IllegalMove,
    /// The loser sent `bestmove` without having been asked.
    PrematureMove,
    /// The loser did not complete the handshake after a restart.
    NoHandshake,
    /// The loser did not answer `isready`.
    NotReady,
    /// The loser's process ended.
    Crash,
    /// The loser closed its output, but its process did not end.
    ClosedPipe,
    /// The loser sent an endless line.
    LineTooLong,
    /// The loser wrote too much.
    Flood,
}

impl Reason {
    /// Whether an engine lost by misbehaviour.
    pub const fn is_forfeit(self) -> bool {
        !matches!(
            self,
            Self::Rules | Self::Solver | Self::Resign | Self::AgreedDraw | Self::MaxPlies
        )
    }

    /// Whether somebody outside may have stopped the engine's process.
    pub const fn may_be_a_stop(self) -> bool {
        matches!(self, Self::Crash | Self::ClosedPipe | Self::NoHandshake)
    }

    /// Returns the value of the PGN tag `Termination`.
    pub(crate) const fn termination(self) -> &'static str {
        match self {
            Self::Rules => "normal",
            Self::Solver | Self::Resign | Self::AgreedDraw | Self::MaxPlies => "adjudication",
            Self::TimeForfeit | Self::Stall => "time forfeit",
            Self::IllegalMove | Self::PrematureMove => "rules infraction",
            _ => "abandoned",
        }
    }
}

impl Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Rules => "no move left",
            Self::Solver => "proven by the solver",
            Self::Resign => "resignation by score",
            Self::AgreedDraw => "draw by scores",
            Self::MaxPlies => "too many plies",
            Self::TimeForfeit => "time forfeit",
            Self::Stall => "stall",
            Self::IllegalMove => "illegal move",
            Self::PrematureMove => "premature bestmove",
            Self::NoHandshake => "no handshake",
            Self::NotReady => "no readyok",
            Self::Crash => "crash",
            Self::ClosedPipe => "closed pipe",
            Self::LineTooLong => "line too long",
            Self::Flood => "output flood",
        })
    }
}

/// How a game came to its end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Termination {
    /// By the rules: the side to move cannot move.
    Rules,
    /// The loser's time ran out.
    Time,
    /// The loser resigned.
    Resignation,
    /// Both sides agreed to a draw.
    Agreement,
    /// The game was adjudicated, as by the solver in matches.
    Adjudication,
    /// The loser broke a rule, or its program failed.
    Forfeit,
    /// There is a result, but not by the rules, and the reason is not recorded.
    Untold,
    /// There is no result.
    #[default]
    Unfinished,
}

impl Termination {
    /// Returns the value of the tag `Termination` if the end is known.
    pub(crate) const fn tag(self) -> Option<&'static str> {
        match self {
            Self::Rules => Some("normal"),
            Self::Time => Some("time forfeit"),
            Self::Resignation => Some("resignation"),
            Self::Agreement => Some("agreement"),
            Self::Adjudication => Some("adjudication"),
            Self::Forfeit => Some("abandoned"),
            Self::Untold => None,
            Self::Unfinished => Some("unterminated"),
        }
    }

    /// Returns how a game ended according to its tags. `reason` is only searched for a
    /// [`Reason`], because it may go on with what an engine said.
    pub(crate) fn read(termination: &str, reason: &str) -> Self {
        let termination = termination.to_lowercase();
        let says = |word: &str| termination.contains(word);
        let is = |known: Reason| reason.starts_with(&known.to_string());
        if says("time forfeit") || says("on time") {
            Self::Time
        } else if says("rules infraction") || says("abandoned") {
            Self::Forfeit
        } else if says("resign") || is(Reason::Resign) {
            Self::Resignation
        } else if says("agree") || is(Reason::AgreedDraw) {
            Self::Agreement
        } else if says("adjudication") {
            Self::Adjudication
        } else {
            Self::Untold
        }
    }
}

/// Says how a game ended: `p1win (resignation by score)`.
pub fn end(result: Outcome, reason: Reason) -> String {
    format!("{} ({reason})", result.word())
}
