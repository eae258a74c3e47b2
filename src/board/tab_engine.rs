//! One engine of a tab: its output goes to the tab as it comes.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, TrySendError};

use tokio::sync::mpsc::Sender;

use crate::process::{Arrival, Launch, Process};

/// Lines that may wait for an engine that reads slowly.
const MAX_WAITING_LINES: usize = 256;

/// What a tab receives from its engines and reviews.
pub(super) enum Received {
    Message(String),
    /// What ended the output of the engine under this name.
    Ended(Arc<str>, Arrival),
}

/// How an engine ended: `gone` (by itself), `flood` (it wrote too much), `deaf` (it does
/// not read its input) or `no-start`; and why, in the words of the system or the engine.
pub(super) type EngineEnd = (&'static str, String);

/// A running engine; dropping it ends the engine.
#[derive(Debug)]
pub(super) struct TabEngine {
    /// It is there until the engine is dropped.
    process: Option<Process>,
    lines: SyncSender<String>,
    /// The lines that set the options given on the command line.
    options: String,
}

impl TabEngine {
    pub(super) fn start(
        id: Arc<str>,
        launch: &Launch,
        options: &[(String, String)],
        events: Sender<Received>,
    ) -> io::Result<Self> {
        let mut process = Process::start(launch, None, move |arrival| match arrival {
            Arrival::Line(_, line) => relay(&id, &line, &events),
            last => (events.blocking_send(Received::Ended(Arc::clone(&id), last))).is_ok(),
        })?;
        let options = options.iter();
        let options = options.map(|(name, value)| format!("setoption name {name} value {value}"));
        Ok(Self {
            lines: process.send_later(MAX_WAITING_LINES)?,
            process: Some(process),
            options: options.collect::<Vec<_>>().join("\n"),
        })
    }

    /// Hands over a line; returns `false` if too many lines are waiting already.
    pub(super) fn send(&self, line: String) -> bool {
        !matches!(self.lines.try_send(line), Err(TrySendError::Full(_)))
    }

    /// Call it once the engine has introduced itself.
    pub(super) fn set_options(&self) {
        if !self.options.is_empty() {
            self.send(self.options.clone());
        }
    }

    /// Ends an engine whose output has ended. This may take a moment.
    pub(super) fn end(mut self, last: &Arrival) -> EngineEnd {
        if !matches!(last, Arrival::End) {
            return ("flood", "it wrote too much".to_owned());
        }
        let why = match self.process.as_mut().and_then(Process::wait_for_exit) {
            Some((exit, error)) if error.is_empty() => exit.how,
            Some((exit, error)) => format!("{}: {error}", exit.how),
            None => "it closed its output but is still running".to_owned(),
        };
        ("gone", why)
    }
}

impl Drop for TabEngine {
    /// The thread that serves all tabs does not wait for the end of an engine.
    fn drop(&mut self) {
        if let Some(process) = self.process.take() {
            process.kill_in_background();
        }
    }
}

/// Relays one line. If the socket is slow, `info` lines are dropped, since newer ones
/// will come; all other lines wait.
fn relay(id: &str, line: &str, events: &Sender<Received>) -> bool {
    let message = Received::Message(format!("{id} {line}"));
    if line.starts_with("info") {
        let _ = events.try_send(message);
        return true;
    }
    line.is_empty() || events.blocking_send(message).is_ok()
}
