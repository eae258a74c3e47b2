//! `totemic bench`: the signature of the search.

use std::io::{self, Write};

use clap::Args;

use super::{CliResult, Failure};
use crate::bench::bench;
use crate::game::{Hokito, Yoxii};
use crate::search::nodes_per_second;
use crate::ugi::weights::load;

/// Search fixed positions and print the signature of the search
#[derive(Args, Debug)]
pub(super) struct BenchArgs {
    /// Search with the weights of a file, with `classic`, those written by hand, or
    /// with `zero`, where every position is even [default: those in the program]
    #[arg(
        long,
        value_name = "FILE",
        default_value = "",
        hide_default_value = true
    )]
    eval_file: String,
}

pub(super) fn run(args: &BenchArgs) -> CliResult {
    let yoxii = load::<Yoxii>(&args.eval_file).map_err(Failure::Work)?;
    let hokito = load::<Hokito>(&args.eval_file).map_err(Failure::Work)?;
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
