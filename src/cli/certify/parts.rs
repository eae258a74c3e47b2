//! Proofs in parts: the top, tasks, and putting them together.

use std::fmt;
use std::fs::{self, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::super::chooser::Chooser;
use super::super::position::{AnyPosition, on_position};
use super::super::verify::read;
use super::super::{CliResult, Failure, Global, INTERRUPTED, say, stop_on_interrupt};
use super::{report, unproved, write_whole};
use crate::game::{GameKind, Rng, with_game};
use crate::record::whole_file;
use crate::search::Searchable;
use crate::search::solver::Solvable;
use crate::search::solver::certificate::split::{
    MergeError, PartOutcome, PartResult, Results, Task, Top, merge, split,
};
use crate::search::solver::certificate::{
    CertificateLimits, Claim, DEFAULT_MAX_MB, Failed, Rejection, game_of, verify,
};
use crate::search::solver::estimate::{Cost, Sampling, estimate};

/// Lines that tell how deep the solver finishes within a task's nodes.
const SAMPLES: u32 = 24;
/// The list of results in their folder.
const LIST: &str = "results.txt";
/// MiB of the largest top or list of results that is read.
const LARGEST_MB: u64 = 1024;

/// The stream of a task in a folder.
pub(in crate::cli) fn stream_path(folder: &Path, id: &str) -> PathBuf {
    folder.join(format!("{id}.stream"))
}

/// A folder of results and streams.
pub(super) struct Folder<'a>(pub(super) &'a Path);

impl Folder<'_> {
    fn failed(&self, why: &io::Error) -> Failure {
        Failure::Work(format!("'{}': {why}", self.0.display()))
    }

    /// All results; a line that was cut short by a kill is none.
    fn results(&self) -> Result<Results, Failure> {
        if self.0.as_os_str().is_empty() {
            return Ok(Results::new());
        }
        let path = self.0.join(LIST);
        if let Ok(false) = path.try_exists() {
            return Ok(Results::new());
        }
        // A machine that lost its power may leave bytes that are no text.
        let bytes = read_list(&path)?;
        let lines = bytes.split(|&byte| byte == b'\n');
        let found = lines.filter_map(|line| str::from_utf8(line).ok()?.parse::<PartResult>().ok());
        let mut results = Results::new();
        for PartResult { id, outcome, .. } in found {
            match outcome {
                // Too large for the nodes of one top; what is known stays so.
                PartOutcome::Large => {
                    results.entry(id).or_insert(outcome);
                }
                PartOutcome::Proved { .. } | PartOutcome::Refuted => {
                    results.insert(id, outcome);
                }
            }
        }
        Ok(results)
    }

    /// The length of the list of results, where there is one.
    fn list_length(&self) -> Option<u64> {
        let data = fs::metadata(self.0.join(LIST)).ok()?;
        Some(data.len())
    }

    fn path(&self, id: &str) -> PathBuf {
        stream_path(self.0, id)
    }

    /// The stream of a task; none where it is longer than one may be.
    fn stream(&self, id: &str) -> Option<Vec<u8>> {
        let path = self.path(id);
        let is_there = path.is_file();
        is_there.then(|| read(&path, DEFAULT_MAX_MB).ok()?)?
    }

    /// Keeps the stream, and then the result.
    fn keep(&self, found: &PartResult, stream: Option<&[u8]>) -> io::Result<()> {
        fs::create_dir_all(self.0)?;
        if let Some(stream) = stream {
            whole_file::replace(&self.path(&found.id), stream)?;
        }
        let mut list = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(self.0.join(LIST))?;
        let mut last = [b'\n'];
        if list.metadata()?.len() > 0 {
            list.seek(SeekFrom::End(-1))?;
            list.read_exact(&mut last)?;
        }
        let is_cut = last != [b'\n'];
        // One write for a line, so that lines of several workers do not mix.
        let line = format!("{}{found}\n", if is_cut { "\n" } else { "" });
        list.write_all(line.as_bytes())?;
        list.sync_all()
    }
}

/// The results of a folder to which others add meanwhile.
struct Known {
    list_length: Option<u64>,
    results: Results,
}

impl Known {
    fn read(folder: &Folder<'_>) -> Result<Self, Failure> {
        // A line that comes in between changes the length once more.
        let list_length = folder.list_length();
        Ok(Self {
            list_length,
            results: folder.results()?,
        })
    }

    fn refresh(&mut self, folder: &Folder<'_>) -> CliResult {
        if folder.list_length() != self.list_length {
            *self = Self::read(folder)?;
        }
        Ok(())
    }
}

/// Writes the top of a proof with the lines of its tasks.
pub(super) fn make_top<G: Searchable + Solvable>(
    position: &G,
    claim: Claim,
    nodes: u64,
    folder: &Folder<'_>,
    (out, replaces): (&Path, bool),
) -> CliResult {
    let stop = stop_on_interrupt()?;
    let mut chooser = Chooser::new();
    let mut choose = |position: &G, moves: &[G::Move]| chooser.choose(position, moves);
    let sampling = Sampling {
        samples: SAMPLES,
        budget: nodes,
        stop: Some(Arc::clone(&stop)),
        ..Sampling::default()
    };
    let failed = |why| unproved(why, claim, position);
    let measured = estimate(position, claim, &sampling, &mut choose, |_| ());
    let plies_left = match measured.ok_or_else(|| failed(Failed::Stopped))?.cost {
        Cost::Proved(_) => position.plies_left(),
        Cost::Refuted => return Err(failed(Failed::False)),
        Cost::Estimated(found) => u32::midpoint(found.plies_left.0, found.plies_left.1),
    };
    let results = folder.results()?;
    let size = (nodes, plies_left);
    let top = split(position, claim, size, &results, choose, &stop).map_err(failed)?;
    write_whole(out, top.to_string().as_bytes(), replaces)?;
    let tasks = top.tasks().count();
    let is_proved = |task: &&Task| results.contains_key(&task.id());
    let done = top.tasks().filter(is_proved).count();
    writeln!(
        io::stdout().lock(),
        "top: {claim} in '{position}' ({tasks} tasks, {done} of them done)"
    )?;
    Ok(())
}

