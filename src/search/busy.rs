//! Which moves are being searched, so that threads do not do the same work.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::game::zobrist::splitmix64;

/// Places for claims per thread.
const PLACES: usize = 256;

/// The moves that some thread is searching, so that the others search something
/// else first (deferred search: Weill's ABDADA, 1996, with a separate table, as
/// T. Kerrigan proposed). Two moves that share a place cost time, never
/// correctness.
#[derive(Debug)]
pub(super) struct Busy(Vec<AtomicU64>);

#[derive(Debug)]
pub(super) struct BusyMove<'a>(Option<&'a AtomicU64>);

impl Busy {
    /// A table for `threads` threads; a single thread needs none.
    pub(super) fn new(threads: usize) -> Self {
        let len = if threads > 1 {
            (threads * PLACES).next_power_of_two()
        } else {
            0
        };
        Self((0..len).map(|_| AtomicU64::new(0)).collect())
    }

    pub(super) fn is_alone(&self) -> bool {
        self.0.is_empty()
    }

    /// Claims a move in the position with this key; `None` if a thread is
    /// already searching it.
    pub(super) fn claim(&self, key: u64, mv: u16) -> Option<BusyMove<'_>> {
        let tag = splitmix64(key ^ u64::from(mv)) | 1;
        // The lowest bit is the same in all tags.
        let index = (tag >> 1) as usize & self.0.len().wrapping_sub(1);
        let place = self.0.get(index);
        if let Some(place) = place {
            if place.load(Ordering::Relaxed) == tag {
                return None;
            }
            place.store(tag, Ordering::Relaxed);
        }
        Some(BusyMove(place))
    }
}

impl Drop for BusyMove<'_> {
    fn drop(&mut self) {
        if let Some(place) = self.0 {
            place.store(0, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_claimed_by_one_until_given_back() {
        let busy = Busy::new(2);
        let claim = busy.claim(7, 1);
        assert!(claim.is_some());
        assert!(busy.claim(7, 1).is_none());
        assert!(busy.claim(7, 2).is_some());
        drop(claim);
        assert!(busy.claim(7, 1).is_some());
    }
}
