//! Analysis of many positions: a server over lines of text.
//!
//! [`serve`] reads a request a line, a position or a JSON object, and writes a
//! JSON object for each position as soon as it is analysed. Several threads
//! work at as many positions, each for itself. Memory is bounded: while
//! [`CAPACITY`] positions wait, nothing is read. What the requests and answers
//! look like is told in the help and the documentation of `totemic analyze`.
//!
//! ```
//! use std::sync::{Arc, atomic::AtomicBool};
//! use totemic::analysis::{Settings, serve};
//!
//! let input = "{\"id\":\"a\",\"position\":\"startpos\",\"moves\":[\"c5b6y\"],\"nodes\":100}\n";
//! let mut output = Vec::new();
//! let stop = Arc::new(AtomicBool::new(false));
//! let done = serve(input.as_bytes(), &mut output, &Settings::default(), &stop)?;
//! assert_eq!(done.failed, 0);
//! let answer: serde_json::Value = serde_json::from_slice(&output)?;
//! assert_eq!(answer["id"], "a");
//! # Ok::<(), std::io::Error>(())
//! ```

mod answer;
mod desk;
mod names;
mod queue;
mod request;
mod tools;
mod values;

use std::io::{self, BufRead, Read, Write};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, SyncSender};
use std::time::Duration;

use serde_json::{Value as Json, json};

use crate::game::GameKind;
use desk::Desk;
use names::Names;
use queue::{Cancelled, Queue};
use request::{Line, Request, Trouble};

/// Positions that may wait to be analysed; no more is read before one is
/// begun.
pub const CAPACITY: usize = 1024;
/// Longest line of input, in bytes.
pub const LONGEST_LINE: usize = 1 << 16;
/// Requests after which an id may be used again.
pub(crate) const REMEMBERED: usize = 100_000;
/// How often a waiting server looks whether it is to stop.
const PATIENCE: Duration = Duration::from_millis(20);

/// What bounds a search of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Bounds {
    /// Plies.
    pub depth: Option<u32>,
    /// Positions visited.
    pub nodes: Option<u64>,
    /// Wall clock.
    pub move_time: Option<Duration>,
}

impl Bounds {
    /// Whether anything ends the search.
    #[must_use]
    pub(crate) const fn is_set(&self) -> bool {
        self.depth.is_some() || self.nodes.is_some() || self.move_time.is_some()
    }
}

/// What holds for every request that does not say otherwise.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The game of `startpos`.
    pub game: GameKind,
    /// Bounds of a search.
    pub bounds: Bounds,
    /// Best lines to tell.
    pub multi_pv: usize,
    /// Positions at the same time.
    pub threads: NonZeroUsize,
    /// Size of all tables together in MiB.
    pub hash_mb: usize,
}

impl Default for Settings {
    /// A second for each position, one at a time.
    fn default() -> Self {
        Self {
            game: GameKind::default(),
            bounds: Bounds {
                move_time: Some(Duration::from_secs(1)),
                ..Bounds::default()
            },
            multi_pv: 1,
            threads: NonZeroUsize::MIN,
            hash_mb: 64,
        }
    }
}

/// What a server has done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Done {
    /// Lines that were answered by an error.
    pub failed: u64,
    /// Whether it was stopped before the end of its input.
    pub stopped: bool,
}

