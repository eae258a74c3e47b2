//! Towers by row and column: nothing else counts in the weights of a single tower, by
//! hand or learned.
//!
//! A tower's *row* is its side, its value and its height. Its *column* says whether a
//! tower of the side to move can land on it, whether one of the other side can, on how
//! many towers it can land (none, one, more), and on how many of its opponent's. The
//! learned weights are for two classes of each tower, for one of each pair of
//! neighbours, in which several heights count as one, and for one of each three in a
//! row, in which all stacks count as one. Stacks always have an even height.

use super::activity::Activity;
use crate::game::{Cell, Cells, Hokito};

pub(super) const COLUMNS: usize = 36;
/// What a step of each part of a column adds to it.
const STEPS: [u64; 4] = [18, 9, 3, 1];

/// The least height of each class of heights, of a tower and of a neighbour.
const HEIGHTS: [u8; 7] = [1, 2, 4, 6, 8, 10, 14];
const NEIGHBOUR_HEIGHTS: [u8; 4] = [1, 2, 4, 6];
/// Number of kinds of towers with a class for the height: two sides, three values.
const CLASSED_KINDS: usize = 2 * 3 * HEIGHTS.len();
pub(super) const NEIGHBOURS: usize = 2 * 3 * NEIGHBOUR_HEIGHTS.len();

/// Number of classes by whether each side can land on a tower, and whether it can land
/// on one of its opponent's.
const REACHES: usize = CLASSED_KINDS * 8;
const RANGES: usize = CLASSED_KINDS * 9;
const PAIRS: usize = NEIGHBOURS * NEIGHBOURS;
/// Number of outlines of one of three in a row: two sides, three values, single or stack.
pub(super) const OUTLINES: usize = 2 * 3 * 2;
pub(super) const CLASSES: usize = REACHES + RANGES + PAIRS + OUTLINES * OUTLINES * OUTLINES;

pub(super) const MAX_HEIGHT: u8 = 36;
/// Number of rows, with one before the others for an empty square.
pub(super) const ROWS: usize = 1 + 2 * 3 * MAX_HEIGHT as usize;

/// What the towers of a row have in common.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Kind {
    /// Whether the side to move tops it.
    pub is_own: bool,
    /// Value of the top pawn, 1 to 3.
    pub value: u8,
    /// Number of pawns, 1 to 36.
    pub height: u8,
}

impl Kind {
    pub(super) fn of(position: &Hokito, cell: Cell, is_own: bool) -> Self {
        Self {
            is_own,
            value: position.value(cell),
            height: position.height(cell),
        }
    }

    pub(super) fn all() -> impl Iterator<Item = Self> {
        let sides = [true, false].into_iter();
        let tops = sides.flat_map(|own| [(own, 1), (own, 2), (own, 3)]);
        tops.flat_map(|(is_own, value)| {
            (1..=MAX_HEIGHT).map(move |height| Self {
                is_own,
                value,
                height,
            })
        })
    }

    fn side_and_value(self) -> usize {
        usize::from(!self.is_own) * 3 + usize::from(self.value.clamp(1, 3)) - 1
    }

    pub(super) fn row(self) -> usize {
        let height = usize::from(self.height.clamp(1, MAX_HEIGHT));
        self.side_and_value() * usize::from(MAX_HEIGHT) + height
    }

    pub(super) fn classes(self, column: usize) -> [usize; 2] {
        let kind = self.side_and_value() * HEIGHTS.len() + class_of(self.height, &HEIGHTS);
        let [mine, theirs, all, opponents] = parts(column);
        let reach = mine + 2 * theirs + 4 * opponents.min(1);
        [kind * 8 + reach, REACHES + kind * 9 + 3 * all + opponents]
    }

    pub(super) fn as_neighbour(self) -> usize {
        let height = class_of(self.height, &NEIGHBOUR_HEIGHTS);
        self.side_and_value() * NEIGHBOUR_HEIGHTS.len() + height
    }

    pub(super) fn outline(self) -> usize {
        self.side_and_value() * 2 + usize::from(self.height > 1)
    }
}

pub(super) fn pair_class(one: usize, other: usize) -> usize {
    REACHES + RANGES + one.min(other) * NEIGHBOURS + one.max(other)
}

/// The class of a tower between two others, by their outlines.
pub(super) fn triple_class(middle: usize, [one, other]: [usize; 2]) -> usize {
    let ends = one.min(other) * OUTLINES + one.max(other);
    REACHES + RANGES + PAIRS + middle * OUTLINES * OUTLINES + ends
}

fn class_of(height: u8, least: &[u8]) -> usize {
    least[1..].iter().filter(|&&least| height >= least).count()
}

