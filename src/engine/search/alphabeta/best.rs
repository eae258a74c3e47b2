//! What the threads of a search tell each other about the root.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use crate::game::Move;
use crate::lock::locked;
use crate::search::score::Score;

#[derive(Debug, Default)]
pub(super) struct Best {
    /// The best move that any thread has resolved, in the deepest iteration that
    /// has one. Layout from bit 0: move 16, score 16 (biased, so that numbers compare
    /// as scores do), depth 32.
    resolved: AtomicU64,
    finished: AtomicU32,
    found: Mutex<Option<(u32, Vec<Found>)>>,
}

/// A line of a finished iteration.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) score: Score,
    pub(super) line: Vec<u16>,
    pub(super) seldepth: usize,
}

impl Best {
    pub(super) fn offer(&self, depth: u32, score: Score, mv: impl Move) {
        let score = score.to_table(0) as u16 ^ 1 << 15;
        let packed = u64::from(depth) << 32 | u64::from(score) << 16 | u64::from(mv.bits());
        self.resolved.fetch_max(packed, Ordering::Relaxed);
    }

    /// The score of the best move, which `mv` has to beat, and that move; `None` if
    /// none is known at this depth or it is `mv` itself.
    pub(super) fn to_beat(&self, depth: u32, mv: impl Move) -> Option<(Score, u16)> {
        let packed = self.resolved.load(Ordering::Relaxed);
        let score = (packed >> 16) as u16 ^ 1 << 15;
        let is_other = (packed >> 32) as u32 == depth && packed as u16 != mv.bits();
        is_other.then(|| (Score::from_table(score as i16, 0), packed as u16))
    }

    #[inline]
    pub(super) fn is_finished(&self, depth: u32) -> bool {
        self.finished.load(Ordering::Relaxed) >= depth
    }

    /// Tells the other threads the lines of a finished iteration, so that they need not
    /// finish it.
    pub(super) fn finish(&self, depth: u32, lines: Vec<Found>) {
        let mut found = locked(&self.found);
        if found.as_ref().is_none_or(|&(old, _)| depth > old) {
            self.finished.store(depth, Ordering::Relaxed);
            *found = Some((depth, lines));
        }
    }

    /// The deepest finished iteration and its lines, if it is at least this deep.
    pub(super) fn found(&self, depth: u32) -> Option<(u32, Vec<Found>)> {
        let found = locked(&self.found).clone();
        found.filter(|&(finished, _)| finished >= depth)
    }
}
