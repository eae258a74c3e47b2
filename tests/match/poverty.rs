//! If the runner's own machine refuses something, nobody loses a game for it.

use std::process::Command;

use crate::support::{Folder, mock, stderr, stdout, totemic};

fn itself(engine: &str, more: &str) -> String {
    format!("match {engine} depth=1 name=a {engine} depth=1 name=b --seed 1 {more}")
}

#[test]
fn too_few_files_are_told_and_lose_no_game() {
    let dir = Folder::new();
    let options = "--games 32 --concurrency 16 --journal j";
    let run = |first: &str, more: &str| {
        let line = itself(&mock("--pause 20"), options) + more;
        let output = dir.after(first, &line).output().expect("it starts");
        let reasons = dir.reasons("j");
        assert!(reasons.iter().all(|reason| reason == "rules"));
        (output.status.code(), stderr(&output), reasons.len())
    };
    let (code, said, played) = run("ulimit -n 30", "");
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("could not be started here"), "{said}");
    assert!(played < 32, "{played} games with 30 files");
    let (code, said, played) = run(":", " --resume");
    assert_eq!((code, played), (Some(0), 32), "{said}");
    dir.assert_nothing_runs();
}

#[test]
fn too_few_threads_play_fewer_games_at_a_time() {
    use std::os::unix::fs::PermissionsExt;
    // Runs as a user whose processes nobody else counts, if we may become that user.
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
    let random = "--engine cmd=random";
    for (journal, engine) in [("random", random), ("engines", &mock("--pause 2"))] {
        let options = format!("--games 24 --concurrency 64 --journal {journal}");
        let mut command = limited();
        command.args(dir.command(&itself(engine, &options)).get_args());
        let output = command.current_dir(dir.at()).output().expect("it starts");
        let said = stderr(&output);
        assert!(output.status.success(), "{journal}: {said}");
        // Games of random moves end before too many of them run at once.
        let fewer = said.contains("games at the same time from now on");
        assert!(fewer || journal == "random", "{journal}: {said}");
        let ended = stdout(&output).contains("finished: 24 games");
        assert!(ended, "{journal}: {said}");
        assert_eq!(dir.reasons(journal), ["rules"; 24], "{journal}: {said}");
    }
}
