//! Results of two engines, and what they say about the engines' strength.
//!
//! The unit of these statistics is the pair: the same opening, played twice with the
//! sides swapped. The two games of a pair are not independent, and their results largely
//! cancel the advantage of an opening. Counting pairs instead of games (the *pentanomial*
//! model) therefore gives honest and usually smaller error bars. Scores are fractions of
//! the points, from 0 to 1.

use std::f64::consts::{LN_10, SQRT_2};
use std::iter::Sum;

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, StudentsT};
use statrs::function::erf::erfc;

/// Number of standard deviations on either side of the mean that enclose 95 % of a normal
/// distribution.
pub(crate) const Z95: f64 = 1.959_963_984_540_054;

/// Elo points in one natural unit of log odds: `400 / ln 10`.
pub(crate) const ELO_PER_LOGIT: f64 = 400.0 / LN_10;

/// Normalized Elo points in one unit of `(score - 1/2) / deviation of a game`:
/// `800 / ln 10`, chosen so that both scales agree for games without draws.
pub const NORMALIZED_ELO_UNIT: f64 = 800.0 / LN_10;

/// With fewer pairs than this, an estimate of strength says nothing: its interval is
/// hundreds of Elo points wide, and its approximations do not hold.
pub(crate) const MIN_PAIRS: u64 = 10;

/// Returns the score that is expected at a difference in Elo points (logistic scale).
#[must_use]
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Returns the difference in Elo points that has an expected score; infinite at 0 and 1.
#[must_use]
pub fn elo_of_score(score: f64) -> f64 {
    let score = score.clamp(0.0, 1.0);
    400.0 * (score / (1.0 - score)).log10()
}

/// Games won, drawn and lost, from one engine's view.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[expect(missing_docs, reason = "the names say what the fields are")]
pub struct Wdl {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
}

impl Wdl {
    /// Returns the same from the other engine's view.
    pub(crate) const fn reversed(self) -> Self {
        Self {
            wins: self.losses,
            draws: self.draws,
            losses: self.wins,
        }
    }

    pub(crate) const fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Returns the points: a win counts 1, a draw 1/2.
    pub fn points(&self) -> f64 {
        self.wins as f64 + 0.5 * self.draws as f64
    }

    /// Returns the numbers of games by score: lost, drawn, won.
    pub(crate) const fn cells(&self) -> [u64; 3] {
        [self.losses, self.draws, self.wins]
    }

    /// Returns what the games say about strength if they are independent and enough.
    pub(crate) fn estimate(&self) -> Option<EloEstimate> {
        EloEstimate::of_cells(&self.cells(), 1.0)
    }
}

impl Sum for Wdl {
    fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
        parts.fold(Self::default(), |sum, part| Self {
            wins: sum.wins + part.wins,
            draws: sum.draws + part.draws,
            losses: sum.losses + part.losses,
        })
    }
}

/// Pairs by the points of one engine in both games: 0, 1/2, 1, 3/2, 2.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    /// Adds a pair worth `half_points`, from 0 (both lost) to 4 (both won).
    pub fn add(&mut self, half_points: u8) {
        self.0[usize::from(half_points.min(4))] += 1;
    }

    /// Number of pairs.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Returns what the pairs say about strength, if there are ten or more.
    pub fn estimate(&self) -> Option<EloEstimate> {
        EloEstimate::of_cells(&self.0, 2.0)
    }
}

/// Mean and variance of the score of one observation (a game or a pair).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Moments {
    /// Mean score, 0 to 1.
    pub mean: f64,
    /// Variance of the score of one observation.
    pub variance: f64,
}

/// The score of cell `index` among `cells` equally spaced scores from 0 to 1.
pub(crate) fn cell_score(index: usize, cells: usize) -> f64 {
    index as f64 / (cells - 1) as f64
}

impl Moments {
    /// Computes the moments of a distribution over equally spaced scores.
    #[must_use]
    pub fn of(weights: &[f64]) -> Self {
        let total: f64 = weights.iter().sum();
        let scored = || {
            let cells = weights.len();
            (weights.iter().enumerate()).map(move |(i, w)| (cell_score(i, cells), w / total))
        };
        let mean: f64 = scored().map(|(score, p)| p * score).sum();
        let variance = scored().map(|(score, p)| p * (score - mean).powi(2)).sum();
        Self { mean, variance }
    }
}

