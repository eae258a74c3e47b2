//! The table of proved bounds that all threads share.
//!
//! Keys are stored whole, so an entry is never taken for another position's.
//! A bucket of 128 bytes holds a version and three entries of five words. The
//! version is odd while a thread writes; a reader that sees it odd, or changed
//! after reading, takes the bucket for empty (a sequence lock, made of nothing
//! but atomics).

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering, fence};

use zerocopy::FromBytes;

use super::node::{Key, NO_BOUND, Node, PayoffBounds, Solvable};
use crate::game::Move;
use crate::host::Instant;
use crate::search::pages::{Pages, largest, touch, zeroed};

const WORDS: usize = 16;
const ENTRY: usize = 5;
const WAYS: usize = 3;

type RawEntry = [u64; ENTRY];
/// Bits of a bound, which is stored as its distance from the least one.
const BOUND_BITS: u32 = 14;
const BOUND: u64 = (1 << BOUND_BITS) - 1;
const _: () = assert!(2 * NO_BOUND as u64 <= BOUND);
const EFFORT_SHIFT: u32 = 2 * BOUND_BITS + u16::BITS;
const AGE_SHIFT: u32 = EFFORT_SHIFT + 6;
/// The greatest values of six bits.
pub(super) const MAX_EFFORT: u8 = (1 << 6) - 1;
const MAX_AGE: u8 = MAX_EFFORT;
/// Buckets in use at first: 2 MB, one large page.
const FIRST_BUCKETS: usize = 1 << 14;
/// A table with more stored proofs per bucket than this is crowded.
const MAX_PROOFS_PER_BUCKET: u64 = 2;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TableEntry {
    /// The payoff is proved to be within this.
    pub bounds: PayoffBounds,
    /// The move to try first, as [`crate::game::Move::bits`]; 0 for none.
    pub mv: u16,
    /// About the binary logarithm of the nodes spent, at most [`MAX_EFFORT`].
    pub effort: u8,
}

impl TableEntry {
    pub(super) const NONE: Self = Self {
        bounds: PayoffBounds::ALL,
        mv: 0,
        effort: 0,
    };

    fn with(self, old: Self) -> Self {
        Self {
            bounds: self.bounds.intersection(old.bounds),
            mv: if self.mv == 0 { old.mv } else { self.mv },
            effort: self.effort.max(old.effort),
        }
    }

    /// The bound that answers a question about a goal, if one does.
    pub(super) fn answer(&self, goal: i32) -> Option<i32> {
        let PayoffBounds { lower, upper } = self.bounds;
        if lower >= goal && lower > -NO_BOUND {
            Some(lower)
        } else {
            (upper < goal && upper < NO_BOUND).then_some(upper)
        }
    }

    /// The move to try first, if it is a move of this position.
    pub(super) fn proposed<G: Solvable>(&self, position: &G) -> Option<G::Move> {
        let mv = G::Move::from_bits(self.mv);
        (self.mv != 0 && position.is_legal(mv)).then_some(mv)
    }

    fn pack(self, age: u8) -> u64 {
        let bound = |payoff: i32| (payoff + NO_BOUND) as u64 & BOUND;
        bound(self.bounds.lower)
            | bound(self.bounds.upper) << BOUND_BITS
            | u64::from(self.mv) << (2 * BOUND_BITS)
            | u64::from(self.effort & MAX_EFFORT) << EFFORT_SHIFT
            | u64::from(age & MAX_AGE) << AGE_SHIFT
            | 1 << 63
    }

    fn unpack(data: u64) -> Self {
        let bound = |bits: u64| (bits & BOUND) as i32 - NO_BOUND;
        Self {
            bounds: PayoffBounds::new(bound(data), bound(data >> BOUND_BITS)),
            mv: (data >> (2 * BOUND_BITS)) as u16,
            effort: (data >> EFFORT_SHIFT) as u8 & MAX_EFFORT,
        }
    }
}

/// 128 bytes; memory maps begin at a page, so no bucket straddles more cache
/// lines than it must.
type Bucket = [AtomicU64; WORDS];

