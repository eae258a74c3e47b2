//! Fits weights to decisions, and says what orders cost.

use std::array;

use super::Ordered;
use super::decisions::{Candidate, Decision};

/// One game in this many is held out.
const HELD_OUT: u64 = 4;
/// The number of steps of the fit, the part of each step that the next one keeps, and how
/// strongly weights are drawn towards 0.
const STEPS: usize = 600;
const MOMENTUM: f64 = 0.9;
const DECAY: f64 = 1e-4;

/// How much features differ among the moves of one decision.
struct Scale(Vec<f64>);

impl Scale {
    /// Returns the standard deviations of the first features from their means in each
    /// decision.
    fn of(decisions: &[&Decision], count: usize) -> Self {
        let mut sums = vec![0.0; count];
        let mut moves = 0;
        for decision in decisions {
            for (feature, sum) in sums.iter_mut().enumerate() {
                let values = decision
                    .candidates
                    .iter()
                    .map(|it| f64::from(it.features[feature]));
                let mean = values.clone().sum::<f64>() / decision.candidates.len() as f64;
                *sum += values.map(|value| (value - mean).powi(2)).sum::<f64>();
            }
            moves += decision.candidates.len();
        }
        let deviation = |sum: f64| (sum / moves as f64).sqrt();
        // A feature that never differs gets no weight, whatever its scale.
        let scales = sums
            .into_iter()
            .map(|sum| if sum > 0.0 { deviation(sum) } else { 1.0 });
        Self(scales.collect())
    }

    /// Returns how strongly weights tell moves apart.
    fn size(&self, weights: &[f64]) -> f64 {
        let terms = weights.iter().zip(&self.0);
        terms
            .map(|(weight, scale)| (weight * scale).powi(2))
            .sum::<f64>()
            .sqrt()
    }
}

/// Returns which share of the decision each move should get: most for the cheapest move
/// that reaches the goal, less for the others in inverse proportion to the square of
/// their cost.
fn shares(decision: &Decision) -> Vec<f64> {
    let worth = |it: &Candidate| {
        if it.reaches {
            (it.cost as f64).powi(-2)
        } else {
            0.0
        }
    };
    let sum: f64 = decision.candidates.iter().map(worth).sum();
    decision
        .candidates
        .iter()
        .map(|it| worth(it) / sum)
        .collect()
}

/// Fits weights of the first features by a conditional logit (McFadden 1974): the chance
/// that a move is the one to try is proportional to the exponential of its score. The
/// sign here is that of the solver's scores, of which the lowest comes first.
fn fit(decisions: &[&Decision], count: usize) -> Vec<f64> {
    let Scale(scales) = Scale::of(decisions, count);
    let scaled = |it: &Candidate| -> Vec<f64> {
        let values = it.features.iter().zip(&scales);
        values
            .map(|(&value, scale)| -f64::from(value) / scale)
            .collect()
    };
    let prepared: Vec<(Vec<Vec<f64>>, Vec<f64>)> = (decisions.iter())
        .map(|one| (one.candidates.iter().map(scaled).collect(), shares(one)))
        .collect();
    let mut weights = vec![0.0; count];
    let mut step = vec![0.0; count];
    for _ in 0..STEPS {
        let mut slope = vec![0.0; count];
        for (moves, shares) in &prepared {
            let scores: Vec<f64> = moves.iter().map(|it| dot(&weights, it)).collect();
            let highest = scores.iter().copied().fold(f64::MIN, f64::max);
            let odds: Vec<f64> = scores.iter().map(|score| (score - highest).exp()).collect();
            let sum: f64 = odds.iter().sum();
            for ((it, share), odds) in moves.iter().zip(shares).zip(odds) {
                for (slope, value) in slope.iter_mut().zip(it) {
                    *slope += (share - odds / sum) * value;
                }
            }
        }
        for ((weight, step), slope) in weights.iter_mut().zip(&mut step).zip(slope) {
            let slope = slope / prepared.len() as f64 - DECAY * *weight;
            *step = MOMENTUM * *step + slope / count as f64;
            *weight += *step;
        }
    }
    weights
        .iter()
        .zip(&scales)
        .map(|(weight, scale)| weight / scale)
        .collect()
}

