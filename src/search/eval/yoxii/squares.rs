//! Classes of open squares, for weights that are learned.
//!
//! An open square's class is its distance to the totem (0 to 3, more is 3); the
//! ways on which the side to move, and the other side, could move the totem from
//! there (0 to 3, more is 3 each); by how much the values next to it favour the
//! side to move, in seven steps; and the open squares next to it (0 to 3, more is
//! 3). All but the distance does not depend on the totem, and is its *kind*.

use arrayvec::ArrayVec;

use super::counts::Counts;
use super::pieces::PieceTerms;
use super::{SQUARES, balance};
use crate::game::{Cell, Cells, Game, Yoxii};

/// Distances.
const DISTANCES: usize = 4;
/// Steps of the balance.
const STEPS: usize = 7;
/// Kinds of squares without their balance, and all.
const RESTS: usize = 4 * 4 * 4;
const KINDS: usize = RESTS * STEPS;
/// Number of classes: a class is its distance times [`KINDS`] and its kind.
pub(super) const CLASSES: usize = DISTANCES * KINDS;

/// The weights of all classes at one ply, by distance and [`index`]: the balance
/// is not in steps here, so that those for all values that a piece next to the
/// square might have lie side by side.
#[derive(Clone, Debug)]
pub(super) struct Table([[i16; RESTS * BALANCES]; DISTANCES]);

/// The places of balances from -10 to 10.
const BALANCES: usize = 21;

impl Table {
    pub(super) fn new(weight: impl Fn(usize) -> i16) -> Self {
        Self(std::array::from_fn(|distance| {
            std::array::from_fn(|index| {
                let (rest, balance) = (index / BALANCES, index % BALANCES);
                let step = step(balance as i32 - 10);
                weight(distance * KINDS + rest * STEPS + step)
            })
        }))
    }

    fn at(&self, distance: u8, index: u16) -> i32 {
        i32::from(self.0[usize::from(distance) % DISTANCES][usize::from(index)])
    }

    /// The weights with an opposing piece of 1 to 4 next to the square, of which
    /// `index` knows nothing.
    fn beside(&self, distance: u8, index: u16) -> [i32; 4] {
        let row = &self.0[usize::from(distance) % DISTANCES];
        let end = usize::from(index);
        let by_value: [i16; 4] = *row[end - 4..].first_chunk().expect("an index is 4 or more");
        let [four, three, two, one] = by_value.map(i32::from);
        [one, two, three, four]
    }
}

