//! Weights as the evaluation wants them.

use super::activity::Activity;
use super::classes::{COLUMNS, Columns, Kind, NEIGHBOURS, ROWS, SQUARES, pair_class};
use super::{HAVING_TO_MOVE, MOVABLE, MOVES, TERMS, terms_of_tower};
use crate::search::eval::Weights;

/// Entries of a table of towers: a power of two, so that no place is outside.
const ENTRIES: usize = (ROWS * COLUMNS).next_power_of_two();
/// The same of one row of a table of neighbours, with room for nobody.
const PARTNERS: usize = (NEIGHBOURS + 1).next_power_of_two();

/// The weights at each ply.
#[derive(Debug)]
pub struct Tables(Vec<AtPly>);

impl Tables {
    /// From the weights of terms, which come first, and of classes.
    pub(super) fn of(weights: &Weights) -> Self {
        Self((0..=36).map(|ply| AtPly::of(weights, ply)).collect())
    }

    /// Those of a ply, 36 at most.
    pub(super) fn at(&self, ply: usize) -> &AtPly {
        &self.0[ply]
    }
}

/// The weights at one ply, in thousandths of a logit. Nearly all is said of single
/// towers, and that is added up beforehand: terms and classes.
#[derive(Debug)]
pub(super) struct AtPly {
    /// By row and column.
    towers: Box<[i32; ENTRIES]>,
    /// By what two neighbours are.
    pairs: Box<[[i32; PARTNERS]; PARTNERS]>,
    having_to_move: i32,
    movable: i32,
    moves: i32,
}

impl AtPly {
    fn of(weights: &Weights, ply: usize) -> Self {
        let features = 0..weights.knots.len();
        let by_feature: Vec<i32> = features.map(|feature| weights.at(feature, ply)).collect();
        let (terms, classes) = by_feature.split_at(TERMS);
        let mut towers = Box::new([0; ENTRIES]);
        for kind in Kind::all() {
            for column in 0..COLUMNS {
                let amounts = terms_of_tower(kind, column).into_iter().zip(terms);
                let by_hand: i32 = amounts.map(|(amount, weight)| amount * weight).sum();
                let [standing, range] = kind.classes(column).map(|class| classes[class]);
                towers[kind.row() * COLUMNS + column] = by_hand + standing + range;
            }
        }
        let mut pairs = Box::new([[0; PARTNERS]; PARTNERS]);
        for (one, pairs) in pairs[..NEIGHBOURS].iter_mut().enumerate() {
            for (other, pair) in pairs[..NEIGHBOURS].iter_mut().enumerate() {
                *pair = classes[pair_class(one, other)];
            }
        }
        Self {
            towers,
            pairs,
            having_to_move: terms[HAVING_TO_MOVE],
            movable: terms[MOVABLE],
            moves: terms[MOVES],
        }
    }

    /// What a tower of a row weighs in a column.
    pub(super) fn tower(&self, row: Row, column: usize) -> i32 {
        self.towers[(usize::from(row.0) + column) % ENTRIES]
    }

    /// What the towers on all squares weigh, each in its column.
    pub(super) fn towers(&self, rows: &[Row; SQUARES], columns: &Columns) -> i32 {
        columns.sum(rows, |row, column| self.tower(row, column))
    }

    /// What two neighbours weigh.
    pub(super) fn pair(&self, one: Partner, other: Partner) -> i32 {
        self.pairs[usize::from(one.0) % PARTNERS][usize::from(other.0) % PARTNERS]
    }

    /// What a tower and its neighbours weigh together.
    pub(super) fn pairs(&self, one: Partner, others: [Partner; 4]) -> i32 {
        others.into_iter().map(|other| self.pair(one, other)).sum()
    }

    /// What weighs that is not said of single towers or pairs.
    pub(super) fn rest(&self, activity: &Activity) -> i32 {
        let difference = |[mine, theirs]: [i32; 2]| mine - theirs;
        self.having_to_move
            + self.movable * difference(activity.movable)
            + self.moves * difference(activity.moves)
    }
}

/// Where a row begins in a table of towers.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Row(u16);

impl Row {
    /// That of a square where nothing stands.
    pub(super) const EMPTY: Self = Self(0);

    /// That of a tower.
    pub(super) fn of(kind: Kind) -> Self {
        Self((kind.row() * COLUMNS) as u16)
    }
}

/// A neighbour, or nobody.
#[derive(Clone, Copy, Debug)]
pub(super) struct Partner(u8);

impl Partner {
    /// Beyond the last tower there is nobody.
    pub(super) const NOBODY: Self = Self(NEIGHBOURS as u8);

    /// A tower as a neighbour.
    pub(super) fn of(kind: Kind) -> Self {
        Self(kind.as_neighbour() as u8)
    }
}