pub(in crate::search) struct ProofMemory {
    pages: Pages,
    used: AtomicUsize,
    stored: AtomicU64,
    age: u8,
}

impl ProofMemory {
    /// Makes a memory of the greatest power of two of at most `bytes` bytes; a
    /// smaller one if the system has less, but at least one bucket.
    ///
    /// # Panics
    /// If the system cannot provide even 128 bytes.
    pub(in crate::search) fn new(bytes: usize) -> Self {
        let buckets = (bytes / size_of::<Bucket>()).max(1);
        let pages = largest(1 << buckets.ilog2(), |buckets| {
            zeroed(buckets.max(1) * size_of::<Bucket>())
        });
        Self {
            used: AtomicUsize::new(FIRST_BUCKETS.min(pages.len() / size_of::<Bucket>())),
            stored: AtomicU64::new(0),
            pages,
            age: 0,
        }
    }

    pub(in crate::search) fn clear(&mut self) {
        let used = self.used.get_mut();
        self.pages[..*used * size_of::<Bucket>()].fill(0);
        *used = FIRST_BUCKETS.min(self.pages.len() / size_of::<Bucket>());
        *self.stored.get_mut() = 0;
    }

    pub(super) fn is_used(&mut self) -> bool {
        *self.stored.get_mut() > 0
    }

    pub(in crate::search) fn warm_up(&mut self, deadline: Instant) {
        touch(&mut self.pages, deadline);
    }

    /// The table in this memory, for the next search: entries of earlier ones
    /// are the first to be replaced.
    #[expect(clippy::expect_used, reason = "the memory was made of whole buckets")]
    pub(in crate::search) fn table(&mut self) -> ProofTable<'_> {
        self.age = (self.age + 1) & MAX_AGE;
        let buckets = <[Bucket]>::mut_from_bytes(&mut self.pages)
            .expect("the memory's length is a number of buckets");
        ProofTable {
            buckets,
            used: &self.used,
            stored: &self.stored,
            age: self.age,
        }
    }
}

/// The table that all threads of a search share.
///
/// It begins with a small part of its memory, which fits into the processor's
/// caches, and grows as proofs are stored: the number of a bucket is as many low
/// bits of the hash as are in use. For a bucket that was never written, the one
/// that held its keys before the table grew is read instead.
#[derive(Clone, Copy, Debug)]
pub(in crate::search) struct ProofTable<'a> {
    buckets: &'a [Bucket],
    used: &'a AtomicUsize,
    stored: &'a AtomicU64,
    age: u8,
}

/// A key and the hash from which its bucket follows. The bucket itself changes when
/// the table grows.
#[derive(Clone, Copy, Debug)]
pub(super) struct HashedKey {
    hash: u64,
    key: Key,
}

impl HashedKey {
    /// 64 bits that tell this key from nearly all others.
    pub(super) fn tag(&self) -> u64 {
        hash(&self.key)
    }

    /// The same for all keys that differ only in values.
    pub(super) fn structure(&self) -> u64 {
        self.hash
    }
}

