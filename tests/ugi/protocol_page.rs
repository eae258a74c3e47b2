//! What `protocol.md` shows beside dialogues: programs, settings of match
//! runners, and lines that cannot be written down.

use std::env;
use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::client::{Client, blocks};
use serde_json::Value;

const PAGE: &str = include_str!("../../protocol.md");

/// The only block of a language.
fn block(language: &str) -> String {
    let mut found = blocks(PAGE, language);
    assert_eq!(found.len(), 1, "one block of {language}");
    found.remove(0)
}

/// The search path with the program's folder in front.
fn path() -> OsString {
    let program = Path::new(env!("CARGO_BIN_EXE_totemic"));
    let folder = program.parent().expect("the program is in a folder");
    let others = env::var_os("PATH").unwrap_or_default();
    let all = std::iter::once(folder.to_owned()).chain(env::split_paths(&others));
    env::join_paths(all).expect("a search path")
}

/// What a program answers to a script.
fn converse(mut command: Command, script: &str) -> Vec<String> {
    let mut child = command
        .env("PATH", path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut stdin = child.stdin.take().expect("stdin is a pipe");
    stdin.write_all(script.as_bytes()).expect("it reads");
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{errors}");
    let text = String::from_utf8(output.stdout).expect("text");
    text.lines().map(str::to_owned).collect()
}

#[test]
fn every_block_is_tried_by_some_test() {
    let marks = PAGE.lines().filter_map(|line| line.strip_prefix("```"));
    // What opens and what closes take turns.
    for mark in marks.step_by(2) {
        let tried = ["ugi", "options", "python", "json", "sh"].contains(&mark);
        // A diagram is nothing to try.
        assert!(tried || mark == "text", "a block of '{mark}'");
    }
}

#[test]
fn the_smallest_client_plays_a_game() {
    if Command::new("python3").arg("--version").output().is_err() {
        println!("skipped: there is no python3 on this machine");
        return;
    }
    let client = block("python");
    assert_eq!(client.lines().count(), 10, "a client in ten lines");
    let mut python = Command::new("python3");
    // As shown, but for the time of a move.
    let quick = client.replace("movetime 100", "depth 1");
    assert_ne!(quick, client);
    python.args(["-W", "ignore", "-c", &quick]);
    let lines = converse(python, "");
    assert!(lines.len() > 5, "{lines:?}");
    let result = lines.last().map_or("", String::as_str);
    assert!(["p1win", "p2win", "draw"].contains(&result), "{lines:?}");
}

/// What cutegames sends to each engine of the settings is taken without error.
#[test]
fn the_settings_of_cutegames_are_taken() {
    let settings: Value = serde_json::from_str(&block("json")).expect("JSON");
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
        command.args(arguments.split(' '));
        let lines = converse(command, &script);
        assert!(lines.iter().any(|line| line == "ugiok"), "{lines:?}");
        assert!(
            !lines.iter().any(|line| line.contains("error")),
            "{lines:?}"
        );
        let [.., last] = &lines[..] else {
            panic!("no answer");
        };
        // Four letters: the game is Hokito.
        assert_eq!(last.len(), "bestmove a4c6".len(), "{lines:?}");
    }
}

#[test]
#[cfg(unix)]
fn the_script_for_cutergames_passes_everything_on() {
    let mut shell = Command::new("sh");
    shell.args(["-c", &block("sh")]);
    let lines = converse(shell, "ugi\nisready\nquery legalmoves\nquit\n");
    assert!(lines.iter().any(|line| line == "ugiok"), "{lines:?}");
    assert!(
        !lines.iter().any(|line| line.contains("error")),
        "{lines:?}"
    );
    let moves = lines.last().map_or(0, |line| line.split(' ').count());
    assert_eq!(moves, 111, "the start of Hokito: {lines:?}");
}

#[test]
fn lines_that_are_no_text_are_answered_as_the_table_says() {
    let lines = [
        vec![b'x'; 70_000],
        b"is\0ready".to_vec(),
        b"position \xff".to_vec(),
    ];
    let mut client = Client::yoxii();
    for line in lines {
        client.send_bytes([line.as_slice(), b"\n"].concat());
        let answer = client.line();
        let why = answer.trim_start_matches("info string error: ");
        assert!(PAGE.contains(&format!("| `{why}` |")), "{answer}");
    }
}
