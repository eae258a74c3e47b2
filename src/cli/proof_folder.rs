//! Folders with the results of tasks: a list, and the streams of the proved tasks.
//!
//! A task is proved if its stream proves it. `verify` and `certify --merge` always check
//! that by the rules. Workers and `--split` trust the list for streams that have the
//! length and the SHA-256 in it. So a worker that continues reads each stream once and
//! does not play through any of them.

use std::collections::HashMap;
use std::fs::OpenOptions;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::files::{check_writable, io_read_error, make_folder, obstacle, write_error};
use super::{CliResult, Failure};
use crate::storage::replace;
use totemic_engine::file;
use totemic_engine::search::certificates::parts::{Task, TaskResult, TaskState, seal};
use totemic_engine::search::certificates::{DEFAULT_MAX_MB, Verified};
use totemic_engine::text::{number_of, quoted_path};

const EXPECTED: &str = "the folder with the results of tasks";
const LIST: &str = "results.txt";

pub(super) struct Folder<'a> {
    path: &'a Path,
    /// Streams of more MiB are not read. `verify` sets it.
    pub(super) max_mb: u64,
    results: HashMap<String, TaskResult>,
}

/// What decides whether a stream proves its task.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Evidence {
    Rules,
    /// The list for streams with the length and SHA-256 in it, the rules for others.
    Results,
}

/// What is known about a task.
pub(super) struct TaskStatus {
    /// `Proved` only if the stream proves it; `None` if it is neither proved nor given up.
    pub(super) state: Option<TaskState>,
    pub(super) stream: Vec<u8>,
    /// What it took to check the stream by the rules.
    pub(super) verified: Verified,
    /// What is wrong with the stream, if it is bad or missing.
    pub(super) damage: Option<String>,
}

impl<'a> Folder<'a> {
    pub(super) fn open(path: &'a Path) -> Result<Self, Failure> {
        let why = match path.metadata() {
            Ok(data) if data.is_dir() => {
                return Ok(Self {
                    path,
                    max_mb: DEFAULT_MAX_MB,
                    results: HashMap::new(),
                });
            }
            Ok(data) => format!("it is {}", file::kind_in_words(data.file_type())),
            Err(_) => "there is no such folder".to_owned(),
        };
        let path = quoted_path(path);
        Err(failure!("--results {path}: {why}; expected {EXPECTED}"))
    }

    pub(super) fn create(path: &'a Path) -> Result<Self, Failure> {
        make_folder("--results", path, EXPECTED)?;
        Self::open(path)
    }

    fn list(&self) -> PathBuf {
        self.path.join(LIST)
    }

    fn stream(&self, id: &str) -> PathBuf {
        self.path.join(format!("{id}.stream"))
    }

    /// Reads the list of results. Skips bad lines, with a warning if `warns`.
    pub(super) fn read_list(&mut self, warns: bool) -> CliResult {
        let path = self.list();
        if let Ok(false) = path.try_exists() {
            return Ok(());
        }
        let list = file::read(&path, file::MAX_BYTES);
        let list = list.map_err(|why| io_read_error(&path, &why, "a list of results"))?;
        let list = String::from_utf8_lossy(&list);
        // The last line may be cut off by a kill, or it is still being written.
        let (lines, cut) = list.rsplit_once('\n').unwrap_or(("", &list));
        let mut bad = Vec::new();
        for (number, line) in (1..).zip(lines.split('\n').chain([cut])) {
            match line.parse::<TaskResult>() {
                // This was too large only for the nodes of one top, so a better result is
                // kept.
                Ok(result) if result.state == TaskState::Large => {
                    self.results.entry(result.id.clone()).or_insert(result);
                }
                Ok(result) => drop(self.results.insert(result.id.clone(), result)),
                Err(why) if !line.is_empty() && !std::ptr::eq(line, cut) => bad.push((number, why)),
                Err(_) => {}
            }
        }
        if let ([(line, why), ..], true) = (&bad[..], warns) {
            say!(
                "warning: {}: {} skipped, the first is line {line}: {why}",
                quoted_path(&path),
                number_of(bad.len(), "bad line")
            );
        }
        Ok(())
    }

    pub(super) fn says_proved(&self, id: &str) -> bool {
        let result = self.results.get(id);
        result.is_some_and(|result| result.state == TaskState::Proved)
    }

    /// Returns what is known about a task under the rules with this identity. Until
    /// [`Self::read_list`] was called, only the streams count.
    pub(super) fn status_of(&self, task: &Task, rules: &str, evidence: Evidence) -> TaskStatus {
        let id = task.id();
        let result = self.results.get(&id);
        let listed = result.map(|result| result.state);
        let unproved = |damage: Option<String>| TaskStatus {
            state: listed.filter(|&it| it != TaskState::Proved),
            stream: Vec::new(),
            verified: Verified::default(),
            damage: damage.map(|why| self.named(&id, &why)),
        };
        let stream = match file::read(&self.stream(&id), self.max_mb << 20) {
            Ok(stream) => stream,
            Err(why) => {
                return unproved(match why.kind() {
                    io::ErrorKind::NotFound => self.says_proved(&id).then(|| {
                        format!("there is no such file, but {LIST} says that it proves task {id}")
                    }),
                    io::ErrorKind::FileTooLarge if self.max_mb < DEFAULT_MAX_MB => {
                        Some(format!("{why} (see --max-size)"))
                    }
                    _ => Some(file::reason(&why)),
                });
            }
        };
        let is_listed = result.is_some_and(|result| result.seal == seal(&stream));
        let verified = match is_listed && evidence == Evidence::Results {
            true => Ok(Verified::default()),
            false => task.verify(rules, &stream),
        };
        match verified {
            Ok(verified) => TaskStatus {
                state: Some(TaskState::Proved),
                stream,
                verified,
                damage: None,
            },
            Err(why) => unproved(Some(match is_listed {
                // Otherwise workers would trust the list.
                true => format!(
                    "it does not prove task {id}: {why}; {LIST} has its length and SHA-256, so \
                     remove it to have the task proved again"
                ),
                false => format!("it does not prove task {id}: {why}"),
            })),
        }
    }

    fn named(&self, id: &str, why: &str) -> String {
        format!("{}: {why}", quoted_path(&self.stream(id)))
    }

    pub(super) fn obstacle(&self, id: &str) -> Option<String> {
        obstacle(&self.stream(id)).map(|why| self.named(id, &why))
    }

    pub(super) fn check_writable(&self) -> CliResult {
        check_writable(&self.list())
    }

    pub(super) fn keep(&self, result: &TaskResult, stream: Option<&[u8]>) -> CliResult {
        if let Some(stream) = stream {
            let path = self.stream(&result.id);
            replace(&path, stream).map_err(|why| write_error(&path, &why))?;
        }
        let list = self.list();
        append(&list, result).map_err(|why| write_error(&list, &why))
    }
}

fn append(list: &Path, result: &TaskResult) -> io::Result<()> {
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
    let line = format!("{}{result}\n", if is_cut { "\n" } else { "" });
    list.write_all(line.as_bytes())?;
    list.sync_all()
}
