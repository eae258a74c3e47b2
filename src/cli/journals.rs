//! Journals as arguments: the parts of a match, or of the games of `datagen`.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::files::{content_error, journal_error, journal_write_error, tell_cut_off};
use super::same_match::same_match;
use super::{Failure, Global};
use crate::arena::audit::Audit;
use crate::arena::settings::{MatchHeading, MatchSettings, UNLIMITED_PAIRS};
use crate::arena::tally::Tally;
use crate::shard::Shard;
use crate::storage::Existing;
use crate::storage::journal::{self, Contents, Journal, JournalError};
use crate::train::datagen::{self, Run};
use totemic_engine::game::{GameKind, with_game};
use totemic_engine::text::quoted_path;
use totemic_games::record::GameRecord;
use totemic_games::record::openings::Openings;
use totemic_games::record::reader::{Heading, ReadError};

type Journals<'a, H> = Vec<(&'a Path, Contents<H>)>;

/// Reads the journals that have games, and checks them by `audit`.
pub(super) fn read_all<'a, H: Heading>(
    paths: &'a [PathBuf],
    audit: impl Fn(&Contents<H>) -> Result<(), ReadError>,
) -> Result<Journals<'a, H>, Failure> {
    let mut journals = Vec::new();
    for path in paths {
        let contents = journal::read::<H>(path).and_then(|contents| {
            let audited = contents.as_ref().map_or(Ok(()), &audit);
            audited.map_err(JournalError::corrupt(path))?;
            Ok(contents)
        });
        match contents.map_err(|why| journal_error(why, H::JOURNAL))? {
            Some(contents) => {
                tell_cut_off(path, &contents);
                journals.push((path.as_path(), contents));
            }
            None => say!("journal {}: it has no games yet", quoted_path(path)),
        }
    }
    Ok(journals)
}

/// Opens a journal to write it; returns the games that it has, too.
pub(super) fn open<H: Heading + Serialize>(
    path: &Path,
    heading: &H,
    existing: Existing,
    accept: impl FnOnce(&Contents<H>) -> Result<(), ReadError>,
) -> Result<(Journal, Vec<GameRecord>), Failure> {
    let opened = Journal::open(path, heading, existing, accept);
    let (journal, contents) = opened.map_err(journal_write_error)?;
    let Some(contents) = contents else {
        return Ok((journal, Vec::new()));
    };
    tell_cut_off(path, &contents);
    Ok((journal, contents.games))
}

/// Takes the games of all parts together, each once, in the order of the journals.
pub(super) fn merge<H>(journals: Journals<'_, H>) -> Result<Vec<GameRecord>, Failure> {
    let (mut games, mut places) = (Vec::<GameRecord>::new(), HashMap::new());
    for (path, contents) in journals {
        for (game, line) in contents.games.into_iter().zip(2..) {
            let place = *places.entry(game.id).or_insert(games.len());
            match games.get(place) {
                None => games.push(game),
                Some(earlier) if *earlier != game => {
                    let why = "this game was played at another time, or differently, in an earlier \
                               journal: these are two runs, not two parts of one";
                    let why = ReadError::text(line, why);
                    return Err(failure!("{}", JournalError::corrupt(path)(why)));
                }
                Some(_) => {}
            }
        }
    }
    Ok(games)
}

pub(super) fn tell_missing(parts: impl Iterator<Item = Shard>) {
    if let Some(missing) = Shard::missing(&Vec::from_iter(parts)) {
        say!("warning: {missing}");
    }
}

/// Reads the results of a match from the journals of its parts, whose order decides which
/// games are new. Unless `mixed`, engines must be the same.
pub(super) fn read_results(
    paths: &[PathBuf],
    mixed: bool,
) -> Result<(MatchSettings, Tally), Failure> {
    let parts = read_all(paths, audit)?;
    // `read_all` has told the user that every journal is empty.
    let (_, first) = parts.first().ok_or(Failure::Code(0))?;
    let settings = first.heading.settings.clone();
    for (path, part) in &parts {
        let same = same_match(&settings, &part.heading.settings, "in the first journal");
        same.map_err(|why| content_error(path, format!("it is of another match: {why}")))?;
    }
    tell_missing(parts.iter().map(|(_, part)| part.heading.shard));
    let tally = Tally::of(&settings, &merge(parts)?);
    match tally.mixed(&settings).filter(|_| !mixed) {
        Some(why) => Err(Failure::Work(why)),
        None => Ok((settings, tally)),
    }
}

/// Checks that the games are those of a match, which may have been extended since then.
fn audit(contents: &Contents<MatchHeading>) -> Result<(), ReadError> {
    let mut settings = contents.heading.settings.clone();
    if !settings.format.is_adaptive() {
        settings.pairs = UNLIMITED_PAIRS;
    }
    let openings = Openings::of_source(settings.seed, &settings.openings);
    let audit = Audit {
        settings: &settings,
        shard: contents.heading.shard,
        openings: openings.as_ref(),
    };
    with_game!(settings.game, G => audit.check::<G>(&contents.games))
}

/// Reads the games of `datagen` by recipe, all of one game; warns about missing ones.
pub(super) fn read_games(
    global: Global,
    paths: &[PathBuf],
) -> Result<(GameKind, Vec<Run>), Failure> {
    let parts = read_all(paths, datagen::audit)?;
    let mut kind = None;
    for (path, part) in &parts {
        let game = part.heading.settings.game;
        global.check_game(game, || format!("the games in {} are", quoted_path(path)))?;
        if *kind.get_or_insert(game) != game {
            let what = format!("its games are of {game}, those of the journals before it are not");
            return Err(content_error(path, what));
        }
    }
    tell_missing(parts.iter().map(|(_, part)| part.heading.shard));
    let mut recipes: Vec<(_, Vec<_>)> = Vec::new();
    for part in parts {
        let recipe = &part.1.heading.settings;
        match recipes.iter_mut().find(|(other, _)| other == recipe) {
            Some((_, parts)) => parts.push(part),
            None => recipes.push((recipe.clone(), vec![part])),
        }
    }
    let mut runs = Vec::new();
    for (recipe, parts) in recipes {
        let mut games = merge(parts)?;
        games.sort_unstable_by_key(|game| game.id);
        let missing = recipe.games - games.len() as u64;
        if missing > 0 {
            let (all, seed) = (recipe.games, recipe.seed);
            let are = if missing == 1 { "is" } else { "are" };
            say!("warning: {missing} of the {all} games with seed {seed} {are} missing");
        }
        runs.push(Run { recipe, games });
    }
    Ok((kind.unwrap_or(global.kind()), runs))
}
