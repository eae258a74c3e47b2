//! Files and folders that arguments name, and the errors for those that cannot be used.

use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::{CliResult, Failure};
use crate::storage::journal::{Contents, JournalError};
use crate::storage::{Existing, folder_of, has_name_of_folder, is_same, is_taken, write};
use totemic_engine::file::{self, MAX_BYTES, MAX_LINE, MAX_TEXT, reason};
use totemic_engine::text::quoted_path;
use totemic_games::record::reader::ReadError;

/// A file that is read piece by piece, or stdin for `-`; its errors name the file.
pub(super) struct Input {
    name: String,
    expected: &'static str,
    from: Box<dyn Read + Send>,
}

impl Input {
    /// Opens a file; if it does not exist, the error says what was `expected`.
    pub(super) fn open(path: &Path, expected: &'static str) -> Result<Self, Failure> {
        if path.as_os_str() == "-" {
            return Ok(Self {
                name: "'-' (standard input)".to_owned(),
                expected,
                from: Box::new(io::stdin()),
            });
        }
        let file = file::open(path).map_err(|why| match why.kind() {
            io::ErrorKind::InvalidInput => read_error(path, format_args!("{why}, or - for stdin")),
            _ => io_read_error(path, &why, expected),
        });
        Ok(Self::file(path, file?, expected))
    }

    fn file(path: &Path, file: File, expected: &'static str) -> Self {
        Self {
            name: quoted_path(path),
            expected,
            from: Box::new(file),
        }
    }

    /// Reads the bytes of a text, which need not be UTF-8.
    pub(super) fn bytes(self) -> Result<Vec<u8>, Failure> {
        let expected = self.expected;
        let bytes = file::read_from(self.from, MAX_TEXT);
        let why = match bytes.map(|bytes| (file::overlong_line(&bytes), bytes)) {
            Ok((_, bytes)) if bytes.contains(&0) => format!("it is not text; expected {expected}"),
            Ok((None, bytes)) => return Ok(bytes),
            Ok((Some(line), _)) => format!("line {line} has more than {} MiB", MAX_LINE >> 20),
            Err(why) => read_error_text(&why, expected),
        };
        Err(failure!("cannot read {}: {why}", self.name))
    }

    pub(super) fn text(self) -> Result<String, Failure> {
        let name = self.name.clone();
        String::from_utf8(self.bytes()?).or_else(|why| {
            let bytes = why.as_bytes();
            if bytes.trim_ascii_start().starts_with(b"[") {
                // The standard of PGN has Latin-1, where each byte is a character.
                return Ok(bytes.iter().copied().map(char::from).collect());
            }
            let before = &bytes[..why.utf8_error().valid_up_to()];
            let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
            Err(failure!(
                "cannot read {name}: line {line} is not UTF-8 text"
            ))
        })
    }
}

impl Read for Input {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.from.read(bytes).map_err(|why| {
            let text = format!("cannot read {}: {}", self.name, reason(&why));
            io::Error::new(why.kind(), text)
        })
    }
}

pub(super) fn read_text(path: &Path, expected: &'static str) -> Result<String, Failure> {
    let file = file::open(path).map_err(|why| io_read_error(path, &why, expected))?;
    Input::file(path, file, expected).text()
}

pub(super) fn read(path: &Path, expected: &str) -> Result<Vec<u8>, Failure> {
    file::read(path, MAX_BYTES).map_err(|why| io_read_error(path, &why, expected))
}

/// An option with the file that it names for output.
pub(super) type Output<'a> = (&'static str, Option<&'a PathBuf>);

