//! What the runner's own machine refuses is nobody's loss.

use std::process::Command;

use crate::support::{Folder, games, mock, stay, stderr, stdout, totemic};

/// The arguments of a match of an engine against itself.
fn itself(engine: &str, more: &str) -> Vec<String> {
    let engine = ["--engine", engine, "depth=1"].map(str::to_owned);
    let more = more.split(' ').map(str::to_owned);
    let words = engine.clone().into_iter().chain(["name=a".to_owned()]);
    let words = words.chain(engine).chain(["name=b".to_owned()]);
    words.chain(more).collect()
}

#[test]
fn too_few_files_are_told_and_lose_no_game() {
    let dir = Folder::new();
    let args = itself(
        &mock("--pause 20"),
        "--games 32 --seed 1 --concurrency 16 --journal j",
    );
    let run = |script: &str, more: &[&str]| {
        let mut shell = Command::new("sh");
        shell.current_dir(dir.at()).args(["-c", script]);
        shell.arg(totemic().get_program()).arg("match");
        let output = shell.args(&args).args(more).output().expect("it starts");
        let games = games(&dir.path("j"));
        assert!(games.iter().all(|game| game["reason"] == "rules"));
        (output.status.code(), stderr(&output), games.len())
    };
    let (code, said, played) = run(r#"ulimit -n 30; exec "$0" "$@""#, &[]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("could not be started here"), "{said}");
    assert!(played < 32, "{played} games with 30 files");
    let (code, said, played) = run(r#"exec "$0" "$@""#, &["--resume"]);
    assert_eq!((code, played), (Some(0), 32), "{said}");
    assert_eq!(stay(dir.at()), Vec::<String>::new());
}

#[test]
fn too_few_threads_play_fewer_games_at_a_time() {
    use std::os::unix::fs::PermissionsExt;
    // Somebody whose processes nobody else counts, if we may become that.
    let limited = || {
        let mut command = Command::new("setpriv");
        command.args(["--reuid=64123", "--regid=64123", "--clear-groups"]);
        command.args(["prlimit", "--nproc=16"]);
        command.arg(totemic().get_program());
        command
    };
    let able = limited().arg("--version").output();
    if !able.is_ok_and(|output| output.status.success()) {
        println!("skipped: a process limit of its own needs setpriv, prlimit and root");
        return;
    }
    let dir = Folder::new();
    let open = std::fs::Permissions::from_mode(0o777);
    std::fs::set_permissions(dir.at(), open).expect("our own directory");
    for (journal, cmd) in [("random", "cmd=random"), ("engines", &mock("--pause 2"))] {
        let options = format!("--games 24 --seed 1 --concurrency 64 --journal {journal}");
        let mut command = limited();
        command.current_dir(dir.at()).arg("match");
        let output = command.args(itself(cmd, &options)).output();
        let output = output.expect("it starts");
        let said = stderr(&output);
        assert!(output.status.success(), "{journal}: {said}");
        // Games of random moves end before there are too many of them.
        let fewer = said.contains("games at the same time from now on");
        assert!(fewer || journal == "random", "{journal}: {said}");
        let ended = stdout(&output).contains("finished: 24 games");
        assert!(ended, "{journal}: {said}");
        let played = dir.games(journal);
        assert_eq!(played.len(), 24);
        let all_good = played.iter().all(|game| game["reason"] == "rules");
        assert!(all_good, "{journal}: {said}");
    }
}