impl ProofTable<'_> {
    /// Counts `many` more stored proofs, and takes twice as much of the memory into use
    /// once the table is crowded.
    pub(super) fn grow_after(&self, many: u64) {
        if many == 0 {
            // Short questions end here: millions of them per second would write to
            // a cache line that all threads read.
            return;
        }
        let stored = self.stored.fetch_add(many, Ordering::Relaxed) + many;
        let used = self.used.load(Ordering::Relaxed);
        if stored > MAX_PROOFS_PER_BUCKET * used as u64 && used < self.buckets.len() {
            self.used.fetch_max(2 * used, Ordering::Relaxed);
        }
    }

    /// Where a key belongs: with all that agree with it in structure.
    pub(super) fn hashed<N: Node>(&self, key: &Key) -> HashedKey {
        const {
            // A tie-break is less than half a point.
            assert!(
                (N::MAX_MARGIN + 1) * N::POINT <= NO_BOUND,
                "payoffs are greater than the table can tell"
            )
        };
        let structure: Key = std::array::from_fn(|i| key[i] & N::STRUCTURE[i]);
        HashedKey {
            hash: hash(&structure),
            key: *key,
        }
    }

    fn bucket(&self, hashed: &HashedKey) -> usize {
        hashed.hash as usize & (self.used.load(Ordering::Relaxed) - 1)
    }

    /// What is proved about a key by its own entry and, unless `compares` is false, what
    /// the entries of keys that differ only in values prove about a goal. A bucket that is
    /// being written counts as empty.
    pub(super) fn get<N: Node>(&self, hashed: &HashedKey, goal: i32, compares: bool) -> TableEntry {
        let key = &hashed.key;
        let mut entry = TableEntry::NONE;
        let Some(entries) = self.read(hashed) else {
            return entry;
        };
        for (other, old) in entries.iter().filter_map(|entry| similar::<N>(entry, key)) {
            let PayoffBounds { lower, upper } = old.bounds;
            if other == *key {
                entry.bounds = entry.bounds.intersection(old.bounds);
            } else if compares {
                // A bound on the wrong side of the goal is of no use.
                let bounds = &mut entry.bounds;
                if upper < goal {
                    bounds.upper = bounds.upper.min(upper + N::advantage(key, &other));
                }
                if lower >= goal {
                    bounds.lower = bounds.lower.max(lower - N::advantage(&other, key));
                }
            }
            if old.mv != 0 && (entry.mv == 0 || old.effort > entry.effort) {
                (entry.mv, entry.effort) = (old.mv, old.effort);
            }
        }
        entry
    }

    /// The effort of the proof that a key does not reach a goal, if an entry of it or of one
    /// that differs only in values proves that; of several, the least.
    pub(super) fn effort_to_refute<N: Node>(&self, hashed: &HashedKey, goal: i32) -> Option<u8> {
        let entries = self.read(hashed)?;
        let others = (entries.iter()).filter_map(|it| similar::<N>(it, &hashed.key));
        let effort = |(other, old): (Key, TableEntry)| {
            let upper = old.bounds.upper;
            let falls_short = upper < goal
                && (other == hashed.key || upper + N::advantage(&hashed.key, &other) < goal);
            falls_short.then_some(old.effort)
        };
        others.filter_map(effort).min()
    }

    /// The entries in the bucket of a key, unless it is being written.
    #[inline(always)]
    fn read(&self, hashed: &HashedKey) -> Option<[RawEntry; WAYS]> {
        let (words, version) = self.written(self.bucket(hashed))?;
        if version & 1 != 0 {
            return None;
        }
        let entries = std::array::from_fn(|way| {
            std::array::from_fn(|i| words[1 + way * ENTRY + i].load(Ordering::Relaxed))
        });
        fence(Ordering::Acquire);
        (words[0].load(Ordering::Relaxed) == version).then_some(entries)
    }

    /// The bucket, or, if it is untouched, the one that held its keys before the
    /// table grew; and the version of that bucket.
    fn written(&self, bucket: usize) -> Option<(&Bucket, u64)> {
        let mut number = bucket;
        loop {
            let words = self.buckets.get(number)?;
            let version = words[0].load(Ordering::Acquire);
            if version != 0 || number < FIRST_BUCKETS {
                return Some((words, version));
            }
            number ^= 1 << number.ilog2();
        }
    }

    /// Stores what is proved about a key, together with what was known about it. A
    /// bucket that another thread is writing is left alone.
    pub(super) fn put(&self, hashed: &HashedKey, mut entry: TableEntry) {
        let Some(words) = self.buckets.get(self.bucket(hashed)) else {
            return;
        };
        let version = words[0].load(Ordering::Relaxed);
        let locked = version & 1 == 0
            && words[0]
                .compare_exchange(version, version + 1, Ordering::Acquire, Ordering::Relaxed)
                .is_ok();
        if !locked {
            return;
        }
        fence(Ordering::Release);
        let key = &hashed.key;
        let (mut victim, mut least) = (0, u32::MAX);
        for way in 0..WAYS {
            let slot = &words[1 + way * ENTRY..1 + (way + 1) * ENTRY];
            let data = slot[4].load(Ordering::Relaxed);
            if data != 0 && (0..4).all(|i| slot[i].load(Ordering::Relaxed) == key[i]) {
                entry = entry.with(TableEntry::unpack(data));
                victim = way;
                break;
            }
            let worth = match data {
                0 => 0,
                _ => {
                    let fresh = (data >> AGE_SHIFT) as u8 & MAX_AGE == self.age;
                    1 + u32::from(TableEntry::unpack(data).effort) + 64 * u32::from(fresh)
                }
            };
            if worth < least {
                (victim, least) = (way, worth);
            }
        }
        let slot = &words[1 + victim * ENTRY..1 + (victim + 1) * ENTRY];
        for i in 0..4 {
            slot[i].store(key[i], Ordering::Relaxed);
        }
        slot[4].store(entry.pack(self.age), Ordering::Relaxed);
        words[0].store(version + 2, Ordering::Release);
    }
}

