//! `totemic fit`: weights of the evaluation from games.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use super::data::kind_of;
use super::values::whole;
use super::{CliResult, Failure, say};
use crate::game::with_game;
use crate::record::whole_file;
use crate::search::{Evaluate, Learnable, Learned, WeightsFile};
use crate::train::data::Reader;
use crate::train::fit::{Fit, Loss, Settings, Terms};

/// Fit the weights of the evaluation to games made by `datagen`
///
/// Prints the log loss of the results of games that were held out, for the
/// evaluation written by hand and for the fitted one, by plies, and how the scores of
/// the searches foretell the points that were made. The weights are added to those
/// that the file OUT has for other games.
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
    /// Share of the result in the label of a position, from 0 to 1; the rest is
    /// what the search expected
    #[arg(long, value_name = "X", default_value_t = Settings::default().result_share)]
    result_share: f32,
    /// Length of the first steps, in logits
    #[arg(long, value_name = "X", default_value_t = Settings::default().rate)]
    rate: f32,
    /// Pull towards the weights written by hand, or towards 0 without the terms
    #[arg(long, value_name = "X", default_value_t = Settings::default().ridge)]
    ridge: f32,
    /// What a proved position counts beside one that is not
    #[arg(long, value_name = "X", default_value_t = Settings::default().proved_weight)]
    proved_weight: f32,
    /// Leave the terms written by hand as they are
    #[arg(long)]
    keep_terms: bool,
    /// Give the terms written by hand no weight: only classes are learned, which
    /// say nothing before
    #[arg(long, conflicts_with = "keep_terms")]
    without_terms: bool,
    /// Seed of the order of positions
    #[arg(long, value_name = "N", default_value_t = Settings::default().seed, value_parser = whole(0u64..))]
    seed: u64,
}

impl FitArgs {
    fn settings(&self) -> Settings {
        Settings {
            epochs: self.epochs,
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
}

pub(super) fn run(args: &FitArgs) -> CliResult {
    let share = args.result_share;
    if !(0.0..=1.0).contains(&share) {
        let what = format!("--result-share {share}: expected a number from 0 to 1");
        return Err(Failure::Usage(what));
    }
    let first = Reader::open(&args.data[0])?;
    with_game!(kind_of(first.header())?, G => fit::<G>(args))
}

fn fit<G: Learnable>(args: &FitArgs) -> CliResult
where
    Learned<G>: Evaluate<G>,
{
    let mut file = existing(&args.out)?;
    let mut fit = Fit::<G>::new(args.settings());
    let classic = Learned::<G>::classic();
    if let Some(path) = &args.held_out {
        Reader::open(path)?.each_game(|game| fit.hold_out(&game, &classic))?;
    }
    let mut origins = Vec::new();
    for path in &args.data {
        let mut games = 0;
        let header = Reader::open(path)?.each_game(|game| {
            games += 1;
            fit.add(&game, &classic);
        })?;
        let recipe = header.recipe;
        origins.push(format!(
            "{games} games of {} nodes, seed {}, by {}",
            recipe.nodes, recipe.seed, recipe.weights
        ));
    }
    let [train, held_out] = fit.positions();
    if train == 0 || held_out == 0 {
        return Err(Failure::Work(
            "there are too few positions to learn from".to_owned(),
        ));
    }
    say(format_args!(
        "{train} positions to learn from, {held_out} held out"
    ));
    let weights = fit.run(|epoch, loss| say(format_args!("pass {epoch}: {loss:.5}")));
    let mut out = io::stdout().lock();
    writeln!(out, "plies  positions  by hand  fitted")?;
    for Loss {
        plies,
        positions,
        by_hand,
        fitted,
    } in fit.losses(&weights)
    {
        let [from, to] = plies;
        // Of no positions there is no loss.
        let [by_hand, fitted] = [by_hand, fitted].map(|loss| match positions {
            0 => "-".to_owned(),
            _ => format!("{loss:.4}"),
        });
        writeln!(
            out,
            "{from:>2}-{to:<2}  {positions:>9}  {by_hand:>7}  {fitted:>6}"
        )?;
    }
    if let Some(reading) = weights.reading {
        let calibration = fit.calibration(&reading);
        writeln!(
            out,
            "scores of searches: {:.4} ({reading})",
            calibration.loss
        )?;
        writeln!(out, "expected  made  positions")?;
        for tenth in calibration.tenths {
            let [expected, made] = [tenth.expected, tenth.made].map(|points| 100.0 * points);
            writeln!(
                out,
                "{expected:>6.1} % {made:>5.1} % {:>8}",
                tenth.positions
            )?;
        }
    }
    file.set::<G>(weights, &origins.join("; "));
    whole_file::replace(&args.out, &file.write())
        .map_err(|why| Failure::Work(format!("{}: {why}", args.out.display())))?;
    Ok(())
}

/// The file of weights that is there, or an empty one.
fn existing(path: &Path) -> Result<WeightsFile, Failure> {
    let name = path.display();
    match fs::read(path) {
        Ok(bytes) => {
            WeightsFile::read(&bytes).map_err(|why| Failure::Work(format!("{name}: {why}")))
        }
        Err(why) if why.kind() == io::ErrorKind::NotFound => Ok(WeightsFile::empty()),
        Err(why) => Err(Failure::Work(format!("{name}: {why}"))),
    }
}
