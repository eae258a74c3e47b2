//! What a certificate will cost, before the work begins.
//!
//! The tree of a proof is measured by sampling it (Knuth, *Estimating the
//! efficiency of backtrack programs*, 1975). A sample goes down from the
//! position: for the side of the claim by the move that the caller chooses
//! (the engine's), for the other side by a random move, which stands for all of them.
//! It ends where the solver certifies the claim within a budget. Its nodes there, and each
//! position on the way, are multiplied by the numbers of moves among which
//! chance decided; the estimate is the mean of many such sums. Each sample begins with an
//! empty table, as each task of a proof in parts does.
//!
//! Where the solver refutes the claim, the last move of the claim's side
//! was wrong, and the sample goes on from there with another. When none is left,
//! the claim is false, and that is proved.
//!
//! Few lines carry most of such a sum, so the mean of a few samples is more often too
//! low than too high. Nor is the tree quite that of the certificate: the engine's moves
//! are better than the solver's first ones, and lines share nothing. No theory says how
//! much this matters. So the interval begins with a bootstrap, the middle 95 % of the
//! means of as many samples drawn from these with replacement (Efron, 1979), and each
//! end is moved outward by a factor of the game ([`Solvable::COST_FACTORS`]), found by
//! `benches/estimates.py`, which compares estimates with certificates. As the solver is first
//! asked for the whole proof within the budget, neither end nor the mean is below that.

use std::collections::HashMap;
use std::time::Duration;

use super::{Certificate, Choose, Claim, Failed, certify};
use crate::game::Rng;
use crate::host::Instant;
use crate::search::solver::{DEFAULT_HASH_MB, Solvable, SolveRequest, Solver};
use crate::stop::Stop;

/// Number of means that the bootstrap draws.
const RESAMPLES: usize = 2000;
/// Part of them beyond each end of their interval.
const TAIL_SHARE: f64 = 0.025;
/// The next sample asks the solver from this many plies before the position where it
/// last found an answer.
const EARLIER_PLIES: u32 = 2;

/// How the tree of a proof is sampled.
#[derive(Clone, Debug)]
pub struct Sampling {
    /// Number of samples, at least 1.
    pub samples: u32,
    /// Nodes that the solver may take for one position, at least 1.
    pub budget: u64,
    /// Seed of the random moves: the same seed gives the same estimate.
    pub seed: u64,
    /// Ends the sampling.
    pub stop: Stop,
}

impl Default for Sampling {
    /// A minute's work, or less.
    fn default() -> Self {
        Self {
            samples: 64,
            budget: 1_000_000,
            seed: 0,
            stop: Stop::new(),
        }
    }
}

/// What a proof costs, as far as that is known.
#[derive(Clone, PartialEq, Debug)]
pub enum Cost {
    /// The claim is proved: the certificate takes this many nodes.
    Proved(u64),
    /// The claim is false, which is proved.
    Refuted,
    /// The budget did not suffice for the proof.
    Estimated(Estimate),
}

/// The cost of a proof by its samples.
#[derive(Clone, PartialEq, Debug)]
pub struct Estimate {
    /// The mean of the samples, in nodes; never below the budget.
    pub nodes: f64,
    /// Holds the cost in more than 19 of 20 cases like those of the calibration.
    pub interval: (f64, f64),
    /// The nodes that each sample stands for.
    pub samples: Vec<f64>,
    /// Most and fewest plies left where the solver found an answer.
    pub plies_left: (u32, u32),
    /// Moves of the claim's side that turned out to be wrong on the way.
    pub wrong_moves: u32,
}

/// What an estimate found, and what it took.
#[derive(Clone, PartialEq, Debug)]
pub struct Measured {
    /// What it found.
    pub cost: Cost,
    pub(crate) nodes: u64,
    pub(crate) time: Duration,
}

impl Measured {
    /// Nodes per second of the solver with one thread; at least 1.
    pub fn nodes_per_second(&self) -> f64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-6)).max(1.0)
    }
}

