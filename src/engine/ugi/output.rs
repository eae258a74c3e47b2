//! The output that the reading thread and the searches share.

use std::fmt::Write as _;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::file::{check_regular, identity};
use crate::lock::locked;
use crate::stop::Stop;

/// An error line is cut once it has this many characters after its head.
const MAX_ERROR: usize = 400;
/// Lines that wait for others are written once they have this many bytes.
const MAX_HELD: usize = 64 << 10;

#[derive(Clone)]
pub(super) struct Output {
    inner: Arc<Mutex<Inner>>,
    /// Comes when nobody reads any more.
    pub(super) gone: Stop,
}

struct Inner {
    writer: Box<dyn Write + Send>,
    /// Lines that are not written yet.
    held: String,
    log: Option<File>,
    /// The first error of the writer; nothing is written after it.
    failure: Option<io::Error>,
}

impl Output {
    /// An output whose reader is there until `gone` comes.
    pub(super) fn new(writer: impl Write + Send + 'static, gone: Stop) -> Self {
        let inner = Inner {
            writer: Box::new(writer),
            held: String::new(),
            log: None,
            failure: None,
        };
        Self {
            inner: Arc::new(Mutex::new(inner)),
            gone,
        }
    }

    pub(super) fn write_line(&self, line: impl AsRef<str>) {
        self.write_lines([line]);
    }

    /// Writes lines, each at once, without those of another thread between them.
    pub(super) fn write_lines<L: AsRef<str>>(&self, lines: impl IntoIterator<Item = L>) {
        let mut inner = locked(&self.inner);
        inner.flush();
        for line in lines {
            inner.hold(line.as_ref());
            inner.flush();
        }
    }

    /// Takes a line that may wait for the next [`Output::flush`] or [`Output::write_line`]: a
    /// client that asks much at once is not woken for each answer.
    pub(super) fn hold(&self, line: &str) {
        let mut inner = locked(&self.inner);
        inner.hold(line);
        if inner.held.len() > MAX_HELD {
            inner.flush();
        }
    }

    pub(super) fn flush(&self) {
        locked(&self.inner).flush();
    }

    /// Writes an error line, `info string error: ...`, in ASCII and of bounded
    /// length whatever the text quotes.
    pub(super) fn error(&self, why: &str) {
        self.write_line(format!("info string error: {}", printable(why)));
    }

    pub(super) fn check(&self) -> io::Result<()> {
        match &locked(&self.inner).failure {
            None => Ok(()),
            Some(why) => Err(match why.raw_os_error() {
                Some(code) => io::Error::from_raw_os_error(code),
                None => io::Error::new(why.kind(), why.to_string()),
            }),
        }
    }

    /// From now on appends a copy of every line, in and out, to a file; with an
    /// empty path, to none.
    ///
    /// # Errors
    /// If the file cannot be opened, is not a regular file, or is that of stdin or stdout;
    /// then the log stays as it was.
    pub(super) fn log_to(&self, path: &str) -> io::Result<()> {
        let file = if path.is_empty() {
            None
        } else {
            Some(open_log(Path::new(path))?)
        };
        locked(&self.inner).log = file;
        Ok(())
    }

    pub(super) fn log_input(&self, line: &str) {
        locked(&self.inner).log('>', line);
    }
}

impl Inner {
    fn hold(&mut self, line: &str) {
        self.log('<', line);
        self.held.push_str(line);
        self.held.push('\n');
    }

    fn flush(&mut self) {
        if !self.held.is_empty() && self.failure.is_none() {
            // In one piece: a client that reads in pieces gets whole lines.
            let written = self.writer.write_all(self.held.as_bytes());
            self.failure = written.and_then(|()| self.writer.flush()).err();
        }
        self.held.clear();
    }

    fn log(&mut self, direction: char, line: &str) {
        let Some(log) = &mut self.log else { return };
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = now.unwrap_or_default();
        let (seconds, millis) = (now.as_secs(), now.subsec_millis());
        let entry = format!("{seconds}.{millis:03} {direction} {line}\n");
        // A full disk costs the log, not the game.
        if let Err(why) = log.write_all(entry.as_bytes()) {
            self.log = None;
            let _ = writeln!(io::stderr(), "error: the log ends here: {why}");
        }
    }
}

/// Opens a regular file to append to it. Anything else is refused before it is
/// opened: opening a pipe that nobody reads would block.
fn open_log(path: &Path) -> io::Result<File> {
    check_regular(path)?;
    if std::fs::metadata(path).is_ok_and(|data| is_standard(&data)) {
        let why = "it is where the commands come from or the answers go: expected another file";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
    }
    OpenOptions::new().create(true).append(true).open(path)
}

/// Whether a file is that of stdin or stdout, as far as the system tells.
fn is_standard(data: &Metadata) -> bool {
    let of = |path| std::fs::metadata(path).ok().and_then(|it| identity(&it));
    identity(data).is_some_and(|it| [of("/dev/stdin"), of("/dev/stdout")].contains(&Some(it)))
}

/// A text as printable ASCII, cut if it is too long.
pub(super) fn printable(text: &str) -> String {
    let mut shown = String::new();
    for char in text.chars() {
        if shown.len() >= MAX_ERROR {
            shown.push_str("...");
            break;
        }
        if char == ' ' || char.is_ascii_graphic() {
            shown.push(char);
        } else {
            // Writing into a string cannot fail.
            let _ = write!(shown, "{}", char.escape_default());
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_lines_are_short_and_ascii() {
        assert_eq!(printable("'a\u{e9}\tb'"), "'a\\u{e9}\\tb'");
        assert!(printable(&"\u{1f600}".repeat(9999)).len() < MAX_ERROR + 20);
    }

    #[test]
    fn a_broken_writer_is_reported_and_left_alone() {
        struct Broken;
        impl Write for Broken {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let out = Output::new(Broken, Stop::new());
        assert!(out.check().is_ok());
        out.write_line("readyok");
        let why = out.check().expect_err("the writer is broken");
        assert_eq!(why.kind(), io::ErrorKind::BrokenPipe);
    }
}
