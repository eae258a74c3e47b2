//! Games in which engines repeat every move are no evidence.

use serde_json::Value as Json;

use crate::support::{Folder, assert_has, mock, with_openings};

/// Plays a match between the mock engine in this style and a greedy one. Returns the
/// results, and what is said during the match.
fn run(dir: &Folder, style: &str, limits: &str, options: &str) -> (Json, String) {
    let [a, b] = [style, "greedy"].map(|style| mock(&format!("--style {style}")));
    let line = format!("match {a} name=a {limits} {b} name=b {limits} --openings two --json");
    let (found, said) = dir.outputs_of(&format!("{line} --seed 1 {options}"));
    (serde_json::from_str(&found).expect("one JSON object"), said)
}

/// Returns the number of complete pairs that count, and of those that do not.
fn pairs(found: &Json) -> (u64, u64) {
    let meeting = &found["meetings"][0];
    let cells: [u64; 5] = serde_json::from_value(meeting["pairs"].clone()).expect("cells");
    let repeated = meeting["repeated_pairs"].as_u64().expect("a number");
    (cells.iter().sum(), repeated)
}

#[test]
fn a_pair_counts_once_wherever_it_is_played_again() {
    let dir = with_openings();
    let options = "--games 80 --journal j";
    let (found, said) = run(&dir, "first", "nodes=9", options);
    let warning = "give 2 different pairs of games, but 40 are asked for";
    assert_has(&said, warning);
    assert_has(&said, "st=");
    assert!(!said.contains("--random-plies"), "{said}");
    assert_eq!(found["ended"], "exhausted");
    let played = dir.games("j").len() as u64;
    assert!((8..40).contains(&played), "{played} games");
    assert_eq!(pairs(&found), (2, played / 2 - 2));
    assert_eq!(found["games"], played);
    assert_eq!(found["repeated_games"], played - 4);
    assert_eq!(found["engines"][0]["games"], 4);
    assert!(found["meetings"][0]["strength"].is_null(), "{found}");

    // If it is resumed, rated or tested, the results are the same, and it plays no more
    // games.
    let (resumed, _) = run(&dir, "first", "nodes=9", &format!("{options} --resume"));
    assert_eq!(resumed, found);
    let rated = dir.json("rate j --json");
    assert_eq!(rated["meetings"], found["meetings"]);
    assert_eq!(rated["engines"], found["engines"]);
    let rated = dir.stdout_of("rate j");
    assert_has(&rated, "pairs repeat an earlier game");
    assert_has(&rated, "of them repeats");
    let tested = dir.stdout_of("sprt j elo0=0 elo1=10");
    assert_has(&tested, "undecided");
    assert_has(&tested, "repeat");

    // The same is true of the parts of a match together.
    for part in [1, 2] {
        let options = format!("--games 80 --shard {part}/2 --journal part{part}");
        let (found, _) = run(&dir, "first", "nodes=9", &options);
        assert_eq!(pairs(&found).0, 1);
    }
    assert_eq!(pairs(&dir.json("rate part1 part2 --json")).0, 2);

    // Such games cannot decide a sequential test, but it ends all the same.
    let (tested, _) = run(&dir, "first", "nodes=9", "--sprt elo1=10");
    assert_eq!(tested["ended"], "exhausted");
    assert_eq!(tested["meetings"][0]["sprt"]["verdict"], "undecided");
}

#[test]
fn engines_that_may_vary_play_on() {
    let dir = with_openings();
    // By chance no two pairs are the same.
    let (random, _) = run(&dir, "random", "nodes=9", "--games 20");
    assert_eq!(random["ended"], "complete");
    assert_eq!(pairs(&random), (10, 0));
    // The clock could make them vary, though here it does not.
    let (timed, said) = run(&dir, "first", "tc=60", "--games 20");
    assert_eq!(timed["ended"], "complete");
    assert_eq!(pairs(&timed), (2, 8));
    assert!(!said.contains("different pairs"), "{said}");
    let left = timed["engines"][0]["clock_left_ms"].as_f64();
    assert!(left.is_some_and(|left| left <= 60_000.0), "{timed}");
}

/// Those who vary their moves meet all others of a gauntlet, and these do not meet each other.
#[test]
fn only_engines_that_meet_can_have_too_few_openings() {
    let [timed, counted] = ["tc=60", "nodes=9"].map(|limits| mock("--style first") + " " + limits);
    let line = format!("match {timed} name=a {counted} name=b {counted} name=c --openings two");
    let said = |format: &str| {
        let options = format!("--games 6 --seed 1 --format {format}");
        with_openings().outputs_of(&format!("{line} {options}")).1
    };
    let (gauntlet, all) = (said("gauntlet"), said("roundrobin"));
    assert!(!gauntlet.contains("different pairs"), "{gauntlet}");
    assert_has(&all, "different pairs");
}
