//! The sequential probability ratio test: play until the question is decided.
//!
//! Abraham Wald's test (1945) compares two hypotheses about the strength of one engine
//! against another: H0 says that it is `elo0` stronger, and H1 that it is `elo1`
//! stronger. The distribution of results is not known beyond its mean, so the
//! *generalized* ratio is used. It takes, for each hypothesis, the most likely
//! distribution that satisfies it (Michel Van den Bergh, *Comparing the approximations
//! for the generalized log likelihood ratio of a multinomial distribution* and *Comments
//! on normalized Elo*).

use std::fmt::{self, Display};

use serde::{Deserialize, Serialize};

use super::stats::{Moments, NORMALIZED_ELO_UNIT, Pentanomial, Wdl, cell_score, score_of_elo};

/// The scale on which the bounds of a test are given.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// Normalized Elo: the rate of draws does not change how long a test takes.
    #[default]
    Normalized,
    /// Logistic Elo: the usual scale of ratings.
    Logistic,
}

impl Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Normalized => "normalized",
            Self::Logistic => "logistic",
        })
    }
}

/// A test: two hypotheses and the tolerated error rates.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Sprt {
    /// Strength under H0, in Elo points of the model.
    pub elo0: f64,
    /// Strength under H1, greater than `elo0`.
    pub elo1: f64,
    /// Tolerated probability of accepting H1 when H0 holds.
    pub alpha: f64,
    /// Tolerated probability of accepting H0 when H1 holds.
    pub beta: f64,
    /// Scale of `elo0` and `elo1`.
    pub model: Model,
}

impl Default for Sprt {
    fn default() -> Self {
        Self {
            elo0: 0.0,
            elo1: 5.0,
            alpha: 0.05,
            beta: 0.05,
            model: Model::Normalized,
        }
    }
}

/// The largest bound in Elo points. Beyond it there may be no distribution with the
/// required strength.
const MAX_ELO: f64 = 400.0;

/// Weight that stands in for an empty cell, so that no logarithm is infinite.
const EMPTY_CELL: f64 = 1e-3;

impl Sprt {
    pub(crate) fn validate(&self) -> Result<(), String> {
        for (name, elo) in [("elo0", self.elo0), ("elo1", self.elo1)] {
            if elo.is_nan() || elo.abs() > MAX_ELO {
                return Err(format!(
                    "{name}={elo}: expected a number from -{MAX_ELO} to {MAX_ELO}"
                ));
            }
        }
        if self.elo0 >= self.elo1 {
            return Err(format!(
                "elo0={} elo1={}: expected elo0 below elo1",
                self.elo0, self.elo1
            ));
        }
        for (name, rate) in [("alpha", self.alpha), ("beta", self.beta)] {
            if !(rate > 0.0 && rate < 0.5) {
                return Err(format!(
                    "{name}={rate}: expected a number between 0 and 0.5"
                ));
            }
        }
        Ok(())
    }

    /// Wald's bounds of the log likelihood ratio, `ln(beta / (1 - alpha))` and
    /// `ln((1 - beta) / alpha)`. At or below the first, H0 is accepted; at or above the
    /// second, H1.
    pub(crate) fn bounds(&self) -> (f64, f64) {
        (
            (self.beta / (1.0 - self.alpha)).ln(),
            ((1.0 - self.beta) / self.alpha).ln(),
        )
    }

    /// Returns the log likelihood ratio of pairs of games; 0 without any.
    pub fn llr_of_pairs(&self, pairs: &Pentanomial) -> f64 {
        self.llr(&pairs.0, 2.0)
    }

    /// Returns the log likelihood ratio of single games; 0 without any.
    pub(crate) fn llr_of_games(&self, games: &Wdl) -> f64 {
        self.llr(&games.cells(), 1.0)
    }

    /// Returns the verdict at a log likelihood ratio.
    pub fn verdict(&self, llr: f64) -> Verdict {
        let (lower, upper) = self.bounds();
        if llr >= upper {
            Verdict::AcceptH1
        } else if llr <= lower {
            Verdict::AcceptH0
        } else {
            Verdict::Continue
        }
    }

    /// Returns the ratio for observations of `games` games each.
    fn llr(&self, cells: &[u64], games: f64) -> f64 {
        if cells.iter().all(|&n| n == 0) {
            return 0.0;
        }
        let counts: Vec<f64> = cells.iter().map(|&n| (n as f64).max(EMPTY_CELL)).collect();
        let total: f64 = counts.iter().sum();
        let observed: Vec<f64> = counts.iter().map(|n| n / total).collect();
        let likeliest = |elo: f64| match self.model {
            Model::Logistic => likeliest_with_mean(&observed, score_of_elo(elo)),
            Model::Normalized => {
                likeliest_with_ratio(&observed, games.sqrt() * elo / NORMALIZED_ELO_UNIT)
            }
        };
        let (p0, p1) = (likeliest(self.elo0), likeliest(self.elo1));
        let ratios = p0.iter().zip(&p1).map(|(p0, p1)| (p1 / p0).ln());
        counts.iter().zip(ratios).map(|(n, ratio)| n * ratio).sum()
    }
}

/// The result of a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum Verdict {
    /// Not decided yet.
    #[serde(rename = "undecided")]
    Continue,
    /// The engine is not `elo1` stronger.
    #[serde(rename = "H0")]
    AcceptH0,
    /// The engine is more than `elo0` stronger.
    #[serde(rename = "H1")]
    AcceptH1,
}

