//! The board's server without a browser: who is let in, what is refused, and that no
//! engine is left behind.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::{Value as Json, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::http::HeaderValue;
use tungstenite::{Message, WebSocket, client};

use crate::program::{Folder, assert_has, cases, python, send, totemic, wait};
use nix::sys::signal::Signal;

/// Nothing here takes this long unless it is broken.
const PATIENCE: Duration = Duration::from_secs(60);

type Socket = WebSocket<TcpStream>;

/// `totemic board` as a process, which ends with its owner.
struct Board {
    child: Child,
    url: String,
}

impl Drop for Board {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Board {
    /// Starts a board with the words of a line, which are split as in a shell.
    fn start(line: &str) -> Self {
        Self::start_with(totemic(), &format!("--no-open {line}"))
    }

    /// Starts a board by a command that runs the program.
    fn start_with(mut command: Command, line: &str) -> Self {
        command.args(["board", "--port", "0"]);
        command.args(shell_words::split(line).expect("words"));
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        let child = command.spawn().expect("the program starts");
        let url = String::new();
        let mut board = Self { child, url };
        let mut lines = BufReader::new(board.child.stdout.take().expect("a pipe"));
        lines.read_line(&mut board.url).expect("an address");
        board.url.truncate(board.url.trim_end().len());
        board
    }

    /// Returns the processes that this board started and that still run; the guard is one
    /// of them.
    fn children(&self) -> BTreeSet<u32> {
        let own = self.child.id().to_string();
        let mut list = Command::new("ps");
        let list = list.args(["-A", "-o", "pid=,ppid=,stat="]).output();
        let child = |line: &str| {
            let (pid, rest) = line.trim_start().split_once(' ')?;
            let (parent, stat) = rest.trim_start().split_once(' ')?;
            let is_own = parent == own && !stat.trim_start().starts_with('Z');
            is_own.then(|| pid.parse().ok())?
        };
        let list = String::from_utf8_lossy(&list.expect("ps runs").stdout).into_owned();
        list.lines().filter_map(child).collect()
    }

    fn address(&self) -> (&str, &str) {
        (self.url.strip_prefix("http://"))
            .and_then(|url| url.split_once("/?token="))
            .expect("an address with a token")
    }

    /// Asks for a path under a host name, with more headers; returns the status and the
    /// whole answer.
    fn get(&self, path: &str, host: &str, more: &str) -> (u16, String) {
        let mut stream = self.connect();
        let head = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n{more}");
        write!(stream, "{head}Connection: close\r\n\r\n").expect("it listens");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("text");
        let status = answer.split_whitespace().nth(1).expect("a status");
        (status.parse().expect("a status"), answer)
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address().0).expect("it listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        stream
    }

    /// Opens a socket as the page of `origin` would; `query` is the end of the address.
    fn try_socket(&self, origin: Option<&str>, query: &str) -> Result<Socket, u16> {
        let url = format!("ws://{}/socket{query}", self.address().0);
        let mut request = url.into_client_request().expect("an address");
        if let Some(origin) = origin {
            let origin = HeaderValue::from_str(origin).expect("a header");
            request.headers_mut().insert("origin", origin);
        }
        match client(request, self.connect()) {
            Ok((socket, _)) => Ok(socket),
            Err(tungstenite::HandshakeError::Failure(tungstenite::Error::Http(answer))) => {
                Err(answer.status().as_u16())
            }
            Err(why) => panic!("{why}"),
        }
    }

    /// Opens a socket as the board's own page does.
    fn open(&self) -> Socket {
        let (address, token) = self.address();
        let (origin, query) = (format!("http://{address}"), format!("?token={token}"));
        self.try_socket(Some(&origin), &query).expect("let in")
    }

    fn socket(&self) -> (Socket, Json) {
        let mut socket = self.open();
        let hello = serde_json::from_str(&read(&mut socket)).expect("JSON");
        (socket, hello)
    }

