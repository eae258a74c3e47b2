//! What is kept of a game: its identity, its moves and why it ended.

use std::fmt::{self, Display};

use serde::{Deserialize, Serialize};

use super::openings::Opening;
use crate::game::{Outcome, Side};

/// Which game of the schedule: the pair, and which of its two games.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct GameId {
    /// Number of the pair, from 0.
    pub pair: u64,
    /// 0 for the first game of the pair, 1 for the one with swapped sides.
    pub leg: u8,
}

impl Display for GameId {
    /// People count from 1.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.pair + 1, self.leg + 1)
    }
}

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
    #[must_use]
    pub const fn centipoints(self) -> i32 {
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

/// A move that an engine made.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MoveRecord {
    /// The move.
    #[serde(rename = "m")]
    pub mv: String,
    /// Milliseconds between the last byte of `go` sent and `bestmove` read.
    #[serde(rename = "t")]
    pub elapsed_ms: f64,
    /// What the engine said about it.
    #[serde(flatten)]
    pub info: SearchInfo,
}

/// How a game came to its end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// By the rules: the side to move cannot move.
    Rules,
    /// The solver proved the result.
    Solver,
    /// The loser's scores said so.
    Resign,
    /// Both engines' scores said so.
    AgreedDraw,
    /// Too many plies.
    MaxPlies,
    /// The loser answered after its time, or not at all within it.
    TimeForfeit,
    /// The loser did not answer within the absolute deadline.
    Stall,
    /// The loser's move is against the rules, or no move.
    IllegalMove,
    /// The loser sent `bestmove` without having been asked.
    PrematureMove,
    /// The loser did not complete the handshake after a restart.
    NoHandshake,
    /// The loser did not answer `isready`.
    NotReady,
    /// The loser's process ended.
    Crash,
    /// The loser closed its pipe but lived on.
    ClosedPipe,
    /// The loser sent a line without end.
    LineTooLong,
    /// The loser wrote more than anybody can read.
    Flood,
}

impl Reason {
    /// Whether an engine lost by its misbehaviour.
    #[must_use]
    pub const fn is_forfeit(self) -> bool {
        !matches!(
            self,
            Self::Rules | Self::Solver | Self::Resign | Self::AgreedDraw | Self::MaxPlies
        )
    }

    /// The value of the tag `Termination` in PGN.
    #[must_use]
    pub const fn termination(self) -> &'static str {
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

/// Points that an engine gave away where the solver knows the truth.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Accuracy {
    /// Own moves whose value before and after is proven.
    pub judged: u32,
    /// Points on the board given away by them, all together.
    pub lost_points: i32,
    /// How many of them turned a better result into a worse one.
    pub blunders: u32,
}

/// A finished game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// Which game of the schedule.
    #[serde(flatten)]
    pub id: GameId,
    /// Stage of the tournament, from 0.
    pub stage: u32,
    /// Indices of the engines: the one that moves first, and the other.
    pub engines: [usize; 2],
    /// Where it began.
    pub opening: Opening,
    /// Seed of what was random in this game.
    pub seed: u64,
    /// The engines' moves, without those of the opening.
    pub moves: Vec<MoveRecord>,
    /// `p1win`, `p2win` or `draw`.
    pub result: GameResult,
    /// How it ended.
    pub reason: Reason,
    /// More about a forfeiture: the exit code, the illegal move and its rule.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// Points on the board, first mover's first, when the rules ended it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<[i32; 2]>,
    /// What the solver found, first mover's first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accuracy: Option<[Accuracy; 2]>,
    /// Seconds since 1970 when it began.
    pub begun: u64,
    /// Milliseconds that it took.
    pub total_ms: f64,
    /// Milliseconds of these in which no engine was thinking.
    pub overhead_ms: f64,
}

/// The result of a game by who moved first.
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

impl GameResult {
    /// Half points of a side: 0 lost, 1 drawn, 2 won.
    #[must_use]
    pub const fn half_points(self, side: Side) -> u8 {
        match (self, side) {
            (Self::Draw, _) => 1,
            (Self::P1Win, Side::First) | (Self::P2Win, Side::Second) => 2,
            _ => 0,
        }
    }
}

impl GameRecord {
    /// 1 when the second side makes the first move behind the opening, else 0.
    #[must_use]
    pub fn opening_side(&self) -> usize {
        let second = self.opening.fen.ends_with(self.second_side_letter());
        (usize::from(second) + self.opening.moves.len()) % 2
    }

    /// The letter at the end of a position in which the second side moves:
    /// red in Yoxii, white in Hokito, whose texts have commas.
    fn second_side_letter(&self) -> char {
        if self.opening.fen.contains(',') {
            'w'
        } else {
            'r'
        }
    }

    /// The engine that lost, `None` after a draw.
    #[must_use]
    pub const fn loser(&self) -> Option<usize> {
        match self.result {
            GameResult::P1Win => Some(self.engines[1]),
            GameResult::P2Win => Some(self.engines[0]),
            GameResult::Draw => None,
        }
    }
}
