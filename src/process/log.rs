//! A file that records every line to and from a process.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;

use totemic_engine::lock::locked;

#[derive(Debug)]
pub(crate) struct Log {
    path: PathBuf,
    begin: Instant,
    /// The file, or why nothing more is written to it.
    file: Mutex<Result<BufWriter<File>, String>>,
}

impl Log {
    pub(crate) fn create(path: &Path, begin: Instant) -> io::Result<Self> {
        Ok(Self {
            path: path.to_owned(),
            begin,
            file: Mutex::new(Ok(BufWriter::new(File::create_new(path)?))),
        })
    }

    /// Writes a line. `mark` is `>` for a line to the engine, `<` for its output and `!`
    /// for its error output.
    pub(super) fn line(&self, at: Instant, mark: char, text: &str) {
        let seconds = at.saturating_duration_since(self.begin).as_secs_f64();
        let mut log = locked(&self.file);
        let Ok(file) = log.as_mut() else {
            return;
        };
        let mut written = writeln!(file, "{seconds:12.6} {mark} {text}");
        if mark != '<' || !text.starts_with("info") {
            written = written.and_then(|()| file.flush());
        }
        if let Err(why) = written {
            *log = Err(format!("log {} ends early: {why}", self.path.display()));
        }
    }

    pub(crate) fn failure(&self) -> Option<String> {
        locked(&self.file).as_ref().err().cloned()
    }
}
