//! Nobody loses a game because of a stop from outside.

use std::io::Write;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use nix::fcntl::{FcntlArg, OFlag};
use nix::sys::signal::Signal;

use crate::program::{piped, send, wait};
use crate::support::{Folder, assert_has, mock, progress, stdout};

/// Waits for processes of the mock engine that a runner has started, and returns them. One that
/// passes from a thread that ends to another is nobody's child for a moment.
fn engines(runner: u32) -> Vec<u32> {
    let is_engine = |pid: &u32| {
        let name = std::fs::read_to_string(format!("/proc/{pid}/comm"));
        name.is_ok_and(|name| name.starts_with("mock_engine"))
    };
    let mut found = Vec::new();
    wait("an engine", || {
        let tasks = std::fs::read_dir(format!("/proc/{runner}/task")).expect("it runs");
        let children = (tasks.flatten())
            .map(|task| std::fs::read_to_string(task.path().join("children")).unwrap_or_default());
        let pids: String = children.map(|pids| pids + " ").collect();
        let pids = pids.split_whitespace().filter_map(|pid| pid.parse().ok());
        found = pids.filter(is_engine).collect();
        !found.is_empty()
    });
    found
}

/// So slow that a game takes half a second and more: longer than a busy machine lets a test wait.
const SLOW: &str = "--pause 100";

/// Starts a match of a slow engine against random moves, and returns in the middle of its
/// second game.
fn second_game(dir: &Folder, limit: &str) -> (Child, impl Iterator<Item = String> + use<>) {
    let slow = mock(SLOW);
    let mut child = dir.start(&format!(
        "match {slow} --engine cmd=random --games 6 --seed 1 --resume --journal j --json \
         --each {limit}"
    ));
    let mut said = progress(&mut child);
    assert!(said.any(|line| line.starts_with("1/6 game")));
    std::thread::sleep(Duration::from_millis(100));
    (child, said)
}

/// A job scheduler ends all processes of a job like this, the engines first.
#[test]
fn a_stop_of_everything_loses_no_game() {
    let check = |signal: Signal| {
        let dir = Folder::new();
        let (mut child, said) = second_game(&dir, "depth=1");
        for engine in engines(child.id()) {
            send(engine, signal);
        }
        send(child.id(), Signal::SIGTERM);
        let said: Vec<String> = said.collect();
        let code = child.wait().expect("it ends").code();
        assert_eq!(code, Some(130), "{signal}: {said:?}");
        assert!(said.iter().any(|line| line.contains("is void")), "{said:?}");
        let rules = dir.reasons("j").iter().all(|reason| reason == "rules");
        assert!(rules, "{signal}: {said:?}");
        let slow = mock(SLOW);
        let rest = "--each depth=1 --games 6 --resume --journal j";
        dir.stdout_of(&format!("match {slow} --engine cmd=random {rest}"));
        assert_eq!(dir.reasons("j"), ["rules"; 6], "{signal}");
        dir.assert_nothing_runs();
    };
    // In parallel, because they mostly wait.
    std::thread::scope(|scope| {
        for signal in [Signal::SIGTERM, Signal::SIGHUP, Signal::SIGKILL] {
            scope.spawn(move || check(signal));
        }
    });
}

#[test]
fn an_engine_that_stops_itself_is_played_again_once() {
    let dir = Folder::new();
    let line = |fault: &str, rest: &str| {
        let engine = mock(&format!("--fault stop {fault}"));
        format!("match {engine} depth=1 name=bad --engine cmd=random {rest} --seed 1")
    };
    let said = dir.stdout_of(&line("--once ./once", "--games 4 --journal j"));
    assert_eq!(dir.reasons("j"), ["rules"; 4]);
    assert_has(&said, "1 game void: an engine was ended by a signal");
    // The second time it is its own doing, and the others play on.
    let found = dir.json(&line("--at 1", "--engine cmd=greedy --journal k --json"));
    assert_eq!(found["void_games"]["an engine was ended by a signal"], 4);
    let ends = serde_json::json!({"crash": 4, "no move left": 2});
    assert_eq!(found["ends"], ends);
    assert_eq!(found["engines"][0]["lost_by_crashes"], 4);
    let games = dir.games("k");
    let crash = games.iter().find(|game| game["reason"] == "crash");
    assert_eq!(crash.expect("one")["detail"], "killed by SIGTERM");
}

/// As by `nohup`, or in the background of a script.
#[test]
fn what_is_ignored_at_the_start_stays_ignored() {
    let engine = mock("--pause 5");
    let games = format!("match {engine} depth=1 --engine cmd=random --games 20 --seed 1");
    let datagen = "datagen --games 200 --nodes 200 --threads 1 --out d";
    std::thread::scope(|scope| {
        for (line, begun) in [(&*games, "1/20 game"), (datagen, "0 of 200 games")] {
            scope.spawn(move || {
                let dir = Folder::new();
                let mut child = piped(&mut dir.in_shell_after("trap '' HUP INT", line));
                let mut said = progress(&mut child);
                assert!(said.any(|line| line.starts_with(begun)), "{line}");
                for signal in [Signal::SIGHUP, Signal::SIGINT] {
                    send(child.id(), signal);
                }
                let said: Vec<String> = said.collect();
                let output = child.wait_with_output().expect("it ends");
                assert!(output.status.success(), "{line}: {said:?}");
            });
        }
    });
}