/// Proves tasks that have no result yet, one after the other; in an order of its
/// own, so that several workers seldom do the same one at once. It fails where the
/// claim of one is refuted.
pub(super) fn prove_tasks(global: Global, tasks: &[Task], folder: &Folder<'_>) -> CliResult {
    let stop = stop_on_interrupt()?;
    let limits = CertificateLimits {
        stop: Some(Arc::clone(&stop)),
        ..CertificateLimits::default()
    };
    let mut tasks: Vec<&Task> = tasks.iter().collect();
    Rng::new(RandomState::new().hash_one(0)).shuffle(&mut tasks);
    let mut known = Known::read(folder)?;
    let (mut refuted, mut large) = (0, 0);
    let mut count = |outcome: &PartOutcome| match outcome {
        PartOutcome::Proved { .. } => (),
        PartOutcome::Refuted => refuted += 1,
        PartOutcome::Large => large += 1,
    };
    for task in tasks {
        if stop.load(Ordering::Relaxed) {
            return Err(Failure::Code(INTERRUPTED));
        }
        let id = task.id();
        // What others have done meanwhile is there, too.
        known.refresh(folder)?;
        let done = known.results.get(&id).filter(|outcome| match outcome {
            PartOutcome::Proved { .. } => {
                let stream = folder.stream(&id);
                stream.is_some_and(|stream| outcome.is_proved_by(&stream))
            }
            PartOutcome::Refuted | PartOutcome::Large => true,
        });
        if let Some(outcome) = done {
            count(outcome);
            continue;
        }
        let position = AnyPosition::read(global, &task.position, &[])?;
        let made = on_position!(position, position => task.prove(&position, &limits));
        let (found, stream) = made.map_err(|why| match why {
            Failed::Stopped => Failure::Code(INTERRUPTED),
            why => Failure::Work(why.to_string()),
        })?;
        folder
            .keep(&found, stream.as_deref())
            .map_err(|why| folder.failed(&why))?;
        writeln!(io::stdout().lock(), "{found}")?;
        count(&found.outcome);
    }
    if refuted + large > 0 {
        say(format_args!(
            "tasks that are refuted: {refuted}, too large: {large}; --split again with these results"
        ));
    }
    if refuted > 0 {
        return Err(Failure::Code(1));
    }
    Ok(())
}

/// Reads the file of a top, and names its game.
pub(super) fn read_top(path: &Path) -> Result<(Top, GameKind), Failure> {
    let top = Top::read(&read_list(path)?).map_err(|why| unreadable(path, why))?;
    let unknown = || unreadable(path, Rejection::Rules(top.rules().to_owned()));
    let kind = game_of(top.rules()).ok_or_else(unknown)?;
    Ok((top, kind))
}

/// The bytes of a top or a list of results.
fn read_list(path: &Path) -> Result<Vec<u8>, Failure> {
    let bytes = read(path, LARGEST_MB).map_err(|why| unreadable(path, why))?;
    let too_large = || unreadable(path, format_args!("it has more than {LARGEST_MB} MiB"));
    bytes.ok_or_else(too_large)
}

fn unreadable(path: &Path, why: impl fmt::Display) -> Failure {
    Failure::Work(format!("cannot read '{}': {why}", path.display()))
}

/// Puts a certificate together and writes it when it is a proof; else prints the
/// lines of the tasks that are not proved.
pub(super) fn put_together(
    (top, kind): (&Top, GameKind),
    folder: &Folder<'_>,
    (out, replaces): (&Path, bool),
) -> CliResult {
    let results = folder.results()?;
    let stream = |id: &str| folder.stream(id);
    let merged = with_game!(kind, G => merge::<G>(top, &results, stream));
    let certificate = match merged {
        Ok(certificate) => certificate,
        Err(MergeError::Unproved(tasks)) => return Err(name_unproved(&tasks, &results)),
        Err(why) => return Err(Failure::Work(why.to_string())),
    };
    verify(&certificate)
        .map_err(|why| Failure::Work(format!("the parts are no proof together: {why}")))?;
    let bytes = certificate.write();
    write_whole(out, &bytes, replaces)?;
    report(&certificate, bytes.len())
}

/// Says which tasks are not proved: those to be done on stdout, the others, for
/// which the proof has to be split again, on stderr.
fn name_unproved(tasks: &[Task], results: &Results) -> Failure {
    let mut missing = 0;
    for task in tasks {
        match results.get(&task.id()) {
            Some(PartOutcome::Refuted) => say(format_args!("refuted: {task}")),
            Some(PartOutcome::Large) => say(format_args!("too large: {task}")),
            _ => {
                missing += 1;
                if let Err(why) = writeln!(io::stdout().lock(), "{task}") {
                    return why.into();
                }
            }
        }
    }
    let others = tasks.len() - missing;
    Failure::Work(format!(
        "{missing} tasks are missing, and {others} are refuted or too large{}",
        if others > 0 {
            ": --split again with these results"
        } else {
            ""
        }
    ))
}
