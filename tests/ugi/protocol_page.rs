//! What `protocol.md` shows besides dialogues: programs, and settings of match
//! runners.

use std::process::Command;

use crate::program::{blocks, feed, path, piped, python, stderr, stdout};
use serde_json::Value as Json;

const PAGE: &str = include_str!("../../protocol.md");

fn block(language: &str) -> String {
    let mut found = blocks(PAGE, language);
    assert_eq!(found.len(), 1, "one block of {language}");
    found.remove(0)
}

/// Returns what a program answers to a script, which must be without an error.
fn converse(command: &mut Command, script: &str) -> Vec<String> {
    let output = feed(piped(command.env("PATH", path())), script);
    let errors = stderr(&output);
    assert!(output.status.success() && errors.is_empty(), "{errors}");
    let text = stdout(&output);
    assert!(!text.contains("error"), "{text}");
    text.lines().map(str::to_owned).collect()
}

#[test]
fn every_block_is_tried_by_some_test() {
    let marks = PAGE.lines().filter_map(|line| line.strip_prefix("```"));
    // Opening and closing marks alternate.
    for mark in marks.step_by(2) {
        let tried = ["ugi", "options", "python", "json", "sh"].contains(&mark);
        // A diagram cannot be tried.
        assert!(tried || mark == "text", "a block of '{mark}'");
    }
}

#[test]
fn the_smallest_client_plays_a_game() {
    let Some(mut python) = python() else { return };
    let client = block("python");
    assert_eq!(client.lines().count(), 10, "a client in ten lines");
    // As shown, except for the time of a move.
    let quick = client.replace("movetime 100", "depth 1");
    assert_ne!(quick, client);
    let lines = converse(python.args(["-W", "ignore", "-c", &quick]), "");
    assert!(lines.len() > 5, "{lines:?}");
    let result = lines.last().map_or("", String::as_str);
    assert!(["p1win", "p2win", "draw"].contains(&result), "{lines:?}");
}

/// What cutegames sends to each engine in the settings is accepted without an error.
#[test]
fn the_settings_of_cutegames_are_taken() {
    let settings: Json = serde_json::from_str(&block("json")).expect("JSON");
    let common = settings["options"].as_object().expect("options");
    let engines = settings["engines"].as_array().expect("engines");
    assert_eq!(engines.len(), 2);
    for engine in engines {
        let mut script = "ugi\n".to_owned();
        let own = engine["options"].as_object();
        for (name, value) in common.iter().chain(own.into_iter().flatten()) {
            let value = value.as_str().expect("values are texts");
            script += &format!("setoption name {name} value {value}\n");
        }
        script += "isready\nuginewgame\nposition startpos\nquery p1turn\n\
                   go p1time 100 p2time 100 p1inc 10 p2inc 10\n";
        let mut command = Command::new(engine["path"].as_str().expect("a path"));
        let arguments = engine["parameters"].as_str().expect("parameters");
        let lines = converse(command.args(arguments.split(' ')), &script);
        assert!(lines.iter().any(|line| line == "ugiok"), "{lines:?}");
        let [.., last] = &lines[..] else {
            panic!("no answer");
        };
        // A move of four letters shows that the game is Hokito.
        assert_eq!(last.len(), "bestmove a4c6".len(), "{lines:?}");
    }
}

#[test]
#[cfg(unix)]
fn the_script_for_cutergames_passes_everything_on() {
    let mut shell = Command::new("sh");
    let shell = shell.args(["-c", &block("sh")]);
    let lines = converse(shell, "ugi\nisready\nquery legalmoves\nquit\n");
    assert!(lines.iter().any(|line| line == "ugiok"), "{lines:?}");
    let moves = lines.last().map_or(0, |line| line.split(' ').count());
    assert_eq!(moves, 111, "the start of Hokito: {lines:?}");
}