fn parts(column: usize) -> [usize; 4] {
    let mut rest = column;
    STEPS.map(|step| {
        let part = rest / step as usize;
        rest %= step as usize;
        part
    })
}

/// Whether the side to move, and whether the other, can land on a tower with this column.
pub(super) fn is_reached(column: usize) -> [bool; 2] {
    let [mine, theirs, _, _] = parts(column);
    [mine > 0, theirs > 0]
}

const WIDTH: usize = 6;
pub(super) const SQUARES: usize = WIDTH * WIDTH;

pub(super) const fn place_on_board(cell: Cell) -> usize {
    cell.rank() as usize % WIDTH * WIDTH + cell.file() as usize % WIDTH
}

/// The bits of a rank, each spread to a byte.
static SPREAD: [u64; 1 << WIDTH] = {
    let mut spread = [0; 1 << WIDTH];
    let mut bits = 0;
    while bits < spread.len() {
        let mut file = 0;
        while file < WIDTH {
            spread[bits] |= ((bits >> file & 1) as u64) << (8 * file);
            file += 1;
        }
        bits += 1;
    }
    spread
};

/// The columns of all squares: a byte for each file of each rank.
#[derive(Clone, Copy)]
pub(super) struct Columns([u64; WIDTH]);

impl Columns {
    pub(super) fn of(activity: &Activity) -> Self {
        let Activity {
            reached: [mine, theirs],
            all,
            opponents,
            ..
        } = activity;
        Self(std::array::from_fn(|rank| {
            let spread = |cells: &Cells| SPREAD[(cells.0 >> (8 * rank)) as usize % (1 << WIDTH)];
            // A byte holds any column, so none overflows into the next.
            spread(mine) * STEPS[0]
                + spread(theirs) * STEPS[1]
                + (spread(&all[0]) + spread(&all[1])) * STEPS[2]
                + (spread(&opponents[0]) + spread(&opponents[1])) * STEPS[3]
        }))
    }

    pub(super) fn at(&self, cell: Cell) -> usize {
        of_file(self.0[usize::from(cell.rank()) % WIDTH], cell.file().into())
    }

    /// The sum over all squares of what `of` returns for the square's entry in `table`,
    /// by [`place_on_board`], and its column.
    pub(super) fn sum<T: Copy>(&self, table: &[T; SQUARES], of: impl Fn(T, usize) -> i32) -> i32 {
        let mut sum = 0;
        for (&rank, entries) in self.0.iter().zip(table.as_chunks::<WIDTH>().0) {
            for (file, &entry) in entries.iter().enumerate() {
                sum += of(entry, of_file(rank, file));
            }
        }
        sum
    }
}

fn of_file(rank: u64, file: usize) -> usize {
    usize::from((rank >> (8 * file)) as u8)
}

pub(super) fn name(class: usize) -> String {
    if let Some(triple) = class.checked_sub(REACHES + RANGES + PAIRS) {
        let ends = triple % (OUTLINES * OUTLINES);
        let [middle, one, other] = [
            triple / (OUTLINES * OUTLINES),
            ends / OUTLINES,
            ends % OUTLINES,
        ]
        .map(|outline| kind_name(outline / 2, ["1", "2+"][outline % 2]));
        return format!("{middle} between {one} and {other}");
    }
    if let Some(pair) = class.checked_sub(REACHES + RANGES) {
        let [one, other] = [pair / NEIGHBOURS, pair % NEIGHBOURS].map(|kind| {
            let heights = ["1", "2", "4", "6+"];
            kind_name(kind / heights.len(), heights[kind % heights.len()])
        });
        return format!("{one} beside {other}");
    }
    let heights = ["1", "2", "4", "6", "8", "10-12", "14+"];
    let kind_name = |kind: usize| kind_name(kind / heights.len(), heights[kind % heights.len()]);
    let Some(range) = class.checked_sub(REACHES) else {
        let mut name = kind_name(class / 8);
        let reach = [
            ", within my reach",
            ", within the other's reach",
            ", can capture",
        ];
        for (bit, what) in reach.into_iter().enumerate() {
            if class >> bit & 1 != 0 {
                name.push_str(what);
            }
        }
        return name;
    };
    let counts = ["none", "one", "several"];
    let (all, opponents) = (counts[range / 3 % 3], counts[range % 3]);
    let kind = kind_name(range / 9);
    format!("{kind} that can land on {all}, {opponents} of its opponent's")
}

fn kind_name(side_and_value: usize, height: &str) -> String {
    let side = ["own", "other's"][side_and_value / 3 % 2];
    format!("{side} {} of height {height}", side_and_value % 3 + 1)
}
