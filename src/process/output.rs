//! The threads that read what an engine writes.
//!
//! One thread reads the output and keeps only what matters: it parses `info` lines at
//! once, passes on a few kinds of lines, and drops everything else. So an engine that
//! writes much costs neither memory nor wake-ups. The time of a line is the moment when
//! the read that completed it returned.

use std::io::Read;
use std::sync::Mutex;
use std::sync::mpsc::{SyncSender, TrySendError};
use std::time::Instant;

use super::info;
use super::log::Log;
use crate::game::plain;
use crate::lock::locked;
use crate::record::SearchInfo;

/// The longest line of the protocol, in bytes.
pub(super) const MAX_LINE: usize = 64 * 1024;
/// Bytes that an engine may write at once, and in each second.
const BURST: f64 = 8.0 * 1024.0 * 1024.0;
const RATE: f64 = 2.0 * 1024.0 * 1024.0;

fn is_complaint(line: &str) -> bool {
    let mut words = line.split_ascii_whitespace();
    ["info", "string", "error"].iter().all(|expected| {
        let word = words.next().unwrap_or_default();
        word.trim_end_matches(':').eq_ignore_ascii_case(expected)
    })
}

/// What a reader thread reports.
#[derive(Debug)]
pub(super) enum Arrival {
    Line(Instant, String),
    End,
    LineTooLong,
    Flood,
}

/// What an engine has said, except for the lines that somebody waits for.
#[derive(Debug, Default)]
pub(crate) struct Heard {
    pub(crate) info: SearchInfo,
    /// The first line `info string error` since this was last `None`.
    pub(crate) complaint: Option<String>,
    /// The last line of its error output.
    pub(super) last_error: String,
    /// Whether the error output has been read to its end.
    pub(super) errors_read: bool,
}

/// What the reader threads share with the owner of the process.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) heard: Mutex<Heard>,
    pub(super) log: Option<Log>,
}

/// A limit of output: a token bucket that fills up with time.
pub(crate) struct Bucket {
    tokens: f64,
    filled: Instant,
}

impl Bucket {
    pub(crate) fn new() -> Self {
        Self {
            tokens: BURST,
            filled: Instant::now(),
        }
    }

    /// Takes `bytes` from the bucket; returns whether they are still within the limit.
    pub(crate) fn take(&mut self, bytes: usize, now: Instant) -> bool {
        let seconds = now.saturating_duration_since(self.filled).as_secs_f64();
        self.filled = now;
        self.tokens = (self.tokens + seconds * RATE).min(BURST) - bytes as f64;
        self.tokens >= 0.0
    }
}

/// Reads an engine's output to its end.
pub(super) fn read_output(mut output: impl Read, sender: &SyncSender<Arrival>, shared: &Shared) {
    let mut bucket = Bucket::new();
    let mut buffer = vec![0; 16 * 1024];
    let mut line = Vec::new();
    let last = loop {
        let Ok(count) = output.read(&mut buffer) else {
            break Arrival::End;
        };
        let now = Instant::now();
        if count == 0 {
            break Arrival::End;
        }
        if !bucket.take(count, now) {
            break Arrival::Flood;
        }
        let mut rest = &buffer[..count];
        while let Some(end) = rest.iter().position(|&b| b == b'\n') {
            line.extend_from_slice(&rest[..end]);
            rest = &rest[end + 1..];
            if line.len() <= MAX_LINE && !hand_over(&line, now, sender, shared) {
                let _ = sender.send(Arrival::Flood);
                return;
            }
            if line.len() > MAX_LINE {
                break;
            }
            line.clear();
        }
        if line.len() <= MAX_LINE {
            line.extend_from_slice(rest);
        }
        if line.len() > MAX_LINE {
            break Arrival::LineTooLong;
        }
    };
    // This waits while lines pile up, and fails once the process is dropped.
    let _ = sender.send(last);
}

/// Keeps, passes on or drops a complete line; returns `false` if lines pile up.
fn hand_over(line: &[u8], now: Instant, sender: &SyncSender<Arrival>, shared: &Shared) -> bool {
    let text = String::from_utf8_lossy(line);
    let text = text.trim();
    if let Some(log) = &shared.log {
        log.line(now, '<', text);
    }
    match text.split_ascii_whitespace().next().unwrap_or_default() {
        "info" => {
            let mut heard = locked(&shared.heard);
            info::update(&mut heard.info, text);
            if is_complaint(text) {
                heard.complaint.get_or_insert_with(|| plain(text));
            }
            true
        }
        "readyok" | "bestmove" | "ugiok" | "uciok" | "id" | "option" | "response" => {
            let arrival = Arrival::Line(now, text.to_owned());
            !matches!(sender.try_send(arrival), Err(TrySendError::Full(_)))
        }
        _ => true,
    }
}

/// Reads an engine's error output to its end and keeps the last line.
pub(super) fn read_errors(mut errors: impl Read, shared: &Shared) {
    let mut buffer = [0; 4096];
    while let Ok(count) = errors.read(&mut buffer) {
        if count == 0 {
            break;
        }
        let text = String::from_utf8_lossy(&buffer[..count]);
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            if let Some(log) = &shared.log {
                log.line(Instant::now(), '!', line);
            }
            locked(&shared.heard).last_error = plain(line.trim()).chars().take(200).collect();
        }
    }
    locked(&shared.heard).errors_read = true;
}
