//! A second opinion on the moves.

use super::{Review, for_first};
use crate::game::{Game, Side};
use crate::search::{Evaluate, Score};

/// What another engine thinks of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Opinion<M> {
    /// The move that it would play.
    pub best: M,
    /// Its score for the side to move, where it gave one.
    pub score: Option<Score>,
}

/// A second opinion on a move; values are for the side that made it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Second<M> {
    /// What the other engine would have played.
    pub best: M,
    /// Expected points before the move, where it gave a score.
    pub before: Option<f64>,
    /// Expected points after the move.
    pub after: Option<f64>,
}

impl<M: Copy> Second<M> {
    /// Expected points that the move gives away by this opinion.
    #[must_use]
    pub fn loss(&self) -> Option<f64> {
        Some((self.before? - self.after?).max(0.0))
    }
}

impl<G: Game> Review<G> {
    /// Asks somebody else about the judged moves, the last one first; `ask` is
    /// called for each position that is not over and ends the questions by
    /// `None`. The evaluation says what scores are worth.
    pub fn consult<E: Evaluate<G>>(
        &mut self,
        eval: &E,
        mut ask: impl FnMut(&G) -> Option<Opinion<G::Move>>,
    ) {
        let Some(last) = self.moves.last() else {
            return;
        };
        let mut points_of = |position: &G| {
            if let Some(outcome) = position.outcome() {
                let points = f64::from(outcome.sign_for(Side::First) + 1) / 2.0;
                return Some((None, Some(points)));
            }
            let opinion = ask(position)?;
            let points = opinion.score.map(|score| {
                let points = eval.odds(position, score).points();
                for_first(position.side(), points)
            });
            Some((Some(opinion.best), points))
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