/// Difference in strength with its uncertainty.
///
/// The formulas are those that the fishtest framework publishes (Michel Van den Bergh,
/// *Normalized Elo*, 2020): the interval is the normal one of the mean score, carried
/// over to the Elo scale. Observations that are all equal have no scatter to measure.
/// Then the interval is what `n` equal observations leave possible (another result has at
/// most the probability `1 - 0.025^(1/n)`, the "rule of three"), and the likelihood of
/// superiority is `1 - 2^-n`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct EloEstimate {
    /// Mean score, 0 to 1.
    pub score: f64,
    /// Difference in Elo points; infinite if every game went the same way.
    pub elo: f64,
    /// Lower end of the 95 % interval of `elo`.
    pub elo_low: f64,
    /// Upper end of the 95 % interval of `elo`.
    pub elo_high: f64,
    /// Difference in normalized Elo: strength in units of the noise.
    #[serde(rename = "normalized_elo")]
    pub normalized: f64,
    /// Half the width of the 95 % interval of `normalized`.
    #[serde(rename = "normalized_elo_error")]
    pub normalized_error: f64,
    /// Likelihood of superiority, 0 to 1: how sure it is that the difference
    /// is positive.
    pub los: f64,
}

impl EloEstimate {
    /// Estimates from the numbers of observations at equally spaced scores; an
    /// observation consists of `games` games. `None` if they are too few.
    fn of_cells(cells: &[u64], games: f64) -> Option<Self> {
        let count: u64 = cells.iter().sum();
        if count as f64 * games < 2.0 * MIN_PAIRS as f64 {
            return None;
        }
        let weights: Vec<f64> = cells.iter().map(|&n| n as f64).collect();
        let Moments { mean, variance } = Moments::of(&weights);
        if cells.iter().filter(|&&n| n > 0).count() == 1 {
            return Some(Self::of_equals(mean, count as f64));
        }
        let deviation = (variance / count as f64).sqrt();
        let game_deviation = (games * variance).sqrt();
        let normalized = |score: f64| (score - 0.5) / game_deviation * NORMALIZED_ELO_UNIT;
        let (low, high) = (mean - Z95 * deviation, mean + Z95 * deviation);
        Some(Self {
            score: mean,
            elo: elo_of_score(mean),
            elo_low: elo_of_score(low),
            elo_high: elo_of_score(high),
            normalized: normalized(mean),
            normalized_error: (normalized(high) - normalized(low)) / 2.0,
            los: 0.5 * erfc((0.5 - mean) / (deviation * SQRT_2)),
        })
    }

    /// Estimates from `count` observations with the same score.
    fn of_equals(score: f64, count: f64) -> Self {
        let other = 1.0 - 0.025f64.powf(1.0 / count);
        let chance = 0.5f64.powf(count);
        let (normalized, los) = match score {
            won if won > 0.5 => (f64::INFINITY, 1.0 - chance),
            lost if lost < 0.5 => (f64::NEG_INFINITY, chance),
            _ => (0.0, 0.5),
        };
        Self {
            score,
            elo: elo_of_score(score),
            elo_low: elo_of_score(score * (1.0 - other)),
            elo_high: elo_of_score(score + (1.0 - score) * other),
            normalized,
            normalized_error: f64::INFINITY,
            los,
        }
    }
}

/// Sums over pairs of the difference in points on the board, from one engine's view. This
/// is finer than win or loss, so that a few hundred games show what would take thousands
/// of results.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Margins {
    /// Pairs whose games both ended by the rules.
    pub pairs: u64,
    /// Sum of the pairs' margins.
    pub sum: f64,
    /// Sum of their squares.
    pub squares: f64,
}

impl Margins {
    /// Adds a pair with the sum of the margins of its two games.
    pub(crate) fn add(&mut self, margin: f64) {
        self.pairs += 1;
        self.sum += margin;
        self.squares += margin * margin;
    }

    /// Student's paired test of "no difference"; `None` for fewer than ten pairs, or if
    /// all are equal, which shows no scatter. This is a fixed-sample test: its p-value
    /// holds for a number of pairs decided beforehand, not if you go on until it is small.
    pub fn test(&self) -> Option<MarginTest> {
        if self.pairs < MIN_PAIRS {
            return None;
        }
        let count = self.pairs as f64;
        let mean = self.sum / count;
        let variance = (self.squares - self.sum * mean) / (count - 1.0);
        let error = (variance.max(0.0) / count).sqrt();
        let t = Some(mean / error).filter(|t| t.is_finite())?;
        let student = StudentsT::new(0.0, 1.0, count - 1.0).ok()?;
        Some(MarginTest {
            mean: mean / 2.0,
            error: error / 2.0,
            t,
            p_value: 2.0 * student.cdf(-t.abs()),
        })
    }
}

