//! Adjudication: ending games before the rules end them.

use std::time::Duration;

use super::settings::Adjudication;
use totemic_engine::game::{Game, Outcome, Side};
use totemic_engine::stop::Stop;
use totemic_games::record::{Accuracy, EngineScore, Reason};

/// The exact value of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExactValue {
    /// The result when both sides play their best.
    pub outcome: Outcome,
    /// Points of the first side minus those of the second at the end of that game, if
    /// known.
    pub margin: Option<i32>,
}

/// A source of exact values, such as an endgame solver.
pub trait Truth<G: Game>: Sync {
    /// Returns the value of a position, or `None` if it is not found within `budget` or
    /// before the stop. Several threads may ask at once.
    fn prove(&self, position: &G, budget: Duration, stop: &Stop) -> Option<ExactValue>;
}

/// Watches the engines' own scores for resignations and draws.
#[derive(Clone, Debug, Default)]
pub(crate) struct ScoreWatch {
    rules: Adjudication,
    /// The number of moves in a row in which each side gave a low, high or even score.
    low: [u32; 2],
    high: [u32; 2],
    even: [u32; 2],
    moves: u32,
}

impl ScoreWatch {
    pub(crate) fn new(rules: &Adjudication) -> Self {
        Self {
            rules: *rules,
            ..Self::default()
        }
    }

    /// Takes the score that `side` gave with its move, from its own view. Returns how the
    /// game ends if the scores end it. A move without a score ends every series.
    pub(crate) fn after_move(
        &mut self,
        side: Side,
        score: Option<EngineScore>,
    ) -> Option<(Outcome, Reason)> {
        self.moves += 1;
        self.resigned(side, score)
            .or_else(|| self.agreed(side, score))
    }

    fn resigned(&mut self, side: Side, score: Option<EngineScore>) -> Option<(Outcome, Reason)> {
        let rule = self.rules.resign?;
        let score = score.map(EngineScore::centipoints);
        let is_low = score.is_some_and(|score| score <= -rule.score);
        let is_high = score.is_some_and(|score| score >= rule.score);
        count(&mut self.low[side.index()], is_low);
        count(&mut self.high[side.index()], is_high);
        Side::BOTH.into_iter().find_map(|loser| {
            let gives_up = self.low[loser.index()] >= rule.movecount;
            let agreed = !rule.twosided || self.high[loser.other().index()] >= rule.movecount;
            (gives_up && agreed).then(|| (Outcome::Win(loser.other()), Reason::Resign))
        })
    }

    fn agreed(&mut self, side: Side, score: Option<EngineScore>) -> Option<(Outcome, Reason)> {
        let rule = self.rules.draw?;
        let even = score.is_some_and(|s| s.centipoints().abs() <= rule.score);
        count(&mut self.even[side.index()], even);
        let late = self.moves >= rule.movenumber.saturating_mul(2);
        let both = self.even.iter().all(|&row| row >= rule.movecount);
        (late && both).then_some((Outcome::Draw, Reason::AgreedDraw))
    }
}

/// Continues a series of moves or ends it.
fn count(series: &mut u32, holds: bool) {
    *series = if holds { *series + 1 } else { 0 };
}

/// Returns what each side gave away. Compares the margins before and after each move,
/// backwards from a proven position, as long as `prove` finds them. `positions` are
/// those of the game since the engines took over; the last one is proven.
pub(crate) fn accuracy<G: Game>(
    prove: impl Fn(&G) -> Option<ExactValue>,
    positions: &[G],
    proof: ExactValue,
) -> [Accuracy; 2] {
    let mut accuracy = [Accuracy::default(); 2];
    let exact = |value: Option<ExactValue>| value.and_then(|it| Some((it.outcome, it.margin?)));
    let mut earlier = positions.iter().rev();
    let last = earlier.next();
    let Some(mut after) = exact(Some(proof)).or_else(|| exact(prove(last?))) else {
        return accuracy;
    };
    for position in earlier {
        let Some(before) = exact(prove(position)) else {
            break;
        };
        let side = position.side();
        let of_mover = &mut accuracy[side.index()];
        let sign = if side == Side::First { 1 } else { -1 };
        of_mover.judged += 1;
        of_mover.lost_points += (sign * (before.1 - after.1)).max(0);
        of_mover.blunders += u32::from(after.0.sign_for(side) < before.0.sign_for(side));
        after = before;
    }
    accuracy
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::settings::{DrawRule, Resign};

    /// Feeds alternating scores; returns the ply after which the game ended, and how it
    /// ended.
    fn end(
        resign: Option<Resign>,
        draw: Option<DrawRule>,
        scores: &[Option<i32>],
    ) -> Option<(usize, Outcome)> {
        let mut watch = ScoreWatch::new(&Adjudication {
            resign,
            draw,
            ..Adjudication::default()
        });
        let sides = Side::BOTH.into_iter().cycle();
        (1..)
            .zip(scores.iter().zip(sides))
            .find_map(|(ply, (score, side))| {
                let (result, _) = watch.after_move(side, score.map(EngineScore::Cp))?;
                Some((ply, result))
            })
    }

    #[test]
    fn the_loser_itself_resigns() {
        let rule = |twosided| {
            Some(Resign {
                movecount: 2,
                score: 300,
                twosided,
            })
        };
        let (low, high, ok) = (Some(-300), Some(400), Some(10));
        for (twosided, scores, expected) in [
            (false, &[low, ok, low][..], Some(3)),
            (false, &[low, ok, Some(-299), ok, low, ok], None),
            (false, &[low, ok, None, ok, low], None),
            (true, &[low, ok, low, high, low, high], Some(6)),
        ] {
            let expected = expected.map(|ply| (ply, Outcome::Win(Side::Second)));
            assert_eq!(end(rule(twosided), None, scores), expected, "{scores:?}");
        }
    }

    #[test]
    fn even_scores_of_both_draw() {
        let rule = Some(DrawRule {
            movenumber: 3,
            movecount: 2,
            score: 5,
        });
        let (even, odd) = (Some(-5), Some(6));
        for (scores, expected) in [
            (&[even; 10][..], Some(6)),
            (&[odd, even, odd, even, even, even, even], Some(7)),
            (&[None; 12], None),
        ] {
            let expected = expected.map(|ply| (ply, Outcome::Draw));
            assert_eq!(end(None, rule, scores), expected, "{scores:?}");
        }
    }
}