/// `less` does not read on until somebody presses a key.
#[test]
fn a_reader_that_stands_still_holds_up_no_match() {
    let dir = Folder::new();
    let line = |games: u32| {
        format!("match --engine cmd=random --engine cmd=random --games {games} --seed 1")
    };
    // Lines are lost, but not the last ones. Nobody reads before the end.
    let mut child = dir.start(&line(3000));
    let status = child.wait().expect("it ends");
    let output = child.wait_with_output().expect("it has ended");
    assert!(status.success(), "{output:?}");
    assert_has(&stdout(&output), "finished: 3000 games");
    // Even the results have no room: a signal ends the wait.
    let (reader, mut full) = std::io::pipe().expect("a pipe");
    nix::fcntl::fcntl(&full, FcntlArg::F_SETFL(OFlag::O_NONBLOCK)).expect("a pipe");
    while full.write(&[b' '; 4096]).is_ok() {}
    let mut command = dir.command(&line(4));
    command.stdout(full).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    assert!(progress(&mut child).any(|line| line.starts_with("4/4 game")));
    let mut signals = 0;
    while child.try_wait().expect("a child").is_none() {
        if signals < 3 {
            send(child.id(), Signal::SIGTERM);
            signals += 1;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    drop(reader);
}

/// A thread that waits for a processor has not stopped yet.
fn is_suspended(runner: u32) -> bool {
    let tasks = std::fs::read_dir(format!("/proc/{runner}/task")).expect("it runs");
    let tasks = tasks.flatten();
    let stats = tasks.map(|task| std::fs::read_to_string(task.path().join("stat")));
    stats.flatten().all(|stat| stat.contains(") T "))
}

#[test]
fn a_runner_that_was_suspended_blames_no_engine() {
    let dir = Folder::new();
    let (child, said) = second_game(&dir, "st=2 --log l");
    let mut logs = std::fs::read_dir(dir.path("l")).expect("a folder");
    let log = logs.next().expect("a log").expect("a log").path();
    // It is to wait for a move when it stops.
    wait("a move", || {
        send(child.id(), Signal::SIGSTOP);
        wait("a stop", || is_suspended(child.id()));
        let text = std::fs::read_to_string(&log).unwrap_or_default();
        let last = text.lines().last();
        let waits = last.is_some_and(|line| line.contains("> go "));
        if !waits {
            send(child.id(), Signal::SIGCONT);
        }
        waits
    });
    std::thread::sleep(Duration::from_secs(4));
    send(child.id(), Signal::SIGCONT);
    let said: Vec<String> = said.collect();
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{said:?}");
    assert_eq!(dir.reasons("j"), ["rules"; 6], "{said:?}");
    let expected = "the match runner was not running for";
    assert!(said.iter().any(|line| line.contains(expected)), "{said:?}");
    let found: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    assert_eq!(found["void_games"]["the match runner was not running"], 1);
}

/// The solver that judges a match may take a minute for a position, and ends with it.
#[test]
fn a_second_interrupt_ends_a_proof() {
    let dir = Folder::new();
    let mut child = dir.start(&format!(
        "match {} depth=1 name=e --engine cmd=random --games 2 --adjudicate solver=60000 --log l",
        mock("")
    ));
    let mut said = progress(&mut child);
    // The engine gets its first new game before the match, and the proof follows the second.
    let log = dir.path("l/0001-e.log");
    let log = || std::fs::read_to_string(&log).unwrap_or_default();
    wait("two games", || log().matches("newgame").count() >= 2);
    std::thread::sleep(Duration::from_millis(100));
    let begin = Instant::now();
    send(child.id(), Signal::SIGINT);
    assert!(said.any(|line| line.contains("interrupt again")));
    send(child.id(), Signal::SIGINT);
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    assert!(begin.elapsed() < Duration::from_secs(50));
}

/// Whoever ends the checks of an engine that does not answer leaves nothing behind.
#[test]
fn checks_can_be_interrupted() {
    let dir = Folder::new();
    let line = format!("compliance {} --patience 60s", mock("--fault mute"));
    let child = dir.start(&line);
    engines(child.id());
    send(child.id(), Signal::SIGINT);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    dir.assert_nothing_runs();
}

/// The guard ends what an engine has started, even in a session of its own.
#[cfg(target_os = "linux")]
#[test]
fn nothing_outlives_a_killed_runner() {
    let dir = Folder::new();
    let engine = mock("--fault setsid --once ./once --pause 30");
    let line = format!("match {engine} depth=1 --engine cmd=random --games 600 --seed 1");
    let mut child = dir.start(&line);
    assert!(progress(&mut child).any(|line| line.contains(" game ")));
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    dir.assert_nothing_runs();
}
