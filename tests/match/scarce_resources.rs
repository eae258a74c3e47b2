//! If the runner's own machine refuses something, nobody loses a game for it.

use std::process::Command;

use crate::support::{Folder, assert_has, mock, progress, stderr, stdout, totemic};

fn itself(engine: &str, more: &str) -> String {
    format!("match {engine} depth=1 name=a {engine} depth=1 name=b --seed 1 {more}")
}

#[test]
fn few_files_play_fewer_games_at_a_time() {
    let dir = Folder::new();
    let run = |first: &str, journal: &str| {
        let options = format!("--games 32 --concurrency 16 --journal {journal}");
        let line = itself(&mock("--pause 20"), &options);
        let output = dir
            .in_shell_after(first, &line)
            .output()
            .expect("it starts");
        (output.status.code(), stderr(&output))
    };
    let (code, said) = run("ulimit -n 64", "j");
    assert_eq!(code, Some(0), "{said}");
    assert_has(&said, "games at the same time from now on");
    assert_eq!(dir.reasons("j"), ["rules"; 32], "{said}");
    // Not even a single game can be played.
    let (code, said) = run("ulimit -n 10", "k");
    assert_eq!(code, Some(1), "{said}");
    assert_has(&said, "Too many open files");
    assert!(dir.games("k").is_empty());
    dir.assert_nothing_runs();
}

/// A match may have millions of games.
#[test]
fn a_game_takes_little_memory() {
    let dir = Folder::new();
    let random = "--engine cmd=random";
    let mut command = dir.command(&itself(random, "--games 24000 --report 0"));
    // The heaps of threads come and go.
    command.env("MALLOC_ARENA_MAX", "1");
    let mut child = crate::program::piped(&mut command);
    let status = format!("/proc/{}/status", child.id());
    let mut said = progress(&mut child);
    let mut memory_after = |games: &str| {
        assert!(said.any(|line| line.starts_with(games)));
        let status = std::fs::read_to_string(&status).expect("it runs");
        let line = status.lines().find(|line| line.starts_with("VmRSS:"));
        let words = line.and_then(|line| line.split_whitespace().nth(1));
        1024 * words.expect("a size").parse::<u64>().expect("kB")
    };
    let [few, many] = ["8000/", "20000/"].map(&mut memory_after);
    assert!(many - few < 12_000 * 200, "{few} bytes, then {many}");
    child.kill().expect("it runs");
    child.wait().expect("it ends");
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