fn dot(weights: &[f64], values: &[f64]) -> f64 {
    weights
        .iter()
        .zip(values)
        .map(|(weight, value)| weight * value)
        .sum()
}

/// Returns what a decision costs if moves with a lower score are tried first, and of
/// equal ones the first in the list.
fn cost(decision: &Decision, weights: &[f64]) -> f64 {
    let score = |it: &Candidate| {
        let values: Vec<f64> = it.features.iter().copied().map(f64::from).collect();
        dot(weights, &values)
    };
    let mut order: Vec<(f64, &Candidate)> = decision
        .candidates
        .iter()
        .map(|it| (score(it), it))
        .collect();
    order.sort_by(|one, other| one.0.total_cmp(&other.0));
    let wrong = order.iter().take_while(|(_, it)| !it.reaches).count();
    order
        .iter()
        .take(wrong + 1)
        .map(|(_, it)| it.cost as f64)
        .sum()
}

/// Returns what a decision costs on average over all orders. If there are n right moves,
/// each wrong move comes before all of them in one of n + 1 orders.
fn random_cost(decision: &Decision) -> f64 {
    let sum = |reaches: bool| {
        let of = decision
            .candidates
            .iter()
            .filter(|it| it.reaches == reaches);
        of.fold((0.0, 0.0), |(sum, count), it| {
            (sum + it.cost as f64, count + 1.0)
        })
    };
    let ((right, count), (wrong, _)) = (sum(true), sum(false));
    right / count + wrong / (count + 1.0)
}

fn cheapest(decision: &Decision) -> f64 {
    let right = decision.candidates.iter().filter(|it| it.reaches);
    right.map(|it| it.cost as f64).fold(f64::INFINITY, f64::min)
}

/// The names of the orders that are compared.
const ORDERS: [&str; 4] = ["random", "today's", "refitted", "all features"];

/// Fits each set, and prints what the orders cost on the held-out decisions.
pub(super) fn report<G: Ordered>(decisions: &[Decision]) -> Result<(), String> {
    let today: Vec<f64> = G::TODAY.iter().copied().map(f64::from).collect();
    let mut all = Vec::new();
    for (set, least) in G::SETS.into_iter().enumerate() {
        let below = G::SETS.get(set + 1).copied().unwrap_or(u32::MAX);
        let in_set = decisions
            .iter()
            .filter(|it| (least..below).contains(&it.plies_left));
        let (held, fitted): (Vec<_>, Vec<_>) = in_set.partition(|it| it.game % HELD_OUT == 0);
        let name = match below {
            u32::MAX => format!("from {least}"),
            _ => format!("{least} to {}", below - 1),
        };
        if held.is_empty() || fitted.is_empty() {
            println!("{} {name}: too few decisions", G::NAME);
            continue;
        }
        println!(
            "{} {name}: {} decisions fitted, {} held out",
            G::NAME,
            fitted.len(),
            held.len()
        );
        let weights: [Vec<f64>; 2] = [today.len(), G::FEATURES.len()].map(|count| {
            let weights = fit(&fitted, count);
            // An order has no unit; the size of today's weights makes the others easy to
            // compare.
            let scale = Scale::of(&fitted, count);
            let factor = scale.size(&today) / scale.size(&weights).max(f64::MIN_POSITIVE);
            weights.iter().map(|weight| weight * factor).collect()
        });
        let [refitted, full] = &weights;
        print!("{:14}", "weights");
        G::FEATURES.iter().for_each(|name| print!(" {name:>11}"));
        println!();
        for (name, weights) in ORDERS[1..].iter().zip([&today, refitted, full]) {
            print!("{name:14}");
            weights.iter().for_each(|weight| print!(" {weight:11.2}"));
            println!();
        }
        let costs: Vec<[f64; 4]> = (held.iter())
            .map(|one| {
                let least = cheapest(one);
                let [today, refitted, full] =
                    [&today, refitted, full].map(|weights| cost(one, weights) / least);
                [random_cost(one) / least, today, refitted, full]
            })
            .collect();
        tell_costs(&costs);
        all.extend(costs);
    }
    if all.is_empty() {
        return Err("too few decisions, or of too few games, to fit and to hold out".to_owned());
    }
    println!("{}, all sets: {} held out", G::NAME, all.len());
    tell_costs(&all);
    Ok(())
}

