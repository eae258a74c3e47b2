//! What the threads of a search share.

use std::sync::atomic::{AtomicU64, Ordering};

use super::corrections::Corrections;
use super::history::History;
use super::shared_root::SharedRoot;
use super::table::Entries;
use crate::game::Game;
use crate::search::request::Request;
use crate::search::shared_moves::SharedMoves;
use crate::search::turns::Turns;
use crate::search::{Searchable, ThreadPool, Tuning};
use crate::stop::Stop;

/// Number of threads that share what they learn. With eight threads and with sixteen, on as
/// many processors, pairs were faster than larger groups; and two threads gain from it.
pub(super) const GROUP_SIZE: usize = 2;

/// Slots of [`SharedMoves`] for each thread. With an eighth of them, threads visit 3 to 5 % more
/// nodes.
const SLOTS_PER_THREAD: usize = 8192;

pub(super) struct Shared<'a, G: Game, E> {
    pub(super) request: &'a Request<G>,
    pub(super) eval: &'a E,
    pub(super) tuning: Tuning,
    pub(super) is_selective: bool,
    pub(super) table: Entries<'a>,
    pub(super) shared_moves: SharedMoves,
    pub(super) shared_root: SharedRoot<G::Move>,
    /// What each group of [`GROUP_SIZE`] threads learns.
    pub(super) learned: Vec<GroupHistory>,
    /// Ends all threads; comes, too, when the main thread ends.
    pub(super) stop: Stop,
    pub(super) visited: Vec<PaddedCounter>,
    /// Nodes that each thread may visit.
    pub(super) quota: u64,
    pub(super) turns: Option<Turns>,
}

/// A counter in a cache line of its own.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(super) struct PaddedCounter(pub(super) AtomicU64);

impl<'a, G: Searchable, E> Shared<'a, G, E> {
    pub(super) fn new(
        request: &'a Request<G>,
        pool: &ThreadPool,
        table: Entries<'a>,
        eval: &'a E,
    ) -> Self {
        let (threads, limits) = (pool.size(), &request.limits);
        let is_selective = !limits.full_width;
        // A full-width search has to find the value that the evaluation defines.
        let corrects =
            is_selective && (request.position.correction_keys().into_iter().next()).is_some();
        let learn = |_| GroupHistory {
            history: History::new(),
            corrections: corrects.then(Corrections::new),
        };
        Self {
            request,
            eval,
            tuning: limits.tuning.as_deref().unwrap_or(&G::TUNING).clamped(),
            is_selective,
            table,
            shared_moves: SharedMoves::new(threads, SLOTS_PER_THREAD),
            shared_root: SharedRoot::new(),
            learned: (0..threads.div_ceil(GROUP_SIZE)).map(learn).collect(),
            stop: request.timer.stop.child(),
            visited: (0..threads).map(|_| PaddedCounter::default()).collect(),
            quota: request.nodes_left() / threads as u64,
            turns: pool.takes_turns.then(|| Turns::new(threads)),
        }
    }

    /// Positions visited by all threads, as of their last update.
    pub(super) fn nodes(&self) -> u64 {
        let read = |counter: &PaddedCounter| counter.0.load(Ordering::Relaxed);
        self.visited.iter().map(read).sum()
    }
}

pub(super) struct GroupHistory {
    pub(super) history: History,
    /// `None` if nothing is to be learned about the evaluation.
    pub(super) corrections: Option<Corrections>,
}
