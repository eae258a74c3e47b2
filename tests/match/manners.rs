//! What a match says, and what it leaves alone.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Output, Stdio};

use crate::support::{games, mock, play, stderr, stdout, totemic};
use serde_json::Value;
use tempfile::tempdir;

const PLAYERS: [&str; 4] = ["--engine", "cmd=random", "--engine", "cmd=random"];

fn run(dir: &Path, args: &[&str]) -> Output {
    let output = play(dir, args);
    assert!(output.status.success(), "{}", stderr(&output));
    output
}

fn json(output: &Output) -> Value {
    serde_json::from_str(&stdout(output)).expect("one JSON object")
}

#[test]
fn a_knockout_shows_its_bracket_and_names_the_winner() {
    let dir = tempdir().expect("a directory");
    let args = [
        &PLAYERS[..],
        &PLAYERS,
        &[
            "--format",
            "knockout",
            "--games",
            "6",
            "--seed",
            "2",
            "--journal",
            "j",
        ],
    ]
    .concat();
    let said = stdout(&run(dir.path(), &args));
    assert!(said.contains("round 1: random "), "{said}");
    assert!(said.contains("round 2: "), "{said}");
    let (_, winner) = said.split_once("winner: ").expect("a winner");
    let winner = winner.lines().next().expect("a name");
    let found = json(&run(
        dir.path(),
        &[&args[..], &["--resume", "--json"]].concat(),
    ));
    assert_eq!(found["standings"]["winner"], winner);
    let rounds = found["standings"]["rounds"].as_array().expect("rounds");
    let sizes: Vec<usize> = rounds
        .iter()
        .map(|round| round.as_array().map_or(0, Vec::len))
        .collect();
    assert_eq!(sizes, [2, 1]);
    assert_eq!(rounds[1][0]["winner"], winner);
}

#[test]
fn a_swiss_tournament_is_ordered_by_points_and_buchholz() {
    let dir = tempdir().expect("a directory");
    let five = [&PLAYERS[..], &PLAYERS, &["--engine", "cmd=random"]].concat();
    let args = [
        &five[..],
        &["--format", "swiss", "--rounds=3", "--seed=4", "--journal=j"],
    ]
    .concat();
    let said = stdout(&run(dir.path(), &args));
    let head = said.lines().next().expect("a table");
    assert_eq!(
        head.split_whitespace().collect::<Vec<_>>(),
        ["engine", "points", "Buchholz", "byes"]
    );
    let found = json(&run(
        dir.path(),
        &[&args[..], &["--resume", "--json"]].concat(),
    ));
    let table = found["standings"].as_array().expect("a table");
    let number = |row: &Value, key: &str| row[key].as_f64().expect(key);
    let keys: Vec<(f64, f64)> = table
        .iter()
        .map(|row| (number(row, "points"), number(row, "buchholz")))
        .collect();
    assert!(keys.windows(2).all(|two| two[0] >= two[1]), "{keys:?}");
    // Two games in each of three rounds, byes counted as won.
    let points: f64 = keys.iter().map(|key| key.0).sum();
    assert_eq!(points, 3.0 * (2.0 * 2.0 + 2.0));
    let byes: f64 = table.iter().map(|row| number(row, "byes")).sum();
    assert_eq!(byes, 3.0);
    // Each opponent's points, so each engine's own as often as it met one.
    let buchholz: f64 = keys.iter().map(|key| key.1).sum();
    let met: f64 = table
        .iter()
        .map(|row| number(row, "points") * (3.0 - number(row, "byes")))
        .sum();
    assert_eq!(buchholz, met);
}

#[test]
fn results_come_as_json_and_few_pairs_say_nothing_in_elo() {
    let dir = tempdir().expect("a directory");
    let args = [&PLAYERS[..], &["--seed=1", "--journal=j"]].concat();
    let few = run(dir.path(), &args);
    assert!(!stdout(&few).contains("Elo 0"), "{}", stdout(&few));
    assert!(
        stdout(&few).contains("fewer than 10 pairs"),
        "{}",
        stdout(&few)
    );
    let long = [&args[..], &["--games=20", "--resume"]].concat();
    let found = json(&run(dir.path(), &[&long[..], &["--json"]].concat()));
    assert_eq!(found["games"], 20);
    assert_eq!(found["ended"], "complete");
    assert!(
        found["meetings"][0]["strength"]["elo"].is_number(),
        "{found}"
    );
    assert!(stdout(&run(dir.path(), &long)).contains("\nElo "));
    let command = |args: &[&str]| {
        let output = totemic().current_dir(dir.path()).args(args).output();
        json(&output.expect("it starts"))
    };
    let rated = command(&["rate", "j", "--json"]);
    assert_eq!(rated["engines"], found["engines"]);
    let tested = command(&["sprt", "j", "--json"]);
    assert_eq!(tested["pairs"], found["meetings"][0]["pairs"]);
    let counted = command(&["sprt", "127", "4883", "10712", "5150", "104", "--json"]);
    assert_eq!(counted["sprt"]["verdict"], "undecided");
}

