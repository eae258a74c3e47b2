//! What counts in Hokito: the squares that a side tops, because they are moves
//! in hand, and the points on them, depending on whether the opponent can take them.

mod activity;
mod children;
mod classes;
mod tables;

use std::sync::LazyLock;

use super::learned::{Features, Learnable, Learned, Term, Weights};
use super::phase::to_centipoints;
use crate::game::{Cell, Cells, Game, Hokito, HokitoMove};
use crate::search::hokito_walks::LinkedTowers;
use activity::Activity;
use children::{Children, together};
use classes::{CLASSES, Columns, Kind, is_reached, pair_class, triple_class};
use tables::{AtPly, Partner, row_offset};

const TERMS: usize = 12;

/// Thousandths of a logit per unit of each term at each knot, fitted by logistic
/// regression to the results of the engine's own games; then the first was raised by
/// 70, as scores of odd and even depths differed.
#[rustfmt::skip]
const BY_HAND: [Term; TERMS] = [
    ("having to move", [792, 810, 1088, 802, -1967]),
    ("points of singles", [342, 247, 270, 55, 639]),
    ("singles", [200, 249, 172, 67, -183]),
    ("points of safe stacks", [165, 104, 43, 35, 73]),
    ("points of stacks in danger", [166, 78, 29, 5, 38]),
    ("height of safe stacks", [-538, -258, -7, 68, -137]),
    ("height of stacks in danger", [-546, -217, -47, -23, -257]),
    ("stacks", [1591, 1367, 1390, 57, 661]),
    ("points in danger but covered", [8, 17, 6, -7, -9]),
    ("height in danger but covered", [-37, -38, 7, 82, 152]),
    ("towers that can move", [14, 92, 258, 261, -450]),
    ("moves", [-8, 14, 104, 252, 95]),
];

// Indices of the terms.
const HAVING_TO_MOVE: usize = 0;
const SINGLE_POINTS: usize = 1;
const SINGLES: usize = 2;
const SAFE_POINTS: usize = 3;
const ENDANGERED_POINTS: usize = 4;
const SAFE_HEIGHT: usize = 5;
const ENDANGERED_HEIGHT: usize = 6;
const STACKS: usize = 7;
const COVERED_POINTS: usize = 8;
const COVERED_HEIGHT: usize = 9;
const MOVABLE: usize = 10;
const MOVES: usize = 11;

impl Features for Hokito {
    const FEATURES: &'static str = "hokito-3";
    const COUNT: usize = TERMS + CLASSES;
    const ALL_CLASSES: &'static str = "towers by their class, neighbours and rows";

    fn each_feature(&self, mut visit: impl FnMut(usize, i32, Cells)) {
        let activity = Activity::of(self, &LinkedTowers::of(self.occupied().0));
        for (term, amount) in terms(self, &activity).into_iter().enumerate() {
            visit(term, amount, Cells::EMPTY);
        }
        for (cell, kind, column) in towers(self, &activity) {
            for class in kind.classes(column) {
                visit(TERMS + class, 1, Cells::of(cell));
            }
        }
        for (cells, [one, other]) in pairs(self) {
            let class = pair_class(one.as_neighbour(), other.as_neighbour());
            visit(TERMS + class, 1, cells);
        }
        for (cells, middle, ends) in triples(self) {
            let class = triple_class(middle.outline(), ends.map(Kind::outline));
            visit(TERMS + class, 1, cells);
        }
    }

    fn term_name(feature: usize) -> Option<&'static str> {
        BY_HAND.get(feature).map(|&(name, _)| name)
    }

    fn class_name(feature: usize) -> String {
        classes::name(feature - TERMS)
    }
}

impl Learnable for Hokito {
    const CLASSIC_ODDS: (f64, f64) = (55.0, 6.0);
    type AtPly = AtPly;

    fn by_hand() -> Weights {
        Weights::of_terms(&BY_HAND, Self::COUNT)
    }

