//! An engine's process: pipes, threads that read them, and its certain end.
//!
//! One thread reads the output and keeps only what matters: the last `info`
//! is parsed in place, a few kinds of lines go to whoever waits, everything
//! else is dropped. So a talkative engine costs neither memory nor wake-ups.
//! A line is stamped when the read that completed it returns.

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::info;
use super::record::{Reason, SearchInfo};
use super::settings::{EngineSpec, SELF};
use super::stop::Stop;

/// No line of the protocol is longer, in bytes.
const MAX_LINE: usize = 64 * 1024;
/// Output that may come at once, in bytes, and what is granted each second.
const BURST: f64 = 8.0 * 1024.0 * 1024.0;
const RATE: f64 = 2.0 * 1024.0 * 1024.0;
/// Answers nobody has asked for that may wait.
const BACKLOG: usize = 1024;
/// Time to leave after `quit`, before the process is killed.
const FAREWELL: Duration = Duration::from_millis(500);

/// What ends an exchange with an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// The engine did wrong: why it loses, and the details.
    Fault(Reason, String),
    /// The match is being stopped; nobody did wrong.
    Interrupted,
}

/// What the reading thread reports.
#[derive(Debug)]
enum Event {
    Line(Instant, String),
    End,
    LineTooLong,
    Flood,
}

/// How to start an engine, resolved once.
#[derive(Clone, Debug)]
pub struct Launch {
    program: PathBuf,
    args: Vec<String>,
    dir: Option<PathBuf>,
}

impl Launch {
    /// Reads the command of an engine.
    ///
    /// # Errors
    /// A sentence when it cannot be split into words or there is none.
    pub fn new(spec: &EngineSpec, game: &str) -> Result<Self, String> {
        let words = |key: &str, text: &str| {
            shell_words::split(text).map_err(|why| format!("'{key}={text}': {why}"))
        };
        let extra = words("args", &spec.args)?;
        let dir = spec.dir.as_ref().map(PathBuf::from);
        let (program, mut args) = if spec.cmd == SELF {
            let program = std::env::current_exe()
                .map_err(|why| format!("'cmd={SELF}': where this program is: {why}"))?;
            let args = ["--game", game, "ugi"].map(str::to_owned).to_vec();
            (program, args)
        } else if Path::new(&spec.cmd).is_file() {
            (PathBuf::from(&spec.cmd), Vec::new())
        } else {
            let mut words = words("cmd", &spec.cmd)?.into_iter();
            let program = words.next().ok_or("'cmd=': expected a program")?;
            (PathBuf::from(program), words.collect())
        };
        args.extend(extra);
        Ok(Self {
            program: absolute(&program, dir.as_deref()),
            args,
            dir,
        })
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command
            .args(&self.args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(dir) = &self.dir {
            command.current_dir(dir);
        }
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        command
    }
}

/// A path with a directory in it means the same wherever the child starts:
/// from here, or else from the child's directory. A bare name is searched for
/// by the system.
fn absolute(program: &Path, dir: Option<&Path>) -> PathBuf {
    if program.components().count() < 2 && !program.starts_with(".") {
        return program.to_owned();
    }
    [Some(Path::new(".")), dir]
        .into_iter()
        .flatten()
        .find_map(|base| base.join(program).canonicalize().ok())
        .unwrap_or_else(|| program.to_owned())
}

/// A file that takes every line to and from a process.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    begin: Instant,
    /// Or why nothing more is written.
    file: Mutex<Result<BufWriter<File>, String>>,
}

impl Log {
    /// Creates the file.
    ///
    /// # Errors
    /// When the file system refuses.
    pub fn create(path: &Path, begin: Instant) -> io::Result<Self> {
        Ok(Self {
            path: path.to_owned(),
            begin,
            file: Mutex::new(Ok(BufWriter::new(File::create(path)?))),
        })
    }

    /// Writes a line; `mark` is `>` for what the engine is told, `<` for what
    /// it says, `!` for its error output.
    fn line(&self, at: Instant, mark: char, text: &str) {
        let seconds = at.saturating_duration_since(self.begin).as_secs_f64();
        let mut log = locked(&self.file);
        let Ok(file) = log.as_mut() else {
            return;
        };
        let mut written = writeln!(file, "{seconds:12.6} {mark} {text}");
        if mark != '<' || !text.starts_with("info") {
            written = written.and_then(|()| file.flush());
        }
        if let Err(why) = written {
            *log = Err(format!("log {} ends early: {why}", self.path.display()));
        }
    }
}

/// A lock whose holder may have panicked: what it guards stays usable.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What both reading threads and the owner share.
#[derive(Debug, Default)]
struct Shared {
    info: Mutex<SearchInfo>,
    last_error: Mutex<String>,
    /// Whether the error output has been read to its end.
    errors_read: AtomicBool,
    log: Option<Log>,
}

