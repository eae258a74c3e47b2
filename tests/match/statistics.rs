//! What the statistics promise, tested on simulated matches.

use totemic::arena::sprt::{Model, Sprt, Verdict};
use totemic::arena::stats::{
    Moments, NORMALIZED_ELO_UNIT, Pentanomial, elo_of_score, score_of_elo,
};
use totemic_engine::game::Rng;

/// Even engines, with draws, decisive pairs, and openings that favour a side.
const EVEN: [f64; 5] = [0.08, 0.17, 0.5, 0.17, 0.08];

/// Returns the distribution like `EVEN` for which `strength` has a given value.
fn tilted(wanted: f64, strength: impl Fn(&[f64]) -> f64) -> Vec<f64> {
    let tilt = |theta: f64| -> Vec<f64> {
        let weights: Vec<f64> = (EVEN.iter().enumerate())
            .map(|(i, p)| p * (theta * i as f64).exp())
            .collect();
        let total: f64 = weights.iter().sum();
        weights.iter().map(|weight| weight / total).collect()
    };
    let (mut low, mut high) = (-5.0, 5.0);
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        if strength(&tilt(middle)) < wanted {
            low = middle;
        } else {
            high = middle;
        }
    }
    tilt(low)
}

fn normalized(p: &[f64]) -> f64 {
    let Moments { mean, variance } = Moments::of(p);
    (mean - 0.5) / (2.0 * variance).sqrt() * NORMALIZED_ELO_UNIT
}

fn logistic(p: &[f64]) -> f64 {
    elo_of_score(Moments::of(p).mean)
}

fn draw_pair(p: &[f64], rng: &mut Rng) -> u8 {
    let mut left = rng.below(1 << 30) as f64 / f64::from(1 << 30);
    for (half_points, weight) in (0..).zip(p) {
        left -= weight;
        if left < 0.0 {
            return half_points;
        }
    }
    4
}

/// Plays a thousand simulated matches until they are decided. Returns how many accepted H1.
fn accepted(sprt: &Sprt, p: &[f64], seed: u64) -> u32 {
    let mut rng = Rng::new(seed);
    let mut accepted = 0;
    for _ in 0..1000 {
        let mut results = Pentanomial::default();
        loop {
            results.add(draw_pair(p, &mut rng));
            match sprt.verdict(sprt.llr_of_pairs(&results)) {
                Verdict::Continue => {}
                Verdict::AcceptH0 => break,
                Verdict::AcceptH1 => {
                    accepted += 1;
                    break;
                }
            }
        }
    }
    accepted
}

/// Of a thousand matches 50 may be decided wrongly; two standard deviations more may be
/// chance.
const MOST_ERRORS: u32 = 50 + 14;

/// Returns the numbers of wrong decisions under both hypotheses, in a thousand matches
/// each.
fn errors(model: Model, strength: impl Fn(&[f64]) -> f64 + Copy) -> [u32; 2] {
    let sprt = Sprt {
        elo0: 0.0,
        elo1: 50.0,
        model,
        ..Sprt::default()
    };
    let wrong_h1 = accepted(&sprt, &tilted(sprt.elo0, strength), 1);
    let wrong_h0 = 1000 - accepted(&sprt, &tilted(sprt.elo1, strength), 2);
    for wrong in [wrong_h1, wrong_h0] {
        // A test that hardly ever errs would play too long.
        assert!(
            (15..=MOST_ERRORS).contains(&wrong),
            "{model}: {wrong} of 1000"
        );
    }
    [wrong_h1, wrong_h0]
}

#[test]
fn a_thousand_matches_keep_alpha_and_beta() {
    let normalized = errors(Model::Normalized, normalized);
    let logistic = errors(Model::Logistic, logistic);
    let all: u32 = normalized.iter().chain(&logistic).sum();
    assert!(all <= 4 * 50, "{all} of 4000");
}

#[test]
fn the_95_percent_interval_holds_the_truth_95_times_in_100() {
    let p = tilted(30.0, logistic);
    let mut rng = Rng::new(7);
    let mut held = 0;
    for _ in 0..2000 {
        let mut results = Pentanomial::default();
        for _ in 0..250 {
            results.add(draw_pair(&p, &mut rng));
        }
        let estimate = results.estimate().expect("pairs");
        held += u32::from(estimate.elo_low <= 30.0 && 30.0 <= estimate.elo_high);
    }
    assert!((1870..=1930).contains(&held), "{held} of 2000");
    assert!((score_of_elo(elo_of_score(0.3)) - 0.3).abs() < 1e-12);
}
