//! Thinking in the opponent's time: what the engines are told, and that no
//! game suffers from it.

use std::path::Path;
use std::process::Output;

use crate::support::{games, mock, play, stay, stderr};
use serde_json::Value;
use tempfile::tempdir;

/// A match of the mock engine `a`, which plays the first move there is, and a
/// like one that cannot ponder; with the journal `j` and the logs in `log`.
fn against_plain(dir: &Path, a: &str, b: &str, more: &str) -> Output {
    let a = mock(&format!("--style first {a}"));
    let b = mock(&format!("--style first {b}"));
    let mut args = vec!["--engine", &a, "name=a", "--engine", &b, "name=b"];
    args.extend("--games 4 --seed 5 --journal j --log log --report 0".split(' '));
    args.extend(more.split_whitespace());
    play(dir, &args)
}

/// What the engine of this name was told, over all its processes.
fn told(dir: &Path, name: &str) -> Vec<String> {
    let entries = std::fs::read_dir(dir.join("log")).expect("logs");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("a log").path()).collect();
    paths.retain(|path| path.to_string_lossy().ends_with(&format!("-{name}.log")));
    paths.sort();
    let texts = paths.iter().map(std::fs::read_to_string);
    let lines = texts.flat_map(|text| {
        let text = text.expect("a log");
        let lines = text.lines().filter_map(|line| line.split_once(" > "));
        lines.map(|(_, told)| told.to_owned()).collect::<Vec<_>>()
    });
    lines.collect()
}

fn moves(game: &Value) -> Vec<&str> {
    let moves = game["moves"].as_array().expect("moves").iter();
    moves.map(|mv| mv["m"].as_str().expect("a move")).collect()
}

fn count(told: &[String], begin: &str) -> usize {
    told.iter().filter(|line| line.starts_with(begin)).count()
}

#[test]
fn a_hit_is_told_and_a_miss_is_stopped() {
    let plain = tempdir().expect("a directory");
    let output = against_plain(plain.path(), "", "", "--each tc=100+1");
    assert!(output.status.success(), "{}", stderr(&output));
    let expected = games(&plain.path().join("j"));
    for (reply, hits) in [("first", true), ("last", false)] {
        let dir = tempdir().expect("a directory");
        let a = format!("--ponder {reply}");
        let output = against_plain(dir.path(), &a, "", "--ponder --each tc=100+1");
        let said = stderr(&output);
        assert!(output.status.success(), "{said}");
        assert!(
            said.contains("b: option 'Ponder' is not announced") && !said.contains("a: option"),
            "{said}"
        );
        let games = games(&dir.path().join("j"));
        // The same games, whoever thought when.
        for (game, before) in games.iter().zip(&expected) {
            assert_eq!(game["reason"], "rules");
            assert_eq!(moves(game), moves(before));
        }
        let (a, b) = (told(dir.path(), "a"), told(dir.path(), "b"));
        assert_eq!(count(&b, "go ponder") + count(&b, "ponderhit"), 0);
        assert_eq!(count(&b, "setoption name Ponder"), 0);
        assert_eq!(count(&a, "setoption name Ponder value true"), 1);
        let begun = count(&a, "go ponder p1time ");
        assert!(begun > 10, "{a:?}");
        // A search that the end of a game overtakes is stopped, too.
        assert_eq!(begun, count(&a, "ponderhit") + count(&a, "stop"));
        if hits {
            assert!(count(&a, "stop") <= games.len(), "{a:?}");
        } else {
            assert!(count(&a, "ponderhit") < count(&a, "stop"), "{a:?}");
        }
        let after = |word: &str| {
            let at = a.iter().position(|line| line == word).expect("told once");
            a[at - 2..at + 3].to_vec()
        };
        if hits {
            let [position, go, _, next, _] = &after("ponderhit")[..] else {
                panic!("told more");
            };
            assert!(position.starts_with("position ") && go.starts_with("go ponder "));
            assert!(next.starts_with(position), "{next}");
        } else {
            let [guessed, _, _, position, ready] = &after("stop")[..] else {
                panic!("told more");
            };
            assert!(position.starts_with("position ") && position != guessed);
            assert_eq!(ready, "isready");
        }
    }
}

#[test]
fn the_opponents_time_is_not_ones_own() {
    let dir = tempdir().expect("a directory");
    let output = against_plain(
        dir.path(),
        "--ponder first --pause 20",
        "--pause 20",
        "--ponder --each tc=100",
    );
    assert!(output.status.success(), "{}", stderr(&output));
    let mut spent = [0.0; 2];
    for game in games(&dir.path().join("j")) {
        let first = usize::from(game["engines"][0] == 1);
        for (ply, mv) in game["moves"].as_array().expect("moves").iter().enumerate() {
            spent[(ply + first) % 2] += mv["t"].as_f64().expect("a time");
        }
    }
    // Every guess is right and thought over before the reply comes.
    assert!(spent[0] < spent[1] / 2.0, "{spent:?}");
}

#[test]
fn who_misbehaves_in_the_opponents_time_loses_as_ever_and_no_game_is_missing() {
    for (options, reasons) in [
        ("--ponder nonsense", &["rules"][..]),
        ("--ponder first --fault ponder-early", &["rules"]),
        ("--ponder last --fault ponder-early", &["rules"]),
        ("--ponder first --fault ponder-crash", &["crash"]),
        ("--ponder last --fault ponder-crash", &["crash"]),
        ("--ponder first --fault ponder-deaf", &["stall"]),
        ("--ponder last --fault ponder-deaf", &["stall"]),
    ] {
        let dir = tempdir().expect("a directory");
        let once = dir.path().join("once");
        let options = format!("{options} --once '{}'", once.display());
        let patience = if reasons == ["stall"] { 2 } else { 30 };
        let more = format!("--ponder --each depth=1 --stall-after {patience}");
        let output = against_plain(dir.path(), &options, "", &more);
        assert!(output.status.success(), "{options}: {}", stderr(&output));
        let games = games(&dir.path().join("j"));
        assert_eq!(games.len(), 4, "{options}");
        let mut ends: Vec<&str> = (games.iter())
            .map(|game| game["reason"].as_str().expect("a reason"))
            .filter(|&reason| reason != "rules")
            .collect();
        if ends.is_empty() {
            ends.push("rules");
        }
        assert_eq!(ends, reasons, "{options}");
        assert_eq!(stay(dir.path()), Vec::<String>::new(), "{options}");
    }
}

#[test]
fn this_engine_ponders() {
    let dir = tempdir().expect("a directory");
    let args = "--engine cmd=self name=a --engine cmd=self name=b --each nodes=300 --ponder \
                --games 2 --seed 4 --journal j --log log --report 0";
    let args: Vec<&str> = args.split_whitespace().collect();
    let output = play(dir.path(), &args);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(
        !stderr(&output).contains("announced"),
        "{}",
        stderr(&output)
    );
    for game in games(&dir.path().join("j")) {
        assert_eq!(game["reason"], "rules", "{game}");
    }
    for name in ["a", "b"] {
        let told = told(dir.path(), name);
        assert!(count(&told, "ponderhit") > 0, "{told:?}");
        assert_eq!(
            count(&told, "go ponder nodes 300"),
            count(&told, "ponderhit") + count(&told, "stop")
        );
    }
    let without: Vec<&str> = (args.iter().copied())
        .filter(|&arg| arg != "--ponder")
        .chain(["--resume"])
        .collect();
    let refused = play(dir.path(), &without);
    assert_eq!(refused.status.code(), Some(1));
    assert_has(&stderr(&refused), "--ponder");
}
