//! What counts in Hokito: the squares that a side tops, because they are moves
//! in hand, and the points on them, by whether the opponent can take them.

mod family;
mod sums;

use super::phase::{explain, interpolate, weigh};
use super::{Classic, Evaluate, Odds, with_next};
use crate::game::{Cell, Cells, Game, Hokito, HokitoMove, Side};
use crate::search::Score;
use family::Family;
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
static WEIGHTS: [[i32; TERMS]; 37] = interpolate([
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
]);

/// What a side's towers can do.
#[derive(Clone, Copy, Default, Debug)]
struct Activity {
    /// Where its stacks can go.
    reach: Cells,
    /// Its towers that can move.
    movable: i32,
    /// Its moves.
    moves: i32,
}

impl Activity {
    fn of(position: &Hokito, side: Side, reach: impl Fn(Cell) -> Cells) -> Self {
        let tops = position.topped_by(side);
        let mut activity = Self::default();
        for cell in tops {
            activity.add(reach(cell), position.stacks().has(cell));
        }
        activity
    }

    /// Adds what one tower can do.
    fn add(&mut self, targets: Cells, is_stack: bool) {
        if is_stack {
            self.reach |= targets;
        }
        self.movable += i32::from(!targets.is_empty());
        self.moves += targets.len() as i32;
    }
}

fn terms(position: &Hokito) -> [i32; TERMS] {
    let me = position.side();
    let reach = position.reaches(position.occupied());
    let mine = Activity::of(position, me, &reach);
    let theirs = Activity::of(position, me.other(), &reach);
    let tower = |cell| Sums::of_tower(position, cell);
    let [own, others] = [me, me.other()].map(|side| position.topped_by(side));
    let balance = own.into_iter().map(tower).sum::<Sums>() - others.into_iter().map(tower).sum();
    terms_of(position, balance, tower, [mine, theirs])
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

impl Evaluate<Hokito> for Classic {
    fn evaluate(&self, position: &Hokito) -> i32 {
        weigh(&terms(position), weights(position))
    }

    fn behind<'a>(
        &'a self,
        position: &'a Hokito,
    ) -> impl FnMut(HokitoMove, Option<&Hokito>) -> i32 + 'a {
        // Many nodes never ask.
        let mut family = None;
        move |mv, next| {
            let family = family.get_or_insert_with(|| Family::of(position));
            with_next(position, mv, next, |next| {
                weigh(&family.terms_behind(mv, next), weights(next))
            })
        }
    }

    // Fitted on games of 20,000 nodes a move.
    fn odds(&self, _position: &Hokito, score: Score) -> Odds {
        Odds::logistic(score, 55.0, 6.0)
    }

    fn explain(&self, position: &Hokito) -> Vec<(&'static str, i32)> {
        explain(&NAMES, &terms(position), weights(position))
    }
}

fn weights(position: &Hokito) -> &'static [i32; TERMS] {
    &WEIGHTS[36 - position.occupied().len().min(36) as usize]
}
