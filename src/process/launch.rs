//! The command of an engine, resolved once.

#[cfg(feature = "board")]
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::spec::{EngineSpec, SELF};
use crate::game::quoted;

/// How to start an engine, resolved once.
#[derive(Clone, Debug)]
pub struct Launch {
    program: PathBuf,
    args: Vec<String>,
    dir: Option<PathBuf>,
}

impl Launch {
    /// Reads the command of an engine.
    ///
    /// # Errors
    /// A sentence when it cannot be split into words or there is none.
    pub(crate) fn new(spec: &EngineSpec, game: &str) -> Result<Self, String> {
        let words = |key: &str, text: &str| {
            shell_words::split(text)
                .map_err(|why| format!("{}: {why}", quoted(&format!("{key}={text}"))))
        };
        let extra = words("args", &spec.args)?;
        let dir = spec.dir.as_ref().map(PathBuf::from);
        let (program, mut args) = if spec.cmd == SELF {
            let program = std::env::current_exe()
                .map_err(|why| format!("'cmd={SELF}': where this program is: {why}"))?;
            let args = ["--game", game, "ugi"].map(str::to_owned).to_vec();
            (program, args)
        } else if Path::new(&spec.cmd).is_file() {
            (PathBuf::from(&spec.cmd), Vec::new())
        } else {
            let mut words = words("cmd", &spec.cmd)?.into_iter();
            let program = words.next().ok_or("'cmd=': expected a program")?;
            (PathBuf::from(program), words.collect())
        };
        args.extend(extra);
        Ok(Self {
            program: absolute(&program, dir.as_deref()),
            args,
            dir,
        })
    }

    /// Why the engine cannot be started, as far as that is seen without a try.
    #[cfg(feature = "board")]
    pub(crate) fn missing(&self) -> Option<String> {
        if let Some(why) = self.missing_directory() {
            return Some(why);
        }
        let is_on_path = |path: OsString| {
            std::env::split_paths(&path).any(|dir| dir.join(&self.program).is_file())
        };
        let is_there = match is_bare(&self.program) {
            true => cfg!(not(unix)) || std::env::var_os("PATH").is_none_or(is_on_path),
            false => self.program.exists(),
        };
        let program = quoted(&self.program.to_string_lossy());
        (!is_there).then(|| format!("cmd={program}: there is no such program"))
    }

    /// Why the engine has no directory to work in, if it has none.
    pub(crate) fn missing_directory(&self) -> Option<String> {
        let dir = self.dir.as_deref().filter(|dir| !dir.is_dir())?;
        Some(format!(
            "dir={}: there is no such directory",
            quoted(&dir.to_string_lossy())
        ))
    }

    /// The process to be spawned: a group of its own, and pipes.
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
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        command
    }
}

/// A path with a directory in it means the same wherever the child starts:
/// from here, or else from the child's directory. A bare name is searched for
/// by the system.
fn absolute(program: &Path, dir: Option<&Path>) -> PathBuf {
    if is_bare(program) {
        return program.to_owned();
    }
    [Some(Path::new(".")), dir]
        .into_iter()
        .flatten()
        .find_map(|base| base.join(program).canonicalize().ok())
        .unwrap_or_else(|| program.to_owned())
}

/// Whether a program is named without a directory.
fn is_bare(program: &Path) -> bool {
    program.components().count() < 2 && !program.starts_with(".")
}
