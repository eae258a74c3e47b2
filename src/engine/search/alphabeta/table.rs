//! The transposition table that all search threads share without locks.
//!
//! An entry is two relaxed `AtomicU64`: the data, and the key xored with the
//! data (Hyatt and Mann, 2002). A reader that sees halves of two different
//! writes finds a key that does not match, and takes the entry for absent.

use std::sync::atomic::{AtomicU64, Ordering};

use zerocopy::FromBytes;

use crate::host::Instant;
use crate::search::pages::{Pages, largest, touch, zeroed};
use crate::search::score::{Bound, Score};

/// Entries that share one cache line and compete for a place.
const WAYS: usize = 4;
const WORDS: usize = 2 * WAYS;
/// Number of generations, after which they repeat.
const GENERATIONS: u8 = 64;

const _: () = assert!(WORDS * size_of::<AtomicU64>() == 64);

/// What the table holds about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    /// The best or refuting move, 0 for none. It may belong to another
    /// position with the same key: check it before use.
    pub(super) mv: u16,
    pub(super) score: Score,
    pub(super) bound: Bound,
    /// Plies that were searched below the position.
    pub(super) depth: u8,
}

/// Entries that compete for a place: a cache line.
type Bucket = [AtomicU64; WORDS];

/// A transposition table of a fixed size.
#[derive(Debug)]
pub struct Table {
    pages: Pages,
    /// Counts the times that the table was cleared, from 1: entries of another epoch are
    /// absent. To zero a table of gigabytes takes seconds.
    epoch: u16,
    generation: u8,
    is_used: bool,
}

impl Table {
    /// Makes an empty table of at most `megabytes` MiB, but at least one bucket; a
    /// smaller one if the memory does not suffice.
    pub fn new(megabytes: usize) -> Self {
        largest(megabytes, Self::try_new)
    }

    /// Like [`Table::new`], but returns `None` if the memory does not suffice.
    pub fn try_new(megabytes: usize) -> Option<Self> {
        let bytes = megabytes.saturating_mul(1 << 20);
        Some(Self {
            pages: zeroed(bytes.max(size_of::<Bucket>()))?,
            epoch: 1,
            generation: 0,
            is_used: false,
        })
    }

    /// Forgets everything, at once.
    pub fn clear(&mut self) {
        if self.is_used {
            self.epoch = self.epoch.checked_add(1).unwrap_or_else(|| {
                self.pages.fill(0);
                1
            });
            (self.generation, self.is_used) = (0, false);
        }
    }

    pub(crate) fn warm_up(&mut self, deadline: Instant) {
        touch(&mut self.pages, deadline);
    }

    /// The entries, for the threads of a new search: entries of earlier searches are
    /// replaced sooner.
    #[expect(clippy::expect_used, reason = "the memory was made of whole buckets")]
    pub(super) fn share(&mut self) -> Entries<'_> {
        self.generation = (self.generation + 1) % GENERATIONS;
        self.is_used = true;
        Entries {
            buckets: <[Bucket]>::mut_from_bytes(&mut self.pages)
                .expect("the memory's length is a number of buckets"),
            epoch: self.epoch,
            generation: self.generation,
        }
    }
}

/// The entries of a table, shared by the threads of a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entries<'a> {
    buckets: &'a [Bucket],
    epoch: u16,
    generation: u8,
}

impl Entries<'_> {
    /// The bucket of a key, found by scaling the key to the number of buckets.
    fn bucket(&self, key: u64) -> &[AtomicU64] {
        let index = ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize;
        self.buckets.get(index).map_or(&[], |bucket| &bucket[..])
    }

    /// The entry of a key, with its score converted for a node `ply` plies below the root.
    #[inline]
    pub(super) fn probe(&self, key: u64, ply: usize) -> Option<Entry> {
        self.bucket(key).chunks_exact(2).find_map(|slot| {
            let data = slot[1].load(Ordering::Relaxed);
            let check = slot[0].load(Ordering::Relaxed);
            (check ^ data == key && self.holds(data)).then(|| unpack(data, ply))
        })
    }

    /// Stores an entry, replacing the shallowest or oldest of its bucket if need be.
    pub(super) fn store(&self, key: u64, ply: usize, entry: Entry) {
        let (epoch, generation) = (self.epoch, self.generation);
        let mut victim = None;
        let mut least = i32::MAX;
        for slot in self.bucket(key).chunks_exact(2) {
            let data = slot[1].load(Ordering::Relaxed);
            let is_free = !self.holds(data);
            if is_free || slot[0].load(Ordering::Relaxed) ^ data == key {
                let mut entry = entry;
                if entry.mv == 0 && !is_free {
                    entry.mv = unpack(data, ply).mv;
                }
                return write(slot, key, pack(entry, ply, epoch, generation));
            }
            let age = (GENERATIONS + generation - generation_of(data)) % GENERATIONS;
            let worth = i32::from(depth_of(data)) - 8 * i32::from(age);
            if worth < least {
                least = worth;
                victim = Some(slot);
            }
        }
        if let Some(slot) = victim {
            write(slot, key, pack(entry, ply, epoch, generation));
        }
    }

    /// Whether data belong to an entry that was stored since the table was cleared.
    fn holds(&self, data: u64) -> bool {
        (data >> 32) as u16 == self.epoch
    }

    /// How much of the table the current search has filled, per mille, by a sample.
    pub(super) fn hashfull(&self) -> u32 {
        let sample = &self.buckets[..self.buckets.len().min(250)];
        let current = |slot: &&[AtomicU64]| {
            let data = slot[1].load(Ordering::Relaxed);
            self.holds(data) && generation_of(data) == self.generation
        };
        let slots = sample.iter().flat_map(|bucket| bucket.chunks_exact(2));
        (slots.filter(current).count() * 1000 / (WAYS * sample.len().max(1))) as u32
    }
}

