//! A second opinion on the moves.

use super::Review;
use totemic_engine::game::Game;
use totemic_engine::search::{Evaluate, Score};

/// What another engine thinks of a move; the values are for the side that made it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SecondOpinion<M> {
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
                return Some((None, Some(outcome.points(position.side()))));
            }
            let (best, score) = ask(position)?;
            let points = score.map(|score| eval.odds(position, score).expected_points());
            Some((Some(best), points))
        };
        let Some((_, mut next)) = points_of(&self.positions[last.ply + 1]) else {
            return;
        };
        for judged in self.moves.iter_mut().rev() {
            let Some((Some(best), before)) = points_of(&self.positions[judged.ply]) else {
                return;
            };
            // The points of a position are those of the side to move.
            let after = next.map(|points| 1.0 - points);
            judged.second_opinion = Some(SecondOpinion {
                best,
                before,
                after,
            });
            next = before;
        }
    }
}
