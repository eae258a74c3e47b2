//! What the threads of a search share.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::root_moves::RootMoves;
use super::tree::Tree;
use crate::search::request::Request;
use crate::search::solver::Probe;
use crate::search::turns::Turns;
use crate::search::{Evaluate, Searchable, ThreadPool};

/// What one thread has done, in a cache line of its own. Nobody else writes it.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(super) struct ThreadCounts {
    pub(super) simulations: AtomicU64,
    pub(super) plies: AtomicU64,
    pub(super) seldepth: AtomicU64,
}

impl ThreadCounts {
    pub(super) fn add(&self, plies: u64) {
        // As there is one writer, a load and a store are enough.
        let now = |count: &AtomicU64| count.load(Ordering::Relaxed);
        let set = |count: &AtomicU64, value| count.store(value, Ordering::Relaxed);
        set(&self.simulations, now(&self.simulations) + 1);
        set(&self.plies, now(&self.plies) + plies);
        set(&self.seldepth, now(&self.seldepth).max(plies));
    }
}

pub(super) struct Shared<'a, G: Searchable, E> {
    pub(super) request: &'a Request<G>,
    pub(super) probe: Probe<'a, G>,
    pub(super) tree: &'a Tree,
    pub(super) eval: &'a E,
    pub(super) root_moves: RootMoves,
    pub(super) counts: Vec<ThreadCounts>,
    /// Simulations not begun yet, if their number is limited.
    pub(super) left: Option<AtomicU64>,
    pub(super) full: AtomicBool,
    pub(super) turns: Option<Turns>,
}

impl<'a, G: Searchable, E: Evaluate<G>> Shared<'a, G, E> {
    pub(super) fn new(
        request: &'a Request<G>,
        pool: &ThreadPool,
        tree: &'a Tree,
        probe: Probe<'a, G>,
        eval: &'a E,
    ) -> Self {
        let threads = pool.size();
        Self {
            request,
            probe,
            tree,
            eval,
            root_moves: RootMoves::new(request),
            counts: (0..threads).map(|_| ThreadCounts::default()).collect(),
            left: (request.limits.nodes).map(|_| AtomicU64::new(request.nodes_left())),
            full: AtomicBool::new(false),
            turns: pool.takes_turns.then(|| Turns::new(threads)),
        }
    }

    fn counted(&self, count: fn(&ThreadCounts) -> &AtomicU64) -> impl Iterator<Item = u64> {
        let counts = self.counts.iter().map(count);
        counts.map(|count| count.load(Ordering::Relaxed))
    }

    pub(super) fn simulations(&self) -> u64 {
        self.counted(|counts| &counts.simulations).sum()
    }

    /// Mean length of the simulations in plies, rounded.
    pub(super) fn mean_depth(&self) -> u32 {
        let simulations = self.simulations().max(1);
        let plies: u64 = self.counted(|counts| &counts.plies).sum();
        ((plies + simulations / 2) / simulations) as u32
    }

    pub(super) fn seldepth(&self) -> u32 {
        let deepest = self.counted(|counts| &counts.seldepth).max();
        deepest.unwrap_or(0) as u32
    }
}
