//! `totemic data`: inspects games made by `datagen`, and weights.

pub(super) mod calibration;

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use clap::Subcommand;
use serde_json::json;

use super::weights::{Weighted, WeightsArg, game_of, load};
use super::{CliResult, Global, journals};
use crate::train::datagen::{Replay, Run};
use calibration::CalibrationArgs;
use totemic_engine::game::{Game, Side, with_game};
use totemic_engine::search::solver::Value;
use totemic_engine::search::{Evaluate, KNOTS, Learnable, Learned};
use totemic_games::record::{EngineScore, GameRecord};

/// Inspect games made by `datagen`, and weights
#[derive(Subcommand, Debug)]
pub(super) enum DataCommand {
    /// Check journals and list what they contain, with the parts of a run as
    /// one
    Info {
        /// Journals written by `datagen`
        #[arg(value_name = "JOURNAL", required = true)]
        journals: Vec<PathBuf>,
        /// Print one JSON object for each run
        #[arg(long)]
        json: bool,
    },
    Calibration(CalibrationArgs),
    /// Print the weights of the terms of the evaluation
    ///
    /// The weights are in thousandths of a logit, at the plies that the first line names;
    /// between these plies they are interpolated. The thousands of classes are not
    /// printed: the protocol's command `eval` shows what they contribute to a position.
    /// If a file has weights for one game only, that game is the default of --game.
    Weights {
        /// Print all features, separated by tabs
        ///
        /// There are their number as in `data dump --features`, the five weights, and
        /// what they are in words. Some of those of Hokito, whose towers are in the other
        /// order, never occur and weigh nothing.
        #[arg(long)]
        classes: bool,
        /// Weights: a file, `classic`, `zero` [default: those in the program]
        ///
        /// `classic` are those written by hand, `zero` has none.
        #[arg(value_name = "FILE", default_value = "", hide_default_value = true)]
        file: OsString,
    },
    /// Print every position as a line of text
    ///
    /// Tabs separate the columns: the position; the move; the static value in centipoints
    /// for the side to move (in Hokito, without what alpha-beta adds for the right to
    /// move); the score of the search, also in centipoints, or `mate N` for a win in N
    /// plies (negative for a loss), or `-` if there is none; the proved value, `win`,
    /// `draw`, `loss` or `-`; and the result of the game for the side to move: 1, 0 or
    /// -1. A random move has `random` instead of the two numbers. The result is the one
    /// that was proved first, even if a later move gave the win away.
    ///
    /// --features adds the three columns that another program needs to fit weights: the
    /// number of the game, from 1, because the positions of a game share its result; the
    /// ply at which the weights are looked up; and the features that are not 0, as
    /// NUMBER:AMOUNT, separated by spaces. The static value is a tenth of the sum of
    /// all amounts times their weights, rounded towards 0, and between -32768 and
    /// 32767. `src/engine/search/eval/weights_file.rs` describes the format of a file of weights;
    /// `tests/other_trainer.py` is such a program.
    Dump {
        /// Print the features of each position, too
        #[arg(long)]
        features: bool,
        /// Journals written by `datagen`, all of one game
        #[arg(value_name = "JOURNAL", required = true)]
        journals: Vec<PathBuf>,
        #[command(flatten)]
        weights: WeightsArg,
    },
}

impl DataCommand {
    pub(super) fn only_prints(&self) -> bool {
        !matches!(self, Self::Calibration(args) if args.svg.is_some())
    }
}

pub(super) fn run(global: Global, command: &DataCommand) -> CliResult {
    match command {
        DataCommand::Info { journals, json } => {
            let (kind, runs) = journals::read_games(global, journals)?;
            with_game!(kind, G => runs.iter().try_for_each(|run| print_info::<G>(run, *json)))
        }
        DataCommand::Calibration(args) => calibration::run(global, args),
        DataCommand::Weights { file, classes } => {
            with_game!(game_of(global, file), G => print_weights::<G>(file, *classes))
        }
        DataCommand::Dump {
            journals,
            features,
            weights,
        } => {
            let (kind, runs) = journals::read_games(global, journals)?;
            let games = runs.iter().flat_map(|run| &run.games);
            let mut out = BufWriter::new(io::stdout().lock());
            with_game!(kind, G => {
                let eval = weights.load::<G>()?;
                for (game, number) in games.zip(1..) {
                    dump(&mut out, game, &eval, features.then_some(number))?;
                }
            });
            Ok(out.flush()?)
        }
    }
}

