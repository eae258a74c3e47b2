//! Weights tuned by play: what a fit to results cannot see is what a search meets.
//!
//! ```text
//! cargo run --release --example tune -- yoxii|hokito BATCHES OUT [WEIGHTS]
//! ```
//!
//! Begins with the weights in the program, or those of the file WEIGHTS, and writes
//! them to OUT as they are after every hundredth batch and at the end. What is tuned
//! are factors: one for each term and each group of classes, apart for the first half
//! of the game, its middle and its end. In a batch all factors go up or down at random, by
//! [`SIZE`], and the weights so changed play against those changed the other way, four random
//! openings twice each; each factor then goes a little towards the side that won (simultaneous
//! perturbation stochastic approximation, Spall 1992). The same arguments make the same
//! weights.

use std::error::Error;
use std::fs;
use std::path::Path;

use totemic::game::{Hokito, Layout, Rng, Side, Yoxii, random_game};
use totemic::record::whole_file;
use totemic::search::{
    Control, Crew, Evaluate, Learnable, Learned, Limits, Searchable, Table, Weights, WeightsFile,
    search,
};

/// Logarithm of the factor by which weights go up and down in a batch.
const SIZE: f64 = 0.12;
/// The part of it that a factor moves for each game more won than lost, in the first
/// batch and in the last.
const STEPS: [f64; 2] = [0.004, 0.0008];
/// Openings of a batch.
const OPENINGS: usize = 4;
/// Nodes of a search, and the size of a player's table in MiB.
const NODES: u64 = 2_000;
const HASH_MB: usize = 2;
/// Batches after which the weights are written.
const WRITTEN_EVERY: usize = 100;
/// The part of the game that each knot of the weights belongs to.
const PHASES: [usize; 5] = [0, 0, 1, 2, 2];
const PHASE_COUNT: usize = 3;

/// A game whose weights have groups.
trait Tuned: Searchable + Learnable {
    /// Random plies of an opening.
    const RANDOM_PLIES: u32;
    /// The group of a class, counted from the first class, of so many.
    fn class_group(class: usize, classes: usize) -> usize;
}

impl Tuned for Yoxii {
    const RANDOM_PLIES: u32 = 4;

    /// By distance from the totem: first the rows inside the board, then those at its edge.
    fn class_group(class: usize, classes: usize) -> usize {
        class / (classes / 8) % 4
    }
}

impl Tuned for Hokito {
    const RANDOM_PLIES: u32 = 0;

    /// Who can land on a tower, what it can land on, and its neighbours.
    fn class_group(class: usize, _classes: usize) -> usize {
        [336, 336 + 378].iter().filter(|&&end| class >= end).count()
    }
}

/// The group of a feature: each term is one of its own.
fn group_of<G: Tuned>(feature: usize) -> usize {
    let terms = (0..G::COUNT).take_while(|&feature| G::term_name(feature).is_some());
    let terms = terms.count();
    match feature.checked_sub(terms) {
        Some(class) => terms + G::class_group(class, G::COUNT - terms),
        None => feature,
    }
}

/// Weights under factors, which are given as logarithms in parts of [`SIZE`].
fn scaled<G: Tuned>(base: &Weights, groups: &[usize], factors: &[f64]) -> Learned<G> {
    let mut weights = base.clone();
    for (knots, group) in weights.knots.iter_mut().zip(groups) {
        for (weight, phase) in knots.iter_mut().zip(PHASES) {
            let factor = (factors[group * PHASE_COUNT + phase] * SIZE).exp();
            let limits = (f64::from(i16::MIN), f64::from(i16::MAX));
            *weight = (f64::from(*weight) * factor)
                .round()
                .clamp(limits.0, limits.1) as i16;
        }
    }
    Learned::new(weights, "tuned".to_owned())
}

/// The sign of a game's result for the first side: played out, or proved.
fn play<G: Tuned>(start: &G, evals: [&Learned<G>; 2], tables: &mut [Table; 2], crew: &Crew) -> i32
where
    Learned<G>: Evaluate<G>,
{
    tables.iter_mut().for_each(Table::clear);
    let (limits, control) = (Limits::nodes(NODES), Control::default());
    let mut position = *start;
    loop {
        let side = position.side();
        let (eval, table) = (evals[side.index()], &mut tables[side.index()]);
        let report = search(&position, &limits, crew, table, eval, &control, |_| ());
        let Some(best) = report.best else {
            return position.standing().outcome().sign_for(Side::First);
        };
        let score = report.lines.first().map(|line| line.score);
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

fn tune<G: Tuned>(batches: usize, out: &str, base: &Weights) -> Result<(), Box<dyn Error>>
where
    Learned<G>: Evaluate<G>,
{
    let groups: Vec<usize> = (0..G::COUNT).map(group_of::<G>).collect();
    let count = groups.iter().max().map_or(0, |last| last + 1) * PHASE_COUNT;
    let mut factors = vec![0.0; count];
    let mut rng = Rng::new(1);
    let crew = Crew::new(1);
    let mut tables = [Table::new(HASH_MB), Table::new(HASH_MB)];
    for batch in 1..=batches {
        let signs: Vec<f64> = (0..count).map(|_| [-1.0, 1.0][rng.below(2)]).collect();
        let moved = |step: f64| -> Vec<f64> {
            let factors = factors.iter().zip(&signs);
            factors.map(|(factor, sign)| factor + step * sign).collect()
        };
        let [up, down] = [1.0, -1.0].map(|step| scaled::<G>(base, &groups, &moved(step)));
        let mut won = 0;
        for _ in 0..OPENINGS {
            let start = G::random_start(Layout::Halves, &mut rng);
            let (_, opening) = random_game(start, G::RANDOM_PLIES, &mut rng);
            won += play(&opening, [&up, &down], &mut tables, &crew);
            won -= play(&opening, [&down, &up], &mut tables, &crew);
        }
        let done = batch as f64 / batches as f64;
        factors = moved(f64::from(won) * (STEPS[0] + (STEPS[1] - STEPS[0]) * done));
        if batch % WRITTEN_EVERY == 0 || batch == batches {
            let weights = scaled::<G>(base, &groups, &factors).weights().clone();
            let mut file = fs::read(out)
                .map_or(Ok(WeightsFile::empty()), |bytes| WeightsFile::read(&bytes))?;
            file.set::<G>(
                weights,
                &format!("tuned in {batch} batches of {NODES} nodes"),
            );
            whole_file::replace(Path::new(out), &file.write())?;
            let sum: f64 = factors.iter().map(|factor| factor * factor).sum();
            eprintln!(
                "{batch} of {batches} batches, {:.2} from the start",
                sum.sqrt()
            );
        }
    }
    Ok(())
}

fn start<G: Tuned>(batches: usize, out: &str, from: Option<&String>) -> Result<(), Box<dyn Error>>
where
    Learned<G>: Evaluate<G>,
{
    let base = match from {
        Some(file) => Learned::<G>::read(&fs::read(file)?)?,
        None => Learned::default(),
    };
    tune::<G>(batches, out, base.weights())
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let batches = words.get(1).and_then(|word| word.parse().ok());
    let (Some(batches), Some(out)) = (batches, words.get(2)) else {
        return Err("expected a game, a number of batches and a file to write".into());
    };
    match words[0].as_str() {
        "yoxii" => start::<Yoxii>(batches, out, words.get(3)),
        "hokito" => start::<Hokito>(batches, out, words.get(3)),
        other => Err(format!("'{other}' is no game: expected yoxii or hokito").into()),
    }
}