/// Like [`check_distinct`]; the files must also be writable and, unless one `replaces` them, new.
pub(super) fn check_outputs(
    outputs: &[Output<'_>],
    inputs: &[impl AsRef<Path>],
    replaces: bool,
) -> CliResult {
    check_distinct(outputs, inputs)?;
    let mut paths = outputs.iter().filter_map(|(_, path)| *path);
    paths.try_for_each(|path| match !replaces && is_taken(path) {
        true => Err(exists_error(path)),
        false => check_writable(path),
    })
}

/// Refuses an output that is also an input, this program, or the file of another option.
pub(super) fn check_distinct(outputs: &[Output<'_>], inputs: &[impl AsRef<Path>]) -> CliResult {
    let given = outputs
        .iter()
        .filter_map(|&(option, path)| Some((option, path?)));
    let outputs = Vec::from_iter(given);
    let program = std::env::current_exe().ok();
    for (at, &(option, path)) in outputs.iter().enumerate() {
        let is_it = |other: &Path| is_same(other, path);
        let mut read = inputs.iter().map(AsRef::as_ref).chain(program.as_deref());
        let is_read = read.any(is_it);
        let same = match outputs[..at].iter().find(|(_, other)| is_it(other)) {
            _ if is_read => "read".to_owned(),
            Some((other, _)) => format!("the file of {other}"),
            None => continue,
        };
        let name = quoted_path(path);
        return Err(usage!(
            "{option} {name}: it is also {same}, expected another file"
        ));
    }
    Ok(())
}

pub(super) fn check_writable(path: &Path) -> CliResult {
    crate::storage::check_writable(path).map_err(|why| write_error(path, &why))
}

/// Writes a file in one step, so that it is never half written.
pub(super) fn write_whole(path: &Path, bytes: &[u8], replaces: bool) -> CliResult {
    write(path, bytes, replaces).map_err(|why| write_error(path, &why))
}

/// Makes a folder if it does not exist, for an option that wants `expected`.
pub(super) fn make_folder(option: &str, path: &Path, expected: &str) -> CliResult {
    // For the name of a file with a slash after it, the system's errors are misleading.
    let path: &Path = &path.components().collect::<PathBuf>();
    fs::create_dir_all(path).map_err(|why| {
        let shown = quoted_path(path);
        Failure::Work(match path.metadata() {
            Ok(data) if !data.is_dir() => {
                let kind = file::kind_in_words(data.file_type());
                format!("{option} {shown}: it is {kind}; expected {expected}")
            }
            _ => {
                let why = write_error_text(path, &why);
                format!("{option} {shown}: cannot make the folder: {why}")
            }
        })
    })
}

pub(super) fn read_error(path: &Path, why: impl Display) -> Failure {
    failure!("cannot read {}: {why}", quoted_path(path))
}

/// Makes the failure of reading a file; `expected` says what the file should have been.
pub(super) fn io_read_error(path: &Path, why: &io::Error, expected: &str) -> Failure {
    read_error(path, read_error_text(why, expected))
}

pub(super) fn read_error_text(why: &io::Error, expected: &str) -> String {
    use io::ErrorKind::{IsADirectory, NotADirectory, NotFound};
    match why.kind() {
        NotFound | NotADirectory | IsADirectory => format!("{}; expected {expected}", reason(why)),
        _ => reason(why),
    }
}

/// What the options `--resume` and `--force` want to be done with a journal.
pub(super) const fn existing(resume: bool, force: bool) -> Existing {
    match (resume, force) {
        (true, _) => Existing::Resume,
        (false, true) => Existing::Replace,
        (false, false) => Existing::Refuse,
    }
}

pub(super) fn journal_error(error: JournalError, expected: &str) -> Failure {
    match error {
        JournalError::Io { path, source } => io_read_error(&path, &source, expected),
        error => failure!("{error}"),
    }
}

pub(super) fn journal_write_error(error: JournalError) -> Failure {
    match error {
        JournalError::Io { path, source } => write_error(&path, &source),
        error => failure!("{error}"),
    }
}

/// Says that a journal ends in the middle of a game.
pub(super) fn tell_cut_off<H>(path: &Path, contents: &Contents<H>) {
    if contents.cut_off_bytes > 0 {
        let (line, path) = (contents.games.len() + 2, quoted_path(path));
        let cut = ReadError::cut_off(line, contents.cut_off_bytes);
        say!("journal {path}, {cut}");
    }
}

pub(super) fn content_error(path: &Path, why: impl Display) -> Failure {
    failure!("{}: {why}", quoted_path(path))
}

pub(super) fn write_error(path: &Path, why: &io::Error) -> Failure {
    let why = write_error_text(path, why);
    failure!("cannot write {}: {why}", quoted_path(path))
}

pub(super) fn write_error_text(path: &Path, why: &io::Error) -> String {
    use io::ErrorKind::{AlreadyExists, NotADirectory, NotFound};
    match why.kind() {
        // An error with its own text says more.
        _ if why.get_ref().is_some() => why.to_string(),
        _ if has_name_of_folder(path) && !path.is_dir() => {
            "this is the name of a directory, expected the name of a file".to_owned()
        }
        NotFound | NotADirectory => no_place_text(path),
        AlreadyExists if !path.is_dir() => {
            "the file exists already, expected a new name".to_owned()
        }
        AlreadyExists => "it is a directory".to_owned(),
        _ => reason(why),
    }
}

/// Says why the system does not find the place of a file.
fn no_place_text(path: &Path) -> String {
    let folder = folder_of(path);
    let shown = quoted_path(folder);
    match folder.metadata() {
        Ok(data) if data.is_dir() && path.is_symlink() => {
            "it is a link to a place that does not exist".to_owned()
        }
        Ok(data) if data.is_dir() => format!("no new files can be made in {shown}"),
        Ok(_) => format!("{shown} is not a directory"),
        Err(_) => format!("there is no directory {shown}"),
    }
}

pub(super) fn exists_error(path: &Path) -> Failure {
    failure!(
        "{} exists: add --force to replace it, or choose another file",
        quoted_path(path)
    )
}

/// Returns why a path can be neither read nor replaced as a file, for example a folder.
pub(super) fn obstacle(path: &Path) -> Option<String> {
    file::check_regular(path).err().map(|why| reason(&why))
}

/// Returns the path that a name means: `~/` is the home directory.
pub(super) fn expand_tilde(name: &str) -> PathBuf {
    match name.strip_prefix("~/").zip(etcetera::home_dir().ok()) {
        Some((rest, home)) => home.join(rest),
        None => name.into(),
    }
}

pub(super) fn complete_path(typed: &str) -> Vec<String> {
    let (dir, begun) = typed.split_at(typed.rfind(std::path::is_separator).map_or(0, |at| at + 1));
    let entries = fs::read_dir(expand_tilde(if dir.is_empty() { "./" } else { dir }));
    let named = |entry: fs::DirEntry| {
        let name = entry.file_name().into_string().ok()?;
        let is_hidden = name.starts_with('.') && begun.is_empty();
        let end = if entry.path().is_dir() { "/" } else { "" };
        (name.starts_with(begun) && !is_hidden).then(|| format!("{dir}{name}{end}"))
    };
    let entries = entries.into_iter().flatten().flatten();
    let mut names: Vec<String> = entries.filter_map(named).collect();
    names.sort();
    names
}
