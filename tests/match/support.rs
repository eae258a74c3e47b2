//! Runs the program, and the engine that misbehaves.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::OnceLock;

pub use crate::program::{Folder, assert_has, stderr, stdout, totemic};
use serde_json::Value as Json;

/// Two players, for tests in which it does not matter who plays.
pub const PLAYERS: &str = "--engine cmd=random --engine cmd=random";

impl Folder {
    pub fn games(&self, journal: &str) -> Vec<Json> {
        let text = self.read(journal);
        let games = text.lines().skip(1).map(serde_json::from_str);
        games.map(|game| game.expect("a game")).collect()
    }

    pub fn reasons(&self, journal: &str) -> Vec<String> {
        let reason = |game: &Json| game["reason"].as_str().expect("one").to_owned();
        self.games(journal).iter().map(reason).collect()
    }

    /// Fails if there is still a process whose command line or working directory names the folder.
    pub fn assert_nothing_runs(&self) {
        for _ in 0..40 {
            if left_behind(self.at()).is_empty() {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        assert_eq!(left_behind(self.at()), Vec::<String>::new());
    }
}

/// Returns a folder with a file of two openings, `two`.
pub fn with_openings() -> Folder {
    let dir = Folder::new();
    dir.write("two", "startpos\nc5b6y\n");
    dir
}

/// Returns the moves of a game that the engines made.
pub fn moves(game: &Json) -> Vec<&str> {
    let moves = game["moves"].as_array().expect("moves").iter();
    moves.map(|mv| mv["m"].as_str().expect("a move")).collect()
}

/// What a match says on stderr, as it comes.
pub fn progress(match_: &mut Child) -> impl Iterator<Item = String> + use<> {
    let stderr = match_.stderr.take().expect("a pipe");
    BufReader::new(stderr).lines().map_while(Result::ok)
}

/// The engine that misbehaves on demand; it is built here if this test runs alone.
pub fn mock_engine() -> &'static Path {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| {
        let own = std::env::current_exe().expect("a path");
        let target = own.ancestors().nth(2).expect("target/PROFILE/deps");
        let path = target
            .join("examples/mock_engine")
            .with_extension(std::env::consts::EXE_EXTENSION);
        if !path.exists() {
            let mut build = Command::new(env!("CARGO"));
            build.args(["build", "--example", "mock_engine"]);
            if target.ends_with("release") {
                build.arg("--release");
            }
            assert!(build.status().expect("cargo").success());
        }
        path
    })
}

/// Returns the option for this engine; keys such as `name=a` may be appended.
pub fn mock(args: &str) -> String {
    format!("--engine \"cmd='{}' {args}\"", mock_engine().display())
}

fn left_behind(dir: &Path) -> Vec<String> {
    let needle = dir.to_string_lossy().into_owned();
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let path = entry.path();
        let line = std::fs::read(path.join("cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line).replace('\0', " ");
        let cwd = std::fs::read_link(path.join("cwd")).unwrap_or_default();
        if line.contains(&needle) || cwd.to_string_lossy().contains(&needle) {
            found.push(line);
        }
    }
    found
}
