//! `totemic perft`: counts move sequences.

use clap::Args;
use rayon::prelude::*;
use serde_json::{Map, json};

use super::position::read_position;
use super::values::whole;
use super::{CliResult, Global, progress};
use totemic_engine::game::{Game, GameKind, perft, with_position};

#[derive(Args, Debug)]
pub(super) struct PerftArgs {
    #[arg(help = format!("Length of the longest sequences to count, in plies, at most {}", GameKind::MAX_PLIES), value_parser = whole(1..=GameKind::MAX_PLIES))]
    depth: u32,
    /// `startpos`, or a position in quotes
    #[arg(default_value = "startpos", hide_default_value = true)]
    position: String,
    /// Moves to play from the position first: all words up to the next option
    #[arg(long, num_args = 1.., value_name = "MOVE")]
    moves: Vec<String>,
    /// Print the count after each first move, only for DEPTH
    #[arg(long)]
    divide: bool,
    /// Number of threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(1..=1024u16))]
    threads: u16,
    /// Print one JSON object for each depth
    #[arg(long)]
    json: bool,
}

pub(super) fn run(global: Global, args: &PerftArgs) -> CliResult {
    let position = read_position(global, &args.position, &args.moves)?;
    let threads = usize::from(args.threads);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|why| failure!("cannot start {threads} threads: {why}"))?;
    with_position!(position, position => pool.install(|| count(&position, args)))
}

fn count<G: Game>(position: &G, args: &PerftArgs) -> CliResult {
    let bar = progress::bar(position.count_moves(), "moves");
    let first = if args.divide { args.depth } else { 1 };
    let mut nodes = 0;
    for depth in first..=args.depth {
        bar.set_position(0);
        bar.set_message(format!(", depth {depth}"));
        let count = |&mv: &G::Move| {
            let nodes = perft(&position.play(mv), depth - 1);
            bar.inc(1);
            (mv, nodes)
        };
        let counts: Vec<_> = position.moves().par_iter().map(count).collect();
        let sum = counts.iter().map(|(_, nodes)| nodes).sum::<u64>();
        bar.suspend(|| match (args.json, args.divide) {
            (true, _) => {
                let counts = counts.iter();
                let moves = counts.map(|(mv, nodes)| (mv.to_string(), json!(nodes)));
                let moves = args.divide.then(|| moves.collect::<Map<_, _>>());
                let report = json!({"position": position.to_string(), "depth": depth,
                    "nodes": sum, "moves": moves});
                print_line!("{report}")
            }
            (_, true) => (counts.iter()).try_for_each(|(mv, nodes)| print_line!("{mv}\t{nodes}")),
            (_, false) => print_line!("{depth}\t{sum}"),
        })?;
        nodes += sum;
    }
    bar.finish_and_clear();
    let seconds = bar.elapsed().as_secs_f64();
    let speed = nodes as f64 / seconds.max(1e-9) / 1e6;
    say!("{nodes} nodes in {seconds:.3} s, {speed:.1} M nodes/s");
    Ok(())
}
