//! `totemic setup`: random positions, one a line.

use std::io::{self, Write};

use clap::Args;

use super::values::whole;
use super::{CliResult, Failure, Global};
use crate::game::{Game, Hokito, Layout, Rng, random_position, with_game};

#[derive(Args, Debug)]
pub(super) struct SetupArgs {
    /// Number of positions
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(0u32..))]
    count: u32,
    /// Seed of the random numbers: the same seed, the same positions
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole(0u64..))]
    seed: u64,
    /// Hokito: spread all pawns over the whole board
    #[arg(long)]
    scattered: bool,
    /// Random plies to play from the start; games that are over by then do not
    /// count
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole(0..=36u32))]
    plies: u32,
}

pub(super) fn run(global: Global, args: &SetupArgs) -> CliResult {
    with_game!(global.kind(), G => print::<G>(args))
}

fn print<G: Game>(args: &SetupArgs) -> CliResult {
    if args.scattered && G::NAME != Hokito::NAME {
        return Err(Failure::Usage(
            "--scattered is a variant of hokito: add --game hokito".to_owned(),
        ));
    }
    let layout = if args.scattered {
        Layout::Scattered
    } else {
        Layout::Halves
    };
    let mut rng = Rng::new(args.seed);
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
