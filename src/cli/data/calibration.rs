//! `totemic data calibration`: compares what scores promise with the points made.

mod chart;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::Args;
use rustc_hash::FxHashSet;

use crate::cli::files::{check_outputs, write_whole};
use crate::cli::weights::{Weighted, WeightsArg};
use crate::cli::{CliResult, Global, journals};
use crate::train::calibration::Calibration;
use crate::train::datagen::{Replay, Run};
use crate::train::dataset::score;
use totemic_engine::game::with_game;
use totemic_engine::search::{Evaluate, Learnable, Learned, ODDS_NODES};

/// Compare the odds of scores with the results of the games
///
/// Takes the scores from when the games were played, and compares the points that the odds
/// predict with the points that the side to move scored, in steps of a tenth of a point: for
/// all positions, and for those early, in the middle and late in the game. As in `fit`,
/// random moves and proved positions do not count, and each position counts once. Weights
/// look better on the games that they were fitted to.
///
/// The odds in the program hold for players that search 20,000 nodes a move. Players that
/// search fewer nodes turn more games around than the odds predict, and stronger ones fewer.
#[derive(Args, Debug)]
pub(in crate::cli) struct CalibrationArgs {
    /// Journals written by `datagen`, all of one game
    #[arg(value_name = "JOURNAL", required = true)]
    journals: Vec<PathBuf>,
    #[command(flatten)]
    weights: WeightsArg,
    /// Draw the table as an SVG picture
    #[arg(long, value_name = "FILE")]
    pub(super) svg: Option<PathBuf>,
    /// Replace the file of --svg if it exists
    #[arg(long, requires = "svg")]
    force: bool,
}

pub(super) fn run(global: Global, args: &CalibrationArgs) -> CliResult {
    if let Some(svg) = &args.svg {
        let journals = args.journals.iter().map(|it| &**it);
        let inputs: Vec<&Path> = journals.chain(args.weights.file()).collect();
        check_outputs(&[("--svg", Some(svg))], &inputs, args.force)?;
    }
    let (kind, runs) = journals::read_games(global, &args.journals)?;
    with_game!(kind, G => calibrate::<G>(args, &runs))
}

fn calibrate<G: Weighted>(args: &CalibrationArgs, runs: &[Run]) -> CliResult {
    let eval = args.weights.load::<G>()?;
    let mut calibration = Calibration::default();
    let mut keys = FxHashSet::default();
    for game in runs.iter().flat_map(|run| &run.games) {
        Replay::<G>::of(game).each_new(&mut keys, |position, made, sign| {
            let points = f64::from(sign + 1) / 2.0;
            let odds = eval.odds(position, score(made));
            if made.proved.is_none() {
                calibration.add(position.ply(), odds, points);
            }
        });
    }
    let players: BTreeSet<&str> = runs.iter().map(|it| it.recipe.weights()).collect();
    for player in players.iter().filter(|&&player| player != eval.name()) {
        let own = eval.name();
        say!("the scores are from searches by {player}, the odds from {own}");
    }
    let nodes = runs.iter().map(|run| run.recipe.nodes);
    let others: BTreeSet<u64> = nodes.filter(|&nodes| nodes != ODDS_NODES).collect();
    if eval.name() == Learned::<G>::default().name() {
        for nodes in others {
            say!(
                "the odds in the program were fitted to games of {ODDS_NODES} nodes a move; \
                 these games were played with {nodes}"
            );
        }
    }
    if calibration.phases[0].positions() == 0 {
        return Err(failure!("no position has a score that is not proved"));
    }
    let odds = match eval.weights().odds {
        Some(odds) => odds.to_string(),
        None => "odds written by hand".to_owned(),
    };
    if let Some(svg) = &args.svg {
        draw::<G>(svg, &calibration, eval.name(), args.force)?;
    }
    print(&calibration, &odds)
}

pub(in crate::cli) fn print(calibration: &Calibration, odds: &str) -> CliResult {
    let loss = calibration.phases[0].mean_loss();
    print_line!("scores of searches: {loss:.4} ({odds})")?;
    print_line!("phase   plies  expected     made  positions")?;
    for phase in &calibration.phases {
        let plies = match phase.plies {
            [0, u8::MAX] => "any".to_owned(),
            [first, u8::MAX] => format!("{first}-"),
            [first, last] => format!("{first}-{last}"),
        };
        for tenth in &phase.tenths {
            let [expected, made] = match tenth.means() {
                Some(means) => means.map(|points| format!("{:.1} %", 100.0 * points)),
                None => ["-", "-"].map(str::to_owned),
            };
            print_line!(
                "{:<6}  {plies:>5}  {expected:>8}  {made:>7}  {:>9}",
                phase.name,
                tenth.positions
            )?;
        }
    }
    Ok(())
}

pub(in crate::cli) fn draw<G: Learnable>(
    path: &Path,
    calibration: &Calibration,
    weights: &str,
    replaces: bool,
) -> CliResult {
    let title = format!("{}, weights {weights}", G::NAME);
    write_whole(path, chart::svg(calibration, &title).as_bytes(), replaces)
}
