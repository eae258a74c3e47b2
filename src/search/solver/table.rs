//! The table of proved bounds that all threads share.
//!
//! Keys are stored whole, so an entry is never taken for another position's.
//! A bucket of 128 bytes holds a version and three entries of five words. The
//! version is odd while a thread writes; a reader that sees it odd, or changed
//! after reading, takes the bucket for empty (a sequence lock, made of nothing
//! but atomics).

use std::sync::atomic::{AtomicU64, Ordering, fence};

use memmap2::MmapMut;
use zerocopy::FromBytes;

use super::node::{Key, NO_BOUND};

/// Words of a bucket.
const WORDS: usize = 16;
/// Words of an entry: the key and the data.
const ENTRY: usize = 5;
/// Entries of a bucket.
const WAYS: usize = 3;

/// What is proved of a position, relative to its settled part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Proof {
    /// The rank is at least this.
    pub lower: i32,
    /// The rank is at most this.
    pub upper: i32,
    /// The move to try first, as [`crate::game::Move::bits`]; 0 for none.
    pub mv: u16,
    /// About the binary logarithm of the nodes spent, 0 to 63.
    pub effort: u8,
}

impl Proof {
    /// Nothing proved.
    pub const NONE: Self = Self {
        lower: -NO_BOUND,
        upper: NO_BOUND,
        mv: 0,
        effort: 0,
    };

    fn pack(self, age: u8) -> u64 {
        let bound = |rank: i32| (rank + NO_BOUND) as u64 & 0x3fff;
        bound(self.lower)
            | bound(self.upper) << 14
            | u64::from(self.mv) << 28
            | u64::from(self.effort & 63) << 44
            | u64::from(age & 63) << 50
            | 1 << 63
    }

    fn unpack(data: u64) -> Self {
        let bound = |bits: u64| (bits & 0x3fff) as i32 - NO_BOUND;
        Self {
            lower: bound(data),
            upper: bound(data >> 14),
            mv: (data >> 28) as u16,
            effort: (data >> 44) as u8 & 63,
        }
    }
}

/// 128 bytes; memory maps begin at a page, so no bucket straddles more cache
/// lines than it must.
type Bucket = [AtomicU64; WORDS];

/// The memory of a table.
///
/// It is mapped rather than allocated, because a search reads it at random
/// and a walk through tables of 4 kB pages costs as much as the rest of a
/// node: here the system can be asked for large pages, and gives zeroed ones.
#[derive(Debug)]
pub struct Memory {
    map: MmapMut,
    age: u8,
}

impl Memory {
    /// At most `bytes` bytes, less when the system has not so many, and one
    /// bucket at least.
    ///
    /// # Panics
    /// When the system cannot give even 128 bytes.
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        let mut len = (bytes / size_of::<Bucket>()).max(1) * size_of::<Bucket>();
        loop {
            match MmapMut::map_anon(len) {
                Ok(map) => {
                    // Only a wish: without large pages it is merely slower.
                    #[cfg(target_os = "linux")]
                    let _ = map.advise(memmap2::Advice::HugePage);
                    return Self { map, age: 0 };
                }
                Err(why) if len <= size_of::<Bucket>() => panic!("no memory for a table: {why}"),
                Err(_) => len = (len / 2).next_multiple_of(size_of::<Bucket>()),
            }
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.map.fill(0);
    }

    /// The table in this memory, for the next search: entries of earlier ones
    /// are the first to be replaced.
    pub fn table(&mut self) -> Table<'_> {
        self.age = (self.age + 1) & 63;
        let buckets = <[Bucket]>::mut_from_bytes(&mut self.map)
            .expect("the map's length is a number of buckets");
        Table {
            buckets,
            age: self.age,
        }
    }
}

/// The table that all threads of a search share.
#[derive(Clone, Copy, Debug)]
pub struct Table<'a> {
    buckets: &'a [Bucket],
    age: u8,
}

/// The place of a key in the table.
#[derive(Clone, Copy, Debug)]
pub struct Slot(usize);

