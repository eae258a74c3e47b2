//! Classes of open squares, for weights that are learned.
//!
//! An open square's class is its distance to the totem (0 to 3, more is 3); the
//! ways on which the side to move, and the other side, could move the totem from
//! there (0 to 3, more is 3 each); by how much the values next to it favour the
//! side to move, in seven steps; and the open squares next to it (0 to 3, more is
//! 3). All but the distance does not depend on the totem, and is its *kind*.

use super::ground::Ground;
use super::stand::RINGS;
use super::{SQUARES, balance};
use crate::game::{Cell, Cells, Yoxii};

/// Distances.
const DISTANCES: usize = 4;
/// Steps of the balance.
const STEPS: usize = 7;
/// Kinds of squares.
const KINDS: usize = 4 * 4 * 4 * STEPS;
/// Number of classes: a class is its distance times [`KINDS`] and its kind.
pub(super) const CLASSES: usize = DISTANCES * KINDS;

/// The weights of all classes at one ply.
#[derive(Clone, Debug)]
pub(super) struct Table {
    /// By kind, far from the totem.
    far: [i16; KINDS],
    /// What is to be added by distance, if it is less.
    nearer: [[i16; KINDS]; DISTANCES - 1],
}

impl Table {
    pub(super) fn new(weight: impl Fn(usize) -> i16) -> Self {
        let far = std::array::from_fn(|kind| weight((DISTANCES - 1) * KINDS + kind));
        Self {
            far,
            nearer: std::array::from_fn(|distance| {
                std::array::from_fn(|kind| weight(distance * KINDS + kind) - far[kind])
            }),
        }
    }
}

/// The step of a balance: 3 where it is even.
fn step(balance: i32) -> usize {
    match balance {
        ..=-6 => 0,
        -5..=-3 => 1,
        -2..=-1 => 2,
        0 => 3,
        1..=2 => 4,
        3..=5 => 5,
        _ => 6,
    }
}

/// The kind of a square without its balance, times [`STEPS`].
fn rest_of_kind(ground: &Ground) -> impl Fn(Cell) -> usize {
    let planes = [ground.ways[0], ground.ways[1], ground.beside].map(|counts| counts.up_to_three());
    move |cell| {
        let bit = |plane: u64| (plane >> cell.index() & 1) as usize;
        let rest = planes.iter().fold(0, |rest, [low, high]| {
            rest << 2 | bit(*high) << 1 | bit(*low)
        });
        rest * STEPS
    }
}

/// The squares at a distance of 0, 1 and 2 from the totem.
fn rings(totem: Cell) -> [Cells; DISTANCES - 1] {
    [Cells::of(totem), Yoxii::near(totem), RINGS[totem.index()]]
}

/// The class of each open square.
pub(super) fn classes(position: &Yoxii, ground: &Ground) -> impl Iterator<Item = (Cell, usize)> {
    let rest = rest_of_kind(ground);
    let rings = rings(position.totem());
    let classes = ground.open.into_iter().map(move |cell| {
        let kind = rest(cell) + step(balance(position, Yoxii::near(cell)));
        let distance = rings.iter().position(|ring| ring.has(cell)).unwrap_or(3);
        (cell, distance * KINDS + kind)
    });
    classes
        .collect::<arrayvec::ArrayVec<_, SQUARES>>()
        .into_iter()
}

/// A class in words.
pub(super) fn name(class: usize) -> String {
    let (distance, kind) = (class / KINDS, class % KINDS);
    let (rest, step) = (kind / STEPS, kind % STEPS);
    let many = |count: usize| ["0", "1", "2", "3+"][count & 3];
    let balance = [
        "-6 or less",
        "-5 to -3",
        "-2 to -1",
        "0",
        "1 to 2",
        "3 to 5",
        "6 or more",
    ][step];
    format!(
        "open square {} from the totem, {} ways for me, {} for the other, balance {balance}, {} open beside",
        many(distance),
        many(rest >> 4),
        many(rest >> 2),
        many(rest),
    )
}

/// The kinds of the open squares, wherever the totem stands, for each value that
/// the last piece might have.
pub(super) struct Kinds {
    /// Of the squares that the last piece is not next to.
    kinds: [u16; 64],
    /// The squares that it is next to, and their kinds by its value.
    beside: Cells,
    by_value: [[u16; 4]; 64],
    /// The sum of the weights far from the totem, by the value of the piece.
    pub(super) far: [i32; 4],
}

impl Kinds {
    /// `last` is the opponent's last piece and its value, if it matters.
    pub(super) fn of(
        position: &Yoxii,
        ground: &Ground,
        last: Option<(Cell, u8)>,
        table: &Table,
    ) -> Self {
        let rest = rest_of_kind(ground);
        let (near, value) = last.map_or((Cells::EMPTY, 0), |(cell, value)| {
            (Yoxii::near(cell), i32::from(value))
        });
        let mut kinds = Self {
            kinds: [0; 64],
            beside: ground.open & near,
            by_value: [[0; 4]; 64],
            far: [0; 4],
        };
        let mut apart = 0;
        for cell in ground.open - near {
            let kind = rest(cell) + step(balance(position, Yoxii::near(cell)));
            kinds.kinds[cell.index() & 63] = kind as u16;
            apart += i32::from(table.far[kind]);
        }
        kinds.far = [apart; 4];
        for cell in kinds.beside {
            // The piece is the opponent's.
            let without = balance(position, Yoxii::near(cell)) + value;
            let rest = rest(cell);
            for (i, far) in kinds.far.iter_mut().enumerate() {
                let kind = rest + step(without - (i as i32 + 1));
                kinds.by_value[cell.index() & 63][i] = kind as u16;
                *far += i32::from(table.far[kind]);
            }
        }
        kinds
    }

    /// What the totem's square adds to [`Kinds::far`].
    pub(super) fn nearer(&self, totem: Cell, open: Cells, table: &Table) -> [i32; 4] {
        let mut apart = 0;
        let mut sums = [0; 4];
        for (ring, nearer) in rings(totem).into_iter().zip(&table.nearer) {
            for cell in (ring & open) - self.beside {
                apart += i32::from(nearer[usize::from(self.kinds[cell.index() & 63])]);
            }
            for cell in ring & self.beside {
                let kinds = self.by_value[cell.index() & 63];
                for (sum, kind) in sums.iter_mut().zip(kinds) {
                    *sum += i32::from(nearer[usize::from(kind)]);
                }
            }
        }
        sums.map(|sum| sum + apart)
    }
}
