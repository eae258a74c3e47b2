//! Writes files so that they appear only once they are complete: whatever ends the
//! program while it writes, nobody finds half a file.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};
use totemic_engine::file::{identity, open};

/// Writes a file, replacing an existing one if need be. Something that is not a regular
/// file, such as a device, is written to directly. If `path` is a link, the file that it
/// leads to is replaced.
///
/// # Errors
/// When the file system refuses; the file is unchanged then.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace_and_hold(path, bytes).map(|_| ())
}

/// Like [`replace`]; what is written to the returned file follows. The file is locked as long
/// as it is open, where the file system has locks.
pub(crate) fn replace_and_hold(path: &Path, bytes: &[u8]) -> io::Result<File> {
    check_name(path)?;
    if fs::metadata(path).is_ok_and(|data| !data.is_file()) {
        let mut stream = create_stream(path)?;
        stream.write_all(bytes)?;
        return Ok(stream);
    }
    let target = canonical_path(path);
    let path = target.as_deref().unwrap_or(path);
    let draft = write_draft(path, bytes)?;
    if let Ok(replaced) = fs::metadata(path) {
        draft.as_file().set_permissions(replaced.permissions())?;
    }
    Ok(draft.persist(path)?)
}

/// Writes a new file; only if `replaces` is true may it replace an existing one.
///
/// # Errors
/// [`io::ErrorKind::AlreadyExists`], even if somebody else creates the file in the
/// meantime; or what the file system reports.
pub(crate) fn write(path: &Path, bytes: &[u8], replaces: bool) -> io::Result<()> {
    let is_device = path.metadata().is_ok_and(|data| !data.is_file());
    if replaces || is_device {
        return replace(path, bytes);
    }
    check_name(path)?;
    write_draft(path, bytes)?.persist_noclobber(path)?;
    Ok(())
}

/// Whether a path has a file, or a link to nothing, that somebody may want to keep. A device
/// has nothing to keep.
pub(crate) fn is_taken(path: &Path) -> bool {
    path.metadata()
        .map_or(path.is_symlink(), |data| data.is_file())
}

/// Opens a file to be written piece by piece, for readers who want to see each piece at
/// once. An existing file is emptied.
///
/// # Errors
/// What the file system reports. A pipe that nobody reads is an error, instead of a wait
/// for a reader.
pub(crate) fn create_stream(path: &Path) -> io::Result<File> {
    check_name(path)?;
    #[cfg(unix)]
    let _writer = {
        use nix::fcntl::OFlag;
        use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};

        let is_pipe = fs::metadata(path).is_ok_and(|data| data.file_type().is_fifo());
        let mut options = File::options();
        let options = options.write(true).custom_flags(OFlag::O_NONBLOCK.bits());
        let unread = |_| io::Error::other("nobody reads from this pipe");
        let open = || options.open(path).map_err(unread);
        is_pipe.then(open).transpose()?
    };
    File::create(path)
}

/// Checks that a file can be written at a path, before any long work for it.
///
/// # Errors
/// What the file system reports.
pub fn check_writable(path: &Path) -> io::Result<()> {
    check_name(path)?;
    match fs::metadata(path) {
        Ok(data) if data.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(data) if !data.is_file() => Ok(()),
        _ => {
            let target = canonical_path(path);
            write_draft(target.as_deref().unwrap_or(path), b"")?.close()
        }
    }
}

/// Refuses the name of a folder, and `-`, which means stdout elsewhere: a file appears
/// here only once it is complete, and may be continued later.
pub(crate) fn check_name(path: &Path) -> io::Result<()> {
    if path.as_os_str() == "-" {
        let why = "expected a file, not stdout; ./- is a file of this name";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
    }
    match has_name_of_folder(path) {
        true => Err(io::ErrorKind::IsADirectory.into()),
        false => Ok(()),
    }
}

pub(crate) fn has_name_of_folder(path: &Path) -> bool {
    path.to_string_lossy().ends_with(std::path::is_separator)
}

