//! An engine's process: its pipes, and how it is sure to be ended.

use std::io::{self, Write};
use std::process::{Child, ChildStdin};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use super::group::{self, Exit};
use super::guard;
use super::launch::Launch;
use super::log::Log;
use super::output::{Arrival, Heard, MAX_LINE, Shared, read_errors, read_output};
use crate::lock::locked;
use crate::record::Reason;
use crate::search::Stop;

/// Lines that may wait until somebody takes them.
const BACKLOG: usize = 1024;
/// How long an engine may take to exit after `quit` before it is killed.
const QUIT_TIME: Duration = Duration::from_millis(500);
/// How long the reader thread may take to read what an engine wrote before it exited.
const DRAIN_TIME: Duration = Duration::from_millis(50);
/// A wait for an engine is cut into parts of this length, so that this process notices
/// when it was not running itself.
const WAIT: Duration = Duration::from_millis(50);
/// If a wait ends this much too late, this process was suspended or got no processor;
/// shorter delays happen on any busy machine.
const ABSENCE: Duration = Duration::from_millis(200);

/// What ends an exchange with an engine.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum Trouble {
    /// The engine is at fault: why it loses, and the details.
    #[error("{0}: {1}")]
    Fault(Reason, String),
    /// This system could not start the engine or its log; that is not the engine's fault.
    #[error("{why}")]
    Unstarted {
        /// Whether processes or memory are scarce, so that fewer engines at a
        /// time may start.
        scarce: bool,
        why: String,
    },
    /// The game cannot be judged, and neither engine is to blame.
    #[error("{1}")]
    Void(VoidCause, String),
    #[error("interrupted")]
    Interrupted,
}

/// Why a game is void.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum VoidCause {
    /// A signal from outside ended an engine, and perhaps everything else, too.
    EngineEnded,
    /// This process was suspended while an engine's clock was running.
    RunnerSuspended,
}

/// A running engine. Dropping it ends its whole process group.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    stdin: Option<ChildStdin>,
    arrivals: Receiver<Arrival>,
    shared: Arc<Shared>,
    /// For how long this process was not running while it waited.
    absence: Duration,
}

impl Trouble {
    /// The trouble if the system refuses a process, thread or file; `what` says what
    /// could not be done.
    pub(crate) fn unstarted(what: &str, error: &io::Error) -> Self {
        use io::ErrorKind::{OutOfMemory, WouldBlock};
        Self::Unstarted {
            scarce: matches!(error.kind(), OutOfMemory | WouldBlock),
            why: format!("{what}: {error}"),
        }
    }
}

impl Process {
    /// Returns why the log is incomplete, if it is.
    pub(crate) fn log_failure(&self) -> Option<String> {
        self.shared.log.as_ref().and_then(Log::failure)
    }

    /// Starts an engine in a process group of its own.
    pub(crate) fn start(launch: &Launch, log: Option<Log>) -> io::Result<Self> {
        let mut child = launch.command().spawn()?;
        guard::began(child.id());
        let (sender, arrivals) = sync_channel(BACKLOG);
        let mut process = Self {
            stdin: child.stdin.take(),
            child,
            arrivals,
            shared: Arc::new(Shared {
                heard: Mutex::default(),
                log,
            }),
            absence: Duration::ZERO,
        };
        process.listen(sender)?;
        Ok(process)
    }

    fn listen(&mut self, sender: SyncSender<Arrival>) -> io::Result<()> {
        if let Some(output) = self.child.stdout.take() {
            let shared = Arc::clone(&self.shared);
            reader().spawn(move || read_output(output, &sender, &shared))?;
        }
        if let Some(errors) = self.child.stderr.take() {
            let shared = Arc::clone(&self.shared);
            reader().spawn(move || read_errors(errors, &shared))?;
        }
        Ok(())
    }

    /// Sends one or more lines; returns the time after the last byte was handed over.
    pub(crate) fn send(&mut self, line: &str) -> Result<Instant, Trouble> {
        // Logged first: otherwise the answer could stand before the question.
        if let Some(log) = &self.shared.log {
            let at = Instant::now();
            for line in line.lines() {
                log.line(at, '>', line);
            }
        }
        let written = match &mut self.stdin {
            Some(stdin) => stdin.write_all(format!("{line}\n").as_bytes()),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        };
        match written {
            Ok(()) => Ok(Instant::now()),
            Err(_) => Err(self.closed()),
        }
    }

