//! What the scores of searches mean.

use std::fmt;

use super::Odds;
use super::phase::{are_evenly_spaced, interpolate};
use crate::search::Score;
use crate::text::quoted;

/// Plies at which the numbers of an [`OddsModel`] are given, evenly spaced. What a score
/// means changes faster than weights do, as proofs take the clear positions away.
pub const ODDS_KNOTS: [usize; 10] = [0, 4, 8, 12, 16, 20, 24, 28, 32, 36];
const _: () = assert!(are_evenly_spaced(&ODDS_KNOTS));

/// 1 for an odd ply, -1 for an even one.
pub fn parity_sign(ply: usize) -> f64 {
    if ply.is_multiple_of(2) { -1.0 } else { 1.0 }
}

/// What the score of a search says about the end of the game: the logit of the points
/// that the side to move will make is the bent score in logits times a factor, plus a
/// term, both depending on the ply, plus a term that depends on whether the ply is odd.
/// All but the bend are in thousandths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OddsModel {
    /// Factor of a score at 0, 4, 8 plies and so on, above 0.
    pub factors: [i16; ODDS_KNOTS.len()],
    /// What is added at these plies.
    pub added: [i16; ODDS_KNOTS.len()],
    /// What is added at odd plies and subtracted at even ones: parity decides who will
    /// have the last move.
    pub odd: i16,
    /// From about which score on, in centipoints, a higher score adds less and less;
    /// 0 for none.
    pub bend: i16,
    /// Half the width of a draw, at least 0.
    pub draw: i16,
}

/// A score in logits, bent by a bend in centipoints.
pub fn bend_score(score: f64, bend: i16) -> f64 {
    if bend == 0 {
        return score;
    }
    let bend = f64::from(bend) / 100.0;
    bend * (score / bend).asinh()
}

impl OddsModel {
    const NUMBERS: usize = 2 * ODDS_KNOTS.len() + 3;

    /// The odds of a score for the side to move, `ply` plies after the start of a game.
    pub fn odds(&self, score: Score, ply: usize) -> Odds {
        let at = |knots| f64::from(interpolate(&ODDS_KNOTS, knots, ply));
        let score_in_logits = bend_score(f64::from(score.centipoints()) / 100.0, self.bend);
        let added = at(&self.added) + f64::from(self.odd) * parity_sign(ply);
        let logit = score_in_logits * at(&self.factors) + added;
        Odds::of_logit(score, logit / 1000.0, f64::from(self.draw) / 1000.0)
    }

    pub(super) fn read(words: &str) -> Result<Self, String> {
        let words: Vec<&str> = words.split(' ').collect();
        let mut numbers = [0; Self::NUMBERS];
        if words.len() != numbers.len() {
            let (found, expected) = (words.len(), numbers.len());
            return Err(format!("{found} numbers of odds: expected {expected}"));
        }
        for (at, (number, word)) in numbers.iter_mut().zip(words).enumerate() {
            let least = match at {
                _ if at < ODDS_KNOTS.len() => 1,
                _ if at >= Self::NUMBERS - 2 => 0,
                _ => i16::MIN,
            };
            let read = word.parse().ok().filter(|&read| read >= least);
            *number = read.ok_or_else(|| {
                let (place, most) = (at + 1, i16::MAX);
                let word = quoted(word);
                format!("number {place} of its odds, {word}: expected {least} to {most}")
            })?;
        }
        Ok(Self {
            factors: std::array::from_fn(|knot| numbers[knot]),
            added: std::array::from_fn(|knot| numbers[ODDS_KNOTS.len() + knot]),
            odd: numbers[Self::NUMBERS - 3],
            bend: numbers[Self::NUMBERS - 2],
            draw: numbers[Self::NUMBERS - 1],
        })
    }
}

impl fmt::Display for OddsModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("odds")?;
        let numbers = self.factors.iter().chain(&self.added);
        numbers
            .chain([&self.odd, &self.bend, &self.draw])
            .try_for_each(|number| write!(f, " {number}"))
    }
}
