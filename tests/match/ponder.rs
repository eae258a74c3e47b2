//! Thinking in the opponent's time: what the engines are told, and that it changes no
//! game.

use crate::program::cases;
use crate::support::{Folder, assert_has, mock, moves};

/// Plays a match between the mock engine `a`, which plays the first move in the list, and
/// one like it that cannot ponder, with the journal `j` and the logs in `log`. Returns
/// what is said.
fn against_plain(dir: &Folder, a: &str, b: &str, more: &str) -> String {
    let [a, b] = [a, b].map(|args| mock(&format!("--style first {args}")));
    let line = format!("match {a} name=a {b} name=b --games 4 --seed 5 --journal j --log log");
    // Some machines have one processor.
    dir.outputs_of(&format!("{line} --report 0 --force-concurrency {more}"))
        .1
}

/// Returns the lines to and from the engine with this name, over all its processes.
fn logged(dir: &Folder, name: &str) -> Vec<String> {
    let entries = std::fs::read_dir(dir.path("log")).expect("logs");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("a log").path()).collect();
    paths.retain(|path| path.to_string_lossy().ends_with(&format!("-{name}.log")));
    paths.sort();
    let texts = paths.iter().map(std::fs::read_to_string);
    let text: String = texts.map(|text| text.expect("a log")).collect();
    let lines = text.lines().map(|line| line.trim_start().split_once(' '));
    let lines = lines.map(|line| line.expect("a time").1.to_owned());
    lines.collect()
}

fn sent(dir: &Folder, name: &str) -> Vec<String> {
    let lines = logged(dir, name).into_iter();
    lines.filter(|line| line.starts_with("> ")).collect()
}

/// Counts the lines to an engine that begin with these words.
fn count(sent: &[String], words: &str) -> usize {
    let begin = format!("> {words}");
    sent.iter().filter(|line| line.starts_with(&begin)).count()
}

#[test]
fn a_hit_is_told_and_a_miss_is_stopped() {
    let plain = Folder::new();
    against_plain(&plain, "", "", "--each tc=100+1");
    let expected = plain.games("j");
    for (reply, hits) in [("first", true), ("last", false)] {
        let dir = Folder::new();
        let a = format!("--ponder {reply}");
        let said = against_plain(&dir, &a, "", "--ponder --each tc=100+1");
        assert_has(&said, "b: option 'Ponder' is not announced");
        assert!(!said.contains("a: option"), "{said}");
        let games = dir.games("j");
        // The games are the same, whoever thought when.
        for (game, before) in games.iter().zip(&expected) {
            assert_eq!(game["reason"], "rules");
            assert_eq!(moves(game), moves(before));
        }
        let (a, b) = (sent(&dir, "a"), sent(&dir, "b"));
        assert_eq!(count(&b, "go ponder") + count(&b, "ponderhit"), 0);
        assert_eq!(count(&b, "setoption name Ponder"), 0);
        assert_eq!(count(&a, "setoption name Ponder value true"), 1);
        let begun = count(&a, "go ponder p1time ");
        assert!(begun > 10, "{a:?}");
        // A search that is still running when a game ends is stopped, too.
        assert_eq!(begun, count(&a, "ponderhit") + count(&a, "stop"));
        let around = |word: &str| {
            let at = a.iter().position(|line| line == word).expect("sent once");
            <&[String; 5]>::try_from(&a[at - 2..at + 3]).expect("five lines")
        };
        if hits {
            assert!(count(&a, "stop") <= games.len(), "{a:?}");
            let [position, go, _, next, _] = around("> ponderhit");
            assert!(position.starts_with("> position ") && go.starts_with("> go ponder "));
            assert!(next.starts_with(position), "{next}");
        } else {
            assert!(count(&a, "ponderhit") < count(&a, "stop"), "{a:?}");
            let [guessed, _, _, position, ready] = around("> stop");
            assert!(position.starts_with("> position ") && position != guessed);
            assert_eq!(ready, "> isready");
        }
    }
}

#[test]
fn the_opponents_time_is_not_ones_own() {
    let dir = Folder::new();
    let a = "--ponder first --pause 20";
    against_plain(&dir, a, "--pause 20", "--ponder --each tc=100");
    let mut spent = [0.0; 2];
    for game in dir.games("j") {
        let first = usize::from(game["engines"][0] == 1);
        for (ply, mv) in game["moves"].as_array().expect("moves").iter().enumerate() {
            spent[(ply + first) % 2] += mv["t"].as_f64().expect("a time");
        }
    }
    // Every guess is right, and the thinking is done before the reply comes.
    assert!(spent[0] < spent[1] / 2.0, "{spent:?}");
}

#[test]
fn who_misbehaves_in_the_opponents_time_loses_as_ever_and_no_game_is_missing() {
    let check = |options: &str, limit: &str, reason: &str| {
        let dir = Folder::new();
        let patience = if reason == "stall" { 2 } else { 30 };
        let more = format!("--ponder --each {limit} --stall-after {patience}s");
        against_plain(&dir, &format!("{options} --once ./once"), "", &more);
        let mut reasons = dir.reasons("j");
        assert_eq!(reasons.len(), 4, "{options}");
        reasons.retain(|reason| reason != "rules");
        let faults = usize::from(reason != "rules");
        assert_eq!(reasons, vec![reason; faults], "{options}");
        assert_has(&dir.stdout_of("rate j"), "4 games of 1 journal");
        dir.assert_nothing_runs();
    };
    // In parallel, because most of them only wait.
    std::thread::scope(|scope| {
        for [options, limit, reason] in cases(
            "
            --ponder nonsense                   | depth=1 | rules
            --ponder first --fault ponder-early | depth=1 | rules
            --ponder last --fault ponder-early  | depth=1 | rules
            --ponder first --fault ponder-crash | depth=1 | crash
            --ponder last --fault ponder-crash  | depth=1 | crash
            --ponder first --fault leave-early  | depth=1 | crash
            --ponder first --fault ponder-stall | depth=1 | stall
            --ponder last --fault ponder-stall  | depth=1 | stall
            --ponder last --fault ponder-stall  | tc=100  | stall
            ",
        ) {
            scope.spawn(move || check(options, limit, reason));
        }
    });
}

/// In each log, an answer stands after its question: the engine answers as fast as it can.
#[test]
fn this_engine_ponders() {
    let dir = Folder::new();
    let line = "match --engine cmd=self name=a --engine cmd=self name=b --each nodes=20 \
                --games 6 --seed 4 --journal j --log log --report 0";
    let (_, said) = dir.outputs_of(&format!("{line} --ponder"));
    assert!(!said.contains("announced"), "{said}");
    assert_eq!(dir.reasons("j"), ["rules"; 6]);
    for name in ["a", "b"] {
        let lines = logged(&dir, name);
        let mut searches = 0;
        for line in &lines {
            searches += i32::from(line.starts_with("> go"));
            searches -= i32::from(line.starts_with("< bestmove"));
            assert!((0..=1).contains(&searches), "{line}\n{lines:?}");
        }
        let sent = sent(&dir, name);
        let hits = count(&sent, "ponderhit");
        assert!(hits > 0, "{sent:?}");
        let begun = count(&sent, "go ponder nodes 20");
        assert_eq!(begun, hits + count(&sent, "stop"));
    }
    dir.fails_with(1, &format!("{line} --resume"), "--ponder");
}