/// Outcome of the paired test on margins.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct MarginTest {
    /// Mean margin of a game, in points on the board.
    pub mean: f64,
    /// Its standard error.
    pub error: f64,
    /// Student's t.
    pub t: f64,
    /// Two-sided probability of a t at least this far from 0 if there is no difference.
    #[serde(rename = "p")]
    pub p_value: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64) {
        let tolerance = 0.01 * expected.abs().max(0.05);
        assert!(
            (found - expected).abs() <= tolerance,
            "{found} is not {expected}"
        );
    }

    /// Known cases of the fastchess project: the cells in the order of the score (three
    /// for games, five for pairs), Elo (for pairs) and normalized Elo with their errors,
    /// the likelihood of superiority, and the score.
    #[test]
    fn estimates_agree_with_published_ones() {
        let cases = "\
            96 111 136: - - 49.77 36.77 0.9960 0.558
            356 0 34: - - -508.44 34.48 0 0.087
            89 123 76: - - -20.76 40.13 0.1553 0.477
            34 54 63 64 75: 55.58 27.65 57.94 28.28 1 0.579
            332 433 498 333 334: -8.64 10.33 -9.17 10.96 0.0505 0.488
            7895 8757 5685 568 9999: -21.04 2.95 -19.01 2.65 0 0.470";
        for case in cases.lines() {
            let (cells, known) = case.split_once(':').expect("two parts");
            let cells = cells.split_whitespace().map(|n| n.parse().expect(n));
            let cells: Vec<u64> = cells.collect();
            let known: Vec<Option<f64>> =
                known.split_whitespace().map(|n| n.parse().ok()).collect();
            let games = if cells.len() == 3 { 1.0 } else { 2.0 };
            let found = EloEstimate::of_cells(&cells, games).expect("results");
            let error = (found.elo_high - found.elo_low) / 2.0;
            let EloEstimate {
                elo, score, los, ..
            } = found;
            let (normalized, its_error) = (found.normalized, found.normalized_error);
            let found = [elo, error, normalized, its_error, los, score];
            for (found, known) in found.into_iter().zip(&known) {
                close(found, known.unwrap_or(found));
            }
            assert!((los - known[4].expect("a number")).abs() < 1e-4, "{case}");
        }
    }

    #[test]
    fn one_sided_and_empty_results_are_no_numbers_out_of_thin_air() {
        assert_eq!(Wdl::default().estimate(), None);
        assert_eq!(Pentanomial([0, 0, 0, 0, 9]).estimate(), None);
        let won = Pentanomial([0, 0, 0, 0, 10]).estimate().expect("pairs");
        assert_eq!((won.elo, won.elo_high), (f64::INFINITY, f64::INFINITY));
        // 0.6915^10 = 0.025.
        close(score_of_elo(won.elo_low), 0.6915);
        assert_eq!(won.los, 1.0 - 1.0 / 1024.0);
        let drawn = Pentanomial([0, 0, 10, 0, 0]).estimate().expect("pairs");
        assert_eq!((drawn.elo, drawn.los, drawn.normalized), (0.0, 0.5, 0.0));
        close(score_of_elo(drawn.elo_high), 0.654);
        close(drawn.elo_low, -drawn.elo_high);
    }

    /// Student's sleep data (1908): t = -4.0621, 9 degrees of freedom, p = 0.002833.
    #[test]
    fn the_margin_test_is_students() {
        let mut margins = Margins::default();
        for _ in 0..12 {
            margins.add(7.0);
            assert_eq!(margins.test(), None, "no scatter");
        }
        margins = Margins::default();
        for difference in [1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4] {
            margins.add(-difference);
        }
        let test = margins.test().expect("ten pairs");
        assert!((test.t + 4.0621).abs() < 1e-4, "{}", test.t);
        assert!((test.p_value - 0.002_833).abs() < 1e-6);
        assert!((test.mean + 0.79).abs() < 1e-9);
    }
}
