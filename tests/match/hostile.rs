//! Engines that crash, stall, lie or flood lose their game for a named reason, and the
//! match goes on.

use std::process::Output;

use crate::program::cases;
use crate::support::{Folder, assert_has, mock, mock_engine, stderr};

/// Plays a match with the journal `j` against random moves; `engine` is `--engine` with its keys.
fn against_random(dir: &Folder, engine: &str, options: &str) -> Output {
    let line = format!("match --journal j {engine} --engine cmd=random {options}");
    dir.run(&line)
}

/// Plays four games, one of which the misbehaving engine spoils. Returns the reasons and
/// details of all games that it lost by misbehaviour; the reason should be `reason`.
fn spoil(fault: &str, extra: &str, limit: &str, reason: &str) -> Vec<(String, String)> {
    // On a machine that is too busy the spoiled game is void.
    let mut attempts = (0..5).map(|_| spoil_once(fault, extra, limit, reason));
    attempts
        .find_map(|losses| losses)
        .expect("a machine that is less busy")
}

/// Returns `None` if the spoiled game was void.
fn spoil_once(
    fault: &str,
    extra: &str,
    limit: &str,
    reason: &str,
) -> Option<Vec<(String, String)>> {
    let dir = Folder::new();
    let hostile = mock(&format!("--fault {fault} {extra} --once ./once"));
    // The patience is short only for faults that have to be waited for: a busy machine
    // may be slow at what another does at once.
    let waits = ["stall", "not-ready"].contains(&reason);
    let patience = if waits { 2 } else { 30 };
    let options = format!("--games 4 --seed 5 --stall-after {patience}s --start-within 30s");
    let output = against_random(&dir, &format!("{hostile} {limit}"), &options);
    assert!(output.status.success(), "{fault}: {}", stderr(&output));
    if stderr(&output).contains("the match runner was not running") {
        return None;
    }
    let games = dir.games("j");
    assert_eq!(games.len(), 4, "{fault}");
    dir.assert_nothing_runs();
    let losses = (games.iter())
        .filter(|game| game["reason"] != "rules")
        .map(|game| {
            let hostile_first = game["engines"][0] == 0;
            let expected = if hostile_first { "p2win" } else { "p1win" };
            assert_eq!(game["result"], expected, "{fault}: it must lose");
            let text = |key: &str| game[key].as_str().unwrap_or_default().to_owned();
            (text("reason"), text("detail"))
        });
    Some(losses.collect())
}

/// Checks the cases of a table, in parallel, because most of them only wait: a fault, more
/// options for it, the limit of the engine, the reason for its loss, and part of the detail.
fn check_all(table: &str) {
    std::thread::scope(|scope| {
        for [fault, extra, limit, reason, detail] in cases(table) {
            scope.spawn(move || {
                let found = spoil(fault, extra, limit, reason);
                assert_eq!(found.len(), 1, "{fault}: {found:?}");
                assert_eq!(found[0].0, reason, "{fault}: {found:?}");
                assert!(found[0].1.contains(detail), "{fault}: {found:?}");
            });
        }
    });
}

/// In `leave` a child of the engine holds the pipe open, so the end of the output does not
/// show that it is gone.
#[test]
fn crashes() {
    check_all(
        "
        crash   | | depth=1 | crash       | code 3, stderr: out of luck
        partial | | nodes=5 | crash       | exit code 0
        panic   | | depth=1 | crash       | exit code 101
        close   | | depth=1 | closed-pipe | is still running
        leave   | | depth=1 | crash       | exit code 5
        ",
    );
}

#[test]
fn lateness() {
    check_all(
        "
        stall        |          | nodes=5    | stall        | 2000 ms allowed
        stall        |          | tc=0.3+0.2 | time-forfeit | allowed
        stall        |          | st=0.2     | time-forfeit | 200 ms allowed
        late         | --ms 350 | st=0.3     | time-forfeit | 300 ms allowed
        dribble      | --ms 400 | depth=1    | stall        | 2000 ms allowed
        endless-info |          | depth=1    | stall        | 2000 ms allowed
        unready      | --at 2   | depth=1    | not-ready    | readyok
        leave-group  |          | st=0.2     | time-forfeit | 200 ms allowed
        ",
    );
    // A margin forgives.
    assert_eq!(spoil("late", "--ms 250", "st=0.2 timemargin=2000", ""), []);
}

