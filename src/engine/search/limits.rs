//! How long a search may take, and how it plays.

use std::time::Duration;

use super::level::Level;
use super::tuning::Tuning;
use crate::game::{Game, Move};

/// The clock of one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// Time left.
    pub left: Duration,
    /// Added after each move.
    pub increment: Duration,
    /// Moves until more time is added, if the time control has periods.
    pub moves_to_go: Option<u32>,
}

/// What is asked of a search, and what ends it: several may be set at once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limits<M> {
    /// Deepest iteration, in plies, at least 1.
    pub depth: Option<u32>,
    /// Positions visited, at most, as for [`Info::nodes`](super::Info::nodes).
    pub nodes: Option<u64>,
    /// Stop at a proven win or loss within this many plies. A selective search may miss one; that
    /// of [`Limits::with_mate`] misses none.
    pub mate: Option<u32>,
    /// Take this long, less the overhead; shorter if nothing is left to find.
    pub move_time: Option<Duration>,
    /// Take as long as the clock of the side to move allows; has no effect with `move_time`.
    pub clock: Option<Clock>,
    /// Answer only when told to stop.
    pub infinite: bool,
    /// Think in the opponent's time: as `infinite` until
    /// [`Engine::ponderhit`](crate::engine::Engine::ponderhit), then by the other limits.
    pub ponder: bool,
    /// Search only these moves of the position; all if none of them is legal.
    pub search_moves: Vec<M>,
    /// Number of pvs wanted, at least 1.
    pub multi_pv: usize,
    /// Prune nothing and reduce nothing: the search returns the values of plain
    /// minimax at each depth (or at a greater one that the table knows), with
    /// [`Heuristics::TEMPO`](super::Heuristics::TEMPO) added to static values, at the price of
    /// depth. Only alpha-beta supports this.
    pub full_width: bool,
    /// Time that each move loses between the engine and the clock.
    pub overhead: Duration,
    /// How well to play; below full strength the solver is not asked about the
    /// position itself. Has no effect with `mate`, nor on
    /// [`alphabeta::search`](super::alphabeta::search()), which plays at full strength.
    pub level: Level,
    /// The parameters of alpha-beta, if not those of the game; a value out of its
    /// range counts as the nearest one in it.
    pub tuning: Option<Box<Tuning>>,
}

impl<M> Default for Limits<M> {
    fn default() -> Self {
        Self {
            depth: None,
            nodes: None,
            mate: None,
            move_time: None,
            clock: None,
            infinite: false,
            ponder: false,
            search_moves: Vec::new(),
            multi_pv: 1,
            full_width: false,
            overhead: Duration::ZERO,
            level: Level::default(),
            tuning: None,
        }
    }
}

impl<M> Limits<M> {
    /// A search to a depth in plies.
    pub fn depth(plies: u32) -> Self {
        Self {
            depth: Some(plies),
            ..Self::default()
        }
    }

    /// A search of a number of nodes.
    pub fn nodes(nodes: u64) -> Self {
        Self {
            nodes: Some(nodes),
            ..Self::default()
        }
    }

    /// A search that takes this time.
    pub fn move_time(time: Duration) -> Self {
        Self {
            move_time: Some(time),
            ..Self::default()
        }
    }

    /// The same limits with [`Limits::mate`] and that depth at most. The search leaves no move
    /// out, so it finds every win and loss within the depth.
    pub fn with_mate(self, plies: u32) -> Self {
        Self {
            depth: Some(self.depth.map_or(plies, |depth| depth.min(plies))),
            mate: Some(plies),
            full_width: true,
            ..self
        }
    }

    /// Whether any of depth, nodes, plies to a win or loss, and time is limited.
    pub(crate) const fn is_bounded(&self) -> bool {
        self.depth.is_some() || self.nodes.is_some() || self.mate.is_some() || self.is_timed()
    }

    pub(super) const fn is_timed(&self) -> bool {
        self.move_time.is_some() || self.clock.is_some()
    }

    /// The limits of a search that nothing can stop: an endless one visits at most `nodes`
    /// positions.
    pub(crate) fn unstoppable(self, nodes: u64) -> Self {
        Self {
            nodes: match self.infinite || !self.is_bounded() {
                true => Some(nodes),
                false => self.nodes,
            },
            infinite: false,
            ponder: false,
            ..self
        }
    }

    /// The legal moves of a position that were asked for, or all of its moves if
    /// there are none.
    pub(crate) fn root_moves<G: Game<Move = M>>(&self, position: &G) -> Vec<M>
    where
        M: Move,
    {
        let legal = position.moves();
        let wanted = |mv: &&M| self.search_moves.contains(mv);
        let moves: Vec<M> = legal.iter().filter(wanted).copied().collect();
        if moves.is_empty() {
            legal.to_vec()
        } else {
            moves
        }
    }
}
