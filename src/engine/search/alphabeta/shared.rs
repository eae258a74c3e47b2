//! What the threads of a search share.

use std::sync::atomic::{AtomicU64, Ordering};

use super::best::Best;
use super::corrections::Corrections;
use super::picker::History;
use super::table::Entries;
use crate::game::Move;
use crate::search::busy::Busy;
use crate::search::turns::Turns;
use crate::search::{Stop, ThreadPool};

/// Places of [`Busy`] for each thread. With an eighth of them, threads visit 3 to 5 % more
/// nodes.
const CLAIMS: usize = 8192;

#[derive(Debug)]
pub(super) struct Shared<'a, M> {
    pub(super) table: Entries<'a>,
    pub(super) busy: Busy,
    pub(super) best: Best<M>,
    /// What each group of [`GROUP`] threads learns.
    pub(super) learned: Vec<GroupHistory>,
    /// Ends all threads; also raised when the main thread ends.
    pub(super) stop: Stop,
    pub(super) visited: Vec<PaddedCounter>,
    pub(super) turns: Option<Turns>,
}

/// A counter in a cache line of its own.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(super) struct PaddedCounter(AtomicU64);

impl<'a, M: Move> Shared<'a, M> {
    /// What the threads of `pool` share; `corrects` says whether they learn about the
    /// evaluation.
    pub(super) fn new(pool: &ThreadPool, table: Entries<'a>, stop: Stop, corrects: bool) -> Self {
        let threads = pool.size();
        let learn = |_| GroupHistory {
            history: History::new(),
            corrections: corrects.then(Corrections::new),
        };
        Self {
            table,
            busy: Busy::new(threads, CLAIMS),
            best: Best::new(),
            learned: (0..threads.div_ceil(GROUP)).map(learn).collect(),
            stop,
            visited: (0..threads).map(|_| PaddedCounter::default()).collect(),
            turns: pool.takes_turns.then(|| Turns::new(threads)),
        }
    }

    /// Positions visited by all threads, as of their last update.
    pub(super) fn nodes(&self) -> u64 {
        let read = |counter: &PaddedCounter| counter.0.load(Ordering::Relaxed);
        self.visited.iter().map(read).sum()
    }

    pub(super) fn publish(&self, thread: usize, nodes: u64) {
        self.visited[thread].0.store(nodes, Ordering::Relaxed);
    }
}

#[derive(Debug)]
pub(super) struct GroupHistory {
    pub(super) history: History,
    /// `None` if nothing is to be learned about the evaluation.
    pub(super) corrections: Option<Corrections>,
}

/// Number of threads that share what they learn. With eight threads and with sixteen, on as
/// many processors, pairs were faster than larger groups; and two threads gain from it.
pub(super) const GROUP: usize = 2;
