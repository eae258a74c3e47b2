//! Fits what the scores of searches mean: a logistic regression of ordered results
//! (McCullagh, 1980). It has a factor and an added term at each knot of the game's
//! course, one term for odd plies against even ones, and a bend for high scores.

use totemic_engine::search::{ODDS_KNOTS, OddsModel, bend_score, parity_sign};

/// Pulls knots, which may have few positions near them, towards the whole game, and parity
/// towards 0: nats of loss per half the square of the difference.
const PULL: f64 = 100.0;
/// In each, knots and parity are fitted one by one, while the others stay.
const ROUNDS: usize = 30;
const ROUNDS_TO_COMPARE: usize = 5;
/// Bends of scores that are tried, in centipoints.
const BENDS: [i16; 8] = [0, 70, 100, 150, 200, 300, 500, 1000];
/// Steps of Newton's method at most; one shorter than `MIN_NEWTON_STEP` is the last.
const MAX_NEWTON_STEPS: usize = 20;
const MIN_NEWTON_STEP: f64 = 1e-6;

pub(super) struct Scored {
    pub score: f64,
    /// The sign of the result for the side to move.
    pub sign: i32,
    pub ply: u8,
}

/// What is known about a logit: a slope and a bias, each times a part, and an offset.
pub(super) struct Sample {
    /// What the slope and the bias are multiplied by.
    pub parts: [f64; 2],
    pub offset: f64,
    /// The points that the logit stands for.
    pub points: f64,
}

fn sigmoid(logit: f64) -> f64 {
    1.0 / (1.0 + (-logit).exp())
}

/// Returns the best slope and bias by Newton's method, pulled towards other values.
pub(super) fn regress(samples: &[Sample], guess: [f64; 2], prior: [f64; 2], pull: f64) -> [f64; 2] {
    let [mut slope, mut bias] = guess;
    for _ in 0..MAX_NEWTON_STEPS {
        let mut gradient = [pull * (slope - prior[0]), pull * (bias - prior[1])];
        let mut hessian = [pull + 1e-9, 0.0, pull + 1e-9];
        for sample in samples {
            let [x, y] = sample.parts;
            let chance = sigmoid(slope * x + bias * y + sample.offset);
            let error = chance - sample.points;
            let weight = chance * (1.0 - chance);
            gradient[0] += error * x;
            gradient[1] += error * y;
            hessian[0] += weight * x * x;
            hessian[1] += weight * x * y;
            hessian[2] += weight * y * y;
        }
        let determinant = hessian[0] * hessian[2] - hessian[1] * hessian[1];
        let steps = [
            (hessian[2] * gradient[0] - hessian[1] * gradient[1]) / determinant,
            (hessian[0] * gradient[1] - hessian[1] * gradient[0]) / determinant,
        ];
        slope -= steps[0];
        bias -= steps[1];
        if steps.iter().all(|step| step.abs() < MIN_NEWTON_STEP) {
            break;
        }
    }
    [slope, bias]
}

/// Fits the odds with each bend, and takes the one with the least loss.
pub(super) fn fit(scored: &[Scored]) -> OddsModel {
    let bend_all = |bend: i16| -> Vec<Scored> {
        let bend_one = |one: &Scored| Scored {
            score: bend_score(one.score, bend),
            ..*one
        };
        scored.iter().map(bend_one).collect()
    };
    let loss = |&bend: &i16| {
        let scored = bend_all(bend);
        OddsFit::of(&scored, ROUNDS_TO_COMPARE).loss(&scored)
    };
    let losses = BENDS.iter().map(|bend| (loss(bend), *bend));
    let least = losses.min_by(|a, b| a.0.total_cmp(&b.0));
    let (_, bend) = least.unwrap_or_default();
    let fitted = OddsFit::of(&bend_all(bend), ROUNDS);
    let thousandths = |logits: f64| (logits * 1000.0).round().clamp(-30000.0, 30000.0) as i16;
    OddsModel {
        factors: fitted.by_knot.map(|[factor, _]| thousandths(factor).max(1)),
        added: fitted.by_knot.map(|[_, added]| thousandths(added)),
        odd: thousandths(fitted.odd),
        bend,
        draw: fitted.draw,
    }
}

/// An [`OddsModel`] being fitted, in logits, of scores that are bent already.
struct OddsFit {
    by_knot: [[f64; 2]; ODDS_KNOTS.len()],
    /// What is added at odd plies and subtracted at even ones.
    odd: f64,
    /// Half the width of a draw, in thousandths of a logit.
    draw: i16,
}

impl OddsFit {
    /// Fits all knots together, in rounds, so that no change between knots is smoothed away,
    /// for example where only hard positions are left unproved.
    fn of(scored: &[Scored], rounds: usize) -> Self {
        let all = |one| samples(one, [one.score, 1.0], 0.0, 0.0);
        let all: Vec<_> = scored.iter().flat_map(all).collect();
        let everywhere = regress(&all, [1.0, 0.0], [1.0, 0.0], PULL);
        let mut fitted = Self {
            by_knot: [everywhere; ODDS_KNOTS.len()],
            odd: 0.0,
            draw: 0,
        };
        for _ in 0..rounds {
            for knot in 0..ODDS_KNOTS.len() {
                let near = scored.iter().filter(|one| share(one.ply, knot) > 0.0);
                let near = near.flat_map(|one| {
                    let share = share(one.ply, knot);
                    let own = share * logit(fitted.by_knot[knot], one.score);
                    let parts = [share * one.score, share];
                    samples(one, parts, fitted.logit(one) - own, fitted.half())
                });
                let near: Vec<_> = near.collect();
                fitted.by_knot[knot] = regress(&near, fitted.by_knot[knot], everywhere, PULL);
            }
            let by_parity = scored.iter().flat_map(|one| {
                let parity = parity_sign(one.ply.into());
                let others = fitted.logit(one) - fitted.odd * parity;
                samples(one, [parity, 0.0], others, fitted.half())
            });
            let by_parity: Vec<_> = by_parity.collect();
            [fitted.odd, _] = regress(&by_parity, [fitted.odd, 0.0], [0.0; 2], PULL);
            fitted.draw = half_draw(scored, &fitted);
        }
        fitted
    }

