//! Running the program and the engine that misbehaves.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

pub use crate::program::{Folder, stderr, stdout, totemic};
use serde_json::Value;

/// Two players for whom it does not matter.
pub const PLAYERS: &str = "--engine cmd=random --engine cmd=random";

impl Folder {
    /// The games of a journal.
    pub fn games(&self, journal: &str) -> Vec<Value> {
        games(&self.path(journal))
    }
}

/// The engine that misbehaves on demand; built here if this test runs alone.
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

/// A token `cmd=…` for it.
pub fn mock(args: &str) -> String {
    format!("cmd='{}' {args}", mock_engine().display())
}

/// Runs `totemic match` with these arguments in `dir`.
pub fn play(dir: &Path, args: &[&str]) -> Output {
    totemic()
        .current_dir(dir)
        .arg("match")
        .args(args)
        .output()
        .expect("it starts")
}

/// The games of a journal.
pub fn games(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).expect("a journal");
    text.lines()
        .skip(1)
        .map(|line| serde_json::from_str(line).expect("a game"))
        .collect()
}

/// Processes whose command line or working directory names `dir`.
pub fn left_behind(dir: &Path) -> Vec<String> {
    let needle = dir.to_string_lossy().into_owned();
    let Ok(entries) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for entry in entries.flatten() {
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

/// Waits a moment for the last processes to go, and says which stay.
pub fn stay(dir: &Path) -> Vec<String> {
    for _ in 0..40 {
        if left_behind(dir).is_empty() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    left_behind(dir)
}
