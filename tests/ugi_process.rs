//! The program as a process: stdin, stdout and exit codes.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

fn start(args: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_totemic"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

/// Output of a script whose end is the end of stdin.
fn converse(args: &[&str], script: &str) -> String {
    let mut child = start(args);
    let mut stdin = child.stdin.take().expect("stdin is a pipe");
    stdin.write_all(script.as_bytes()).expect("it reads");
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{:?}", output.status);
    assert!(output.stderr.is_empty(), "nothing on stderr");
    String::from_utf8(output.stdout).expect("output is text")
}

#[test]
fn with_and_without_the_subcommand() {
    for args in [&[][..], &["ugi"][..]] {
        let output = converse(args, "isready\ngo depth 3");
        assert!(output.starts_with("readyok\n"), "{output}");
        assert_eq!(output.matches("bestmove ").count(), 1);
    }
    assert_eq!(converse(&[], ""), "");
    assert_eq!(converse(&[], "quit\nisready\n"), "");
}

#[test]
fn the_game_of_the_command_line() {
    for args in [["--game", "hokito", "ugi"], ["ugi", "--game", "hokito"]] {
        let output = converse(&args, "ugi\nquery legalmoves\n");
        assert!(output.contains("type combo default hokito var yoxii var hokito"));
        assert_eq!(
            output.lines().last().map(|line| line.split(' ').count()),
            Some(111)
        );
    }
}

#[test]
fn answers_come_at_once_and_quit_ends() {
    let mut child = start(&[]);
    let mut stdin = child.stdin.take().expect("stdin is a pipe");
    let mut lines = BufReader::new(child.stdout.take().expect("stdout is a pipe")).lines();
    writeln!(stdin, "go infinite").expect("it reads");
    writeln!(stdin, "isready").expect("it reads");
    while let Some(Ok(line)) = lines.next() {
        if line == "readyok" {
            break;
        }
    }
    let begin = Instant::now();
    writeln!(stdin, "quit").expect("it reads");
    let rest: Vec<String> = lines.map_while(Result::ok).collect();
    assert!(
        rest.last()
            .is_some_and(|line| line.starts_with("bestmove "))
    );
    assert!(child.wait().expect("it ends").success());
    assert!(begin.elapsed() < Duration::from_secs(10));
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let mut child = start(&[]);
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().expect("stdin is a pipe");
    // It may have ended before the second line.
    let _ = writeln!(stdin, "go infinite\nisready\nisready");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{:?}", output.status);
    assert!(output.stderr.is_empty());
}
