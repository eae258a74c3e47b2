//! Tunes weights and the numbers of the search by play: a fit to results cannot see which
//! positions a search meets.
//!
//! ```text
//! cargo run --release -p totemic-benches --bin tune -- yoxii|hokito weights BATCHES OUT [WEIGHTS]
//! cargo run --release -p totemic-benches --bin tune -- yoxii|hokito search  NODES BATCHES
//! cargo run --release -p totemic-benches --bin tune -- yoxii|hokito match   NODES PAIRS NAME=VALUE...
//! ```
//!
//! In a batch everything that is tuned goes up or down at random, and the result plays
//! against the one changed the opposite way, four openings twice each. Then each part
//! goes a little towards the side that won (simultaneous perturbation stochastic
//! approximation, Spall 1992). Openings are random ones that the engine considers about
//! even: from any others the same side wins both games, whatever it plays with. The same
//! arguments give the same result.
//!
//! `weights` begins with the weights in the program, or those of the file WEIGHTS, and
//! writes the current ones to OUT after every hundredth batch and at the end. What is
//! tuned are factors: one for each term and each group of classes, separately for the
//! first half of the game, its middle and its end. They go up and down by [`PERTURBATION`].
//!
//! `search` begins with the numbers of the game ([`Tuning`]), which go up and down by a
//! quarter. After every hundredth batch it prints their mean in the second half of the
//! batches so far. Numbers that a game does not use drift by chance; in Hokito these are
//! those of variants, of corrections, and of values that fall and rise. Reductions and
//! pruning need NODES of 10,000 a move or more: few nodes say little about them. An hour
//! of processor time is enough for some 4,000 batches of 10,000 nodes.
//!
//! `match` plays the game's numbers with the named changes against those without, two
//! games from each opening; no climb has played these openings. NODES are those of a
//! move. After every hundredth pair it prints the pairs by points, and the Elo.

use std::error::Error;
use std::fs;
use std::ops::RangeInclusive;
use std::path::Path;

use totemic::arena::stats::Pentanomial;
use totemic_engine::game::{Hokito, Layout, Rng, Side, Yoxii, random_game};
use totemic_engine::search::alphabeta::{self, Table};
use totemic_engine::search::{
    Evaluate, Features, Learnable, Learned, Limits, Request, Searchable, ThreadPool, Tuning,
    Weights, WeightsFile,
};
use totemic_engine::stop::Stop;

/// Logarithm of the factor by which weights go up and down in a batch.
const PERTURBATION: f64 = 0.12;
/// The part of [`PERTURBATION`] that a factor moves for each game won more than lost, in the
/// first batch and in the last one.
const STEPS: [f64; 2] = [0.004, 0.0008];
/// The same for the numbers of the search, which are fewer.
const SEARCH_STEPS: [f64; 2] = [0.016, 0.004];
/// The fraction of itself by which a number goes up and down.
const SEARCH_PERTURBATION: f64 = 0.25;
/// Number of openings in a batch.
const OPENINGS: usize = 4;
/// Nodes of a search when weights are tuned.
const NODES: u64 = 2_000;
/// Expected points of an opening that counts as even; finding it takes a move's nodes
/// divided by `GLANCE_DIVISOR`.
const EVEN_POINTS: RangeInclusive<f64> = 0.3..=0.7;
const GLANCE_DIVISOR: u64 = 5;
/// Size of a player's table in MiB.
const HASH_MB: usize = 2;
/// How far the batches have come is printed each time after this many.
const REPORT_EVERY: usize = 100;
/// The part of the game that each knot of the weights belongs to.
const PHASES: [usize; 5] = [0, 0, 1, 2, 2];
const PHASE_COUNT: usize = 3;

/// A game whose weights have groups.
trait Tuned: Searchable + Learnable {
    /// Number of random plies of an opening.
    const RANDOM_PLIES: u32;
    /// Returns the group of a class, both counted from the first class.
    fn class_group(class: usize) -> usize;
}

impl Tuned for Yoxii {
    const RANDOM_PLIES: u32 = 4;