fn print_weights<G: Weighted>(name: &OsStr, with_classes: bool) -> CliResult {
    let eval = load::<G>(name)?;
    let mut out = BufWriter::new(io::stdout().lock());
    if with_classes {
        for (feature, knots) in eval.weights().knots.iter().enumerate() {
            let knots: String = knots.iter().map(|knot| format!("\t{knot}")).collect();
            writeln!(out, "{feature}{knots}\t{}", G::feature_name(feature))?;
        }
        return Ok(out.flush()?);
    }
    let (game, name, features, count) = (G::NAME, eval.name(), G::FEATURES, G::COUNT);
    writeln!(out, "{game} weights {name}, features {features} {count}")?;
    let mut row = |name: &str, knots: [String; KNOTS.len()]| {
        let knots: String = knots.iter().map(|knot| format!(" {knot:>6}")).collect();
        writeln!(out, "{name:<52}{knots}")
    };
    row("ply", KNOTS.map(|ply| ply.to_string()))?;
    for (feature, knots) in eval.weights().knots.iter().enumerate() {
        if let Some(term) = G::term_name(feature) {
            row(term, knots.map(|weight| weight.to_string()))?;
        }
    }
    Ok(out.flush()?)
}

fn print_info<G: Game>(run: &Run, as_json: bool) -> CliResult {
    let recipe = &run.recipe;
    let (mut results, mut plies) = ([0; 3], 0);
    let (mut positions, mut proved) = (0, 0);
    for game in &run.games {
        let first = Replay::<G>::of(game).result_for(Side::First);
        results[(1 - first) as usize] += 1;
        plies += game.opening.moves.len() + game.moves.len();
        positions += game.moves.len();
        proved += game.moves.iter().filter_map(|made| made.proved).count();
    }
    let ([wins, draws, losses], count) = (results, run.games.len());
    let (weights, plies) = (recipe.weights(), plies as f64 / count.max(1) as f64);
    let (game, seed, games, version) = (&recipe.game, recipe.seed, recipe.games, &recipe.version);
    let (nodes, solver_nodes) = (recipe.nodes, recipe.solver_nodes);
    if as_json {
        let report = json!({
            "game": game, "weights": weights, "seed": seed, "nodes": nodes,
            "solver_nodes": solver_nodes, "version": version, "games": count, "of": games,
            "wins": wins, "draws": draws, "losses": losses, "plies": plies,
            "positions": positions, "proved": proved,
        });
        return print_line!("{report}");
    }
    print_line!(
        "{game} by {weights}, seed {seed}, {nodes} nodes a move, {solver_nodes} for a proof, \
         version {version}\n  {count} of {games} games\n  first side: {wins} won, {draws} drawn, \
         {losses} lost; {plies:.1} plies a game\n  {positions} positions, {proved} of them proved"
    )
}

/// Writes a game's positions, with their features if the game has a number.
fn dump<G: Learnable>(
    out: &mut impl Write,
    game: &GameRecord,
    eval: &Learned<G>,
    number: Option<u64>,
) -> io::Result<()> {
    let replay = Replay::<G>::of(game);
    let mut row = |position: &G, mv: &str, values: &str| {
        let result = replay.result_for(position.side());
        write!(out, "{position}\t{mv}\t{values}\t{result}")?;
        if let Some(number) = number {
            let mut features = BTreeMap::new();
            position.each_feature(|feature, amount, _| {
                *features.entry(feature).or_insert(0) += amount;
            });
            features.retain(|_, amount| *amount != 0);
            let features = features.iter().map(|(n, amount)| format!("{n}:{amount}"));
            let features = features.collect::<Vec<_>>().join(" ");
            write!(out, "\t{number}\t{}\t{features}", Learnable::ply(position))?;
        }
        writeln!(out)
    };
    // The opening has been replayed when the game was checked, so this cannot fail.
    let mut position: G = game.opening.fen.parse().unwrap_or_else(|_| G::start());
    for text in &game.opening.moves {
        row(&position, text, "random\trandom\t-")?;
        if let Ok(mv) = position.read_move(text) {
            position = position.play(mv);
        }
    }
    for (position, made) in replay.moves() {
        let score = match made.info.score {
            Some(EngineScore::Cp(score)) => score.to_string(),
            Some(EngineScore::Mate(plies)) => format!("mate {plies}"),
            None => "-".to_owned(),
        };
        let value_name = |sign: i8| Value::of_sign(sign.into()).name();
        let proved = made.proved.map_or("-", value_name);
        let value = eval.evaluate(position);
        row(position, &made.mv, &format!("{value}\t{score}\t{proved}"))?;
    }
    Ok(())
}
