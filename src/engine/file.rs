//! Reading files: whole, and within limits.
//!
//! Only regular files are read: opening a pipe waits for a writer, and a device may never
//! end.

use std::fs::{self, File, FileType, Metadata};
use std::io::{self, Read};
use std::path::Path;

/// The size of the largest file that is read as a whole, in bytes.
pub const MAX_BYTES: u64 = 1 << 30;
/// The size of the largest text, in bytes; parsed text takes many times as much memory.
pub const MAX_TEXT: u64 = 1 << 28;
/// The longest line of a text, in bytes.
pub const MAX_LINE: usize = 1 << 20;

/// Opens a regular file for reading.
///
/// # Errors
/// [`io::ErrorKind::InvalidInput`] for a pipe, socket or device; otherwise what the file
/// system reports.
pub fn open(path: &Path) -> io::Result<File> {
    check_regular(path)?;
    File::open(path)
}

/// Reads a regular file of at most `most` bytes.
///
/// # Errors
/// [`io::ErrorKind::FileTooLarge`], and those of [`open()`].
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    match file.metadata()?.len() > most {
        true => Err(too_large(most)),
        false => read_from(file, most),
    }
}

fn too_large(most: u64) -> io::Error {
    let why = format!("it has more than {} MiB", most >> 20);
    io::Error::new(io::ErrorKind::FileTooLarge, why)
}

/// Reads `input` to its end, at most `most` bytes.
///
/// # Errors
/// [`io::ErrorKind::FileTooLarge`], or what `input` reports.
pub fn read_from(input: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(most + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > most {
        true => Err(too_large(most)),
        false => Ok(bytes),
    }
}

/// Returns the number, counted from 1, of the first line that is longer than
/// [`MAX_LINE`].
pub fn overlong_line(text: &[u8]) -> Option<usize> {
    let mut lines = text.split(|&byte| byte == b'\n');
    let overlong = lines.position(|line| line.len() > MAX_LINE);
    overlong.map(|at| at + 1)
}

/// Refuses what is there, unless it is a regular file or a link to one.
///
/// # Errors
/// Those of [`open()`].
pub fn check_regular(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(data) if data.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(data) if !data.is_file() => {
            let kind = kind_in_words(data.file_type());
            let why = format!("it is {kind}: expected a regular file");
            Err(io::Error::new(io::ErrorKind::InvalidInput, why))
        }
        Err(why) if why.kind() != io::ErrorKind::NotFound => Err(why),
        _ => Ok(()),
    }
}

/// Returns what tells a file from all others, whatever its names: its device and its number
/// there. `None` where the system numbers no files.
pub fn identity(data: &Metadata) -> Option<(u64, u64)> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        Some((data.dev(), data.ino()))
    }
    #[cfg(not(unix))]
    {
        let _ = data;
        None
    }
}

/// Says in words what something is that is not a directory.
pub fn kind_in_words(kind: FileType) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_fifo() {
            return "a pipe";
        } else if kind.is_socket() {
            return "a socket";
        }
    }
    match kind.is_file() {
        true => "a file",
        false => "a device",
    }
}

/// Puts an error of the file system into the words that all messages use.
pub fn reason(why: &io::Error) -> String {
    match why.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
            "there is no such file".to_owned()
        }
        io::ErrorKind::IsADirectory => "it is a directory".to_owned(),
        _ => why.to_string(),
    }
}
