//! Towers by row and column: nothing else counts in the weights of a single tower, by
//! hand or learned.
//!
//! A tower's *row* is its side, its value and its height. Its *column* says whether a
//! tower of the side to move can land on it, whether one of the other side can, on how
//! many towers it can land (none, one, more), and on how many of its opponent's. The
//! learned weights are for two classes of each tower, for one of each pair of
//! neighbours, in which several heights count as one, and for one of each three in a
//! row, in which all stacks count as one. In games from the start, stacks have even
//! heights; an odd one counts as the class below.

use wide::{u8x16, u16x8};

use super::activity::Activity;
use crate::game::{Cell, Cells, Hokito};
use crate::search::lanes::lanes_from;

pub(super) const COLUMNS: usize = 36;
/// What a step of each part of a column adds to it.
const STEPS: [u8; 4] = [18, 9, 3, 1];

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
        let part = rest / usize::from(step);
        rest %= usize::from(step);
        part
    })
}

/// Whether the side to move, and whether the other, can land on a tower with this column.
pub(super) fn is_reached(column: usize) -> [bool; 2] {
    let [mine, theirs, _, _] = parts(column);
    [mine > 0, theirs > 0]
}

/// Files and ranks of the board.
pub(super) const WIDTH: usize = 6;

/// The columns of all squares: a byte for each file of two ranks.
#[derive(Clone, Copy)]
pub(super) struct Columns([u8x16; WIDTH / 2]);

impl Columns {
    pub(super) fn of(activity: &Activity) -> Self {
        let mut columns = [u8x16::ZERO; WIDTH / 2];
        // A byte holds any column, so none overflows.
        let mut add = |cells: Cells, step: u8| {
            for (rank, columns) in (0..).step_by(2).zip(&mut columns) {
                *columns += lanes_from(cells.0, rank) & u8x16::splat(step);
            }
        };
        let [mine, theirs] = activity.reached;
        add(mine, STEPS[0]);
        add(theirs, STEPS[1]);
        for (all, opponents) in activity.all.into_iter().zip(activity.opponents) {
            add(all, STEPS[2]);
            add(opponents, STEPS[3]);
        }
        Self(columns)
    }

    pub(super) fn at(&self, cell: Cell) -> usize {
        let columns: [u8; 8 * WIDTH] = bytemuck::cast(self.0);
        columns[cell.index() % columns.len()].into()
    }

    /// The sum of the column of each square and the number that `rows` has for it, by rank and
    /// file.
    #[inline]
    pub(super) fn added_to(&self, rows: &[u16; 64]) -> [[u16; 8]; WIDTH] {
        std::array::from_fn(|rank| {
            let columns = match rank % 2 {
                0 => u16x8::from_u8x16_low(self.0[rank / 2]),
                _ => u16x8::from_u8x16_high(self.0[rank / 2]),
            };
            (u16x8::new(rows.as_chunks().0[rank]) + columns).to_array()
        })
    }
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
