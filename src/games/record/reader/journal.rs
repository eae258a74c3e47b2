//! Reads journals: the first line describes the match, each other line is a game.
//!
//! Everything that reads a journal reads it here. A last line without a line end counts
//! if it is a whole game; if not, a killed program has left it, and it is reported as cut off.

use std::collections::BTreeSet;

use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::{Draft, PgnGame, ReadError};
use crate::record::fault::Fault;
use crate::record::{GameId, GameRecord, deserialize_sanitized};
use totemic_engine::file::MAX_LINE;
use totemic_engine::game::GameKind;

/// Version of the format; it is in the first line.
pub const VERSION: u32 = 1;
/// How the first line begins.
const FIRST_BYTES: &[u8] = b"{\"totemic_match\":";
/// How the games of datagen of version 0.2.0 begin.
const OLD_GAMES: &[u8] = b"totemic-games 1 ";

/// Whether a text is a journal, of which there may be only the first bytes.
pub(super) fn is_journal(text: &str) -> bool {
    let length = FIRST_BYTES.len().min(text.len());
    length > 1 && text.as_bytes()[..length] == FIRST_BYTES[..length]
}

/// The first line of a kind of journal, without the version.
pub trait Heading: DeserializeOwned {
    /// The kind of journal, as the end of "not the first line of ..." and "expected ...".
    const JOURNAL: &str;
}

/// The part of the first line that all kinds of journals have, and that readers of games need.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AnyHeading {
    pub(crate) settings: Summary,
}

impl Heading for AnyHeading {
    const JOURNAL: &str = "a journal";
}

/// The names of the game and of those who play it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Summary {
    pub game: GameKind,
    pub engines: Vec<Entrant>,
}

/// An engine of a match, as a journal names it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Entrant {
    /// Its name in the match.
    #[serde(deserialize_with = "deserialize_sanitized")]
    pub name: String,
}

/// The first line of a journal.
#[derive(Serialize, Deserialize)]
pub struct FirstLine<H> {
    /// Version of the format.
    pub totemic_match: u32,
    /// What the journal is about.
    #[serde(flatten)]
    pub heading: H,
}

/// A journal as it was read.
pub struct ReadJournal<H> {
    /// What the journal is about.
    pub heading: H,
    /// The games in the order in which they ended; the first is on line 2.
    pub games: Vec<Result<GameRecord, ReadError>>,
    /// Number of bytes of a last line that is cut off; 0 if there is none.
    pub cut_off_bytes: usize,
}

/// Reads a journal; one game that is wrong leaves the others. Returns `None` if not even
/// the first line is complete.
///
/// # Errors
/// When the first line is wrong.
pub fn read<H: Heading>(bytes: &[u8]) -> Result<Option<ReadJournal<H>>, ReadError> {
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    let mut lines = (1..).zip(bytes.split_inclusive(|&byte| byte == b'\n'));
    let Some((_, first)) = lines.next() else {
        return Ok(None);
    };
    // Every kind of first line names the engines as this one does.
    let entrants = read_heading::<AnyHeading>(first).map_or(0, |it| it.settings.engines.len());
    let heading = match read_heading::<H>(first) {
        Ok(heading) => heading,
        // A file that is not a journal is neither counted nor overwritten.
        Err(_) if is_cut_off(first) => return Ok(None),
        Err(why) => return Err(why),
    };
    let (mut games, mut cut_off_bytes) = (Vec::new(), 0);
    let mut seen = BTreeSet::new();
    for (line, text) in lines {
        match read_game(line, text, entrants, &mut seen) {
            Err(_) if !text.ends_with(b"\n") => cut_off_bytes = text.len(),
            game => games.push(game),
        }
    }
    Ok(Some(ReadJournal {
        heading,
        games,
        cut_off_bytes,
    }))
}

