//! One engine as a child process.
//!
//! One future carries lines to the engine and another carries lines from it, while a
//! third waits for the owner to let go. When the first of them ends, the engine's process
//! group is ended too, whatever the others are waiting for.

use std::io;
use std::time::{Duration, Instant};

use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, Command};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::allowed::MAX_LINE;
use crate::process::{Bucket, Launch, group, guard};

/// Lines that may wait for an engine that reads slowly.
const WAITING: usize = 256;
/// How long an engine may take to exit after it has closed its output.
const FAREWELL: Duration = Duration::from_millis(300);

/// What a tab receives from its engines and reviews.
pub(super) enum Received {
    Message(String),
    Ended(String, Ending),
}

/// How an engine ended: `gone` (by itself), `flood` (it wrote too much), `deaf` (it does
/// not read its input) or `no-start`; and why, in the words of the system or the engine.
pub(super) type Ending = (&'static str, String);

/// A running engine; dropping it ends the engine.
#[derive(Debug)]
pub(super) struct Engine {
    lines: Sender<String>,
    /// The lines that set the options given on the command line.
    options: String,
    _owned: oneshot::Sender<()>,
}

impl Engine {
    /// Hands over a line; returns `false` if too many lines are waiting already.
    pub(super) fn send(&self, line: String) -> bool {
        self.lines.try_send(line).is_ok()
    }

    /// Sets the options given on the command line; call it once the engine has introduced
    /// itself.
    pub(super) fn set_options(&self) {
        if !self.options.is_empty() {
            self.send(self.options.clone());
        }
    }

    pub(super) fn has_ended(&self) -> bool {
        self.lines.is_closed()
    }
}

/// A process group, killed when it is dropped.
struct Group(u32);

impl Drop for Group {
    fn drop(&mut self) {
        group::kill(self.0);
        guard::ended(self.0);
    }
}

/// Starts an engine under the name `id`.
///
/// # Errors
/// When the system cannot start it.
pub(super) fn start(
    id: &str,
    launch: &Launch,
    options: &[(String, String)],
    events: Sender<Received>,
) -> io::Result<Engine> {
    let mut command = Command::from(launch.command());
    let child = command.kill_on_drop(true).spawn();
    let mut child = child.map_err(|why| launch.explained(why))?;
    let group = child.id().unwrap_or_default();
    guard::began(group);
    let group = Group(group);
    let (lines, input) = channel(WAITING);
    let (owned, mut let_go) = oneshot::channel();
    let output = Output {
        id: id.to_owned(),
        events,
    };
    let options = options.iter();
    let options = options.map(|(name, value)| format!("setoption name {name} value {value}"));
    tokio::spawn(async move {
        let ended = tokio::select! {
            ended = supervise(&mut child, group, input, &output) => Some(ended),
            _ = &mut let_go => None,
        };
        let _ = child.kill().await;
        if let Some(ending) = ended {
            let _ = output.events.send(Received::Ended(output.id, ending)).await;
        }
    });
    Ok(Engine {
        lines,
        options: options.collect::<Vec<_>>().join("\n"),
        _owned: owned,
    })
}

struct Output {
    id: String,
    events: Sender<Received>,
}

/// Carries lines until the engine closes one of its pipes or writes too much.
async fn supervise(
    child: &mut Child,
    group: Group,
    lines: Receiver<String>,
    output: &Output,
) -> Ending {
    let (Some(stdin), Some(stdout), Some(stderr)) =
        (child.stdin.take(), child.stdout.take(), child.stderr.take())
    else {
        return ("no-start", "it has no pipes".to_owned());
    };
    let errors = tokio::spawn(last_line(stderr));
    let is_flood = tokio::select! {
        is_flood = read_output(stdout, output) => is_flood,
        () = write_input(stdin, lines) => false,
    };
    if is_flood {
        return ("flood", "it wrote too much".to_owned());
    }
    let status = timeout(FAREWELL, exit(child)).await;
    let why = status.unwrap_or_else(|_| "it closed its output but is still running".to_owned());
    drop(group);
    match timeout(FAREWELL, errors).await {
        Ok(Ok(said)) if !said.is_empty() => ("gone", format!("{why}: {said}")),
        _ => ("gone", why),
    }
}

async fn exit(child: &mut Child) -> String {
    let Some(leader) = child.id() else {
        return "it has ended".to_owned();
    };
    loop {
        match group::leader_exit(leader, || child.try_wait()) {
            None => tokio::time::sleep(Duration::from_millis(5)).await,
            Some(exit) => return exit.how,
        }
    }
}

/// Writes lines and never returns: the engine's output shows when the engine ends.
async fn write_input(mut stdin: ChildStdin, mut lines: Receiver<String>) {
    while let Some(mut line) = lines.recv().await {
        line.push('\n');
        if stdin.write_all(line.as_bytes()).await.is_err() {
            break;
        }
    }
    std::future::pending().await
}

/// Relays an engine's lines until they end; returns `true` if they were too many or too
/// long.
async fn read_output(stdout: impl AsyncRead + Unpin, output: &Output) -> bool {
    let mut bucket = Bucket::new();
    let mut stdout = BufReader::new(stdout);
    loop {
        let line = next_line(&mut stdout).await;
        if line.is_empty() {
            return false;
        }
        if line.len() > MAX_LINE || !bucket.take(line.len(), Instant::now()) {
            return true;
        }
        relay(String::from_utf8_lossy(&line).trim(), output).await;
    }
}

/// Reads a line with its line feed, cut if it is too long; it is empty at the end of the
/// input.
async fn next_line(input: &mut (impl AsyncBufRead + Unpin)) -> Vec<u8> {
    let mut line = Vec::new();
    let mut input = input.take(MAX_LINE as u64 + 1);
    let _ = input.read_until(b'\n', &mut line).await;
    line
}

/// Relays one line. If the socket is slow, `info` lines are dropped, since newer ones
/// will come; all other lines wait.
async fn relay(line: &str, output: &Output) {
    let message = Received::Message(format!("{} {line}", output.id));
    if line.starts_with("info") {
        let _ = output.events.try_send(message);
    } else if !line.is_empty() {
        let _ = output.events.send(message).await;
    }
}

/// Returns the last line of an engine's error output, cut to fit into a message.
async fn last_line(errors: impl AsyncRead + Unpin) -> String {
    let mut errors = BufReader::new(errors);
    let mut last = String::new();
    loop {
        let line = next_line(&mut errors).await;
        let text = String::from_utf8_lossy(&line);
        match text.trim() {
            _ if line.is_empty() => return last,
            "" => {}
            text => last = text.chars().take(200).collect(),
        }
    }
}
