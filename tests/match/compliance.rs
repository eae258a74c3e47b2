//! The checks that foreign engines have to pass.

use std::io::{BufRead, BufReader};

use crate::support::{Folder, assert_has, mock, stdout};

#[test]
fn our_own_engine_passes() {
    for game in ["yoxii", "hokito"] {
        let said = Folder::new().stdout_of(&format!("compliance --game {game} --engine cmd=self"));
        assert!(said.contains("18 of 18 checks passed"), "{said}");
    }
}

#[test]
fn a_failing_exchange_is_shown() {
    let said = |engine: &str| {
        let line = format!("compliance {} --patience 1s", mock(engine));
        let output = Folder::new().run(&line);
        assert_eq!(output.status.code(), Some(1));
        stdout(&output)
    };
    // The mock engine does not wait for stop.
    let early = said("");
    assert_has(&early, "FAILED  does not answer go infinite before stop");
    assert_has(&early, "        > go infinite\n        < bestmove ");
    let crash = said("--fault crash --at 1");
    assert!(crash.contains("the engine ended: exit code 3"), "{crash}");
}

#[test]
fn a_failed_check_stays_one_when_nobody_reads_to_its_end() {
    let line = format!("compliance {} --patience 1s", mock(""));
    let mut child = Folder::new().start(&line);
    let mut first = String::new();
    let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
    out.read_line(&mut first).expect("a check");
    drop(out);
    assert_eq!(child.wait().expect("it ends").code(), Some(1));
}
