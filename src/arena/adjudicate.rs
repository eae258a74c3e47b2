//! Adjudication: ending games before the rules end them.

use std::time::Duration;

use super::settings::Adjudication;
use totemic_engine::game::{Outcome, Side};
use totemic_engine::stop::Stop;
use totemic_games::record::{EngineScore, Reason};

/// The exact value of a position, whoever is to move. From the view of a side, it is a
/// [`ProvedValue`](totemic_games::review::ProvedValue).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExactValue {
    /// The result when both sides play their best.
    pub outcome: Outcome,
    /// Points of the first side minus those of the second at the end of that game, if
    /// known.
    pub margin: Option<i32>,
}

/// Returns the value of a position, or `None` if it is not found within the time or before the
/// stop. Several threads may ask at once.
pub type Prove<G> = dyn Fn(&G, Duration, &Stop) -> Option<ExactValue> + Sync;

/// Returns how the engines' own scores end the game, if they do. `scores` are those that both
/// sides gave with their moves, each from its own view; `mover` gave the last one. A move
/// without a score ends every series.
pub(crate) fn ended_by_scores(
    rules: &Adjudication,
    mover: Side,
    scores: &[Option<EngineScore>],
) -> Option<(Outcome, Reason)> {
    // Whether a side has made so many moves, and all the last ones have such scores.
    let all_last = |side: Side, count: u32, is_such: &dyn Fn(i32) -> bool| {
        let own = scores.iter().rev().skip(usize::from(side != mover));
        let mut last = own.step_by(2).take(count as usize);
        last.len() == count as usize
            && last.all(|score| score.is_some_and(|score| is_such(score.centipoints())))
    };
    if let Some(rule) = rules.resign {
        let resigns = |loser: Side| {
            let agrees = |winner| all_last(winner, rule.movecount, &|score| score >= rule.score);
            all_last(loser, rule.movecount, &|score| score <= -rule.score)
                && (!rule.twosided || agrees(loser.other()))
        };
        if let Some(loser) = Side::BOTH.into_iter().find(|&side| resigns(side)) {
            return Some((Outcome::Win(loser.other()), Reason::Resign));
        }
    }
    let rule = rules.draw?;
    let is_late = scores.len() >= rule.movenumber.saturating_mul(2) as usize;
    let is_even = |score: i32| score.abs() <= rule.score;
    let both = (Side::BOTH.into_iter()).all(|side| all_last(side, rule.movecount, &is_even));
    (is_late && both).then_some((Outcome::Draw, Reason::AgreedDraw))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::settings::{DrawRule, ResignRule};

    /// Returns the ply after which alternating scores end the game, and how it ends.
    fn end(
        resign: Option<ResignRule>,
        draw: Option<DrawRule>,
        scores: &[Option<i32>],
    ) -> Option<(usize, Outcome)> {
        let rules = Adjudication {
            resign,
            draw,
            ..Adjudication::default()
        };
        let scores: Vec<_> = (scores.iter().map(|score| score.map(EngineScore::Cp))).collect();
        let mut plies = (1..=scores.len()).zip(Side::BOTH.into_iter().cycle());
        plies.find_map(|(ply, mover)| {
            let (result, _) = ended_by_scores(&rules, mover, &scores[..ply])?;
            Some((ply, result))
        })
    }

    #[test]
    fn the_loser_itself_resigns() {
        let rule = |twosided| {
            Some(ResignRule {
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
