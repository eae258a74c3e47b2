//! `totemic fit`: weights of the evaluation from games.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use super::calibration::{self, check_outputs};
use super::data::{open, read_games};
use super::files::{self, read_if_there, write_whole, wrong};
use super::values::{amount, amount_up_to, whole};
use super::{CliResult, Failure, Global, progress, say};
use crate::file;
use crate::game::{quoted_path, with_game};
use crate::search::{Evaluate, Learnable, Learned, Weights, WeightsFile};
use crate::train::checkpoint::Identity;
use crate::train::fit::{FEWEST, Fit, Loss, Settings, Terms};
use crate::train::passes::Passes;
use crate::ugi::weights;

/// Fit the weights of the evaluation to games made by `datagen`
///
/// Prints the log loss of the results of games that were held out, for the
/// evaluation written by hand and for the fitted one, by plies, and how the scores of
/// the searches foretell the points that were made, in all, early, in the middle and
/// late in the game, as `totemic data calibration` does. Of fewer than 100 positions no
/// loss is told. The weights are those of the pass that foretells the held-out games
/// best; a warning says so where the start was better, or where there are too few of
/// these positions to tell. They are added to those that
/// the file OUT has for other games.
///
/// All positions are held in memory: about 370 MB for a million of Yoxii, 570 MB for a
/// million of Hokito. Where that is too much, --max-positions takes fewer, and `totemic
/// data shuffle` makes these a sample of all.
#[derive(Args, Debug)]
pub(super) struct FitArgs {
    /// Files of games, all of one game
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    data: Vec<PathBuf>,
    /// A file of games to hold out, so that different fits are compared by the same
    /// positions [default: every tenth game of the data]
    #[arg(long, value_name = "FILE")]
    held_out: Option<PathBuf>,
    /// The file of weights to write, or to add to
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Passes over the data
    #[arg(long, value_name = "N", default_value_t = Settings::default().epochs, value_parser = whole(1..=1000u32))]
    epochs: u32,
    /// End after so many passes without a better one by the held-out games [default:
    /// never]
    #[arg(long, value_name = "N", value_parser = whole(1..=1000u32))]
    patience: Option<u32>,
    /// Keep what is done in a file after each pass, and go on from it where it is there:
    /// whatever ends the program costs one pass at most, and the weights are the same.
    /// The file of a fit with other settings or data is refused
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Hold at most so many positions, those held out among them; the games that come
    /// after these are left out
    #[arg(long, value_name = "N", value_parser = whole(1usize..))]
    max_positions: Option<usize>,
    /// Draw how the scores foretell the points as a picture, SVG, over one that is there
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Share of the result in the label of a position, from 0 to 1; the rest is
    /// what the search expected, its score read by the odds of the evaluation written
    /// by hand
    #[arg(long, value_name = "X", default_value_t = Settings::default().result_share)]
    result_share: f32,
    /// Length of the first steps, in logits
    #[arg(long, value_name = "X", default_value_t = Settings::default().rate, value_parser = amount)]
    rate: f32,
    /// Pull towards the weights written by hand, or towards 0 without the terms; 1000 at
    /// the most
    #[arg(long, value_name = "X", default_value_t = Settings::default().ridge, value_parser = amount_up_to(1000.0))]
    ridge: f32,
    /// What a proved position counts beside one that is not, 1000 at the most
    #[arg(long, value_name = "X", default_value_t = Settings::default().proved_weight, value_parser = amount_up_to(1000.0))]
    proved_weight: f32,
    /// Leave the terms written by hand as they are
    #[arg(long)]
    keep_terms: bool,
    /// Give the terms written by hand no weight: only classes are learned, which
    /// say nothing before
    #[arg(long, conflicts_with = "keep_terms")]
    without_terms: bool,
    /// Leave the weights that OUT has as they are, and fit only what the scores of
    /// searches mean: for weights that were changed after their fit, and games by them
    #[arg(long, conflicts_with_all = ["epochs", "patience", "checkpoint", "result_share", "rate",
        "ridge", "proved_weight", "keep_terms", "without_terms", "seed"])]
    odds_only: bool,
    /// Seed of the order of positions
    #[arg(long, value_name = "N", default_value_t = Settings::default().seed, value_parser = whole(0u64..))]
    seed: u64,
}

