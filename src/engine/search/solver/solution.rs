//! Questions to the solver and its answers.

use std::fmt::{self, Display};
use std::time::Duration;

use crate::stop::Stop;

/// The value of a position for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// The side to move wins.
    Win,
    /// Neither side can win.
    Draw,
    /// The side to move loses.
    Loss,
    /// Not proved within the limits; the bounds say what was.
    Unknown,
}

impl Value {
    /// 1, 0 or -1; `None` when unknown.
    pub const fn sign(self) -> Option<i32> {
        match self {
            Self::Win => Some(1),
            Self::Draw => Some(0),
            Self::Loss => Some(-1),
            Self::Unknown => None,
        }
    }

    /// The value with this sign.
    pub const fn of_sign(sign: i32) -> Self {
        Self::between(sign, sign)
    }

    /// The value between two bounds on its sign.
    pub const fn between(lower: i32, upper: i32) -> Self {
        match (lower.signum(), upper.signum()) {
            (1, _) => Self::Win,
            (_, -1) => Self::Loss,
            (0, 0) => Self::Draw,
            _ => Self::Unknown,
        }
    }

    /// The value with this name: `win`, `draw`, `loss` or `unknown`.
    pub fn named(name: &str) -> Option<Self> {
        let mut all = [Self::Win, Self::Draw, Self::Loss, Self::Unknown].into_iter();
        all.find(|value| value.name() == name)
    }

    /// `win`, `draw`, `loss` or `unknown`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Win => "win",
            Self::Draw => "draw",
            Self::Loss => "loss",
            Self::Unknown => "unknown",
        }
    }
}

impl Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What to find out, and what ends the search before it is found.
#[derive(Clone, Debug)]
pub struct SolveRequest {
    /// Also the exact margin in points.
    pub margin: bool,
    /// Also the value of every move, and so all best moves.
    pub all_moves: bool,
    /// Also all best moves, for less work than the value of every move takes.
    pub all_best: bool,
    /// Also a pv to the end of the game.
    pub pv: bool,
    /// Threads, at least 1. An engine that solves uses its own instead.
    pub threads: usize,
    /// Nodes of all threads together; each thread may take up to 2,048 more.
    pub nodes: Option<u64>,
    /// Time that the search may take.
    pub time: Option<Duration>,
    /// Ends the search.
    pub stop: Stop,
}

impl Default for SolveRequest {
    /// The value, a best move or more and a pv, on one thread without limits.
    fn default() -> Self {
        Self {
            margin: false,
            all_moves: false,
            all_best: false,
            pv: true,
            threads: 1,
            nodes: None,
            time: None,
            stop: Stop::new(),
        }
    }
}

/// What is proved about a position; values are for the side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution<M> {
    /// Win, draw, loss, or unknown.
    pub value: Value,
    /// Proved lower bound on the sign of the result: -1, 0 or 1.
    pub lower: i32,
    /// Proved upper bound on the sign of the result: -1, 0 or 1.
    pub upper: i32,
    /// The exact final margin in points, when it was asked for and proved. In
    /// Yoxii a margin of 0 may be a win or a loss by the number of pieces.
    pub margin: Option<i32>,
    /// Proved bounds on the final margin in points, when it was asked for; equal
    /// once it is proved.
    pub margin_bounds: Option<MarginBounds>,
    /// Moves that keep the value (and the margin when it was asked for); empty
    /// when the game is over, the value unknown, or the limits left no time to
    /// find a move that keeps it.
    pub best: Vec<M>,
    /// Whether `best` has all the moves that keep it.
    pub best_complete: bool,
    /// Every legal move and what it is worth, when asked for.
    pub moves: Vec<MoveValue<M>>,
    /// Best moves to the end of the game; empty when it was not
    /// asked for, not proved in time, or the game is over.
    pub pv: Vec<M>,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Time that the search took.
    pub time: Duration,
}

/// An inclusive interval of final margins in points that the side to move can reach.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MarginBounds {
    /// It reaches at least this.
    pub lower: i32,
    /// It reaches at most this.
    pub upper: i32,
}

/// What a move is worth to the side that makes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveValue<M> {
    /// The move.
    pub mv: M,
    /// Its value.
    pub value: Value,
    /// The final margin in points after it, when it was asked for and proved.
    pub margin: Option<i32>,
}

impl<M> Solution<M> {
    /// What two bounds on the sign say, and nothing more.
    pub(super) const fn between(lower: i32, upper: i32) -> Self {
        Self {
            value: Value::between(lower, upper),
            lower,
            upper,
            margin: None,
            margin_bounds: None,
            best: Vec::new(),
            best_complete: false,
            moves: Vec::new(),
            pv: Vec::new(),
            nodes: 0,
            time: Duration::ZERO,
        }
    }
}
