//! `totemic fit`: fits the weights of the evaluation to games.

use std::fs::File;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Map, Value as Json};

use super::data::calibration;
use super::files::{self, check_outputs, content_error, write_whole};
use super::values::{amount, amount_up_to, whole};
use super::{CliResult, Failure, Global, journals, progress};
use crate::storage;
use crate::train::datagen::Run;
use crate::train::dataset::{DataSet, HELD_OUT_EVERY, Hyperparameters, MIN_POSITIONS, Terms};
use crate::train::optimizer::Optimizer;
use totemic_engine::game::{Rng, with_game};
use totemic_engine::search::{Learnable, Learned, Weights, WeightsFile};
use totemic_engine::text::quoted_path;
use totemic_engine::weights;

/// Fit the weights of the evaluation to games made by `datagen`
///
/// Prints the log loss of the results of held-out games, for the evaluation written by
/// hand and for the fitted one, by plies, and then the table of `totemic data calibration`
/// for them. No loss is printed for fewer than 100 positions. The weights are those of
/// the epoch with the least loss on the held-out games; a warning says if the start was
/// better, or if there are too few positions to tell. OUT keeps the weights that it has
/// for other games.
///
/// The odds, which say what scores mean, are fitted to the scores in the games: they hold
/// for searches of as many nodes as these games were played with.
///
/// All positions are held in memory: about 370 MB for a million of Yoxii, 570 MB for a
/// million of Hokito. If that is too much, --max-positions takes a random sample.
#[derive(Args, Debug)]
pub(super) struct FitArgs {
    /// Journals written by `datagen`, all of one game
    #[arg(long, value_name = "JOURNAL", required = true, num_args = 1..)]
    data: Vec<PathBuf>,
    /// Games to hold out, for comparable fits [default: every tenth game]
    #[arg(long, value_name = "JOURNAL")]
    held_out: Option<PathBuf>,
    /// The file of weights to write; it keeps the weights of other games
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// How many times all positions are visited
    #[arg(long, help_heading = "Fit", value_name = "N", default_value_t = 8,
          value_parser = whole(1..=1000u32))]
    epochs: u32,
    /// Stop after so many epochs that improve nothing [default: never]
    #[arg(long, help_heading = "Fit", value_name = "N", value_parser = whole(1..=1000u32))]
    patience: Option<u32>,
    /// Save the state after each epoch, and continue from it if it exists
    ///
    /// A fit that was killed loses one epoch at most, and the weights are the same. The
    /// file of a fit with other settings or data is refused.
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Hold at most so many positions in memory, of a sample of all games
    #[arg(long, value_name = "N", value_parser = whole(1usize..))]
    max_positions: Option<usize>,
    /// Draw the calibration table as an SVG picture
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Replace the file of --svg if it exists
    #[arg(long, requires = "svg")]
    force: bool,
    /// Share of the result in the label of a position, from 0 to 1
    ///
    /// The rest is what the search expected, by the odds of the evaluation written by
    /// hand.
    #[arg(long, help_heading = "Fit", value_name = "X", default_value_t = 1.0,
          value_parser = amount_up_to(1.0))]
    result_share: f32,
    /// Length of the first steps, in logits
    #[arg(long, help_heading = "Fit", value_name = "X", default_value_t = 0.01,
          value_parser = amount)]
    rate: f32,
    /// Pull towards the weights written by hand, up to 1000
    ///
    /// Without the terms, the pull is towards 0.
    #[arg(long, help_heading = "Fit", value_name = "X", default_value_t = 1e-7,
          value_parser = amount_up_to(1000.0))]
    ridge: f32,
    /// Weight of a proved position against any other, at most 1000
    #[arg(long, help_heading = "Fit", value_name = "X", default_value_t = 3.0,
          value_parser = amount_up_to(1000.0))]
    proved_weight: f32,
    /// Leave the terms written by hand as they are
    #[arg(long, help_heading = "Fit")]
    keep_terms: bool,
    /// Learn only classes, from 0: the terms written by hand weigh nothing
    #[arg(long, help_heading = "Fit", conflicts_with = "keep_terms")]
    without_terms: bool,
    /// Fit only the odds, and leave the weights in OUT as they are
    ///
    /// This is for weights that were changed after their fit, and games played with them.
    #[arg(long, help_heading = "Fit",
          conflicts_with_all = ["epochs", "patience", "checkpoint", "result_share", "rate",
        "ridge", "proved_weight", "keep_terms", "without_terms"])]
    odds_only: bool,
    /// Seed of the order of positions, and of the sample
    #[arg(long, help_heading = "Fit", value_name = "N", default_value_t = 1,
          value_parser = whole(0u64..))]
    seed: u64,
}

