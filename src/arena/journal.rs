//! The journal: every finished game, once, whatever happens to the machine.
//!
//! A file of JSON lines. The first line tells which match it is, each other
//! line is a game. A line is written in one piece behind the last complete
//! one and synced before anything else learns of the game. What a sudden
//! death leaves is therefore at most one torn line at the end, and that game
//! was never reported as finished: it is cut off and played again.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::record::{GameId, GameRecord};
use super::settings::{MatchSettings, Shard};

/// Version of the format, in the first line.
const VERSION: u32 = 1;

/// The first line.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// Version of the format.
    pub totemic_match: u32,
    /// The match.
    pub settings: MatchSettings,
    /// The part of it that is played here.
    pub shard: Shard,
}

/// Why a journal cannot be used.
#[derive(Debug, Error)]
pub enum JournalError {
    /// The file system said no.
    #[error("journal {path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What it said.
        source: io::Error,
    },
    /// A match would be mixed into an earlier one.
    #[error("journal {0} exists already: add --resume to continue it, or choose another file")]
    Exists(PathBuf),
    /// Another process is at it.
    #[error("journal {0} is in use by another process")]
    Locked(PathBuf),
    /// A complete line that is no game, or a game twice.
    #[error("journal {path}, line {line}: {why}")]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// Number of the line, from 1.
        line: usize,
        /// What is wrong.
        why: String,
    },
    /// It belongs to other settings.
    #[error("journal {path} is of another match: {difference}")]
    OtherMatch {
        /// The file.
        path: PathBuf,
        /// What differs.
        difference: String,
    },
}

/// What a journal holds.
#[derive(Clone, PartialEq, Debug)]
pub struct Contents {
    /// The match.
    pub header: Header,
    /// Its games by their place in the schedule.
    pub games: BTreeMap<GameId, GameRecord>,
    /// Bytes of a torn last line, 0 if there is none.
    pub torn: u64,
    /// Bytes up to and including the last complete line.
    complete: u64,
}

/// Reads a journal without changing it. `None` when there is nothing in it
/// yet, not even a complete first line.
///
/// # Errors
/// When it cannot be read or a complete line of it makes no sense.
pub fn read(path: &Path) -> Result<Option<Contents>, JournalError> {
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|mut file| file.read_to_end(&mut bytes))
        .map_err(|source| io_error(path, source))?;
    parse(path, &bytes)
}

fn io_error(path: &Path, source: io::Error) -> JournalError {
    JournalError::Io {
        path: path.to_owned(),
        source,
    }
}

fn parse(path: &Path, bytes: &[u8]) -> Result<Option<Contents>, JournalError> {
    let complete = bytes
        .iter()
        .rposition(|&b| b == b'\n')
        .map_or(0, |at| at + 1);
    let corrupt = |line: usize, why: String| JournalError::Corrupt {
        path: path.to_owned(),
        line,
        why,
    };
    let mut lines = bytes[..complete]
        .split_inclusive(|&b| b == b'\n')
        .enumerate();
    let Some((_, first)) = lines.next() else {
        return Ok(None);
    };
    let header: Header = serde_json::from_slice(first).map_err(|why| {
        // What is wrong in it is of interest only if it is one.
        let detail = if is_torn_header(first) {
            format!(": {why}")
        } else {
            String::new()
        };
        corrupt(1, format!("not the first line of a journal{detail}"))
    })?;
    if header.totemic_match != VERSION {
        let found = header.totemic_match;
        return Err(corrupt(1, format!("format {found}, expected {VERSION}")));
    }
    let engines = header.settings.engines.len();
    let mut games = BTreeMap::new();
    for (index, line) in lines {
        let game: GameRecord = serde_json::from_slice(line)
            .map_err(|why| corrupt(index + 1, format!("not a game: {why}")))?;
        let id = game.id;
        if id.leg > 1 || game.engines.iter().any(|&engine| engine >= engines) {
            return Err(corrupt(
                index + 1,
                format!("game {id} is not of this match"),
            ));
        }
        if games.insert(id, game).is_some() {
            return Err(corrupt(index + 1, format!("game {id} is there twice")));
        }
    }
    Ok(Some(Contents {
        header,
        games,
        torn: (bytes.len() - complete) as u64,
        complete: complete as u64,
    }))
}