pub(crate) fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// Returns the canonical path of a file, which need not exist; `None` if its folder does
/// not exist.
fn canonical_path(path: &Path) -> Option<PathBuf> {
    path.canonicalize().ok().or_else(|| {
        let parent = folder_of(path).canonicalize().ok()?;
        Some(parent.join(path.file_name()?))
    })
}

/// Whether two paths mean the same file, which need not exist, or are hard links to the same
/// bytes.
pub(crate) fn is_same(one: &Path, other: &Path) -> bool {
    let id = |path: &Path| identity(&path.metadata().ok().filter(fs::Metadata::is_file)?);
    one == other
        || canonical_path(one).is_some_and(|it| Some(it) == canonical_path(other))
        || id(one).is_some_and(|it| Some(it) == id(other))
}

const DRAFT_SUFFIX: &str = ".part";

/// Writes the whole file under a temporary name beside its place. This draft is locked,
/// unlike those that killed processes have left.
fn write_draft(path: &Path, bytes: &[u8]) -> io::Result<NamedTempFile> {
    let folder = folder_of(path);
    let mut prefix = path.file_name().unwrap_or_default().to_owned();
    prefix.push(".totemic-");
    remove_abandoned(folder, &prefix);
    let draft = loop {
        // Whoever may read this user's files may read this one, unlike a file of
        // `tempfile_in`.
        let make = |path: &Path| File::create_new(path);
        let draft = Builder::new()
            .prefix(&prefix)
            .suffix(DRAFT_SUFFIX)
            .make_in(folder, make)?;
        // Not every file system has locks. On one that has, somebody else may have taken
        // the draft for an abandoned one before it was locked.
        let _ = draft.as_file().lock();
        if draft.path().exists() {
            break draft;
        }
    };
    let mut file = draft.as_file();
    file.write_all(bytes)?;
    file.sync_all()?;
    Ok(draft)
}

/// Removes drafts whose writers were killed and whose names begin with `prefix`.
pub(crate) fn remove_abandoned(folder: &Path, prefix: &OsStr) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.as_encoded_bytes();
        let is_draft =
            name.starts_with(prefix.as_encoded_bytes()) && name.ends_with(DRAFT_SUFFIX.as_bytes());
        if is_draft
            && let Ok(file) = open(&entry.path())
            && file.try_lock().is_ok()
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_written_whole_and_leaves_nothing_beside_it() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("f");
        let theirs = dir.path().join("f.backup.part");
        fs::write(&theirs, "of somebody else").expect("written");
        fs::write(dir.path().join("f.totemic-a1b2c3.part"), "abandoned").expect("written");
        write(&path, b"one", false).expect("new");
        let refused = write(&path, b"two", false).expect_err("there already");
        assert_eq!(refused.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&path).expect("there"), b"one");
        let other = write_draft(&path, b"").expect("another writer");
        replace(&path, b"three").expect("replaced");
        assert!(other.path().exists(), "it is being written");
        drop(other);
        assert_eq!(fs::read(&path).expect("there"), b"three");
        assert_eq!(fs::read_dir(dir.path()).expect("a directory").count(), 2);
        assert!(theirs.exists());
        write(&dir.path().join("new"), b"", true).expect("new");
        assert!(write(&dir.path().join("no/f"), b"", false).is_err());
        let folder = dir.path().join("no/");
        assert!(check_writable(&folder).is_err(), "the name of a folder");
        assert!(write(&folder, b"", false).is_err() && write(&folder, b"", true).is_err());
        assert!(!folder.exists() && !dir.path().join("no").exists());
        assert!(replace(dir.path(), b"").is_err());
        assert!(is_same(&path, &dir.path().join("./f")));
        assert!(!is_same(&path, &dir.path().join("new")));
    }

    #[cfg(unix)]
    #[test]
    fn behind_a_link_is_the_file_that_is_replaced() {
        let dir = tempfile::tempdir().expect("a directory");
        let (file, link) = (dir.path().join("f"), dir.path().join("l"));
        fs::write(&file, b"one").expect("written");
        std::os::unix::fs::symlink(&file, &link).expect("a link");
        assert!(is_same(&file, &link));
        replace(&link, b"two").expect("replaced");
        assert_eq!(fs::read(&file).expect("there"), b"two");
        assert!(link.is_symlink());
    }
}
