//! The book: a file of openings, and what the option `OwnBook` makes of it.

use std::io::{Cursor, Write};
use std::sync::{Arc, Mutex};

use totemic::game::{Game, GameKind, Yoxii};
use totemic::record::openings::{Openings, Order};
use totemic::ugi::serve;

/// What a session writes.
#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Vec<u8>>>);

impl Write for Heard {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// The lines that answer a script.
fn answers(kind: GameKind, script: &str) -> Vec<String> {
    let heard = Heard::default();
    serve(kind, Cursor::new(script.to_owned()), heard.clone()).unwrap();
    let bytes = heard.0.lock().unwrap().clone();
    let text = String::from_utf8(bytes).unwrap();
    text.lines().map(ToOwned::to_owned).collect()
}

#[test]
fn the_book_is_a_file_of_openings() {
    let text = include_str!("../../src/ugi/book/yoxii.txt");
    let openings = Openings::of_file::<Yoxii>(text, Order::of_file()).unwrap();
    assert_eq!(openings.count(), Some(40));
}

#[test]
fn a_book_move_is_played_without_a_search() {
    for go in [
        "go depth 30",
        "go movetime 100000",
        "go p1time 1000 p2time 1000",
    ] {
        let script = format!("setoption name OwnBook value true\n{go}\nquit\n");
        let lines = answers(GameKind::Yoxii, &script);
        let [line] = &lines[..] else {
            panic!("{go}: {lines:?}");
        };
        let mv = line.strip_prefix("bestmove ").unwrap();
        let start = Yoxii::start();
        let next = start.play(start.read_move(mv).unwrap());

        let position = format!("setoption name OwnBook value true\nposition fen {next}\n{go}\n");
        let lines = answers(GameKind::Yoxii, &position);
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
        let script =
            format!("setoption name OwnBook value true\nsetoption name {option}\n{go}\nquit\n");
        let lines = answers(GameKind::Yoxii, &script);
        assert!(
            lines.iter().any(|line| line.contains(" nodes ")),
            "{script}{lines:?}"
        );
    }
    // Hokito has no fixed start, and no book.
    let script = "setoption name OwnBook value true\ngo nodes 100\n";
    let lines = answers(GameKind::Hokito, script);
    assert!(
        lines.len() > 1 && lines.last().unwrap().starts_with("bestmove "),
        "{lines:?}"
    );
}
