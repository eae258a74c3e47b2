//! Files and folders of arguments, and what is said of those that cannot be used.

use std::fmt::Display;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::{CliResult, Failure};
use crate::file::{self, LARGEST, LARGEST_TEXT, LONGEST_LINE, reason};
use crate::game::quoted_path;
use crate::record::journal::JournalError;

/// The failure of opening a file in whose place stdin can be read.
fn not_opened(path: &Path, why: &io::Error, expected: &str) -> Failure {
    match why.kind() {
        io::ErrorKind::InvalidInput => unreadable(path, format_args!("{why}, or - for stdin")),
        _ => not_read(path, why, expected),
    }
}

/// What stdin is called where it stands in the place of a file.
const STDIN: &str = "'-' (standard input)";

/// Whether a file's name stands for the standard input.
fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// A file that is read piece by piece, or stdin for `-`; its errors name it.
pub(super) struct Input {
    name: String,
    from: Box<dyn Read + Send>,
}

impl Input {
    /// Opens a file; where there is none, the error says what was `expected`.
    pub(super) fn open(path: &Path, expected: &str) -> Result<Self, Failure> {
        let from: Box<dyn Read + Send> = match is_stdin(path) {
            true => Box::new(io::stdin()),
            false => Box::new(file::open(path).map_err(|why| not_opened(path, &why, expected))?),
        };
        let name = shown(path);
        Ok(Self { name, from })
    }
}

impl Read for Input {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.from.read(bytes).map_err(|why| {
            let told = format!("cannot read {}: {}", self.name, reason(&why));
            io::Error::new(why.kind(), told)
        })
    }
}

/// The bytes of a text file, or of stdin for `-`, which need not be UTF-8.
pub(super) fn read_or_stdin(path: &Path, expected: &str) -> Result<Vec<u8>, Failure> {
    let bytes = match is_stdin(path) {
        true => file::read_from(io::stdin().lock(), LARGEST_TEXT).map_err(|why| {
            let why = reason(&why);
            Failure::Work(format!("cannot read {STDIN}: {why}; expected {expected}"))
        }),
        false => file::read(path, LARGEST_TEXT).map_err(|why| not_opened(path, &why, expected)),
    };
    check_lines(path, bytes?)
}

/// A file's bytes.
pub(super) fn read(path: &Path, expected: &str) -> Result<Vec<u8>, Failure> {
    file::read(path, LARGEST).map_err(|why| not_read(path, &why, expected))
}

/// The bytes of a file that need not be there.
pub(super) fn read_if_there(path: &Path, expected: &str) -> Result<Option<Vec<u8>>, Failure> {
    match path.metadata() {
        Err(why) if why.kind() == io::ErrorKind::NotFound => Ok(None),
        _ => read(path, expected).map(Some),
    }
}

/// The text of a file, or of stdin for `-`.
pub(super) fn text_or_stdin(path: &Path, expected: &str) -> Result<String, Failure> {
    decoded(path, read_or_stdin(path, expected)?)
}

/// The text of a file.
pub(super) fn read_text(path: &Path, expected: &str) -> Result<String, Failure> {
    let bytes = file::read(path, LARGEST_TEXT).map_err(|why| not_read(path, &why, expected))?;
    decoded(path, check_lines(path, bytes)?)
}

/// A file as errors call it.
fn shown(path: &Path) -> String {
    match is_stdin(path) {
        true => STDIN.to_owned(),
        false => quoted_path(path),
    }
}

/// Refuses lines that would take too much memory.
fn check_lines(path: &Path, bytes: Vec<u8>) -> Result<Vec<u8>, Failure> {
    match file::overlong_line(&bytes) {
        None => Ok(bytes),
        Some(line) => Err(Failure::Work(format!(
            "cannot read {}: line {line} has more than {} MiB",
            shown(path),
            LONGEST_LINE >> 20
        ))),
    }
}

fn decoded(path: &Path, bytes: Vec<u8>) -> Result<String, Failure> {
    String::from_utf8(bytes).map_err(|why| {
        let before = &why.as_bytes()[..why.utf8_error().valid_up_to()];
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        Failure::Work(format!(
            "cannot read {}: line {line} is not UTF-8 text",
            shown(path)
        ))
    })
}

/// Checks that a file can be written, before long work for it.
pub(super) fn check_writable(path: &Path) -> CliResult {
    file::check_writable(path).map_err(|why| unwritable(path, &why))
}

