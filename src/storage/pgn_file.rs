//! A file of games that grows while a match is played.

use std::fs::{File, TryLockError};
use std::io::{self, Read};
use std::path::Path;

use super::growing::{GrowingFile, is_at};
use super::{Existing, replace_and_hold};
use totemic_engine::file;

/// How every game begins.
const FIRST_TAG: &str = "[Event \"";

/// Whether a path is a device such as `/dev/null`, which can be neither read nor replaced.
#[cfg(unix)]
fn is_device(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    (path.metadata()).is_ok_and(|data| data.file_type().is_char_device())
}

#[cfg(not(unix))]
fn is_device(_path: &Path) -> bool {
    false
}

/// Returns the games before our own in a file that both are in, with an empty line after
/// them; what a killed program left of our own is dropped.
fn games_of_others(file: Vec<u8>, own: &[String]) -> io::Result<String> {
    let invalid = |why: &str| io::Error::new(io::ErrorKind::InvalidData, why.to_owned());
    let mut file = String::from_utf8(file).map_err(|_| invalid("it is not UTF-8 text"))?;
    let first = own.first().map_or("", String::as_str);
    // The first two lines, the tags Event and Site, may have been others then.
    let rest = first.splitn(3, '\n').last().unwrap_or_default();
    let own_place = file.find(rest).filter(|_| !rest.is_empty());
    if let Some(begin) = own_place.and_then(|at| file[..at].rfind(FIRST_TAG)) {
        if !own.concat().starts_with(&file[begin..]) {
            return Err(invalid(
                "somebody else added games after those of this match, or --event or --site changed",
            ));
        }
        file.truncate(begin);
    } else {
        let left = |bytes| file.strip_suffix(first.get(..bytes)?);
        let whole = (1..first.len()).rev().find_map(left);
        file.truncate(whole.unwrap_or(&file).len());
    }
    while !file.is_empty() && !file.ends_with("\n\n") {
        file.push('\n');
    }
    Ok(file)
}

/// What to do with an existing file of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ExistingPgn {
    /// Keep the games of others, and write after them. A journal is never shared like that.
    Append,
    /// The file is for this match alone.
    Own(Existing),
}

/// A file of games.
#[derive(Debug)]
pub struct PgnFile(GrowingFile);

impl PgnFile {
    /// Creates the file with `games`, those of the journal, in one step, so that no game
    /// is in it twice or half. What is kept of an existing file must be games. As long as it
    /// is open, no other match can open it: a file that is replaced would take the games with
    /// it that somebody else still writes.
    pub(crate) fn open(path: &Path, existing: ExistingPgn, games: Vec<String>) -> io::Result<Self> {
        Self::check(path, existing)?;
        let append = existing == ExistingPgn::Append;
        if append && !path.exists() {
            // So that there is something to lock for all who begin at once.
            let _ = File::create_new(path);
        }
        // Locked until it is replaced.
        let mut old = match file::open(path) {
            Err(why) if append && path.is_file() => return Err(why),
            old => old.ok(),
        };
        let mut before = Vec::new();
        if let Some(old) = &mut old {
            let is_locked = matches!(old.try_lock(), Err(TryLockError::WouldBlock));
            if is_locked || append && path.is_file() && !is_at(old, path) {
                let why =
                    "another match writes to it: wait until that has ended, or choose another file";
                return Err(io::Error::new(io::ErrorKind::ResourceBusy, why));
            }
            if append || existing == ExistingPgn::Own(Existing::Resume) {
                old.read_to_end(&mut before)?;
            }
        }
        let own = games.concat();
        let all = match append {
            true => games_of_others(before, &games)? + &own,
            false if own.as_bytes().starts_with(&before) => own,
            false => {
                let why = "it has games that the journal has not, or --event or --site changed: \
                           choose another file, or add --append if the games of others come first";
                return Err(io::Error::new(io::ErrorKind::AlreadyExists, why));
            }
        };
        // Windows replaces no file that is open.
        #[cfg(windows)]
        drop(old);
        let file = replace_and_hold(path, all.as_bytes())?;
        Ok(Self(GrowingFile {
            path: path.to_owned(),
            file,
            is_synced: false,
        }))
    }

    /// Checks whether [`PgnFile::open`] would accept the file, without changing the file.
    pub(crate) fn check(path: &Path, existing: ExistingPgn) -> io::Result<()> {
        if is_device(path) {
            return Ok(());
        }
        file::check_regular(path)?;
        if existing == ExistingPgn::Own(Existing::Replace) {
            return Ok(());
        }
        let mut start = Vec::new();
        match File::open(path) {
            Ok(file) => file.take(FIRST_TAG.len() as u64).read_to_end(&mut start)?,
            Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(why) => return Err(why),
        };
        let why = if start.is_empty() {
            return Ok(());
        } else if start != FIRST_TAG.as_bytes() {
            "it holds something other than games: choose another file"
        } else if existing == ExistingPgn::Own(Existing::Refuse) {
            "it exists already: add --append, --resume or --force, or choose another file"
        } else {
            return Ok(());
        };
        Err(io::Error::new(io::ErrorKind::AlreadyExists, why))
    }

    /// Adds a game, whole or not at all; the error names the file.
    pub(crate) fn append(&mut self, game: &str) -> Result<(), String> {
        let added = self.0.append(game.as_bytes());
        added.map_err(|why| format!("games file {}: {why}", self.0.path.display()))
    }
}
