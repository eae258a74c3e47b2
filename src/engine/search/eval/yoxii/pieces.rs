//! What depends on the pieces alone, wherever the totem stands.

use super::balance;
use super::counts::Counts;
use crate::game::{Cell, Cells, Game, Yoxii};
use crate::search::eval::learned::Term;
use crate::search::eval::phase::sum;

pub(super) const TERMS: usize = 11;

/// The index of the first of the reserves' terms.
const RESERVE: usize = 7;

/// Thousandths of a logit per unit of each term at each knot, fitted together with
/// those of [`TotemTerms`](super::totem::TotemTerms).
#[rustfmt::skip]
pub(super) const BY_HAND: [Term; TERMS] = [
    ("value of the pieces on the board", [-103, 2, -31, -63, -229]),
    ("value beside free squares, which can still count", [219, 70, 50, 29, -16]),
    ("value times the free squares beside it", [21, 11, 14, 49, 153]),
    ("value beside lone free squares", [41, 64, 53, 7, -67]),
    ("jumps", [7, 73, 140, 65, 43]),
    ("free squares with one way out for the totem", [316, 334, 279, 141, 51]),
    ("free squares with two ways out for the totem", [148, 95, 95, 45, 144]),
    ("ones in reserve", [-431, -164, -28, -221, -439]),
    ("twos in reserve", [-238, -110, -163, 19, 2219]),
    ("threes in reserve", [12, -40, -37, -35, -517]),
    ("fours in reserve", [243, 125, 124, 88, -555]),
];

pub(super) struct PieceTerms {
    pub(super) open: Cells,
    /// The ways from each open square, of the side to move and of the other.
    pub(super) ways: [Counts; 2],
    pub(super) beside: Counts,
    /// The greatest value that the side to move has in reserve.
    pub(super) most: i32,
    /// The weighted sum of the terms, for each value that the last piece might
    /// have.
    pub(super) sums: [i32; 4],
}

impl PieceTerms {
    /// `last` is the opponent's last piece and its value, if it matters.
    pub(super) fn of(position: &Yoxii, weights: &[i32; TERMS], last: Option<(Cell, u8)>) -> Self {
        let me = position.side();
        let open = Yoxii::BOARD - position.occupied();
        let reserve = position.reserve(me);
        let most = reserve.iter().rposition(|&left| left > 0);
        let ways = |side| Counts::of_ways(position.pieces(side), open);
        let mut piece_terms = Self {
            open,
            ways: [ways(me), ways(me.other())],
            beside: Counts::beside(open),
            most: most.map_or(0, |i| i as i32 + 1),
            sums: [0; 4],
        };
        let total = sum(&piece_terms.terms(position), weights);
        piece_terms.sums = match last {
            None => [total; 4],
            Some((cell, value)) => {
                let near = Yoxii::near(cell);
                let count = |cells: Cells| (near & cells).len() as i32;
                let [on_board, can_count, by_open, by_lone, ..] = weights;
                let by_point = on_board
                    + i32::from(near.meets(open)) * can_count
                    + count(open) * by_open
                    + count(piece_terms.lone()) * by_lone;
                // The piece is the opponent's, whose reserve has one less of its value.
                let share = |i: usize| weights[RESERVE + i] - (i as i32 + 1) * by_point;
                let rest = total - share(usize::from(value - 1) & 3);
                std::array::from_fn(|i| rest + share(i))
            }
        };
        piece_terms
    }

    fn lone(&self) -> Cells {
        self.open & self.beside.few()[0]
    }

    pub(super) fn terms(&self, position: &Yoxii) -> [i32; TERMS] {
        let me = position.side();
        let value = |cells| balance(position, cells);
        let (own, others) = (position.reserve(me), position.reserve(me.other()));
        let reserve = |i: usize| i32::from(own[i]) - i32::from(others[i]);
        let count = |cells: Cells| cells.len() as i32;
        let [mine, theirs] = self.ways;
        let [_, one, two] = mine.few();
        let [_, their_one, their_two] = theirs.few();
        [
            value(Yoxii::BOARD),
            value(!self.beside.few()[0]),
            self.beside.total(value),
            self.lone()
                .into_iter()
                .map(|cell| value(Yoxii::near(cell)))
                .sum(),
            mine.total(count) - theirs.total(count),
            count(their_one) - count(one),
            count(their_two) - count(two),
            reserve(0),
            reserve(1),
            reserve(2),
            reserve(3),
        ]
    }
}