    pub(crate) fn heard(&self) -> MutexGuard<'_, Heard> {
        locked(&self.shared.heard)
    }

    /// Returns for how long this process was not running in its waits since the last
    /// call.
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
            let arrival = self.arrivals.recv_timeout(left.min(WAIT));
            let end = match &arrival {
                Ok(Arrival::Line(at, _)) => *at,
                _ => Instant::now(),
            };
            let late = end.saturating_duration_since(begin + left.min(WAIT));
            if late > ABSENCE {
                self.absence += late;
                deadline += late;
            }
            match arrival {
                Ok(Arrival::Line(at, line)) => return Ok(Some((at, line))),
                Ok(Arrival::LineTooLong) => {
                    let why = format!("more than {MAX_LINE} bytes without a line end");
                    return Err(Trouble::Fault(Reason::LineTooLong, why));
                }
                Ok(Arrival::Flood) => {
                    let why = "too much output".to_owned();
                    return Err(Trouble::Fault(Reason::Flood, why));
                }
                Ok(Arrival::End) | Err(RecvTimeoutError::Disconnected) => return Err(self.closed()),
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
        if peek_exit(&mut self.child).is_none() {
            return Ok(None);
        }
        match self.arrivals.recv_timeout(DRAIN_TIME) {
            Ok(Arrival::Line(at, line)) => Ok(Some((at, line))),
            _ => Err(self.closed()),
        }
    }

    /// Returns the trouble with an engine that has closed its end of the pipe.
    fn closed(&mut self) -> Trouble {
        // The pipe closes a moment before the process can be waited for.
        let deadline = Instant::now() + Duration::from_millis(200);
        loop {
            match peek_exit(&mut self.child) {
                Some(Exit { how, is_stop: true }) => {
                    return Trouble::Void(VoidCause::EngineEnded, how);
                }
                Some(Exit { how, .. }) => {
                    self.await_errors();
                    return Trouble::Fault(
                        Reason::Crash,
                        match &*self.heard().last_error {
                            "" => how,
                            error => format!("{how}, stderr: {error}"),
                        },
                    );
                }
                None if Instant::now() < deadline => thread::sleep(Duration::from_millis(2)),
                None => {
                    let why = "the process is still running".to_owned();
                    return Trouble::Fault(Reason::ClosedPipe, why);
                }
            }
        }
    }

    pub(crate) fn close_input(&mut self) {
        self.stdin = None;
    }

    /// Waits a moment for the last error output, which may come after the exit is known.
    fn await_errors(&self) {
        for _ in 0..25 {
            if self.heard().errors_read {
                return;
            }
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Asks the engine to exit, gives it a moment, and ends its group.
    pub(crate) fn quit(mut self) {
        let _ = self.send("quit");
        self.stdin = None;
        let deadline = Instant::now() + QUIT_TIME;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.arrivals.recv_timeout(left.min(DRAIN_TIME)) {
                Ok(Arrival::Line(..)) => {}
                Err(RecvTimeoutError::Timeout)
                    if !left.is_zero() && peek_exit(&mut self.child).is_none() => {}
                _ => break,
            }
        }
    }
}

impl Drop for Process {
    /// Kills the whole group, then reaps the leader, in this order: the number of the
    /// group is ours as long as the leader is there.
    fn drop(&mut self) {
        // A process that has not joined its group yet is killed by its own number.
        if !group::kill(self.child.id()) {
            let _ = self.child.kill();
        }
        let _ = self.child.wait();
        guard::ended(self.child.id());
    }
}

/// Makes a thread with a small stack, because there are two for each engine.
fn reader() -> thread::Builder {
    thread::Builder::new().stack_size(256 * 1024)
}

fn peek_exit(child: &mut Child) -> Option<Exit> {
    group::leader_exit(child.id(), || child.try_wait())
}
