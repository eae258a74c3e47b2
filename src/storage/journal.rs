//! The journal keeps every finished game, once, whatever happens to the machine.
//!
//! A journal is a file of JSON lines. The first line describes the match, or the games of
//! `datagen`; each other line is a game. A game is written in one piece after the last
//! complete line, and synced before it is reported. A crash therefore leaves at most one
//! incomplete line at the end, of a game that was never reported as finished: the line is
//! dropped and the game is played again.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::Serialize;
use thiserror::Error;

use super::growing::GrowingFile;
use super::{Existing, check_name, folder_of};
use totemic_engine::file;
use totemic_engine::text::quoted_path;
use totemic_games::record::GameRecord;
use totemic_games::record::reader::ReadError;
use totemic_games::record::reader::journal::{self as reader, FirstLine, VERSION};
pub use totemic_games::record::reader::{AnyHeading, Heading};

/// Why a journal cannot be used.
#[derive(Debug, Error)]
pub enum JournalError {
    /// The file system refused.
    #[error("journal {}: {}", quoted_path(path), file::reason(source))]
    #[expect(missing_docs, reason = "the names say what the fields are")]
    Io { path: PathBuf, source: io::Error },
    /// The journal cannot be used: the file, the line if one is to blame, and the reason.
    #[error("journal {0}")]
    Refused(String),
}

impl JournalError {
    fn refused(path: &Path, why: &str) -> Self {
        Self::Refused(format!("{} {why}", quoted_path(path)))
    }

    /// A line is wrong, or is of something else.
    pub(crate) fn corrupt(path: &Path) -> impl Fn(ReadError) -> Self {
        |error| Self::Refused(format!("{}, {error}", quoted_path(path)))
    }
}

/// Checks each game of a journal, with its index; the error is that of the first wrong one.
pub(crate) fn check_games(
    games: &[GameRecord],
    check: impl Fn(usize, &GameRecord) -> Result<(), String> + Sync,
) -> Result<(), ReadError> {
    let games = games.par_iter().enumerate();
    // The heading is line 1, and lines count from 1.
    let wrong = games.find_map_first(|(at, game)| Some((at + 2, check(at, game).err()?)));
    wrong.map_or(Ok(()), |(line, why)| Err(ReadError::text(line, why)))
}

/// What a journal contains.
#[derive(Clone, PartialEq, Debug)]
pub struct Contents<H> {
    /// The first line.
    pub heading: H,
    /// The games in the order in which they ended; the first is on line 2.
    pub games: Vec<GameRecord>,
    /// Number of bytes of a last line that is cut off; 0 if there is none.
    pub cut_off_bytes: usize,
}

/// Reads a journal without changing it. Returns `None` if it does not even contain a
/// complete first line.
///
/// # Errors
/// When the journal cannot be read, or a complete line is wrong.
pub fn read<H: Heading>(path: &Path) -> Result<Option<Contents<H>>, JournalError> {
    let bytes = file::read(path, file::MAX_BYTES).map_err(read_error(path))?;
    parse(&bytes).map_err(JournalError::corrupt(path))
}

/// Checks by its first line alone that a file is a journal or the beginning of one.
/// Another process may be writing the file, and one damaged game is no reason to refuse
/// the others.
pub(crate) fn check<H: Heading>(path: &Path) -> Result<(), JournalError> {
    let first = file::open(path).and_then(|file| first_line(&file));
    let journal = reader::read::<H>(&first.map_err(io_error(path))?);
    journal.map(|_| ()).map_err(JournalError::corrupt(path))
}

/// Reads the first line, or the beginning of one that is too long.
pub(crate) fn first_line(file: &File) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    let start = file.take(file::MAX_LINE as u64 + 1);
    BufReader::new(start).read_until(b'\n', &mut line)?;
    Ok(line)
}

/// The error of a journal that is too large to be read.
fn too_large(path: &Path) -> JournalError {
    let why = "is full, because at most 1 GiB is read again: go on in another one with another \
               --seed, or begin in parts (--shard), each with its own journal. A larger one can \
               be split: each part begins with its first line";
    JournalError::refused(path, why)
}

fn read_error(path: &Path) -> impl Fn(io::Error) -> JournalError {
    |why| match why.kind() {
        io::ErrorKind::FileTooLarge => too_large(path),
        _ => io_error(path)(why),
    }
}

fn io_error(path: &Path) -> impl Fn(io::Error) -> JournalError {
    |source| JournalError::Io {
        path: path.to_owned(),
        source,
    }
}

fn parse<H: Heading>(bytes: &[u8]) -> Result<Option<Contents<H>>, ReadError> {
    let Some(journal) = reader::read::<H>(bytes)? else {
        return Ok(None);
    };
    Ok(Some(Contents {
        heading: journal.heading,
        games: journal.games.into_iter().collect::<Result<_, _>>()?,
        cut_off_bytes: journal.cut_off_bytes,
    }))
}

