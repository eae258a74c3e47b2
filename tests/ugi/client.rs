//! A client of the protocol for tests: it talks to `serve` on another thread through
//! channels, and panics if an answer does not come. If the environment names a program in
//! `TOTEMIC_UGI`, it talks to that program instead.

use std::io::{self, BufRead, BufReader, PipeReader, PipeWriter, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use totemic_engine::game::GameKind;
use totemic_engine::ugi::serve;

/// No answer may take longer, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// Passes on whole lines, which have to be flushed: each, but for answers to queries.
struct LineSender {
    sender: Sender<String>,
    line: Vec<u8>,
}

impl Write for LineSender {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.line.extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let text = String::from_utf8(std::mem::take(&mut self.line))
            .unwrap_or_else(|why| panic!("output is not text: {why}"));
        assert!(text.is_ascii(), "output is not ASCII: {text:?}");
        let lines = text.strip_suffix('\n');
        let lines = lines.unwrap_or_else(|| panic!("a flush within a line: {text:?}"));
        for line in lines.split('\n') {
            let alone = line == lines || line.starts_with("info ") || line.starts_with("response");
            assert!(alone, "an answer in one write with other lines: {text:?}");
            assert!(line.len() >= 8 || !line.starts_with("info"), "{line:?}");
            // The test may be over already.
            let _ = self.sender.send(line.to_owned());
        }
        Ok(())
    }
}

/// Returns the program to test instead of the library, if there is one.
pub fn program() -> Option<String> {
    std::env::var("TOTEMIC_UGI").ok()
}

/// Lets a program, given as a command line without quotes, answer until it ends.
fn relay(program: &str, mut pipe: PipeReader, sender: &Sender<String>) -> io::Result<()> {
    let mut words = program.split_whitespace();
    let mut child = Command::new(words.next().unwrap_or_default())
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
    std::thread::spawn(move || {
        // After `quit` nobody listens any more.
        stdin.map(|mut stdin| io::copy(&mut pipe, &mut stdin))
    });
    for line in stdout
        .into_iter()
        .flat_map(|out| BufReader::new(out).lines())
    {
        let _ = sender.send(line?);
    }
    let status = child.wait()?;
    assert!(status.success(), "{program}: {status}");
    Ok(())
}

pub struct Client {
    input: Option<PipeWriter>,
    output: Receiver<String>,
    server: Option<JoinHandle<io::Result<()>>>,
    history: Vec<String>,
}

impl Client {
    pub fn start(kind: GameKind) -> Self {
        let (pipe, input) = io::pipe().expect("a pipe");
        let (sender, output) = channel();
        let writer = LineSender {
            sender,
            line: Vec::new(),
        };
        let server = std::thread::spawn(move || match program() {
            Some(program) => relay(&program, pipe, &writer.sender),
            None => serve(kind, BufReader::new(pipe), writer),
        });
        let mut client = Self {
            input: Some(input),
            output,
            server: Some(server),
            history: Vec::new(),
        };
        // Programs begin with Yoxii.
        if kind == GameKind::Hokito {
            client.send("setoption name Game value hokito");
        }
        client
    }

    pub fn yoxii() -> Self {
        Self::start(GameKind::Yoxii)
    }

    pub fn hokito() -> Self {
        Self::start(GameKind::Hokito)
    }