impl FitArgs {
    fn hyperparameters(&self) -> Hyperparameters {
        Hyperparameters {
            epochs: self.epochs,
            patience: self.patience,
            max_positions: self.max_positions,
            result_share: self.result_share,
            rate: self.rate,
            ridge: self.ridge,
            proved_weight: self.proved_weight,
            terms: match (self.keep_terms, self.without_terms) {
                (_, true) => Terms::LeaveOut,
                (true, false) => Terms::Keep,
                (false, false) => Terms::Fit,
            },
            seed: self.seed,
        }
    }

    /// Checks that the files can be written and are not among those that are read.
    fn check_files(&self) -> CliResult {
        let outputs = [
            ("--out", Some(&self.out)),
            ("--checkpoint", self.checkpoint.as_ref()),
            ("--svg", self.svg.as_ref()),
        ];
        let inputs: Vec<_> = self.data.iter().chain(&self.held_out).collect();
        if weights::without_file(&self.out).is_some() {
            let name = quoted_path(&self.out);
            return Err(usage!(
                "--out {name}: this is the name of built-in weights; use another, \
                 or put ./ before it"
            ));
        }
        check_outputs(&outputs, &inputs, true)?;
        // A fit goes on with the others.
        check_outputs(&outputs[2..], &inputs, self.force)
    }
}

pub(super) fn run(global: Global, args: &FitArgs) -> CliResult {
    args.check_files()?;
    let (kind, data) = journals::read_games(global, &args.data)?;
    let mut held_out = Vec::new();
    if let Some(path) = &args.held_out {
        let game = Some(kind);
        held_out = journals::read_games(Global { game, ..global }, std::slice::from_ref(path))?.1;
    }
    with_game!(kind, G => fit::<G>(args, &data, &held_out))
}

fn fit<G: Learnable>(args: &FitArgs, data: &[Run], held_out: &[Run]) -> CliResult {
    let refused = |why| content_error(&args.out, why);
    let begun = weights_to_extend(args)?;
    if args.odds_only {
        begun.weights::<G>().map_err(refused)?;
    }
    let mut dataset = DataSet::<G>::new(args.hyperparameters());
    let origin = add_games(args, &mut dataset, data, held_out)?;
    let optimized = || optimize(args, &dataset, &identity(data, held_out));
    let fitted = (!args.odds_only).then(optimized).transpose()?;
    // Another fit may have put the weights of the other game there in the meantime.
    let locked = lock_folder(&args.out);
    let mut file = weights_to_extend(args)?;
    let set = match fitted {
        Some(weights) => {
            file.set::<G>(weights, &origin);
            Ok(())
        }
        None => file.set_odds::<G>(dataset.fit_odds(), &format!("odds by {origin}")),
    };
    let weights = set.and_then(|()| file.weights::<G>());
    let weights = weights.map_err(refused)?;
    let bytes = file.write();
    // This comes before anything is printed: somebody who reads only the first lines
    // wants the weights, too.
    write_whole(&args.out, &bytes, true)?;
    drop(locked);
    let odds = weights.odds.map(|odds| (odds, dataset.calibration(&odds)));
    if let (Some(svg), Some((_, calibration))) = (&args.svg, &odds) {
        let name = Learned::<G>::read(&bytes).map_err(|why| failure!("{why}"))?;
        calibration::draw::<G>(svg, calibration, name.name(), args.force)?;
    }
    print_losses(&dataset, &weights)?;
    match odds {
        Some((odds, calibration)) => calibration::print(&calibration, &odds.to_string()),
        None => Ok(()),
    }
}

/// Adds the games, and describes where they come from.
fn add_games<G: Learnable>(
    args: &FitArgs,
    dataset: &mut DataSet<G>,
    data: &[Run],
    held_out: &[Run],
) -> Result<String, Failure> {
    let held = Vec::from_iter(held_out.iter().flat_map(|run| &run.games));
    let mut left_out = (held.iter()).filter(|it| !dataset.add(it, true)).count();
    let mut games: Vec<_> = (data.iter().enumerate())
        .flat_map(|(index, run)| run.games.iter().map(move |game| (index, game)))
        .collect();
    if args.max_positions.is_some() {
        Rng::new(args.seed).shuffle(&mut games);
    }
    let mut counts = vec![0u64; data.len()];
    for (number, (index, game)) in games.into_iter().enumerate() {
        let is_held_out = held.is_empty() && number.is_multiple_of(HELD_OUT_EVERY);
        match dataset.add(game, is_held_out) {
            true => counts[index] += 1,
            false => left_out += 1,
        }
    }
    let origins = data.iter().zip(counts).filter(|(_, count)| *count > 0);
    let origins = origins.map(|(Run { recipe, .. }, count)| {
        let (nodes, seed, weights) = (recipe.nodes, recipe.seed, recipe.weights());
        format!("{count} games of {nodes} nodes, seed {seed}, by {weights}")
    });
    let origin = origins.collect::<Vec<_>>().join("; ");
    let [train, held_out] = dataset.positions();
    if left_out > 0 {
        say!("{left_out} games left out: with them, there would be too many positions");
    }
    if train == 0 || held_out == 0 {
        return Err(failure!("too few positions to learn from"));
    }
    say!("{train} positions to learn from, {held_out} held out");
    Ok(origin)
}

