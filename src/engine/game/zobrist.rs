//! Zobrist keys, computed at compile time from fixed seeds.
//!
//! The numbers are outputs of SplitMix64 (Steele, Lea and Flood, 2014), so a
//! table is the same in every build and needs no initialisation.

/// One SplitMix64 output for a counter value.
pub const fn splitmix64(counter: u64) -> u64 {
    let mut z = counter.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// `N` keys of the stream `stream`. Streams below 2^32 share no counter as
/// long as every table has fewer than 2^32 keys.
pub const fn keys<const N: usize>(stream: u64) -> [u64; N] {
    let mut table = [0; N];
    let mut i = 0;
    while i < N {
        table[i] = splitmix64((stream << 32) + i as u64 + 1);
        i += 1;
    }
    table
}
