//! Games that engines repeat move by move are no evidence.

use std::path::Path;

use serde_json::Value;
use tempfile::tempdir;

use crate::support::{games, mock, play, stderr, stdout, totemic};

fn run(dir: &Path, first: &str, limits: &str, options: &str) -> (Value, String) {
    let (a, b) = (mock(first), mock("--style greedy"));
    let mut args = vec!["--engine", &a, "name=a"];
    args.extend(limits.split_whitespace());
    args.extend(["--engine", &b, "name=b"]);
    args.extend(limits.split_whitespace());
    args.extend(["--openings", "two", "--json", "--seed", "1"]);
    args.extend(options.split_whitespace());
    let output = play(dir, &args);
    assert!(output.status.success(), "{}", stderr(&output));
    let found = serde_json::from_str(&stdout(&output)).expect("one JSON object");
    (found, stderr(&output))
}

fn offline(dir: &Path, words: &str) -> String {
    let mut command = totemic();
    let output = command.current_dir(dir).args(words.split_whitespace());
    let output = output.output().expect("it starts");
    assert!(output.status.success(), "{}", stderr(&output));
    stdout(&output)
}

/// Complete pairs that count, and those that do not.
fn pairs(found: &Value) -> (u64, u64) {
    let meeting = &found["meetings"][0];
    let cells = meeting["pairs"].as_array().expect("cells");
    let count = cells.iter().map(|n| n.as_u64().expect("a number")).sum();
    (count, meeting["repeated_pairs"].as_u64().expect("a number"))
}

#[test]
fn a_pair_counts_once_wherever_it_is_played_again() {
    let dir = tempdir().expect("a directory");
    std::fs::write(dir.path().join("two"), "startpos\nc5b6y\n").expect("written");
    let options = "--games 80 --journal j";
    let (found, said) = run(dir.path(), "--style first", "nodes=9", options);
    assert_has(&said, "give 2 different pairs of games, where 40 are asked for");
    assert!(
        !said.contains("--random-plies") && said.contains("st="),
        "{said}"
    );
    assert_eq!(found["ended"], "exhausted");
    let played = games(&dir.path().join("j")).len() as u64;
    assert!((8..40).contains(&played), "{played} games");
    assert_eq!(pairs(&found), (2, played / 2 - 2));
    assert_eq!(found["games"], played);
    assert_eq!(found["repeated_games"], played - 4);
    assert_eq!(found["engines"][0]["games"], 4);
    assert!(found["meetings"][0]["strength"].is_null(), "{found}");

    // Resumed, rated and tested it is the same, and it plays no more.
    let (resumed, _) = run(
        dir.path(),
        "--style first",
        "nodes=9",
        "--games 80 --journal j --resume",
    );
    assert_eq!(resumed, found);
    let rated: Value = serde_json::from_str(&offline(dir.path(), "rate j --json")).expect("JSON");
    assert_eq!(rated["meetings"], found["meetings"]);
    assert_eq!(rated["engines"], found["engines"]);
    let rated = offline(dir.path(), "rate j");
    for part in ["pairs repeat an earlier game", "of them repeats"] {
        assert!(rated.contains(part), "{rated}");
    }
    let tested = offline(dir.path(), "sprt j elo0=0 elo1=10");
    assert_has(&tested, "undecided");
    assert_has(&tested, "repeat");

    // So are the parts of a match together.
    for part in [1, 2] {
        let options = format!("--games 80 --shard {part}/2 --journal part{part}");
        let (found, _) = run(dir.path(), "--style first", "nodes=9", &options);
        assert_eq!(pairs(&found).0, 1);
    }
    let merged = offline(dir.path(), "rate part1 part2 --json");
    let merged: Value = serde_json::from_str(&merged).expect("JSON");
    assert_eq!(pairs(&merged).0, 2);

    // A sequential test cannot be decided so, and ends all the same.
    let (tested, _) = run(dir.path(), "--style first", "nodes=9", "--sprt elo1=10");
    assert_eq!(tested["ended"], "exhausted");
    assert_eq!(tested["meetings"][0]["sprt"]["verdict"], "undecided");
}

#[test]
fn engines_that_may_vary_play_on() {
    let dir = tempdir().expect("a directory");
    std::fs::write(dir.path().join("two"), "startpos\nc5b6y\n").expect("written");
    // By chance no pair is like another.
    let (random, _) = run(dir.path(), "--style random", "nodes=9", "--games 20");
    assert_eq!(
        (&random["ended"], pairs(&random)),
        (&"complete".into(), (10, 0))
    );
    // The clock may make them vary, though here it does not.
    let (timed, said) = run(dir.path(), "--style first", "tc=60", "--games 20");
    assert_eq!(
        (&timed["ended"], pairs(&timed)),
        (&"complete".into(), (2, 8))
    );
    assert!(!said.contains("different pairs"), "{said}");
    let left = timed["engines"][0]["clock_left_ms"].as_f64();
    assert!(left.is_some_and(|left| left <= 60_000.0), "{timed}");
}

/// Engines that play the same game from each of two openings; the first two
/// score the same against each other.
fn tournament(format: &str, engines: &[&str]) -> Value {
    let dir = tempdir().expect("a directory");
    std::fs::write(dir.path().join("two"), "startpos\nc5b6y\n").expect("written");
    let mut args: Vec<String> = Vec::new();
    for (name, style) in ["a", "b", "c", "d"].iter().zip(engines) {
        let engine = mock(&format!("--style {style}"));
        args.extend([
            "--engine".into(),
            engine,
            format!("name={name}"),
            "nodes=9".into(),
        ]);
    }
    let rest = "--openings two --games 20 --seed 3 --json --format";
    args.extend(rest.split_whitespace().map(str::to_owned));
    args.push(format.to_owned());
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let output = play(dir.path(), &args);
    assert!(output.status.success(), "{}", stderr(&output));
    serde_json::from_str(&stdout(&output)).expect("one JSON object")
}

#[test]
fn a_knockout_of_engines_that_repeat_has_a_winner() {
    let found = tournament("knockout", &["first"; 4]);
    assert_eq!(found["ended"], "complete");
    let standings = &found["standings"];
    assert_eq!(standings["rounds"].as_array().map(Vec::len), Some(2));
    // All is tied, so the seeding decides.
    assert_eq!(standings["winner"], "a", "{found}");
}

#[test]
fn a_meeting_of_a_swiss_tournament_is_worth_as_much_as_a_bye() {
    let found = tournament("swiss", &["first", "greedy", "first"]);
    let table = found["standings"].as_array().expect("a table");
    let number = |row: &Value, key: &str| row[key].as_f64().expect("a number");
    let byes: f64 = table.iter().map(|row| number(row, "byes")).sum();
    let points: f64 = table.iter().map(|row| number(row, "points")).sum();
    // In each round one engine has a bye and the others meet, for 20 points each.
    assert_eq!(points, byes * 40.0, "{found}");
    assert!(found["repeated_games"].as_u64() > Some(0), "{found}");
}
