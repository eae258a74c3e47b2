//! Search: from a position and limits to a move, a score and a line.
//!
//! [`think`] is the front door: it asks the exact [`solver`] near the end of the
//! game, and elsewhere [`search`], alpha-beta, or [`mcts`], which ask the solver
//! themselves where they come near the end. They know positions only through
//! [`Game`](crate::game::Game) and [`Searchable`], values only through
//! [`Evaluate`], and proofs only through [`Prover`](solver::Prover); they read the
//! clock only through their [`Limits`], and print nothing.

mod alphabeta;
mod busy;
mod crew;
mod endgame;
mod eval;
mod games;
mod level;
mod limits;
pub mod mcts;
mod memory;
mod pages;
mod routes;
mod score;
mod searchable;
pub mod solver;
mod telling;
mod think;

use std::time::Duration;

pub use alphabeta::{Entry, Table, search};
pub use crew::{Crew, useful_threads};
pub use eval::{Classic, Evaluate, Learnable, Learned, Odds, Weights, WeightsError, WeightsFile};
pub use level::Level;
pub use limits::{Clock, Control, Limits, TimeLimit};
pub use memory::{Memory, Searcher};
pub use score::{Bound, MAX_PLY, Score, Window};
pub use searchable::{Origin, Policy, Searchable};
pub use think::think;

/// One line of a search in progress.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Info<M> {
    /// Depth of the iteration, in plies.
    pub depth: u32,
    /// Deepest ply visited in it.
    pub seldepth: u32,
    /// Rank of the line among the best ones, from 1.
    pub multipv: usize,
    /// Value for the side to move.
    pub score: Score,
    /// What the value is worth.
    pub bound: Bound,
    /// Whether the value is proved: a decisive score always, a draw where the
    /// solver has found it.
    pub proven: bool,
    /// Positions visited so far, over all threads.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// Part of the table filled by this search, per mille.
    pub hashfull: u32,
    /// The line: legal to its end.
    pub pv: Vec<M>,
}

impl<M> Info<M> {
    /// Positions visited a second.
    #[must_use]
    pub fn nps(&self) -> u64 {
        nodes_per_second(self.nodes, self.time)
    }
}

/// The answer of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report<M> {
    /// The move to play; `None` only when the game is over.
    pub best: Option<M>,
    /// The reply expected, if the line has one.
    pub ponder: Option<M>,
    /// The best lines of the last depth finished, best first.
    pub lines: Vec<Info<M>>,
    /// Positions visited, over all threads.
    pub nodes: u64,
    /// Time used.
    pub time: Duration,
}

impl<M: Copy> Report<M> {
    /// The answer that the best lines give, best first.
    pub(crate) fn of_lines(lines: Vec<Info<M>>, nodes: u64, time: Duration) -> Self {
        let pv = lines.first().map_or(&[][..], |info| &info.pv[..]);
        Self {
            best: pv.first().copied(),
            ponder: pv.get(1).copied(),
            lines,
            nodes,
            time,
        }
    }
}

/// Positions a second, 0 when no time has passed.
#[must_use]
pub fn nodes_per_second(nodes: u64, time: Duration) -> u64 {
    let micros = time.as_micros().max(1);
    u64::try_from(u128::from(nodes) * 1_000_000 / micros).unwrap_or(u64::MAX)
}