    fn half(&self) -> f64 {
        f64::from(self.draw) / 1000.0
    }

    fn logit(&self, one: &Scored) -> f64 {
        let from = usize::from(one.ply) / ODDS_KNOTS[1];
        let mut by_ply = 0.0;
        for (knot, &it) in self.by_knot.iter().enumerate().skip(from).take(2) {
            by_ply += share(one.ply, knot) * logit(it, one.score);
        }
        by_ply + self.odd * parity_sign(one.ply.into())
    }

    fn loss(&self, scored: &[Scored]) -> f64 {
        let loss = |one: &Scored| {
            let logit = self.logit(one);
            let [above, below] = [logit + self.half(), logit - self.half()].map(sigmoid);
            let chance = match one.sign {
                1.. => below,
                0 => above - below,
                ..0 => 1.0 - above,
            };
            -chance.max(f64::MIN_POSITIVE).ln()
        };
        scored.iter().map(loss).sum()
    }
}

/// A result says that a logit is above half a draw's width, below minus that, or both.
fn samples(one: &Scored, parts: [f64; 2], others: f64, half: f64) -> impl Iterator<Item = Sample> {
    let sample = move |half: f64, points: f64| Sample {
        parts,
        offset: others + half,
        points,
    };
    let above = (one.sign >= 0).then(|| sample(-half, 1.0));
    let below = (one.sign <= 0).then(|| sample(half, 0.0));
    above.into_iter().chain(below)
}

fn share(ply: u8, knot: usize) -> f64 {
    let away = ODDS_KNOTS[knot].abs_diff(usize::from(ply)) as f64;
    (1.0 - away / ODDS_KNOTS[1] as f64).max(0.0)
}

fn logit([factor, added]: [f64; 2], score: f64) -> f64 {
    factor * score + added
}

/// Returns half the width of a draw in thousandths of a logit, such that draws are expected as
/// often as they happen.
fn half_draw(scored: &[Scored], fitted: &OddsFit) -> i16 {
    let drawn = scored.iter().filter(|one| one.sign == 0).count() as f64;
    let logits: Vec<f64> = scored.iter().map(|one| fitted.logit(one)).collect();
    let expected = |half_draw: i16| -> f64 {
        let half = f64::from(half_draw) / 1000.0;
        let draw = |logit: &f64| sigmoid(logit + half) - sigmoid(logit - half);
        logits.iter().map(draw).sum()
    };
    // The share of draws grows with the width.
    let (mut low, mut high) = (0i16, 5000);
    while low < high {
        let middle = low.midpoint(high);
        match expected(middle) < drawn {
            true => low = middle + 1,
            false => high = middle,
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;
    use totemic_engine::game::Rng;
    use totemic_engine::search::Score;

    const BEND: i16 = 150;

    /// Makes scores and results of a model that sees the scores bent.
    fn scored(truth: &OddsFit, rng: &mut Rng) -> Vec<Scored> {
        let mut all = Vec::new();
        for ply in 0..36 {
            for _ in 0..2500 {
                let unit = |rng: &mut Rng| rng.below(1 << 20) as f64 / f64::from(1 << 20);
                let one = Scored {
                    score: 8.0 * unit(rng) - 4.0,
                    sign: 0,
                    ply,
                };
                let (logit, luck) = (logit_of(truth, &one), unit(rng));
                let is = |what: bool| i32::from(what);
                let sign = is(luck < sigmoid(logit - truth.half()))
                    - is(luck > sigmoid(logit + truth.half()));
                all.push(Scored { sign, ..one });
            }
        }
        all
    }

    fn logit_of(truth: &OddsFit, one: &Scored) -> f64 {
        truth.logit(&Scored {
            score: bend_score(one.score, BEND),
            ..*one
        })
    }

    #[test]
    fn a_model_is_found_again() {
        let mut truth = OddsFit {
            by_knot: std::array::from_fn(|knot| [1.0 + 0.05 * knot as f64, 0.02 * knot as f64]),
            odd: 0.3,
            draw: 400,
        };
        truth.by_knot[3] = [1.8, -0.2];
        truth.by_knot[4] = [0.8, -0.9];
        let fitted = fit(&scored(&truth, &mut Rng::new(3)));
        assert_eq!(fitted.bend, BEND);
        for (knot, [factor, added]) in truth.by_knot.into_iter().enumerate() {
            let of_knot = [fitted.factors[knot], fitted.added[knot]];
            for (fitted, true_one) in of_knot.into_iter().zip([factor, added]) {
                let error = f64::from(fitted) / 1000.0 - true_one;
                assert!(error.abs() < 0.1, "knot {knot}: {fitted}");
            }
        }
        assert!((250..350).contains(&fitted.odd), "{fitted}");
        assert!((360..440).contains(&fitted.draw), "{fitted}");
        // The fitted model gives the odds of the true one, between the knots, too.
        for (ply, score) in (0..36).zip([50, -300].into_iter().cycle()) {
            let one = Scored {
                score: f64::from(score) / 100.0,
                sign: 0,
                ply,
            };
            let odds = fitted.odds(Score::estimate(score), ply.into());
            let won = 1000.0 * sigmoid(logit_of(&truth, &one) - truth.half());
            assert!((f64::from(odds.win) - won).abs() < 40.0, "{ply}: {odds:?}");
        }
    }
}
