//! `totemic rate`: makes one table from any number of journals.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use clap::Args;

use super::terminal::{folded, width};
use super::{CliResult, Failure, files};
use crate::arena::audit::Audit;
use crate::arena::schedule::ENDLESS;
use crate::arena::settings::{MatchPart, MatchSettings};
use crate::arena::tally::Tally;
use crate::arena::{json, report};
use crate::file::journal::{self, Contents, JournalError};
use crate::shard::Shard;
use totemic_engine::game::{GameKind, number_of, quoted, quoted_path, with_game};
use totemic_games::record::openings::Openings;
use totemic_games::record::reader::ReadError;
use totemic_games::record::{GameId, GameRecord};

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
    let mut merged: Option<(MatchSettings, Vec<GameRecord>)> = None;
    let mut parts = Vec::new();
    for path in paths {
        let Some(contents) = read(path)? else {
            say!("journal {}: it has no games yet", quoted_path(path));
            continue;
        };
        parts.push(contents.heading.shard);
        match &mut merged {
            None => merged = Some((contents.heading.settings, contents.games)),
            Some(merged) => add(merged, contents, path)?,
        }
    }
    // Of each journal it has been said that it has no games.
    let (settings, games) = merged.ok_or(Failure::Code(0))?;
    if let Some(missing) = Shard::missing(&parts) {
        say!("warning: {missing}");
    }
    let tally = Tally::of(&settings, &games);
    match tally.mixed(&settings).filter(|_| !mixed) {
        Some(why) => Err(Failure::Work(why)),
        None => Ok((settings, tally)),
    }
}

fn read(path: &Path) -> Result<Option<Contents<MatchPart>>, Failure> {
    let contents = journal::read::<MatchPart>(path).and_then(|contents| {
        let audited = contents.as_ref().map_or(Ok(()), audit);
        audited.map_err(JournalError::corrupt(path))?;
        Ok(contents)
    });
    if let Ok(Some(contents)) = &contents {
        files::tell_torn(path, contents);
    }
    contents.map_err(|why| files::journal_error(why, files::MATCH))
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
    let kind = GameKind::named(&settings.game).ok_or_else(|| {
        let game = quoted(&settings.game);
        ReadError::text(
            1,
            format!("game is {game}, which this program does not know"),
        )
    })?;
    with_game!(kind, G => audit.check::<G>(&contents.games))
}

fn add(
    (settings, games): &mut (MatchSettings, Vec<GameRecord>),
    contents: Contents<MatchPart>,
    path: &Path,
) -> CliResult {
    let refused = |why: String| failure!("journal {}: {why}", quoted_path(path));
    let same = settings.same_match(&contents.heading.settings);
    same.map_err(|why| {
        // The difference says "the journal" and "here".
        let why = why.replace("in the journal", "in the first journal");
        refused(format!("it is of another match: {why}"))
    })?;
    let by_id: HashMap<GameId, &GameRecord> = games.iter().map(|game| (game.id, game)).collect();
    let mut added = Vec::new();
    for game in contents.games {
        match by_id.get(&game.id) {
            Some(earlier) if **earlier != game => {
                let id = game.id;
                return Err(refused(format!(
                    "game {id} was played at another time in an earlier journal: \
                     these are two runs of one match, not two parts"
                )));
            }
            Some(_) => {}
            None => added.push(game),
        }
    }
    games.extend(added);
    Ok(())
}
