//! `totemic data calibration`: what scores promise beside what is made.

mod chart;

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use rustc_hash::FxHashSet;

use super::data::{open, read_games};
use super::files::{check_writable, write_whole};
use super::weights::load;
use super::{CliResult, Failure, Global, say};
use crate::file;
use crate::game::{quoted_path, with_game};
use crate::search::{Evaluate, Learnable, Learned, Score, Searchable};
use crate::train::calibration::Calibration;
use crate::train::data::Record;
use crate::ugi::weights;

/// Say how well the odds of scores foretell the points made
///
/// Takes the scores that the searches found when the games were played, and sets what
/// the odds of the weights promise for them beside the points that the side to move made,
/// in tenths of a point: of all positions, and of those early, in the middle and late in
/// the game. As in `fit`, positions at random and proved ones are left out, and a
/// position counts once. Games that the weights were fitted to flatter them. Takes 20 to
/// 40 bytes of memory a position.
#[derive(Args, Debug)]
pub(super) struct CalibrationArgs {
    /// Files of games, all of one game
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The weights whose odds are meant: a file, `classic` for those written by hand, or
    /// `zero` [default: those in the program]
    #[arg(
        long,
        visible_alias = "eval-file",
        value_name = "FILE",
        default_value = "",
        hide_default_value = true
    )]
    weights: String,
    /// Draw it as a picture, SVG, over one that is there
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

pub(super) fn run(global: Global, args: &CalibrationArgs) -> CliResult {
    if let Some(svg) = &args.svg {
        let is_file = weights::own(&args.weights).is_none();
        let weights = is_file.then(|| Path::new(&args.weights).to_owned());
        let inputs: Vec<_> = args.files.iter().cloned().chain(weights).collect();
        check_outputs(&[("--svg", svg)], &inputs)?;
    }
    let (_, kind) = open(global, &args.files[0])?;
    with_game!(kind, G => calibrate::<G>(args))
}

fn calibrate<G>(args: &CalibrationArgs) -> CliResult
where
    G: Searchable<Evaluation = Learned<G>> + Learnable,
    Learned<G>: Evaluate<G>,
{
    let eval = load::<G>(&args.weights)?;
    let mut calibration = Calibration::default();
    let mut known = FxHashSet::default();
    let read = read_games(&args.files, |game: Record<G>| {
        game.each_new(&mut known, |position, sample| {
            let made = f64::from(game.result_for(position.side()) + 1) / 2.0;
            let odds = eval.odds(position, Score::estimate(sample.score.into()));
            if sample.proved.is_none() {
                calibration.add(position.ply(), odds, made);
            }
        });
        true
    })?;
    let players: BTreeSet<&str> = read.iter().map(|(it, _)| &*it.recipe.weights).collect();
    for player in players.iter().filter(|&&player| player != eval.name()) {
        say(format_args!(
            "the scores are of searches by {player}, the odds those of {}",
            eval.name()
        ));
    }
    if calibration.all.positions() == 0 {
        let what = "there is no position with a score that is not proved";
        return Err(Failure::Work(what.to_owned()));
    }
    let odds = match eval.weights().reading {
        Some(reading) => reading.to_string(),
        None => "odds written by hand".to_owned(),
    };
    if let Some(svg) = &args.svg {
        draw::<G>(svg, &calibration, eval.name())?;
    }
    print(&calibration, &odds)
}

/// The mean log loss, and a row for each tenth of a point and part of the game.
pub(super) fn print(calibration: &Calibration, odds: &str) -> CliResult {
    let mut out = io::stdout().lock();
    let loss = calibration.all.loss();
    writeln!(out, "scores of searches: {loss:.4} ({odds})")?;
    writeln!(out, "phase   plies  expected     made  positions")?;
    for table in calibration.tables() {
        for tenth in &table.tenths {
            let [expected, made] = match tenth.means() {
                Some(means) => means.map(|points| format!("{:.1} %", 100.0 * points)),
                None => ["-", "-"].map(str::to_owned),
            };
            writeln!(
                out,
                "{:<6}  {:>5}  {expected:>8}  {made:>7}  {:>9}",
                table.name,
                table.span(),
                tenth.positions
            )?;
        }
    }
    Ok(())
}

/// Writes the picture.
pub(super) fn draw<G: Learnable>(
    path: &Path,
    calibration: &Calibration,
    weights: &str,
) -> CliResult {
    let title = format!("{}, weights {weights}", G::NAME);
    write_whole(path, chart::svg(calibration, &title).as_bytes(), true)
}

/// Checks before the work that files can be written, and that none of them is read or
/// another of them.
pub(super) fn check_outputs(outputs: &[(&str, &Path)], inputs: &[PathBuf]) -> CliResult {
    for (at, &(option, path)) in outputs.iter().enumerate() {
        let name = quoted_path(path);
        if inputs.iter().any(|input| file::is_same(input, path)) {
            let what = format!("{option} {name}: it is read, expected another file");
            return Err(Failure::Usage(what));
        }
        let mut before = outputs[..at].iter();
        if let Some((other, _)) = before.find(|(_, other)| file::is_same(other, path)) {
            let what = format!("{option} {name}: it is the file of {other}, expected another");
            return Err(Failure::Usage(what));
        }
        check_writable(path)?;
    }
    Ok(())
}
