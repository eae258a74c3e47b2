//! What is known about a node while its moves are searched.

use super::table::Entry;
use crate::game::{Game, Move};
use crate::search::score::{Bound, Score, Window};

pub(super) struct SearchNode<'p, G> {
    pub(super) position: &'p G,
    pub(super) key: u64,
    pub(super) depth: i32,
    pub(super) ply: usize,
    /// The window that the parent asked for.
    pub(super) asked_window: Window,
    /// What is left of that window: mate distance pruning narrows both ends, and every better
    /// move raises alpha.
    pub(super) alpha: Score,
    pub(super) beta: Score,
    pub(super) best: Score,
    /// Packed; 0 while no move is better than alpha.
    pub(super) best_move: u16,
    /// Moves with a score, also those that another thread has refuted.
    pub(super) searched: usize,
    pub(super) static_eval: Option<i32>,
    /// By how much the static value has risen; 0 if that is not known.
    pub(super) rise: i32,
    pub(super) is_shared: bool,
    /// Whether the table says that a move will probably cut off.
    pub(super) expects_cut: bool,
}

impl<G: Game> SearchNode<'_, G> {
    /// Takes a move's score into account, and returns whether it is above alpha.
    pub(super) fn update(&mut self, score: Score, mv: G::Move) -> bool {
        if score <= self.alpha {
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