/// Opens or creates a file that no other process has open.
fn open_alone(path: &Path) -> Result<File, JournalError> {
    let failed = io_error(path);
    check_name(path).map_err(&failed)?;
    file::check_regular(path).map_err(&failed)?;
    let mut options = OpenOptions::new();
    let options = options.read(true).write(true).create(true).truncate(false);
    let file = options.open(path).map_err(&failed)?;
    // The lock ends with the process.
    file.try_lock().map_err(|why| match why {
        TryLockError::WouldBlock => JournalError::refused(path, "is in use by another process"),
        TryLockError::Error(why) => failed(why),
    })?;
    Ok(file)
}

/// A journal that is open for writing; no other process can have it open.
#[derive(Debug)]
pub struct Journal(GrowingFile);

impl Journal {
    /// Opens or creates a journal. If it is continued and `accept` agrees, its contents are
    /// returned and an incomplete end is cut off. If it is replaced, or contains no game yet, it
    /// begins anew. A refused journal is not changed.
    pub(crate) fn open<H: Heading + Serialize>(
        path: &Path,
        heading: &H,
        existing: Existing,
        accept: impl FnOnce(&Contents<H>) -> Result<(), ReadError>,
    ) -> Result<(Self, Option<Contents<H>>), JournalError> {
        let failed = io_error(path);
        let file = open_alone(path)?;
        let bytes = match existing {
            Existing::Replace => Vec::new(),
            _ => file::read_from(&file, file::MAX_BYTES).map_err(read_error(path))?,
        };
        let contents = parse(&bytes).map_err(JournalError::corrupt(path));
        // A journal without games may be replaced, but not if it contains part of another
        // line.
        let is_unused = matches!(
            &contents,
            Ok(Some(own)) if own.games.is_empty() && own.cut_off_bytes == 0
        );
        if existing == Existing::Refuse && !(bytes.is_empty() || is_unused) {
            let why = "exists already: add --resume to continue it, --force to start over, or \
                       choose another file";
            return Err(JournalError::refused(path, why));
        }
        let contents = contents?.filter(|_| !is_unused);
        let mut journal = Self(GrowingFile {
            path: path.to_owned(),
            file,
            is_synced: true,
        });
        match &contents {
            Some(contents) => {
                accept(contents).map_err(JournalError::corrupt(path))?;
                let complete = &bytes[..bytes.len() - contents.cut_off_bytes];
                journal.0.truncate(complete.len() as u64).map_err(&failed)?;
                if !complete.ends_with(b"\n") {
                    journal.write(b"\n")?;
                }
            }
            None => {
                journal.0.truncate(0).map_err(&failed)?;
                journal.append(&[FirstLine {
                    totemic_match: VERSION,
                    heading,
                }])?;
                // Makes the name of a new file durable, if directories can be synced.
                let directory = folder_of(path);
                let _ = File::open(directory).and_then(|directory| directory.sync_all());
            }
        }
        Ok((journal, contents))
    }

    /// Appends lines, such as finished games, and returns once all of them are on the
    /// disk.
    pub(crate) fn append(&mut self, values: &[impl Serialize]) -> Result<(), JournalError> {
        let mut lines = Vec::new();
        for value in values {
            lines.extend(serde_json::to_vec(value).unwrap_or_default());
            lines.push(b'\n');
        }
        self.write(&lines)
    }

    fn write(&mut self, lines: &[u8]) -> Result<(), JournalError> {
        let GrowingFile { path, file, .. } = &self.0;
        let length = file.metadata().map_err(io_error(path))?.len();
        if length + lines.len() as u64 > file::MAX_BYTES {
            return Err(too_large(path));
        }
        let written = self.0.append(lines);
        written.map_err(io_error(&self.0.path))
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use serde_json::json;

    use super::Existing::{Refuse, Resume};
    use super::*;

    /// A game of a match, as a journal has it.
    pub(crate) fn game(pair: u64, leg: u8) -> GameRecord {
        let engines = [leg, 1 - leg];
        serde_json::from_value(json!({
            "pair": pair, "leg": leg, "stage": 0, "engines": engines, "seed": 17,
            "opening": {"fen": "3/5/7/3*3/7/5/3 w", "moves": ["c5b6y"]},
            "moves": [{"m": "c6c5o", "t": 1.25}],
            "result": "p1win", "reason": "rules", "points": [3, 1],
            "begun": 1, "total_ms": 2.0, "overhead_ms": 0.5,
        }))
        .expect("a game")
    }

    fn heading(names: [&str; 2]) -> AnyHeading {
        let engines = names.map(|name| json!({"name": name}));
        let heading = json!({"settings": {"game": "yoxii", "engines": engines}});
        serde_json::from_value(heading).expect("a heading")
    }

    fn open(
        path: &Path,
        heading: &AnyHeading,
        existing: Existing,
    ) -> Result<(Journal, Option<Contents<AnyHeading>>), JournalError> {
        Journal::open(path, heading, existing, |there| {
            match there.heading == *heading {
                true => Ok(()),
                false => Err(ReadError::text(1, "it is of another match")),
            }
        })
    }

    #[test]
    fn a_journal_is_known_by_its_first_line() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("journal");
        let heading = r#"{"totemic_match":1,"settings":{"game":"yoxii","engines":[{"name":"a"}]}}"#;
        let check = |text: &str| {
            std::fs::write(&path, text).expect("it is written");
            super::check::<AnyHeading>(&path).map_err(|why| why.to_string())
        };
        for text in ["", "{\"tot", heading, &format!("{heading}\nno game\n")] {
            assert_eq!(check(text), Ok(()), "{text}");
        }
        let newer = heading.replacen('1', "2", 1) + "\n";
        for text in ["x", "x\n", "\n", &newer, "{\"totemic_match\":1}\n"] {
            let why = check(text).expect_err("no journal");
            assert!(why.contains("line 1: "), "{text}: {why}");
        }
    }

