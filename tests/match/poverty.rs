//! What the runner's own machine refuses is nobody's loss.

use std::path::Path;
use std::process::{Command, Output};

use crate::support::{games, mock, play, stay, stderr, stdout, totemic};
use tempfile::tempdir;

/// Runs `totemic match` behind a prefix that limits it.
fn limited(dir: &Path, prefix: &[&str], args: &[&str]) -> Output {
    Command::new(prefix[0])
        .current_dir(dir)
        .args(&prefix[1..])
        .arg(totemic().get_program())
        .arg("match")
        .args(args)
        .output()
        .expect("it starts")
}

#[test]
fn too_few_files_are_told_and_lose_no_game() {
    let dir = tempdir().expect("a directory");
    let engine = mock("--pause 20");
    let args = [
        "--engine",
        &engine,
        "depth=1",
        "name=a",
        "--engine",
        &engine,
        "depth=1",
        "name=b",
        "--games",
        "32",
        "--seed",
        "1",
        "--concurrency",
        "16",
        "--journal",
        "j",
    ];
    let few = ["sh", "-c", r#"ulimit -n 30; exec "$0" "$@""#];
    let output = limited(dir.path(), &few, &args);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("could not be started here"), "{said}");
    let reason = |game: &serde_json::Value| game["reason"].as_str().map(str::to_owned);
    let played = games(&dir.path().join("j"));
    assert!(played.len() < 32, "{} games with 30 files", played.len());
    assert!(
        played
            .iter()
            .all(|game| reason(game).as_deref() == Some("rules"))
    );
    let resumed = play(dir.path(), &[&args[..], &["--resume"]].concat());
    assert!(resumed.status.success(), "{}", stderr(&resumed));
    let played = games(&dir.path().join("j"));
    assert_eq!(played.len(), 32);
    assert!(
        played
            .iter()
            .all(|game| reason(game).as_deref() == Some("rules"))
    );
    assert_eq!(stay(dir.path()), Vec::<String>::new());
}

/// Somebody whose processes nobody else counts, if we may become that.
fn nobody(limit: &str) -> Option<Vec<String>> {
    let words = [
        "setpriv",
        "--reuid=64123",
        "--regid=64123",
        "--clear-groups",
        "prlimit",
        limit,
    ];
    let able = Command::new(words[0])
        .args(&words[1..])
        .args([totemic().get_program().to_str()?, "--version"])
        .output();
    match able {
        Ok(output) if output.status.success() => Some(words.map(str::to_owned).to_vec()),
        _ => None,
    }
}

#[test]
fn too_few_threads_play_fewer_games_at_a_time() {
    use std::os::unix::fs::PermissionsExt;
    let Some(prefix) = nobody("--nproc=16") else {
        println!("skipped: a process limit of its own needs setpriv, prlimit and root");
        return;
    };
    let prefix: Vec<&str> = prefix.iter().map(String::as_str).collect();
    let dir = tempdir().expect("a directory");
    let open = std::fs::Permissions::from_mode(0o777);
    std::fs::set_permissions(dir.path(), open).expect("our own directory");
    let engine = mock("--pause 2");
    for (journal, cmd) in [("random", "cmd=random"), ("engines", engine.as_str())] {
        let args = [
            "--engine",
            cmd,
            "depth=1",
            "name=a",
            "--engine",
            cmd,
            "depth=1",
            "name=b",
            "--games",
            "24",
            "--seed",
            "1",
            "--concurrency",
            "64",
            "--journal",
            journal,
        ];
        let output = limited(dir.path(), &prefix, &args);
        let said = stderr(&output);
        assert!(output.status.success(), "{journal}: {said}");
        // Games of random moves end before there are too many of them.
        assert!(
            journal == "random" || said.contains("games at the same time from now on"),
            "{journal}: {said}"
        );
        assert!(
            stdout(&output).contains("finished: 24 games"),
            "{journal}: {said}"
        );
        let played = games(&dir.path().join(journal));
        assert_eq!(played.len(), 24);
        assert!(
            played.iter().all(|game| game["reason"] == "rules"),
            "{journal}: {said}"
        );
    }
}

#[test]
fn little_memory_loses_no_game() {
    let dir = tempdir().expect("a directory");
    let prefix = ["prlimit", "--as=400000000"];
    if Command::new(prefix[0]).arg("--version").output().is_err() {
        println!("skipped: there is no prlimit");
        return;
    }
    let engine = mock("--pause 2");
    let args = [
        "--engine",
        &engine,
        "name=a",
        "--engine",
        &engine,
        "name=b",
        "--each",
        "depth=1",
        "--games=32",
        "--concurrency=8",
        "--seed=1",
        "--journal=j",
    ];
    let output = limited(dir.path(), &prefix, &args);
    // Not by a signal: what cannot be played is left to --resume.
    let code = output.status.code();
    assert!(matches!(code, Some(0 | 1)), "{code:?} {}", stderr(&output));
    let resumed = play(dir.path(), &[&args[..], &["--resume"]].concat());
    assert!(resumed.status.success(), "{}", stderr(&resumed));
    let played = games(&dir.path().join("j"));
    assert!(played.iter().all(|game| game["reason"] == "rules"));
    assert_eq!(played.len(), 32);
}
