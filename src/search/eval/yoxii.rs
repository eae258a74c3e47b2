//! What counts in Yoxii: values near the totem, what is in hand, and who can
//! still move it.

use super::{Classic, Evaluate};
use crate::game::{Cell, Cells, Game, Side, Yoxii};

/// Squares at a distance of exactly two king's steps from each cell.
static SECOND_RING: [Cells; 64] = {
    let mut rings = [Cells::EMPTY; 64];
    let mut cell = 0usize;
    while cell < 64 {
        let mut other = 0usize;
        while other < 64 {
            let files = (cell % 8).abs_diff(other % 8);
            let ranks = (cell / 8).abs_diff(other / 8);
            let far = if files > ranks { files } else { ranks };
            if far == 2 {
                rings[cell].0 |= Yoxii::BOARD.0 & (1 << other);
            }
            other += 1;
        }
        cell += 1;
    }
    rings
};

/// Hundredths for a point of value next to the totem on a full board; a
/// quarter less on an empty one.
const ADJACENT: i32 = 80;
/// Hundredths for a point of value two steps away.
const SECOND: i32 = 25;
/// Hundredths for a point of value in reserve.
const RESERVE: i32 = 30;
/// Hundredths for a square that the totem can go to.
const MOBILITY: i32 = 12;

impl Classic {
    fn yoxii_terms(position: &Yoxii) -> [(&'static str, i32); 4] {
        let me = position.side();
        let totem: Cell = position.totem();
        let difference = |value: &dyn Fn(Side) -> i32| value(me) - value(me.other());
        let near = Yoxii::near(totem);
        let second = SECOND_RING[totem.index()];
        let filled = 36 - position.plies_left() as i32;
        [
            (
                "next to the totem",
                difference(&|side| position.sum(side, near)) * ADJACENT * (108 + filled) / 144,
            ),
            (
                "two steps away",
                difference(&|side| position.sum(side, second)) * SECOND,
            ),
            (
                "in reserve",
                difference(&|side| {
                    let left = position.reserve(side);
                    (1..).zip(left).map(|(v, n)| v * i32::from(n)).sum()
                }) * RESERVE,
            ),
            (
                "mobility",
                difference(&|side| position.totem_targets(side).len() as i32) * MOBILITY,
            ),
        ]
    }
}

impl Evaluate<Yoxii> for Classic {
    fn evaluate(&self, position: &Yoxii) -> i32 {
        Self::yoxii_terms(position).iter().map(|term| term.1).sum()
    }

    fn explain(&self, position: &Yoxii) -> Vec<(&'static str, i32)> {
        Self::yoxii_terms(position).to_vec()
    }
}