/// Returns the distribution with the mean score `mean` that is closest in likelihood to
/// the observed one: `p / (1 + theta (a - mean))`, with the one theta that gives this
/// mean.
fn likeliest_with_mean(observed: &[f64], mean: f64) -> Vec<f64> {
    let cells = observed.len();
    let direction: Vec<f64> = (0..cells).map(|i| cell_score(i, cells) - mean).collect();
    tilted(observed, &direction).unwrap_or_else(|| observed.to_vec())
}

/// Returns the distribution closest in likelihood to the observed one in which the mean
/// score exceeds 1/2 by `ratio` standard deviations. The condition is not linear, so it
/// is linearised and solved again at each new estimate.
fn likeliest_with_ratio(observed: &[f64], ratio: f64) -> Vec<f64> {
    let cells = observed.len();
    let mut p = vec![1.0 / cells as f64; cells];
    for _ in 0..30 {
        let Moments { mean, variance } = Moments::of(&p);
        let deviation = variance.sqrt();
        let direction: Vec<f64> = (0..cells)
            .map(|i| {
                let score = cell_score(i, cells);
                let z = (score - mean) / deviation;
                score - 0.5 - 0.5 * ratio * deviation * (1.0 + z * z)
            })
            .collect();
        let Some(next) = tilted(observed, &direction) else {
            break;
        };
        let change = (p.iter().zip(&next)).fold(0f64, |most, (a, b)| most.max((a - b).abs()));
        p = next;
        if change < 1e-9 {
            break;
        }
    }
    p
}

/// Returns `observed / (1 + theta direction)` with the theta at which the mean of
/// `direction` vanishes; `None` if all directions have the same sign.
fn tilted(observed: &[f64], direction: &[f64]) -> Option<Vec<f64>> {
    let least = direction.iter().copied().fold(f64::INFINITY, f64::min);
    let most = direction.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if !(least < 0.0 && most > 0.0) {
        return None;
    }
    // The mean falls from plus to minus infinity between these two.
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    let mut theta = 0.0;
    for _ in 0..200 {
        let (mut mean, mut slope) = (0.0, 0.0);
        for (p, d) in observed.iter().zip(direction) {
            let q = d / (1.0 + theta * d);
            mean += p * q;
            slope += p * q * q;
        }
        if mean > 0.0 {
            low = theta;
        } else {
            high = theta;
        }
        let newton = theta + mean / slope;
        let next = if newton > low && newton < high {
            newton
        } else {
            f64::midpoint(low, high)
        };
        let step = (next - theta).abs();
        theta = next;
        if step <= 1e-13 * (high - low).max(theta.abs()) {
            break;
        }
    }
    Some(
        (observed.iter().zip(direction))
            .map(|(p, d)| p / (1.0 + theta * d))
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(model: Model, elo0: f64, elo1: f64) -> Sprt {
        Sprt {
            elo0,
            elo1,
            model,
            ..Sprt::default()
        }
    }

    /// Known cases of the fastchess project: the bounds, the cells in the order of the
    /// scores (three for games, five for pairs), and the ratio.
    #[test]
    fn ratios_agree_with_published_ones() {
        let cases = "\
            normalized 0 2: 36027 68692 36433: 0.92
            normalized -1.75 0.25: 10650 20431 10871: 2.30
            normalized 0 10: 0 0 4250: 120.56
            logistic 0.5 2.5: 21184 40708 21404: -1.57
            logistic 0 2: 57030 106593 57433: -2.59
            normalized 0 2: 365 16618 36229 16974 390: 2.25
            normalized -1.75 0.25: 127 4883 10712 5150 104: 3.01
            normalized 0 5: 0 0 0 0 5550: 111.82
            logistic 0.5 2.5: 223 9863 21279 10037 246: -3.07
            logistic 0 2: 871 26175 55983 26678 821: -4.98";
        for case in cases.lines() {
            let parts: Vec<Vec<&str>> = (case.split(':'))
                .map(|part| part.split_whitespace().collect())
                .collect();
            let number = |text: &str| text.parse::<f64>().expect(text);
            let model = match parts[0][0] {
                "normalized" => Model::Normalized,
                _ => Model::Logistic,
            };
            let cells: Vec<u64> = parts[1].iter().map(|&n| number(n) as u64).collect();
            let games = if cells.len() == 3 { 1.0 } else { 2.0 };
            let found = test(model, number(parts[0][1]), number(parts[0][2])).llr(&cells, games);
            let expected = number(parts[2][0]);
            let off = (found - expected).abs() / (1.0 + expected.abs());
            assert!(off < 0.01, "{found}: {case}");
        }
    }

    #[test]
    fn the_bounds_are_walds() {
        let sprt = Sprt::default();
        for (llr, verdict) in [
            (2.9445, Verdict::AcceptH1),
            (-2.9445, Verdict::AcceptH0),
            (2.944, Verdict::Continue),
            (-2.944, Verdict::Continue),
        ] {
            assert_eq!(sprt.verdict(llr), verdict);
        }
    }

    #[test]
    fn extreme_results_stay_finite() {
        for model in [Model::Normalized, Model::Logistic] {
            for (elo0, elo1) in [(0.0, 5.0), (-400.0, 400.0), (300.0, 400.0)] {
                let sprt = test(model, elo0, elo1);
                assert_eq!(sprt.llr_of_pairs(&Pentanomial::default()), 0.0);
                for cell in 0..5 {
                    let mut pairs = Pentanomial::default();
                    pairs.0[cell] = 1_000_000;
                    let llr = sprt.llr_of_pairs(&pairs);
                    assert!(llr.is_finite(), "{model} {elo0} {elo1} {cell}: {llr}");
                }
            }
        }
    }
}
