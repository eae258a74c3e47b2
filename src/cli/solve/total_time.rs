//! An end to a whole run of the solver.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::Builder;
use std::time::Duration;

use super::super::Failure;

/// Raises a stop flag when a time is over, unless it is dropped before.
pub(super) struct TotalTime {
    is_over: Arc<AtomicBool>,
    /// Closed by the drop, which ends the waiting thread.
    _running: Sender<()>,
}

impl TotalTime {
    /// The time begins now.
    ///
    /// # Errors
    /// When no thread can be started to wait for its end.
    pub(super) fn begin(time: Duration, stop: Arc<AtomicBool>) -> Result<Self, Failure> {
        let is_over = Arc::new(AtomicBool::new(false));
        let (running, ended) = channel();
        let flag = is_over.clone();
        let wait = move || {
            if ended.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
                flag.store(true, Ordering::Relaxed);
                stop.store(true, Ordering::Relaxed);
            }
        };
        let thread = Builder::new().spawn(wait);
        thread.map_err(|why| Failure::Work(format!("--total-time: no thread for it: {why}")))?;
        Ok(Self {
            is_over,
            _running: running,
        })
    }

    /// Whether it has raised the flag.
    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }
}
