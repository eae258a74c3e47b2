//! An edge of the tree, stored in three words. Their bits, the highest first:
//!
//! | word | what it holds |
//! | --- | --- |
//! | `PROSPECTS` | the move, its static value, its prior, the threads below it: 16 bits each |
//! | `CHILD_AND_VISITS` | the link of the child (32), the number of simulations (32) |
//! | `RESULTS` | the mean, the minimax value, the lower and the upper bound: 16 bits each |

use std::sync::atomic::{AtomicU64, Ordering};

use super::score_bounds::ScoreBounds;
use super::tuning::ResultScale;

pub(super) const EDGE_WORDS: usize = 3;
pub(super) type EdgeWords = [u64; EDGE_WORDS];
const PROSPECTS: usize = 0;
const CHILD_AND_VISITS: usize = 1;
const RESULTS: usize = 2;
/// The link of an edge whose child is being made.
pub(super) const BUSY: u32 = u32::MAX;

/// The most simulations that an edge counts, with room for every thread to count one
/// more.
const MAX_VISITS: u32 = u32::MAX - (1 << 16);

/// Packs four numbers of 16 bits into a word, the first in the highest bits.
pub(super) fn pack(parts: [i16; 4]) -> u64 {
    let append = |word, &part: &i16| word << 16 | u64::from(part as u16);
    parts.iter().fold(0, append)
}

#[inline]
pub(super) fn unpack(word: u64) -> [i16; 4] {
    [48, 32, 16, 0].map(|shift| (word >> shift) as u16 as i16)
}

/// The words of a new edge: its packed move, its static value in centipoints for the side
/// that moves, its prior probability in 65535ths, and what is proven about the position
/// after it.
pub(super) fn edge_words(mv: u16, value: i16, prior: u16, bounds: ScoreBounds) -> EdgeWords {
    let minimax = bounds.solved().map_or(0, ResultScale::of_proof);
    let [lower, upper] = bounds.to_table();
    let prospects = pack([mv as i16, value, prior as i16, 0]);
    [prospects, 0, pack([minimax, minimax, lower, upper])]
}

/// An edge: a move and what is known about it, from the view of the side that makes
/// it. The results are copied from the child at each simulation, so that choosing a
/// move reads one stretch of memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge<'a> {
    pub(super) words: &'a [AtomicU64],
}

/// What is known about an edge before it is tried.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prospects {
    /// In centipoints.
    pub(super) value: i16,
    /// In 65535ths.
    pub(super) prior: u16,
    /// How many threads are below the edge now.
    pub(super) threads: u16,
}

/// What the simulations through a node or an edge have found, in
/// [`ResultScale::ONE`]ths of a win.
#[derive(Clone, Copy, Debug)]
pub(super) struct Results {
    pub(super) mean: i16,
    pub(super) minimax: i16,
    pub(super) bounds: ScoreBounds,
}

impl Results {
    fn for_parent(self) -> Self {
        Self {
            mean: self.mean.saturating_neg(),
            minimax: self.minimax.saturating_neg(),
            bounds: self.bounds.for_parent(),
        }
    }
}

impl Edge<'_> {
    #[inline]
    pub(super) fn mv(self) -> u16 {
        (self.words[PROSPECTS].load(Ordering::Relaxed) >> 48) as u16
    }

    #[inline]
    pub(super) fn prospects(self) -> Prospects {
        let [_, value, prior, threads] = unpack(self.words[PROSPECTS].load(Ordering::Relaxed));
        Prospects {
            value,
            prior: prior as u16,
            threads: threads as u16,
        }
    }

    pub(super) fn enter(self) {
        self.words[PROSPECTS].fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn leave(self) {
        self.words[PROSPECTS].fetch_sub(1, Ordering::Relaxed);
    }

    /// The number of finished simulations, counted up to some four thousand million.
    #[inline]
    pub(super) fn visits(self) -> u32 {
        self.words[CHILD_AND_VISITS].load(Ordering::Relaxed) as u32
    }

    /// The link of the child: 0 if there is none, [`BUSY`] while it is being made.
    #[inline]
    pub(super) fn child(self) -> u32 {
        (self.words[CHILD_AND_VISITS].load(Ordering::Acquire) >> 32) as u32
    }

    /// The link of the child, [`BUSY`] while another thread makes it. On `None`,
    /// the caller must link the child, or 0 to give the claim back.
    pub(super) fn claim(self) -> Option<u32> {
        let claimed = |link: u64| (link >> 32 == 0).then_some(u64::from(BUSY) << 32 | link);
        let word = &self.words[CHILD_AND_VISITS];
        let old = word.fetch_update(Ordering::Acquire, Ordering::Acquire, claimed);
        old.err().map(|link| (link >> 32) as u32)
    }

    /// The words with the link and with the results, for an edge of the same move
    /// in another block. A claim is not passed on.
    pub(super) fn knowledge(self) -> [u64; 2] {
        let link = self.words[CHILD_AND_VISITS].load(Ordering::Acquire);
        let busy = (link >> 32) as u32 == BUSY;
        let link = if busy { link & 0xffff_ffff } else { link };
        [link, self.words[RESULTS].load(Ordering::Relaxed)]
    }

    /// Sets the link to the child that was claimed, or to a child's new place.
    pub(super) fn link(self, at: u32) {
        let word = &self.words[CHILD_AND_VISITS];
        // Only the owner of the claim changes the upper half.
        let old = word.load(Ordering::Relaxed) & !0xffff_ffff;
        let new = u64::from(at) << 32;
        word.fetch_add(new.wrapping_sub(old), Ordering::Release);
    }

    #[inline]
    pub(super) fn results(self) -> Results {
        let [mean, minimax, lower, upper] = unpack(self.words[RESULTS].load(Ordering::Relaxed));
        Results {
            mean,
            minimax,
            bounds: ScoreBounds::from_table([lower, upper]),
        }
    }

    pub(super) fn update(self, child: Option<Results>) {
        if let Some(child) = child {
            let child = child.for_parent();
            let with = |old| {
                // Another thread may have read the child later, and a child that was made
                // anew knows less than the one before it.
                let [_, _, lower, upper] = unpack(old);
                let tightened = ScoreBounds::from_table([lower, upper]).intersection(child.bounds);
                let [lower, upper] = tightened.to_table();
                Some(pack([child.mean, child.minimax, lower, upper]))
            };
            let _ = self.words[RESULTS].fetch_update(Ordering::Relaxed, Ordering::Relaxed, with);
        }
        // Stops counting before a carry into the link.
        if self.visits() < MAX_VISITS {
            self.words[CHILD_AND_VISITS].fetch_add(1, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::score::Score;

    #[test]
    fn what_is_proved_about_an_edge_is_not_forgotten() {
        let words = edge_words(1, 0, 0, ScoreBounds::UNKNOWN).map(AtomicU64::new);
        let edge = Edge { words: &words };
        let results = |mean, bounds| {
            Some(Results {
                mean,
                minimax: mean,
                bounds,
            })
        };
        let lost = ScoreBounds::from_upper_bound(Score::loss_in(3));
        edge.update(results(-7, lost));
        edge.update(results(5, ScoreBounds::UNKNOWN));
        assert_eq!(edge.results().bounds, lost.for_parent());
        assert_eq!((edge.results().mean, edge.visits()), (-5, 2));
    }
}
