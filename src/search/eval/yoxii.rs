//! What counts in Yoxii: where the values lie, which of them can still count,
//! what is kept in hand, and how closely the totem is shut in.

use super::phase::{explain, interpolate, weigh};
use super::{Classic, Evaluate};
use crate::game::{Cells, Game, Side, Yoxii};

/// Squares at a distance of exactly two and three king's steps from each cell.
static RINGS: [[Cells; 64]; 2] = {
    let mut rings = [[Cells::EMPTY; 64]; 2];
    let mut cell = 0usize;
    while cell < 64 {
        let mut other = 0usize;
        while other < 64 {
            let files = (cell % 8).abs_diff(other % 8);
            let ranks = (cell / 8).abs_diff(other / 8);
            let far = if files > ranks { files } else { ranks };
            if far == 2 || far == 3 {
                rings[far - 2][cell].0 |= Yoxii::BOARD.0 & (1 << other);
            }
            other += 1;
        }
        cell += 1;
    }
    rings
};

/// Number of terms.
const TERMS: usize = 13;

/// Their names, for people.
const NAMES: [&str; TERMS] = [
    "having to move",
    "value next to the totem",
    "value two steps away",
    "value three steps away",
    "value on the board",
    "pieces next to the totem",
    "pieces two steps away",
    "own totem moves",
    "opponent's totem moves",
    "fours in reserve",
    "value next to an open totem",
    "free squares next to the totem",
    "value that can still count",
];

/// Thousandths of a logit for a unit of each term at each knot, fitted by
/// logistic regression on the results of the engine's own games.
#[rustfmt::skip]
static WEIGHTS: [[i32; TERMS]; 37] = interpolate([
    [262, 66, -148, -394, -1608],
    [-276, -42, -15, 34, 51],
    [-253, -55, -20, 60, -50],
    [-58, -8, 20, 56, 32],
    [167, 80, 17, -74, -336],
    [452, -10, 69, 178, 250],
    [509, 64, 111, 122, 376],
    [-0, 65, 286, 898, 2339],
    [-80, -98, -113, -239, -83],
    [-9, 117, 125, 236, -565],
    [6, -2, 1, 32, 197],
    [80, 49, -100, -384, -758],
    [71, 10, 29, 95, 142],
]);

fn terms(position: &Yoxii) -> [i32; TERMS] {
    let me = position.side();
    let totem = position.totem();
    let near = Yoxii::near(totem);
    let [second, third] = [RINGS[0][totem.index()], RINGS[1][totem.index()]];
    let free = position.free();
    let value = |cells| position.sum(me, cells) - position.sum(me.other(), cells);
    let pieces = |cells: Cells| {
        (position.pieces(me) & cells).len() as i32
            - (position.pieces(me.other()) & cells).len() as i32
    };
    let targets = |side: Side| position.totem_targets(side).len() as i32;
    let open = (near & free).len() as i32;
    let adjacent = value(near);
    let fours = |side: Side| i32::from(position.reserve(side)[3]);
    [
        1,
        adjacent,
        value(second),
        value(third),
        value(Yoxii::BOARD),
        pieces(near),
        pieces(second),
        targets(me),
        targets(me.other()),
        fours(me) - fours(me.other()),
        adjacent * open,
        open,
        value(spread(free)),
    ]
}

/// The squares next to any of `cells`, and perhaps some of `cells`.
fn spread(cells: Cells) -> Cells {
    let row = cells.0 | cells.0 << 1 | cells.0 >> 1;
    Cells(row | row << 8 | row >> 8)
}

impl Evaluate<Yoxii> for Classic {
    fn evaluate(&self, position: &Yoxii) -> i32 {
        weigh(&terms(position), weights(position))
    }

    fn explain(&self, position: &Yoxii) -> Vec<(&'static str, i32)> {
        explain(&NAMES, &terms(position), weights(position))
    }
}

fn weights(position: &Yoxii) -> &'static [i32; TERMS] {
    &WEIGHTS[(Yoxii::MAX_PLIES - position.plies_left()) as usize]
}
