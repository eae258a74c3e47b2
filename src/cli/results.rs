//! Folders with the results of tasks: a list, and the streams of the proved tasks.
//!
//! A task is proved if its stream proves it. `verify` and `certify --merge` always check
//! that by the rules. Workers and `--split` trust the list for streams that have the
//! length and the SHA-256 in it. So a worker that continues reads each stream once and
//! does not play through any of them.

use std::fs::OpenOptions;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::files::{check_writable, make_folder, not_read, obstacle, unwritable};
use super::{Failure, say};
use crate::file;
use crate::game::{number_of, quoted_path};
use crate::search::solver::certificate::split::{
    PartOutcome, PartResult, Results, Task, TaskState,
};
use crate::search::solver::certificate::{DEFAULT_MAX_MB, Verified};

const EXPECTED: &str = "the folder with the results of tasks";
const LIST: &str = "results.txt";

pub(super) struct Folder<'a>(&'a Path);

/// What decides whether a stream proves its task.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Evidence {
    /// The rules, always.
    Rules,
    /// The list of results, for streams with the length and the SHA-256 in it; the rules
    /// for others.
    Results,
}

pub(super) struct Status {
    pub(super) state: TaskState,
    /// What is wrong with its stream, if it is bad or missing.
    pub(super) damage: Option<String>,
}

impl<'a> Folder<'a> {
    pub(super) fn there(path: &'a Path) -> Result<Self, Failure> {
        let why = match path.metadata() {
            Ok(data) if data.is_dir() => return Ok(Self(path)),
            Ok(data) => format!("it is {}", file::kind(data.file_type())),
            Err(_) => "there is no such folder".to_owned(),
        };
        let path = quoted_path(path);
        Err(Failure::Work(format!(
            "--results {path}: {why}; expected {EXPECTED}"
        )))
    }

    /// Returns a folder to write to, which is made if it does not exist.
    pub(super) fn made(path: &'a Path) -> Result<Self, Failure> {
        make_folder("--results", path, EXPECTED)?;
        Ok(Self(path))
    }

    fn list(&self) -> PathBuf {
        self.0.join(LIST)
    }

    fn path(&self, id: &str) -> PathBuf {
        self.0.join(format!("{id}.stream"))
    }

    /// Reads the results in the list. Skips bad lines, with a warning if `warns`.
    pub(super) fn results(&self, warns: bool) -> Result<Results, Failure> {
        let path = self.list();
        let mut results = Results::new();
        if let Ok(false) = path.try_exists() {
            return Ok(results);
        }
        let list = file::read(&path, file::LARGEST);
        let list = list.map_err(|why| not_read(&path, &why, "a list of results"))?;
        let list = String::from_utf8_lossy(&list);
        // The last line may be cut off by a kill, or it is still being written.
        let (lines, cut) = list.rsplit_once('\n').unwrap_or(("", &list));
        let mut bad = Vec::new();
        for (number, line) in (1..).zip(lines.split('\n').chain([cut])) {
            match line.parse::<PartResult>() {
                // This was too large only for the nodes of one top, so a better result is
                // kept.
                Ok(found) if found.outcome == PartOutcome::Large => {
                    results.entry(found.id).or_insert(found.outcome);
                }
                Ok(found) => {
                    results.insert(found.id, found.outcome);
                }
                Err(why) if !line.is_empty() && !std::ptr::eq(line, cut) => bad.push((number, why)),
                Err(_) => {}
            }
        }
        if let ([(line, why), ..], true) = (&bad[..], warns) {
            say(format_args!(
                "warning: {}: {} skipped, the first is line {line}: {why}",
                quoted_path(&path),
                number_of(bad.len(), "bad line")
            ));
        }
        Ok(results)
    }

    /// Reads the stream of a task, of at most `max_mb` MiB. The error says why it cannot
    /// be read; it is `None` if there is no stream.
    fn read_stream(&self, id: &str, max_mb: u64) -> Result<Vec<u8>, Option<String>> {
        file::read(&self.path(id), max_mb << 20).map_err(|why| match why.kind() {
            io::ErrorKind::NotFound => None,
            io::ErrorKind::FileTooLarge if max_mb < DEFAULT_MAX_MB => {
                Some(format!("{why} (see --max-size)"))
            }
            _ => Some(file::reason(&why)),
        })
    }

