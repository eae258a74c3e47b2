//! What is asked of a search: a position, and what ends the search.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::Info;
use super::limits::Limits;
use super::time::Timer;
use crate::game::Game;
use crate::stop::Stop;

/// A position, the limits of its search, and the commands for it. Clones share one clock,
/// which is planned when the request is made, and one count of nodes.
#[derive(Clone, Debug)]
pub struct Request<G: Game> {
    pub(super) position: G,
    pub(super) limits: Limits<G::Move>,
    pub(crate) timer: Arc<Timer>,
    /// Nodes that were visited for the answer outside the search that is running.
    nodes_elsewhere: Arc<AtomicU64>,
}

impl<G: Game> Request<G> {
    /// A search of a position that ends within `limits`, or when `stop` comes.
    pub fn new(position: &G, limits: &Limits<G::Move>, stop: &Stop) -> Self {
        Self {
            position: *position,
            limits: limits.clone(),
            timer: Arc::new(Timer::new(limits, position.plies_left(), stop)),
            nodes_elsewhere: Arc::default(),
        }
    }

    /// The same request, with the same clock and count of nodes and other limits.
    pub(crate) fn with(&self, limits: Limits<G::Move>) -> Self {
        Self {
            limits,
            ..self.clone()
        }
    }

    /// The position to search.
    pub const fn position(&self) -> &G {
        &self.position
    }

    /// Its limits.
    pub const fn limits(&self) -> &Limits<G::Move> {
        &self.limits
    }

    /// Nodes that the solver, and searches that are over, have visited for the answer.
    pub(super) fn nodes_elsewhere(&self) -> u64 {
        self.nodes_elsewhere.load(Ordering::Relaxed)
    }

    pub(super) fn add_nodes_elsewhere(&self, nodes: u64) {
        self.nodes_elsewhere.fetch_add(nodes, Ordering::Relaxed);
    }

    /// Nodes that the search may visit; [`u64::MAX`] if they are not limited.
    pub(super) fn nodes_left(&self) -> u64 {
        let nodes = self.limits.nodes;
        nodes.map_or(u64::MAX, |most| most.saturating_sub(self.nodes_elsewhere()))
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

    /// Tells the clock that an iteration with this best info has ended. Returns whether the
    /// search may end. MCTS asks after 2,048 simulations of its main thread at the latest; its
    /// depth is the mean one, which never falls. The nodes of `best` are those of the search
    /// alone. `stretch` is that of [`Timer::finish_iteration`]: 0 if there is nothing to choose.
    pub(super) fn finish_iteration(&self, best: &Info<G::Move>, stretch: f64) -> bool {
        let is_late = self.timer.finish_iteration(stretch);
        let is_deep = self.limits.depth.is_some_and(|wanted| best.depth >= wanted);
        let plies = best.score.mate_plies().map(i32::unsigned_abs);
        let is_found = |wanted| plies.is_some_and(|plies| plies <= wanted);
        is_late || is_deep || self.limits.mate.is_some_and(is_found)
    }

    /// The moves that were asked for.
    pub(super) fn moves(&self) -> Vec<G::Move> {
        self.limits.root_moves(&self.position)
    }

    /// Holds the answer of a finished search back until it may be given: with
    /// `infinite` or `ponder` not before a command says so.
    pub(crate) fn wait_until_due(&self) {
        self.timer.stop.wait_or(|| self.timer.is_due());
    }
}

/// What a search reports to. It also does work of its own while the search pauses, such as a proof,
/// and may end the search before its limits do.
pub trait Handler<M> {
    /// Takes an info of a finished depth.
    fn report(&mut self, info: &Info<M>);

    /// Does that work; called at the beginning, and again when the search's main thread has
    /// visited as many positions as the last call asked for. `nodes` are those that it has
    /// visited, and `left` those that it still may. Returns the nodes before the next call;
    /// `None` ends the search.
    fn work_in_pause(&mut self, _nodes: u64, _left: u64) -> Option<u64> {
        Some(u64::MAX)
    }
}

/// Nobody listens.
impl<M> Handler<M> for () {
    fn report(&mut self, _: &Info<M>) {}
}

impl<M, F: FnMut(&Info<M>)> Handler<M> for F {
    fn report(&mut self, info: &Info<M>) {
        self(info);
    }
}
