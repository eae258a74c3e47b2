//! `totemic setup`: random positions, one a line.

mod fair;

use std::io::{self, Write};

use clap::Args;

use super::values::whole;
use super::{CliResult, Failure, Global, stop_on_interrupt};
use crate::game::{Game, GameKind, Hokito, Layout, Rng, random_position, with_game};
use fair::Dealer;

#[derive(Args, Debug)]
pub(super) struct SetupArgs {
    /// Number of positions
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(1u32..))]
    count: u32,
    /// Seed of the random numbers: the same seed, the same positions
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole(0u64..))]
    seed: u64,
    /// Hokito: spread all pawns over the whole board
    #[arg(long)]
    scattered: bool,
    /// Random plies to play from the start; games that are over by then do not
    /// count
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole(0..=GameKind::MAX_PLIES))]
    plies: u32,
    /// Hokito: only set-ups that the engine finds even, where it gives each side
    /// from 45 to 55 % of the points. Random ones, in which pawns changed places,
    /// for by chance hardly any is. Behind a `#` stand the odds, and the nodes and
    /// looks that it took. An estimate of this engine, and no proof
    #[arg(long, conflicts_with = "plies")]
    fair: bool,
    /// Nodes of the engine for a set-up that may be even
    #[arg(long, value_name = "N", default_value_t = fair::NODES, requires = "fair",
          value_parser = whole(1..=1_000_000_000_000u64))]
    nodes: u64,
    /// Print one JSON object a line
    #[arg(long, requires = "fair")]
    json: bool,
}

pub(super) fn run(global: Global, args: &SetupArgs) -> CliResult {
    with_game!(global.kind(), G => print::<G>(args))
}

fn print<G: Game>(args: &SetupArgs) -> CliResult {
    let layout = if args.scattered {
        Layout::Scattered
    } else {
        Layout::Halves
    };
    let named = [("--scattered", args.scattered), ("--fair", args.fair)];
    let of_hokito = named.into_iter().find(|&(_, given)| given);
    if let Some((option, _)) = of_hokito.filter(|_| G::NAME != Hokito::NAME) {
        let why = match option {
            "--fair" => "is for set-ups of hokito, and the start of yoxii is fixed",
            _ => "is a variant of hokito",
        };
        return Err(Failure::Usage(format!("{option} {why}: add --game hokito")));
    }
    let mut rng = Rng::new(args.seed);
    if args.fair {
        let stop = stop_on_interrupt()?;
        return Dealer::new(layout, rng, args.nodes, stop).print(args.count, args.json);
    }
    let mut out = io::BufWriter::new(io::stdout().lock());
    for _ in 0..args.count {
        let position: G = random_position(layout, args.plies, &mut rng).ok_or_else(|| {
            Failure::Work(format!(
                "no random game of {} was still going on after {} plies in a hundred tries",
                G::NAME,
                args.plies
            ))
        })?;
        writeln!(out, "{position}")?;
    }
    out.flush()?;
    Ok(())
}