fn write(slot: &[AtomicU64], key: u64, data: u64) {
    slot[0].store(key ^ data, Ordering::Relaxed);
    slot[1].store(data, Ordering::Relaxed);
}

/// Layout from bit 0: move 16, score 16, epoch 16, depth 8, generation 6, bound 2. The
/// epoch is never 0, so no entry is all zeros.
fn pack(entry: Entry, ply: usize, epoch: u16, generation: u8) -> u64 {
    let bound = match entry.bound {
        Bound::Exact => 1u64,
        Bound::Lower => 2,
        Bound::Upper => 3,
    };
    u64::from(entry.mv)
        | u64::from(entry.score.to_table(ply) as u16) << 16
        | u64::from(epoch) << 32
        | u64::from(entry.depth) << 48
        | u64::from(generation) << 56
        | bound << 62
}

#[inline]
fn unpack(data: u64, ply: usize) -> Entry {
    Entry {
        mv: data as u16,
        score: Score::from_table((data >> 16) as i16, ply),
        depth: depth_of(data),
        bound: match data >> 62 {
            2 => Bound::Lower,
            3 => Bound::Upper,
            _ => Bound::Exact,
        },
    }
}

const fn depth_of(data: u64) -> u8 {
    (data >> 48) as u8
}

const fn generation_of(data: u64) -> u8 {
    (data >> 56) as u8 & (GENERATIONS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: u8) -> Entry {
        Entry {
            mv: 77,
            score: Score::win_in(9),
            bound: Bound::Lower,
            depth,
        }
    }

    #[test]
    fn an_entry_is_found_again_until_deeper_ones_crowd_it_out() {
        let mut table = Table::new(0);
        let table = table.share();
        table.store(1, 4, entry(3));
        assert_eq!(table.probe(1, 4), Some(entry(3)));
        assert_eq!(table.probe(1, 3).map(|e| e.score), Some(Score::win_in(8)));
        assert_eq!(table.probe(2, 4), None);
        for key in 2..=WAYS as u64 + 1 {
            table.store(key, 4, entry(9));
        }
        assert_eq!(table.probe(1, 4), None);
        assert_eq!(table.probe(5, 4), Some(entry(9)));
    }

    #[test]
    fn an_entry_without_a_move_keeps_the_known_one() {
        let mut table = Table::new(1);
        let table = table.share();
        table.store(5, 0, entry(2));
        table.store(5, 0, Entry { mv: 0, ..entry(4) });
        assert_eq!(table.probe(5, 0), Some(entry(4)));
    }

    /// Also after so many times that epochs repeat.
    #[test]
    fn a_cleared_table_is_as_a_new_one() {
        let mut table = Table::new(0);
        for _ in 0..2 * u32::from(u16::MAX) {
            let entries = table.share();
            assert_eq!((entries.probe(1, 4), entries.hashfull()), (None, 0));
            entries.store(1, 4, Entry { mv: 0, ..entry(3) });
            assert_eq!(entries.probe(1, 4).map(|entry| entry.mv), Some(0));
            for key in 2..=WAYS as u64 {
                entries.store(key, 4, entry(9));
            }
            assert_eq!(entries.hashfull(), 1000);
            table.clear();
        }
    }

    #[test]
    fn a_torn_entry_is_absent() {
        let mut table = Table::new(0);
        let table = table.share();
        table.store(5, 0, entry(2));
        table.buckets[0][1].fetch_xor(1 << 20, Ordering::Relaxed);
        assert_eq!(table.probe(5, 0), None);
    }
}