/// Answers the requests of `input` until it ends and all of them are answered,
/// or `stop` becomes true.
///
/// # Errors
/// When `output` cannot be written or `input` cannot be read.
pub fn serve(
    input: impl Read + Send + 'static,
    output: impl Write + Send,
    settings: &Settings,
    stop: &Arc<AtomicBool>,
) -> io::Result<Done> {
    let queue = Queue::new(output);
    let (sender, lines) = mpsc::sync_channel(1);
    // Reading may block for ever: it must not keep anybody from ending.
    std::thread::Builder::new().spawn(move || read_lines(input, &sender))?;
    let mut done = Done::default();
    let mut served = Ok(());
    std::thread::scope(|scope| {
        for _ in 0..settings.threads.get() {
            let worker = || {
                let mut desk = Desk::new(settings);
                while let Some(job) = queue.take() {
                    desk.work(&job, &queue);
                }
            };
            if let Err(why) = std::thread::Builder::new().spawn_scoped(scope, worker) {
                served = Err(why);
                break;
            }
        }
        if served.is_ok() {
            served = take_requests(&lines, settings, stop, &queue, &mut done);
        }
        if done.stopped || served.is_err() {
            queue.abandon();
        } else {
            queue.close();
            while !queue.wait_idle(PATIENCE) {
                if stop.load(Ordering::Relaxed) {
                    done.stopped = true;
                    queue.abandon();
                }
            }
        }
    });
    served?;
    queue.into_result()?;
    Ok(done)
}

/// A line of input, as far as it is not too long.
type RawLine = io::Result<Option<Vec<u8>>>;

/// Sends line after line, `Ok(None)` for one that is too long.
fn read_lines(input: impl Read, lines: &SyncSender<RawLine>) {
    let mut input = io::BufReader::new(input);
    loop {
        let mut line = Vec::new();
        let limit = LONGEST_LINE as u64 + 1;
        let sent = match input.by_ref().take(limit).read_until(b'\n', &mut line) {
            Ok(0) => return,
            Ok(_) if line.len() > LONGEST_LINE && line.last() != Some(&b'\n') => {
                lines.send(input.skip_until(b'\n').map(|_| None))
            }
            Ok(_) => lines.send(Ok(Some(line))),
            Err(why) => {
                let _ = lines.send(Err(why));
                return;
            }
        };
        if sent.is_err() {
            return;
        }
    }
}

/// Puts requests into the queue until the input ends.
fn take_requests<W: Write>(
    lines: &mpsc::Receiver<RawLine>,
    settings: &Settings,
    stop: &AtomicBool,
    queue: &Queue<W>,
    done: &mut Done,
) -> io::Result<()> {
    let mut names = Names::new(REMEMBERED);
    let mut number = 0;
    loop {
        if stop.load(Ordering::Relaxed) {
            done.stopped = true;
            return Ok(());
        }
        if queue.is_broken() {
            return Ok(());
        }
        if !queue.has_room(CAPACITY, PATIENCE) {
            continue;
        }
        let line = match lines.recv_timeout(PATIENCE) {
            Ok(line) => line?,
            Err(RecvTimeoutError::Timeout) => continue,
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        };
        number += 1;
        let read = match line {
            Some(line) => Line::read(&line, number, settings),
            None => {
                let why = format!("the line is longer than {LONGEST_LINE} bytes");
                Err(Trouble::new(None, why))
            }
        };
        let taken = read.and_then(|line| take_line(line, &mut names, queue));
        if let Err(trouble) = taken {
            done.failed += 1;
            queue.write(&trouble.answer(number));
        }
    }
}

/// Acts on a line.
fn take_line<W: Write>(line: Line, names: &mut Names, queue: &Queue<W>) -> Result<(), Trouble> {
    match line {
        Line::Empty => Ok(()),
        Line::Cancel(id) => match queue.cancel(&id) {
            Cancelled::Queued => {
                queue.write(&json!({"id": id, "cancelled": true}));
                Ok(())
            }
            Cancelled::Running => Ok(()),
            Cancelled::Unknown if names.has(&id) => {
                queue.write(&json!({"id": id, "cancelled": false}));
                Ok(())
            }
            Cancelled::Unknown => Err(Trouble::new(
                Some(id.clone()),
                format!("cancel: there is no request with the id {id}"),
            )),
        },
        Line::Request(request) => {
            let Request { id, jobs } = request;
            if !names.add(&id) {
                let why = format!("the id {id} was used before: expected another");
                return Err(Trouble::new(Some(id), why));
            }
            queue.add(&id, jobs);
            Ok(())
        }
    }
}

/// An id as text that is different for different ids.
fn key_of(id: &Json) -> String {
    id.to_string()
}
