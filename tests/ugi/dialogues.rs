//! Golden dialogues: those in `tests/data/ugi` and those in `protocol.md`.

use std::io::{self, Cursor, Write};
use std::path::Path;
use std::sync::mpsc::{Sender, channel};

use totemic_engine::game::GameKind;
use totemic_engine::ugi::{GO_PARAMETERS, serve};

use crate::client::{Client, fits, play};
use crate::program::blocks;

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()))
}

#[test]
fn golden_dialogues() {
    for name in ["handshake", "yoxii", "hokito", "refusals", "options", "go"] {
        let file = format!("tests/data/ugi/{name}.txt");
        play(&file, &read(&file));
    }
}

/// In a document, numbers and moves are examples: every `info depth` line stands for
/// those that come, and every best move for the engine's own.
fn loosened(dialogue: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for line in dialogue.lines() {
        let line = if line.starts_with("< info depth") {
            "< ...".to_owned()
        } else if line == "< bestmove 0000" {
            line.to_owned()
        } else if line.starts_with("< bestmove") {
            let words = ["{word}", "ponder", "{word}"];
            let count = line.split(' ').count() - 2;
            format!("< bestmove {}", words[..count].join(" "))
        } else {
            line.to_owned()
        };
        if line != "< ..." || lines.last() != Some(&line) {
            lines.push(line);
        }
    }
    lines.join("\n")
}

#[test]
fn dialogues_of_the_document() {
    let dialogues = blocks(&read("protocol.md"), "ugi");
    assert!(dialogues.len() >= 12, "one for each command and each game");
    for (number, dialogue) in (1..).zip(dialogues) {
        let name = format!("protocol.md, dialogue {number}");
        play(&name, &loosened(&dialogue));
    }
}

#[test]
fn the_document_lists_the_options_and_parameters_that_there_are() {
    let mut client = Client::yoxii();
    client.send("ugi");
    let mut lines = client.until("ugiok");
    lines.retain(|line| line.starts_with("option "));
    let listed = blocks(&read("protocol.md"), "options").concat();
    let listed: Vec<&str> = listed.lines().collect();
    assert_eq!(lines, listed, "the option lines of protocol.md");
    let document = read("protocol.md");
    for line in lines {
        let name = line.trim_start_matches("option name ");
        let name = name.split(" type ").next().unwrap_or_default();
        let row = format!("| `{name}` |");
        assert!(document.contains(&row), "protocol.md explains no {name}");
    }
    let cells = document.lines().filter_map(|line| line.split('|').nth(1));
    let cells: Vec<&str> = cells.flat_map(|cell| cell.split(['`', ' '])).collect();
    for name in GO_PARAMETERS.split(' ').filter(|&name| name != "perft") {
        assert!(cells.contains(&name), "protocol.md explains no {name}");
    }
}

/// Every command that `help` names is explained.
#[test]
fn the_document_explains_the_commands_that_there_are() {
    let mut client = Client::yoxii();
    client.send("help");
    let help = client.sync();
    let document = read("protocol.md");
    let commands = "ugi uci isready setoption uginewgame ucinewgame position moves go solve stop \
                    ponderhit query d eval bench debug help quit";
    for command in commands.split(' ') {
        let mut words = help.iter().flat_map(|line| line.split(' '));
        assert!(words.any(|word| word == command), "{command}");
        assert!(document.contains(&format!("`{command}")), "{command}");
    }
    // Lines that go on with the one before begin with a blank.
    for line in help.iter().filter(|line| !line.starts_with(' ')) {
        let first = line.split(' ').next();
        assert!(
            commands.split(' ').any(|command| Some(command) == first),
            "{line}"
        );
    }
}

#[test]
fn the_patterns_of_dialogues() {
    assert!(fits("time {n} pv {word} x", "time -12 pv abc x"));
    assert!(fits("a {...}", "a b c"));
    assert!(fits("a {...} c", "a b c"));
    assert!(!fits("time {n}", "time x"));
    assert!(!fits("{word}", ""));
    assert!(!fits("a", "ab"));
}

#[test]
fn queries_that_come_together_are_answered_together() {
    struct Writes(Sender<usize>);
    impl Write for Writes {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let lines = bytes.iter().filter(|&&byte| byte == b'\n').count();
            self.0.send(lines).map_err(io::Error::other)?;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let (sender, writes) = channel();
    let script = "query turn\n".repeat(1000) + "isready\nquery turn";
    serve(GameKind::Yoxii, Cursor::new(script), Writes(sender)).expect("nothing fails");
    assert_eq!(writes.iter().collect::<Vec<_>>(), [1000, 1, 1]);
}
