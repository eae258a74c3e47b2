//! The threads of a search and what they share.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::expand::Expander;
use super::root_moves::RootMoves;
use super::tree::{Tree, TreeNode};
use super::walk::{Simulated, Walker};
use crate::search::solver::Probe;
use crate::search::threads::do_other_work;
use crate::search::turns::Turns;
use crate::search::{Evaluate, Searchable, Stop};

/// Simulations between two looks at the clock, or for other work.
pub(super) const CLOCK_PERIOD: u64 = 8;

/// What one thread has done, in a cache line of its own.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(super) struct ThreadCounts {
    simulations: AtomicU64,
    plies: AtomicU64,
    seldepth: AtomicU64,
}

impl ThreadCounts {
    pub(super) fn note<G: Searchable, E>(&self, walker: &Walker<'_, G, E>) {
        self.simulations
            .store(walker.simulations, Ordering::Relaxed);
        self.plies.store(walker.plies, Ordering::Relaxed);
        self.seldepth
            .store(walker.seldepth as u64, Ordering::Relaxed);
    }
}

pub(super) struct Threads<'a, G: Searchable, E> {
    pub(super) prover: Probe<'a, G>,
    pub(super) tree: &'a Tree,
    pub(super) eval: &'a E,
    pub(super) root_moves: &'a RootMoves,
    pub(super) counts: Vec<ThreadCounts>,
    /// Simulations not begun yet, if their number is limited.
    pub(super) left: Option<AtomicU64>,
    pub(super) full: AtomicBool,
    pub(super) turns: Option<&'a Turns>,
}

impl<'a, G: Searchable, E: Evaluate<G>> Threads<'a, G, E> {
    /// The walker of thread number `index`, which continues that thread's counts.
    pub(super) fn walker(&self, index: usize) -> Walker<'a, G, E> {
        let counts = self.counts.get(index);
        let read = |count: fn(&ThreadCounts) -> &AtomicU64| {
            counts.map_or(0, |counts| count(counts).load(Ordering::Relaxed))
        };
        Walker {
            tree: self.tree,
            eval: self.eval,
            root_moves: self.root_moves,
            expander: Expander::new(self.prover.clone()),
            simulations: read(|counts| &counts.simulations),
            plies: read(|counts| &counts.plies),
            seldepth: read(|counts| &counts.seldepth) as usize,
            in_turns: self.turns.map(|turns| turns.join(index)),
        }
    }

    /// A helper's work, until it is stopped or the arena is full.
    pub(super) fn help(&self, index: usize, root: TreeNode<'a>, position: &G, stop: &Stop) {
        let mut walker = self.walker(index);
        while !stop.is_raised()
            && let Some(step) = self.simulate(&mut walker, root, position)
        {
            if step != Simulated::Done || walker.simulations.is_multiple_of(CLOCK_PERIOD) {
                do_other_work();
            }
            match step {
                Simulated::Done => self.counts[index].note(&walker),
                Simulated::Blocked => std::thread::yield_now(),
                Simulated::Full => {
                    self.full.store(true, Ordering::Relaxed);
                    break;
                }
            }
        }
    }

    pub(super) fn simulate(
        &self,
        walker: &mut Walker<'a, G, E>,
        root: TreeNode<'a>,
        position: &G,
    ) -> Option<Simulated> {
        let Some(left) = &self.left else {
            return Some(walker.simulate(root, position));
        };
        let take = |left: u64| left.checked_sub(1);
        left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take)
            .ok()?;
        let step = walker.simulate(root, position);
        if step != Simulated::Done {
            left.fetch_add(1, Ordering::Relaxed);
        }
        Some(step)
    }

    fn sum(&self, count: fn(&ThreadCounts) -> &AtomicU64) -> u64 {
        let counts = self.counts.iter().map(count);
        counts.map(|count| count.load(Ordering::Relaxed)).sum()
    }

    pub(super) fn simulations(&self) -> u64 {
        self.sum(|counts| &counts.simulations)
    }

    /// Mean length of the simulations in plies, rounded.
    pub(super) fn mean_depth(&self) -> u32 {
        let simulations = self.simulations().max(1);
        ((self.sum(|counts| &counts.plies) + simulations / 2) / simulations) as u32
    }

    pub(super) fn seldepth(&self) -> u32 {
        let depths = self.counts.iter().map(|counts| &counts.seldepth);
        let deepest = depths.map(|depth| depth.load(Ordering::Relaxed)).max();
        deepest.unwrap_or(0) as u32
    }
}