    fn interrupt(&mut self) {
        send(self.child.id(), Signal::SIGINT);
        assert!(self.child.wait().expect("it ends").success());
    }
}

fn read(socket: &mut Socket) -> String {
    loop {
        match socket.read() {
            Ok(Message::Text(text)) => return text.to_string(),
            // A machine that is suspended interrupts a read with a timeout.
            Err(tungstenite::Error::Io(why)) if why.kind() == ErrorKind::Interrupted => (),
            other => panic!("expected text, found {other:?}"),
        }
    }
}

/// Reads until a message begins with `start`.
fn read_until(socket: &mut Socket, start: &str) -> String {
    loop {
        let text = read(socket);
        if text.starts_with(start) {
            return text;
        }
    }
}

fn tell(socket: &mut Socket, text: &str) {
    socket.send(Message::text(text)).expect("it reads");
}

fn ask(socket: &mut Socket, question: &str) -> Json {
    tell(socket, question);
    serde_json::from_str(&read_until(socket, "{")).expect("JSON")
}

/// Starts the engine with this number under the name `a`.
fn start(socket: &mut Socket, engine: usize) {
    let ask = json!({"ask": "start", "id": "a", "engine": engine, "game": "yoxii"});
    tell(socket, &ask.to_string());
}

/// Starts the first engine and waits until it answers.
fn start_engine(socket: &mut Socket) {
    start(socket, 0);
    tell(socket, "a isready");
    read_until(socket, "a readyok");
}

const START: &str = r#""game":"yoxii","fen":"3/5/7/3*3/7/5/3 w""#;

fn exists(pid: u32) -> bool {
    let state = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    !state.is_empty() && !state.contains(") Z ")
}

#[test]
fn the_page_is_served_under_loopback_names_only() {
    let board = Board::start("--game hokito");
    assert!(board.url.ends_with("#/play/hokito"), "{}", board.url);
    let (address, token) = board.address();
    let (token, _) = token.split_once('#').expect("a place in the page");
    let port = address.rsplit(':').next().expect("a port");
    let (status, page) = board.get("/", address, "");
    assert_eq!(status, 200, "{page}");
    let page = page.to_lowercase();
    for header in [
        "opener-policy: same-origin",
        "embedder-policy: require-corp",
    ] {
        assert!(page.contains(&format!("cross-origin-{header}")), "{page}");
    }
    assert!(!page.contains(token), "the page tells the secret");
    for own in ["localhost", "LOCALHOST", "[::1]"] {
        assert_eq!(board.get("/", &format!("{own}:{port}"), "").0, 200, "{own}");
    }
    // A second Origin cannot hide behind the first one.
    let own = format!("Origin: http://{}\r\n", address);
    assert_eq!(board.get("/", address, &own).0, 200);
    let two = format!("{own}Origin: http://evil.example\r\n");
    assert_eq!(board.get("/", address, &two).0, 403);
    for foreign in [
        "evil.example".to_owned(),
        format!("evil.example:{port}"),
        format!("127.0.0.1.evil.example:{port}"),
        format!("localhost:{port}.evil.example"),
        format!("localhost:{port}:{port}"),
        format!(":{port}"),
        "localhost".to_owned(),
        "127.0.0.1:1".to_owned(),
    ] {
        assert_eq!(board.get("/", &foreign, "").0, 403, "{foreign}");
        // This is so after DNS rebinding: Host and Origin agree, and both are foreign.
        let origin = format!("Origin: http://{foreign}\r\n");
        assert_eq!(board.get("/", &foreign, &origin).0, 403, "{foreign}");
        assert_eq!(board.get("/", address, &origin).0, 403, "{foreign}");
    }
    for unknown in "/nothing /../Cargo.toml /%2e%2e/%2e%2e/etc/passwd /page/".split(' ') {
        assert_eq!(board.get(unknown, address, "").0, 404, "{unknown}");
    }
}

#[test]
fn the_socket_wants_its_own_origin_and_the_token() {
    let board = Board::start("");
    let (address, token) = board.address();
    let (own, right) = (format!("http://{address}"), format!("?token={token}"));
    for (origin, query) in [
        (None, right.as_str()),
        (Some("http://evil.example"), &right),
        (Some("null"), &right),
        (Some(&own.replace("http:", "https:")), &right),
        (Some(&own), ""),
        (Some(&own), "?token="),
        (Some(&own), "?token=00000000000000000000000000000000"),
        (Some(&own), "?tab=x"),
    ] {
        let refused = board.try_socket(origin, query).map(|_| ());
        assert_eq!(refused, Err(403), "{origin:?} {query}");
    }
    assert!(board.try_socket(Some(&own), &right).is_ok());
}

#[test]
fn lines_are_bounded_and_options_are_on_a_list() {
    let board = Board::start("");
    let (mut socket, hello) = board.socket();
    assert_eq!(hello["say"], "hello");
    assert_eq!(hello["engines"][0], "Totemic");
    start_engine(&mut socket);
    let long = format!("a position startpos moves {}", "c5b6x ".repeat(11_000));
    let others = [
        [&*long, "expected at most 65536"],
        ["a stop\nbench", "control"],
    ];
    for [sent, named] in cases(
        r#"
        a setoption name LogFile value /tmp/board   | LogFile
        a setoption name logfile value x            | logfile
        a setoption name Hash LogFile value 5       | Hash LogFile
        a setoption name Game value yoxii LogFile   | LogFile
        a setoption name Hash value 1000000         | '1000000'
        a setoption name Threads value 2            | Threads
        a setoption                                 | setoption
        a bench                                     | 'bench'
        {"ask":"start","id":"b","engine":7,"game":"yoxii"}   | engine 7
        {"ask":"start","id":"a b","engine":0,"game":"yoxii"} | 'a b'
        {"ask":"start","id":"b","engine":0,"game":"chess"}   | 'chess'
        {"ask":"start","id":"b","game":"yoxii","cmd":7       | line 1
        alone                                       | name of an engine
        "#,
    )
    .chain(others)
    {
        tell(&mut socket, sent);
        let answer = read_until(&mut socket, "{");
        let is_refused = answer.contains(r#""say":"refused""#);
        assert!(is_refused && answer.contains(named), "{answer}");
    }
    // After all that the engine is well.
    tell(&mut socket, "a setoption name hash value 64");
    tell(&mut socket, "a go depth 1");
    read_until(&mut socket, "a bestmove");
    // If a message is longer than a mebibyte, the socket is closed.
    let _ = socket.send(Message::text("x".repeat(3 << 20)));
    while socket.read().is_ok() {}
}

#[test]
fn a_board_that_ends_leaves_no_engine() {
    for is_killed in [false, true] {
        let mut board = Board::start("");
        let (mut socket, _) = board.socket();
        start_engine(&mut socket);
        tell(&mut socket, "a go infinite");
        let engines = board.children();
        assert!(engines.len() >= 2, "an engine and the guard");
        if is_killed {
            board.child.kill().expect("it runs");
            board.child.wait().expect("it ends");
        } else {
            board.interrupt();
        }
        wait("all are gone", || !engines.iter().any(|&pid| exists(pid)));
    }
}

#[test]
fn a_board_that_was_started_to_ignore_a_hangup_stays() {
    let folder = Folder::new();
    let mut board = Board::start_with(folder.in_shell_after("trap '' HUP", ""), "--no-open");
    send(board.child.id(), Signal::SIGHUP);
    let (address, _) = board.address();
    for _ in 0..20 {
        assert_eq!(board.get("/", address, "").0, 200);
    }
    board.interrupt();
}

#[test]
fn an_engine_that_reads_nothing_ends_with_its_tab() {
    let board = Board::start("--engine 'cmd=sleep 1000'");
    let before = board.children();
    let (mut socket, _) = board.socket();
    start(&mut socket, 0);
    // This is more than the pipe to the engine holds.
    let line = format!("a position fen {}", "x".repeat(60_000));
    for _ in 0..3 {
        tell(&mut socket, &line);
    }
    // Once this is answered, the lines are with the engine's writer.
    let random = r#"{"call":1,"ask":"random","game":"yoxii","scattered":false,"seed":1}"#;
    ask(&mut socket, random);
    assert!(board.children().len() > before.len(), "it runs");
    drop(socket);
    wait("the engine is gone", || board.children() == before);
}

#[test]
fn an_engine_that_leaves_its_group_holds_up_nobody_and_leaves_nothing_behind() {
    if python().is_none() {
        return;
    }
    // A child stays in the group, and another one begins a session of its own.
    let script = "import os, time\n\
        if os.fork() == 0: time.sleep(1000)\n\
        other = os.fork()\n\
        if other == 0: os.setsid(); time.sleep(1000)\n\
        os.setpgid(0, os.getpgid(os.getppid()))\n\
        print(os.getpid(), other, flush=True)\n\
        time.sleep(1000)";
    let mut board = Board::start(&format!("--engine 'cmd=python3 -c \"{script}\"'"));
    // Starts an engine; returns its process and that of the session.
    let start = |socket: &mut Socket| -> [u32; 2] {
        start(socket, 0);
        let said = read_until(socket, "a ");
        let words = said.split(' ').skip(1);
        let mut pids = words.map(|pid| pid.parse().expect("a number"));
        [pids.next().expect("one"), pids.next().expect("two")]
    };
    let (mut socket, _) = board.socket();
    // The second one takes the place of the first.
    let [one, two] = [start(&mut socket), start(&mut socket)];
    tell(&mut socket, r#"{"ask":"end","id":"a"}"#);
    wait("both are gone", || !exists(one[0]) && !exists(two[0]));
    let mut all = [one, two, start(&mut socket), start(&mut board.socket().0)].concat();
    board.interrupt();
    wait("all are gone", || {
        all.retain(|&pid| exists(pid));
        all.is_empty()
    });
}

#[test]
fn half_requests_keep_nobody_out() {
    let folder = Folder::new();
    let board = Board::start_with(folder.in_shell_after("ulimit -n 256", ""), "--no-open");
    let half: Vec<TcpStream> = (0..300)
        .map(|_| {
            let mut stream = board.connect();
            write!(stream, "GET / HTTP/1.1\r\nHost:").expect("it listens");
            stream
        })
        .collect();
    assert_eq!(board.get("/", board.address().0, "").0, 200);
    drop(half);
}

/// The system shows the arguments of a browser, so they must not contain the secret.
#[test]
fn the_browser_is_given_a_file_that_only_the_user_can_read() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let (browser, seen) = (folder.path("xdg-open"), folder.path("seen"));
    let script = format!("#!/bin/sh\necho \"$@\" > {}\n", seen.display());
    folder.write("xdg-open", script);
    std::fs::set_permissions(&browser, PermissionsExt::from_mode(0o755)).expect("executable");
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = totemic();
    command.env("PATH", format!("{}:{path}", folder.at().display()));
    let mut board = Board::start_with(command, "");
    let mut argument = String::new();
    wait("the browser is opened", || {
        argument = std::fs::read_to_string(&seen).unwrap_or_default();
        argument.ends_with('\n')
    });
    assert!(!argument.contains(board.address().1), "{argument}");
    let file = argument.trim();
    let metadata = std::fs::metadata(file).expect("a file");
    assert_eq!(metadata.permissions().mode() & 0o777, 0o600);
    let page = std::fs::read_to_string(file).expect("a page");
    assert!(page.contains(&format!("url={}\"", board.url)), "{page}");
    board.interrupt();
    assert!(!Path::new(file).exists(), "it is left behind");
}

#[test]
fn a_slow_reader_stops_nobody() {
    let board = Board::start("");
    let (mut slow, _) = board.socket();
    start_engine(&mut slow);
    // These are some 20 megabytes of answers that nobody reads.
    slow.get_mut()
        .set_write_timeout(Some(Duration::from_millis(200)))
        .expect("a timeout");
    for _ in 0..10_000 {
        let question = format!(r#"{{"ask":"position","call":1,{START},"moves":[]}}"#);
        if slow.send(Message::text(question)).is_err() {
            break;
        }
    }
    let (mut other, _) = board.socket();
    start_engine(&mut other);
}

#[test]
fn an_engine_that_crashes_floods_or_does_not_exist_is_told() {
    // This one was there when the board began.
    let folder = Folder::new();
    let program = folder.path("engine");
    std::fs::copy("/bin/cat", &program).expect("copied");
    let board = Board::start(&format!(
        "--engine \"cmd=sh -c 'echo sorry >&2; exit 3'\" name=crash \
         --engine cmd=yes 'args=info string' name=flood \
         --engine 'cmd=head -c 100000 /dev/zero' name=endless \
         --engine cmd={} name=absent --engine 'cmd=sleep 1000' name=deaf",
        program.display()
    ));
    std::fs::remove_file(&program).expect("removed");
    let (mut socket, hello) = board.socket();
    assert_eq!(hello["engines"][1], "flood");
    for (engine, how, why) in [
        (0, "gone", "exit code 3: sorry"),
        (1, "flood", "too much"),
        (2, "flood", "too much"),
        (3, "no-start", "there is no such program"),
    ] {
        start(&mut socket, engine);
        let answer = read_until(&mut socket, "{");
        let told: Json = serde_json::from_str(&answer).expect("JSON");
        assert_eq!(told["say"], "ended", "{answer}");
        assert_eq!(told["how"], how, "{answer}");
        assert!(answer.contains(why), "{answer}");
    }
    start(&mut socket, 4);
    let line = format!("a position fen {}", "x".repeat(60_000));
    let answer = loop {
        tell(&mut socket, &line);
        socket.get_mut().set_nonblocking(true).expect("a mode");
        let heard = socket.read();
        socket.get_mut().set_nonblocking(false).expect("a mode");
        if let Ok(Message::Text(text)) = heard {
            break text;
        }
    };
    assert!(answer.contains(r#""how":"deaf""#), "{answer}");
}

#[test]
fn options_of_the_command_line_are_set_once_the_engine_is_there() {
    let board = Board::start("--engine cmd=self option.MultiPV=3 name=three");
    let (mut socket, _) = board.socket();
    start(&mut socket, 0);
    tell(&mut socket, "a ugi");
    read_until(&mut socket, "a ugiok");
    tell(&mut socket, "a go depth 2");
    read_until(&mut socket, "a info depth 2 seldepth 2 multipv 3");
}

#[test]
fn a_port_in_use_is_an_error_when_it_was_asked_for() {
    let board = Board::start("");
    let port = board.address().0.rsplit(':').next().expect("a port");
    let why = Folder::new().fails(1, &format!("board --no-open --port {port}"));
    assert!(why.contains(&format!("--port {port}: ")), "{why}");
}

/// A folder with the journal `games` of a match of two games, and its text.
fn journal() -> (Folder, String) {
    let folder = Folder::new();
    let line = "match --engine cmd=random --engine cmd=random --games 2 --seed 3 --journal games";
    folder.stdout_of(line);
    let text = folder.read("games");
    (folder, text)
}

fn board_with_journal(folder: &Folder, journal: &str) -> Board {
    folder.write("games", journal);
    Board::start(&format!("--journal {}", folder.path("games").display()))
}

/// Asks for the games of the journal from a number on, until they are this many.
fn games(socket: &mut Socket, from: usize, count: usize) -> Vec<Json> {
    let question = json!({"ask": "journal", "call": 3, "from": from}).to_string();
    let mut games = Vec::new();
    wait("the games", || {
        let reply = ask(socket, &question);
        games = reply["answer"].as_array().cloned().unwrap_or_default();
        games.len() == count
    });
    games
}

#[test]
fn the_games_of_a_journal_are_shown_as_they_are_finished() {
    let (folder, journal) = journal();
    let [heading, _, last] = journal.lines().collect::<Vec<_>>()[..] else {
        panic!("{journal}")
    };
    let last: Json = serde_json::from_str(last).expect("JSON");
    let moves = |game: &Json| game["moves"].as_array().expect("moves").clone();
    let last = moves(&last).pop().expect("a move");
    // A line that is still being written is left out.
    for (cut, count) in [(9, 1), (1, 2)] {
        let board = board_with_journal(&folder, &journal[..journal.len() - cut]);
        let (mut socket, hello) = board.socket();
        assert_eq!(hello["journal"], true);
        games(&mut socket, 0, count);
        folder.write("games", &journal);
        let found = games(&mut socket, 1, 1);
        assert_eq!(moves(&found[0]).pop(), Some(last["m"].clone()));
        assert_eq!(found[0]["termination"], "rules");
        // Another match takes the file.
        folder.write("games", journal.replacen("random", "another", 1));
        games(&mut socket, 0, 2);
        folder.write("games", heading);
        games(&mut socket, 0, 0);
    }
}

#[test]
fn a_journal_is_read_once_for_all_tabs() {
    let (folder, journal) = journal();
    let [heading, game, _] = journal.lines().collect::<Vec<_>>()[..] else {
        panic!("{journal}")
    };
    const COUNT: usize = 2000;
    let mut long = format!("{heading}\n");
    for pair in 0..COUNT {
        long += &game.replacen("\"pair\":0", &format!("\"pair\":{pair}"), 1);
        long += "\n";
    }
    let board = board_with_journal(&folder, &long);
    let mut tabs: Vec<Socket> = (0..3).map(|_| board.socket().0).collect();
    for from in [0, COUNT - 1, COUNT] {
        for tab in &mut tabs {
            games(tab, from, COUNT - from);
        }
    }
    let counts = std::fs::read_to_string(format!("/proc/{}/io", board.child.id()));
    // Only Linux counts them.
    let Ok(counts) = counts else { return };
    let read = counts.split_whitespace().nth(1).expect("bytes read");
    let read: usize = read.parse().expect("a number");
    assert!(read < 2 * long.len(), "{read} bytes of {}", long.len());
}

#[test]
fn the_library_answers_what_the_page_asks() {
    let board = Board::start("");
    let (mut socket, _) = board.socket();
    let mut answer = |question: &str| {
        let reply = ask(&mut socket, &format!(r#"{{"call":7,{question}}}"#));
        assert_eq!(reply["call"], 7, "{reply}");
        match reply["error"].as_str() {
            Some(why) => Err(why.to_owned()),
            None => Ok(reply["answer"].clone()),
        }
    };
    for block in include_str!("../data/facts.txt").split("\n? ").skip(1) {
        let (question, expected) = block.split_once('\n').expect("lines");
        let found = answer(question);
        for [place, expected] in cases(expected) {
            match (place, &found) {
                ("!", Err(why)) => assert_has(why, expected),
                ("~", Ok(found)) => assert_has(&found.to_string(), expected),
                (_, Ok(found)) => {
                    let expected: Json = serde_json::from_str(expected).expect("JSON");
                    assert_eq!(found.pointer(place), Some(&expected), "{question} {place}");
                }
                _ => panic!("{question}: {found:?}"),
            }
        }
    }
    let facts = answer(&format!(r#""ask":"position",{START},"moves":[]"#)).expect("a position");
    let moves = facts["moves"].as_array().expect("moves");
    assert!(moves.is_sorted_by_key(ToString::to_string), "{moves:?}");
    assert_eq!(facts["routes"].as_array().map(Vec::len), Some(moves.len()));
    let random =
        |seed: u32| format!(r#""ask":"random","game":"hokito","scattered":true,"seed":{seed}"#);
    let starts = [1, 1, 2].map(|seed| answer(&random(seed)).expect("a start")["fen"].clone());
    assert_eq!(starts[0], starts[1]);
    assert_ne!(starts[1], starts[2]);
}

#[test]
fn a_review_is_streamed_backwards_and_can_be_left() {
    let board = Board::start("");
    let (mut socket, _) = board.socket();
    let fen = "x,b3:14,x,w1:2,x,b1/x5,b2/w1:14,x5/x6/x6/w3:2,w2,x3,w1 b";
    let ask = |call: u64, moves: &str, nodes: u64| {
        format!(
            r#"{{"ask":"review","call":{call},"game":"hokito","fen":"{fen}","moves":{moves},"nodes":{nodes}}}"#
        )
    };
    tell(&mut socket, &ask(1, r#"["f5b1"]"#, 20_000));
    let mut plies = Vec::new();
    let whole = loop {
        let said: Json = serde_json::from_str(&read(&mut socket)).expect("JSON");
        let Some(news) = said.get("progress") else {
            break said;
        };
        assert_eq!(news["total"], 2);
        plies.push(news["judged"]["ply"].as_u64());
        if news["judged"]["ply"] == 0 {
            assert_eq!(news["judged"]["line"][0], "b6a4");
        }
    };
    assert_eq!(plies, [None, Some(0)]);
    assert_eq!(whole["answer"]["complete"], true);
    // A long review ends soon after the page has had enough.
    tell(&mut socket, &ask(2, r#"["f5b1"]"#, 100_000_000));
    tell(&mut socket, r#"{"ask":"enough"}"#);
    read_until(&mut socket, r#"{"call":2,"answer""#);
    tell(&mut socket, &ask(3, r#"["a1a2"]"#, 50));
    assert_has(&read_until(&mut socket, r#"{"call":3,"error""#), "a1a2");
    // Reviews wait for a processor, and none gets lost.
    let mut sockets: Vec<Socket> = (0..20).map(|_| board.socket().0).collect();
    for socket in &mut sockets {
        tell(socket, &ask(4, r#"["f5b1"]"#, 50));
    }
    let threads = format!("/proc/{}/task", board.child.id());
    let mut most = 0;
    for socket in &mut sockets {
        while !read(socket).starts_with(r#"{"call":4,"answer""#) {
            most = most.max(std::fs::read_dir(&threads).map_or(0, Iterator::count));
        }
    }
    let processors = thread::available_parallelism().map_or(1, usize::from);
    assert!(most <= 8 + 4 * processors, "{most} threads");
}

#[test]
fn every_file_of_the_page_is_served_with_its_type() {
    let board = Board::start("");
    let mut served = 0;
    let folders = ["", "lang/", "vendor/"];
    let names = folders.iter().flat_map(|folder| {
        let files = std::fs::read_dir(format!("src/board/page/{folder}")).expect("a folder");
        files.map(move |entry| {
            let name = entry.expect("a file").file_name();
            format!("{folder}{}", name.to_str().expect("text"))
        })
    });
    for name in names {
        let media = match name.rsplit('.').next() {
            Some("js") => "text/javascript",
            Some("css") => "text/css",
            Some("html") => "text/html",
            Some("svg") => "image/svg+xml",
            _ => continue,
        };
        let (status, answer) = board.get(&format!("/{name}"), board.address().0, "");
        assert_eq!(status, 200, "{name}");
        let media = format!("content-type: {media}");
        assert!(answer.to_lowercase().contains(&media), "{name}");
        served += 1;
    }
    assert!(served > 20, "{served}");
}

#[test]
fn a_tab_too_many_is_told_so() {
    let board = Board::start("");
    let tabs: Vec<Socket> = (0..32).map(|_| board.socket().0).collect();
    match board.open().read().expect("a message") {
        Message::Close(Some(frame)) => assert_eq!(u16::from(frame.code), 1013),
        other => panic!("{other:?}"),
    }
    drop(tabs);
    wait("a place", || {
        matches!(board.open().read(), Ok(Message::Text(_)))
    });
}
