//! `totemic bench`: the signature of the search.

use clap::Args;
use serde_json::json;

use super::weights::WeightsArg;
use super::{CliResult, Global};
use totemic_engine::bench::{BenchResult, bench};
use totemic_engine::game::{GameKind, Show, with_game};
use totemic_engine::search::nodes_per_second;

/// Search fixed positions and print the signature of the search
///
/// Searches positions of both games, or of one with --game. The signature is the number
/// of nodes in both games. If a file has weights for one game only, give --game.
#[derive(Args, Debug)]
pub(super) struct BenchArgs {
    #[command(flatten)]
    weights: WeightsArg,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(global: Global, args: &BenchArgs) -> CliResult {
    let mut kinds = GameKind::ALL.to_vec();
    kinds.retain(|kind| global.game.is_none_or(|game| game == *kind));
    // All weights are loaded before the first search.
    for &kind in kinds.iter().rev() {
        with_game!(kind, G => {
            let weights = args.weights.load::<G>()?;
            if kind == kinds[0] && !args.json {
                print_line!("Weights: {}", weights.name())?;
            }
        });
    }
    let mut results = Vec::new();
    for &kind in &kinds {
        with_game!(kind, G => {
            let mut printed = Ok(());
            let result = bench::<G>(&args.weights.load::<G>()?, |position, nodes| {
                if printed.is_ok() && !args.json {
                    printed = print_line!("{nodes:>12}  {position}");
                }
            });
            printed?;
            results.push((<G as Show>::TITLE, result));
        });
    }
    if global.game.is_none() {
        results.push(("Bench", results.iter().map(|(_, result)| *result).sum()));
    }
    let mut report = json!({});
    for (title, BenchResult { nodes, time }) in results {
        let nps = nodes_per_second(nodes, time);
        match args.json {
            true => report[title.to_lowercase()] = json!({"nodes": nodes, "nps": nps}),
            false => print_line!("{title}: {nodes} nodes {nps} nps")?,
        }
    }
    if args.json {
        print_line!("{report}")?;
    }
    Ok(())
}
