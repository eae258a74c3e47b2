//! What threads tell each other about moves, so that they do not do the same work.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::game::zobrist::splitmix64;

/// The bits of a slot that say what is known about a move; the others tell moves apart.
const STATE: u64 = 0xffff;
/// The state of a move that a thread is searching: no score.
const BUSY: u64 = 1 << 15;

/// The moves that some thread is searching, so that the others search something
/// else first (deferred search: Weill's ABDADA, 1996, with a separate table, as
/// T. Kerrigan proposed); and what moves are worth at most that some thread has searched,
/// so that the others need not. Two moves that share a slot cost time; 40 bits or more
/// tell them apart.
pub(super) struct SharedMoves(Vec<AtomicU64>);

/// A move that others leave alone until this is dropped: its slot, and what that holds until then.
pub(super) struct ClaimedMove<'a>(Option<(&'a AtomicU64, u64)>);

impl SharedMoves {
    /// A table for `threads` threads with at least `slots` slots of 8 bytes for each; a
    /// single thread needs none.
    pub(super) fn new(threads: usize, slots: usize) -> Self {
        let len = if threads > 1 {
            (threads * slots).next_power_of_two()
        } else {
            0
        };
        Self((0..len).map(|_| AtomicU64::new(0)).collect())
    }

    pub(super) fn is_alone(&self) -> bool {
        self.0.is_empty()
    }

    /// The slot of a move, if there are any, and the bits that tell it apart.
    fn slot(&self, key: u64, mv: u16) -> Option<(&AtomicU64, u64)> {
        let hash = splitmix64(key ^ u64::from(mv));
        let index = hash as usize & self.0.len().wrapping_sub(1);
        Some((self.0.get(index)?, hash & !STATE))
    }

    /// Claims a move in the position with this key; `None` if a thread is
    /// already searching it.
    pub(super) fn claim(&self, key: u64, mv: u16) -> Option<ClaimedMove<'_>> {
        let Some((slot, tag)) = self.slot(key, mv) else {
            return Some(ClaimedMove(None));
        };
        let busy = tag | BUSY;
        if slot.load(Ordering::Relaxed) == busy {
            return None;
        }
        slot.store(busy, Ordering::Relaxed);
        Some(ClaimedMove(Some((slot, busy))))
    }

    /// Tells the other threads that a move is worth at most `score`, the bits of a score.
    pub(super) fn store_bound(&self, key: u64, mv: u16, score: i16) {
        if let Some((slot, tag)) = self.slot(key, mv) {
            slot.store(tag | u64::from(score as u16), Ordering::Relaxed);
        }
    }

    /// What a move is worth at most, if a thread has found that out.
    pub(super) fn bound(&self, key: u64, mv: u16) -> Option<i16> {
        let (slot, tag) = self.slot(key, mv)?;
        let state = slot.load(Ordering::Relaxed);
        let is_score = state & !STATE == tag && state & STATE != BUSY;
        is_score.then_some(state as i16)
    }
}

impl Drop for ClaimedMove<'_> {
    fn drop(&mut self) {
        if let Some((slot, busy)) = self.0
            && slot.load(Ordering::Relaxed) == busy
        {
            slot.store(0, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_claimed_by_one_until_given_back_and_what_is_told_stays() {
        let moves = SharedMoves::new(2, 256);
        let claim = moves.claim(7, 1);
        assert!(claim.is_some());
        assert!(moves.claim(7, 1).is_none());
        assert!(moves.claim(7, 2).is_some());
        assert_eq!(moves.bound(7, 1), None);
        moves.store_bound(7, 1, -9);
        drop(claim);
        assert_eq!(moves.bound(7, 1), Some(-9));
        assert_eq!(moves.bound(7, 2), None);
        assert!(moves.claim(7, 1).is_some());
    }
}
