//! The threads of a search and what they share.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::root_moves::RootMoves;
use super::tree::{Tree, TreeNode};
use super::walk::{Simulated, Walker};
use crate::search::request::Request;
use crate::search::solver::Probe;
use crate::search::threads::do_other_work;
use crate::search::turns::Turns;
use crate::search::{Evaluate, Searchable, Stop};

/// Simulations between two looks at the clock, or for other work.
pub(super) const CLOCK_PERIOD: u64 = 8;

/// What one thread has done, in a cache line of its own. Nobody else writes it.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(super) struct ThreadCounts {
    pub(super) simulations: AtomicU64,
    pub(super) plies: AtomicU64,
    pub(super) seldepth: AtomicU64,
}

pub(super) struct Threads<'a, G: Searchable, E> {
    pub(super) request: &'a Request<G>,
    pub(super) prover: Probe<'a, G>,
    pub(super) tree: &'a Tree,
    pub(super) eval: &'a E,
    pub(super) root_moves: RootMoves,
    pub(super) counts: Vec<ThreadCounts>,
    /// Simulations not begun yet, if their number is limited.
    pub(super) left: Option<AtomicU64>,
    pub(super) full: AtomicBool,
    pub(super) turns: Option<Turns>,
}

impl<'a, G: Searchable, E: Evaluate<G>> Threads<'a, G, E> {
    /// A helper's work, until it is stopped or the arena is full.
    pub(super) fn help(&self, index: usize, root: TreeNode<'a>, stop: &Stop) {
        let mut walker = Walker::new(self, index, root);
        while !stop.is_raised()
            && let Some(step) = walker.simulate()
        {
            if step != Simulated::Done || walker.simulations().is_multiple_of(CLOCK_PERIOD) {
                do_other_work();
            }
            match step {
                Simulated::Done => {}
                Simulated::Blocked => std::thread::yield_now(),
                Simulated::Full => {
                    self.full.store(true, Ordering::Relaxed);
                    break;
                }
            }
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