    /// Sends one line or several.
    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n"));
    }

    pub fn send_bytes(&mut self, bytes: impl AsRef<[u8]>) {
        let shown = &bytes.as_ref()[..bytes.as_ref().len().min(5000)];
        let shown = String::from_utf8_lossy(shown);
        self.history.push(format!("> {}", shown.trim_end()));
        if let Some(input) = &mut self.input {
            // After `quit` nobody listens any more.
            let _ = input.write_all(bytes.as_ref());
        }
    }

    /// Returns the next line of output; `None` at its end.
    pub fn next(&mut self) -> Option<String> {
        match self.output.recv_timeout(PATIENCE) {
            Ok(line) => {
                self.history.push(format!("< {line}"));
                Some(line)
            }
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => self.fail("no answer"),
        }
    }

    pub fn line(&mut self) -> String {
        match self.next() {
            Some(line) => line,
            None => self.fail("the output has ended"),
        }
    }

    /// Returns the lines up to and including one that begins with `head`.
    pub fn until(&mut self, head: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line = self.line();
            let found = line.starts_with(head);
            lines.push(line);
            if found {
                return lines;
            }
        }
    }

    pub fn best_move(&mut self) -> String {
        let lines = self.until("bestmove ");
        let line = lines.last().map_or("", String::as_str);
        line.trim_start_matches("bestmove ").to_owned()
    }

    /// Sends `isready`, and returns the lines before its answer.
    pub fn sync(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.until("readyok");
        assert_eq!(lines.pop().as_deref(), Some("readyok"));
        lines
    }

    /// Fails if an error or a best move has come, or comes before `readyok`.
    pub fn expect_quiet(&mut self) {
        let lines = self.sync();
        let is_loud = |line: &String| line.contains("error") || line.starts_with("bestmove ");
        assert!(!lines.iter().any(is_loud), "{lines:?}");
    }

    /// Asks a question that has an answer of one line.
    pub fn ask(&mut self, question: &str) -> String {
        self.send(question);
        self.line()
    }

    /// Ends the input, and returns the rest of the output once the server has ended.
    pub fn end(mut self) -> Vec<String> {
        self.input = None;
        let mut lines = Vec::new();
        while let Some(line) = self.next() {
            lines.push(line);
        }
        self.join();
        lines
    }

    fn join(&mut self) {
        if let Some(server) = self.server.take() {
            match server.join() {
                Ok(Ok(())) => {}
                Ok(Err(why)) => self.fail(&why.to_string()),
                Err(_) => self.fail("the server panicked"),
            }
        }
    }

    pub fn fail(&self, why: &str) -> ! {
        let tail = self.history.len().saturating_sub(40);
        panic!("{why} after:\n{}", self.history[tail..].join("\n"));
    }
}

/// Returns all answers to a script; the input ends with the script.
pub fn converse(script: &str) -> Vec<String> {
    let mut client = Client::yoxii();
    client.send(script);
    client.end()
}

/// Whether a line matches a pattern: `{n}` stands for a number, `{word}` for a word,
/// `{...}` for anything.
pub fn fits(pattern: &str, line: &str) -> bool {
    let Some(at) = pattern.find('{') else {
        return pattern == line;
    };
    let (head, rest) = pattern.split_at(at);
    let Some(line) = line.strip_prefix(head) else {
        return false;
    };
    let is_number = |c: char| c.is_ascii_digit() || c == '-' || c == '.';
    if let Some(rest) = rest.strip_prefix("{n}") {
        let tail = line.trim_start_matches(is_number);
        tail.len() < line.len() && fits(rest, tail)
    } else if let Some(rest) = rest.strip_prefix("{word}") {
        let end = line.find(' ').unwrap_or(line.len());
        end > 0 && fits(rest, &line[end..])
    } else if let Some(rest) = rest.strip_prefix("{...}") {
        (0..=line.len()).any(|end| line.is_char_boundary(end) && fits(rest, &line[end..]))
    } else {
        line.starts_with('{') && fits(&rest[1..], &line[1..])
    }
}

/// Plays a dialogue: `> ` lines are sent, `< ` lines must come (they are patterns of
/// [`fits`]), `< ...` stands for any lines, and other lines are comments. After that the
/// input ends, and nothing more may come.
pub fn play(name: &str, dialogue: &str) {
    let mut client = Client::yoxii();
    let mut skipping = false;
    for (number, text) in (1..).zip(dialogue.lines()) {
        if let Some(line) = text.strip_prefix("> ") {
            client.send(line);
        } else if text == "< ..." {
            skipping = true;
        } else if let Some(pattern) = text.strip_prefix("<") {
            let mut pattern = pattern.strip_prefix(' ').unwrap_or(pattern).to_owned();
            if program().is_some()
                && let Some(at) = pattern.find("cannot be opened: ")
            {
                // Where there are no files, the reason is different.
                pattern.replace_range(at.., "cannot be opened: {...}");
            }
            loop {
                let line = client.line();
                if fits(&pattern, &line) {
                    break;
                }
                if !skipping {
                    client.fail(&format!("{name}, line {number}: '{text}' was expected"));
                }
            }
            skipping = false;
        }
    }
    let rest = client.end();
    assert!(rest.is_empty(), "{name}: output after the end: {rest:?}");
}
