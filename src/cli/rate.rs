//! `totemic rate`: makes one table from any number of journals.

use std::path::PathBuf;

use clap::Args;

use super::terminal::{folded, width};
use super::{CliResult, journals};
use crate::arena::{json, report};
use totemic_engine::text::number_of;

#[derive(Args, Debug)]
pub(super) struct RateArgs {
    /// Journals of a match or its parts, written by `totemic match --journal`
    #[arg(required = true, value_name = "JOURNAL")]
    journals: Vec<PathBuf>,
    /// Take games together that different programs played as one engine
    #[arg(long)]
    mixed: bool,
    /// Print the results as one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &RateArgs) -> CliResult {
    let (settings, tally) = journals::read_results(&args.journals, args.mixed)?;
    if args.json {
        return print_line!("{}", json::of_games(&settings, &tally));
    }
    let text = folded(&report::of_games(&settings, &tally), width());
    let games = number_of(tally.games, "game");
    let journals = number_of(args.journals.len(), "journal");
    match tally.repeats() {
        0 => print_line!("{text}{games} of {journals}"),
        repeats => print_line!("{text}{games} of {journals}, {repeats} of them repeats"),
    }
}