fn read_game(
    line: usize,
    text: &[u8],
    entrants: usize,
    seen: &mut BTreeSet<GameId>,
) -> Result<GameRecord, ReadError> {
    let game: GameRecord = serde_json::from_slice(text).map_err(|why| {
        let text = in_one_line(&why);
        ReadError::new(line, Fault::NoRecord { text })
    })?;
    let wrong = |why: String| Err(ReadError::text(line, why));
    let id = game.id;
    if id.leg > 1 || game.engines.iter().any(|&engine| engine >= entrants) {
        return wrong(format!("game {id} is not of this match"));
    }
    match seen.insert(id) {
        true => Ok(game),
        false => wrong(format!("game {id} occurs twice")),
    }
}

/// Says what is wrong with JSON that is one line of a file: serde would call it line 1.
pub fn in_one_line(why: &serde_json::Error) -> String {
    let (text, byte) = (why.to_string(), why.column());
    let what = text.split(" at line ").next().unwrap_or_default();
    match why.is_data() {
        true => what.to_owned(),
        false => format!("damaged JSON, {what} at byte {byte}"),
    }
}

/// Whether a line can be the beginning of a journal's first line.
fn is_cut_off(line: &[u8]) -> bool {
    let is_whole = serde_json::from_slice::<IgnoredAny>(line).is_ok();
    let is_short = line.len() <= MAX_LINE;
    FIRST_BYTES.starts_with(line)
        || line.starts_with(FIRST_BYTES) && is_short && !line.ends_with(b"\n") && !is_whole
}

fn read_heading<H: Heading>(line: &[u8]) -> Result<H, ReadError> {
    let first = serde_json::from_slice::<FirstLine<H>>(line);
    let first = first.map_err(|_| heading_error::<H>(line))?;
    match first.totemic_match {
        VERSION => Ok(first.heading),
        found => {
            let why = format!("format {found}, expected {VERSION}");
            Err(ReadError::text(1, why))
        }
    }
}

/// Says why a line is not the first line of this kind of journal.
fn heading_error<H: Heading>(line: &[u8]) -> ReadError {
    if line.starts_with(FIRST_BYTES) && line.len() > MAX_LINE {
        let why = format!("it has more than {} MiB", MAX_LINE >> 20);
        return ReadError::text(1, why);
    }
    let first = serde_json::from_slice::<FirstLine<Json>>(line);
    let settings = first.map_or(Json::Null, |first| first.heading["settings"].clone());
    if let Json::String(name) = &settings["game"]
        && GameKind::named(name).is_none()
    {
        let name = name.clone();
        return ReadError::new(1, Fault::NoSuchGame { name });
    }
    let other = match settings {
        it if it["solver_nodes"].is_u64() => ", but of a journal of datagen",
        it if it["format"].is_string() => ", but of a match's journal",
        _ if line.starts_with(OLD_GAMES) => {
            ", but of games in the format of totemic 0.2.0, which is no longer read: make them \
             again, or use the version that made them"
        }
        _ => "",
    };
    let of = format!("{}{other}", H::JOURNAL);
    ReadError::new(1, Fault::NoJournal { of })
}

/// Reads the games of a journal. A last line that is cut off is an error of its own kind.
pub(super) fn drafts(text: &str) -> Vec<Result<Draft, ReadError>> {
    let journal = match read::<AnyHeading>(text.as_bytes()) {
        Ok(Some(journal)) => journal,
        Ok(None) => return Vec::new(),
        Err(why) => return vec![Err(why)],
    };
    let of = &journal.heading.settings;
    let (last, bytes) = (journal.games.len() + 2, journal.cut_off_bytes);
    let cut_off = (bytes > 0).then(|| Err(ReadError::cut_off(last, bytes)));
    let games = (2..).zip(journal.games).map(|(line, game)| {
        let record = game?;
        let players = record.engines.map(|engine| of.engines[engine].name.clone());
        let mut game = PgnGame::of_record(&record, of.game, players);
        game.line = line;
        game.moves.iter_mut().for_each(|made| made.line = line);
        Ok(Draft {
            game,
            result_token: record.result.word().to_owned(),
            ..Draft::default()
        })
    });
    games.chain(cut_off).collect()
}