/// Writes a file that is there only when it is whole.
pub(super) fn write_whole(path: &Path, bytes: &[u8], replaces: bool) -> CliResult {
    file::write(path, bytes, replaces).map_err(|why| unwritable(path, &why))
}

/// Makes a folder where there is none, for an option that wants `expected`.
pub(super) fn make_folder(option: &str, path: &Path, expected: &str) -> CliResult {
    // Of a file with a slash behind its name the system says the oddest things.
    let path: &Path = &path.components().collect::<PathBuf>();
    fs::create_dir_all(path).map_err(|why| {
        let shown = quoted_path(path);
        Failure::Work(match path.metadata() {
            Ok(data) if !data.is_dir() => {
                let kind = file::kind(data.file_type());
                format!("{option} {shown}: it is {kind}; expected {expected}")
            }
            _ => format!(
                "{option} {shown}: cannot make the folder: {}",
                not_written(path, &why)
            ),
        })
    })
}

/// The failure of reading a file.
pub(super) fn unreadable(path: &Path, why: impl Display) -> Failure {
    Failure::Work(format!("cannot read {}: {why}", quoted_path(path)))
}

/// The failure of reading a file by what the system said, with what was `expected` where
/// there is none.
pub(super) fn not_read(path: &Path, why: &io::Error, expected: &str) -> Failure {
    unreadable(path, why_not_read(why, expected))
}

/// Why a file could not be read, in words, with what was `expected` where there is none.
pub(super) fn why_not_read(why: &io::Error, expected: &str) -> String {
    use io::ErrorKind::{IsADirectory, NotADirectory, NotFound};
    match why.kind() {
        NotFound | NotADirectory | IsADirectory => format!("{}; expected {expected}", reason(why)),
        _ => reason(why),
    }
}

/// The failure of reading a journal.
pub(super) fn journal_not_read(error: JournalError) -> Failure {
    match error {
        JournalError::Io { path, source } => not_read(&path, &source, "the journal of a match"),
        error => Failure::Work(error.to_string()),
    }
}

/// The failure of a file that was read and holds something wrong.
pub(super) fn wrong(path: &Path, why: impl Display) -> Failure {
    Failure::Work(format!("{}: {why}", quoted_path(path)))
}

/// The failure of writing a file.
pub(super) fn unwritable(path: &Path, why: &io::Error) -> Failure {
    let why = not_written(path, why);
    Failure::Work(format!("cannot write {}: {why}", quoted_path(path)))
}

/// Why a file or a folder could not be made, in words.
pub(super) fn not_written(path: &Path, why: &io::Error) -> String {
    use io::ErrorKind::{AlreadyExists, NotADirectory, NotFound};
    match why.kind() {
        // Whoever gave it words of its own knows better.
        _ if why.get_ref().is_some() => why.to_string(),
        _ if file::has_name_of_folder(path) && !path.is_dir() => {
            "its name is that of a directory, expected that of a file".to_owned()
        }
        NotFound | NotADirectory => no_place(path),
        AlreadyExists if !path.is_dir() => {
            "there is such a file already, expected a new name".to_owned()
        }
        AlreadyExists => "it is a directory".to_owned(),
        _ => reason(why),
    }
}

/// What is wrong with the place of a file that the system does not find.
fn no_place(path: &Path) -> String {
    let folder = file::folder_of(path);
    let shown = quoted_path(folder);
    match folder.metadata() {
        Ok(data) if data.is_dir() && path.is_symlink() => {
            "it is a link to a place that is not there".to_owned()
        }
        Ok(data) if data.is_dir() => format!("{shown} takes no new files"),
        Ok(_) => format!("{shown} is no directory"),
        Err(_) => format!("there is no directory {shown}"),
    }
}

/// The failure of a file that would be replaced unasked.
pub(super) fn exists(path: &Path) -> Failure {
    Failure::Work(format!(
        "{} exists: add --force to replace it, or choose another file",
        quoted_path(path)
    ))
}

/// Why what stands in a place can be neither read nor replaced as a file, such as a folder.
pub(super) fn obstacle(path: &Path) -> Option<String> {
    match file::check_regular(path) {
        Err(why) if why.kind() != io::ErrorKind::NotFound => Some(reason(&why)),
        _ => None,
    }
}

/// Why a path is no folder, if it is none.
pub(super) fn no_folder(path: &Path) -> Option<String> {
    match path.metadata() {
        Ok(data) if data.is_dir() => None,
        Ok(data) => Some(format!("it is {}", file::kind(data.file_type()))),
        Err(_) => Some("there is no such folder".to_owned()),
    }
}
