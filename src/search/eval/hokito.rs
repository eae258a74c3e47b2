//! What counts in Hokito: the squares that a side tops, because they are moves
//! in hand, and the points on them, by whether the opponent can take them.

mod children;
mod classes;
mod sums;

use super::learned::{Learnable, Learned, Weights};
use super::phase::{KNOTS, explain, interpolate, scaled, sum};
use super::{Classic, Evaluate, Odds, with_next};
use crate::game::{Cell, Cells, Game, Hokito, HokitoMove, Side};
use crate::search::Score;
use children::Children;
use classes::{CLASSES, COLUMNS, Rows, classes};
use sums::Sums;

/// Number of terms.
const TERMS: usize = 12;

/// Their names, for people.
const NAMES: [&str; TERMS] = [
    "having to move",
    "points of singles",
    "singles",
    "points of safe stacks",
    "points of stacks in danger",
    "height of safe stacks",
    "height of stacks in danger",
    "stacks",
    "points in danger but covered",
    "height in danger but covered",
    "towers that can move",
    "moves",
];

/// Thousandths of a logit for a unit of each term at each knot, fitted by
/// logistic regression on the results of the engine's own games; then the first
/// was raised by 70, as scores of odd and even depths differed.
#[rustfmt::skip]
const BY_HAND: [[i32; KNOTS.len()]; TERMS] = [
    [792, 810, 1088, 802, -1967],
    [342, 247, 270, 55, 639],
    [200, 249, 172, 67, -183],
    [165, 104, 43, 35, 73],
    [166, 78, 29, 5, 38],
    [-538, -258, -7, 68, -137],
    [-546, -217, -47, -23, -257],
    [1591, 1367, 1390, 57, 661],
    [8, 17, 6, -7, -9],
    [-37, -38, 7, 82, 152],
    [14, 92, 258, 261, -450],
    [-8, 14, 104, 252, 95],
];

static WEIGHTS: [[i32; TERMS]; 37] = interpolate(BY_HAND);

/// Learned weights at each ply.
#[derive(Debug)]
pub struct Tables {
    terms: Vec<[i32; TERMS]>,
    /// None where no class has a weight.
    rows: Vec<Rows>,
}

/// The weights at one ply.
#[derive(Clone, Copy)]
struct View<'a> {
    terms: &'a [i32; TERMS],
    rows: Option<&'a Rows>,
}

impl View<'static> {
    /// Those written by hand.
    fn by_hand(ply: usize) -> Self {
        Self {
            terms: &WEIGHTS[ply],
            rows: None,
        }
    }
}

impl Tables {
    fn at(&self, ply: usize) -> View<'_> {
        View {
            terms: &self.terms[ply],
            rows: self.rows.get(ply),
        }
    }
}

impl Learnable for Hokito {
    const FEATURES: &'static str = "hokito-1";
    const COUNT: usize = TERMS + CLASSES;
    type Tables = Tables;

    fn by_hand() -> Weights {
        Weights::of_terms(&BY_HAND, Self::COUNT)
    }

    fn tables(weights: &Weights) -> Tables {
        let has_classes = weights.has_classes::<Self>();
        let rows = |ply| {
            let mut rows = [[0; COLUMNS]; classes::ROWS];
            let classes = rows.iter_mut().flatten().zip(TERMS..);
            classes.for_each(|(weight, feature)| *weight = weights.at(feature, ply) as i16);
            rows
        };
        let terms = |ply| std::array::from_fn(|term| weights.at(term, ply));
        Tables {
            terms: (0..=36).map(terms).collect(),
            rows: (0..=36).filter(|_| has_classes).map(rows).collect(),
        }
    }

    fn ply(&self) -> usize {
        ply(self)
    }

    fn each_feature(&self, mut visit: impl FnMut(usize, i32, Option<Cell>)) {
        let activity = activity(self);
        for (term, amount) in terms(self, activity).into_iter().enumerate() {
            visit(term, amount, None);
        }
        for (cell, class) in classes(self, activity) {
            visit(TERMS + class, 1, Some(cell));
        }
    }

    fn term_name(feature: usize) -> Option<&'static str> {
        NAMES.get(feature).copied()
    }

    fn class_name(feature: usize) -> String {
        classes::name(feature - TERMS)
    }
}

/// What a side's towers can do.
#[derive(Clone, Copy, Default, Debug)]
struct Activity {
    /// Where they can go. Singles go onto singles and stacks onto stacks.
    reach: Cells,
    /// Those that can go onto one of the other side's.
    landing: Cells,
    /// Its towers that can move.
    movable: i32,
    /// Its moves.
    moves: i32,
}

impl Activity {
    fn of(position: &Hokito, side: Side, reach: impl Fn(Cell) -> Cells) -> Self {
        let [tops, others] = [side, side.other()].map(|side| position.topped_by(side));
        let mut activity = Self::default();
        for cell in tops {
            activity.add(cell, reach(cell), others);
        }
        activity
    }

    /// Adds what the tower on one square can do, where these are the other side's.
    fn add(&mut self, cell: Cell, targets: Cells, others: Cells) {
        self.reach |= targets;
        self.landing |= Cells(u64::from(targets.meets(others)) << cell.index());
        self.movable += i32::from(!targets.is_empty());
        self.moves += targets.len() as i32;
    }