/// Prints the means of costs relative to those of the cheapest move.
fn tell_costs(costs: &[[f64; 4]]) {
    let mean =
        |of: &dyn Fn(&[f64; 4]) -> f64| costs.iter().map(of).sum::<f64>() / costs.len() as f64;
    let arithmetic: [f64; 4] = array::from_fn(|i| mean(&|cost| cost[i]));
    let geometric: [f64; 4] = array::from_fn(|i| mean(&|cost| cost[i].ln()).exp());
    println!("{:14} {:>11} {:>11}", "cost", "mean", "geometric");
    for ((name, mean), geometric) in ORDERS.iter().zip(arithmetic).zip(geometric) {
        println!("{name:14} {mean:11.3} {geometric:11.3}");
    }
}

#[cfg(test)]
mod tests {
    use totemic_engine::game::Rng;

    use super::*;

    fn candidate(reaches: bool, cost: u64, features: &[i32]) -> Candidate {
        Candidate {
            reaches,
            cost,
            features: features.to_vec(),
        }
    }

    fn decision(candidates: Vec<Candidate>) -> Decision {
        Decision {
            game: 1,
            plies_left: 9,
            goal: 1,
            candidates,
        }
    }

    #[test]
    fn the_fit_finds_the_weights_that_made_the_decisions() {
        let truth = [0.8, -0.1, 0.0];
        let mut rng = Rng::new(3);
        let decisions: Vec<Decision> = (0..4_000)
            .map(|_| {
                let mut moves: Vec<Candidate> = (0..6)
                    .map(|_| {
                        let features = [5, 30, 9].map(|most| rng.below(most) as i32);
                        candidate(false, 10, &features)
                    })
                    .collect();
                let odds: Vec<f64> = (moves.iter())
                    .map(|it| -> Vec<f64> { it.features.iter().copied().map(f64::from).collect() })
                    .map(|values| (-dot(&truth, &values)).exp())
                    .collect();
                let mut left =
                    odds.iter().sum::<f64>() * rng.below(1 << 30) as f64 / f64::from(1 << 30);
                let right = odds.iter().position(|odds| {
                    left -= odds;
                    left < 0.0
                });
                moves[right.unwrap_or(0)].reaches = true;
                decision(moves)
            })
            .collect();
        let weights = fit(&decisions.iter().collect::<Vec<_>>(), truth.len());
        for (found, (truth, near)) in weights.iter().zip(truth.iter().zip([0.08, 0.01, 0.02])) {
            assert!((found - truth).abs() < near, "{weights:?}");
        }
    }

    #[test]
    fn wrong_moves_count_until_the_first_right_one() {
        let moves = [(false, 5, 1), (true, 9, 2), (false, 7, 3), (true, 4, 4)];
        let moves = moves.map(|(reaches, cost, feature)| candidate(reaches, cost, &[feature]));
        let one = decision(moves.to_vec());
        assert_eq!(cheapest(&one), 4.0);
        assert_eq!(cost(&one, &[1.0]), 14.0);
        assert_eq!(cost(&one, &[-1.0]), 4.0);
        assert_eq!(cost(&one, &[0.0]), 14.0);
        // (5 + 7) / 3 + (9 + 4) / 2
        assert_eq!(random_cost(&one), 10.5);
    }
}
