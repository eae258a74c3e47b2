//! `totemic datagen`: games of the engine against itself, to learn from.

use std::path::PathBuf;
use std::sync::atomic::Ordering;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;

use super::values::whole;
use super::weights::WeightsArg;
use super::{CliResult, Failure, Global, interrupted, stop_on_interrupt};
use crate::game::with_game;
use crate::search::solver::Solvable;
use crate::search::{Evaluate, Learnable, Learned, Searchable};
use crate::train::data::{Block, Header, MOST_GAMES, Recipe, Writer};
use crate::train::selfplay::Player;

/// Let the engine play against itself and write down what it learned
///
/// The games depend on the seed and the settings alone, not on the number of
/// threads or parts. A killed run goes on with --resume and loses nothing that
/// was written; parts made by --shard are put together by `totemic data merge`.
///
/// Games are written by blocks of 64, of which some are in work at a time, one
/// for every four threads; those are lost when it is killed, and played again.
///
/// Exit codes: 0 all games written; 1 the work failed; 2 wrong usage; 130
/// stopped by Ctrl-C, within a game's time.
#[derive(Args, Debug)]
pub(super) struct DatagenArgs {
    /// Number of games, in all parts together
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = whole(1..=MOST_GAMES))]
    games: u64,
    /// Nodes of a search
    #[arg(long, value_name = "N", default_value_t = 1_500, value_parser = whole(1..=1_000_000_000u64))]
    nodes: u64,
    /// Nodes that the exact solver may take for a position near the end
    #[arg(long, value_name = "N", default_value_t = 4_000, value_parser = whole(0..=1_000_000_000u64))]
    solver_nodes: u64,
    /// Games played side by side
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(1..=1024usize))]
    threads: usize,
    /// Seed of the games: the same seed, the same games
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(0u64..))]
    seed: u64,
    /// Make only the part K of N
    #[arg(long, value_name = "K/N", default_value = "1/1", value_parser = shard)]
    shard: (u64, u64),
    #[command(flatten)]
    weights: WeightsArg,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Go on with a file that was begun
    #[arg(long)]
    resume: bool,
}

/// Threads that play the games of one block: few, so that none waits long for the
/// others at its end.
const THREADS_PER_BLOCK: usize = 4;

/// Reads `K/N`.
fn shard(text: &str) -> Result<(u64, u64), String> {
    let parts = text.split_once('/');
    let numbers = parts.and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
    numbers
        .filter(|&(k, n): &(u64, u64)| 1 <= k && k <= n && n <= 1_000_000)
        .ok_or_else(|| "expected a part and the number of parts, as in 3/8".to_owned())
}

pub(super) fn run(global: Global, args: &DatagenArgs) -> CliResult {
    with_game!(global.kind(), G => generate::<G>(args))
}

fn generate<G>(args: &DatagenArgs) -> CliResult
where
    G: Searchable<Evaluation = Learned<G>> + Solvable + Learnable,
    Learned<G>: Evaluate<G>,
{
    let eval = args.weights.load::<G>()?;
    let recipe = Recipe {
        game: G::NAME.to_owned(),
        generator: env!("CARGO_PKG_VERSION").to_owned(),
        weights: eval.name().to_owned(),
        seed: args.seed,
        games: args.games,
        nodes: args.nodes,
        solver_nodes: args.solver_nodes,
    };
    let (part, of) = args.shard;
    let header = Header {
        recipe,
        shard: part,
        of,
        shuffled: None,
    };
    let (mut writer, done) = if args.resume && args.out.exists() {
        Writer::resume(&args.out, &header)?
    } else {
        (Writer::create(&args.out, &header)?, 0)
    };
    let stop = stop_on_interrupt()?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.threads)
        .build();
    let pool = pool.map_err(|why| Failure::Work(format!("cannot start threads: {why}")))?;
    let blocks: Vec<u32> = header.blocks().collect();
    let count = |blocks: &[u32]| -> u64 {
        let games = blocks.iter().map(|&block| header.games_of(block));
        games.map(|games| games.end - games.start).sum()
    };
    let bar =
        ProgressBar::new(count(&blocks)).with_position(count(&blocks[..done.min(blocks.len())]));
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} games, {eta} left");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    let at_once = args.threads.div_ceil(THREADS_PER_BLOCK);
    for blocks in blocks[done.min(blocks.len())..].chunks(at_once) {
        let numbers: Vec<u64> = blocks
            .iter()
            .flat_map(|&block| header.games_of(block))
            .collect();
        let games = pool.install(|| {
            let player = || Player::<G, _>::new(&header.recipe, &eval);
            let games = numbers.into_par_iter();
            games
                .map_init(player, |player, number| {
                    let goes_on = !stop.load(Ordering::Relaxed);
                    goes_on.then(|| player.play(number))
                })
                .collect::<Option<Vec<_>>>()
        });
        let Some(games) = games else {
            bar.abandon();
            return Err(interrupted(format_args!("stopped: go on with --resume")));
        };
        let mut games = games.as_slice();
        for &block in blocks {
            let (own, rest) = games.split_at(count(&[block]) as usize);
            games = rest;
            writer.write(&Block::of(block, own))?;
            bar.inc(own.len() as u64);
        }
    }
    bar.finish_and_clear();
    Ok(())
}
