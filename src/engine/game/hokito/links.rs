//! The next occupied squares in the four directions, looked up by rank and file.

use crate::game::{Cell, Cells};

const FILE_A: u64 = 0x0101_0101_0101_0101;

/// Next occupied squares along a rank, by its occupancy and a file.
static NEXT_IN_RANK: [[u64; 8]; 64] = next_in_line(u64::MAX, 1);
/// Next occupied squares along a file, by its occupancy and a rank: the product moves bit i
/// to bit 8 i.
static NEXT_IN_FILE: [[u64; 8]; 64] = next_in_line(FILE_A, 0x0002_0408_1020_4081);

/// For each occupancy of a line of six squares and each of them, the next occupied ones on
/// both sides as bits, times a factor.
const fn next_in_line(mask: u64, factor: u64) -> [[u64; 8]; 64] {
    let mut next = [[0; 8]; 64];
    let mut index = 0;
    while index < 64 * 6 {
        let (occupied, at) = (index / 6, index % 6);
        let below = occupied as u64 & ((1 << at) - 1);
        let above = occupied as u64 & !((2 << at) - 1);
        let last_below = if below == 0 { 0 } else { 1 << below.ilog2() };
        let next_ones = last_below | above & above.wrapping_neg();
        next[occupied][at] = next_ones.wrapping_mul(factor) & mask;
        index += 1;
    }
    next
}

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
