//! `totemic analyze --file`: many positions as lines of text, and what a program that
//! keeps it open may rely on.

use std::collections::BTreeSet;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::program::{Folder, assert_has, blocks, cases, python, stderr, stdout};
use crate::support::{HOKITO_LATE, objects};
use serde_json::{Value as Json, json};
use totemic::analysis::{CAPACITY, MAX_REQUEST, Options, serve};
use totemic_engine::game::{Game, Yoxii};
use totemic_engine::stop::Stop;
use totemic_games::limits::MoveLimits;

/// Returns the answers to a whole input, and the number of lines that failed.
fn answers(input: &str, threads: usize) -> (Vec<Json>, u64) {
    let options = Options {
        limits: MoveLimits::nodes(500),
        threads: threads.try_into().expect("at least one"),
        hash_mb: 8,
        ..Options::default()
    };
    let input = io::Cursor::new(input.to_owned());
    let mut output = Vec::new();
    let done = serve(input, &mut output, &options, &Stop::new()).expect("a vector");
    assert!(!done.stopped);
    let text = String::from_utf8(output).expect("UTF-8");
    (objects(&text), done.failed)
}

fn lines(requests: &[Json]) -> String {
    requests.iter().map(|it| format!("{it}\n")).collect()
}

#[test]
fn positions_and_objects_are_answered_with_their_ids() {
    let start = Yoxii::start().to_string();
    let input = format!(
        "# a comment\nstartpos\n{start} moves c5b6y\n\n{}",
        lines(&[
            json!({"id": "mine", "position": "startpos", "game": "hokito"}),
            json!({"position": HOKITO_LATE, "moves": ["f5b1"]}),
        ])
    );
    for threads in [1, 3] {
        let (found, failed) = answers(&input, threads);
        assert_eq!((failed, found.len()), (0, 4));
        for (id, game, side) in [
            (json!(2), "yoxii", "p1"),
            (json!(3), "yoxii", "p2"),
            (json!("mine"), "hokito", "p1"),
            (json!(6), "hokito", "p2"),
        ] {
            let answer = found.iter().find(|it| it["id"] == id);
            let answer = answer.expect("an answer");
            assert!(answer["game"] == game && answer["side"] == side);
            assert!(answer["bestmove"].is_string() && answer["points"].is_number());
        }
    }
}