/// A journal that is being written; no other process can have it open.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: Locked,
}

#[cfg(unix)]
type Locked = nix::fcntl::Flock<File>;
#[cfg(not(unix))]
type Locked = File;

/// Takes the file for this process alone; the lock dies with the process.
#[cfg(unix)]
fn lock(path: &Path, file: File) -> Result<Locked, JournalError> {
    use nix::errno::Errno;
    use nix::fcntl::{Flock, FlockArg};
    Flock::lock(file, FlockArg::LockExclusiveNonblock).map_err(|(_, errno)| match errno {
        Errno::EWOULDBLOCK => JournalError::Locked(path.to_owned()),
        errno => io_error(path, errno.into()),
    })
}

#[cfg(not(unix))]
fn lock(_: &Path, file: File) -> Result<Locked, JournalError> {
    Ok(file)
}

impl Journal {
    /// Opens or creates the journal of a match. With `resume`, what it holds
    /// is returned and a torn end is cut off; without, it must be empty.
    ///
    /// # Errors
    /// See [`JournalError`].
    pub fn open(
        path: &Path,
        settings: &MatchSettings,
        shard: Shard,
        resume: bool,
    ) -> Result<(Self, Option<Contents>), JournalError> {
        let failed = |source| io_error(path, source);
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(failed)?;
        if !file.metadata().map_err(failed)?.is_file() {
            return Err(failed(io::Error::other("it is not a file")));
        }
        let mut file = lock(path, file)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed)?;
        if !resume && !bytes.is_empty() {
            return Err(JournalError::Exists(path.to_owned()));
        }
        let contents = parse(path, &bytes)?;
        let mut journal = Self {
            path: path.to_owned(),
            file,
        };
        match &contents {
            Some(contents) => {
                journal.check_header(&contents.header, settings, shard)?;
                journal.cut(contents.complete)?;
            }
            None => {
                // A torn first line must look like one of ours: a file that
                // is something else altogether is not overwritten.
                if !bytes.is_empty() && !is_torn_header(&bytes) {
                    return Err(JournalError::Corrupt {
                        path: path.to_owned(),
                        line: 1,
                        why: "not the first line of a journal".to_owned(),
                    });
                }
                journal.cut(0)?;
                journal.write_line(&Header {
                    totemic_match: VERSION,
                    settings: settings.clone(),
                    shard,
                })?;
                journal.sync_directory();
            }
        }
        Ok((journal, contents))
    }

    fn check_header(
        &self,
        header: &Header,
        settings: &MatchSettings,
        shard: Shard,
    ) -> Result<(), JournalError> {
        let other = |difference| JournalError::OtherMatch {
            path: self.path.clone(),
            difference,
        };
        header.settings.same_match(settings).map_err(other)?;
        if header.shard != shard {
            return Err(other(format!(
                "shard is {} in the journal, but {shard} here",
                header.shard
            )));
        }
        Ok(())
    }

    /// Appends a finished game and returns when it is on the disk.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn append(&mut self, game: &GameRecord) -> Result<(), JournalError> {
        self.write_line(game)
    }

    fn write_line(&mut self, value: &impl Serialize) -> Result<(), JournalError> {
        let mut line = serde_json::to_vec(value).unwrap_or_default();
        line.push(b'\n');
        let begin = self.file.stream_position();
        let written = self
            .file
            .write_all(&line)
            .and_then(|()| self.file.sync_data());
        written.map_err(|source| {
            // A full disk leaves part of a line: take it back if possible.
            if let Ok(begin) = begin {
                let _ = self.cut(begin);
            }
            io_error(&self.path, source)
        })
    }

    /// Drops everything from a byte on and goes on writing there.
    fn cut(&mut self, length: u64) -> Result<(), JournalError> {
        self.file
            .set_len(length)
            .and_then(|()| self.file.seek(SeekFrom::Start(length)))
            .map(|_| ())
            .map_err(|source| io_error(&self.path, source))
    }

    /// Makes the name of a new file durable, where directories can be synced.
    fn sync_directory(&self) {
        let directory = match self.path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let _ = File::open(directory).and_then(|directory| directory.sync_all());
    }
}

