//! What is asked of a search: a position, and what ends the search.

use std::sync::Arc;
use std::time::Duration;

use super::level::Level;
use super::stop::Stop;
use super::time::{TimeLimit, Timer};
use super::tuning::Tuning;
use super::{Info, Report};
use crate::game::{Game, Move};

/// What ends a search of a position; several may be set at once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limits<M> {
    /// Deepest iteration, in plies, at least 1.
    pub depth: Option<u32>,
    /// Positions visited, over all threads; at least one per thread.
    pub nodes: Option<u64>,
    /// Stop at a proven win or loss within this many plies.
    pub mate: Option<u32>,
    /// Time that the search may take.
    pub time: TimeLimit,
    /// Answer only when told to stop.
    pub infinite: bool,
    /// Think in the opponent's time: as `infinite` until
    /// [`Request::ponderhit`], then by the other limits.
    pub ponder: bool,
    /// Search only these moves of the position; all if none of them is legal.
    pub search_moves: Vec<M>,
    /// Number of best lines wanted, at least 1.
    pub multi_pv: usize,
    /// Prune nothing and reduce nothing: the search returns the values of plain
    /// minimax at each depth (or at a greater one that the table knows), with
    /// [`Policy::TEMPO`](super::Policy::TEMPO) added to static values, at the price of
    /// depth. Only alpha-beta supports this.
    pub full_width: bool,
    /// Time that each move loses between the engine and the clock.
    pub overhead: Duration,
    /// How well to play; below full strength the solver is not asked about the
    /// position itself. Has no effect with `mate`, nor on
    /// [`search`](super::search()), which plays at full strength.
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
            time: TimeLimit::None,
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
    #[must_use]
    pub fn depth(plies: u32) -> Self {
        Self {
            depth: Some(plies),
            ..Self::default()
        }
    }

    /// A search of a number of nodes.
    #[must_use]
    pub fn nodes(nodes: u64) -> Self {
        Self {
            nodes: Some(nodes),
            ..Self::default()
        }
    }

    /// A search that takes this time.
    #[must_use]
    pub fn move_time(time: Duration) -> Self {
        Self {
            time: TimeLimit::MoveTime(time),
            ..Self::default()
        }
    }

    /// Whether the search ends by itself, without a command.
    pub(crate) fn is_bounded(&self) -> bool {
        !self.infinite
            && !self.ponder
            && (self.depth.is_some()
                || self.nodes.is_some()
                || self.mate.is_some()
                || self.time != TimeLimit::None)
    }

    pub(crate) fn lines(&self) -> usize {
        self.multi_pv.max(1)
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

/// A position, the limits of its search, and the commands for it. Clones share one clock,
/// which is planned when the request is made.
#[derive(Clone, Debug)]
pub struct Request<G: Game> {
    pub(super) position: G,
    pub(super) limits: Limits<G::Move>,
    pub(super) timer: Arc<Timer>,
}

impl<G: Game> Request<G> {
    /// A search of a position that ends within `limits`, or when `stop` comes.
    #[must_use]
    pub fn new(position: &G, limits: &Limits<G::Move>, stop: &Stop) -> Self {
        let (time, overhead, ponder) = (limits.time, limits.overhead, limits.ponder);
        let timer = Timer::new(time, overhead, position.plies_left(), ponder, stop);
        Self {
            position: *position,
            limits: limits.clone(),
            timer: Arc::new(timer),
        }
    }

    /// The same request, and the same clock, with other limits.
    pub(crate) fn with(&self, limits: Limits<G::Move>) -> Self {
        Self {
            limits,
            ..self.clone()
        }
    }

    pub(crate) fn timer(&self) -> Arc<Timer> {
        self.timer.clone()
    }

    /// The position to search.
    pub const fn position(&self) -> &G {
        &self.position
    }

    /// Its limits.
    pub const fn limits(&self) -> &Limits<G::Move> {
        &self.limits
    }

    /// The answer without any search.
    pub(crate) fn any_move(&self) -> Report<G::Move> {
        Report {
            best: self.moves().first().copied(),
            ponder: None,
            lines: Vec::new(),
            nodes: 0,
            time: Duration::ZERO,
        }
    }

    /// Ends the search as soon as possible.
    pub fn stop(&self) {
        self.timer.stop.now();
    }

    /// The expected move was played: the clock runs from now.
    pub fn ponderhit(&self) {
        self.timer.ponderhit();
    }

    /// The depth after which alpha-beta finds nothing new.
    pub(super) fn deepest(&self) -> u32 {
        let left = self.position.plies_left().max(1);
        // Reductions use up nominal depth, by a rule of thumb no more than half.
        match self.limits.full_width {
            true => left,
            false => 2 * left,
        }
    }

    /// The moves that were asked for.
    pub(super) fn moves(&self) -> Vec<G::Move> {
        self.limits.root_moves(&self.position)
    }

    /// Holds the answer of a finished search back until it may be given: with
    /// `infinite` or `ponder` not before a command says so.
    pub(crate) fn hold_answer(&self) {
        let Limits {
            infinite, ponder, ..
        } = self.limits;
        let is_due = || ponder && !infinite && self.timer.is_running();
        if infinite || ponder {
            self.timer.stop.wait_or(is_due);
        }
    }
}

/// What a search reports to, and what may end it before its limits do.
pub trait Handler<M> {
    /// Takes a line of a finished depth.
    fn line(&mut self, info: &Info<M>);

    /// Called at the beginning, and again when the search's main thread has visited as
    /// many positions as the last call asked for. `nodes` are those that it has visited,
    /// and `left` those that it still may. `None` ends the search.
    fn pause(&mut self, _nodes: u64, _left: u64) -> Option<Pause> {
        Some(Pause::LAST)
    }
}

/// What was done while a search paused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pause {
    /// Nodes that were used up, of those that the search may visit.
    pub used: u64,
    /// Nodes of the main thread before the next pause.
    pub next: u64,
}

impl Pause {
    /// Nothing was done, and nothing is to be done.
    pub const LAST: Self = Self {
        used: 0,
        next: u64::MAX,
    };
}

/// Nobody listens.
impl<M> Handler<M> for () {
    fn line(&mut self, _: &Info<M>) {}
}

impl<M, F: FnMut(&Info<M>)> Handler<M> for F {
    fn line(&mut self, info: &Info<M>) {
        self(info);
    }
}
