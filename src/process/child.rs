//! An engine's process: its pipes and its certain end.

use std::io::{self, Write};
use std::process::{Child, ChildStdin};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use super::group::{self, Exit};
use super::guard;
use super::launch::Launch;
use super::log::Log;
use super::output::{Arrival, MAX_LINE, Overheard, read_errors, read_output};
use super::stop::Stop;
use crate::lock::locked;
use crate::record::{Reason, SearchInfo};

/// Answers nobody has asked for that may wait.
const BACKLOG: usize = 1024;
/// Time to leave after `quit`, before the process is killed.
const QUIT_TIME: Duration = Duration::from_millis(500);

/// Time for the reader thread to take what an engine said before it exited.
const DRAIN_TIME: Duration = Duration::from_millis(50);

/// A wait for an engine is cut into parts of this length, so that this process
/// notices when it was not running itself.
const WAIT: Duration = Duration::from_millis(50);

/// A wait that ends later than this after its time shows that this process was
/// suspended, or got no processor: less happens on any busy machine.
const ABSENCE: Duration = Duration::from_millis(200);

/// What ends an exchange with an engine.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum Trouble {
    /// The engine did wrong: why it loses, and the details.
    #[error("{0}: {1}")]
    Fault(Reason, String),
    /// This system could not start or log the engine: no fault of its.
    #[error("{why}")]
    Unstarted {
        /// Whether processes or memory are short, so that fewer engines at a
        /// time may do.
        scarce: bool,
        /// What the system said.
        why: String,
    },
    /// The game cannot be judged: neither engine is to blame.
    #[error("{1}")]
    Void(VoidCause, String),
    /// The match is being stopped; nobody did wrong.
    #[error("interrupted")]
    Interrupted,
}

/// Why a game is void.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum VoidCause {
    /// Somebody else ended an engine, by a signal or by a stop of everything.
    EngineEnded,
    /// This process was not running while an engine's clock was.
    RunnerSuspended,
}

/// A running engine. Dropping it ends its whole process group.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    stdin: Option<ChildStdin>,
    arrivals: Receiver<Arrival>,
    overheard: Arc<Overheard>,
    /// How long this process was not running while it waited.
    absence: Duration,
    ended: bool,
}

impl Trouble {
    /// What the system's refusal of a process, thread or file means; `what`
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
    /// Why the log could not be written to its end, if so.
    pub(crate) fn log_failure(&self) -> Option<String> {
        self.overheard.log.as_ref().and_then(Log::failure)
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
            overheard: Arc::new(Overheard {
                log,
                ..Overheard::default()
            }),
            absence: Duration::ZERO,
            ended: false,
        };
        process.listen(sender)?;
        Ok(process)
    }

    fn listen(&mut self, sender: SyncSender<Arrival>) -> io::Result<()> {
        if let Some(output) = self.child.stdout.take() {
            let overheard = Arc::clone(&self.overheard);
            reader().spawn(move || read_output(output, &sender, &overheard))?;
        }
        if let Some(errors) = self.child.stderr.take() {
            let overheard = Arc::clone(&self.overheard);
            reader().spawn(move || read_errors(errors, &overheard))?;
        }
        Ok(())
    }

    /// Sends a line, or several; the moment after the last byte was handed
    /// over.
    pub(crate) fn send(&mut self, line: &str) -> Result<Instant, Trouble> {
        let written = match &mut self.stdin {
            Some(stdin) => stdin.write_all(format!("{line}\n").as_bytes()),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        };
        let at = Instant::now();
        if let Some(log) = &self.overheard.log {
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
    pub(crate) fn forget_info(&self) {
        *locked(&self.overheard.info) = SearchInfo::default();
    }

    /// How long this process was not running in the waits since the last call.
    pub(crate) fn take_absence(&mut self) -> Duration {
        std::mem::take(&mut self.absence)
    }

    pub(crate) fn info(&self) -> SearchInfo {
        *locked(&self.overheard.info)
    }

    /// Forgets complaints; the first line `info string error` after this is one.
    pub(crate) fn await_complaint(&self) {
        *locked(&self.overheard.complaint) = None;
    }

    pub(crate) fn complaint(&self) -> Option<String> {
        locked(&self.overheard.complaint).clone()
    }

    /// The next line that matters, or `None` at the deadline, which moves by the
    /// time in which this process was not running.
    pub(crate) fn next_line(
        &mut self,
        mut deadline: Instant,
        stop: &Stop,
    ) -> Result<Option<(Instant, String)>, Trouble> {
        loop {
            if stop.is_now() {
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
                    let why = "output without measure".to_owned();
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

    /// An engine that has exited while its children hold the pipe says
    /// nothing more, though the pipe stays open: what it said before is heard
    /// first, then it is a crash.
    fn drain(&mut self) -> Result<Option<(Instant, String)>, Trouble> {
        if peek_exit(&mut self.child).is_none() {
            return Ok(None);
        }
        match self.arrivals.recv_timeout(DRAIN_TIME) {
            Ok(Arrival::Line(at, line)) => Ok(Some((at, line))),
            _ => Err(self.closed()),
        }
    }

    /// The engine's end of the pipe is closed: whether it lives.
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
                    let error = locked(&self.overheard.last_error).clone();
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

    pub(crate) fn close_input(&mut self) {
        self.stdin = None;
    }

    /// What a process says last may come after its end is known.
    fn await_errors(&self) {
        for _ in 0..25 {
            if self.overheard.errors_read.load(Ordering::Acquire) {
                return;
            }
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Asks the engine to leave, gives it a moment, and ends its group.
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

    /// Kills the whole group, then reaps the leader: in this order,
    /// because the number of the group is ours as long as the leader is there.
    fn end(&mut self) {
        if std::mem::replace(&mut self.ended, true) {
            return;
        }
        kill_group(&mut self.child);
        let _ = self.child.wait();
        guard::ended(self.child.id());
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

/// A thread that reads and needs little memory for it, as there are two for each
/// engine.
fn reader() -> thread::Builder {
    thread::Builder::new().stack_size(256 * 1024)
}

/// How a process ended, without reaping it, so that its group stays ours.
#[cfg(unix)]
fn peek_exit(child: &mut Child) -> Option<Exit> {
    group::leader_exit(child.id())
}

#[cfg(not(unix))]
fn peek_exit(child: &mut Child) -> Option<Exit> {
    let how = child.try_wait().ok().flatten()?.to_string();
    Some(Exit {
        how,
        is_stop: false,
    })
}

fn kill_group(child: &mut Child) {
    // A process that has not reached its group yet is killed by its number.
    if !group::kill(child.id()) {
        let _ = child.kill();
    }
}
