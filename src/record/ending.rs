//! How games end: the result and the reason.

use std::fmt::{self, Display};

use serde::{Deserialize, Serialize};

use crate::game::{Outcome, Side};

/// The result of a game; the side that moves first is `P1`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GameResult {
    /// The first mover won.
    P1Win,
    /// The second mover won.
    P2Win,
    /// Nobody won.
    Draw,
}

impl From<Outcome> for GameResult {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Win(Side::First) => Self::P1Win,
            Outcome::Win(Side::Second) => Self::P2Win,
            Outcome::Draw => Self::Draw,
        }
    }
}

impl From<GameResult> for Outcome {
    fn from(result: GameResult) -> Self {
        match result {
            GameResult::P1Win => Self::Win(Side::First),
            GameResult::P2Win => Self::Win(Side::Second),
            GameResult::Draw => Self::Draw,
        }
    }
}

impl GameResult {
    /// Half points of a side: 0 for a loss, 1 for a draw, 2 for a win.
    pub(crate) const fn half_points(self, side: Side) -> u8 {
        match (self, side) {
            (Self::Draw, _) => 1,
            (Self::P1Win, Side::First) | (Self::P2Win, Side::Second) => 2,
            _ => 0,
        }
    }
}

/// How a game came to its end.
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
    /// Too many plies.
    MaxPlies,
    /// The loser did not answer within its time.
    TimeForfeit,
    /// The loser, which had no clock, did not answer within the deadline.
    Stall,
    /// The loser's move was illegal or no move.
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
    pub(crate) const fn is_forfeit(self) -> bool {
        !matches!(
            self,
            Self::Rules | Self::Solver | Self::Resign | Self::AgreedDraw | Self::MaxPlies
        )
    }

    /// Whether the engine's process may have been stopped from outside.
    pub(crate) const fn may_be_a_stop(self) -> bool {
        matches!(self, Self::Crash | Self::ClosedPipe | Self::NoHandshake)
    }

    /// The value of the tag `Termination` in PGN.
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
