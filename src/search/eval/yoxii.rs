//! What counts in Yoxii: where the values lie, from which squares one side could
//! get away and the other not, and what is kept in hand.

mod counts;
mod ground;
mod stand;

use arrayvec::ArrayVec;

use super::phase::scaled;
use super::{Classic, Evaluate, Odds, with_next};
use crate::game::{Cells, Game, Yoxii, YoxiiMove};
use crate::search::Score;
use ground::Ground;
use stand::Stand;

impl Evaluate<Yoxii> for Classic {
    fn evaluate(&self, position: &Yoxii) -> i32 {
        let ground = Ground::of(position, None);
        let stand = Stand::of(position, &ground, None);
        scaled(ground.sums[0] + stand.sum(ply(position)))
    }

    // Positions behind moves of the totem and the piece to the same squares
    // share all but what the piece is worth; and those with the piece on the same
    // square, all that does not depend on the totem's.
    fn behind<'a>(
        &'a self,
        position: &'a Yoxii,
    ) -> impl FnMut(YoxiiMove, Option<&Yoxii>) -> i32 + 'a {
        let mut squares = None;
        let mut sums = [0; 4];
        let mut grounds = ArrayVec::<Ground, SQUARES>::new();
        let mut places = [None; 64];
        move |mv, next| {
            let index = usize::from(mv.value() - 1) & 3;
            let here = Some((mv.totem(), mv.piece()));
            if squares != here {
                squares = here;
                let last = Some((mv.piece(), mv.value()));
                with_next(position, mv, next, |next| {
                    let place = *places[mv.piece().index() & 63].get_or_insert_with(|| {
                        grounds.push(Ground::of(next, last));
                        grounds.len() as u8 - 1
                    });
                    let ground = &grounds[usize::from(place)];
                    sums = Stand::of(next, ground, last).sums(ply(next), mv.value());
                    for (sum, more) in sums.iter_mut().zip(ground.sums) {
                        *sum += more;
                    }
                });
            }
            scaled(sums[index])
        }
    }

    // Fitted on games of 20,000 nodes a move.
    fn odds(&self, _position: &Yoxii, score: Score) -> Odds {
        Odds::logistic(score, 61.0, 21.0)
    }

    fn explain(&self, position: &Yoxii) -> Vec<(&'static str, i32)> {
        let ground = Ground::of(position, None);
        let stand = Stand::of(position, &ground, None);
        let mut parts = stand.explain(ply(position));
        parts.extend(ground.explain(position));
        parts
    }
}

/// Squares of the board.
const SQUARES: usize = Yoxii::BOARD.len() as usize;

/// By how much the values of the side to move within `cells` exceed the other's.
fn balance(position: &Yoxii, cells: Cells) -> i32 {
    let me = position.side();
    position.sum(me, cells) - position.sum(me.other(), cells)
}

/// Pieces on the board.
fn ply(position: &Yoxii) -> usize {
    (Yoxii::MAX_PLIES - position.plies_left()) as usize
}