/// Whether bytes without a line end can be the beginning of our first line.
fn is_torn_header(bytes: &[u8]) -> bool {
    let begin = b"{\"totemic_match\":";
    let common = begin.len().min(bytes.len());
    bytes[..common] == begin[..common]
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::arena::openings::Opening;
    use crate::arena::record::{GameResult, MoveRecord, Reason, SearchInfo};
    use crate::arena::settings::tests::settings;

    pub(crate) fn game(pair: u64, leg: u8) -> GameRecord {
        GameRecord {
            id: GameId { pair, leg },
            stage: 0,
            engines: if leg == 0 { [0, 1] } else { [1, 0] },
            opening: Opening {
                fen: "3/5/7/3*3/7/5/3 w".to_owned(),
                moves: vec!["c5b6y".to_owned()],
            },
            seed: 17,
            moves: vec![MoveRecord {
                mv: "c6c5o".to_owned(),
                elapsed_ms: 1.25,
                info: SearchInfo::default(),
            }],
            result: GameResult::P1Win,
            reason: Reason::Rules,
            detail: String::new(),
            points: Some([3, 1]),
            accuracy: None,
            begun: 1,
            total_ms: 2.0,
            overhead_ms: 0.5,
        }
    }

    #[test]
    fn torn_at_any_byte_it_resumes_with_the_complete_games() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("j");
        let settings = settings(&["a", "b"]);
        let open = |resume| Journal::open(&path, &settings, Shard::WHOLE, resume);
        {
            let (mut journal, contents) = open(false).expect("new");
            assert_eq!(contents, None);
            for id in 0..3 {
                journal
                    .append(&game(id / 2, (id % 2) as u8))
                    .expect("written");
            }
        }
        let whole = std::fs::read(&path).expect("there");
        for length in 0..=whole.len() {
            std::fs::write(&path, &whole[..length]).expect("written");
            let lines = whole[..length].iter().filter(|&&b| b == b'\n').count();
            let (mut journal, contents) = open(true).expect("resumed");
            let games = contents.map_or(0, |contents| contents.games.len());
            assert_eq!(games, lines.saturating_sub(1), "cut at {length}");
            for id in games as u64..3 {
                journal
                    .append(&game(id / 2, (id % 2) as u8))
                    .expect("written");
            }
            drop(journal);
            assert!(
                std::fs::read(&path).expect("there") == whole,
                "cut at {length}"
            );
        }
    }

    #[test]
    fn misuse_is_refused() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("j");
        let ours = settings(&["a", "b"]);
        let (mut journal, _) = Journal::open(&path, &ours, Shard::WHOLE, false).expect("new");
        let message = |settings: &MatchSettings, shard, resume| {
            Journal::open(&path, settings, shard, resume)
                .expect_err("refused")
                .to_string()
        };
        assert!(message(&ours, Shard::WHOLE, true).contains("in use"));
        journal.append(&game(0, 0)).expect("written");
        journal.append(&game(0, 0)).expect("written");
        drop(journal);
        assert!(message(&ours, Shard::WHOLE, false).contains("--resume"));
        assert!(message(&ours, Shard::WHOLE, true).contains("line 3: game 1.1 is there twice"));
        let text = std::fs::read_to_string(&path).expect("there");
        let first = text.lines().next().expect("a header").to_owned() + "\n";
        std::fs::write(&path, &first).expect("written");
        let mut other = ours.clone();
        other.engines[0].cmd = "x".to_owned();
        assert!(message(&other, Shard::WHOLE, true).contains("engines[0].cmd"));
        let part = Shard { index: 1, count: 2 };
        assert!(message(&ours, part, true).contains("shard is 1/1"));
        std::fs::write(&path, first + "rubbish\n").expect("written");
        assert!(message(&ours, Shard::WHOLE, true).contains("line 2"));
        std::fs::write(&path, "my diary").expect("written");
        assert!(message(&ours, Shard::WHOLE, true).contains("line 1"));
        assert_eq!(std::fs::read_to_string(&path).expect("there"), "my diary");
    }
}
