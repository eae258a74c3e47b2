//! Which files may hold games: regular ones, and devices that behave so.

use std::fs::FileType;
use std::io;
use std::path::Path;

/// What becomes of a file that is there already.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Existing {
    /// It is left alone, and refused unless it is empty.
    #[default]
    Kept,
    /// It is continued.
    Continued,
    /// It is overwritten.
    Replaced,
}

/// Refuses what cannot be read or written like a file: a pipe, on which
/// opening waits for whoever is at its other end, a socket, a directory. What
/// does not exist yet is none of these.
///
/// # Errors
/// Names the kind; or what the file system says.
pub(crate) fn check_kind(path: &Path) -> io::Result<()> {
    let kind = match std::fs::metadata(path) {
        Ok(data) => data.file_type(),
        Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(why) => return Err(why),
    };
    if kind.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    match unfit(kind) {
        None => Ok(()),
        Some(what) => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            format!("it is {what}, expected a regular file"),
        )),
    }
}

/// What the file system said of a file, in the words of all messages.
pub(crate) fn said(why: &io::Error) -> String {
    match why.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
            "there is no such file".to_owned()
        }
        io::ErrorKind::IsADirectory => "it is a directory".to_owned(),
        _ => why.to_string(),
    }
}

fn unfit(kind: FileType) -> Option<&'static str> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_fifo() {
            return Some("a pipe (FIFO)");
        }
        if kind.is_socket() {
            return Some("a socket");
        }
        if kind.is_block_device() {
            return Some("a block device");
        }
    }
    None
}
