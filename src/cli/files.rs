//! Files and folders of arguments, and what is said of those that cannot be used.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::{CliResult, Failure};
use crate::game::quoted_path;
use crate::record::kind::said;
use crate::record::whole_file;

/// A file to be read, of which is said what was `expected` where there is none.
pub(super) fn open(path: &Path, expected: &str) -> Result<File, Failure> {
    let refused = |why: io::Error| {
        let told = said(&why);
        match why.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::IsADirectory => {
                unreadable(path, format_args!("{told}; expected {expected}"))
            }
            _ => unreadable(path, told),
        }
    };
    let file = File::open(path).map_err(refused)?;
    match path.is_dir() {
        true => Err(refused(io::ErrorKind::IsADirectory.into())),
        false => Ok(file),
    }
}

/// The bytes of a file, or of stdin for `-`.
pub(super) fn read_or_stdin(path: &Path, expected: &str) -> Result<Vec<u8>, Failure> {
    if path.as_os_str() != "-" {
        return read(path, expected);
    }
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A file's bytes.
pub(super) fn read(path: &Path, expected: &str) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = open(path, expected)?.read_to_end(&mut bytes);
    read.map_err(|why| unreadable(path, said(&why)))?;
    Ok(bytes)
}

/// The text that the bytes of a file are.
pub(super) fn text(path: &Path, bytes: Vec<u8>) -> Result<String, Failure> {
    String::from_utf8(bytes).map_err(|why| {
        let before = &why.as_bytes()[..why.utf8_error().valid_up_to()];
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        unreadable(path, format_args!("line {line} is not UTF-8 text"))
    })
}

/// A file's bytes, where there are not more than so many MiB.
pub(super) fn read_up_to(max_mb: u64, path: &Path) -> io::Result<Option<Vec<u8>>> {
    let most = max_mb << 20;
    let mut bytes = Vec::new();
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= most).then_some(bytes))
}

/// Checks that a file can be written, before long work for it.
pub(super) fn check_writable(path: &Path) -> CliResult {
    whole_file::check(path).map_err(|why| unwritable(path, &why))
}

/// Writes a file that is there only when it is whole.
pub(super) fn write_whole(path: &Path, bytes: &[u8], replaces: bool) -> CliResult {
    whole_file::write(path, bytes, replaces).map_err(|why| unwritable(path, &why))
}

/// The failure of reading a file.
pub(super) fn unreadable(path: &Path, why: impl Display) -> Failure {
    Failure::Work(format!("cannot read {}: {why}", quoted_path(path)))
}

/// The failure of writing a file.
pub(super) fn unwritable(path: &Path, why: &io::Error) -> Failure {
    let shown = quoted_path(path);
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
    let missing = folder.filter(|_| why.kind() == io::ErrorKind::NotFound);
    Failure::Work(match missing {
        Some(folder) => {
            let folder = quoted_path(folder);
            format!("cannot write {shown}: there is no directory {folder}")
        }
        None => format!("cannot write {shown}: {}", said(why)),
    })
}

/// The failure of a file that would be replaced unasked.
pub(super) fn exists(path: &Path) -> Failure {
    Failure::Work(format!(
        "{} exists: add --force to replace it, or choose another file",
        quoted_path(path)
    ))
}

/// Whether something stands in the place of a file that cannot be read or replaced as
/// one, such as a folder, and what.
pub(super) fn obstacle(path: &Path) -> Option<&'static str> {
    match path.metadata() {
        Ok(data) if data.is_dir() => Some("it is a directory"),
        Ok(data) if !data.is_file() => Some("it is no regular file"),
        _ => None,
    }
}

/// Why a path is no folder, if it is none.
pub(super) fn no_folder(path: &Path) -> Option<&'static str> {
    match path.metadata() {
        Ok(data) if data.is_dir() => None,
        Ok(_) => Some("it is a file"),
        Err(_) => Some("there is no such folder"),
    }
}
