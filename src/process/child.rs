//! An engine's process: its pipes, and how it is sure to be ended.

use std::io::{self, Write};
use std::process::{Child, ChildStdin};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use super::group::{self, Exit};
use super::guard;
use super::info;
use super::launch::Launch;
use super::log::Log;
use super::output::{Arrival, ErrorOutput, MAX_LINE, read_errors, read_output};
use totemic_engine::lock::locked;
use totemic_engine::stop::Stop;
use totemic_engine::text::sanitized;
use totemic_games::record::{Reason, SearchInfo};

/// Lines that may wait until somebody takes them.
const MAX_BACKLOG: usize = 1024;
/// How long an engine may take to exit after `quit` before it is killed.
const QUIT_TIME: Duration = Duration::from_millis(500);
/// How long to wait for a killed engine; only one that hangs in the system needs longer.
const KILL_TIME: Duration = Duration::from_secs(2);
/// How long to wait for an engine that has closed its output: the pipe closes a moment before
/// the process can be waited for.
const EXIT_TIME: Duration = Duration::from_millis(200);
/// How long the reader threads may take to read what an engine wrote before it exited.
const DRAIN_TIME: Duration = Duration::from_millis(50);
/// A wait for an engine is split into parts of this length, so that this process notices
/// when the engine has exited, and when it was not running itself.
const WAIT_SLICE: Duration = Duration::from_millis(50);
/// If a wait ends this much too late, this process was suspended or got no processor;
/// shorter delays happen on any busy machine.
const MIN_ABSENCE: Duration = Duration::from_millis(200);

/// What ends an exchange with an engine.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum Trouble {
    /// The engine loses the game by its own fault: the reason, and the details.
    #[error("{0}: {1}")]
    Forfeit(Reason, String),
    /// This system could not start the engine or its log; that is not the engine's fault.
    #[error("{why}")]
    Unstarted {
        /// Whether processes, memory or open files are scarce, so that fewer engines at
        /// a time may start.
        scarce: bool,
        why: String,
    },
    /// The game has no result, and neither engine is to blame.
    #[error("{1}")]
    Void(VoidCause, String),
    #[error("interrupted")]
    Interrupted,
}

/// Why a game is void.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum VoidCause {
    /// A signal from outside ended an engine, and perhaps everything else, too.
    EngineTerminated,
    /// This process was suspended while an engine's clock was running.
    RunnerSuspended,
}

/// A running engine. Dropping it kills the engine and its whole process group.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    stdin: Option<ChildStdin>,
    log: Option<Arc<Log>>,
    errors: Arc<Mutex<ErrorOutput>>,
}

/// What an engine has said, except for the lines that somebody waits for.
#[derive(Debug, Default)]
pub(crate) struct Heard {
    pub(crate) info: SearchInfo,
    /// The first line `info string error` since this was last `None`.
    pub(crate) complaint: Option<String>,
}

/// An engine whose answers somebody waits for.
#[derive(Debug)]
pub(crate) struct Dialogue {
    process: Process,
    arrivals: Receiver<Arrival>,
    heard: Arc<Mutex<Heard>>,
    /// For how long this process was not running while it waited.
    absence: Duration,
}

impl Trouble {
    /// The trouble if the system refuses a process, thread or file; `what` says what
    /// could not be done.
    pub(crate) fn unstarted(what: &str, error: &io::Error) -> Self {
        Self::Unstarted {
            scarce: is_scarce(error),
            why: format!("{what}: {error}"),
        }
    }

    /// The trouble if this process was not running for a while of an engine's time.
    pub(crate) fn suspended(absence: Duration) -> Self {
        let ms = absence.as_millis();
        let why = format!("the match runner was not running for {ms} ms of an engine's time");
        Self::Void(VoidCause::RunnerSuspended, why)
    }
}

impl Process {
    /// Starts an engine in a process group of its own. A thread calls `hear` for each line
    /// of its output and for what ends the output. If `hear` returns `false`, too many lines
    /// are waiting: the output ends as a flood.
    pub(crate) fn start(
        launch: &Launch,
        log: Option<Log>,
        hear: impl FnMut(Arrival) -> bool + Send + 'static,
    ) -> io::Result<Self> {
        let child = launch.command().spawn();
        let mut child = child.map_err(|why| launch.explained(why))?;
        guard::tell('+', child.id());
        let (output, errors) = (child.stdout.take(), child.stderr.take());
        let process = Self {
            stdin: child.stdin.take(),
            child,
            log: log.map(Arc::new),
            errors: Arc::default(),
        };
        if let Some(output) = output {
            let log = process.log.clone();
            small_thread().spawn(move || read_output(output, log.as_deref(), hear))?;
        }
        if let Some(errors) = errors {
            let (log, last) = (process.log.clone(), Arc::clone(&process.errors));
            small_thread().spawn(move || read_errors(errors, log.as_deref(), &last))?;
        }
        Ok(process)
    }

