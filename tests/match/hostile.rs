//! Engines that crash, stall, lie and flood lose their game with a named
//! reason, and the match goes on.

use std::path::Path;
use std::process::Output;

use crate::support::{self, games, mock, play, stay, stderr, stdout};
use tempfile::tempdir;

/// The engine `cmd` with these keys against random moves, with these options
/// of the match and the journal `j`.
fn against_random(dir: &Path, cmd: &str, keys: &str, options: &str) -> Output {
    let mut args = vec!["--journal", "j", "--engine", cmd];
    args.extend(keys.split_whitespace());
    args.extend(["--engine", "cmd=random"]);
    args.extend(options.split_whitespace());
    play(dir, &args)
}

/// Plays four games of which the misbehaving engine spoils one; the reasons
/// of all games it lost by misbehaviour, which should be `reason`.
fn spoil(fault: &str, extra: &str, limit: &str, reason: &str) -> Vec<(String, String)> {
    let dir = tempdir().expect("a directory");
    let once = dir.path().join("once");
    let hostile = mock(&format!(
        "--fault {fault} {extra} --once '{}'",
        once.display()
    ));
    // Only those who have to be waited for are waited for: a busy machine may
    // take long over what is at once on another.
    let waits = ["stall", "not-ready"].contains(&reason);
    let patience = if waits { 2 } else { 30 };
    let options = format!("--games 4 --seed 5 --stall-after {patience} --start-within 30");
    let output = against_random(dir.path(), &hostile, limit, &options);
    assert!(output.status.success(), "{fault}: {}", stderr(&output));
    if stderr(&output).contains("the match runner was not running") {
        // On a machine as busy as that the spoiled game was void.
        return spoil(fault, extra, limit, reason);
    }
    let games = games(&dir.path().join("j"));
    assert_eq!(games.len(), 4, "{fault}");
    assert_eq!(stay(dir.path()), Vec::<String>::new(), "{fault}");
    (games.iter())
        .filter(|game| game["reason"] != "rules")
        .map(|game| {
            let hostile_first = game["engines"][0] == 0;
            let expected = if hostile_first { "p2win" } else { "p1win" };
            assert_eq!(game["result"], expected, "{fault}: it must lose");
            let text = |key: &str| game[key].as_str().unwrap_or_default().to_owned();
            (text("reason"), text("detail"))
        })
        .collect()
}

/// A fault, more of its options, the limit of the engine, the reason of its
/// loss, and part of the detail.
type Case<'a> = [&'a str; 5];

