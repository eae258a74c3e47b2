//! Knockouts and Swiss tournaments: who meets whom, and who wins.

use std::collections::BTreeSet;

use crate::support::{Folder, PLAYERS, mock, with_openings};
use serde_json::Value as Json;

#[test]
fn a_knockout_shows_its_bracket_and_names_the_winner() {
    let dir = Folder::new();
    let line =
        format!("match {PLAYERS} {PLAYERS} --format knockout --games 6 --seed 2 --journal j");
    let said = dir.stdout_of(&line);
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
fn a_knockout_draws_those_who_are_not_seeded() {
    let dir = Folder::new();
    let names = ["a", "b", "c", "d", "e", "f", "g", "h"];
    let engines = names
        .map(|name| format!("--engine cmd=random name={name}"))
        .join(" ");
    let first_round = |more: &str| {
        let line = format!("match {engines} --format knockout {more} --json --report 0");
        let round = dir.json(&line)["standings"]["rounds"][0].clone();
        let meetings = round.as_array().expect("meetings").iter();
        BTreeSet::from_iter(meetings.map(|met| met["engines"].to_string()))
    };
    let all = first_round("--seed 1");
    assert_eq!(all, first_round("--seed 2"));
    assert!(all.contains("[\"a\",\"h\"]"), "{all:?}");
    let drawn: BTreeSet<_> = (1..6)
        .map(|seed| first_round(&format!("--seeds 2 --seed {seed}")))
        .collect();
    assert!(drawn.len() > 2, "{drawn:?}");
    let are_apart = drawn.iter().flatten().all(|met| met != "[\"a\",\"b\"]");
    assert!(are_apart, "{drawn:?}");
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
    let said = dir.stdout_of(&line);
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

/// Plays a tournament of engines that play the same game from each of two openings; the
/// first two engines are even.
fn tournament(format: &str, engines: &[&str]) -> Json {
    let engine =
        |(name, style)| mock(&format!("--style {style}")) + &format!(" name={name} nodes=9 ");
    let engines: String = ('a'..).zip(engines).map(engine).collect();
    let line = format!("match {engines} --openings two --games 20 --seed 3 --json");
    with_openings().json(&format!("{line} --format {format}"))
}

#[test]
fn a_knockout_of_engines_that_repeat_has_a_winner() {
    let found = tournament("knockout", &["first"; 4]);
    assert_eq!(found["ended"], "complete");
    let standings = &found["standings"];
    assert_eq!(standings["rounds"].as_array().map(Vec::len), Some(2));
    // Everything is tied, so the seeding decides.
    assert_eq!(standings["winner"], "a", "{found}");
}

#[test]
fn a_meeting_of_a_swiss_tournament_is_worth_as_much_as_a_bye() {
    let found = tournament("swiss", &["first", "greedy", "first"]);
    let table = found["standings"].as_array().expect("a table");
    let [byes, points] = ["byes", "points"].map(|key| {
        let column = table.iter().filter_map(|row| row[key].as_f64());
        column.sum::<f64>()
    });
    // In each round one engine has a bye and the others meet, for 20 points each.
    assert_eq!(points, byes * 40.0, "{found}");
    assert!(found["repeated_games"].as_u64() > Some(0), "{found}");
}
