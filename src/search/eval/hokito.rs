//! What counts in Hokito: the score as it stands, and who can still move.

use super::{Classic, Evaluate};
use crate::game::{Game, Hokito, Side};

/// Hundredths for a point of the running score.
const SCORE: i32 = 60;
/// Hundredths for a tower that can be moved at all: tempo is what decides who
/// has to break a good stack at the end.
const TOWER: i32 = 15;

impl Classic {
    fn hokito_terms(position: &Hokito) -> [(&'static str, i32); 2] {
        let me = position.side();
        let difference = |value: &dyn Fn(Side) -> i32| value(me) - value(me.other());
        [
            (
                "running score",
                difference(&|side| position.score(side)) * SCORE,
            ),
            (
                "towers",
                difference(&|side| position.topped_by(side).len() as i32) * TOWER,
            ),
        ]
    }
}

impl Evaluate<Hokito> for Classic {
    fn evaluate(&self, position: &Hokito) -> i32 {
        Self::hokito_terms(position).iter().map(|term| term.1).sum()
    }

    fn explain(&self, position: &Hokito) -> Vec<(&'static str, i32)> {
        Self::hokito_terms(position).to_vec()
    }
}