    /// Sends one or more lines.
    fn send(&mut self, line: &str) -> io::Result<()> {
        // Logged first: otherwise the answer could stand before the question.
        if let Some(log) = &self.log {
            let at = Instant::now();
            for line in line.lines() {
                log.line(at, '>', line);
            }
        }
        match &mut self.stdin {
            Some(stdin) => stdin.write_all(format!("{line}\n").as_bytes()),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    /// Leaves the input to a thread, so that an engine which does not read keeps nobody
    /// waiting. At most `waiting` lines wait in the returned channel.
    pub(crate) fn send_later(&mut self, waiting: usize) -> io::Result<SyncSender<String>> {
        let (sender, lines) = sync_channel::<String>(waiting);
        if let Some(mut stdin) = self.stdin.take() {
            small_thread().spawn(move || {
                let mut lines = lines.iter();
                lines.try_for_each(|line| stdin.write_all(format!("{line}\n").as_bytes()))
            })?;
        }
        Ok(sender)
    }

    fn peek_exit(&mut self) -> Option<Exit> {
        group::leader_exit(&mut self.child)
    }

    /// Returns how an engine that has closed its output has ended, and the last line of
    /// its error output; `None` if it is still running.
    pub(crate) fn wait_for_exit(&mut self) -> Option<(Exit, String)> {
        let exit = within(EXIT_TIME, || self.peek_exit())?;
        let all_errors = || locked(&self.errors).complete.then_some(());
        within(DRAIN_TIME, all_errors);
        Some((exit, locked(&self.errors).last.clone()))
    }

    fn kill(&mut self) {
        group::kill(self.child.id());
        let _ = self.child.kill();
    }

    /// Kills the engine at once; a thread waits for its end.
    pub(crate) fn kill_in_background(mut self) {
        self.kill();
        // Without a thread, it is dropped here.
        let _ = small_thread().spawn(move || drop(self));
    }
}

impl Drop for Process {
    /// Kills first and reaps then: the number of the group is ours as long as the leader
    /// has not been reaped.
    fn drop(&mut self) {
        self.kill();
        let reap = || self.child.try_wait().transpose();
        if within(KILL_TIME, reap).is_some() {
            guard::tell('-', self.child.id());
        }
    }
}

impl Dialogue {
    /// Starts an engine; see [`Process::start`].
    pub(crate) fn start(launch: &Launch, log: Option<Log>) -> io::Result<Self> {
        let (sender, arrivals) = sync_channel(MAX_BACKLOG);
        let heard = Arc::default();
        let listener = Arc::clone(&heard);
        let hear = move |arrival| hand_over(arrival, &sender, &listener);
        Ok(Self {
            process: Process::start(launch, log, hear)?,
            arrivals,
            heard,
            absence: Duration::ZERO,
        })
    }

    /// Returns why the log is incomplete, if it is.
    pub(crate) fn log_failure(&self) -> Option<String> {
        self.process.log.as_deref().and_then(Log::failure)
    }

    /// Sends one or more lines; returns the time after the last byte was handed over.
    pub(crate) fn send(&mut self, line: &str) -> Result<Instant, Trouble> {
        let sent = self.process.send(line);
        sent.map(|()| Instant::now()).map_err(|_| self.why_closed())
    }

    pub(crate) fn close_input(&mut self) {
        self.process.stdin = None;
    }

    pub(crate) fn heard(&self) -> MutexGuard<'_, Heard> {
        locked(&self.heard)
    }

    /// Returns how long this process was not running while it waited, since the last call.
    pub(crate) fn take_absence(&mut self) -> Duration {
        std::mem::take(&mut self.absence)
    }

    /// Returns the next line that matters, or `None` at the deadline. The deadline moves
    /// by the time in which this process was not running.
    pub(crate) fn next_line(
        &mut self,
        mut deadline: Instant,
        stop: &Stop,
    ) -> Result<Option<(Instant, String)>, Trouble> {
        loop {
            if stop.is_stopped() {
                return Err(Trouble::Interrupted);
            }
            let begin = Instant::now();
            let left = deadline.saturating_duration_since(begin);
            let arrival = self.arrivals.recv_timeout(left.min(WAIT_SLICE));
            let end = match &arrival {
                Ok(Arrival::Line(at, _)) => *at,
                _ => Instant::now(),
            };
            let late = end.saturating_duration_since(begin + left.min(WAIT_SLICE));
            if late > MIN_ABSENCE {
                self.absence += late;
                deadline += late;
            }
            match arrival {
                Ok(Arrival::Line(at, line)) => return Ok(Some((at, line))),
                Ok(Arrival::LineTooLong) => {
                    let why = format!("more than {MAX_LINE} bytes without a line end");
                    return Err(Trouble::Forfeit(Reason::LineTooLong, why));
                }
                Ok(Arrival::Flood) => {
                    let why = "too much output".to_owned();
                    return Err(Trouble::Forfeit(Reason::Flood, why));
                }
                Ok(Arrival::End) | Err(RecvTimeoutError::Disconnected) => {
                    return Err(self.why_closed());
                }
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {
                    if let Some(last) = self.drain()? {
                        return Ok(Some(last));
                    }
                }
            }
        }
    }

    /// Returns the last line of an engine that has exited while its children keep the
    /// pipe open; after that line, the crash.
    fn drain(&mut self) -> Result<Option<(Instant, String)>, Trouble> {
        if self.process.peek_exit().is_none() {
            return Ok(None);
        }
        match self.arrivals.recv_timeout(DRAIN_TIME) {
            Ok(Arrival::Line(at, line)) => Ok(Some((at, line))),
            _ => Err(self.why_closed()),
        }
    }

    /// Returns the trouble with an engine that has closed its end of the pipe.
    fn why_closed(&mut self) -> Trouble {
        match self.process.wait_for_exit() {
            Some((it, _)) if it.is_by_termination_signal() => {
                Trouble::Void(VoidCause::EngineTerminated, it.how)
            }
            Some((Exit { how, .. }, last)) => Trouble::Forfeit(
                Reason::Crash,
                match &*last {
                    "" => how,
                    last => format!("{how}, stderr: {last}"),
                },
            ),
            None => {
                let why = "the process is still running".to_owned();
                Trouble::Forfeit(Reason::ClosedPipe, why)
            }
        }
    }

    /// Whether the process has exited with the code 0.
    pub(crate) fn has_succeeded(&mut self) -> bool {
        self.process.peek_exit().is_some_and(|exit| exit.code == 0)
    }

    /// Asks the engine to exit, gives it a moment, and kills its group.
    pub(crate) fn quit(mut self) {
        let _ = self.process.send("quit");
        self.close_input();
        let deadline = Instant::now() + QUIT_TIME;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.arrivals.recv_timeout(left.min(WAIT_SLICE)) {
                Ok(Arrival::Line(..)) => {}
                Err(RecvTimeoutError::Timeout)
                    if !left.is_zero() && self.process.peek_exit().is_none() => {}
                _ => break,
            }
        }
    }
}