    /// Checks by the rules that a stream of at most `max_mb` MiB proves a task.
    ///
    /// # Errors
    /// Why the stream does not prove it, with its path; `None` if there is no stream.
    pub(super) fn verify(
        &self,
        task: &Task,
        rules: &str,
        max_mb: u64,
    ) -> Result<Verified, Option<String>> {
        let id = task.id();
        let verified = self.read_stream(&id, max_mb).and_then(|stream| {
            let verified = task.verify(rules, &stream);
            verified.map_err(|why| Some(format!("it does not prove task {id}: {why}")))
        });
        verified.map_err(|why| Some(self.named(&id, &why?)))
    }

    /// Returns the stream that proves a task.
    ///
    /// # Errors
    /// What is known about a task that is not proved.
    pub(super) fn judge(
        &self,
        task: &Task,
        rules: &str,
        results: &Results,
        evidence: Evidence,
    ) -> Result<Vec<u8>, Status> {
        let id = task.id();
        let result = results.get(&id);
        let stream = self.read_stream(&id, DEFAULT_MAX_MB);
        let is_listed = match (&stream, result) {
            (Ok(stream), Some(result)) => result.is_of(stream),
            _ => false,
        };
        let damage = match stream {
            Ok(stream) if is_listed && evidence == Evidence::Results => return Ok(stream),
            Ok(stream) => match task.verify(rules, &stream) {
                Ok(_) => return Ok(stream),
                Err(why) => Some(format!("it does not prove task {id}: {why}")),
            },
            Err(damage) => damage,
        };
        let damage = match (damage, result) {
            (None, Some(PartOutcome::Proved { .. })) => Some(format!(
                "there is no such file, but {LIST} says that it proves task {id}"
            )),
            // Otherwise workers would trust the list.
            (Some(why), _) if is_listed => Some(format!(
                "{why}; {LIST} has its length and SHA-256, so remove it to have the task \
                 proved again"
            )),
            (damage, _) => damage,
        };
        Err(Status {
            state: match result {
                Some(PartOutcome::Refuted) => TaskState::Refuted,
                Some(PartOutcome::Large) => TaskState::Large,
                Some(PartOutcome::Proved { .. }) | None => TaskState::Open,
            },
            damage: damage.map(|why| self.named(&id, &why)),
        })
    }

    fn named(&self, id: &str, why: &str) -> String {
        format!("{}: {why}", quoted_path(&self.path(id)))
    }

    /// Returns why no stream of this task could be kept, with its path, if that is so.
    pub(super) fn obstacle(&self, id: &str) -> Option<String> {
        obstacle(&self.path(id)).map(|why| self.named(id, &why))
    }

    pub(super) fn check(&self) -> Result<(), Failure> {
        check_writable(&self.list())
    }

    pub(super) fn keep(&self, found: &PartResult, stream: Option<&[u8]>) -> Result<(), Failure> {
        if let Some(stream) = stream {
            let path = self.path(&found.id);
            file::replace(&path, stream).map_err(|why| unwritable(&path, &why))?;
        }
        let list = self.list();
        append(&list, found).map_err(|why| unwritable(&list, &why))
    }
}

fn append(list: &Path, found: &PartResult) -> io::Result<()> {
    let mut list = OpenOptions::new()
        .read(true)
        .append(true)
        .create(true)
        .open(list)?;
    let mut last = [b'\n'];
    if list.metadata()?.len() > 0 {
        list.seek(SeekFrom::End(-1))?;
        list.read_exact(&mut last)?;
    }
    let is_cut = last != [b'\n'];
    // Each line is one write, so that lines of several workers do not mix.
    let line = format!("{}{found}\n", if is_cut { "\n" } else { "" });
    list.write_all(line.as_bytes())?;
    list.sync_all()
}
