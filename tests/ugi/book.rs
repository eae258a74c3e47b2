//! The book: a file of openings, and what the option `OwnBook` does with it.

use crate::client::converse;
use totemic_engine::game::{Game, Yoxii};
use totemic_games::record::openings::{Openings, Selection};

fn answers(script: &str) -> Vec<String> {
    converse(&format!("setoption name OwnBook value true\n{script}"))
}

#[test]
fn the_book_is_a_file_of_openings() {
    let text = include_str!("../../src/engine/ugi/book/yoxii.txt");
    let openings = Openings::of_text::<Yoxii>(text, Selection::default()).unwrap();
    assert_eq!(openings.count(), Some(40));
}

#[test]
fn a_book_move_is_played_without_a_search() {
    for go in [
        "go depth 30",
        "go movetime 100000",
        "go p1time 1000 p2time 1000",
    ] {
        let lines = answers(go);
        let [line] = &lines[..] else {
            panic!("{go}: {lines:?}");
        };
        let mv = line.strip_prefix("bestmove ").unwrap();
        let start = Yoxii::start();
        let next = start.play(start.read_move(mv).unwrap());

        let position = format!("position fen {next}\n{go}");
        let lines = answers(&position);
        let reply = lines[0].strip_prefix("bestmove ").unwrap();
        assert_eq!(lines.len(), 1, "{lines:?}");
        assert!(next.read_move(reply).is_ok(), "{reply} in {next}");
    }
}

#[test]
fn whatever_asks_for_more_than_a_move_is_searched() {
    for (option, go) in [
        ("OwnBook value false", "go nodes 100"),
        ("MultiPV value 2", "go nodes 100"),
        ("Skill value 3", "go nodes 100"),
        ("Skill value 20", "go searchmoves c5b6y nodes 100"),
        ("Skill value 20", "go mate 2 nodes 100"),
    ] {
        let script = format!("setoption name {option}\n{go}");
        let lines = answers(&script);
        let is_searched = lines.iter().any(|line| line.contains(" nodes "));
        assert!(is_searched, "{script}{lines:?}");
    }
    // Hokito has no fixed start, and therefore no book.
    let lines = answers("setoption name Game value hokito\ngo nodes 100");
    assert!(lines.len() > 1, "{lines:?}");
}
