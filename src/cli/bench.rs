//! `totemic bench`: the signature of the search.

use std::io::{self, Write};

use clap::Args;

use super::weights::WeightsArg;
use super::{CliResult, Failure, Global};
use crate::bench::{BenchResult, Benched, bench};
use crate::game::{GameKind, with_game};
use crate::search::{Learnable, Learned, Searchable, nodes_per_second};

/// Search fixed positions and print the signature of the search
///
/// The positions are those of both games, or with --game of one, whose nodes are a part
/// of the signature only. A file of weights for one game needs --game.
#[derive(Args, Debug)]
pub(super) struct BenchArgs {
    #[command(flatten)]
    weights: WeightsArg,
}

/// The search of a game's positions, which tells of each.
type Search = Box<dyn FnOnce(&mut dyn FnMut(&str, u64)) -> BenchResult>;

/// A game whose weights are loaded.
struct Part {
    title: &'static str,
    weights: String,
    search: Search,
}

impl Part {
    fn of<G>(args: &BenchArgs) -> Result<Self, Failure>
    where
        G: Benched + Searchable<Evaluation = Learned<G>> + Learnable,
    {
        let evaluation = args.weights.load::<G>()?;
        Ok(Self {
            title: G::TITLE,
            weights: evaluation.name().to_owned(),
            search: Box::new(move |on_position| bench::<G>(&evaluation, on_position)),
        })
    }
}

pub(super) fn run(global: Global, args: &BenchArgs) -> CliResult {
    let asked = |kind: &GameKind| global.game.is_none_or(|game| game == *kind);
    let kinds = GameKind::ALL.into_iter().filter(asked);
    let parts = kinds.map(|kind| with_game!(kind, G => Part::of::<G>(args)));
    let parts = parts.collect::<Result<Vec<_>, _>>()?;
    let mut out = io::stdout().lock();
    writeln!(out, "Weights: {}", parts[0].weights)?;
    let mut results = Vec::new();
    for part in parts {
        let mut printed = Ok(());
        let result = (part.search)(&mut |position, nodes| {
            if printed.is_ok() {
                printed = writeln!(out, "{nodes:>12}  {position}");
            }
        });
        printed?;
        results.push((part.title, result));
    }
    if global.game.is_none() {
        results.push(("Bench", results.iter().map(|(_, result)| *result).sum()));
    }
    for (title, BenchResult { nodes, time }) in results {
        let nps = nodes_per_second(nodes, time);
        writeln!(out, "{title}: {nodes} nodes {nps} nps")?;
    }
    Ok(())
}
