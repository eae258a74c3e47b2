//! What counts in Yoxii: where the values lie, which of them can still count,
//! what is kept in hand, and how closely the totem is shut in.

use super::phase::{explain, interpolate, scaled, sum, weigh};
use super::{Classic, Evaluate, Odds};
use crate::game::{Cell, Cells, Game, Side, Yoxii, YoxiiMove};
use crate::search::Score;

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
const TERMS: usize = 17;

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
    "value times its free neighbours",
    "ones in reserve",
    "twos in reserve",
    "threes in reserve",
];

/// Thousandths of a logit for a unit of each term at each knot, fitted by
/// logistic regression on the results of the engine's own games; then the first
/// was raised by 55, so that scores of odd and even depths agree.
#[rustfmt::skip]
static WEIGHTS: [[i32; TERMS]; 37] = interpolate([
    [529, 286, -36, -520, -682],
    [105, 51, 64, 319, -463],
    [34, -22, 8, 149, -153],
    [3, -7, 16, 59, -39],
    [4, 85, 55, -8, 114],
    [-116, -42, 35, -492, 650],
    [-95, 17, 79, -35, 12],
    [73, 76, 347, 1197, 1372],
    [-66, -13, -123, -169, 188],
    [233, 150, 238, 349, -163],
    [-10, -14, -12, 36, 157],
    [-19, -37, -85, -456, 193],
    [112, -22, 0, -24, 125],
    [17, 30, 42, 48, 36],
    [-561, -411, -400, 122, -108],
    [-296, -270, -244, -265, 160],
    [-42, -119, -39, -417, -1484],
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
    let (own, others) = (position.reserve(me), position.reserve(me.other()));
    let reserve = |value: usize| i32::from(own[value - 1]) - i32::from(others[value - 1]);
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
        reserve(4),
        adjacent * open,
        open,
        value(spread(free)),
        value_by_neighbours(free, value),
        reserve(1),
        reserve(2),
        reserve(3),
    ]
}

/// The sum of `value` over pieces, each times the number of its neighbours in
/// `cells`. The numbers of all squares are added up at once, in bit planes.
fn value_by_neighbours(cells: Cells, value: impl Fn(Cells) -> i32) -> i32 {
    // Three in a row, with and without the middle, as sums of two bits.
    let (west, east) = (cells.0 << 1, cells.0 >> 1);
    let pair = [west ^ east, west & east];
    let three = [pair[0] ^ cells.0, pair[1] | pair[0] & cells.0];
    let [below, above] = [three.map(|plane| plane << 8), three.map(|plane| plane >> 8)];
    let (ones, carry) = full_add(below[0], above[0], pair[0]);
    let (twos, fours) = full_add(below[1], above[1], pair[1]);
    let (twos, carry) = (twos ^ carry, twos & carry);
    let (fours, eights) = (fours ^ carry, fours & carry);
    value(Cells(ones)) + 2 * value(Cells(twos)) + 4 * value(Cells(fours)) + 8 * value(Cells(eights))
}

/// Sum and carry of three bits, in every place.
const fn full_add(a: u64, b: u64, c: u64) -> (u64, u64) {
    (a ^ b ^ c, a & b | c & (a ^ b))
}

/// The squares next to any of `cells`, and perhaps some of `cells`.
fn spread(cells: Cells) -> Cells {
    let row = cells.0 | cells.0 << 1 | cells.0 >> 1;
    Cells(row | row << 8 | row >> 8)
}

/// What a piece just put on a cell adds to the weighted sum, by its value - 1:
/// all that depends on the value, and nothing that is so for any piece there.
/// The numbers are places among [`NAMES`].
fn shares_by_value(next: &Yoxii, cell: Cell) -> [i32; 4] {
    let totem = next.totem();
    let (near, free) = (Yoxii::near(totem), next.free());
    let weights = weights(next);
    let on = |cells: Cells| i32::from(cells.has(cell));
    let open = (near & free).len() as i32;
    let neighbours = (Yoxii::near(cell) & free).len() as i32;
    let each = on(near) * (weights[1] + open * weights[10])
        + on(RINGS[0][totem.index()]) * weights[2]
        + on(RINGS[1][totem.index()]) * weights[3]
        + weights[4]
        + on(spread(free)) * weights[12]
        + neighbours * weights[13];
    // The piece is the opponent's, who has one less in reserve.
    let reserves = [weights[14], weights[15], weights[16], weights[9]];
    std::array::from_fn(|i| reserves[i] - (i as i32 + 1) * each)
}

impl Evaluate<Yoxii> for Classic {
    fn evaluate(&self, position: &Yoxii) -> i32 {
        weigh(&terms(position), weights(position))
    }

    // Moves of the totem and the piece to the same squares share all terms but
    // for what the piece is worth.
    fn behind<'a>(&'a self, _position: &'a Yoxii) -> impl FnMut(YoxiiMove, &Yoxii) -> i32 + 'a {
        let mut squares = None;
        let mut sums = [0; 4];
        move |mv, next| {
            let index = usize::from(mv.value() - 1) & 3;
            let here = Some((mv.totem(), mv.piece()));
            if squares != here {
                squares = here;
                let shares = shares_by_value(next, mv.piece());
                let rest = sum(&terms(next), weights(next)) - shares[index];
                sums = shares.map(|share| rest + share);
            }
            scaled(sums[index])
        }
    }

    // Where the totem stands and can go, and the squares that are taken.
    fn likeness(&self, position: &Yoxii) -> impl IntoIterator<Item = u64> {
        let totem = position.totem();
        let free = Yoxii::near(totem) & position.free();
        [free.0 << 7 | totem.index() as u64, position.occupied().0]
    }

    // Fitted on games of 20,000 nodes a move.
    fn odds(&self, _position: &Yoxii, score: Score) -> Odds {
        Odds::logistic(score, 61.0, 21.0)
    }

    fn explain(&self, position: &Yoxii) -> Vec<(&'static str, i32)> {
        explain(&NAMES, &terms(position), weights(position))
    }
}

fn weights(position: &Yoxii) -> &'static [i32; TERMS] {
    &WEIGHTS[(Yoxii::MAX_PLIES - position.plies_left()) as usize]
}
