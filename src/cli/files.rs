//! Files and folders of arguments.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// A file's bytes, where there are not more than so many MiB.
pub(super) fn read_up_to(max_mb: u64, path: &Path) -> io::Result<Option<Vec<u8>>> {
    let most = max_mb << 20;
    let mut bytes = Vec::new();
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= most).then_some(bytes))
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
