//! The command of an engine, resolved once.

use std::io;
use std::path::{self, Path, PathBuf};
use std::process::{Command, Stdio};

use super::group;
use super::guard;
use super::spec::{EngineCommand, EngineSpec};
use totemic_engine::text::quoted;

#[derive(Clone, Debug)]
pub(crate) struct Launch {
    program: PathBuf,
    args: Vec<String>,
    dir: Option<PathBuf>,
}

impl Launch {
    pub(crate) fn new(spec: &EngineSpec, game: &str) -> Result<Self, String> {
        let words = |key: &str, text: &str| {
            split_words(text).map_err(|why| format!("{}: {why}", quoted(&format!("{key}={text}"))))
        };
        let extra = words("args", &spec.args)?;
        let dir = spec.dir.as_ref().map(PathBuf::from);
        let (program, mut args) = match &spec.cmd {
            EngineCommand::ThisProgram => {
                let program = std::env::current_exe()
                    .map_err(|why| format!("'cmd=self': cannot find this program: {why}"))?;
                let args = ["--game", game, "ugi"].map(str::to_owned).to_vec();
                (program, args)
            }
            EngineCommand::Program(file) if Path::new(file).is_file() => {
                (PathBuf::from(file), Vec::new())
            }
            EngineCommand::Program(text) => {
                let mut words = words("cmd", text)?.into_iter();
                let program = words.next().ok_or("'cmd=': expected a program")?;
                (PathBuf::from(program), words.collect())
            }
            EngineCommand::Random | EngineCommand::Greedy => {
                return Err(format!(
                    "'cmd={}': this is not a program, and plays only in matches",
                    spec.cmd
                ));
            }
        };
        args.extend(extra);
        Ok(Self {
            program: absolute(&program, dir.as_deref()),
            args,
            dir,
        })
    }

    /// Returns the files that make the program what it is: its own, and after a bare name
    /// such as `python3` the script that it runs.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        if !is_bare(&self.program) {
            return vec![self.program.clone()];
        }
        let path = std::env::var_os("PATH").unwrap_or_default();
        let mut paths = std::env::split_paths(&path).map(|dir| dir.join(&self.program));
        let script = self.args.iter().find(|arg| !arg.starts_with('-'));
        let script = script.map(|arg| self.dir.clone().unwrap_or_default().join(arg));
        let files = paths.find(|path| path.is_file()).into_iter().chain(script);
        files.filter(|path| path.is_file()).collect()
    }

    /// Returns why the engine cannot be started, as far as that is known without trying.
    pub(crate) fn missing(&self) -> Option<String> {
        self.missing_directory().or_else(|| {
            let program = quoted(&self.program.to_string_lossy());
            Some(format!("cmd={program}: {}", self.unfit()?))
        })
    }

    /// Improves the error of a failed start: it names the directory or the program if one
    /// of them is the reason.
    pub(crate) fn explained(&self, why: io::Error) -> io::Error {
        use io::ErrorKind::{NotADirectory, NotFound, PermissionDenied};
        let is_to_blame = matches!(why.kind(), NotFound | NotADirectory | PermissionDenied);
        let reason = || self.missing_directory().or_else(|| self.unfit());
        match is_to_blame.then(reason).flatten() {
            Some(reason) => io::Error::new(why.kind(), reason),
            None => why,
        }
    }

    /// Returns why the program cannot be run, as far as that is known without trying.
    fn unfit(&self) -> Option<String> {
        if !is_bare(&self.program) {
            return fault(&self.program).map(str::to_owned);
        }
        let path = std::env::var_os("PATH").filter(|_| cfg!(unix))?;
        let mut faults = std::env::split_paths(&path).map(|dir| fault(&dir.join(&self.program)));
        let is_here = self.program.is_file();
        (!faults.any(|why| why.is_none())).then(|| match is_here {
            true => {
                let here = Path::new(".").join(&self.program);
                let here = quoted(&here.to_string_lossy());
                format!("there is no such program on the search path; expected {here} for the file")
            }
            false => "there is no such program".to_owned(),
        })
    }

    pub(crate) fn missing_directory(&self) -> Option<String> {
        let dir = self.dir.as_deref().filter(|dir| !dir.is_dir())?;
        Some(format!(
            "dir={}: there is no such directory",
            quoted(&dir.to_string_lossy())
        ))
    }

    /// Makes the command, with pipes and in a new process group.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command
            .args(&self.args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(dir) = &self.dir {
            command.current_dir(dir);
        }
        group::lead(&mut command);
        guard::mark(&mut command);
        command
    }
}

/// Splits a command into words, quoted as in a shell; on Windows backslashes are parts of
/// paths.
pub(crate) fn split_words(text: &str) -> Result<Vec<String>, shell_words::ParseError> {
    match cfg!(windows) {
        true => shell_words::split(&text.replace('\\', r"\\")),
        false => shell_words::split(text),
    }
}

/// Returns why a file cannot be run, if that is known.
fn fault(program: &Path) -> Option<&'static str> {
    match program.metadata() {
        Err(why) if why.kind() == io::ErrorKind::PermissionDenied => None,
        Err(_) => Some("there is no such program"),
        Ok(data) if data.is_dir() => Some("it is a directory, expected a program"),
        Ok(data) if !data.is_file() => Some("it is not a regular file, expected a program"),
        #[cfg(unix)]
        Ok(data) if std::os::unix::fs::PermissionsExt::mode(&data.permissions()) & 0o111 == 0 => {
            Some("it is a file that may not be executed, expected a program")
        }
        Ok(_) => None,
    }
}

/// Makes a path absolute. A path with a directory in it is looked up here, then in the
/// child's directory; on Windows it need not end in `.exe`. A bare name is left to the
/// system's search. A link is not resolved, because the program behind it may look at the
/// name by which it was started.
fn absolute(program: &Path, dir: Option<&Path>) -> PathBuf {
    if is_bare(program) {
        return program.to_owned();
    }
    let whole = match program.extension() {
        Some(_) => program.to_owned(),
        None => program.with_extension(std::env::consts::EXE_EXTENSION),
    };
    [Some(Path::new(".")), dir]
        .into_iter()
        .flatten()
        .flat_map(|base| [base.join(&whole), base.join(program)])
        .find_map(|path| path::absolute(path).ok().filter(|path| path.exists()))
        .unwrap_or_else(|| program.to_owned())
}

fn is_bare(program: &Path) -> bool {
    program.components().count() < 2 && !program.starts_with(".") && !program.has_root()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_started_by_its_own_name() {
        let dir = tempfile::tempdir().expect("a directory");
        let link = dir.path().join("engine-1.2");
        std::os::unix::fs::symlink("/bin/sh", &link).expect("a link");
        assert_eq!(absolute(&link, None), link);
        assert_eq!(absolute(Path::new("./engine-1.2"), Some(dir.path())), link);
    }
}
