//! The program as a process: stdin, stdout and exit codes.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Stdio};

use crate::client::{Client, fits};
use crate::program::{
    Folder, assert_has, ended, feed, named_pipe, on_a_terminal, piped, stderr, stdout, totemic,
};

/// Returns the output for a script; stdin ends with the script.
fn converse(line: &str, script: &str) -> String {
    let output = Folder::new().feed(line, script);
    assert!(output.status.success(), "{:?}", output.status);
    assert!(output.stderr.is_empty(), "{}", stderr(&output));
    String::from_utf8(output.stdout).expect("output is text")
}

/// Sends this and `isready` to a program that was started. Returns its input, and the
/// lines after the answer.
fn ready(child: &mut Child, script: &str) -> (ChildStdin, impl Iterator<Item = String> + use<>) {
    let mut stdin = child.stdin.take().expect("a pipe");
    let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let mut lines = lines.map_while(Result::ok);
    writeln!(stdin, "{script}\nisready").expect("it reads");
    assert!(lines.any(|line| line == "readyok"));
    (stdin, lines)
}

#[test]
fn with_and_without_the_subcommand() {
    for line in ["", "ugi"] {
        // A last line without a line end counts, too, and the end of the input does not
        // stop it.
        let output = converse(line, "isready\ngo depth 5");
        assert!(output.starts_with("readyok\n"), "{output}");
        assert!(output.contains("\ninfo depth 5 "), "{output}");
        assert_eq!(output.matches("bestmove ").count(), 1);
    }
    assert_eq!(converse("", ""), "");
    // `converse` requires that nothing is on stderr: clients are not greeted.
    assert_eq!(converse("", "quit\nisready\n"), "");
}

#[test]
fn the_game_of_the_command_line() {
    for line in ["--game hokito ugi", "ugi --game hokito"] {
        let output = converse(line, "ugi\nquery legalmoves\n");
        assert!(output.contains("type combo default hokito var yoxii var hokito"));
        let moves = output.lines().last().expect("moves").split(' ').skip(1);
        assert_eq!(moves.count(), 110);
    }
}

/// The table is not written to forget what is in it, however large it is: what the system
/// has to provide anew would show.
#[cfg(target_os = "linux")]
#[test]
fn a_new_game_takes_no_time() {
    let mut child = piped(&mut totemic());
    let (mut stdin, mut lines) = ready(&mut child, "setoption name Hash value 256");
    let stat = format!("/proc/{}/stat", child.id());
    let provided = || -> u64 {
        let text = std::fs::read_to_string(&stat).expect("it runs");
        let faults = text.split_whitespace().nth(9);
        faults.expect("a number").parse().expect("faults")
    };
    let mut game = || {
        writeln!(stdin, "uginewgame\nisready\ngo nodes 500").expect("it reads");
        lines.find(|line| line.starts_with("bestmove "))
    };
    let (first, before) = (game(), provided());
    for _ in 0..20 {
        assert_eq!(game(), first);
    }
    let pages = provided() - before;
    assert!(pages < 1500, "{pages} pages in 20 games");
    drop(stdin);
    assert!(child.wait().expect("it ends").success());
}

/// A search goes deeper than the stack reaches that the environment gives to threads.
#[test]
fn a_search_has_the_stack_that_it_needs() {
    let mut program = totemic();
    program.env("RUST_MIN_STACK", "65536");
    let script = "setoption name Threads value 2\ngo depth 7\n";
    let output = feed(piped(&mut program), script);
    assert!(output.status.success(), "{output:?}");
    assert!(stdout(&output).contains("bestmove "), "{output:?}");
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let mut child = piped(&mut totemic());
    drop(child.stdout.take());
    let output = feed(child, "go infinite\nisready\nisready\n");
    assert!(output.status.success(), "{:?}", output.status);
    assert!(output.stderr.is_empty());
}

/// Waits for the end of a program, which must come long before the end of what it was
/// asked to do.
fn ends_soon(child: Child) {
    let output = ended(child);
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{output:?}"
    );
}

#[test]
#[cfg(unix)]
fn a_client_that_has_gone_ends_every_search() {
    for go in [
        "go movetime 600000",
        "go nodes 1000000000000",
        "go depth 60",
        "go p1time 60000000 p2time 60000000",
        "go perft 8",
    ] {
        let mut child = piped(&mut totemic());
        drop(ready(&mut child, go));
        ends_soon(child);
    }
}

/// A neighbour that shares a pipe can make it non-blocking at any time.
#[cfg(target_os = "linux")]
#[test]
fn a_pipe_that_does_not_block_is_waited_for() {
    use nix::fcntl::{FcntlArg, OFlag, fcntl};
    use std::os::fd::AsFd;

    let (input, mut typed) = std::io::pipe().expect("a pipe");
    let (printed, output) = std::io::pipe().expect("a pipe");
    let flag = |end: std::os::fd::BorrowedFd<'_>| {
        fcntl(end, FcntlArg::F_SETFL(OFlag::O_NONBLOCK)).expect("a flag");
    };
    flag(input.as_fd());
    flag(output.as_fd());
    let mut command = totemic();
    command.stdin(input.try_clone().expect("a pipe"));
    command.stdout(output.try_clone().expect("a pipe"));
    let mut child = command.spawn().expect("it starts");
    writeln!(typed, "isready").expect("it reads");
    let mut lines = BufReader::new(printed).lines().map_while(Result::ok);
    assert_eq!(lines.next().as_deref(), Some("readyok"));
    flag(input.as_fd());
    flag(output.as_fd());
    drop((command, input, output));
    // More than a pipe holds, before anybody reads.
    let many = "query legalmoves\n".repeat(500);
    write!(typed, "{many}go depth 3\nisready\n").expect("it reads");
    drop(typed);
    let lines: Vec<String> = lines.collect();
    assert!(child.wait().expect("it ends").success());
    let count = |word| lines.iter().filter(|line| line.starts_with(word)).count();
    assert_eq!([count("response "), count("bestmove ")], [500, 1]);
}