fn optimize<G: Learnable>(
    args: &FitArgs,
    dataset: &DataSet<G>,
    identity: &Map<String, Json>,
) -> Result<Weights, Failure> {
    let mut optimizer = Optimizer::new(dataset);
    if let Some(path) = &args.checkpoint
        && !matches!(path.try_exists(), Ok(false))
    {
        resume(path, &mut optimizer, identity)?;
    }
    while !optimizer.is_over() {
        let bar = progress::bar(optimizer.batches(), "batches");
        let done = optimizer.state.epochs;
        bar.set_message(format!(", epoch {} of {}", done + 1, args.epochs));
        let loss = optimizer.epoch(|| bar.inc(1));
        bar.finish_and_clear();
        say!("epoch {}: {loss:.5}", done + 1);
        if !loss.is_finite() {
            let rate = args.rate;
            return Err(failure!(
                "--rate {rate}: the weights diverge; use a smaller rate"
            ));
        }
        if let Some(path) = &args.checkpoint {
            let checkpoint = serde_json::to_vec(&optimizer.checkpoint(identity));
            let bytes = checkpoint.map_err(|why| content_error(path, why))?;
            write_whole(path, &bytes, true)?;
        }
    }
    say_gains(args, &optimizer);
    Ok(optimizer.weights())
}

fn resume<G: Learnable>(
    path: &Path,
    optimizer: &mut Optimizer<'_, G>,
    identity: &Map<String, Json>,
) -> CliResult {
    let bytes = files::read(path, "a checkpoint of a fit")?;
    let checkpoint = serde_json::from_slice(&bytes);
    let checkpoint = checkpoint.map_err(|_| content_error(path, "not a checkpoint of a fit"))?;
    let resumed = optimizer.resume(checkpoint, identity);
    resumed.map_err(|why| content_error(path, why))?;
    let (done, path) = (optimizer.state.epochs, quoted_path(path));
    say!("continuing after epoch {done}, from {path}");
    Ok(())
}

fn say_gains<G: Learnable>(args: &FitArgs, optimizer: &Optimizer<'_, G>) {
    let (done, stale) = (optimizer.state.epochs, optimizer.state.stale);
    if done < args.epochs {
        let best = done - stale;
        say!("stopped: none of the last {stale} epochs was better than epoch {best}");
    }
    match optimizer.beats_start() {
        Some(true) => {}
        Some(false) => say!(
            "warning: no epoch predicts the held-out games better than the start, {}",
            match args.without_terms {
                true => "by which all positions are even",
                false => "the weights written by hand",
            }
        ),
        None => say!(
            "warning: fewer than {MIN_POSITIONS} of the positions held out are not proved, too few to \
             tell whether any epoch is better than the start"
        ),
    }
}

fn identity(data: &[Run], held_out: &[Run]) -> Map<String, Json> {
    let of = |runs: &[Run]| {
        let recipes = runs.iter().map(|run| (&run.recipe, run.games.len()));
        serde_json::to_value(recipes.collect::<Vec<_>>()).unwrap_or_default()
    };
    Map::from_iter([
        ("data".to_owned(), of(data)),
        ("held-out".to_owned(), of(held_out)),
    ])
}

fn print_losses<G: Learnable>(dataset: &DataSet<G>, weights: &Weights) -> CliResult {
    print_line!("plies  positions  by hand  fitted")?;
    for losses in dataset.losses(weights) {
        let shown = |loss: Option<f32>| loss.map_or("-".to_owned(), |loss| format!("{loss:.4}"));
        let ([from, to], positions) = (losses.plies, losses.positions);
        let [by_hand, fitted] = [losses.by_hand, losses.fitted].map(shown);
        print_line!("{from:>2}-{to:<2}  {positions:>9}  {by_hand:>7}  {fitted:>6}")?;
    }
    Ok(())
}

/// Locks the folder of a file against other fits that replace it, if the system can do that.
fn lock_folder(path: &Path) -> Option<File> {
    let folder = File::open(storage::folder_of(path)).ok()?;
    folder.lock().ok().map(|()| folder)
}

/// Reads the file of `--out`, which must exist if only the odds are fitted.
fn weights_to_extend(args: &FitArgs) -> Result<WeightsFile, Failure> {
    let path = &args.out;
    let is_there = path.metadata().is_ok_and(|data| data.is_file());
    if !is_there && !args.odds_only {
        return Ok(WeightsFile::empty());
    }
    let bytes = files::read(path, "a file of weights")?;
    WeightsFile::read(&bytes).map_err(|why| content_error(path, why))
}