/// Keeps, passes on or drops what an engine wrote; returns `false` if lines pile up.
fn hand_over(arrival: Arrival, sender: &SyncSender<Arrival>, heard: &Mutex<Heard>) -> bool {
    let Arrival::Line(_, text) = &arrival else {
        // This waits while lines pile up, and fails once the process is dropped.
        return sender.send(arrival).is_ok();
    };
    match text.split_ascii_whitespace().next().unwrap_or_default() {
        "info" => {
            let mut heard = locked(heard);
            info::update(&mut heard.info, text);
            if is_complaint(text) {
                heard.complaint.get_or_insert_with(|| sanitized(text));
            }
            true
        }
        "readyok" | "bestmove" | "ugiok" | "uciok" | "id" | "option" | "response" => {
            !matches!(sender.try_send(arrival), Err(TrySendError::Full(_)))
        }
        _ => true,
    }
}

fn is_complaint(line: &str) -> bool {
    let mut words = line.split_ascii_whitespace();
    ["info", "string", "error"].iter().all(|expected| {
        let word = words.next().unwrap_or_default();
        word.trim_end_matches(':').eq_ignore_ascii_case(expected)
    })
}

/// Whether the system refuses this only because too many engines run at a time.
pub(super) fn is_scarce(error: &io::Error) -> bool {
    use io::ErrorKind::{OutOfMemory, WouldBlock};
    // `ENFILE` and `EMFILE`: too many open files in the system, or here.
    let has_no_file = cfg!(unix) && matches!(error.raw_os_error(), Some(23 | 24));
    has_no_file || matches!(error.kind(), OutOfMemory | WouldBlock)
}

/// Makes a thread with a small stack, because there are several for each engine.
fn small_thread() -> thread::Builder {
    thread::Builder::new().stack_size(256 * 1024)
}

/// Asks until there is an answer, for at most this time.
fn within<T>(time: Duration, mut ask: impl FnMut() -> Option<T>) -> Option<T> {
    let deadline = Instant::now() + time;
    loop {
        let answer = ask();
        if answer.is_some() || Instant::now() >= deadline {
            return answer;
        }
        thread::sleep(Duration::from_millis(2));
    }
}
