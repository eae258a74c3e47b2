//! What is known about a node while its moves are searched.

use super::reductions::Improving;
use super::table::Entry;
use crate::game::{Game, Move};
use crate::search::score::{Bound, Score, Window};

pub(super) struct OpenNode<'p, G> {
    pub(super) position: &'p G,
    pub(super) key: u64,
    pub(super) depth: i32,
    pub(super) ply: usize,
    /// The window that the parent asked for.
    pub(super) window: Window,
    /// Raised by every better move.
    pub(super) alpha: Score,
    pub(super) beta: Score,
    pub(super) best: Score,
    /// Packed; 0 while no move is better than alpha.
    pub(super) best_move: u16,
    pub(super) searched: usize,
    pub(super) improving: Improving,
    pub(super) is_shared: bool,
}

impl<G: Game> OpenNode<'_, G> {
    /// Whether another thread found the move to be the best so far: it is searched
    /// once more for its line.
    pub(super) fn is_taken_over(&self, mv: G::Move) -> bool {
        self.searched > 0 && mv.bits() == self.best_move
    }

    /// The score that a move has to beat.
    pub(super) fn floor(&self, mv: G::Move) -> Score {
        if self.is_taken_over(mv) {
            self.alpha.next_down()
        } else {
            self.alpha
        }
    }

    /// Takes a move's score into account, and returns whether it is above `floor`.
    pub(super) fn update(&mut self, score: Score, mv: G::Move, floor: Score) -> bool {
        if score <= floor {
            self.best = self.best.max(score);
            return false;
        }
        (self.best, self.best_move, self.alpha) = (score, mv.bits(), score);
        true
    }

    pub(super) fn entry(&self, bound: Bound) -> Entry {
        Entry {
            mv: self.best_move,
            score: self.best,
            bound,
            depth: self.depth as u8,
        }
    }
}