/// Estimates what a proof of a claim costs. `choose` picks a move for the claim's
/// side among those given, of which there is at least one; the estimate is as good
/// as these moves. `progress` gets before each sample how many are done. `None`
/// if it was stopped.
#[inline(never)]
pub fn estimate<G: Solvable>(
    position: &G,
    claim: Claim,
    sampling: &Sampling,
    choose: Choose<'_, G>,
    progress: &mut dyn FnMut(u32),
) -> Option<Measured> {
    let mut sampler = Sampler {
        claim,
        sampling,
        request: SolveRequest {
            nodes: Some(sampling.budget),
            stop: sampling.stop.clone(),
            ..SolveRequest::default()
        },
        choose,
        rng: Rng::new(sampling.seed),
        plans: HashMap::new(),
        ask_from: u32::MAX,
        plies_left: (0, u32::MAX),
        wrong_moves: 0,
        nodes: 0,
        time: Duration::ZERO,
    };
    let cost = sampler.cost(position, progress)?;
    Some(Measured {
        cost,
        nodes: sampler.nodes,
        time: sampler.time,
    })
}

/// The positions that a sample passed, and their weights in the sum.
type Path<G> = Vec<(G, f64)>;

struct Sampler<'a, G: Solvable> {
    claim: Claim,
    sampling: &'a Sampling,
    request: SolveRequest,
    choose: Choose<'a, G>,
    rng: Rng,
    /// The moves of the claim's side that are not known to be wrong, the one to make first.
    plans: HashMap<G, Vec<G::Move>>,
    /// The solver is asked once no more than this many plies are left.
    ask_from: u32,
    plies_left: (u32, u32),
    wrong_moves: u32,
    nodes: u64,
    time: Duration,
}

impl<G: Solvable> Sampler<'_, G> {
    fn cost(&mut self, position: &G, progress: &mut dyn FnMut(u32)) -> Option<Cost> {
        match self.certify(&mut Solver::new(DEFAULT_HASH_MB), position) {
            (Ok(_), nodes) => return Some(Cost::Proved(nodes)),
            (Err(Failed::False), _) => return Some(Cost::Refuted),
            _ => {}
        }
        let mut samples = Vec::new();
        for done in 0..self.sampling.samples.max(1) {
            progress(done);
            match self.sample(position) {
                Ok(nodes) => samples.push(nodes),
                Err(Failed::False) => return Some(Cost::Refuted),
                Err(_) => return None,
            }
        }
        let (nodes, interval) = self.summary(&samples);
        Some(Cost::Estimated(Estimate {
            nodes,
            interval,
            samples,
            plies_left: self.plies_left,
            wrong_moves: self.wrong_moves,
        }))
    }

    /// Makes the proof of a position, if that takes no more than the budget. Also
    /// returns the nodes that it took.
    fn certify(
        &mut self,
        solver: &mut Solver<G>,
        position: &G,
    ) -> (Result<Certificate, Failed>, u64) {
        let (begin, most) = (Instant::now(), u64::MAX);
        let (claim, request) = (self.claim, &self.request);
        let certified = certify(solver, position, claim, request, most, &mut |_, _| ());
        self.time += begin.elapsed();
        self.nodes += certified.1;
        certified
    }

    /// The nodes that a sample stands for.
    fn sample(&mut self, start: &G) -> Result<f64, Failed> {
        let mut solver = Solver::new(DEFAULT_HASH_MB);
        let mut path = Path::new();
        let (mut position, mut weight, mut total) = (*start, 1.0, 0.0);
        loop {
            let moves = position.moves();
            let is_own = position.side() == self.claim.side;
            let mut answer = None;
            if moves.is_empty() {
                answer = Some(self.claim.holds(&position.standing()));
            } else if is_own && self.plans.get(&position).is_some_and(Vec::is_empty) {
                answer = Some(false);
            } else if is_own && position.plies_left() <= self.ask_from {
                let (certificate, nodes) = self.certify(&mut solver, &position);
                answer = match certificate {
                    Ok(_) => Some(true),
                    Err(Failed::False) => Some(false),
                    Err(Failed::Stopped) => return Err(Failed::Stopped),
                    Err(Failed::TooManyNodes | Failed::TooLong) => None,
                };
                if answer.is_some() {
                    total += weight * nodes as f64;
                    let (left, (most, fewest)) = (position.plies_left(), self.plies_left);
                    self.plies_left = (most.max(left), fewest.min(left));
                    self.ask_from = left + EARLIER_PLIES;
                }
            }
            match answer {
                Some(true) => return Ok(total),
                Some(false) => {
                    (position, weight) = self.step_back(&mut path).ok_or(Failed::False)?;
                    continue;
                }
                None => {}
            }
            total += weight;
            path.push((position, weight));
            let mv = if is_own {
                let choose = &mut *self.choose;
                let plan = self.plans.entry(position);
                plan.or_insert_with(|| chosen_first(&position, moves.to_vec(), choose))[0]
            } else {
                weight *= moves.len() as f64;
                moves[self.rng.below(moves.len())]
            };
            position = position.play(mv);
        }
    }

    /// Goes back along a path, at the end of which the claim was refuted, to the last
    /// position in which the claim's side has another move.
    fn step_back(&mut self, path: &mut Path<G>) -> Option<(G, f64)> {
        while let Some((position, weight)) = path.pop() {
            // None where the other side is to move.
            let Some(plan) = self.plans.get_mut(&position) else {
                continue;
            };
            self.wrong_moves += 1;
            plan.remove(0);
            if !plan.is_empty() {
                *plan = chosen_first(&position, std::mem::take(plan), self.choose);
                return Some((position, weight));
            }
        }
        None
    }

    fn summary(&mut self, samples: &[f64]) -> (f64, (f64, f64)) {
        let count = samples.len() as f64;
        let mut rng = Rng::new(self.sampling.seed);
        let mut mean = || {
            let draw = |_| samples[rng.below(samples.len())];
            (0..samples.len()).map(draw).sum::<f64>() / count
        };
        let mut means: Vec<f64> = (0..RESAMPLES).map(|_| mean()).collect();
        means.sort_by(f64::total_cmp);
        let at = |part: f64| means[((RESAMPLES - 1) as f64 * part).round() as usize];
        let mean = samples.iter().sum::<f64>() / count;
        let [low, high] = G::COST_FACTORS;
        let ends = [at(TAIL_SHARE) * low, mean, at(1.0 - TAIL_SHARE) * high];
        let [low, mean, high] = ends.map(|nodes| nodes.max(self.sampling.budget as f64));
        (mean, (low, high))
    }
}

