//! `totemic setup`: prints random positions, one per line.

mod fair;

use std::io::{self, Write};

use clap::Args;

use super::values::whole;
use super::{CliResult, Failure, Global, layout};
use totemic_engine::game::{Game, GameKind, Hokito, Rng, random_opening, with_game};

#[derive(Args, Debug)]
pub(super) struct SetupArgs {
    /// Number of positions
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(1u32..))]
    count: u32,
    /// Seed of the random numbers: the same one gives the same positions
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole(0u64..))]
    seed: u64,
    /// Hokito: spread all pawns over the whole board
    #[arg(long)]
    scattered: bool,
    /// Random plies to play first; games that end earlier are left out
    #[arg(long, value_name = "N", default_value_t = 0,
          value_parser = whole(0..=GameKind::MAX_PLIES))]
    plies: u32,
    /// Hokito: print fair set-ups only
    ///
    /// In these, the engine expects 45 to 55 % of the points for each side. Random
    /// set-ups hardly ever are fair, so pawns are swapped until one is. After a # come
    /// the odds, the nodes and the number of searches. Fairness is an estimate, not a
    /// proof.
    #[arg(long, conflicts_with = "plies")]
    fair: bool,
    /// Nodes to search in a set-up that may be fair
    #[arg(long, value_name = "N", default_value_t = fair::DEFAULT_NODES, requires = "fair",
          value_parser = whole(1..=1_000_000_000_000u64))]
    nodes: u64,
    /// Print one JSON object per line, with --fair
    #[arg(long, requires = "fair", conflicts_with = "plies")]
    json: bool,
}

pub(super) fn run(global: Global, args: &SetupArgs) -> CliResult {
    with_game!(global.kind(), G => print::<G>(args))
}

fn print<G: Game>(args: &SetupArgs) -> CliResult {
    let layout = layout(G::NAME, args.scattered)?;
    if G::NAME != Hokito::NAME && args.fair {
        return Err(usage!(
            "--fair is for set-ups of hokito, and the start of yoxii is fixed: add --game hokito"
        ));
    }
    let mut rng = Rng::new(args.seed);
    if args.fair {
        return fair::print(args, layout, rng);
    }
    let mut out = io::BufWriter::new(io::stdout().lock());
    for _ in 0..args.count {
        let opening = random_opening::<G>(layout, args.plies, &mut rng);
        let (.., position) = opening.map_err(Failure::Work)?;
        writeln!(out, "{position}")?;
    }
    Ok(out.flush()?)
}
