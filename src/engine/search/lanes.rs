//! Sets of bits as vectors of bytes.

use wide::u8x16;

/// The bit of each lane in its byte of the set.
const BITS: u8x16 = u8x16::new([1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128]);
/// The byte of each lane, of two.
const BYTES: u8x16 = u8x16::new([0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1]);

/// All ones in the lanes of a set's members, else zeros.
#[inline(always)]
pub(super) fn lanes(set: u16) -> u8x16 {
    lanes_from(set.into(), 0)
}

/// The same for two bytes of a larger set, from `byte` on, which is at most 6.
#[inline(always)]
pub(super) fn lanes_from(set: u64, byte: u8) -> u8x16 {
    let bytes = bytemuck::cast::<[u64; 2], u8x16>([set.to_le(), 0]);
    (bytes.shuffle(BYTES + u8x16::splat(byte)) & BITS).simd_eq(BITS)
}
