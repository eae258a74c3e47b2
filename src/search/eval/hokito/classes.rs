//! Classes of towers, for weights that are learned.
//!
//! A tower's *row* is whose it is, its value and its height; its *column*, what
//! it stands in: bit 0, whether a tower of the side to move can land on it; bit
//! 1, whether one of the other side can; bit 2, whether it can land on a tower of
//! its opponent.

use super::Activity;
use crate::game::{Cell, Cells, Game, Hokito};

/// Columns.
pub(super) const COLUMNS: usize = 8;
/// Rows: two sides, three values, seven classes of height.
pub(super) const ROWS: usize = 2 * 3 * HEIGHTS;
/// Number of classes: a class is its row times [`COLUMNS`] and its column.
pub(super) const CLASSES: usize = ROWS * COLUMNS;

/// Classes of height: 1, 2, 3, 4, 5 to 6, 7 to 9, more.
const HEIGHTS: usize = 7;

/// The weights of a row, and of all.
pub(super) type Row = [i16; COLUMNS];
pub(super) type Rows = [Row; ROWS];

/// The row of a tower of the side to move or of the other.
pub(super) fn row_of(is_own: bool, value: u8, height: u8) -> usize {
    let height = match height {
        0..=4 => usize::from(height.max(1)) - 1,
        5..=6 => 4,
        7..=9 => 5,
        _ => 6,
    };
    let value = usize::from(value.clamp(1, 3)) - 1;
    (usize::from(!is_own) * 3 + value) * HEIGHTS + height
}

/// Files and ranks of the board.
const SIDE: usize = 6;
/// Squares of the board.
pub(super) const SQUARES: usize = SIDE * SIDE;

/// The place of a square among those of the board.
pub(super) const fn place_on_board(cell: Cell) -> usize {
    cell.rank() as usize % SIDE * SIDE + cell.file() as usize % SIDE
}

/// The bits of a rank, a byte each.
static SPREAD: [u64; 1 << SIDE] = {
    let mut spread = [0; 1 << SIDE];
    let mut bits = 0;
    while bits < spread.len() {
        let mut file = 0;
        while file < SIDE {
            spread[bits] |= ((bits >> file & 1) as u64) << (8 * file);
            file += 1;
        }
        bits += 1;
    }
    spread
};

/// The columns of all squares: a byte for each file of each rank.
#[derive(Clone, Copy)]
pub(super) struct Columns([u64; SIDE]);

impl Columns {
    /// From what the towers of the side to move and of the other can do.
    pub(super) fn of(mine: &Activity, theirs: &Activity) -> Self {
        let lands = mine.landing | theirs.landing;
        Self(std::array::from_fn(|rank| {
            let spread = |cells: Cells| SPREAD[(cells.0 >> (8 * rank)) as usize % (1 << SIDE)];
            spread(mine.reach) | spread(theirs.reach) << 1 | spread(lands) << 2
        }))
    }

    /// The column of a tower.
    pub(super) fn at(&self, cell: Cell) -> usize {
        let rank = self.0[usize::from(cell.rank()) % SIDE];
        (rank >> (8 * cell.file())) as usize % COLUMNS
    }

    /// The sum of weights by squares' places, of each in its column.
    pub(super) fn sum(&self, rows: &[Row; SQUARES]) -> i32 {
        let mut sum = 0;
        for (rank, rows) in self.0.iter().zip(rows.as_chunks::<SIDE>().0) {
            for (file, row) in rows.iter().enumerate() {
                sum += i32::from(row[(rank >> (8 * file)) as usize % COLUMNS]);
            }
        }
        sum
    }
}

/// The class of each tower.
pub(super) fn classes(
    position: &Hokito,
    [mine, theirs]: [Activity; 2],
) -> impl Iterator<Item = (Cell, usize)> {
    let own = position.topped_by(position.side());
    let columns = Columns::of(&mine, &theirs);
    position.occupied().into_iter().map(move |cell| {
        let (value, height) = (position.value(cell), position.height(cell));
        let row = row_of(own.has(cell), value, height);
        (cell, row * COLUMNS + columns.at(cell))
    })
}

/// A class in words.
pub(super) fn name(class: usize) -> String {
    let (row, column) = (class / COLUMNS, class % COLUMNS);
    let side = ["own", "other's"][row / (3 * HEIGHTS) % 2];
    let value = row / HEIGHTS % 3 + 1;
    let height = ["1", "2", "3", "4", "5-6", "7-9", "10+"][row % HEIGHTS];
    let mut name = format!("{side} {value} of height {height}");
    for (bit, what) in [
        ", within my reach",
        ", within the other's reach",
        ", can capture",
    ]
    .into_iter()
    .enumerate()
    {
        if column >> bit & 1 != 0 {
            name.push_str(what);
        }
    }
    name
}
