//! Games in files: saved ones, and the unfinished ones that are kept.
//!
//! Both are PGN as the project's reader takes it, with the clocks after each
//! move as `[%clk ...]` and the tags `PlaySide`, `PlayLevel` and `PlayClock`.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use etcetera::BaseStrategy;

use super::clock::pgn as clock_text;
use super::sheet::Sheet;
use crate::cli::files::{self, not_written, obstacle};
use crate::file;
use crate::game::{Game, Outcome, Side, quoted_path};
use crate::record::pgn::{PgnGame, PgnMove, first_is_white, result_token, utc};
use crate::record::reader::{Close, PlayedGame, read};

/// Names the directory for what is kept, in place of the system's own.
pub(super) const STATE_DIR: &str = "TOTEMIC_STATE_DIR";

/// What `open` expects.
const GAMES: &str = "a file of games";

/// Where unfinished games and the history of lines are kept: the directory of
/// the environment variable [`STATE_DIR`], else the system's for the state of
/// programs; `None` where there is neither.
pub(super) fn state_dir() -> Option<PathBuf> {
    if let Some(dir) = std::env::var_os(STATE_DIR).filter(|dir| !dir.is_empty()) {
        return Some(dir.into());
    }
    let strategy = etcetera::choose_base_strategy().ok()?;
    let dir = strategy.state_dir().unwrap_or_else(|| strategy.data_dir());
    Some(dir.join("totemic"))
}

/// The text of a game; `settings` are tags that only `play` reads.
pub(super) fn text<G: Game>(
    sheet: &Sheet<G>,
    names: &[String; 2],
    settings: &[(&str, String)],
) -> String {
    let result = match sheet.end() {
        None => "*",
        Some((outcome, _)) => result_token::<G>(outcome.into()),
    };
    let mut side = sheet.first_side();
    let moves = sheet.made().iter().map(|made| {
        let left = made.clocks.map(|clocks| clocks.left[side.index()]);
        side = side.other();
        PgnMove {
            mv: made.mv.to_string(),
            comment: left.map_or_else(String::new, |left| format!("[%clk {}]", clock_text(left))),
            ..PgnMove::default()
        }
    });
    let mut pgn = PgnGame {
        tags: Vec::new(),
        white_begins: first_is_white::<G>() == (sheet.first_side() == Side::First),
        moves: moves.collect(),
        result: result.to_owned(),
    };
    let white = usize::from(!first_is_white::<G>());
    pgn.tag("Event", &format!("{} at the terminal", G::TITLE));
    pgn.tag("Site", "?");
    pgn.tag("Date", &today());
    pgn.tag("Round", "-");
    pgn.tag("White", &names[white]);
    pgn.tag("Black", &names[1 - white]);
    pgn.tag("Result", result);
    pgn.tag("Variant", G::TITLE);
    pgn.tag("SetUp", "1");
    pgn.tag("FEN", &sheet.start().to_string());
    pgn.tag("PlyCount", &sheet.made().len().to_string());
    if let Some(control) = sheet.control() {
        pgn.tag("TimeControl", &control.to_string());
    }
    let how = sheet.end().map_or(Close::Unfinished, |(_, how)| how);
    pgn.tag("Termination", termination(how));
    for (key, value) in settings {
        pgn.tag(key, value);
    }
    pgn.to_string()
}

/// Today's date, as far as the clock of this machine is right.
fn today() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    utc(now.map_or(0, |time| time.as_secs())).0
}

/// The value of the tag `Termination`.
const fn termination(how: Close) -> &'static str {
    match how {
        Close::Rules | Close::Untold => "normal",
        Close::Time => "time forfeit",
        Close::Resignation => "resignation",
        Close::Agreement => "agreement",
        Close::Adjudication => "adjudication",
        Close::Forfeit => "abandoned",
        Close::Unfinished => "unterminated",
    }
}

/// The file that a person names, `~` being her own directory.
pub(super) fn named(name: &str) -> PathBuf {
    match name.strip_prefix("~/").zip(etcetera::home_dir().ok()) {
        Some((rest, home)) => home.join(rest),
        None => name.into(),
    }
}

