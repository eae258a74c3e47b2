//! Saved games, and the unfinished games that are kept.
//!
//! Both are PGN, with the clocks after each move as `[%clk ...]`, and with the tags
//! `PlaySide` and `PlayLevel`.

use std::cmp::Reverse;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use etcetera::BaseStrategy;

use crate::cli::files::{self, expand_tilde, obstacle, write_error_text};
use crate::storage;
use totemic_engine::text::quoted_path;
use totemic_games::record::PgnGame;
use totemic_games::record::reader::read;
use totemic_games::record::writer::utc;

const STATE_DIR: &str = "TOTEMIC_STATE_DIR";
const PREFIX: &str = "unfinished-";

/// Returns the folder for unfinished games and the history of lines.
pub(super) fn state_dir() -> Option<PathBuf> {
    if let Some(dir) = std::env::var_os(STATE_DIR).filter(|dir| !dir.is_empty()) {
        return Some(dir.into());
    }
    let strategy = etcetera::choose_base_strategy().ok()?;
    let dir = strategy.state_dir().unwrap_or_else(|| strategy.data_dir());
    Some(dir.join("totemic"))
}

pub(super) fn today() -> String {
    utc(UNIX_EPOCH.elapsed().map_or(0, |time| time.as_secs())).0
}

/// Returns the file that words name, without quotes, and with `~/` as the home directory.
pub(super) fn named(words: &[String]) -> PathBuf {
    let name = words.join(" ");
    let inner = |quote: char| name.strip_prefix(quote)?.strip_suffix(quote);
    expand_tilde(inner('"').or_else(|| inner('\'')).unwrap_or(&name))
}

/// Writes a game to a new file or, with `force`, over an existing plain file.
pub(super) fn save(path: &Path, text: &str, force: bool) -> io::Result<()> {
    if let Some(why) = obstacle(path).filter(|_| force || path.is_dir()) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
    }
    storage::write(path, text.as_bytes(), force)
}

pub(super) fn open(path: &Path) -> Result<PgnGame, String> {
    let shown = quoted_path(path);
    let text = files::read_text(path, "a file of games").map_err(|why| why.to_string())?;
    let first = read(&text, None).into_iter().next();
    let first = first.ok_or_else(|| format!("{shown} has no game"))?;
    first.map_err(|why| format!("{shown}, {why}"))
}

/// Keeps the game in progress in a separate file.
#[derive(Debug, Default)]
pub(super) struct Keeper {
    /// The directory to keep it in; `None` keeps nothing.
    pub(super) dir: Option<PathBuf>,
    pub(super) path: Option<PathBuf>,
}

impl Keeper {
    pub(super) fn keep(&mut self, text: &str) -> io::Result<()> {
        match (&self.dir, &self.path) {
            (_, Some(path)) => save(path, text, true),
            (Some(dir), None) => {
                let failed = |why: io::Error| {
                    let why = write_error_text(dir, &why);
                    io::Error::other(format!("{}: {why}", quoted_path(dir)))
                };
                fs::create_dir_all(dir).map_err(failed)?;
                let mut paths = (1..).map(|number: u64| dir.join(format!("{PREFIX}{number}.pgn")));
                let saved = paths.find_map(|path| match save(&path, text, false) {
                    Err(why) if why.kind() == io::ErrorKind::AlreadyExists => None,
                    saved => Some(saved.map(|()| path)),
                });
                self.path = saved.transpose().map_err(failed)?;
                Ok(())
            }
            (None, None) => Ok(()),
        }
    }

    pub(super) fn release(&mut self) {
        if let Some(path) = self.path.take() {
            // If this fails, the game is offered again, which does no harm.
            let _ = fs::remove_file(path);
        }
    }
}

/// The latest game first, and errors. Removes what killed processes have left.
pub(super) fn unfinished(dir: &Path) -> (Vec<(PathBuf, PgnGame)>, Vec<String>) {
    storage::remove_abandoned(dir, PREFIX.as_ref());
    let kept = |entry: fs::DirEntry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let time = entry.metadata().ok()?.modified().ok()?;
        let is_kept = name.starts_with(PREFIX) && name.ends_with(".pgn");
        is_kept.then(|| (time, entry.path()))
    };
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    let mut files: Vec<_> = entries.filter_map(kept).collect();
    files.sort_by_key(|(time, _)| Reverse(*time));
    let (mut games, mut spoilt) = (Vec::new(), Vec::new());
    for (_, path) in files {
        match open(&path) {
            Ok(game) => games.push((path, game)),
            Err(why) => spoilt.push(why),
        }
    }
    (games, spoilt)
}