/// What is quoted of a move is short, and is followed by why it is illegal.
#[test]
fn lies() {
    check_all(
        "
        say       | --move d4d4x | depth=1 | illegal-move   | 'd4d4x' is illegal
        say       | --move 0000  | depth=1 | illegal-move   | '0000'
        nonsense  |              | depth=1 | illegal-move   | is not a move
        long-move |              | depth=1 | illegal-move   | is not a move
        empty     |              | depth=1 | illegal-move   | ''
        double    |              | depth=1 | premature-move | before go
        ",
    );
}

#[test]
fn floods() {
    check_all(
        "
        flood          | | st=30 | flood         | too much
        long-line      | | st=30 | line-too-long | 65536
        bestmove-flood | | st=30 | flood         | too much
        ",
    );
}

#[test]
fn processes_that_will_not_go() {
    let linux_alone = if cfg!(target_os = "linux") {
        "setsid"
    } else {
        "deaf"
    };
    for fault in ["undying", "deaf", "grandchild", linux_alone] {
        assert_eq!(spoil(fault, "", "depth=1", ""), []);
    }
}

/// An engine that answers an option with an error would not play as anybody asked it to.
#[test]
fn an_engine_that_does_not_start_ends_the_match_at_once() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let fault = |fault: &str| mock(&format!("--fault {fault}")).replace("--engine ", "");
    let (mute, exit, plain) = (fault("mute"), fault("exit-at-start"), fault("none"));
    let check = |engine: &str, why: &str| {
        let dir = Folder::new();
        let patience = if engine.contains("self") { "30" } else { "0.5" };
        let options = format!("--games 2 --start-within {patience}s");
        let bad = format!("--engine {engine} name=bad depth=1");
        let output = against_random(&dir, &bad, &options);
        assert_eq!(output.status.code(), Some(1), "{engine}");
        let said = stderr(&output);
        assert_has(&said, "engine bad is not ready");
        assert_has(&said, why);
        assert!(dir.games("j").is_empty());
        if engine.contains("EvalFile") {
            // What is left of the match does not disturb the next one.
            let good = "--engine cmd=self name=good depth=1";
            assert!(against_random(&dir, good, "--games 2").status.success());
            assert_eq!(dir.games("j").len(), 2);
        }
    };
    let engines = format!(
        "
        cmd=./no-such-engine | cannot start './no-such-engine': there is no such program
        cmd=no-such-engine   | there is no such program
        cmd=/                | it is a directory, expected a program
        cmd={file}           | it is a file that may not be executed
        {mute}               | no ugiok within the deadline
        {exit}               | exit code 7, stderr: no license
        {plain} option.Hash=0 | 'Hash' takes a number from 1 to 1024, not '0'
        cmd=/bin/cat         | no ugiok within the deadline
        cmd=self option.Game=hokito | 'Game' is 'hokito', expected 'yoxii'
        cmd=self option.EvalFile=no-such-file \
            | it says 'info string error: 'setoption': option EvalFile: file 'no-such-file'
        "
    );
    // In parallel, because most of them only wait.
    std::thread::scope(|scope| {
        for [engine, why] in cases(&engines) {
            scope.spawn(move || check(engine, why));
        }
    });
}

#[test]
fn an_engine_that_never_starts_again_ends_the_match_too() {
    let dir = Folder::new();
    // The first start succeeds, every later one fails.
    let script = format!(
        "if [ -e started ]; then exit 9; fi; touch started; exec {} --fault crash --at 1",
        mock_engine().display()
    );
    let engine = format!("--engine \"cmd=sh -c '{script}'\" name=bad depth=1");
    let output = against_random(&dir, &engine, "--games 100");
    assert_eq!(output.status.code(), Some(1));
    let why = "engine bad could not be started again 3 times";
    assert_has(&stderr(&output), why);
    assert_eq!(dir.games("j").len(), 4);
}
