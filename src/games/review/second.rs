//! A second opinion on the moves.

use super::{Review, for_first};
use totemic_engine::game::{Game, Side};
use totemic_engine::search::{Evaluate, Score};

/// What another engine thinks of a move; the values are for the side that made it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Second<M> {
    /// What the other engine would have played.
    pub best: M,
    /// Expected points before the move, if that engine gave a score.
    pub before: Option<f64>,
    /// Expected points after the move.
    pub after: Option<f64>,
}

impl<G: Game> Review<G> {
    /// Asks another engine about the judged moves, the last one first. `ask` gets each
    /// position that is not over, and returns the best move and its score, if there is
    /// one; `None` ends the questions. `eval` says what the scores are worth.
    pub fn consult<E: Evaluate<G>>(
        &mut self,
        eval: &E,
        mut ask: impl FnMut(&G) -> Option<(G::Move, Option<Score>)>,
    ) {
        let Some(last) = self.moves.last() else {
            return;
        };
        let mut points_of = |position: &G| {
            if let Some(outcome) = position.outcome() {
                return Some((None, Some(outcome.points(Side::First))));
            }
            let (best, score) = ask(position)?;
            let points = score.map(|score| {
                let points = eval.odds(position, score).points();
                for_first(position.side(), points)
            });
            Some((Some(best), points))
        };
        let Some((_, mut after)) = points_of(&self.positions[last.ply + 1]) else {
            return;
        };
        for judged in self.moves.iter_mut().rev() {
            let Some((Some(best), before)) = points_of(&self.positions[judged.ply]) else {
                return;
            };
            let own = |points: Option<f64>| points.map(|it| for_first(judged.side, it));
            judged.second = Some(Second {
                best,
                before: own(before),
                after: own(after),
            });
            after = before;
        }
    }
}
