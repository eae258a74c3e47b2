//! A small number for each square, in a byte.

use crate::game::Cell;

/// A word for each file, with a byte for each rank.
#[derive(Clone, Copy)]
pub(super) struct Bytes([u64; 8]);

impl Bytes {
    /// The numbers whose bits are given as planes, the lowest first.
    ///
    /// The eight words, with eight bits of each rank, are transposed rank by rank, all
    /// ranks at once; see "Transposing a bit matrix" in Warren, Hacker's Delight.
    #[inline]
    pub(super) fn of<const N: usize>(planes: [u64; N]) -> Self {
        let mut words = [0; 8];
        words[..N].copy_from_slice(&planes);
        exchange::<4>(&mut words, 0x0f0f_0f0f_0f0f_0f0f);
        exchange::<2>(&mut words, 0x3333_3333_3333_3333);
        exchange::<1>(&mut words, 0x5555_5555_5555_5555);
        Self(words)
    }

    /// For each square, the sum of its number and those of its neighbours, which
    /// must be less than 256. Beyond an edge lies the opposite one, but the board
    /// does not reach both.
    #[inline]
    pub(super) fn sums_of_three_by_three(self) -> Self {
        let add_neighbours = |word: u64| word + word.rotate_left(8) + word.rotate_right(8);
        let columns = self.0.map(add_neighbours);
        let sum = |file: usize| columns[(file + 7) & 7] + columns[file] + columns[(file + 1) & 7];
        Self(std::array::from_fn(sum))
    }

    #[inline]
    pub(super) fn all(self) -> [u8; 64] {
        let mut bytes = [0; 64];
        for (bytes, word) in bytes.chunks_exact_mut(8).zip(self.0) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }
}

/// Exchanges parts of words that are `BY` places apart.
fn exchange<const BY: usize>(words: &mut [u64; 8], mask: u64) {
    for i in 0..4 {
        let low = i / BY * 2 * BY + i % BY;
        let high = low + BY;
        let swapped = (words[low] >> BY ^ words[high]) & mask;
        words[high] ^= swapped;
        words[low] ^= swapped << BY;
    }
}

pub(super) fn place(cell: Cell) -> usize {
    let index = cell.index();
    index >> 3 | (index & 7) << 3
}
