//! Readers that go away, and a stdout that takes nothing.

use std::io::{BufRead, BufReader};

use crate::program::{Folder, assert_has, ended, stderr, totemic};

#[test]
fn a_reader_that_goes_away_is_no_error() {
    for line in [
        "setup --game hokito --count 200000",
        "perft 3 --divide",
        "perft 4 --game hokito",
    ] {
        let mut child = Folder::new().start(line);
        let stdout = child.stdout.take().expect("a pipe");
        let mut lines = BufReader::with_capacity(16, stdout).lines();
        lines.next().expect("a line").expect("text");
        drop(lines);
        let run = child.wait_with_output().expect("the program ends");
        let said = stderr(&run);
        assert!(run.status.success(), "{line}: {said}");
        assert!(!said.contains("panicked"), "{line}: {said}");
    }
}

/// Nobody sees what these would print, long from now.
#[cfg(unix)]
#[test]
fn work_without_a_reader_ends_unless_it_writes_a_file() {
    let folder = Folder::new();
    let unread = |line: &str| {
        let mut child = folder.start(line);
        drop(child.stdout.take());
        child
    };
    let games = "match --engine cmd=random --engine cmd=random --games";
    let endless = [
        "analyze --infinite",
        "estimate startpos --samples 1000000",
        "perft 12",
        "problems --count 1000000",
        "review 'startpos moves c5b6y' --nodes 1000000000000",
        "setup --game hokito --fair --count 1000000",
        "solve startpos",
        &format!("{games} 100000000"),
    ];
    let running = endless.map(unread);
    let journal = unread(&format!("{games} 200 --journal journal"));
    for (line, child) in endless.iter().zip(running) {
        let output = ended(child);
        assert!(output.status.success(), "{line}: {}", stderr(&output));
    }
    assert!(ended(journal).status.success());
    assert_eq!(folder.read("journal").lines().count(), 201);
}

#[cfg(target_os = "linux")]
#[test]
fn a_stdout_that_takes_nothing_is_told() {
    let folder = Folder::new();
    for line in ["--help", "--version", "solve --help", "perft 1", "setup"] {
        let full = std::fs::File::options().write(true).open("/dev/full");
        let mut command = folder.command(line);
        let run = command.stdout(full.expect("a device")).output();
        let run = run.expect("it starts");
        assert_eq!(run.status.code(), Some(1), "{line}");
        let why = "error: cannot write to stdout: No space left";
        assert_has(&stderr(&run), why);
    }
}

/// As in `2>&1 | head -1`: what goes to stderr has no reader either.
#[test]
fn a_reader_of_stderr_that_goes_away_is_no_error() {
    let unread = || std::io::pipe().expect("a pipe").1;
    for (line, code) in [
        ("perft 2", 0),
        ("sprt 10 2 30", 0),
        ("perft 1 nonsense", 2),
        // An exit code that is an answer must not be given when nobody has read the output.
        ("verify benches/theorems/draw1-p1.proof", 1),
    ] {
        let mut command = totemic();
        let command = command.args(line.split(' ')).stdout(unread());
        let status = command.stderr(unread()).status();
        assert_eq!(status.expect("it ends").code(), Some(code), "{line}");
    }
    // Only the diagnostics have no reader.
    let run = totemic().args(["perft", "2"]).stderr(unread()).output();
    let run = run.expect("the program ends");
    assert_eq!(run.status.code(), Some(0));
    assert_eq!(run.stdout, b"1\t256\n2\t51136\n");
}
