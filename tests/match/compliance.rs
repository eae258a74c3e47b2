//! The checks that foreign engines have to pass.

use crate::support::{Folder, assert_has, mock, stdout};

#[test]
fn our_own_engine_passes() {
    for game in ["yoxii", "hokito"] {
        let said = Folder::new().ok(&format!("compliance --game {game} --engine cmd=self"));
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
