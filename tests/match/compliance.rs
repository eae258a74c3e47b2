//! The checks of foreign engines.

use crate::support::{mock, stderr, stdout, totemic};

fn check(args: &[&str]) -> std::process::Output {
    totemic()
        .arg("compliance")
        .args(args)
        .output()
        .expect("it starts")
}

#[test]
fn our_own_engine_passes() {
    for game in ["yoxii", "hokito"] {
        let output = check(&["--game", game, "--engine", "cmd=self"]);
        let said = stdout(&output);
        assert!(output.status.success(), "{said}");
        assert!(said.contains("18 of 18 checks passed"), "{said}");
    }
}

#[test]
fn a_failing_exchange_is_shown() {
    let output = check(&["--engine", &mock(""), "--patience", "1"]);
    assert_eq!(output.status.code(), Some(1));
    let said = stdout(&output);
    // The mock engine does not wait for stop.
    assert!(
        said.contains("FAILED  does not answer go infinite before stop"),
        "{said}"
    );
    assert!(
        said.contains("        > go infinite\n        < bestmove "),
        "{said}"
    );
    let crash = stdout(&check(&[
        "--engine",
        &mock("--fault crash --at 1"),
        "--patience",
        "1",
    ]));
    assert!(crash.contains("the engine ended: exit code 3"), "{crash}");
}

#[test]
fn what_cannot_start_is_an_error() {
    let output = check(&["--engine", "cmd=./no-such-engine"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("cannot be started"),
        "{}",
        stderr(&output)
    );
    let output = check(&["--engine", "cmd=/bin/cat", "dir=/no/where"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("dir='/no/where': there is no such directory"),
        "{}",
        stderr(&output)
    );
    assert_eq!(check(&["--engine", "name=x"]).status.code(), Some(2));
    let limited = check(&["--engine", "cmd=self", "nodes=3"]);
    assert_eq!(limited.status.code(), Some(2));
}
