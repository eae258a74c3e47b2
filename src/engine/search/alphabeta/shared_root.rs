//! What the threads of a search tell each other about the root.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use crate::game::Move;
use crate::lock::locked;
use crate::search::score::{Bound, Score};

pub(super) struct SharedRoot<M> {
    /// The best move that any thread has resolved, in the deepest iteration that
    /// has one. Layout from bit 0: move 16, score 16 (biased, so that numbers compare
    /// as scores do), depth 32.
    resolved: AtomicU64,
    /// The deepest finished iteration; 0 for none. Written only while `best_moves` is locked.
    finished: AtomicU32,
    best_moves: Mutex<Vec<RootMove<M>>>,
}

#[derive(Clone, Debug)]
pub(super) struct RootMove<M> {
    pub(super) mv: M,
    /// The iteration that yielded the following fields; 0 for none yet.
    pub(super) depth: u32,
    pub(super) score: Score,
    pub(super) bound: Bound,
    pub(super) pv: Vec<M>,
    pub(super) seldepth: usize,
}

impl<M: Move> SharedRoot<M> {
    pub(super) fn new() -> Self {
        Self {
            resolved: AtomicU64::new(0),
            finished: AtomicU32::new(0),
            best_moves: Mutex::new(Vec::new()),
        }
    }

    pub(super) fn offer(&self, depth: u32, score: Score, mv: M) {
        let score = score.to_table(0) as u16 ^ 1 << 15;
        let packed = u64::from(depth) << 32 | u64::from(score) << 16 | u64::from(mv.bits());
        self.resolved.fetch_max(packed, Ordering::Relaxed);
    }

    /// The score of the best move, which `mv` has to beat, and that move; `None` if
    /// none is known at this depth or it is `mv` itself.
    pub(super) fn to_beat(&self, depth: u32, mv: M) -> Option<(Score, M)> {
        let packed = self.resolved.load(Ordering::Relaxed);
        let score = Score::from_table(((packed >> 16) as u16 ^ 1 << 15) as i16, 0);
        let is_other = (packed >> 32) as u32 == depth && packed as u16 != mv.bits();
        is_other.then(|| (score, M::from_bits(packed as u16)))
    }

    #[inline]
    pub(super) fn is_finished(&self, depth: u32) -> bool {
        self.finished.load(Ordering::Relaxed) >= depth
    }

    /// Tells the other threads the best moves of a finished iteration, so that they need not
    /// finish it.
    pub(super) fn publish_iteration(&self, depth: u32, moves: &[RootMove<M>]) {
        let mut best_moves = locked(&self.best_moves);
        if !self.is_finished(depth) {
            self.finished.store(depth, Ordering::Relaxed);
            *best_moves = moves.to_vec();
        }
    }

    /// The deepest finished iteration and its best moves, if it is at least this deep.
    pub(super) fn finished_iteration(&self, depth: u32) -> Option<(u32, Vec<RootMove<M>>)> {
        let moves = locked(&self.best_moves);
        (self.is_finished(depth)).then(|| (self.finished.load(Ordering::Relaxed), moves.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::HokitoMove;

    #[test]
    fn the_best_move_is_the_deepest_then_the_one_with_the_greatest_score() {
        let (one, other) = (HokitoMove::from_bits(1), HokitoMove::from_bits(2));
        let rising = [
            (1, Score::win_in(3)),
            (2, Score::loss_in(4)),
            (2, Score::estimate(-70)),
            (2, Score::estimate(-1)),
            (2, Score::estimate(0)),
            (2, Score::estimate(90)),
            (2, Score::win_in(5)),
            (3, Score::estimate(-9)),
        ];
        let shared_root = SharedRoot::new();
        for (depth, score) in rising {
            shared_root.offer(depth, score, one);
            assert_eq!(shared_root.to_beat(depth, other), Some((score, one)));
            assert_eq!(shared_root.to_beat(depth, one), None, "its own move");
            assert_eq!(shared_root.to_beat(depth + 1, other), None, "another depth");
            shared_root.offer(1, Score::estimate(5), other);
            assert_eq!(shared_root.to_beat(depth, other), Some((score, one)));
        }
    }
}
