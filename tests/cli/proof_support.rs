//! What tests of proofs share: a proof in parts, and verifiers in another language.

use std::ffi::OsStr;
use std::path::{self, Path, PathBuf};
use std::process::Output;

use crate::program::{Folder, in_time, python, stderr, stdout};

/// A set-up on 4x4 squares, before the first move.
pub const START: &str = "x2,b2,b2,b1,b2/x2,b3,b1,b3,b1/x2,w1,w3,w1,w2/x2,w3,w1,w2,w2/x6/x6 b";

/// A folder with the `top` of a proof, its streams in `parts`, and the merged `proof`.
pub struct Proof(pub Folder);

impl Proof {
    pub fn new() -> Self {
        let proof = Self(Folder::new());
        proof.split("");
        proof
    }

    /// Makes the top of a proof that the first side wins; returns its tasks.
    pub fn split(&self, more: &str) -> Vec<String> {
        self.0.stdout_of(&Self::split_line(more));
        self.tasks()
    }

    pub fn split_line(more: &str) -> String {
        format!("certify '{START}' --claim 'p1 wins' --split 4000 --out top --force {more}")
    }

    pub fn tasks(&self) -> Vec<String> {
        let top = self.0.read("top");
        let tasks = top.lines().filter(|line| line.starts_with("task"));
        tasks.map(str::to_owned).collect()
    }

    pub fn stream(&self, id: &str) -> PathBuf {
        self.0.path(&format!("parts/{id}.stream"))
    }

    pub fn work(&self) -> Output {
        self.0.run("certify --task-file top --results parts")
    }

    pub fn work_on(&self, task: &str) -> Output {
        self.work_on_in(task, "parts")
    }

    pub fn work_on_in(&self, task: &str, results: &str) -> Output {
        let line = format!("certify --results {results} --task '{task}'");
        self.0.run(&line)
    }

    pub fn merge(&self) -> Output {
        let line = "certify --merge top --results parts --out proof --force";
        self.0.run(line)
    }

    /// Merges what is not a proof yet: nothing must be written.
    #[track_caller]
    pub fn unmerged(&self) -> Output {
        let merged = self.merge();
        assert_eq!(merged.status.code(), Some(1), "{}", stderr(&merged));
        assert!(!self.0.path("proof").exists());
        merged
    }
}

pub fn id_of(task: &str) -> &str {
    task.split('\t').nth(1).expect("an identity")
}

/// Nothing that a file says may reach a terminal as a control character.
pub fn is_clean(text: &str) -> bool {
    let is_clean = |c: char| "\n\t".contains(c) || !c.is_control();
    text.replace("\r\n", "\n").chars().all(is_clean)
}

/// Returns whether a verifier in Python accepts, and what it prints; `None`, with a
/// message, without Python. If it breaks, that is not a refusal.
pub fn verify_in_python(
    script: &str,
    dir: &Path,
    files: impl IntoIterator<Item = impl AsRef<OsStr>>,
) -> Option<(bool, String)> {
    let script = path::absolute(Path::new("tests").join(script));
    let mut python = python()?;
    let command = python.current_dir(dir).arg(script.unwrap()).args(files);
    let output = in_time(command).expect("it starts");
    let (is_accepted, said) = (output.status.success(), stderr(&output));
    let is_refused = output.status.code() == Some(1) && said.contains("not proved: ");
    assert!(is_accepted || is_refused, "{said}");
    assert!(!said.contains("Traceback") && is_clean(&said), "{said:?}");
    Some((is_accepted, stdout(&output)))
}

/// Checks what the verifier in Python says about a top, and about the parts if there are
/// any.
#[track_caller]
pub fn assert_python_accepts(dir: &Folder, parts: Option<&str>, top: &str, expected: bool) {
    let found = verify_in_python("verify_top.py", dir.at(), [top].into_iter().chain(parts));
    assert!(found.is_none_or(|(is_accepted, _)| is_accepted == expected));
}