fn chosen_first<G: Solvable>(
    position: &G,
    mut moves: Vec<G::Move>,
    choose: Choose<'_, G>,
) -> Vec<G::Move> {
    let chosen = choose(position, &moves);
    let at = moves.iter().position(|&mv| mv == chosen).unwrap_or(0);
    moves.swap(0, at);
    moves
}

#[cfg(test)]
mod tests {
    use std::iter::repeat;

    use super::*;
    use crate::game::{Game, Hokito, Side, Yoxii, random_positions};
    use crate::search::solver::Value;

    /// The move after which the other side has the fewest moves.
    fn fewest<G: Game>(position: &G, moves: &[G::Move]) -> G::Move {
        let replies = |mv: &&G::Move| position.play(**mv).count_moves();
        *moves.iter().min_by_key(replies).unwrap()
    }

    fn verdicts_are_true<G: Solvable>() {
        let mut seen = [0; 3];
        let plies = repeat(G::MAX_PLIES - 11);
        for position in random_positions::<G>(61, plies).take(80) {
            let mut solver = Solver::<G>::new(1);
            let truth = solver.solve(&position, &SolveRequest::default()).value;
            let is_true = match position.side() {
                Side::First => truth == Value::Win,
                Side::Second => truth == Value::Loss,
            };
            let sampling = Sampling {
                budget: 20,
                samples: 40,
                ..Sampling::default()
            };
            let claim = "p1 wins".parse().unwrap();
            let measured = estimate(&position, claim, &sampling, &mut fewest, &mut |_| ());
            let kind = match measured.unwrap().cost {
                Cost::Proved(_) => {
                    assert!(is_true, "{position}");
                    0
                }
                Cost::Refuted => {
                    assert!(!is_true, "{position}");
                    1
                }
                Cost::Estimated(_) => 2,
            };
            seen[kind] += 1;
        }
        assert!(seen[0] > 5 && seen[1] > 5, "{seen:?}");
    }

    #[test]
    fn what_is_called_proved_is_true() {
        verdicts_are_true::<Yoxii>();
        verdicts_are_true::<Hokito>();
    }
}
