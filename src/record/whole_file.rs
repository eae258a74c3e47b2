//! Files that are there only when they are whole: whatever ends the program
//! while it writes, nobody finds half of one.

use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Writes a file, over another one if need be. What is there and no regular
/// file, such as a device, is written to as it is; of a link, the file that it
/// leads to.
///
/// # Errors
/// When the file system refuses; the file is then as it was.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    check_name(path)?;
    if fs::metadata(path).is_ok_and(|data| !data.is_file()) {
        return write_to_device(path, bytes);
    }
    let target = place(path);
    let path = target.as_deref().unwrap_or(path);
    let draft = draft(path, |file| file.write_all(bytes))?;
    fs::rename(&draft, path).inspect_err(|_| drop(fs::remove_file(&draft)))
}

/// Refuses a name that ends as that of a directory does: what follows it the system
/// would take for a name within.
fn check_name(path: &Path) -> io::Result<()> {
    match has_name_of_folder(path) {
        true => Err(io::ErrorKind::IsADirectory.into()),
        false => Ok(()),
    }
}

/// Whether a name ends as only that of a directory may.
#[must_use]
pub fn has_name_of_folder(path: &Path) -> bool {
    path.to_string_lossy().ends_with(std::path::is_separator)
}

/// Writes to what is there and no regular file, unless that is a pipe that nobody
/// reads: a write would wait for somebody to come.
fn write_to_device(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    {
        use nix::fcntl::{FcntlArg, OFlag, fcntl};
        use nix::libc::ENXIO;
        use std::os::unix::fs::OpenOptionsExt;

        let file = options.custom_flags(OFlag::O_NONBLOCK.bits()).open(path);
        let mut file = file.map_err(|why| match why.raw_os_error() {
            Some(ENXIO) => io::Error::other("nobody reads from this pipe"),
            _ => why,
        })?;
        fcntl(&file, FcntlArg::F_SETFL(OFlag::empty()))?;
        file.write_all(bytes)
    }
    #[cfg(not(unix))]
    options.open(path)?.write_all(bytes)
}

/// The folder that a file is or would be made in, by its name.
#[must_use]
pub fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// Where a file is or would be made, by whatever name; `None` where it cannot be.
fn place(path: &Path) -> Option<PathBuf> {
    path.canonicalize().ok().or_else(|| {
        let parent = folder_of(path).canonicalize().ok()?;
        Some(parent.join(path.file_name()?))
    })
}

/// Whether two names mean one file, there or not.
#[must_use]
pub fn is_same(one: &Path, other: &Path) -> bool {
    one == other || place(one).is_some_and(|it| Some(it) == place(other))
}

/// Whether a file can be written in a place, asked before long work for it.
///
/// # Errors
/// What the file system says.
pub fn check(path: &Path) -> io::Result<()> {
    check_name(path)?;
    match fs::metadata(path) {
        Ok(data) if data.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(data) if !data.is_file() => Ok(()),
        _ => {
            let target = place(path);
            let nothing = |_: &mut dyn Write| Ok::<_, io::Error>(());
            fs::remove_file(draft(target.as_deref().unwrap_or(path), nothing)?)
        }
    }
}

/// Writes a file that is not there yet, or over another one where it
/// `replaces` what is there.
///
/// # Errors
/// [`io::ErrorKind::AlreadyExists`], also where somebody makes the file
/// meanwhile; or what the file system says.
pub fn write(path: &Path, bytes: &[u8], replaces: bool) -> io::Result<()> {
    if replaces {
        replace(path, bytes)
    } else {
        create(path, |file| file.write_all(bytes))
    }
}

/// Writes a file that is not there yet, piece by piece.
///
/// # Errors
/// Those of [`write()`], and what `pieces` says.
pub fn create<E: From<io::Error>>(
    path: &Path,
    pieces: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<(), E> {
    check_name(path)?;
    if fs::symlink_metadata(path).is_ok() {
        return Err(io::Error::from(io::ErrorKind::AlreadyExists).into());
    }
    let draft = draft(path, pieces)?;
    // Unlike a renamed file, a linked one never takes the place of another.
    let linked = fs::hard_link(&draft, path);
    let done = match linked {
        // Some file systems have no links.
        Err(why) if why.kind() != io::ErrorKind::AlreadyExists => fs::rename(&draft, path),
        linked => fs::remove_file(&draft).and(linked),
    };
    done.map_err(E::from)
}

/// The whole file beside its place. The number of the process and one by chance
/// keep two apart that write the same file, on one machine or on several.
fn draft<E: From<io::Error>>(
    path: &Path,
    pieces: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<PathBuf, E> {
    let mut draft = path.as_os_str().to_owned();
    let chance = RandomState::new().hash_one(0);
    draft.push(format!(".{}-{chance:016x}.part", std::process::id()));
    let draft = PathBuf::from(draft);
    let write = || {
        let mut file = BufWriter::new(File::create(&draft)?);
        pieces(&mut file)?;
        file.flush()?;
        Ok(file.get_ref().sync_all()?)
    };
    match write() {
        Ok(()) => Ok(draft),
        Err(why) => {
            // What is there of it is of no use, and the disk may be full.
            drop(fs::remove_file(&draft));
            Err(why)
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
        write(&path, b"one", false).expect("new");
        let refused = write(&path, b"two", false).expect_err("there already");
        assert_eq!(refused.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&path).expect("there"), b"one");
        replace(&path, b"three").expect("replaced");
        assert_eq!(fs::read(&path).expect("there"), b"three");
        assert_eq!(fs::read_dir(dir.path()).expect("a directory").count(), 1);
        write(&dir.path().join("new"), b"", true).expect("new");
        assert!(write(&dir.path().join("no/f"), b"", false).is_err());
        let folder = dir.path().join("no/");
        assert!(check(&folder).is_err(), "the name of a folder");
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

    #[cfg(unix)]
    #[test]
    fn a_pipe_that_nobody_reads_is_refused() {
        use std::io::Read;
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("pipe");
        nix::unistd::mkfifo(&path, nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
        let why = write(&path, b"text", true).expect_err("nobody reads");
        assert!(why.to_string().contains("nobody reads"), "{why}");
        let reader = std::thread::spawn({
            let path = path.clone();
            move || {
                let mut text = String::new();
                let read = File::open(path).and_then(|mut pipe| pipe.read_to_string(&mut text));
                read.map(|_| text)
            }
        });
        while write(&path, b"text", true).is_err() {
            std::thread::yield_now();
        }
        let text = reader.join().expect("it ends").expect("it is read");
        assert_eq!(text, "text");
    }
}