impl FitArgs {
    fn settings(&self) -> Settings {
        Settings {
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

    /// Checks that the files can be written and are not those that are read.
    fn check_files(&self) -> CliResult {
        let outputs = [
            ("--out", Some(&self.out)),
            ("--checkpoint", self.checkpoint.as_ref()),
            ("--svg", self.svg.as_ref()),
        ];
        let outputs = outputs.map(|(option, path)| Some((option, path?.as_path())));
        let outputs: Vec<_> = outputs.into_iter().flatten().collect();
        let inputs: Vec<_> = self.data.iter().chain(&self.held_out).cloned().collect();
        for (at, path) in inputs.iter().enumerate() {
            if inputs[..at].iter().any(|other| file::is_same(other, path)) {
                let name = quoted_path(path);
                let what = format!("{name} is given twice: expected each file of games once");
                return Err(Failure::Usage(what));
            }
        }
        if weights::own(&self.out.to_string_lossy()).is_some() {
            let name = quoted_path(&self.out);
            let what = format!(
                "--out {name}: the name means weights of the program, expected another, or ./ before it"
            );
            return Err(Failure::Usage(what));
        }
        check_outputs(&outputs, &inputs)
    }
}

pub(super) fn run(global: Global, args: &FitArgs) -> CliResult {
    let share = args.result_share;
    if !(0.0..=1.0).contains(&share) {
        let what = format!("--result-share {share}: expected a number from 0 to 1");
        return Err(Failure::Usage(what));
    }
    args.check_files()?;
    let (_, kind) = open(global, &args.data[0])?;
    with_game!(kind, G => fit::<G>(args))
}

fn fit<G: Learnable>(args: &FitArgs) -> CliResult
where
    Learned<G>: Evaluate<G>,
{
    let file = || existing(&args.out, args.odds_only);
    let begun = file()?;
    if args.odds_only {
        begun.weights::<G>().map_err(|why| wrong(&args.out, why))?;
    }
    let mut fit = Fit::<G>::new(args.settings());
    let origin = read(args, &mut fit)?;
    let fitted = match args.odds_only {
        true => None,
        false => Some(passes(args, &fit)?),
    };
    // Another fit may have put the other game's weights there meanwhile.
    let locked = lock_folder(&args.out);
    let mut file = file()?;
    let weights = match fitted {
        Some(weights) => {
            file.set::<G>(weights.clone(), &origin);
            weights
        }
        None => {
            let set = file.set_reading::<G>(fit.reading(), &format!("odds by {origin}"));
            set.and_then(|()| file.weights::<G>())
                .map_err(|why| wrong(&args.out, why))?
        }
    };
    let bytes = file.write();
    // Before anything is printed: who reads only the first lines wants the weights, too.
    write_whole(&args.out, &bytes, true)?;
    drop(locked);
    let reading = weights.reading.map(|it| (it, fit.calibration(&it)));
    if let (Some(svg), Some((_, calibration))) = (&args.svg, &reading) {
        let name = Learned::<G>::read(&bytes).map_err(|why| Failure::Work(why.to_string()))?;
        calibration::draw::<G>(svg, calibration, name.name())?;
    }
    print_losses(&fit, &weights)?;
    match reading {
        Some((reading, calibration)) => calibration::print(&calibration, &reading.to_string()),
        None => Ok(()),
    }
}

/// Reads the games; returns where they come from, in words.
fn read<G: Learnable>(args: &FitArgs, fit: &mut Fit<G>) -> Result<String, Failure>
where
    Learned<G>: Evaluate<G>,
{
    let classic = Learned::<G>::classic();
    let mut left_out = 0u64;
    let mut count = |is_taken: bool| {
        left_out += u64::from(!is_taken);
        is_taken
    };
    read_games(args.held_out.as_slice(), |game| {
        count(fit.hold_out(&game, &classic))
    })?;
    let read = read_games(&args.data, |game| count(fit.add(&game, &classic)))?;
    let origins = read.iter().filter(|(_, games)| *games > 0);
    let origins = origins.map(|(header, games)| {
        let recipe = &header.recipe;
        format!(
            "{games} games of {} nodes, seed {}, by {}",
            recipe.nodes, recipe.seed, recipe.weights
        )
    });
    let origin = origins.collect::<Vec<_>>().join("; ");
    let [train, held_out] = fit.positions();
    if left_out > 0 {
        say(format_args!(
            "{left_out} games left out: no room for more positions"
        ));
    }
    if train == 0 || held_out == 0 {
        return Err(Failure::Work(
            "there are too few positions to learn from".to_owned(),
        ));
    }
    say(format_args!(
        "{train} positions to learn from, {held_out} held out"
    ));
    Ok(origin)
}

/// Makes the passes that are left.
fn passes<G: Learnable>(args: &FitArgs, fit: &Fit<G>) -> Result<Weights, Failure>
where
    Learned<G>: Evaluate<G>,
{
    let mut passes = Passes::new(fit);
    let checkpoint = args
        .checkpoint
        .as_deref()
        .map(|path| (path, Identity::of(fit)));
    if let Some((path, identity)) = &checkpoint {
        go_on(&mut passes, path, identity)?;
    }
    while !passes.is_over() {
        let bar = progress::bar(passes.batches(), "batches");
        bar.set_message(format!(", pass {} of {}", passes.done() + 1, args.epochs));
        let loss = passes.pass(|| bar.inc(1));
        bar.finish_and_clear();
        say(format_args!("pass {}: {loss:.5}", passes.done()));
        if !loss.is_finite() {
            let what = format!(
                "--rate {}: the weights grow without end; expected less",
                args.rate
            );
            return Err(Failure::Work(what));
        }
        if let Some((path, identity)) = &checkpoint {
            write_whole(path, &passes.checkpoint(identity), true)?;
        }
    }
    if passes.done() < args.epochs {
        let (done, stale) = (passes.done(), passes.stale());
        say(format_args!(
            "ended: none of the last {stale} passes was better than pass {}",
            done - stale
        ));
    }
    match passes.gains() {
        Some(true) => {}
        Some(false) => say(format_args!(
            "warning: no pass foretells the held-out games better than the start, {}",
            match args.without_terms {
                true => "by which all positions are even",
                false => "the weights written by hand",
            }
        )),
        None => say(format_args!(
            "warning: of the positions held out fewer than {FEWEST} are not proved, too few to \
             tell whether any pass is better than the start"
        )),
    }
    Ok(passes.weights())
}

/// Goes on from a checkpoint, if there is one.
fn go_on<G: Learnable>(passes: &mut Passes<'_, G>, path: &Path, identity: &Identity) -> CliResult
where
    Learned<G>: Evaluate<G>,
{
    let Some(bytes) = read_if_there(path, "a checkpoint of a fit")? else {
        return Ok(());
    };
    let resumed = passes.resume(&bytes, identity);
    resumed.map_err(|why| wrong(path, why))?;
    say(format_args!(
        "goes on after pass {}, from {}",
        passes.done(),
        quoted_path(path)
    ));
    Ok(())
}

/// The losses of the games held out, by plies.
fn print_losses<G: Learnable>(fit: &Fit<G>, weights: &Weights) -> CliResult
where
    Learned<G>: Evaluate<G>,
{
    let mut out = io::stdout().lock();
    writeln!(out, "plies  positions  by hand  fitted")?;
    for Loss {
        plies,
        positions,
        by_hand,
        fitted,
    } in fit.losses(weights)
    {
        let [from, to] = plies;
        let [by_hand, fitted] =
            [by_hand, fitted].map(|loss| loss.map_or("-".to_owned(), |loss| format!("{loss:.4}")));
        writeln!(
            out,
            "{from:>2}-{to:<2}  {positions:>9}  {by_hand:>7}  {fitted:>6}"
        )?;
    }
    Ok(())
}

/// Keeps other fits from the files of a folder, where the system can lock one: what is
/// read of a file is there until the file is replaced.
fn lock_folder(path: &Path) -> Option<File> {
    let folder = File::open(file::folder_of(path)).ok()?;
    folder.lock().ok().map(|()| folder)
}

/// The file of weights that is there, or an empty one, unless there has to be one.
fn existing(path: &Path, is_needed: bool) -> Result<WeightsFile, Failure> {
    let expected = "a file of weights";
    let bytes = match is_needed {
        true => Some(files::read(path, expected)?),
        false => read_if_there(path, expected)?,
    };
    match bytes {
        Some(bytes) => WeightsFile::read(&bytes).map_err(|why| wrong(path, why)),
        None => Ok(WeightsFile::empty()),
    }
}
