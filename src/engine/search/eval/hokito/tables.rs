//! Weights in the form in which the evaluation uses them.

use super::activity::Activity;
use super::classes::{
    COLUMNS, Columns, Kind, NEIGHBOURS, OUTLINES, ROWS, WIDTH, pair_class, triple_class,
};
use super::{HAVING_TO_MOVE, MOVABLE, MOVES, TERMS, terms_of_tower};
use crate::search::eval::Weights;

/// Entries of the table of towers: a power of two, so that keeping an index inside is
/// cheap.
const ENTRIES: usize = (ROWS * COLUMNS).next_power_of_two();
/// The same for a row of the table of pairs, with room for [`Partner::NOBODY`].
const PARTNERS: usize = (NEIGHBOURS + 1).next_power_of_two();
const TRIPLES: usize = (OUTLINES + 1).next_power_of_two();

/// The weights at one ply, in thousandths of a logit. Nearly all terms and classes belong
/// to single towers, and their weights are added up in advance.
#[derive(Debug)]
pub struct AtPly {
    towers: Box<[i32; ENTRIES]>,
    pairs: Box<[[i32; PARTNERS]; PARTNERS]>,
    /// By the outlines of a tower and of those on both sides of it; in small numbers, as
    /// there are many.
    triples: Box<[[[i16; TRIPLES]; TRIPLES]; TRIPLES]>,
    having_to_move: i32,
    movable: i32,
    moves: i32,
}

impl AtPly {
    /// Computes these from the weights of terms, which come first, and of classes.
    pub(super) fn of(weights: &Weights, ply: usize) -> Self {
        let features = 0..weights.knots.len();
        let by_feature: Vec<i32> = features.map(|feature| weights.at(feature, ply)).collect();
        let (terms, classes) = by_feature.split_at(TERMS);
        let mut towers = Box::new([0; ENTRIES]);
        for kind in Kind::all() {
            for column in 0..COLUMNS {
                let amounts = terms_of_tower(kind, column).into_iter().zip(terms);
                let by_hand: i32 = amounts.map(|(amount, weight)| amount * weight).sum();
                let [reach, range] = kind.classes(column).map(|class| classes[class]);
                towers[kind.row() * COLUMNS + column] = by_hand + reach + range;
            }
        }
        let mut pairs = Box::new([[0; PARTNERS]; PARTNERS]);
        for (one, pairs) in pairs[..NEIGHBOURS].iter_mut().enumerate() {
            for (other, pair) in pairs[..NEIGHBOURS].iter_mut().enumerate() {
                *pair = classes[pair_class(one, other)];
            }
        }
        let mut triples = Box::new([[[0; TRIPLES]; TRIPLES]; TRIPLES]);
        for (middle, triples) in triples[..OUTLINES].iter_mut().enumerate() {
            for (one, triples) in triples[..OUTLINES].iter_mut().enumerate() {
                for (other, triple) in triples[..OUTLINES].iter_mut().enumerate() {
                    *triple = classes[triple_class(middle, [one, other])] as i16;
                }
            }
        }
        Self {
            towers,
            pairs,
            triples,
            having_to_move: terms[HAVING_TO_MOVE],
            movable: terms[MOVABLE],
            moves: terms[MOVES],
        }
    }

    /// The weight of a tower whose row begins at `row`.
    pub(super) fn tower(&self, row: u16, column: usize) -> i32 {
        self.towers[(usize::from(row) + column) % ENTRIES]
    }

    /// The weight of all towers, by where the row of each square's begins. It is not inlined,
    /// because the caller needs the registers.
    #[inline(never)]
    pub(super) fn towers(&self, rows: &[u16; 64], columns: &Columns) -> i32 {
        let mut sum = 0;
        for rank in columns.added_to(rows) {
            for place in &rank[..WIDTH] {
                sum += self.tower(*place, 0);
            }
        }
        sum
    }

    pub(super) fn pair(&self, one: Partner, other: Partner) -> i32 {
        self.pairs[usize::from(one.neighbour) % PARTNERS][usize::from(other.neighbour) % PARTNERS]
    }

    pub(super) fn triple(&self, middle: Partner, [one, other]: [Partner; 2]) -> i32 {
        let [middle, one, other] =
            [middle, one, other].map(|tower| usize::from(tower.outline) % TRIPLES);
        i32::from(self.triples[middle][one][other])
    }

    /// The weight of the pairs and triples to which a tower belongs in its rank or
    /// file.
    pub(super) fn amid(&self, tower: Partner, line: Line) -> i32 {
        let Line([before, left, right, after]) = line;
        self.pair(tower, left)
            + self.pair(tower, right)
            + self.triple(left, [before, tower])
            + self.triple(tower, [left, right])
            + self.triple(right, [tower, after])
    }

    /// The weight of the pair and the triples of such a line without the tower.
    pub(super) fn closed(&self, line: Line) -> i32 {
        let Line([before, left, right, after]) = line;
        self.pair(left, right)
            + self.triple(left, [before, right])
            + self.triple(right, [left, after])
    }

    pub(super) fn rest(&self, activity: &Activity) -> i32 {
        let difference = |[mine, theirs]: [i32; 2]| mine - theirs;
        self.having_to_move
            + self.movable * difference(activity.movable)
            + self.moves * difference(activity.moves)
    }
}

/// Where the row of a tower begins in the table of towers; that of an empty square begins at 0.
pub(super) fn row_offset(kind: Kind) -> u16 {
    (kind.row() * COLUMNS) as u16
}

/// A tower as one of a pair or a triple, by its numbers there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Partner {
    neighbour: u8,
    outline: u8,
}

impl Partner {
    /// Stands for what is beyond the last tower of a line.
    pub(super) const NOBODY: Self = Self {
        neighbour: NEIGHBOURS as u8,
        outline: OUTLINES as u8,
    };

    pub(super) fn of(kind: Kind) -> Self {
        Self {
            neighbour: kind.as_neighbour() as u8,
            outline: kind.outline() as u8,
        }
    }
}

/// The two towers on either side of one, in their order in its rank or file: the inner
/// two are next to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line(pub(super) [Partner; 4]);