    /// Squares by their distance from the totem, first the rows inside the board, then
    /// those at its edge; then patterns.
    fn class_group(class: usize) -> usize {
        const {
            assert!(
                Yoxii::COUNT == 23 + 8 * 832 + 2_439,
                "the classes are others"
            )
        };
        match class / 832 {
            row @ 0..8 => row % 4,
            _ => 4,
        }
    }
}

impl Tuned for Hokito {
    const RANDOM_PLIES: u32 = 4;

    /// Who can land on a tower, what it can land on, its neighbours, and three in a row.
    fn class_group(class: usize) -> usize {
        const PAIRS_END: usize = 336 + 378 + 24 * 24;
        const {
            assert!(
                Hokito::COUNT == 12 + PAIRS_END + 12 * 12 * 12,
                "the classes are others"
            )
        };
        let ends = [336, 336 + 378, PAIRS_END];
        ends.iter().filter(|&&end| class >= end).count()
    }
}

/// Returns the group of a feature: each term is a group of its own.
fn group_of<G: Tuned>(feature: usize) -> usize {
    let terms = (0..G::COUNT).take_while(|&feature| G::term_name(feature).is_some());
    let terms = terms.count();
    match feature.checked_sub(terms) {
        Some(class) => terms + G::class_group(class),
        None => feature,
    }
}

/// Multiplies weights by factors, which are given as logarithms in units of [`PERTURBATION`].
fn scaled<G: Tuned>(base: &Weights, groups: &[usize], factors: &[f64]) -> Learned<G> {
    let mut weights = base.clone();
    for (knots, group) in weights.knots.iter_mut().zip(groups) {
        for (weight, phase) in knots.iter_mut().zip(PHASES) {
            let factor = (factors[group * PHASE_COUNT + phase] * PERTURBATION).exp();
            let limits = (f64::from(i16::MIN), f64::from(i16::MAX));
            *weight = (f64::from(*weight) * factor)
                .round()
                .clamp(limits.0, limits.1) as i16;
        }
    }
    Learned::new(weights, "tuned".to_owned())
}

/// One side of a game.
struct Player<'a, G: Tuned> {
    eval: &'a Learned<G>,
    tuning: Tuning,
}

/// What the games are played with.
struct GameRunner {
    rng: Rng,
    pool: ThreadPool,
    tables: [Table; 2],
    nodes: u64,
}

impl GameRunner {
    fn new(nodes: u64) -> Self {
        Self {
            rng: Rng::new(1),
            pool: ThreadPool::new(1),
            tables: [Table::new(HASH_MB), Table::new(HASH_MB)],
            nodes,
        }
    }