/// Tables must not take the memory that everything else needs for an answer.
#[test]
#[cfg(target_os = "linux")]
fn little_memory_is_enough_for_an_answer() {
    let dir = Folder::new();
    for (kib, threads, go) in [
        // No thread can be started.
        (32_000, 1, "go perft 2\ngo depth 4"),
        (39_000, 1, "go depth 4"),
        (
            39_000,
            1,
            "setoption name Searcher value mcts\ngo nodes 500",
        ),
        (58_000, 2, "go depth 4"),
        (58_000, 64, "setoption name Game value hokito\ngo depth 4"),
        // This is enough for the table, but only some threads can have a heap of their
        // own.
        (300_000, 8, "setoption name Game value hokito\ngo depth 4"),
        (156_000, 1, "setoption name Hash value 256\ngo depth 4"),
    ] {
        let mut command = dir.in_shell_after(&format!("ulimit -v {kib}"), "");
        let script = format!("setoption name Threads value {threads}\n{go}\nquit\n");
        let output = feed(piped(&mut command), script);
        let text = stdout(&output);
        assert!(output.status.success(), "{kib} KiB, {threads}: {output:?}");
        assert_eq!(text.matches("bestmove ").count(), 1, "{text}");
        let is_counted = text.contains("Nodes searched: 51136");
        assert_eq!(is_counted, go.contains("perft"), "{text}");
        assert!(kib > 100_000 || text.contains(" of 64 MiB: "), "{text}");
    }
}

#[test]
#[cfg(unix)]
fn a_log_is_a_file_of_its_own() {
    let place = tempfile::tempdir().expect("a directory");
    let fifo = place.path().join("fifo");
    named_pipe(&fifo);
    let answers = place.path().join("answers");
    let devices = ["/dev/stdout", "/dev/null"].map(Path::new);
    for log in [fifo.as_path(), answers.as_path()]
        .into_iter()
        .chain(devices)
    {
        let script = format!("setoption name LogFile value {}\nisready\n", log.display());
        let mut command = totemic();
        command.stdin(Stdio::piped()).stderr(Stdio::piped());
        let command = command.stdout(std::fs::File::create(&answers).expect("a file"));
        let mut child = command.spawn().expect("it starts");
        let mut stdin = child.stdin.take().expect("a pipe");
        stdin.write_all(script.as_bytes()).expect("it reads");
        drop(stdin);
        ends_soon(child);
        let output = std::fs::read_to_string(&answers).expect("answers");
        let lines: Vec<&str> = output.lines().collect();
        let [error, "readyok"] = lines[..] else {
            panic!("{}: {output}", log.display());
        };
        assert!(error.contains("expected a"), "{error}");
    }
}

#[test]
#[cfg(unix)]
fn a_person_is_greeted_unless_the_protocol_is_asked_for() {
    for (line, is_greeted) in [("", true), ("ugi", false)] {
        let folder = Folder::new();
        let (mut child, mut terminal, printed) = on_a_terminal(folder.command(line));
        writeln!(terminal, "quit").expect("it reads");
        assert!(child.wait().expect("it ends").success());
        let shown: String = printed.iter().collect();
        assert_eq!(shown.contains("'help' lists"), is_greeted, "{shown}");
    }
}

/// `solve` says of each position what the command line says.
#[test]
fn solutions_are_those_of_the_command_line() {
    const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/solve.tsv");
    let output = Folder::new().run(&format!("solve --file {FILE} --margin --all-moves --json"));
    let text = stdout(&output);
    assert_eq!(text.lines().count(), 60);
    let mut client = Client::yoxii();
    for line in text.lines() {
        let row: serde_json::Value = serde_json::from_str(line).expect("an object a line");
        let text = |name: &str| row[name].as_str().unwrap_or_default().to_owned();
        client.send(&format!("setoption name Game value {}", text("game")));
        client.send(&format!("position fen {}", text("position")));
        let mut best: Vec<String> = serde_json::from_value(row["best"].clone()).expect("moves");
        best.sort_unstable();
        let (value, margin, best) = (text("value"), &row["margin"], best.join(" "));
        let all = client.ask("solve margin all");
        let known = format!("value {value} margin {margin} nodes {{n}} time {{n}} best {best}");
        assert!(fits(&format!("solution {known}"), &all), "{row}: {all}");
        let one = client.ask("solve");
        let known = format!("solution value {value} nodes {{n}} time {{n}} best {{word}}");
        assert!(fits(&known, &one), "{row}: {one}");
        let mv = one.rsplit(' ').next().unwrap_or_default();
        // Without the margin, more moves may be as good.
        assert_has(&client.ask("solve all"), &format!(" {mv}"));
    }
}
