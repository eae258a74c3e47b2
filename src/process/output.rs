//! The threads that read what an engine writes.
//!
//! The time of a line is the moment when the read that completed it returned.

use std::io::{BufRead, BufReader, Read};
use std::sync::Mutex;
use std::time::Instant;

use super::log::Log;
use totemic_engine::lock::locked;
use totemic_engine::text::sanitized;

/// The longest line of the protocol, in bytes.
pub(crate) const MAX_LINE: usize = 64 * 1024;
/// Bytes that an engine may write at once, and in each second.
const BURST_BYTES: f64 = 8.0 * 1024.0 * 1024.0;
const BYTES_PER_SECOND: f64 = 2.0 * 1024.0 * 1024.0;

/// What an engine writes, and what ends that.
#[derive(Debug)]
pub(crate) enum Arrival {
    /// A line without its line feed and without blanks around it.
    Line(Instant, String),
    End,
    LineTooLong,
    Flood,
}

/// What an engine writes to its error output.
#[derive(Debug, Default)]
pub(super) struct ErrorOutput {
    /// The last line, shortened to fit into a message.
    pub(super) last: String,
    /// Whether all of it has been read.
    pub(super) complete: bool,
}

/// A limit of output: a token bucket that fills up with time.
struct Bucket {
    tokens: f64,
    filled: Instant,
}

impl Bucket {
    /// Takes `bytes` from the bucket; returns whether they are still within the limit.
    fn take(&mut self, bytes: usize, now: Instant) -> bool {
        let seconds = now.saturating_duration_since(self.filled).as_secs_f64();
        self.filled = now;
        self.tokens = (self.tokens + seconds * BYTES_PER_SECOND).min(BURST_BYTES) - bytes as f64;
        self.tokens >= 0.0
    }
}

/// Reads an engine's output to its end and passes each line to `hear`.
pub(super) fn read_output(
    mut output: impl Read,
    log: Option<&Log>,
    mut hear: impl FnMut(Arrival) -> bool,
) {
    let mut bucket = Bucket {
        tokens: BURST_BYTES,
        filled: Instant::now(),
    };
    let mut buffer = vec![0; 16 * 1024];
    let mut line = Vec::new();
    let last = loop {
        let Ok(count @ 1..) = output.read(&mut buffer) else {
            break Arrival::End;
        };
        let now = Instant::now();
        if !bucket.take(count, now) {
            break Arrival::Flood;
        }
        let mut rest = &buffer[..count];
        while let Some(end) = rest.iter().position(|&b| b == b'\n') {
            line.extend_from_slice(&rest[..end]);
            rest = &rest[end + 1..];
            if line.len() > MAX_LINE {
                break;
            }
            let text = String::from_utf8_lossy(&line).trim().to_owned();
            if let Some(log) = log {
                log.line(now, '<', &text);
            }
            if !hear(Arrival::Line(now, text)) {
                hear(Arrival::Flood);
                return;
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
    hear(last);
}

/// Reads an engine's error output to its end and keeps the last line.
pub(super) fn read_errors(output: impl Read, log: Option<&Log>, errors: &Mutex<ErrorOutput>) {
    let mut output = BufReader::new(output);
    let mut line = Vec::new();
    while let Ok(1..) = (&mut output)
        .take(MAX_LINE as u64)
        .read_until(b'\n', &mut line)
    {
        let text = String::from_utf8_lossy(&line);
        let text = text.trim();
        if !text.is_empty() {
            if let Some(log) = log {
                log.line(Instant::now(), '!', text);
            }
            locked(errors).last = sanitized(text).chars().take(200).collect();
        }
        line.clear();
    }
    locked(errors).complete = true;
}

/// Shortens a line of a foreign engine so that it fits into a message.
pub(crate) fn shortened(line: &str) -> String {
    line.chars().take(80).collect()
}

#[cfg(test)]
#[test]
fn a_line_of_errors_is_whole_however_it_comes() {
    let errors = Mutex::default();
    let pieces = b"cannot open ".chain(b"net.bin\n".as_slice());
    read_errors(pieces, None, &errors);
    assert_eq!(locked(&errors).last, "cannot open net.bin");
}