#[test]
fn a_bad_line_is_answered_with_its_number_and_the_rest_goes_on() {
    let too_long = format!("{{\"id\":\"{}\"}}", "x".repeat(MAX_REQUEST));
    // A line, the id of its answer, and part of the error. The last id is that of another
    // request, which has an answer of its own.
    let requests: Vec<[&str; 3]> = cases(
        r#"
        {"id":1,"position":"startpos"}                     | |
        {"id":1,"position":"startpos"}                     | null | used before
        {"id":2,"position":"startpos","moves":["c5b6z"]}   | 2    | c5b6z
        {"id":3,"position":"3/5 w"}                        | 3    | 3/5 w
        {"id":4,"positoin":"startpos"}                     | 4    | positoin
        {"id":5,"position":"startpos","multipv":0}         | 5    | multipv '0'
        {"id":6,"position":"startpos","turns":[1]}         | 6    | turns: 1
        {"id":7                                            | null | JSON
        hello                                              | 9    | hello
        {"id":[8],"position":"startpos"}                   | null | [8]
        {"cancel":"never heard of"}                        | "never heard of" | cancel
        {"id":9}                                           | 9    | position
        LONG                                               | null | longer than
        {"id":10,"position":"startpos","nodes":1.5}        | 10   | nodes '1.5': expected a whole number
        {"id":11,"position":"startpos","moves":[5]}        | 11   | moves '[5]'
        [Event "a tag"]                                    | 16   | a tag of a file of games
        1.                                                 | 17   | expected a position or moves
        (c5b6y)                                            | 18   | expected a position or moves
        {"id":"last","position":"startpos"}                | |
        {"id":1,"position":"nonsense"}                     | null | nonsense
        "#,
    )
    .collect();
    let input: Vec<&str> = requests.iter().map(|[request, ..]| *request).collect();
    let input = input.join("\n").replace("LONG", &too_long);
    let (found, failed) = answers(&input, 2);
    assert_eq!(failed, 18);
    for (line, [_, id, expected]) in (1..).zip(requests).filter(|(_, case)| !case[1].is_empty()) {
        let answer = found.iter().find(|it| it["line"] == line);
        let answer = answer.unwrap_or_else(|| panic!("nothing of line {line}"));
        assert_eq!(answer["id"].to_string(), id, "{answer}");
        assert_has(answer["error"].as_str().expect("a sentence"), expected);
    }
    let good = found.iter().filter(|it| it["error"].is_null());
    assert_eq!(good.count(), 2);
}

#[test]
fn turns_are_positions_along_the_moves() {
    let moves = ["c5b6y", "d6e6x", "d5c6x"];
    let request = json!({"position": "startpos", "moves": moves, "turns": [0, 2, 3]});
    let (found, failed) = answers(&lines(&[request]), 2);
    assert_eq!((failed, found.len()), (0, 3));
    for answer in found {
        let turn = answer["turn"].as_u64().expect("a turn") as usize;
        let play = |position: Yoxii, mv: &&str| position.play(mv.parse().expect("a move"));
        let along = moves[..turn].iter().fold(Yoxii::start(), play);
        assert_eq!(answer["position"], along.to_string());
    }
}

#[test]
fn every_move_has_a_value_that_is_proved_where_it_can_be() {
    let ask = |position: &str| json!({"position": position, "nodes": 20_000, "moves_values": true});
    let (found, failed) = answers(&lines(&[ask("startpos"), ask(HOKITO_LATE)]), 1);
    assert_eq!(failed, 0);
    let moves = |answer: &Json| answer["moves"].as_array().expect("moves").clone();
    let all = moves(&found[0]);
    let names: BTreeSet<&str> = all.iter().filter_map(|it| it["move"].as_str()).collect();
    assert_eq!((all.len(), names.len()), (256, 256));
    assert_eq!(found[0]["lines"].as_array().map(Vec::len), Some(1));
    let proved = moves(&found[1]);
    assert_eq!(proved.len(), 3);
    let is_proved = |it: &Json| it["proven"] == true && it["value"].is_string();
    assert!(proved.iter().all(is_proved));
    assert_eq!(proved[0]["move"], "b6a4");
    assert_eq!(proved[0]["margin"], 73);
}

#[test]
fn a_finished_game_has_its_result() {
    let (found, _) = answers("x6/x6/x6/x6/w1,x5/b1:2,x5 b\n", 1);
    assert!(found[0]["bestmove"].is_null());
    assert_eq!(found[0]["result"], "p1win");
    assert!(found[0]["points"].is_number());
}

struct Server {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
}

impl Server {
    fn start(options: &str) -> Self {
        let line = format!("analyze --file - --hash 8 {options}");
        let mut child = Folder::new().start(&line);
        let stdout = BufReader::new(child.stdout.take().expect("piped"));
        let stdin = child.stdin.take();
        Self {
            child,
            stdin,
            stdout,
        }
    }

    fn ask(&mut self, request: &Json) {
        let stdin = self.stdin.as_mut().expect("open");
        writeln!(stdin, "{request}").expect("it reads");
    }

    fn answer(&mut self) -> Json {
        let mut line = String::new();
        self.stdout.read_line(&mut line).expect("it writes");
        serde_json::from_str(&line).expect("JSON")
    }

    fn end(mut self) -> Option<i32> {
        drop(self.stdin.take());
        let mut rest = String::new();
        self.stdout.read_to_string(&mut rest).expect("it writes");
        assert_eq!(rest, "");
        self.child.wait().expect("it ends").code()
    }
}

#[test]
fn a_server_answers_while_its_input_is_open() {
    let mut server = Server::start("--nodes 100");
    for id in 0..3 {
        server.ask(&json!({"id": id, "position": "startpos"}));
        assert_eq!(server.answer()["id"], id);
    }
    // The request is done: there is nothing to cancel, and it is no error to ask.
    server.ask(&json!({"cancel": 2}));
    assert_eq!(server.answer(), json!({"id": 2, "cancelled": false}));
    // An error shows in the exit code, too.
    server.ask(&json!({"id": 3}));
    assert!(server.answer()["error"].is_string());
    assert_eq!(server.end(), Some(1));
}

#[test]
fn priorities_and_cancelling() {
    let mut server = Server::start("--nodes 100");
    let ask = json!({"id": "endless", "position": "startpos", "nodes": u64::MAX, "priority": 9});
    server.ask(&ask);
    for (id, priority) in [("low", -1), ("gone", 3), ("middle", 0), ("high", 5)] {
        server.ask(&json!({"id": id, "position": "startpos", "priority": priority}));
    }
    server.ask(&json!({"cancel": "gone"}));
    assert_eq!(server.answer(), json!({"id": "gone", "cancelled": true}));
    server.ask(&json!({"cancel": "endless"}));
    let order: Vec<Json> = (0..4).map(|_| server.answer()).collect();
    let ids: Vec<&Json> = order.iter().map(|answer| &answer["id"]).collect();
    assert_eq!(ids, ["endless", "high", "middle", "low"]);
    assert_eq!(order[0]["cancelled"], true);
    assert!(order[1]["cancelled"].is_null());
    assert_eq!(server.end(), Some(0));
}

#[test]
fn every_position_of_a_cancelled_request_is_answered() {
    let mut server = Server::start("--threads 2");
    let moves = ["c5b6y", "d6e6x", "d5c6x"];
    let ask = json!({"id": "many", "position": "startpos", "moves": moves,
                     "turns": [0, 1, 2, 3], "nodes": u64::MAX});
    server.ask(&ask);
    server.ask(&json!({"cancel": "many"}));
    let mut answers: Vec<Json> = (0..4).map(|_| server.answer()).collect();
    answers.sort_by_key(|answer| answer["turn"].as_u64());
    for (turn, answer) in answers.iter().enumerate() {
        assert_eq!(answer["turn"], turn);
        assert!(answer["id"] == "many" && answer["cancelled"] == true);
    }
    // Those that were begun have a move; the others have nothing more.
    assert!(answers[0]["bestmove"].is_string());
    let nothing_more = json!({"id": "many", "turn": 3, "cancelled": true});
    assert_eq!(answers[3], nothing_more);
    assert_eq!(server.end(), Some(0));
}

/// Gives one line at each call, and counts them.
struct Lines(Arc<AtomicUsize>);

const REQUESTS: usize = 2 * CAPACITY;

impl Read for Lines {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let is_left = self.0.load(Ordering::Relaxed) < REQUESTS;
        let line: &[u8] = if is_left { b"startpos\n" } else { b"" };
        self.0.fetch_add(usize::from(is_left), Ordering::Relaxed);
        buffer[..line.len()].copy_from_slice(line);
        Ok(line.len())
    }
}

