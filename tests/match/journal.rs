//! A journal that was altered by hand is refused with the line's number.

use std::path::Path;

use crate::support::{games, mock, play, stderr, stdout, totemic};
use serde_json::{Value, json};
use tempfile::{TempDir, tempdir};
use totemic::game::Yoxii;
use totemic::search::WeightsFile;

/// The match that all these tests alter.
const MATCH: &[&str] = &[
    "--games",
    "8",
    "--seed",
    "3",
    "--journal",
    "j",
    "--report",
    "0",
];
const PLAYERS: &[&str] = &["--engine", "cmd=random", "--engine", "cmd=random"];

fn played(more: &[&str]) -> TempDir {
    let dir = tempdir().expect("a directory");
    let output = play(dir.path(), &[PLAYERS, MATCH, more].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    dir
}

/// Alters game number `index` of the journal.
fn alter(dir: &Path, index: usize, change: impl FnOnce(&mut Value)) {
    let path = dir.join("j");
    let text = std::fs::read_to_string(&path).expect("a journal");
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut game: Value = serde_json::from_str(&lines[index + 1]).expect("a game");
    change(&mut game);
    lines[index + 1] = game.to_string();
    std::fs::write(path, lines.join("\n") + "\n").expect("written");
}

/// What `--resume` and `rate` say, which both must refuse and leave the
/// journal as it is.
fn refusals(dir: &Path, more: &[&str]) -> [String; 2] {
    let before = std::fs::read(dir.join("j")).expect("a journal");
    let resumed = play(dir, &[PLAYERS, MATCH, &["--resume"], more].concat());
    let rated = totemic().current_dir(dir).args(["rate", "j"]).output();
    let rated = rated.expect("it starts");
    for output in [&resumed, &rated] {
        let said = stdout(output) + &stderr(output);
        assert_eq!(output.status.code(), Some(1), "{said}");
    }
    assert_eq!(std::fs::read(dir.join("j")).expect("a journal"), before);
    [stderr(&resumed), stderr(&rated)]
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
            game["opening"]["moves"]
                .as_array_mut()
                .expect("moves")
                .pop();
        }),
        ("result", |game| {
            let other = if game["result"] == "p1win" {
                "p2win"
            } else {
                "p1win"
            };
            game["result"] = json!(other);
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
    let dir = played(&[]);
    let whole = std::fs::read(dir.path().join("j")).expect("a journal");
    for (what, change) in changes {
        alter(dir.path(), 4, change);
        for said in refusals(dir.path(), &[]) {
            assert!(said.contains("line 6: "), "{what}: {said}");
        }
        std::fs::write(dir.path().join("j"), &whole).expect("written");
    }
    // As it was, it is taken, also by a match that goes on.
    let longer = ["--games=12", "--seed=3", "--journal=j", "--resume"];
    for _ in 0..2 {
        let output = play(dir.path(), &[PLAYERS, &longer].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        assert_eq!(games(&dir.path().join("j")).len(), 12);
    }
    // A shorter match has no such games.
    let shorter = play(dir.path(), &[PLAYERS, MATCH, &["--resume"]].concat());
    let said = stderr(&shorter);
    assert!(
        said.contains("line 10: ") && said.contains("4 pairs"),
        "{said}"
    );
}

#[test]
fn openings_of_a_file_are_compared_with_each_other() {
    let dir = tempdir().expect("a directory");
    std::fs::write(dir.path().join("o"), "c5b6y\nc5c6y\n").expect("written");
    let output = play(dir.path(), &[PLAYERS, MATCH, &["--openings", "o"]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    // Legal, but not what the other games of this opening began with.
    alter(dir.path(), 5, |game| {
        game["opening"]["moves"] = json!([]);
        let first = if game["pair"].as_u64().is_some_and(|pair| pair % 2 == 0) {
            "c5b6y"
        } else {
            "c5c6y"
        };
        let moves = game["moves"].as_array_mut().expect("moves");
        moves.insert(0, json!({"m": first, "t": 1.0}));
    });
    for said in refusals(dir.path(), &["--openings", "o"]) {
        assert!(
            said.contains("line 7: ") && said.contains("opening"),
            "{said}"
        );
    }
}

#[test]
fn ends_by_scores_follow_from_the_scores() {
    // The mock engine always says +0.12.
    let dir = tempdir().expect("a directory");
    let engine = mock("--style first");
    let args: Vec<&str> = [
        &[
            "--engine", &engine, "depth=1", "name=a", "--engine", &engine, "depth=1", "name=b",
        ][..],
        MATCH,
        &["--draw", "score=20", "movecount=3"],
    ]
    .concat();
    let output = play(dir.path(), &args);
    assert!(output.status.success(), "{}", stderr(&output));
    let first = &games(&dir.path().join("j"))[0];
    assert_eq!(first["reason"], "agreed-draw");
    let again = [&args[..], &["--resume"]].concat();
    assert!(play(dir.path(), &again).status.success());
    alter(dir.path(), 0, |game| game["result"] = json!("p1win"));
    let refused = play(dir.path(), &again);
    assert!(
        stderr(&refused).contains("line 2: "),
        "{}",
        stderr(&refused)
    );
}

#[test]
fn tournaments_that_depend_on_results_are_held_against_them() {
    let four = [PLAYERS, PLAYERS].concat();
    for format in ["swiss", "knockout"] {
        let dir = tempdir().expect("a directory");
        let args: Vec<&str> =
            [&four[..], &["--format", format, "--seed=5", "--journal=j"]].concat();
        assert!(play(dir.path(), &args).status.success());
        let again = [&args[..], &["--resume"]].concat();
        assert!(play(dir.path(), &again).status.success(), "{format}");
        alter(dir.path(), 4, |game| game["engines"] = json!([3, 2]));
        let refused = play(dir.path(), &again);
        assert_eq!(refused.status.code(), Some(1), "{format}");
        assert!(stderr(&refused).contains("line "), "{}", stderr(&refused));
    }
}

/// A journal tells with which weights its engines played, and is not continued
/// with others of the same name.
#[test]
fn weights_are_named_and_compared() {
    let dir = tempdir().expect("a directory");
    let built_in = include_bytes!("../../src/search/eval/weights.bin");
    let weights = |origin: &str| {
        let mut file = WeightsFile::read(built_in).expect("weights");
        let own = file.weights::<Yoxii>().expect("those of Yoxii");
        file.set::<Yoxii>(own, origin);
        std::fs::write(dir.path().join("w"), file.write()).expect("written");
        let written = std::fs::read(dir.path().join("w")).expect("weights");
        WeightsFile::read(&written).expect("weights").checksum
    };
    let first = weights("one");
    let players = [
        "--engine",
        "cmd=self",
        "name=a",
        "nodes=10",
        "option.EvalFile=w", //
        "--engine",
        "cmd=self",
        "name=b",
        "nodes=10",
        "option.EvalFile=classic", //
        "--engine",
        "cmd=self",
        "name=c",
        "nodes=10",
    ];
    let run = |more: &[&str]| {
        play(
            dir.path(),
            &[&players[..], &MATCH[2..], &["--games", "2"], more].concat(),
        )
    };
    let output = run(&["--format", "gauntlet"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let journal = std::fs::read_to_string(dir.path().join("j")).expect("a journal");
    let heading: Value =
        serde_json::from_str(journal.lines().next().expect("a line")).expect("JSON");
    let named = |engine: usize| heading["settings"]["engines"][engine]["weights"].clone();
    let own = WeightsFile::read(built_in).expect("weights").checksum;
    assert_eq!(named(0), format!("{first:08x}"));
    assert_eq!(named(1), "classic");
    assert_eq!(named(2), format!("{own:08x}"));

    let second = weights("two");
    let output = run(&["--format", "gauntlet", "--resume"]);
    assert_eq!(output.status.code(), Some(1));
    let said = stderr(&output);
    for word in ["weights", &format!("{first:08x}"), &format!("{second:08x}")] {
        assert!(said.contains(word), "{word}: {said}");
    }
}
