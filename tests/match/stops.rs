//! Stops from outside are nobody's loss.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tempfile::tempdir;

use crate::support::{games, mock, play, stay, stderr, stdout, totemic};

fn send(pid: u32, signal: Signal) {
    kill(Pid::from_raw(pid.cast_signed()), signal).expect("it runs");
}

/// The processes of the mock engine that a runner has started.
fn engines(runner: u32) -> Vec<u32> {
    let tasks = format!("/proc/{runner}/task");
    let tasks = std::fs::read_dir(tasks).expect("it runs").flatten();
    let children = tasks.map(|task| {
        let children = std::fs::read_to_string(task.path().join("children"));
        children.unwrap_or_default()
    });
    let is_engine = |pid: &u32| {
        let name = std::fs::read_to_string(format!("/proc/{pid}/comm"));
        name.is_ok_and(|name| name.starts_with("mock_engine"))
    };
    let children: Vec<String> = children.collect();
    let pids = children.iter().flat_map(|text| text.split_whitespace());
    let pids = pids.filter_map(|pid| pid.parse().ok());
    pids.filter(is_engine).collect()
}

/// A match of a slow engine against random moves, in the midst of its second game.
fn second_game(dir: &Path, keys: &[&str]) -> (Child, impl Iterator<Item = String> + use<>) {
    let mut child = totemic()
        .current_dir(dir)
        .args(["match", "--engine", &mock("--pause 30"), "--engine"])
        .args(["cmd=random", "--games", "6", "--seed", "1"])
        .args(["--resume", "--journal", "j", "--json", "--each"])
        .args(keys)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let said = BufReader::new(child.stderr.take().expect("a pipe")).lines();
    let mut said = said.map_while(Result::ok);
    assert!(said.any(|line| line.starts_with("1/6 game")));
    std::thread::sleep(Duration::from_millis(100));
    (child, said)
}

fn reasons(dir: &Path) -> Vec<String> {
    let games = games(&dir.join("j"));
    let reasons = games.iter().map(|game| game["reason"].as_str());
    reasons
        .map(|reason| reason.expect("one").to_owned())
        .collect()
}

/// As a job scheduler ends all processes of a job, the engines first.
#[test]
fn a_stop_of_everything_loses_no_game() {
    for signal in [Signal::SIGTERM, Signal::SIGHUP, Signal::SIGKILL] {
        let dir = tempdir().expect("a directory");
        let (mut child, said) = second_game(dir.path(), &["depth=1"]);
        for engine in engines(child.id()) {
            send(engine, signal);
        }
        send(child.id(), Signal::SIGTERM);
        let said: Vec<String> = said.collect();
        let code = child.wait().expect("it ends").code();
        assert_eq!(code, Some(130), "{signal}: {said:?}");
        assert!(said.iter().any(|line| line.contains("is void")), "{said:?}");
        let rules = reasons(dir.path()).iter().all(|reason| reason == "rules");
        assert!(rules, "{signal}: {said:?}");
        let args = ["--engine", &mock("--pause 30"), "--engine", "cmd=random"];
        let rest = ["--each", "depth=1", "--games=6", "--resume", "--journal=j"];
        let resumed = play(dir.path(), &[&args[..], &rest].concat());
        assert!(resumed.status.success(), "{}", stderr(&resumed));
        assert_eq!(reasons(dir.path()), ["rules"; 6], "{signal}");
        assert_eq!(stay(dir.path()), Vec::<String>::new());
    }
}

#[test]
fn an_engine_that_stops_itself_is_played_again_and_not_for_ever() {
    let dir = tempdir().expect("a directory");
    let marker = dir.path().join("once");
    let once = mock(&format!("--fault stop --once '{}'", marker.display()));
    let always = mock("--fault stop --at 1");
    let run = |engine: &str, journal: &str| {
        let args = ["--engine", engine, "depth=1", "name=bad", "--engine"];
        let rest = ["cmd=random", "--games=4", "--seed=1", "--journal", journal];
        play(dir.path(), &[&args[..], &rest].concat())
    };
    let output = run(&once, "j");
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(reasons(dir.path()), ["rules"; 4]);
    let told = "1 game void: an engine was ended from outside";
    assert!(stdout(&output).contains(told), "{}", stdout(&output));
    let output = run(&always, "k");
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("bad: killed by SIGTERM"), "{said}");
    assert_has(&said, "11 games of two engines were void in a row");
    assert!(said.contains("--resume"), "{said}");
    assert!(games(&dir.path().join("k")).is_empty());
}

#[test]
fn a_runner_that_was_suspended_blames_no_engine() {
    let dir = tempdir().expect("a directory");
    let (child, said) = second_game(dir.path(), &["st=2"]);
    send(child.id(), Signal::SIGSTOP);
    std::thread::sleep(Duration::from_secs(4));
    send(child.id(), Signal::SIGCONT);
    let said: Vec<String> = said.collect();
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{said:?}");
    assert_eq!(reasons(dir.path()), ["rules"; 6], "{said:?}");
    let told = "the match runner was not running for";
    assert!(said.iter().any(|line| line.contains(told)), "{said:?}");
    let found: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    assert_eq!(found["void_games"]["the match runner was not running"], 1);
}