/// A running engine. Dropping it ends its whole process group.
#[derive(Debug)]
pub struct Process {
    child: Child,
    stdin: Option<ChildStdin>,
    events: Receiver<Event>,
    shared: Arc<Shared>,
    ended: bool,
}

impl Process {
    /// Why the log could not be written to its end, if so.
    pub fn log_failure(&self) -> Option<String> {
        let log = self.shared.log.as_ref()?;
        locked(&log.file).as_ref().err().cloned()
    }

    /// Starts an engine in a process group of its own.
    ///
    /// # Errors
    /// When the system cannot start it.
    pub fn start(launch: &Launch, log: Option<Log>) -> io::Result<Self> {
        let mut child = launch.command().spawn()?;
        let shared = Arc::new(Shared {
            log,
            ..Shared::default()
        });
        let (sender, events) = sync_channel(BACKLOG);
        if let Some(output) = child.stdout.take() {
            let shared = Arc::clone(&shared);
            thread::spawn(move || read_output(output, &sender, &shared));
        }
        if let Some(errors) = child.stderr.take() {
            let shared = Arc::clone(&shared);
            thread::spawn(move || read_errors(errors, &shared));
        }
        let stdin = child.stdin.take();
        super::guard::began(child.id());
        Ok(Self {
            child,
            stdin,
            events,
            shared,
            ended: false,
        })
    }

    /// Sends a line, or several; the moment after the last byte was handed
    /// over.
    ///
    /// # Errors
    /// [`Trouble::Fault`] when the engine reads no more.
    pub fn send(&mut self, line: &str) -> Result<Instant, Trouble> {
        let written = match &mut self.stdin {
            Some(stdin) => stdin.write_all(format!("{line}\n").as_bytes()),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        };
        let at = Instant::now();
        if let Some(log) = &self.shared.log {
            for line in line.lines() {
                log.line(at, '>', line);
            }
        }
        match written {
            Ok(()) => Ok(at),
            Err(_) => Err(self.closed()),
        }
    }

    /// Forgets what the engine said about earlier searches.
    pub fn forget_info(&self) {
        *locked(&self.shared.info) = SearchInfo::default();
    }

    /// What the engine said about the search since then.
    #[must_use]
    pub fn info(&self) -> SearchInfo {
        *locked(&self.shared.info)
    }

