//! One engine as a child process.
//!
//! Two tasks carry lines, one in each direction, and a third waits for the
//! first of them to end, tells why, and ends the whole process group.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, ChildStdin, Command};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::time::timeout;

use super::message::How;
use super::pass::MAX_LINE;
use crate::process::{Bucket, Launch, group, guard};

/// Lines that may wait for an engine that reads slowly.
const WAITING: usize = 256;
/// How long an engine may take to leave after its input is closed.
const FAREWELL: Duration = Duration::from_millis(300);

/// Who gets what an engine says.
pub(super) trait Listener: Send + Sync + 'static {
    /// A line, which may have to wait for a slow socket.
    fn line(&self, line: &str) -> impl Future<Output = ()> + Send;
    /// The end.
    fn ended(&self, how: How, why: String) -> impl Future<Output = ()> + Send;
}

/// The page's end of an engine; dropping it ends the engine.
#[derive(Debug)]
pub(super) struct Handle {
    lines: Sender<String>,
}

impl Handle {
    /// Hands a line over; `false` when the engine does not take them up.
    pub(super) fn send(&self, line: String) -> bool {
        self.lines.try_send(line).is_ok()
    }
}

/// A process group, killed when it is dropped.
struct Group {
    id: u32,
}

impl Drop for Group {
    fn drop(&mut self) {
        group::kill(self.id);
        guard::ended(self.id);
    }
}

/// Starts an engine, whose `options` are set as soon as it has introduced
/// itself.
///
/// # Errors
/// When the system cannot start it.
pub(super) fn start<L: Listener>(
    launch: &Launch,
    options: &[(String, String)],
    listener: L,
) -> io::Result<Handle> {
    let mut command = Command::from(launch.command());
    let child = command.kill_on_drop(true).spawn();
    let mut child = child.map_err(|why| launch.explained(why))?;
    let id = child.id().unwrap_or_default();
    guard::began(id);
    let killed = Group { id };
    let (lines, wanted) = channel(WAITING);
    let options = (options.iter())
        .map(|(name, value)| format!("setoption name {name} value {value}\n"))
        .collect();
    let own = Handle {
        lines: lines.clone(),
    };
    let pipe = Pipe {
        options,
        back: lines.downgrade(),
        listener,
    };
    drop(lines);
    tokio::spawn(async move {
        let (how, why) = supervise(&mut child, wanted, &pipe).await;
        drop(killed);
        let _ = child.kill().await;
        pipe.listener.ended(how, why).await;
    });
    Ok(own)
}

/// How a child ends. It is not reaped, so that its group can still be killed.
async fn exit(child: &Child) -> String {
    loop {
        match child.id().map(group::leader_exit) {
            Some(None) => tokio::time::sleep(Duration::from_millis(5)).await,
            Some(Some(exit)) => return exit.how,
            None => return "it has ended".to_owned(),
        }
    }
}

/// What reading needs.
struct Pipe<L> {
    /// Lines that set the options given on the command line.
    options: String,
    back: tokio::sync::mpsc::WeakSender<String>,
    listener: L,
}

/// Carries lines until one side ends; why.
async fn supervise<L: Listener>(
    child: &mut Child,
    wanted: Receiver<String>,
    pipe: &Pipe<L>,
) -> (How, String) {
    let (Some(stdin), Some(stdout), Some(stderr)) =
        (child.stdin.take(), child.stdout.take(), child.stderr.take())
    else {
        return (How::NoStart, "no pipes".to_owned());
    };
    let last_words = Arc::new(Mutex::new(String::new()));
    let errors = tokio::spawn(read_errors(stderr, Arc::clone(&last_words)));
    let ended = tokio::select! {
        ended = read_output(stdout, pipe) => ended,
        ended = write_input(stdin, wanted) => ended,
    };
    if ended != How::Gone {
        let why = match ended {
            How::Flood => "output without measure",
            How::Deaf => "it reads no more",
            _ => "",
        };
        return (ended, why.to_owned());
    }
    let status = timeout(FAREWELL, exit(child)).await;
    let _ = timeout(FAREWELL, errors).await;
    let mut why = status.unwrap_or_else(|_| "it closed its output and runs on".to_owned());
    let said = last_words.lock().unwrap_or_else(PoisonError::into_inner);
    if !said.is_empty() {
        why.push_str(": ");
        why.push_str(&said);
    }
    (How::Gone, why)
}

/// Writes what the page wants to say, until it wants no more.
async fn write_input(mut stdin: ChildStdin, mut wanted: Receiver<String>) -> How {
    while let Some(mut line) = wanted.recv().await {
        line.push('\n');
        if stdin.write_all(line.as_bytes()).await.is_err() {
            // Its output will tell more about the end.
            std::future::pending::<()>().await;
        }
    }
    How::Asked
}

/// Passes an engine's lines on, until they end or exceed all measure.
async fn read_output<L: Listener>(mut output: impl AsyncRead + Unpin, pipe: &Pipe<L>) -> How {
    let mut bucket = Bucket::new();
    let mut buffer = vec![0; 16 * 1024];
    let mut line = Vec::new();
    loop {
        let count = output.read(&mut buffer).await.unwrap_or(0);
        if count == 0 {
            return How::Gone;
        }
        if !bucket.take(count, Instant::now()) {
            return How::Flood;
        }
        for part in buffer[..count].split_inclusive(|&byte| byte == b'\n') {
            if line.len() + part.len() > MAX_LINE {
                return How::Flood;
            }
            line.extend_from_slice(part);
            if line.last() == Some(&b'\n') {
                pass_on(&line, pipe).await;
                line.clear();
            }
        }
    }
}

/// Passes one line on.
async fn pass_on<L: Listener>(line: &[u8], pipe: &Pipe<L>) {
    let text = String::from_utf8_lossy(line);
    let text = text.trim();
    if matches!(text, "ugiok" | "uciok")
        && !pipe.options.is_empty()
        && let Some(back) = pipe.back.upgrade()
    {
        let _ = back.try_send(pipe.options.trim_end().to_owned());
    }
    if !text.is_empty() {
        pipe.listener.line(text).await;
    }
}

/// Reads an engine's error output and keeps the last line.
async fn read_errors(mut errors: impl AsyncRead + Unpin, last: Arc<Mutex<String>>) {
    let mut buffer = [0; 4096];
    while let Ok(count @ 1..) = errors.read(&mut buffer).await {
        let text = String::from_utf8_lossy(&buffer[..count]);
        if let Some(line) = text.lines().rfind(|line| !line.trim().is_empty()) {
            let shortened = line.trim().chars().take(200).collect();
            *last.lock().unwrap_or_else(PoisonError::into_inner) = shortened;
        }
    }
}
