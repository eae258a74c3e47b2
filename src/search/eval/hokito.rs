//! What counts in Hokito: the squares that a side tops, because they are moves
//! in hand, and the points on them, by whether the opponent can take them.

use super::phase::{explain, interpolate, weigh};
use super::{Classic, Evaluate};
use crate::game::{Cells, Game, Hokito, Side};

/// Number of terms.
const TERMS: usize = 10;

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
];

/// Thousandths of a logit for a unit of each term at each knot, fitted by
/// logistic regression on the results of the engine's own games.
#[rustfmt::skip]
static WEIGHTS: [[i32; TERMS]; 37] = interpolate([
    [642, 552, 554, 343, 187],
    [255, 244, 207, 239, -42],
    [11, 150, 329, 212, -93],
    [166, 76, 21, 24, 77],
    [173, 90, 15, 3, -59],
    [-378, -200, 29, 40, 77],
    [-403, -267, -38, -50, 17],
    [1115, 1133, 818, 489, 24],
    [-18, 16, 4, 6, -28],
    [43, -38, 37, 66, 151],
]);

fn terms(position: &Hokito) -> [i32; TERMS] {
    let me = position.side();
    let reach =
        [me, me.other()].map(|side| position.reach(position.topped_by(side) & position.stacks()));
    let mine = side_terms(position, me, reach[0], reach[1]);
    let theirs = side_terms(position, me.other(), reach[1], reach[0]);
    let mut terms = [1; TERMS];
    for (term, (mine, theirs)) in terms[1..].iter_mut().zip(mine.into_iter().zip(theirs)) {
        *term = mine - theirs;
    }
    terms
}

/// The terms of one side, whose stacks can go to the stacks in `own` and the
/// opponent's to those in `other`.
fn side_terms(position: &Hokito, side: Side, own: Cells, other: Cells) -> [i32; TERMS - 1] {
    let tops = position.topped_by(side);
    let singles = tops - position.stacks();
    let stacks = tops & position.stacks();
    let count = |cells: Cells| cells.len() as i32;
    let single_points =
        (1..=3).map(|value| i32::from(value) * count(singles & position.topped_with(value)));
    let mut terms = [0; TERMS - 1];
    for cell in stacks {
        let height = i32::from(position.height(cell));
        let points = height * i32::from(position.value(cell));
        let at = usize::from(other.has(cell));
        terms[2 + at] += points;
        terms[4 + at] += height;
        if other.has(cell) && own.has(cell) {
            terms[7] += points;
            terms[8] += height;
        }
    }
    terms[0] = single_points.sum();
    terms[1] = count(singles);
    terms[6] = count(stacks);
    terms
}

impl Evaluate<Hokito> for Classic {
    fn evaluate(&self, position: &Hokito) -> i32 {
        weigh(&terms(position), weights(position))
    }

    fn explain(&self, position: &Hokito) -> Vec<(&'static str, i32)> {
        explain(&NAMES, &terms(position), weights(position))
    }
}

fn weights(position: &Hokito) -> &'static [i32; TERMS] {
    &WEIGHTS[36 - position.occupied().len().min(36) as usize]
}