    /// The next line that matters, or `None` at the deadline.
    ///
    /// # Errors
    /// [`Trouble`] when there will be no line.
    pub fn next_line(
        &mut self,
        deadline: Instant,
        stop: &Stop,
    ) -> Result<Option<(Instant, String)>, Trouble> {
        loop {
            if stop.is_now() {
                return Err(Trouble::Interrupted);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self
                .events
                .recv_timeout(left.min(Duration::from_millis(100)))
            {
                Ok(Event::Line(at, line)) => return Ok(Some((at, line))),
                Ok(Event::LineTooLong) => {
                    let why = format!("more than {MAX_LINE} bytes without a line end");
                    return Err(Trouble::Fault(Reason::LineTooLong, why));
                }
                Ok(Event::Flood) => {
                    let why = "output without measure".to_owned();
                    return Err(Trouble::Fault(Reason::Flood, why));
                }
                Ok(Event::End) | Err(RecvTimeoutError::Disconnected) => return Err(self.closed()),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// The engine's end of the pipe is closed: whether it lives.
    fn closed(&mut self) -> Trouble {
        // The pipe closes a moment before the process can be waited for.
        let deadline = Instant::now() + Duration::from_millis(200);
        loop {
            match peek_exit(&mut self.child) {
                Some(how) => {
                    self.await_errors();
                    let error = locked(&self.shared.last_error).clone();
                    let said = if error.is_empty() {
                        String::new()
                    } else {
                        format!(", stderr: {error}")
                    };
                    return Trouble::Fault(Reason::Crash, format!("{how}{said}"));
                }
                None if Instant::now() < deadline => thread::sleep(Duration::from_millis(2)),
                None => {
                    let why = "the process runs on".to_owned();
                    return Trouble::Fault(Reason::ClosedPipe, why);
                }
            }
        }
    }

    /// Closes the engine's input: it reads no more than it was sent.
    pub fn close_input(&mut self) {
        self.stdin = None;
    }

    /// What a process says last may come after its end is known.
    fn await_errors(&self) {
        for _ in 0..25 {
            if self.shared.errors_read.load(Ordering::Acquire) {
                return;
            }
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Asks the engine to leave, gives it a moment, and ends its group.
    pub fn quit(mut self) {
        let _ = self.send("quit");
        self.stdin = None;
        let deadline = Instant::now() + FAREWELL;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.events.recv_timeout(left) {
                Ok(Event::Line(..)) => {}
                _ => break,
            }
        }
    }

    /// Kills the whole group, then takes leave of the leader: in this order,
    /// because the number of the group is ours as long as the leader is there.
    fn end(&mut self) {
        if std::mem::replace(&mut self.ended, true) {
            return;
        }
        kill_group(&mut self.child);
        let _ = self.child.wait();
        super::guard::ended(self.child.id());
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

/// How a process ended, without reaping it, so that its group stays ours.
#[cfg(unix)]
fn peek_exit(child: &mut Child) -> Option<String> {
    use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
    let id = Id::Pid(nix::unistd::Pid::from_raw(child.id().cast_signed()));
    let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
    match waitid(id, flags) {
        Ok(WaitStatus::Exited(_, code)) => Some(format!("exit code {code}")),
        Ok(WaitStatus::Signaled(_, signal, _)) => Some(format!("killed by {signal}")),
        _ => None,
    }
}

#[cfg(not(unix))]
fn peek_exit(child: &mut Child) -> Option<String> {
    child
        .try_wait()
        .ok()
        .flatten()
        .map(|status| status.to_string())
}

#[cfg(unix)]
fn kill_group(child: &mut Child) {
    use nix::sys::signal::{Signal, killpg};
    let group = nix::unistd::Pid::from_raw(child.id().cast_signed());
    // A process that has not reached its group yet is killed by its number.
    if killpg(group, Signal::SIGKILL).is_err() {
        let _ = child.kill();
    }
}

#[cfg(not(unix))]
fn kill_group(child: &mut Child) {
    let _ = child.kill();
}

/// A measure of output: a bucket that fills with time.
struct Bucket {
    tokens: f64,
    filled: Instant,
}

impl Bucket {
    fn new() -> Self {
        Self {
            tokens: BURST,
            filled: Instant::now(),
        }
    }

    /// Whether so many bytes are still within measure.
    fn take(&mut self, bytes: usize, now: Instant) -> bool {
        let seconds = now.saturating_duration_since(self.filled).as_secs_f64();
        self.filled = now;
        self.tokens = (self.tokens + seconds * RATE).min(BURST) - bytes as f64;
        self.tokens >= 0.0
    }
}

/// Reads an engine's output to its end.
fn read_output(mut output: impl Read, sender: &SyncSender<Event>, shared: &Shared) {
    let mut bucket = Bucket::new();
    let mut buffer = vec![0; 16 * 1024];
    let mut line = Vec::new();
    let last = loop {
        let Ok(count) = output.read(&mut buffer) else {
            break Event::End;
        };
        let now = Instant::now();
        if count == 0 {
            break Event::End;
        }
        if !bucket.take(count, now) {
            break Event::Flood;
        }
        let mut rest = &buffer[..count];
        while let Some(end) = rest.iter().position(|&b| b == b'\n') {
            line.extend_from_slice(&rest[..end]);
            rest = &rest[end + 1..];
            if line.len() <= MAX_LINE && !hand_over(&line, now, sender, shared) {
                let _ = sender.send(Event::Flood);
                return;
            }
            if line.len() > MAX_LINE {
                break;
            }
            line.clear();
        }
        if line.len() <= MAX_LINE {
            line.extend_from_slice(rest);
        }
        if line.len() > MAX_LINE {
            break Event::LineTooLong;
        }
    };
    // Waits while answers pile up; when nobody listens any more, the end need
    // not be told.
    let _ = sender.send(last);
}

/// Sorts one complete line; `false` when answers pile up.
fn hand_over(line: &[u8], now: Instant, sender: &SyncSender<Event>, shared: &Shared) -> bool {
    let text = String::from_utf8_lossy(line);
    let text = text.trim();
    if let Some(log) = &shared.log {
        log.line(now, '<', text);
    }
    let first = text.split_ascii_whitespace().next().unwrap_or_default();
    match first {
        "info" => {
            info::update(&mut locked(&shared.info), text);
            true
        }
        "bestmove" | "readyok" | "ugiok" | "uciok" | "id" | "option" | "response" => {
            let event = Event::Line(now, text.to_owned());
            !matches!(sender.try_send(event), Err(TrySendError::Full(_)))
        }
        _ => true,
    }
}

/// Reads an engine's error output to its end and keeps the last line.
fn read_errors(mut errors: impl Read, shared: &Shared) {
    let mut buffer = [0; 4096];
    while let Ok(count) = errors.read(&mut buffer) {
        if count == 0 {
            break;
        }
        let text = String::from_utf8_lossy(&buffer[..count]);
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            if let Some(log) = &shared.log {
                log.line(Instant::now(), '!', line);
            }
            let shortened: String = line.trim().chars().take(200).collect();
            *locked(&shared.last_error) = shortened;
        }
    }
    shared.errors_read.store(true, Ordering::Release);
}
