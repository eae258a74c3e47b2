//! Fitting what the scores of searches mean: a logistic regression of ordered results
//! (McCullagh, 1980) with a factor and a term to add at each knot of the game's course.

use super::fit::{KNOTS, phase};
use crate::search::Reading;

/// How strongly a knot is pulled towards what is so everywhere, as some have few
/// positions near them: logits lost for half the square of the difference.
const PULL: f64 = 100.0;
/// Rounds over all knots. Each is fitted with the others as they are.
const ROUNDS: usize = 30;
/// Steps of Newton's method at the most, and the one that is too short for another.
const STEPS: usize = 20;
const SHORT: f64 = 1e-6;

/// A score and what became of it.
pub(super) struct Scored {
    /// The score in logits.
    pub score: f64,
    /// The sign of the result for the side to move.
    pub sign: i32,
    /// Plies played before.
    pub ply: u8,
}

/// What is known of a logit: the sum of a slope and a bias, each times a number that
/// is given, and of something else.
pub(super) struct Sample {
    /// By what the slope and the bias are multiplied.
    pub parts: [f64; 2],
    /// What is added to them.
    pub offset: f64,
    /// The points that the logit stands for.
    pub points: f64,
}

fn sigmoid(logit: f64) -> f64 {
    1.0 / (1.0 + (-logit).exp())
}

/// The slope and the bias with which logits foretell points best, by Newton's
/// method from a guess, with a pull towards others.
pub(super) fn line(samples: &[Sample], guess: [f64; 2], towards: [f64; 2], pull: f64) -> [f64; 2] {
    let [mut slope, mut bias] = guess;
    for _ in 0..STEPS {
        let mut gradient = [pull * (slope - towards[0]), pull * (bias - towards[1])];
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
        if steps.iter().all(|step| step.abs() < SHORT) {
            break;
        }
    }
    [slope, bias]
}

/// What scores mean by what became of them. The knots are fitted together, so that a
/// change between two of them, as where only hard positions are left unproved, is not
/// smoothed away.
pub(super) fn fit(scored: &[Scored]) -> Reading {
    let all: Vec<_> = scored
        .iter()
        .flat_map(|one| samples(one, 1.0, 0.0, 0.0))
        .collect();
    let everywhere = line(&all, [1.0, 0.0], [1.0, 0.0], PULL);
    let mut lines = [everywhere; KNOTS];
    let mut draw = 0;
    for _ in 0..ROUNDS {
        for knot in 0..KNOTS {
            let near = scored.iter().filter(|one| share(one.ply, knot) > 0.0);
            let near = near.flat_map(|one| {
                let share = share(one.ply, knot);
                let others = logit_at(&lines, one) - share * logit(lines[knot], one.score);
                samples(one, share, others, f64::from(draw) / 1000.0)
            });
            lines[knot] = line(&near.collect::<Vec<_>>(), lines[knot], everywhere, PULL);
        }
        draw = half_draw(scored, &lines);
    }
    let thousandths = |logits: f64| (logits * 1000.0).round().clamp(-30000.0, 30000.0) as i16;
    Reading {
        factors: lines.map(|[factor, _]| thousandths(factor).max(1)),
        added: lines.map(|[_, added]| thousandths(added)),
        draw,
    }
}

/// What a result says of the logit of a score, of which a share is to be fitted: that
/// it is above half the width of a draw, below the other half, or both.
fn samples(one: &Scored, share: f64, others: f64, half: f64) -> impl Iterator<Item = Sample> {
    let parts = [share * one.score, share];
    let sample = move |half: f64, points: f64| Sample {
        parts,
        offset: others + half,
        points,
    };
    let above = (one.sign >= 0).then(|| sample(-half, 1.0));
    let below = (one.sign <= 0).then(|| sample(half, 0.0));
    above.into_iter().chain(below)
}

/// How much of a knot is in what a ply is given.
fn share(ply: u8, knot: usize) -> f64 {
    let (left, share) = phase(ply);
    let share = f64::from(share);
    match knot {
        _ if knot == left => 1.0 - share,
        _ if knot == left + 1 => share,
        _ => 0.0,
    }
}

fn logit([factor, added]: [f64; 2], score: f64) -> f64 {
    factor * score + added
}

fn logit_at(lines: &[[f64; 2]; KNOTS], one: &Scored) -> f64 {
    let (left, share) = phase(one.ply);
    let share = f64::from(share);
    let [before, after] = [left, left + 1].map(|knot| logit(lines[knot], one.score));
    (1.0 - share) * before + share * after
}

/// Half the width of a draw with which draws are as often expected as they are,
/// in thousandths of a logit.
fn half_draw(scored: &[Scored], lines: &[[f64; 2]; KNOTS]) -> i16 {
    let drawn = scored.iter().filter(|one| one.sign == 0).count() as f64;
    let logits: Vec<f64> = scored.iter().map(|one| logit_at(lines, one)).collect();
    let expected = |draw: i16| -> f64 {
        let half = f64::from(draw) / 1000.0;
        let draws = logits
            .iter()
            .map(|it| sigmoid(it + half) - sigmoid(it - half));
        draws.sum()
    };
    // The share grows with the width.
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
    use crate::game::Rng;

    /// Scores over the whole game, and results drawn by lines that bend at a knot and
    /// half the width of a draw.
    fn scored(truth: &[[f64; 2]; KNOTS], half: f64, rng: &mut Rng) -> Vec<Scored> {
        let mut all = Vec::new();
        for ply in 0..36 {
            for _ in 0..4000 {
                let unit = |rng: &mut Rng| rng.below(1 << 20) as f64 / f64::from(1 << 20);
                let mut one = Scored {
                    score: 6.0 * unit(rng) - 3.0,
                    sign: 0,
                    ply,
                };
                let (logit, luck) = (logit_at(truth, &one), unit(rng));
                let is = |what: bool| i32::from(what);
                one.sign = is(luck < sigmoid(logit - half)) - is(luck > sigmoid(logit + half));
                all.push(one);
            }
        }
        all
    }

    #[test]
    fn a_bend_at_a_knot_is_found() {
        let truth = [
            [1.0, 0.0],
            [1.2, 0.1],
            [1.5, -0.2],
            [0.8, -0.9],
            [1.0, -0.4],
        ];
        let reading = fit(&scored(&truth, 0.4, &mut Rng::new(3)));
        for (knot, [factor, added]) in truth.into_iter().enumerate() {
            let found = [reading.factors[knot], reading.added[knot]];
            for (found, true_one) in found.into_iter().zip([factor, added]) {
                let error = f64::from(found) / 1000.0 - true_one;
                assert!(error.abs() < 0.1, "knot {knot}: {reading}");
            }
        }
        assert!((360..440).contains(&reading.draw), "{reading}");
    }
}
