//! What depends on where the totem stands.

use super::balance;
use super::pieces::PieceTerms;
use crate::game::{Cell, Cells, Game, Yoxii};
use crate::search::eval::learned::Term;
use crate::search::eval::phase::sum;

/// The squares two king's moves from each square.
static RINGS: [Cells; 64] = {
    let mut rings = [Cells::EMPTY; 64];
    let mut index = 0;
    while index < 64 {
        let near = Yoxii::around(Cells(1 << index));
        rings[index] = Cells(Yoxii::around(near).0 & !near.0);
        index += 1;
    }
    rings
};

pub(super) const TERMS: usize = 12;

/// Indices of the terms that the last piece's value affects.
const NEAR: usize = 1;
const RING: usize = 2;
const FEW_REPLIES: usize = 7;
const WIN: usize = 11;

/// Thousandths of a logit per unit of each term at each knot, fitted by logistic
/// regression to searches and results of the engine's own games; then the first was
/// raised by 40, so that scores of odd and even depths agree.
#[rustfmt::skip]
pub(super) const BY_HAND: [Term; TERMS] = [
    ("having to move", [628, 120, -123, -901, -2329]),
    ("value next to the totem", [-16, -25, 41, 36, -133]),
    ("value two squares from the totem", [-7, -14, 26, 40, -9]),
    ("own totem moves", [72, 9, 228, 692, 779]),
    ("opponent's totem moves", [-91, 56, 18, -155, -241]),
    ("own totem moves that leave one reply", [702, 1437, 1074, 1448, 2941]),
    ("own totem moves that leave two replies", [199, 148, 300, 398, 1452]),
    ("value beside totem moves that leave no reply", [-73, 10, 80, 383, 699]),
    ("value beside totem moves that leave one reply", [-215, 343, 295, 406, 664]),
    ("jumps from own totem moves", [0, -15, 63, 248, -374]),
    ("jumps from opponent's totem moves", [-14, 7, 14, 133, -109]),
    ("own move that ends the game ahead", [341, 3845, 5816, 7294, 3852]),
];

pub(super) struct TotemTerms<'a> {
    weights: &'a [i32; TERMS],
    /// All terms, but with 0 for [`WIN`].
    terms: [i32; TERMS],
    /// By how much each point of the last piece changes the weighted sum.
    by_point: i32,
    /// The most points by which the side to move would be ahead if it ended the game at
    /// once: on squares away from the last piece, and on those next to it, without the
    /// value of that piece.
    margins: [i32; 2],
}

impl<'a> TotemTerms<'a> {
    pub(super) fn of(
        position: &Yoxii,
        piece_terms: &PieceTerms,
        weights: &'a [i32; TERMS],
        last: Option<(Cell, u8)>,
    ) -> Self {
        let me = position.side();
        let totem = position.totem();
        let (near, ring) = (Yoxii::near(totem), RINGS[totem.index()]);
        let (last, points) = last.map_or((Cells::EMPTY, 0), |(cell, value)| {
            (Cells::of(cell), i32::from(value))
        });
        let value = |cells| balance(position, cells);
        let jumps = |from: Cells| {
            let count = |cells: Cells| (cells & from).len() as i32;
            piece_terms.ways[0].total(count) - piece_terms.ways[1].total(count)
        };
        let [own, others] = [me, me.other()].map(|side| position.totem_targets(side));
        let [none, one, two] = piece_terms.ways[1].few();
        let mut by_point = 0;
        let mut margins = [i32::MIN; 2];
        let mut few = [0; 2];
        for target in own & (none | one) {
            let near = Yoxii::near(target);
            let replies = usize::from(one.has(target));
            let here = value(near);
            few[replies] += here;
            let is_last_near = near.meets(last);
            if is_last_near {
                by_point -= weights[FEW_REPLIES + replies];
            }
            // A piece can close the one way out if that is a step.
            let steps = (near & piece_terms.open).len() as usize;
            if steps == replies {
                let without_last = here + points * i32::from(is_last_near);
                let margin = &mut margins[usize::from(is_last_near)];
                *margin = (*margin).max(without_last + piece_terms.most * steps as i32);
            }
        }
        for (cells, term) in [(near, NEAR), (ring, RING)] {
            if cells.meets(last) {
                by_point -= weights[term];
            }
        }
        Self {
            weights,
            terms: [
                1,
                value(near),
                value(ring),
                own.len() as i32,
                others.len() as i32,
                (own & one).len() as i32,
                (own & two).len() as i32,
                few[0],
                few[1],
                jumps(own),
                jumps(others),
                0,
            ],
            by_point,
            margins,
        }
    }

    /// Whether ending the game wins if the last piece, where it counts, is worth `points`.
    fn wins(&self, points: i32) -> bool {
        let [apart, beside] = self.margins;
        apart > 0 || beside > points
    }

    /// The weighted sum with the last piece as it is.
    pub(super) fn sum(&self) -> i32 {
        let weights = self.weights;
        sum(&self.terms, weights) + if self.wins(0) { weights[WIN] } else { 0 }
    }

    /// The weighted sums if the last piece were worth 1 to 4 rather than `value`.
    #[inline]
    pub(super) fn sums(&self, value: u8) -> [i32; 4] {
        let weights = self.weights;
        let rest = sum(&self.terms, weights) - i32::from(value) * self.by_point;
        std::array::from_fn(|i| {
            let points = i as i32 + 1;
            let win = if self.wins(points) { weights[WIN] } else { 0 };
            rest + win + points * self.by_point
        })
    }

    pub(super) fn terms(&self) -> [i32; TERMS] {
        let mut terms = self.terms;
        terms[WIN] = self.wins(0).into();
        terms
    }
}
