//! How well moves did in the search so far; threads share that without locks.

use std::sync::atomic::{AtomicI16, Ordering};

use crate::game::{Game, Move};

/// Low bits of a packed move that suffice to tell moves apart in both games.
const MOVE_BITS: usize = 14;
const MAX_BONUS: i32 = 1600;

/// How often a move refuted the opponent's play, for each side (butterfly history).
pub(super) struct History(Vec<HistoryEntry>);

impl History {
    pub(super) fn new() -> Self {
        Self(HistoryEntry::zeros(2 << MOVE_BITS))
    }

    pub(super) fn of<G: Game>(&self, position: &G, mv: G::Move) -> &HistoryEntry {
        let place = usize::from(mv.bits()) & ((1 << MOVE_BITS) - 1);
        &self.0[position.side().index() << MOVE_BITS | place]
    }

    /// Rewards a move that caused a cut-off, and penalises those tried before it.
    pub(super) fn reward<G: Game>(
        &self,
        position: &G,
        cutter: G::Move,
        tried: impl Iterator<Item = G::Move>,
        bonus: i32,
    ) {
        let bonus = bonus.min(MAX_BONUS);
        self.of(position, cutter).add(bonus);
        for mv in tried {
            self.of(position, mv).add(-bonus / 2);
        }
    }
}

/// A number that searches learn. It moves more and more slowly the nearer it is to a limit.
/// An update that another thread overwrites does no harm.
#[derive(Debug, Default)]
pub(super) struct HistoryEntry(AtomicI16);

impl HistoryEntry {
    pub(super) const MAX: i32 = 8192;

    pub(super) fn zeros(len: usize) -> Vec<Self> {
        std::iter::repeat_with(Self::default).take(len).collect()
    }

    #[inline]
    pub(super) fn get(&self) -> i32 {
        self.0.load(Ordering::Relaxed).into()
    }

    /// Adds a part of `bonus`, whose absolute value is at most [`HistoryEntry::MAX`].
    #[inline]
    pub(super) fn add(&self, bonus: i32) {
        let old = self.get();
        let new = old + bonus - old * bonus.abs() / Self::MAX;
        self.0.store(new as i16, Ordering::Relaxed);
    }
}