/// The place of a square's weights, by its kind.
fn index(rest: usize, balance: i32) -> u16 {
    // From 6 to 10 and an opposing piece more, the step may change.
    let balance = balance.clamp(-6, 10) + 10;
    (rest * BALANCES) as u16 + balance as u16
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

/// What an open square's kind depends on but its balance: bit planes, from the
/// greatest down.
#[derive(Clone, Copy)]
struct Planes([u64; 6]);

impl Planes {
    /// `ways` are those of the side to move and of the other.
    fn of(ways: [Counts; 2], beside: Counts) -> Self {
        let [mine, theirs, beside] = [ways[0], ways[1], beside].map(Counts::up_to_three);
        Self([mine[1], mine[0], theirs[1], theirs[0], beside[1], beside[0]])
    }

    fn rest(self, cell: Cell) -> usize {
        let bits = self.0.map(|plane| (plane >> cell.index() & 1) as usize);
        bits.into_iter().fold(0, |rest, bit| rest << 1 | bit)
    }

    /// The squares that differ.
    fn changed(self, other: Self) -> Cells {
        let pairs = self.0.into_iter().zip(other.0);
        Cells(pairs.fold(0, |all, (one, two)| all | (one ^ two)))
    }
}

/// Distances of squares, 3 if more.
static FAR: [[u8; 64]; 64] = {
    let mut distances = [[0; 64]; 64];
    let mut cell = 0usize;
    while cell < 64 * 64 {
        let (one, two) = (cell / 64, cell % 64);
        let (files, ranks) = ((one % 8).abs_diff(two % 8), (one / 8).abs_diff(two / 8));
        let most = if files > ranks { files } else { ranks };
        distances[one][two] = if most > 3 { 3 } else { most as u8 };
        cell += 1;
    }
    distances
};

fn distance(from: Cell, to: Cell) -> u8 {
    FAR[from.index() & 63][to.index() & 63]
}

/// The class of each open square.
pub(super) fn classes(
    position: &Yoxii,
    piece_terms: &PieceTerms,
) -> impl Iterator<Item = (Cell, usize)> {
    let (planes, totem) = (
        Planes::of(piece_terms.ways, piece_terms.beside),
        position.totem(),
    );
    let classes = piece_terms.open.into_iter().map(|cell| {
        let step = step(balance(position, Yoxii::near(cell)));
        let kind = planes.rest(cell) * STEPS + step;
        (cell, usize::from(distance(totem, cell)) * KINDS + kind)
    });
    classes.collect::<ArrayVec<_, SQUARES>>().into_iter()
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

/// The kinds of a position's open squares, wherever the totem stands, as those of
/// the side to move or as those of the other.
pub(super) struct Kinds<'a> {
    table: &'a Table,
    open: Cells,
    planes: Planes,
    /// The [`index`] of each open square.
    indices: [u16; 64],
}

impl<'a> Kinds<'a> {
    /// For the side to move.
    pub(super) fn of(position: &Yoxii, piece_terms: &PieceTerms, table: &'a Table) -> Self {
        let planes = Planes::of(piece_terms.ways, piece_terms.beside);
        Self::with(position, piece_terms.open, planes, table, 1)
    }

    /// For the other side, which is to move next.
    pub(super) fn of_next(position: &Yoxii, table: &'a Table) -> Self {
        let (me, open) = (position.side(), Yoxii::BOARD - position.occupied());
        let ways = [me.other(), me].map(|side| Counts::of_ways(position.pieces(side), open));
        let planes = Planes::of(ways, Counts::beside(open));
        Self::with(position, open, planes, table, -1)
    }

    fn with(position: &Yoxii, open: Cells, planes: Planes, table: &'a Table, sign: i32) -> Self {
        let mut indices = [0; 64];
        for cell in open {
            let balance = sign * balance(position, Yoxii::near(cell));
            indices[cell.index() & 63] = index(planes.rest(cell), balance);
        }
        Self {
            table,
            open,
            planes,
            indices,
        }
    }

    /// The sum of the weights with the totem on a square.
    pub(super) fn sum(&self, totem: Cell) -> i32 {
        let weight = |cell: Cell| {
            let index = self.indices[cell.index() & 63];
            self.table.at(distance(totem, cell), index)
        };
        self.open.into_iter().map(weight).sum()
    }

    /// What the opponent's piece on a square changes; the terms are those with it.
    pub(super) fn with_piece(&self, piece: Cell, piece_terms: &PieceTerms) -> Changes {
        let planes = Planes::of(piece_terms.ways, piece_terms.beside);
        let near = Yoxii::near(piece) & piece_terms.open;
        let apart = (self.planes.changed(planes) & piece_terms.open) - near;
        let change = |cell: Cell| {
            let old = self.indices[cell.index() & 63];
            let balance = old % BALANCES as u16;
            Change {
                cell,
                old,
                new: (planes.rest(cell) * BALANCES) as u16 + balance,
            }
        };
        Changes {
            piece,
            beside: near.into_iter().map(change).collect(),
            apart: apart.into_iter().map(change).collect(),
        }
    }

    /// By how much the sum differs after such changes, for each value that the piece
    /// might have.
    pub(super) fn difference(&self, totem: Cell, changes: &Changes) -> [i32; 4] {
        let piece = changes.piece;
        let before = self.indices[piece.index() & 63];
        let mut all = -self.table.at(distance(totem, piece), before);
        for change in &changes.apart {
            let distance = distance(totem, change.cell);
            all += self.table.at(distance, change.new) - self.table.at(distance, change.old);
        }
        let mut sums = [0; 4];
        for change in &changes.beside {
            let distance = distance(totem, change.cell);
            all -= self.table.at(distance, change.old);
            let weights = self.table.beside(distance, change.new);
            for (sum, weight) in sums.iter_mut().zip(weights) {
                *sum += weight;
            }
        }
        sums.map(|sum| sum + all)
    }
}

/// What a piece changes about the kinds of open squares.
pub(super) struct Changes {
    /// Its square, which is open no more.
    piece: Cell,
    /// The squares next to it.
    beside: ArrayVec<Change, 8>,
    apart: ArrayVec<Change, SQUARES>,
}

/// The [`index`] of a square before and after, without what the piece is worth.
#[derive(Clone, Copy)]
struct Change {
    cell: Cell,
    old: u16,
    new: u16,
}