    #[test]
    fn torn_at_any_byte_it_resumes_with_the_complete_games() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("j");
        let heading = heading(["a", "b"]);
        let open = |existing| open(&path, &heading, existing);
        {
            let (mut journal, contents) = open(Refuse).expect("new");
            assert_eq!(contents, None);
            for id in 0..3 {
                let game = game(id / 2, (id % 2) as u8);
                journal.append(&[game]).expect("written");
            }
        }
        let whole = std::fs::read(&path).expect("there");
        for length in 0..=whole.len() {
            std::fs::write(&path, &whole[..length]).expect("written");
            // A game counts from its last byte on, with or without the line end.
            let is_end = |at: &usize| whole[*at] == b'\n' && *at <= length;
            let lines = (0..whole.len()).filter(is_end).count();
            let (mut journal, contents) = open(Resume).expect("resumed");
            let games = contents.map_or(0, |contents| contents.games.len());
            assert_eq!(games, lines.saturating_sub(1), "cut at {length}");
            for id in games as u64..3 {
                let game = game(id / 2, (id % 2) as u8);
                journal.append(&[game]).expect("written");
            }
            drop(journal);
            let written = std::fs::read(&path).expect("there");
            assert!(written == whole, "cut at {length}");
        }
    }

    #[test]
    fn a_journal_grows_no_larger_than_what_is_read_again() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("j");
        let (mut journal, _) = open(&path, &heading(["a", "b"]), Refuse).expect("new");
        journal.0.truncate(file::MAX_BYTES - 100).expect("a disk");
        let why = journal.append(&[game(0, 0)]).expect_err("full").to_string();
        assert!(why.contains("go on in another one"), "{why}");
        let length = std::fs::metadata(&path).expect("there").len();
        assert_eq!(length, file::MAX_BYTES - 100);
    }

    #[test]
    fn misuse_is_refused() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("j");
        let ours = heading(["a", "b"]);
        let (mut journal, _) = open(&path, &ours, Refuse).expect("new");
        let message = |heading: &AnyHeading, existing| {
            let refused = open(&path, heading, existing).expect_err("refused");
            refused.to_string()
        };
        assert!(message(&ours, Resume).contains("in use"));
        journal.append(&[game(0, 0)]).expect("written");
        journal.append(&[game(0, 0)]).expect("written");
        drop(journal);
        assert!(message(&ours, Refuse).contains("--resume"));
        assert!(message(&ours, Resume).contains("line 3: game 1.1 occurs twice"));
        let text = std::fs::read_to_string(&path).expect("there");
        let first = text.lines().next().expect("a heading").to_owned() + "\n";
        let second = text.lines().nth(1).expect("a game").to_owned() + "\n";
        let other = heading(["a", "x"]);
        std::fs::write(&path, first.clone() + &second).expect("written");
        assert!(message(&other, Resume).contains("line 1: it is of another match"));
        // Without a game there is nothing to lose.
        for existing in [Refuse, Resume] {
            std::fs::write(&path, &first).expect("written");
            open(&path, &other, existing).expect("it begins anew");
            let begun = std::fs::read_to_string(&path).expect("there");
            assert_eq!((begun.lines().count(), begun.contains("\"x\"")), (1, true));
        }
        // Even part of a game is something to lose.
        let cut_off = first.clone() + &second[..9];
        std::fs::write(&path, &cut_off).expect("written");
        assert!(message(&other, Refuse).contains("--force"));
        assert!(message(&other, Resume).contains("line 1: it is of another match"));
        assert_eq!(std::fs::read_to_string(&path).expect("there"), cut_off);
        std::fs::write(&path, first + "rubbish\n").expect("written");
        assert!(message(&ours, Resume).contains("line 2"));
        std::fs::write(&path, "my diary").expect("written");
        assert!(message(&ours, Resume).contains("line 1"));
        assert_eq!(std::fs::read_to_string(&path).expect("there"), "my diary");
    }
}
