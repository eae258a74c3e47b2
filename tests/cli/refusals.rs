//! Command lines that are refused, by the table in `tests/data/refused.txt`.

use std::fs;

use crate::program::{Folder, cases, in_time, stderr};

#[test]
fn what_is_refused_is_named_and_nothing_is_written() {
    let dir = Folder::new();
    let files = [
        ("good", "startpos\n"),
        ("bad", "startpos\nc5b6z\n"),
        ("games.pgn", "[Event \"x\"]\n\n1. c5b6x *\n"),
        ("empty.pgn", "[Variant \"Yoxii\"]\n\n*\n"),
        ("engines", "cmd=random\ncmd=random\n"),
        ("text", "no line of a journal"),
    ];
    for (name, text) in files {
        dir.write(name, text);
    }
    for [code, line, part] in cases(include_str!("../data/refused.txt")) {
        let mut command = dir.command(&line.replace("RANDOM", "--engine cmd=random"));
        command.env("TOTEMIC_STATE_DIR", dir.path("state"));
        let output = in_time(&mut command).expect("it starts");
        let (said, code) = (stderr(&output), code.parse().ok());
        assert_eq!(output.status.code(), code, "{line}: {said}");
        assert!(said.contains(part), "{line}: '{part}' is not in {said}");
        let is_silent = output.stdout.is_empty() && !said.contains("panicked");
        assert!(is_silent, "{line}: {said}");
        let count = fs::read_dir(dir.at()).expect("a folder").count();
        assert_eq!(count, files.len(), "{line}");
        for (name, text) in files {
            assert_eq!(dir.read(name), text, "{line}");
        }
    }
}
