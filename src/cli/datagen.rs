//! `totemic datagen`: plays games of the engine against itself, to learn from.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use clap::Args;

use super::files::{check_distinct, existing, journal_write_error};
use super::values::whole;
use super::weights::{Weighted, WeightsArg};
use super::{CliResult, Global, interrupted, journals, progress, stop_on_interrupt};
use crate::process::this_program;
use crate::shard::Shard;
use crate::train::datagen::{DatagenHeading, MAX_GAMES, Recipe};
use crate::train::selfplay::SelfPlayer;
use totemic_engine::game::{GameKind, with_game};
use totemic_engine::search::{Learned, THREAD_STACK_BYTES};
use totemic_engine::text::quoted_path;
use totemic_games::record::GameRecord;
use totemic_games::record::reader::journal::Entrant;

/// Play games of the engine against itself and keep them in a journal
///
/// The games depend only on the seed and the settings, not on the number of threads or
/// parts. Each finished game is written to disk at once. --resume continues a run that
/// was stopped or killed. `fit` and `data` read any number of parts together.
///
/// Exit codes: 0 all games written; 1 the work failed; 2 bad arguments; 130 stopped by
/// Ctrl-C or SIGTERM.
#[derive(Args, Debug)]
pub(super) struct DatagenArgs {
    /// Number of games, in all parts together
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = whole(1..=MAX_GAMES))]
    games: u64,
    /// Nodes for each search
    #[arg(long, value_name = "N", default_value_t = 1_500,
          value_parser = whole(1..=1_000_000_000u64))]
    nodes: u64,
    /// Nodes of the exact solver for a position near the end
    #[arg(long, value_name = "N", default_value_t = 4_000,
          value_parser = whole(0..=1_000_000_000u64))]
    solver_nodes: u64,
    /// Number of games played at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(1..=1024usize))]
    threads: usize,
    /// Seed of the games: the same seed gives the same games
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(0u64..))]
    seed: u64,
    /// Play only part K of N
    #[arg(long, value_name = "K/N", default_value_t = Shard::WHOLE)]
    shard: Shard,
    #[command(flatten)]
    weights: WeightsArg,
    /// The journal to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Continue a journal, if there is one
    #[arg(long)]
    resume: bool,
    /// Go on even if another program began the journal
    #[arg(long, requires = "resume")]
    mixed: bool,
    /// Replace an existing journal
    #[arg(long, conflicts_with = "resume")]
    force: bool,
}

const REPORT_EVERY: Duration = Duration::from_secs(60);

pub(super) fn run(global: Global, args: &DatagenArgs) -> CliResult {
    let kind = global.kind();
    with_game!(kind, G => generate::<G>(kind, args))
}

fn generate<G: Weighted>(game: GameKind, args: &DatagenArgs) -> CliResult {
    let read = args.weights.file();
    check_distinct(&[("--out", Some(&args.out))], read.as_slice())?;
    let eval = args.weights.load::<G>()?;
    let part = DatagenHeading {
        settings: Recipe {
            game,
            engines: [Entrant {
                name: eval.name().to_owned(),
            }],
            version: env!("CARGO_PKG_VERSION").to_owned(),
            seed: args.seed,
            games: args.games,
            nodes: args.nodes,
            solver_nodes: args.solver_nodes,
        },
        shard: args.shard,
        program: (!args.mixed).then(this_program).unwrap_or_default(),
    };
    let existing = existing(args.resume, args.force);
    let accept = |contents: &_| part.check(contents);
    let (mut journal, games) = journals::open(&args.out, &part, existing, accept)?;
    let done: HashSet<u64> = games.iter().map(|game| game.id.pair).collect();
    let missing = part.numbers().filter(|number| !done.contains(number));
    let (before, total) = (done.len() as u64, part.count() as u64);
    let bar = progress::bar(total, "games").with_position(before);
    if bar.is_hidden() {
        say!("{before} of {total} games");
    }
    let mut reported = Instant::now();
    let written = play(args.threads, &part.settings, &eval, missing, |games| {
        journal.append(games).map_err(journal_write_error)?;
        bar.inc(games.len() as u64);
        let to_go = progress::to_go(&bar, before);
        if bar.is_hidden() && reported.elapsed() >= REPORT_EVERY {
            reported = Instant::now();
            say!("{} of {total} games{to_go}", bar.position());
        }
        bar.set_message(to_go);
        Ok(())
    });
    let done = bar.position();
    bar.finish_and_clear();
    written?;
    let name = quoted_path(&args.out);
    if done < total {
        return Err(interrupted(format_args!(
            "stopped: {done} of {total} games in {name}, continue with --resume"
        )));
    }
    say!("{done} of {total} games in {name}");
    Ok(())
}

/// Plays these games, `threads` at a time, until somebody interrupts or `write` fails.
fn play<G: Weighted>(
    threads: usize,
    recipe: &Recipe,
    eval: &Learned<G>,
    numbers: impl Iterator<Item = u64> + Send,
    mut write: impl FnMut(&[GameRecord]) -> CliResult,
) -> CliResult {
    let playing = stop_on_interrupt()?.child();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .stack_size(THREAD_STACK_BYTES)
        .build();
    let pool = pool.map_err(|why| failure!("cannot start threads: {why}"))?;
    let numbers = Mutex::new(numbers);
    let next = || numbers.lock().ok()?.next();
    let (sender, finished) = mpsc::channel();
    pool.in_place_scope(|scope| {
        for _ in 0..threads {
            let (sender, next, stop) = (sender.clone(), &next, &playing);
            scope.spawn(move |_| {
                let mut player = SelfPlayer::<G, _>::new(recipe, eval.clone(), stop);
                while let Some(game) = next().and_then(|number| player.play(number)) {
                    if sender.send(game).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let written = finished.iter().try_for_each(|game| {
            let games: Vec<_> = std::iter::once(game).chain(finished.try_iter()).collect();
            write(&games)
        });
        playing.now();
        written
    })
}