    fn classic() -> &'static Learned<Self> {
        static CLASSIC: LazyLock<Learned<Hokito>> = LazyLock::new(Learned::by_hand);
        &CLASSIC
    }

    fn at_ply(weights: &Weights, ply: usize) -> AtPly {
        AtPly::of(weights, ply)
    }

    fn value_by(&self, weights: &AtPly) -> i32 {
        let linked = LinkedTowers::of(self.occupied().0);
        let activity = Activity::of(self, &linked);
        let mut partners = [Partner::NOBODY; 64];
        let mut of_towers = 0;
        for (cell, kind, column) in towers(self, &activity) {
            partners[cell.index()] = Partner::of(kind);
            of_towers += weights.tower(row_offset(kind), column);
        }
        let together = together(self, weights, &linked, &partners);
        to_centipoints(of_towers + together + weights.rest(&activity))
    }

    fn child_values_by<'a>(
        &'a self,
        weights: &'a AtPly,
    ) -> impl FnMut(HokitoMove, Option<&Self>) -> i32 + 'a {
        // Many nodes never ask for a value.
        let mut children = None;
        move |mv, _| {
            let children = children.get_or_insert_with(|| Children::of(self, weights));
            to_centipoints(children.child_weight(mv))
        }
    }
}

/// The towers of a position, with their kinds and columns.
fn towers<'a>(
    position: &'a Hokito,
    activity: &Activity,
) -> impl Iterator<Item = (Cell, Kind, usize)> + use<'a> {
    let (kind, columns) = (kinds(position), Columns::of(activity));
    let towers = position.occupied().into_iter();
    towers.map(move |cell| (cell, kind(cell), columns.at(cell)))
}

fn kinds(position: &Hokito) -> impl Fn(Cell) -> Kind + Copy + use<'_> {
    let own = position.topped_by(position.side());
    move |cell| Kind::of(position, cell, own.has(cell))
}

/// The pairs of towers that are next to each other in a rank or file, however many
/// empty squares lie between.
fn pairs(position: &Hokito) -> impl Iterator<Item = (Cells, [Kind; 2])> + use<'_> {
    let kind = kinds(position);
    position.occupied().into_iter().flat_map(move |cell| {
        let neighbours = position.next_to(cell).into_iter();
        let before = neighbours.filter(move |other| other.index() < cell.index());
        before.map(move |other| {
            let cells = Cells::of(cell) | Cells::of(other);
            (cells, [kind(cell), kind(other)])
        })
    })
}

/// The towers that stand between two others of their rank or file, with these two.
fn triples(position: &Hokito) -> impl Iterator<Item = (Cells, Kind, [Kind; 2])> + use<'_> {
    let kind = kinds(position);
    position.occupied().into_iter().flat_map(move |cell| {
        let of_line = move |is_rank: bool| {
            let neighbours = position.next_to(cell).into_iter();
            let mut ends = neighbours.filter(|other| (other.rank() == cell.rank()) == is_rank);
            let ends = [ends.next()?, ends.next()?];
            let cells = Cells::of(ends[0]) | Cells::of(cell) | Cells::of(ends[1]);
            Some((cells, kind(cell), ends.map(kind)))
        };
        [true, false].into_iter().filter_map(of_line)
    })
}

fn terms_of_tower(kind: Kind, column: usize) -> [i32; TERMS] {
    let sign = if kind.is_own { 1 } else { -1 };
    let [value, height] = [kind.value, kind.height].map(|n| sign * i32::from(n));
    let points = value * i32::from(kind.height);
    let mut terms = [0; TERMS];
    if kind.height == 1 {
        (terms[SINGLE_POINTS], terms[SINGLES]) = (value, sign);
        return terms;
    }
    let [by_me, by_the_other] = is_reached(column);
    let is_in_danger = if kind.is_own { by_the_other } else { by_me };
    if is_in_danger {
        (terms[ENDANGERED_POINTS], terms[ENDANGERED_HEIGHT]) = (points, height);
    } else {
        (terms[SAFE_POINTS], terms[SAFE_HEIGHT]) = (points, height);
    }
    terms[STACKS] = sign;
    if by_me && by_the_other {
        (terms[COVERED_POINTS], terms[COVERED_HEIGHT]) = (points, height);
    }
    terms
}

fn terms(position: &Hokito, activity: &Activity) -> [i32; TERMS] {
    let mut terms = [0; TERMS];
    for (_, kind, column) in towers(position, activity) {
        for (term, more) in terms.iter_mut().zip(terms_of_tower(kind, column)) {
            *term += more;
        }
    }
    let difference = |[mine, theirs]: [i32; 2]| mine - theirs;
    terms[HAVING_TO_MOVE] = 1;
    terms[MOVABLE] = difference(activity.movable);
    terms[MOVES] = difference(activity.moves);
    terms
}
