//! What a match says, and what it leaves alone.

use std::io::{BufRead, BufReader};

use crate::support::{Folder, PLAYERS, assert_has, mock, stderr};
use serde_json::Value as Json;

#[test]
fn a_knockout_shows_its_bracket_and_names_the_winner() {
    let dir = Folder::new();
    let line =
        format!("match {PLAYERS} {PLAYERS} --format knockout --games 6 --seed 2 --journal j");
    let said = dir.ok(&line);
    assert!(said.contains("round 1: random "), "{said}");
    assert!(said.contains("round 2: "), "{said}");
    let (_, winner) = said.split_once("winner: ").expect("a winner");
    let winner = winner.lines().next().expect("a name");
    let found = dir.json(&format!("{line} --resume --json"));
    assert_eq!(found["standings"]["winner"], winner);
    let rounds = found["standings"]["rounds"].as_array().expect("rounds");
    let sizes = rounds.iter().map(|round| round.as_array().map(Vec::len));
    assert!(sizes.eq([Some(2), Some(1)]), "{found}");
    assert_eq!(rounds[1][0]["winner"], winner);
}

#[test]
fn a_swiss_tournament_is_ordered_by_points_and_buchholz() {
    let three = format!("{PLAYERS} --engine cmd=random");
    let five = format!("{PLAYERS} {three}");
    in_order(&five, 5.0, 3.0);
    // With more rounds than engines, they meet and have byes again.
    in_order(&three, 3.0, 7.0);
}

fn in_order(players: &str, engines: f64, rounds: f64) {
    let dir = Folder::new();
    let line = format!("match {players} --format swiss --rounds {rounds} --seed 4 --journal j");
    let said = dir.ok(&line);
    let head = said.lines().next().expect("a table").split_whitespace();
    assert!(head.eq(["engine", "points", "Buchholz", "byes"]), "{said}");
    let found = dir.json(&format!("{line} --resume --json"));
    let table = found["standings"].as_array().expect("a table");
    let row = |row: &Json| ["points", "buchholz", "byes"].map(|key| row[key].as_f64().expect(key));
    let rows: Vec<[f64; 3]> = table.iter().map(row).collect();
    let ordered = rows.windows(2).all(|two| two[0][..2] >= two[1][..2]);
    assert!(ordered, "{rows:?}");
    let sum = |of: &dyn Fn(&[f64; 3]) -> f64| rows.iter().map(of).sum::<f64>();
    // There are two games in each meeting of a round, and byes count as won.
    assert_eq!(sum(&|row| row[0]), rounds * (engines - 1.0 + 2.0));
    assert_eq!(sum(&|row| row[2]), rounds);
    let most = rows.iter().map(|row| row[2]).fold(0.0, f64::max);
    assert_eq!(most, (rounds / engines).ceil());
    // A sum of opponents' points counts each engine's own points as often as it met an
    // opponent.
    assert_eq!(sum(&|row| row[1]), sum(&|row| row[0] * (rounds - row[2])));
}

#[test]
fn results_come_as_json_and_few_pairs_say_nothing_in_elo() {
    let dir = Folder::new();
    let line = format!("match {PLAYERS} --seed 1 --journal j");
    let few = dir.ok(&line);
    assert!(!few.contains("Elo 0"), "{few}");
    assert_has(&few, "too few pairs to estimate Elo");
    for label in [
        "pairs with 0, 1/2, 1, 3/2, 2 points: ",
        "no move left 2",
        "max ms",
        "s left",
        " in the runner",
    ] {
        assert_has(&few, label);
    }
    assert!(!few.contains("\nmargin"), "{few}");
    for results in ["19 0 0", "0 0 0 0 9"] {
        let few = dir.ok(&format!("sprt {results}"));
        assert!(!few.contains("LOS"), "{few}");
    }
    let long = format!("{line} --games 20 --resume");
    let found = dir.json(&format!("{long} --json"));
    assert_eq!(found["games"], 20);
    assert_eq!(found["ended"], "complete");
    let elo = &found["meetings"][0]["strength"]["elo"];
    assert!(elo.is_number(), "{found}");
    let said = dir.ok(&long);
    let labels = ["\nElo ", "] logistic, ", " normalized, LOS ", "rating"];
    assert!(labels.iter().all(|label| said.contains(label)), "{said}");
    let rated = dir.json("rate j --json");
    assert_eq!(rated["engines"], found["engines"]);
    let tested = dir.json("sprt j --json");
    assert_eq!(tested["pairs"], found["meetings"][0]["pairs"]);
    let counted = dir.json("sprt 127 4883 10712 5150 104 --json");
    assert_eq!(counted["sprt"]["verdict"], "undecided");
}

#[test]
fn the_logs_of_a_second_match_are_kept_beside_those_of_the_first() {
    let dir = Folder::new();
    let logged = format!("match {} depth=1 --engine cmd=random --log l", mock(""));
    for logs in [1, 2] {
        dir.ok(&logged);
        let found = std::fs::read_dir(dir.path("l")).expect("logs");
        assert_eq!(found.count(), logs);
    }
}

#[test]
fn openings_are_read_from_games() {
    let dir = Folder::new();
    let openings = |journal: &str, more: &str| -> Vec<Json> {
        dir.ok(&format!(
            "match {PLAYERS} --games 6 --journal {journal} {more}"
        ));
        let games = dir.games(journal);
        games.iter().map(|game| game["opening"].clone()).collect()
    };
    let book = openings("j", "--seed 1 --pgn p");
    assert_ne!(openings("k", "--seed 2"), book);
    assert_eq!(openings("of-j", "--seed 9 --openings j"), book);
    assert_eq!(openings("of-p", "--seed 9 --openings p"), book);
    let second = openings("second", "--seed 9 --openings p start=2");
    assert_eq!(second, [&book[2..], &book[..2]].concat());
    let six = openings("six", "--openings p plies=6");
    let plies = |one: &Json| one["moves"].as_array().map(Vec::len);
    assert!(six.iter().all(|one| plies(one) == Some(6)));
    dir.write("one", "c5b6y\n");
    let one = format!("match {PLAYERS} --games 2 --seed 1 --openings one");
    assert_has(&stderr(&dir.run(&one)), ", 1 opening, seed 1");
    for key in ["start=4", "start=0", "plies=x"] {
        dir.fails_with(2, &format!("match {PLAYERS} --openings p {key}"), key);
    }
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
