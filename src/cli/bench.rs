//! `totemic bench`: the signature of the search.

use std::io::{self, Write};

use super::CliResult;
use crate::bench::bench;
use crate::game::Yoxii;
use crate::search::{Learned, nodes_per_second};

pub(super) fn run() -> CliResult {
    let mut out = io::stdout().lock();
    let mut printed = Ok(());
    let result = bench(|position, nodes| {
        if printed.is_ok() {
            printed = writeln!(out, "{nodes:>12}  {position}");
        }
    });
    printed?;
    writeln!(out, "Weights: {}", Learned::<Yoxii>::default().name())?;
    let nps = nodes_per_second(result.nodes, result.time);
    writeln!(out, "Bench: {} nodes {nps} nps", result.nodes)?;
    Ok(())
}
