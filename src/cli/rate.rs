//! `totemic rate`: makes one table from any number of journals.

use std::path::PathBuf;

use clap::Args;

use super::terminal::{folded, width};
use super::{CliResult, Failure, files, journals};
use crate::arena::audit::Audit;
use crate::arena::schedule::ENDLESS;
use crate::arena::settings::{MatchPart, MatchSettings};
use crate::arena::tally::Tally;
use crate::arena::{json, report};
use crate::file::journal::Contents;
use totemic_engine::game::{number_of, with_game};
use totemic_games::record::openings::Openings;
use totemic_games::record::reader::ReadError;

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
    let (settings, tally) = merge(&args.journals, args.mixed)?;
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

/// The order decides which games are new. Unless `mixed`, engines must be the same.
pub(super) fn merge(paths: &[PathBuf], mixed: bool) -> Result<(MatchSettings, Tally), Failure> {
    let parts = journals::read_all(paths, audit)?;
    // Of each journal it has been said that it has no games.
    let (_, first) = parts.first().ok_or(Failure::Code(0))?;
    let settings = first.heading.settings.clone();
    for (path, part) in &parts {
        let same = settings.same_match(&part.heading.settings, "in the first journal");
        same.map_err(|why| files::content_error(path, format!("it is of another match: {why}")))?;
    }
    journals::tell_missing(parts.iter().map(|(_, part)| part.heading.shard));
    let games = journals::merge(parts)?;
    let tally = Tally::of(&settings, &games);
    match tally.mixed(&settings).filter(|_| !mixed) {
        Some(why) => Err(Failure::Work(why)),
        None => Ok((settings, tally)),
    }
}

/// Checks that the games are those of the match, which may have been extended since then.
fn audit(contents: &Contents<MatchPart>) -> Result<(), ReadError> {
    let mut settings = contents.heading.settings.clone();
    if !settings.format.is_adaptive() {
        settings.pairs = ENDLESS;
    }
    let openings = Openings::of_source(settings.seed, &settings.openings);
    let audit = Audit {
        settings: &settings,
        shard: contents.heading.shard,
        openings: openings.as_ref(),
    };
    with_game!(settings.game, G => audit.check::<G>(&contents.games))
}