/// The key and the content of an entry, if that key differs from another only in values.
#[inline(always)]
fn similar<N: Node>(&[a, b, c, d, data]: &RawEntry, key: &Key) -> Option<(Key, TableEntry)> {
    let other = [a, b, c, d];
    let is_similar = (0..4).all(|i| (other[i] ^ key[i]) & N::STRUCTURE[i] == 0);
    (data != 0 && is_similar).then(|| (other, TableEntry::unpack(data)))
}

/// Mixes a key into 64 bits by two folded multiplications.
fn hash(key: &Key) -> u64 {
    let fold = |a: u64, b: u64| {
        let product = u128::from(a) * u128::from(b);
        product as u64 ^ (product >> 64) as u64
    };
    let [a, b, c, d] = *key;
    let one = fold(a ^ 0x9e37_79b9_7f4a_7c15, b ^ 0xbf58_476d_1ce4_e5b9);
    let two = fold(c ^ 0x94d0_49bb_1331_11eb, d ^ 0xd6e8_feb8_6659_fd93);
    fold(one ^ 0xa076_1d64_78bd_642f, two ^ 0xe703_7ed1_a0b4_28db)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Hokito};

    type Hokitos = <Hokito as Solvable>::Node;

    #[test]
    fn an_entry_holds_all_that_may_be_proved() {
        for bounds in [
            PayoffBounds::ALL,
            PayoffBounds::new(1 - NO_BOUND, NO_BOUND - 1),
        ] {
            let (mv, effort) = (u16::MAX, MAX_EFFORT);
            let entry = TableEntry { bounds, mv, effort };
            assert_eq!(TableEntry::unpack(entry.pack(MAX_AGE)), entry);
        }
    }

    #[test]
    fn proofs_from_before_the_table_grew_are_found_after() {
        let mut memory = ProofMemory::new(64 << 20);
        let table = memory.table();
        let key = Hokito::start().node().key();
        let hashed = table.hashed::<Hokitos>(&key);
        let before = table.bucket(&hashed);
        let mut stored = TableEntry::NONE;
        stored.bounds.upper = 8;
        table.put(&hashed, stored);
        while table.bucket(&hashed) == before {
            table.grow_after(MAX_PROOFS_PER_BUCKET * FIRST_BUCKETS as u64);
        }
        assert_eq!(table.get::<Hokitos>(&hashed, 0, true), stored);
        // The proof of another key hides the bucket from before.
        let mut other = key;
        other[3] ^= 1;
        let hash = hashed.hash;
        table.put(&HashedKey { hash, key: other }, TableEntry::NONE);
        let mut entry = TableEntry::NONE;
        (entry.bounds.lower, entry.mv) = (3, 7);
        table.put(&hashed, entry);
        assert_eq!(
            table.get::<Hokitos>(&table.hashed::<Hokitos>(&key), 0, true),
            entry
        );
    }
}
