//! `totemic bench`: the signature of the search.

use std::io::{self, Write};

use clap::Args;

use super::weights::WeightsArg;
use super::{CliResult, Global};
use crate::bench::{BenchResult, bench};
use crate::game::{Game, GameKind, with_game};
use crate::search::nodes_per_second;

/// Search fixed positions and print the signature of the search
///
/// The positions are those of both games, or with --game of one, whose nodes are a part
/// of the signature only.
#[derive(Args, Debug)]
pub(super) struct BenchArgs {
    #[command(flatten)]
    weights: WeightsArg,
}

pub(super) fn run(global: Global, args: &BenchArgs) -> CliResult {
    let asked = |kind: &GameKind| global.game.is_none_or(|game| game == *kind);
    let kinds: Vec<_> = GameKind::ALL.into_iter().filter(asked).collect();
    let mut names = Vec::new();
    for &kind in &kinds {
        names.push(with_game!(kind, G => args.weights.load::<G>()?.name().to_owned()));
    }
    let mut out = io::stdout().lock();
    writeln!(out, "Weights: {}", names[0])?;
    let mut parts = Vec::new();
    for kind in kinds {
        let mut printed = Ok(());
        let on_position = |position: &str, nodes| {
            if printed.is_ok() {
                printed = writeln!(out, "{nodes:>12}  {position}");
            }
        };
        let part = with_game!(kind, G => bench::<G>(&args.weights.load::<G>()?, on_position));
        printed?;
        parts.push((with_game!(kind, G => G::TITLE), part));
    }
    let mut tell = |name: &str, part: BenchResult| {
        let nps = nodes_per_second(part.nodes, part.time);
        writeln!(out, "{name}: {} nodes {nps} nps", part.nodes)
    };
    for &(title, part) in &parts {
        tell(title, part)?;
    }
    if let [(_, yoxii), (_, hokito)] = parts[..] {
        tell("Bench", yoxii.plus(hokito))?;
    }
    Ok(())
}
