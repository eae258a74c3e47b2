//! A file that grows while the program runs.

use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use totemic_engine::file::identity;

/// An open file to which only its owner writes, always at its end.
#[derive(Debug)]
pub(super) struct GrowingFile {
    pub(super) path: PathBuf,
    pub(super) file: File,
    /// Whether what is appended is on the disk before anybody hears of it.
    pub(super) is_synced: bool,
}

impl GrowingFile {
    /// Appends all bytes or none. If the file has lost its name, what is known goes into a
    /// new one; that is an error, too, because somebody may not want it to grow any more.
    pub(super) fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let data = self.file.metadata()?;
        let end = data.is_file().then(|| self.file.stream_position());
        let end = end.transpose()?;
        if end.is_some_and(|end| end != data.len()) {
            let why = "somebody else has emptied or changed it: nothing more is written to it";
            return Err(io::Error::other(why));
        }
        let mut written = self.file.write_all(bytes);
        if self.is_synced {
            written = written.and_then(|()| self.file.sync_data());
        }
        if let (Err(_), Some(end)) = (&written, end) {
            // A full disk leaves part of it, which is taken back if possible.
            let _ = self.truncate(end);
        }
        written?;
        match end.is_none() || is_at(&self.file, &self.path) {
            true => Ok(()),
            false => self.rescue(),
        }
    }

    /// Drops everything from this byte on; writing goes on there.
    pub(super) fn truncate(&mut self, length: u64) -> io::Result<()> {
        self.file.set_len(length)?;
        self.file.seek(SeekFrom::Start(length)).map(|_| ())
    }

    /// Writes the file anew, beside its old name, and says so.
    fn rescue(&mut self) -> io::Result<()> {
        let beside = |number: u32| match number {
            1 => self.path.with_added_extension("saved"),
            _ => self.path.with_added_extension(format!("saved{number}")),
        };
        let name = (1..).map(beside).find(|name| !super::is_taken(name));
        let name = name.unwrap_or_default();
        self.file.rewind()?;
        let copied = File::create_new(&name).and_then(|mut new| {
            io::copy(&mut self.file, &mut new)?;
            new.sync_all()
        });
        let saved = match copied {
            Ok(()) => format!("what it held is in {}", name.display()),
            Err(why) => format!("{} cannot be written: {why}", name.display()),
        };
        let why = format!("somebody has removed or replaced it; {saved}");
        Err(io::Error::other(why))
    }
}

/// Whether an open file is the one of this name.
pub(super) fn is_at(file: &File, path: &Path) -> bool {
    let (Ok(own), Ok(there)) = (file.metadata(), fs::metadata(path)) else {
        return false;
    };
    match identity(&own) {
        None => own.len() == there.len(),
        own => own == identity(&there),
    }
}