impl Table<'_> {
    /// Where a key belongs.
    #[must_use]
    pub fn slot(&self, key: &Key, mask: &Key) -> Slot {
        let key: Key = std::array::from_fn(|i| key[i] & mask[i]);
        let high = (u128::from(hash(&key)) * self.buckets.len() as u128) >> 64;
        Slot(high as usize)
    }

    /// What is proved of a key.
    #[must_use]
    pub fn get(&self, slot: Slot, key: &Key) -> Option<Proof> {
        let words = self.buckets.get(slot.0)?;
        let version = words[0].load(Ordering::Acquire);
        if version & 1 != 0 {
            return None;
        }
        for way in 0..WAYS {
            let entry = &words[1 + way * ENTRY..1 + (way + 1) * ENTRY];
            if (0..4).all(|i| entry[i].load(Ordering::Relaxed) == key[i]) {
                let data = entry[4].load(Ordering::Relaxed);
                fence(Ordering::Acquire);
                let same = words[0].load(Ordering::Relaxed) == version;
                return (same && data != 0).then(|| Proof::unpack(data));
            }
        }
        None
    }

    /// Probe with distance
    pub fn near<N: super::node::Node>(&self, slot: Slot, key: &Key) -> Proof {
        let mut proof = Proof::NONE;
        let mut effort = 0;
        let Some(words) = self.buckets.get(slot.0) else { return proof; };
        for way in 0..WAYS {
            let entry = &words[1 + way * ENTRY..1 + (way + 1) * ENTRY];
            let found: Key = std::array::from_fn(|i| entry[i].load(Ordering::Relaxed));
            let data = entry[4].load(Ordering::Relaxed);
            if data == 0 || (0..4).any(|i| (found[i] ^ key[i]) & N::STRUCTURE[i] != 0) { continue; }
            let old = Proof::unpack(data);
            if found == *key {
                proof.lower = proof.lower.max(old.lower);
                proof.upper = proof.upper.min(old.upper);
                proof.mv = old.mv;
                effort = 255;
            } else {
                let (up, down) = N::distance(key, &found);
                proof.upper = proof.upper.min(old.upper + up);
                proof.lower = proof.lower.max(old.lower - down);
                if old.effort > effort && old.mv != 0 { proof.mv = old.mv; effort = old.effort; }
            }
        }
        proof
    }

    /// Stores what is proved of a key, together with what was known of it. A
    /// bucket that another thread is writing is left alone.
    pub fn put(&self, slot: Slot, key: &Key, proof: Proof) {
        let Some(words) = self.buckets.get(slot.0) else {
            return;
        };
        let version = words[0].load(Ordering::Relaxed);
        if version & 1 != 0
            || words[0]
                .compare_exchange(version, version + 1, Ordering::Acquire, Ordering::Relaxed)
                .is_err()
        {
            return;
        }
        fence(Ordering::Release);
        let mut victim = 0;
        let mut least = u32::MAX;
        let mut proof = proof;
        for way in 0..WAYS {
            let entry = &words[1 + way * ENTRY..1 + (way + 1) * ENTRY];
            let data = entry[4].load(Ordering::Relaxed);
            if data != 0 && (0..4).all(|i| entry[i].load(Ordering::Relaxed) == key[i]) {
                let old = Proof::unpack(data);
                proof.lower = proof.lower.max(old.lower);
                proof.upper = proof.upper.min(old.upper);
                proof.effort = proof.effort.max(old.effort);
                if proof.mv == 0 {
                    proof.mv = old.mv;
                }
                victim = way;
                break;
            }
            let worth = match data {
                0 => 0,
                _ => {
                    let fresh = (data >> 50) as u8 & 63 == self.age;
                    1 + u32::from(Proof::unpack(data).effort) + 64 * u32::from(fresh)
                }
            };
            if worth < least {
                (victim, least) = (way, worth);
            }
        }
        let entry = &words[1 + victim * ENTRY..1 + (victim + 1) * ENTRY];
        for i in 0..4 {
            entry[i].store(key[i], Ordering::Relaxed);
        }
        entry[4].store(proof.pack(self.age), Ordering::Relaxed);
        words[0].store(version + 2, Ordering::Release);
    }
}

/// Mixes a key into 64 bits by two folded multiplications.
fn hash(key: &Key) -> u64 {
    let fold = |a: u64, b: u64| {
        let product = u128::from(a) * u128::from(b);
        product as u64 ^ (product >> 64) as u64
    };
    let one = fold(key[0] ^ 0x9e37_79b9_7f4a_7c15, key[1] ^ 0xbf58_476d_1ce4_e5b9);
    let two = fold(key[2] ^ 0x94d0_49bb_1331_11eb, key[3] ^ 0xd6e8_feb8_6659_fd93);
    fold(one ^ 0xa076_1d64_78bd_642f, two ^ 0xe703_7ed1_a0b4_28db)
}