    /// Adds what towers can do whose walks end there, each onto its like.
    fn add_all(&mut self, towers: impl Iterator<Item = (Cell, u64)>, alike: Cells, others: Cells) {
        for (cell, ends) in towers {
            self.add(cell, Cells(ends) & alike, others);
        }
    }
}

/// What the towers of the side to move and of the other can do.
fn activity(position: &Hokito) -> [Activity; 2] {
    let me = position.side();
    let reach = position.reaches(position.occupied());
    [me, me.other()].map(|side| Activity::of(position, side, &reach))
}

fn terms(position: &Hokito, activity: [Activity; 2]) -> [i32; TERMS] {
    let me = position.side();
    let tower = |cell| Sums::of_tower(position, cell);
    let [own, others] = [me, me.other()].map(|side| position.topped_by(side));
    let balance = own.into_iter().map(tower).sum::<Sums>() - others.into_iter().map(tower).sum();
    terms_of(position, balance, tower, activity)
}

/// The terms, from what the towers of the side to move and of the other can
/// do. `balance` is the difference of the sides' sums, `tower` gives those of
/// one tower.
fn terms_of(
    position: &Hokito,
    balance: Sums,
    tower: impl Fn(Cell) -> Sums,
    [mine, theirs]: [Activity; 2],
) -> [i32; TERMS] {
    let own = position.topped_by(position.side());
    let endangered = position.stacks() & (own & theirs.reach | (mine.reach - own));
    let both = mine.reach & theirs.reach;
    let (mut in_danger, mut covered) = (Sums::default(), Sums::default());
    for cell in endangered {
        // No branches here: they would be taken at random.
        let sums = tower(cell).negative_if(!own.has(cell));
        in_danger = in_danger + sums;
        covered = covered + sums.only_if(both.has(cell));
    }
    let safe = balance - in_danger;
    [
        1,
        balance.points_of_singles(),
        balance.singles(),
        safe.points_of_stacks(),
        in_danger.points_of_stacks(),
        safe.height_of_stacks(),
        in_danger.height_of_stacks(),
        balance.stacks(),
        covered.points_of_stacks(),
        covered.height_of_stacks(),
        mine.movable - theirs.movable,
        mine.moves - theirs.moves,
    ]
}

/// The value of a position under the weights of its ply, in centipoints.
fn value(position: &Hokito, weights: View<'_>) -> i32 {
    let activity = activity(position);
    let mut total = sum(&terms(position, activity), weights.terms);
    if let Some(rows) = weights.rows {
        let weight = |(_, class): (Cell, usize)| i32::from(rows.as_flattened()[class]);
        total += classes(position, activity).map(weight).sum::<i32>();
    }
    scaled(total)
}

/// Values of the positions behind moves, under the weights of their ply.
fn values_behind<'a>(
    position: &'a Hokito,
    weights: View<'a>,
) -> impl FnMut(HokitoMove, Option<&Hokito>) -> i32 + 'a {
    // Many nodes never ask.
    let mut children = None;
    move |mv, next| {
        let children = children.get_or_insert_with(|| Children::of(position, weights.rows));
        with_next(position, mv, next, |next| {
            scaled(sum(&children.terms_behind(mv, next), weights.terms) + children.classes_behind())
        })
    }
}

/// Squares that are empty.
fn ply(position: &Hokito) -> usize {
    36 - position.occupied().len().min(36) as usize
}

impl Evaluate<Hokito> for Classic {
    fn evaluate(&self, position: &Hokito) -> i32 {
        value(position, View::by_hand(ply(position)))
    }

    fn child_values<'a>(
        &'a self,
        position: &'a Hokito,
    ) -> impl FnMut(HokitoMove, Option<&Hokito>) -> i32 + 'a {
        values_behind(position, View::by_hand((ply(position) + 1).min(36)))
    }

    // Fitted on games of 20,000 nodes a move.
    fn odds(&self, _position: &Hokito, score: Score) -> Odds {
        Odds::logistic(score, 55.0, 6.0)
    }

    fn explain(&self, position: &Hokito) -> Vec<(&'static str, i32)> {
        explain(
            &NAMES,
            &terms(position, activity(position)),
            &WEIGHTS[ply(position)],
        )
    }
}

impl Evaluate<Hokito> for Learned<Hokito> {
    fn evaluate(&self, position: &Hokito) -> i32 {
        value(position, self.tables().at(ply(position)))
    }

    fn child_values<'a>(
        &'a self,
        position: &'a Hokito,
    ) -> impl FnMut(HokitoMove, Option<&Hokito>) -> i32 + 'a {
        values_behind(position, self.tables().at((ply(position) + 1).min(36)))
    }

    fn odds(&self, position: &Hokito, score: Score) -> Odds {
        self.odds_of(position, score)
    }

    fn squares(&self, position: &Hokito) -> Vec<(Cell, i32, String)> {
        self.squares_of(position)
    }

    fn explain(&self, position: &Hokito) -> Vec<(&'static str, i32)> {
        self.explain_with(position, "towers by their class")
    }
}
