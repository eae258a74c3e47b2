//! Classes of towers, for weights that are learned.
//!
//! A tower's *row* is whose it is, its value and its height; its *column*, what
//! it stands in: bit 0, whether a tower of the side to move can land on it; bit
//! 1, whether one of the other side can; bit 2, whether it can land on a tower of
//! its opponent.

use super::Activity;
use crate::game::{Cell, Game, Hokito};

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

/// The column of a tower, from what the towers of the side to move and of the
/// other can do.
pub(super) fn column_of(cell: Cell, mine: &Activity, theirs: &Activity) -> usize {
    let bit = |cells: u64| (cells >> cell.index() & 1) as usize;
    let lands = mine.landing.0 | theirs.landing.0;
    bit(mine.reach.0) | bit(theirs.reach.0) << 1 | bit(lands) << 2
}

/// The class of each tower.
pub(super) fn classes(
    position: &Hokito,
    [mine, theirs]: [Activity; 2],
) -> impl Iterator<Item = (Cell, usize)> {
    let own = position.topped_by(position.side());
    position.occupied().into_iter().map(move |cell| {
        let (value, height) = (position.value(cell), position.height(cell));
        let row = row_of(own.has(cell), value, height);
        (cell, row * COLUMNS + column_of(cell, &mine, &theirs))
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