    /// Returns the sign of a game's result for the first side, when the game is played
    /// out or proved.
    fn play<G: Tuned>(&mut self, start: &G, players: [&Player<'_, G>; 2]) -> i32 {
        self.tables.iter_mut().for_each(Table::clear);
        let never = Stop::new();
        let limits = players.map(|player| Limits {
            tuning: Some(Box::new(player.tuning)),
            ..Limits::nodes(self.nodes)
        });
        let mut position = *start;
        loop {
            let side = position.side();
            let (limits, table) = (&limits[side.index()], &mut self.tables[side.index()]);
            let eval = players[side.index()].eval;
            let request = Request::new(&position, limits, &never);
            let report = alphabeta::search(&request, &self.pool, table, eval, ());
            let Some(best) = report.best else {
                return position.standing().outcome().sign_for(Side::First);
            };
            let score = report.infos.first().map(|line| line.score);
            if let Some(plies) = score.and_then(|score| score.mate_plies()) {
                return if side == Side::First {
                    plies.signum()
                } else {
                    -plies.signum()
                };
            }
            position = position.play(best);
        }
    }

    /// Returns a random opening that is about even according to a search with `eval`.
    fn opening<G: Tuned>(&mut self, eval: &Learned<G>) -> G {
        let limits = Limits::nodes(self.nodes / GLANCE_DIVISOR);
        loop {
            let start = G::random_start(Layout::Halves, &mut self.rng);
            let (_, opening) = random_game(start, G::RANDOM_PLIES, &mut self.rng);
            let table = &mut self.tables[0];
            table.clear();
            let request = Request::new(&opening, &limits, &Stop::new());
            let report = alphabeta::search(&request, &self.pool, table, eval, ());
            let points = report
                .infos
                .first()
                .map(|line| eval.odds(&opening, line.score).expected_points());
            if points.is_some_and(|points| EVEN_POINTS.contains(&points)) {
                return opening;
            }
        }
    }

    /// Returns how many more of two games from an opening one player wins than the other.
    fn pair<G: Tuned>(&mut self, one: &Player<'_, G>, other: &Player<'_, G>) -> i32 {
        let opening = self.opening(one.eval);
        self.play(&opening, [one, other]) - self.play(&opening, [other, one])
    }

    /// Returns the same for a batch.
    fn batch<G: Tuned>(&mut self, one: &Player<'_, G>, other: &Player<'_, G>) -> i32 {
        (0..OPENINGS).map(|_| self.pair(one, other)).sum()
    }
}

/// Moves `count` coordinates from 0 towards what wins. `batch` plays what the first
/// coordinates mean against what the second mean, and returns how many more games the
/// first wins; `on_batch` gets the coordinates after each batch.
fn climb(
    batches: usize,
    count: usize,
    steps: [f64; 2],
    runner: &mut GameRunner,
    mut batch: impl FnMut(&mut GameRunner, &[f64], &[f64]) -> i32,
    mut on_batch: impl FnMut(usize, &[f64]) -> Result<(), Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    let mut place = vec![0.0; count];
    for number in 1..=batches {
        let signs: Vec<f64> = (0..count)
            .map(|_| [-1.0, 1.0][runner.rng.below(2)])
            .collect();
        let moved = |step: f64| -> Vec<f64> {
            let place = place.iter().zip(&signs);
            place.map(|(at, sign)| at + step * sign).collect()
        };
        let won = batch(runner, &moved(1.0), &moved(-1.0));
        let done = number as f64 / batches as f64;
        place = moved(f64::from(won) * (steps[0] + (steps[1] - steps[0]) * done));
        on_batch(number, &place)?;
    }
    Ok(())
}

fn tune_weights<G: Tuned>(batches: usize, out: &str, base: &Weights) -> Result<(), Box<dyn Error>> {
    let groups: Vec<usize> = (0..G::COUNT).map(group_of::<G>).collect();
    let count = groups.iter().max().map_or(0, |last| last + 1) * PHASE_COUNT;
    let batch = |runner: &mut GameRunner, up: &[f64], down: &[f64]| {
        let [up, down] = [up, down].map(|factors| scaled::<G>(base, &groups, factors));
        let [up, down] = [&up, &down].map(|eval| Player {
            eval,
            tuning: G::TUNING,
        });
        runner.batch(&up, &down)
    };
    climb(
        batches,
        count,
        STEPS,
        &mut GameRunner::new(NODES),
        batch,
        |number, factors| {
            if number % REPORT_EVERY != 0 && number != batches {
                return Ok(());
            }
            let weights = scaled::<G>(base, &groups, factors).weights().clone();
            let mut file = fs::read(out)
                .map_or(Ok(WeightsFile::empty()), |bytes| WeightsFile::read(&bytes))?;
            file.set::<G>(
                weights,
                &format!("tuned in {number} batches of {NODES} nodes"),
            );
            totemic::storage::replace(Path::new(out), &file.write())?;
            let sum: f64 = factors.iter().map(|factor| factor * factor).sum();
            eprintln!(
                "{number} of {batches} batches, {:.2} from the start",
                sum.sqrt()
            );
            Ok(())
        },
    )
}

/// Returns the numbers of a game's search at a place, which is given in units of
/// [`SEARCH_PERTURBATION`].
fn numbers<G: Tuned>(place: &[f64]) -> Tuning {
    let moved = |(number, at): (i32, &f64)| {
        let number = f64::from(number) * (1.0 + SEARCH_PERTURBATION * at);
        number.round() as i32
    };
    let values: Vec<i32> = G::TUNING
        .values()
        .into_iter()
        .zip(place)
        .map(moved)
        .collect();
    G::TUNING.with(&values).clamped()
}

fn tune_search<G: Tuned>(nodes: u64, batches: usize) -> Result<(), Box<dyn Error>> {
    let eval = &Learned::<G>::default();
    let batch = |runner: &mut GameRunner, up: &[f64], down: &[f64]| {
        let [up, down] = [up, down].map(|place| Player {
            eval,
            tuning: numbers::<G>(place),
        });
        runner.batch(&up, &down)
    };
    let mut places: Vec<Vec<f64>> = Vec::new();
    let runner = &mut GameRunner::new(nodes);
    climb(
        batches,
        Tuning::NAMES.len(),
        SEARCH_STEPS,
        runner,
        batch,
        |number, place| {
            places.push(place.to_vec());
            if number % REPORT_EVERY == 0 || number == batches {
                let half = &places[number / 2..];
                let mean = |at: usize| half.iter().map(|place| place[at]).sum::<f64>();
                let mean: Vec<f64> = (0..place.len())
                    .map(|at| mean(at) / half.len() as f64)
                    .collect();
                println!("{number} of {batches} batches: {:?}", numbers::<G>(&mean));
            }
            Ok(())
        },
    )
}

/// Returns the numbers of a game's search with changes, each a name and a value.
fn changed<G: Tuned>(changes: &[&str]) -> Result<Tuning, String> {
    let mut values = G::TUNING.values();
    for change in changes {
        let wrong = || {
            format!(
                "'{change}' is not NAME=VALUE with a NAME of {:?}",
                Tuning::NAMES
            )
        };
        let (name, value) = change.split_once('=').ok_or_else(wrong)?;
        let at = Tuning::NAMES.iter().position(|&known| known == name);
        let at = at.ok_or_else(wrong)?;
        let value = value.parse().map_err(|_| wrong())?;
        let range = &Tuning::RANGES[at];
        if !range.contains(&value) {
            return Err(format!("'{change}': expected {range:?}"));
        }
        values[at] = value;
    }
    Ok(G::TUNING.with(&values))
}

fn play_match<G: Tuned>(nodes: u64, pairs: usize, tuning: Tuning) {
    let eval = &Learned::<G>::default();
    let [changed, today] = [tuning, G::TUNING].map(|tuning| Player { eval, tuning });
    let mut runner = GameRunner::new(nodes);
    runner.rng = Rng::new(2);
    let mut results = Pentanomial::default();
    for number in 1..=pairs {
        let won = runner.pair(&changed, &today);
        results.add((2 + won) as u8);
        if number % REPORT_EVERY == 0 || number == pairs {
            let estimate = results.estimate().expect("a pair was played");
            println!(
                "{number} of {pairs} pairs {:?}: Elo {:+.0} [{:.0}, {:.0}]",
                results.0, estimate.elo, estimate.elo_low, estimate.elo_high
            );
        }
    }
}

fn start<G: Tuned>(words: &[&str]) -> Result<(), Box<dyn Error>> {
    let count = |text: &str| match text.parse() {
        Ok(count @ 1..) => Ok(count),
        _ => Err(format!("'{text}' is not a number from 1 on")),
    };
    match *words {
        ["match", nodes, pairs, ref changes @ ..] => {
            play_match::<G>(count(nodes)? as u64, count(pairs)?, changed::<G>(changes)?);
            Ok(())
        }
        ["search", nodes, batches] => tune_search::<G>(count(nodes)? as u64, count(batches)?),
        ["weights", batches, out] => {
            tune_weights::<G>(count(batches)?, out, Learned::<G>::default().weights())
        }
        ["weights", batches, out, from] => {
            let base = Learned::<G>::read(&fs::read(from)?)?;
            tune_weights::<G>(count(batches)?, out, base.weights())
        }
        _ => Err(
            "expected 'search', nodes and a number of batches; 'weights', a number of batches, a file \
             to write and maybe one to begin with; or 'match', nodes, pairs and changes"
                .into(),
        ),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.split_first() {
        Some((&"yoxii", rest)) => start::<Yoxii>(rest),
        Some((&"hokito", rest)) => start::<Hokito>(rest),
        Some((other, _)) => {
            Err(format!("'{other}' is not a game: expected yoxii or hokito").into())
        }
        None => Err("expected a game: yoxii or hokito".into()),
    }
}
