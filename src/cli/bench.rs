//! `totemic bench`: the signature of the search.

use std::io::{self, Write};

use clap::Args;

use super::CliResult;
use super::weights::WeightsArg;
use crate::bench::bench;
use crate::game::{Hokito, Yoxii};
use crate::search::nodes_per_second;

/// Search fixed positions and print the signature of the search
#[derive(Args, Debug)]
pub(super) struct BenchArgs {
    #[command(flatten)]
    weights: WeightsArg,
}

pub(super) fn run(args: &BenchArgs) -> CliResult {
    let yoxii = args.weights.load::<Yoxii>()?;
    let hokito = args.weights.load::<Hokito>()?;
    let mut out = io::stdout().lock();
    let mut printed = writeln!(out, "Weights: {}", yoxii.name());
    let results = bench(&yoxii, &hokito, |position, nodes| {
        if printed.is_ok() {
            printed = writeln!(out, "{nodes:>12}  {position}");
        }
    });
    printed?;
    for (game, part) in ["Yoxii", "Hokito"].into_iter().zip(results) {
        let nps = nodes_per_second(part.nodes, part.time);
        writeln!(out, "{game}: {} nodes {nps} nps", part.nodes)?;
    }
    let [yoxii, hokito] = results;
    let both = yoxii.plus(hokito);
    let nps = nodes_per_second(both.nodes, both.time);
    writeln!(out, "Bench: {} nodes {nps} nps", both.nodes)?;
    Ok(())
}