/// Accepts nothing while somebody else holds the lock.
struct Stuck(Arc<Mutex<Vec<u8>>>);

impl Write for Stuck {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("a lock").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn nothing_is_read_while_too_much_waits() {
    let (read, written) = (Arc::<AtomicUsize>::default(), Arc::<Mutex<_>>::default());
    let (input, output) = (Lines(read.clone()), Stuck(written.clone()));
    let options = Options {
        limits: MoveLimits::nodes(1),
        hash_mb: 1,
        ..Options::default()
    };
    let held = written.lock().expect("a lock");
    let server = std::thread::spawn(move || serve(input, output, &options, &Stop::new()));
    // A server that no longer reads sends no signal; one that merely reads slowly is no
    // error.
    let mut count = 0;
    while read.load(Ordering::Relaxed) > count || count == 0 {
        count = read.load(Ordering::Relaxed);
        std::thread::sleep(Duration::from_millis(500));
    }
    assert!(count <= CAPACITY + 8, "{count} lines were read");
    drop(held);
    let done = server.join().expect("no panic").expect("no error");
    assert_eq!(done.failed, 0);
    let written = written.lock().expect("a lock");
    let lines = written.iter().filter(|&&byte| byte == b'\n');
    assert_eq!(lines.count(), REQUESTS);
}

#[cfg(unix)]
#[test]
fn interrupted_it_names_the_best_move() {
    use nix::sys::signal::Signal;
    for (options, code) in [("--infinite", 0), ("--movetime 1h", 130)] {
        let mut child = Folder::new().start(&format!("analyze {options}"));
        let stdout = BufReader::new(child.stdout.take().expect("piped"));
        let mut lines = stdout.lines().map(|line| line.expect("text"));
        let position = lines.find(|line| line.trim_start().starts_with("3/"));
        assert!(position.is_some(), "it ended");
        crate::program::send(child.id(), Signal::SIGINT);
        assert!(lines.any(|line| line.starts_with("Best move for White: ")));
        lines.for_each(drop);
        assert_eq!(child.wait().expect("it ends").code(), Some(code));
    }
}

#[test]
fn the_python_example_reviews_a_folder_of_games() {
    let Some(mut python) = python() else { return };
    let example = &blocks(include_str!("../../src/analysis/README.md"), "python")[0];
    let output = python.args(["-c", example, "tests/data/review"]).output();
    let output = output.expect("python3 runs");
    let (text, errors) = (stdout(&output), stderr(&output));
    assert!(output.status.success(), "{errors}");
    let names = text.lines().map(|row| row.split_whitespace().next());
    assert!(names.eq([Some("hokito.pgn"), Some("yoxii.pgn")]), "{text}");
}

/// Nothing wakes a server that waits for input.
#[cfg(target_os = "linux")]
#[test]
fn a_server_that_waits_sleeps() {
    let server = Server::start("--nodes 100");
    let switches = || -> u64 {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", server.child.id()));
        let tasks = tasks.expect("it runs").flatten();
        let status = tasks.map(|task| std::fs::read_to_string(task.path().join("status")));
        let counts = status.flatten().filter_map(|status| {
            let line = status.lines().find(|line| line.starts_with("voluntary"))?;
            line.split_whitespace().nth(1)?.parse::<u64>().ok()
        });
        counts.sum()
    };
    // It is asleep once a while has passed without a switch.
    let quiet = || {
        let before = switches();
        std::thread::sleep(Duration::from_millis(500));
        switches() == before
    };
    assert!((0..20).any(|_| quiet()), "it never sleeps");
    assert_eq!(server.end(), Some(0));
}