/// The names of files and directories that begin so.
pub(super) fn beginning(typed: &str) -> Vec<String> {
    let (dir, begun) = typed.split_at(typed.rfind('/').map_or(0, |at| at + 1));
    let place = named(if dir.is_empty() { "./" } else { dir });
    let entries = fs::read_dir(place).into_iter().flatten().flatten();
    let mut found: Vec<String> = entries
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let is_meant = name.starts_with(begun);
            let is_hidden = name.starts_with('.') && begun.is_empty();
            let end = if entry.path().is_dir() { "/" } else { "" };
            (is_meant && !is_hidden).then(|| format!("{dir}{name}{end}"))
        })
        .collect();
    found.sort();
    found
}

/// Writes a game into a file that is not there yet, or with `force` over any
/// plain file; in one step, so that it is never half written.
pub(super) fn save(path: &Path, text: &str, force: bool) -> io::Result<()> {
    if let Some(why) = obstacle(path).filter(|_| force || path.is_dir()) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
    }
    file::write(path, text.as_bytes(), force)
}

/// The first game of a file.
pub(super) fn open(path: &Path) -> Result<PlayedGame, String> {
    let shown = quoted_path(path);
    let text = files::read_text(path, GAMES).map_err(|why| why.to_string())?;
    match read(&text, None).into_iter().next() {
        None => Err(format!("{shown} holds no game")),
        Some(Err(why)) => Err(format!("{shown}, {why}")),
        Some(Ok(game)) => Ok(game),
    }
}

/// The winner's end of a game that was read, where the rules did not end it.
pub(super) fn closed(game: &PlayedGame) -> Option<(Outcome, Close)> {
    game.result
        .filter(|_| game.close != Close::Rules)
        .map(|outcome| (outcome, game.close))
}

/// A file of its own in which the game in progress is kept.
#[derive(Debug, Default)]
pub(super) struct Keeper {
    dir: Option<PathBuf>,
    path: Option<PathBuf>,
}

/// How the files of kept games begin.
const KEPT: &str = "unfinished-";

impl Keeper {
    /// Keeps games in a directory, this one in a file that is there already.
    pub(super) fn new(dir: Option<PathBuf>, path: Option<PathBuf>) -> Self {
        Self { dir, path }
    }

    /// Writes the game as it stands.
    pub(super) fn keep(&mut self, text: &str) -> io::Result<()> {
        let Some(dir) = &self.dir else {
            return Ok(());
        };
        if self.path.is_none() {
            let named = |why| {
                let why = not_written(dir, &why);
                io::Error::other(format!("{}: {why}", quoted_path(dir)))
            };
            fs::create_dir_all(dir).map_err(named)?;
            self.path = Some(unused(dir).map_err(named)?);
        }
        match &self.path {
            Some(path) => save(path, text, true),
            None => Ok(()),
        }
    }

    /// Keeps nothing any more: what failed once would fail after each move.
    pub(super) fn give_up(&mut self) {
        *self = Self::default();
    }

    /// Where the game is kept, if it is.
    pub(super) fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Removes the file of a game that is over.
    pub(super) fn release(&mut self) {
        if let Some(path) = self.path.take() {
            // Then it is offered again, which does no harm.
            let _ = fs::remove_file(path);
        }
    }

    /// Leaves the file for another time: what follows is another game.
    pub(super) fn leave(&mut self) {
        self.path = None;
    }
}

/// Takes a name that no file has.
fn unused(dir: &Path) -> io::Result<PathBuf> {
    for number in 1.. {
        let path = dir.join(format!("{KEPT}{number}.pgn"));
        match File::create_new(&path) {
            Ok(_) => return Ok(path),
            Err(why) if why.kind() == io::ErrorKind::AlreadyExists => {}
            Err(why) => return Err(why),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// The games that are kept, the latest first, with their files; and why others
/// cannot be read, which are left alone.
pub(super) fn kept(dir: &Path) -> (Vec<(PathBuf, PlayedGame)>, Vec<String>) {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    let mut files: Vec<(SystemTime, PathBuf)> = entries
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(KEPT))
        .filter(|entry| entry.path().extension().is_some_and(|it| it == "pgn"))
        .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
        .collect();
    files.sort_by_key(|file| std::cmp::Reverse(file.0));
    let (mut found, mut spoilt) = (Vec::new(), Vec::new());
    for (_, path) in files {
        match open(&path) {
            Ok(game) => found.push((path, game)),
            Err(why) => spoilt.push(why),
        }
    }
    (found, spoilt)
}