#[test]
fn a_value_that_an_option_does_not_take_ends_the_match_before_it_begins() {
    let dir = tempdir().expect("a directory");
    let args = [
        "--engine",
        &mock(""),
        "depth=1",
        "name=a",
        "option.Hash=0",
        "--engine",
        "cmd=random",
        "--journal",
        "j",
    ];
    let output = play(dir.path(), &args);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("engine a"), "{said}");
    assert!(
        said.contains("'Hash' takes a number from 1 to 1024, not '0'"),
        "{said}"
    );
    assert!(games(&dir.path().join("j")).is_empty());
}

#[test]
fn nothing_is_overwritten_unless_it_is_forced() {
    let dir = tempdir().expect("a directory");
    let args = [&PLAYERS[..], &["--journal=j", "--pgn=p"]].concat();
    run(dir.path(), &[&args[..], &["--seed=1"]].concat());
    let read = |name: &str| std::fs::read_to_string(dir.path().join(name)).expect("a file");
    let before = [read("j"), read("p")];
    for only in ["--journal=j", "--pgn=p"] {
        let refused = play(dir.path(), &[&PLAYERS[..], &[only, "--seed=2"]].concat());
        assert!(!refused.status.success());
        assert!(stderr(&refused).contains("--force"), "{}", stderr(&refused));
        assert_eq!([read("j"), read("p")], before);
    }
    run(dir.path(), &[&args[..], &["--seed=2", "--force"]].concat());
    assert_eq!(games(&dir.path().join("j")).len(), 2);
    assert_eq!(read("p").matches("[Event ").count(), 2);
    assert_ne!([read("j"), read("p")], before);
    // Logs of a second run stand beside those of the first.
    let engine = mock("");
    let logged = [
        "--engine",
        &engine,
        "depth=1",
        "name=a",
        "--engine",
        "cmd=random",
        "--log",
        "l",
    ];
    let mut logs = Vec::new();
    for _ in 0..2 {
        run(dir.path(), &logged);
        let names = std::fs::read_dir(dir.path().join("l")).expect("logs");
        logs.push(names.count());
    }
    assert_eq!(logs, [1, 2]);
}

#[test]
fn openings_are_read_from_games() {
    let dir = tempdir().expect("a directory");
    run(
        dir.path(),
        &[
            &PLAYERS[..],
            &["--games=6", "--seed=1", "--journal=j", "--pgn=p"],
        ]
        .concat(),
    );
    let openings = |journal: &str| -> Vec<Value> {
        let games = games(&dir.path().join(journal));
        games.iter().map(|game| game["opening"].clone()).collect()
    };
    let book = openings("j");
    for file in ["j", "p"] {
        let journal = format!("of-{file}");
        let args = [
            "--games=6",
            "--seed=9",
            "--journal",
            &journal,
            "--openings",
            file,
        ];
        run(dir.path(), &[&PLAYERS[..], &args].concat());
        assert_eq!(openings(&journal), book, "{file}");
    }
    let args = [
        "--games=6",
        "--seed=9",
        "--journal=second",
        "--openings",
        "p",
        "start=2",
    ];
    run(dir.path(), &[&PLAYERS[..], &args].concat());
    let turned = [&book[2..], &book[..2]].concat();
    assert_eq!(openings("second"), turned);
    let args = ["--games=6", "--journal=six", "--openings", "p", "plies=6"];
    run(dir.path(), &[&PLAYERS[..], &args].concat());
    let six = openings("six");
    assert!(
        six.iter()
            .all(|one| one["moves"].as_array().map(Vec::len) == Some(6))
    );
    for (keys, named) in [
        ("start=4", "start=4"),
        ("start=0", "start=0"),
        ("plies=x", "plies=x"),
    ] {
        let refused = play(
            dir.path(),
            &[&PLAYERS[..], &["--openings", "p", keys]].concat(),
        );
        assert_eq!(refused.status.code(), Some(2), "{keys}");
        assert!(stderr(&refused).contains(named), "{}", stderr(&refused));
    }
}

#[test]
fn a_failed_check_stays_one_when_nobody_reads_to_its_end() {
    let mut child = totemic()
        .args(["compliance", "--engine", &mock(""), "--patience", "1"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let mut first = String::new();
    let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
    out.read_line(&mut first).expect("a check");
    drop(out);
    assert_eq!(child.wait().expect("it ends").code(), Some(1));
}
