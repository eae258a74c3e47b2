//! A journal that was altered by hand is refused with the number of the line.

use crate::support::{Folder, PLAYERS, mock};
use serde_json::{Value, json};
use totemic::game::Yoxii;
use totemic::search::WeightsFile;

/// The options of the match that all these tests alter.
const MATCH: &str = "--games 8 --seed 3 --journal j --report 0";

/// Alters game number `index` of the journal.
fn alter(dir: &Folder, index: usize, change: impl FnOnce(&mut Value)) {
    let text = dir.read("j");
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut game: Value = serde_json::from_str(&lines[index + 1]).expect("a game");
    change(&mut game);
    lines[index + 1] = game.to_string();
    dir.write("j", lines.join("\n") + "\n");
}

/// Returns what `--resume` and `rate` say. Both must refuse the journal and leave it as
/// it is.
fn refusals(dir: &Folder, more: &str) -> [String; 2] {
    let before = dir.read("j");
    let resumed = dir.fails(1, &format!("match {PLAYERS} {MATCH} --resume {more}"));
    let rated = dir.fails(1, "rate j");
    assert_eq!(dir.read("j"), before);
    [resumed, rated]
}

#[test]
fn every_field_is_held_against_the_match() {
    type Change = fn(&mut Value);
    let changes: &[(&str, Change)] = &[
        ("pair", |game| game["pair"] = json!(9999)),
        ("leg", |game| game["leg"] = json!(2)),
        ("stage", |game| game["stage"] = json!(7)),
        ("engines", |game| game["engines"] = json!([0, 0])),
        ("engines swapped", |game| {
            let (a, b) = (game["engines"][0].clone(), game["engines"][1].clone());
            game["engines"] = json!([b, a]);
        }),
        ("seed", |game| game["seed"] = json!(17)),
        ("opening", |game| {
            let moves = &mut game["opening"]["moves"];
            moves.as_array_mut().expect("moves").pop();
        }),
        ("result", |game| {
            let is_first = game["result"] == "p1win";
            game["result"] = json!(if is_first { "p2win" } else { "p1win" });
        }),
        ("points", |game| game["points"] = json!([99, 0])),
        ("no points", |game| {
            game.as_object_mut().expect("a game").remove("points");
        }),
        ("reason", |game| game["reason"] = json!("crash")),
        ("a move", |game| game["moves"][3]["m"] = json!("a1a1x")),
        ("an early end", |game| {
            game["moves"].as_array_mut().expect("moves").pop();
        }),
        ("a resignation", |game| {
            game["moves"].as_array_mut().expect("moves").pop();
            game["reason"] = json!("resign");
        }),
        ("time", |game| game["moves"][0]["t"] = json!(-5.0)),
        ("total", |game| game["total_ms"] = json!(-1.0)),
    ];
    let dir = Folder::new();
    dir.ok(&format!("match {PLAYERS} {MATCH}"));
    let said = dir.fails(1, "data info j");
    let told = "line 1: not the first line of a journal of datagen, but of a match's journal\n";
    assert!(said.ends_with(told), "{said}");
    let whole = dir.read("j");
    for (what, change) in changes {
        alter(&dir, 4, change);
        for said in refusals(&dir, "") {
            assert!(said.contains("line 6: "), "{what}: {said}");
        }
        dir.write("j", &whole);
    }
    // Without changes it is accepted, also by a longer match.
    for _ in 0..2 {
        dir.ok(&format!(
            "match {PLAYERS} --games 12 --seed 3 --journal j --resume"
        ));
        assert_eq!(dir.games("j").len(), 12);
    }
    // A shorter match does not have these games.
    let said = dir.fails(1, &format!("match {PLAYERS} {MATCH} --resume"));
    let named = said.contains("line 10: ") && said.contains("4 pairs");
    assert!(named, "{said}");
}

#[test]
fn openings_of_a_file_are_compared_with_each_other() {
    let dir = Folder::new();
    dir.write("o", "c5b6y\nc5c6y\n");
    dir.ok(&format!("match {PLAYERS} {MATCH} --openings o"));
    // This is legal, but the other games with this opening began differently.
    alter(&dir, 5, |game| {
        game["opening"]["moves"] = json!([]);
        let is_even = game["pair"].as_u64().is_some_and(|pair| pair % 2 == 0);
        let first = if is_even { "c5b6y" } else { "c5c6y" };
        let moves = game["moves"].as_array_mut().expect("moves");
        moves.insert(0, json!({"m": first, "t": 1.0}));
    });
    for said in refusals(&dir, "--openings o") {
        let named = said.contains("line 7: ") && said.contains("opening");
        assert!(named, "{said}");
    }
}

#[test]
fn ends_by_scores_follow_from_the_scores() {
    // The mock engine always says +0.12.
    let dir = Folder::new();
    let engine = mock("--style first") + " depth=1";
    let line = format!("match {engine} name=a {engine} name=b {MATCH} --draw score=20 movecount=3");
    dir.ok(&line);
    assert_eq!(dir.games("j")[0]["reason"], "agreed-draw");
    let again = format!("{line} --resume");
    dir.ok(&again);
    alter(&dir, 0, |game| game["result"] = json!("p1win"));
    dir.fails_with(1, &again, "line 2: ");
}

#[test]
fn tournaments_that_depend_on_results_are_held_against_them() {
    for format in ["swiss", "knockout"] {
        let dir = Folder::new();
        let line = format!("match {PLAYERS} {PLAYERS} --format {format} --seed 5 --journal j");
        dir.ok(&line);
        let again = format!("{line} --resume");
        dir.ok(&again);
        let whole = dir.read("j");
        for (field, value) in [("engines", [3, 2]), ("points", [i32::MAX, -2])] {
            alter(&dir, 4, |game| game[field] = json!(value));
            dir.fails_with(1, &again, "line ");
            dir.write("j", &whole);
        }
    }
}

/// A journal records with which weights its engines played, and is not continued with
/// other weights under the same name.
#[test]
fn weights_are_named_and_compared() {
    let dir = Folder::new();
    let built_in = include_bytes!("../../src/search/eval/weights.bin");
    let weights = |origin: &str| {
        let mut file = WeightsFile::read(built_in).expect("weights");
        let own = file.weights::<Yoxii>().expect("those of Yoxii");
        file.set::<Yoxii>(own, origin);
        dir.write("w", file.write());
        let written = std::fs::read(dir.path("w")).expect("weights");
        WeightsFile::read(&written).expect("weights").checksum
    };
    let first = weights("one");
    let line = "match --engine cmd=self name=a nodes=10 option.EvalFile=w \
        --engine cmd=self name=b nodes=10 option.EvalFile=classic \
        --engine cmd=self name=c nodes=10 \
        --seed 3 --journal j --report 0 --games 2 --format gauntlet";
    dir.ok(line);
    let journal = dir.read("j");
    let heading: Value =
        serde_json::from_str(journal.lines().next().expect("a line")).expect("JSON");
    let named = |engine: usize| heading["settings"]["engines"][engine]["weights"].clone();
    let own = WeightsFile::read(built_in).expect("weights").checksum;
    assert_eq!(named(0), format!("{first:08x}"));
    assert_eq!(named(1), "classic");
    assert_eq!(named(2), format!("{own:08x}"));

    let second = weights("two");
    let said = dir.fails(1, &format!("{line} --resume"));
    for word in ["weights", &format!("{first:08x}"), &format!("{second:08x}")] {
        assert!(said.contains(word), "{word}: {said}");
    }
}