/// Checks all cases side by side, for most of them only wait.
fn check_all(cases: &[Case<'_>]) {
    std::thread::scope(|scope| {
        for &case in cases {
            scope.spawn(move || check(case));
        }
    });
}

fn check([fault, extra, limit, reason, detail]: Case<'_>) {
    let found = spoil(fault, extra, limit, reason);
    assert_eq!(found.len(), 1, "{fault}: {found:?}");
    assert_eq!(found[0].0, reason, "{fault}: {found:?}");
    assert!(found[0].1.contains(detail), "{fault}: {found:?}");
}

#[test]
fn crashes() {
    check_all(&[
        [
            "crash",
            "",
            "depth=1",
            "crash",
            "exit code 3, stderr: out of luck",
        ],
        ["partial", "", "nodes=5", "crash", "exit code 0"],
        ["panic", "", "depth=1", "crash", "exit code 101"],
        ["close", "", "depth=1", "closed-pipe", "runs on"],
        // Its child holds the pipe, so that no end of the output tells of it.
        ["leave", "", "depth=1", "crash", "exit code 5"],
    ]);
}

#[test]
fn lateness() {
    check_all(&[
        ["stall", "", "nodes=5", "stall", "2000 ms allowed"],
        ["stall", "", "tc=0.3+0.2", "time-forfeit", "allowed"],
        ["stall", "", "st=0.2", "time-forfeit", "200 ms allowed"],
        [
            "late",
            "--ms 350",
            "st=0.3",
            "time-forfeit",
            "300 ms allowed",
        ],
        ["dribble", "--ms 400", "depth=1", "stall", "2000 ms allowed"],
        ["endless-info", "", "depth=1", "stall", "2000 ms allowed"],
        ["unready", "--at 2", "depth=1", "not-ready", "readyok"],
    ]);
}

#[test]
fn a_margin_forgives() {
    let dir = tempdir().expect("a directory");
    let late = mock("--fault late --ms 250");
    let output = against_random(dir.path(), &late, "st=0.2 timemargin=2000", "");
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(
        games(&dir.path().join("j"))
            .iter()
            .all(|game| game["reason"] == "rules")
    );
}

#[test]
fn lies() {
    check_all(&[
        [
            "illegal",
            "",
            "depth=1",
            "illegal-move",
            "'d4d4x' is illegal",
        ],
        ["nonsense", "", "depth=1", "illegal-move", "is not a move"],
        ["null", "", "depth=1", "illegal-move", "'0000'"],
        // What is told of it is short, and why it is illegal stands behind it.
        ["long-move", "", "depth=1", "illegal-move", "is not a move"],
        ["empty", "", "depth=1", "illegal-move", "''"],
        ["double", "", "depth=1", "premature-move", "before go"],
    ]);
}

#[test]
fn floods() {
    check_all(&[
        ["flood", "", "st=30", "flood", "measure"],
        ["long-line", "", "st=30", "line-too-long", "65536"],
        ["bestmove-flood", "", "st=30", "flood", "measure"],
    ]);
}

#[test]
fn processes_that_will_not_go() {
    assert_eq!(spoil("undying", "", "depth=1", ""), []);
    assert_eq!(spoil("deaf", "", "depth=1", ""), []);
    assert_eq!(spoil("grandchild", "", "depth=1", ""), []);
    if cfg!(target_os = "linux") {
        assert_eq!(spoil("setsid", "", "depth=1", ""), []);
    }
}

#[test]
fn a_fault_in_every_game_is_no_end_of_the_match() {
    let dir = tempdir().expect("a directory");
    let crash = mock("--fault crash --at 1");
    let output = play(
        dir.path(),
        &[
            "--game",
            "hokito",
            "--engine",
            &crash,
            "name=a",
            "--engine",
            &crash,
            "name=b",
            "--each",
            "depth=1",
            "--games",
            "10",
            "--concurrency",
            "2",
            "--journal",
            "j",
        ],
    );
    assert!(output.status.success(), "{}", stderr(&output));
    let games = games(&dir.path().join("j"));
    assert_eq!(games.len(), 10);
    assert!(
        games
            .iter()
            .all(|game| game["reason"] == "crash" && game["result"] == "p2win")
    );
    assert!(stdout(&output).contains("crash 10"), "{}", stdout(&output));
}

#[test]
fn an_engine_that_never_starts_ends_the_match_at_once() {
    let mute = mock("--fault mute");
    let exits = mock("--fault exit-at-start");
    for (cmd, why) in [
        (
            "cmd=./no-such-engine",
            "cannot start './no-such-engine': there is no such program",
        ),
        ("cmd=no-such-engine", "there is no such program"),
        ("cmd=/", "it is a directory, expected a program"),
        (
            concat!("cmd=", env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"),
            "it is a file that may not be executed",
        ),
        (mute.as_str(), "no ugiok within the deadline"),
        (exits.as_str(), "exit code 7, stderr: no license"),
        ("cmd=/bin/cat", "no ugiok within the deadline"),
    ] {
        let dir = tempdir().expect("a directory");
        let output = against_random(dir.path(), cmd, "name=bad depth=1", "--start-within 0.5");
        assert_eq!(output.status.code(), Some(1), "{cmd}");
        let said = stderr(&output);
        assert_has(&said, "engine bad does not start");
        assert_has(&said, why);
        assert!(games(&dir.path().join("j")).is_empty());
    }
}

/// Otherwise it would play with what nobody has asked for.
#[test]
fn an_engine_that_takes_an_option_with_an_error_ends_the_match_at_once() {
    let dir = tempdir().expect("a directory");
    let keys = "name=bad depth=1 option.EvalFile=no-such-file";
    let output = against_random(dir.path(), "cmd=self", keys, "--games 2");
    assert_eq!(output.status.code(), Some(1));
    let said = stderr(&output);
    let why = "engine bad does not start: it says 'info string error: 'setoption': option EvalFile: \
               file 'no-such-file'";
    assert!(said.contains(why), "{said}");
    assert!(games(&dir.path().join("j")).is_empty());
    // What is left of it is in nobody's way.
    let output = against_random(dir.path(), "cmd=self", "name=good depth=1", "--games 2");
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(games(&dir.path().join("j")).len(), 2);

    let keys = "name=bad depth=1 option.Game=hokito";
    let output = against_random(dir.path(), "cmd=self", keys, "--games 2 --force");
    assert_eq!(output.status.code(), Some(1));
    let said = stderr(&output);
    assert_has(&said, "'Game' is 'hokito', expected 'yoxii'");
}

#[test]
fn an_engine_that_never_starts_again_ends_the_match_too() {
    let dir = tempdir().expect("a directory");
    let marker = dir.path().join("started");
    // The first start is good, every later one fails.
    let script = format!(
        "cmd=/bin/sh -c \"if [ -e '{0}' ]; then exit 9; fi; touch '{0}'; exec '{1}' --fault crash --at 1\"",
        marker.display(),
        support::mock_engine().display()
    );
    let output = against_random(dir.path(), &script, "name=bad depth=1", "--games 100");
    assert_eq!(output.status.code(), Some(1));
    let said = stderr(&output);
    assert_has(&said, "engine bad could not be started again 3 times");
    assert_eq!(games(&dir.path().join("j")).len(), 4);
}
