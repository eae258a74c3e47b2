//! The next occupied squares in the four directions, looked up by rank and file.

use crate::game::{Cell, Cells};

const FILE_A: u64 = 0x0101_0101_0101_0101;

/// For each occupancy of a rank (6 bits) and each file, the next occupied
/// files on both sides as bits, spread along a rank; and the same for files,
/// spread along a file.
const NEXT: ([[u64; 8]; 64], [[u64; 8]; 64]) = {
    let mut along_rank = [[0; 8]; 64];
    let mut along_file = [[0; 8]; 64];
    let mut line = 0;
    while line < 64usize {
        let mut at = 0;
        while at < 6 {
            let below = line & ((1 << at) - 1);
            let above = line >> (at + 1);
            let mut i = 0;
            let mut found = 0u64;
            if below != 0 {
                found |= 1 << (usize::BITS - 1 - below.leading_zeros());
            }
            if above != 0 {
                found |= 1 << (at + 1 + above.trailing_zeros() as usize);
            }
            along_rank[line][at] = found;
            while i < 6 {
                along_file[line][at] |= (found >> i & 1) << (8 * i);
                i += 1;
            }
            at += 1;
        }
        line += 1;
    }
    (along_rank, along_file)
};
/// Next occupied squares along a rank, by its occupancy and a file.
static NEXT_IN_RANK: [[u64; 8]; 64] = NEXT.0;
/// Next occupied squares along a file, by its occupancy and a rank.
static NEXT_IN_FILE: [[u64; 8]; 64] = NEXT.1;

/// The next occupied squares of every square at once, by [`Cell::index`].
pub(super) struct Links([Cells; 48]);

impl Links {
    pub(super) fn of(occupied: Cells) -> Self {
        let mut links = [Cells::EMPTY; 48];
        let columns: [usize; 8] = std::array::from_fn(|file| column(occupied, file as u32));
        for rank in 0..6 {
            let row = (occupied.0 >> (8 * rank)) as usize & 63;
            for file in 0..6 {
                links[8 * rank + file] = Cells(
                    NEXT_IN_RANK[row][file] << (8 * rank)
                        | NEXT_IN_FILE[columns[file]][rank] << file,
                );
            }
        }
        Self(links)
    }

    pub(super) fn next_to(&self, cell: Cell) -> Cells {
        self.0.get(cell.index()).copied().unwrap_or_default()
    }
}

/// The next squares of `occupied` in the four directions from a square.
pub(super) fn next_occupied(occupied: Cells, cell: Cell) -> Cells {
    let (file, rank) = (u32::from(cell.file()), u32::from(cell.rank()));
    let row = (occupied.0 >> (8 * rank)) as usize & 63;
    let column = column(occupied, file);
    Cells(
        NEXT_IN_RANK[row][file as usize & 7] << (8 * rank)
            | NEXT_IN_FILE[column][rank as usize & 7] << file,
    )
}

/// Occupancy of a file as 6 bits, rank 1 lowest.
const fn column(occupied: Cells, file: u32) -> usize {
    // The product moves the bit of rank r to bit 56 + r.
    let bits = occupied.0 >> file & FILE_A;
    (bits.wrapping_mul(0x0102_0408_1020_4080) >> 56) as usize & 63
}
