//! A search for callers that wait for it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use super::{Engine, Event};
use crate::search::{Evaluate, Info, Limits, Report, Searchable};

/// How often a waiting caller looks whether the search is still wanted.
const PATIENCE: Duration = Duration::from_millis(20);

impl<G: Searchable, E: Evaluate<G>> Engine<G, E> {
    /// Searches the position and waits for the answer; one of `stops` ends the
    /// search soon after it becomes true. `None` when the search thread is lost.
    pub fn search(
        &mut self,
        limits: Limits<G::Move>,
        stops: &[&AtomicBool],
        mut on_info: impl FnMut(&Info<G::Move>),
    ) -> Option<Report<G::Move>> {
        let (sender, events) = mpsc::channel();
        self.go(limits, move |event| {
            // The receiver is gone only when nobody waits any more.
            let _ = sender.send(event);
        });
        let report = loop {
            if stops.iter().any(|stop| stop.load(Ordering::Relaxed)) {
                self.stop();
            }
            match events.recv_timeout(PATIENCE) {
                Ok(Event::Done(report)) => break Some(report),
                Ok(Event::Info(info)) => on_info(&info),
                Ok(Event::Failed(_)) | Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break None,
            }
        };
        self.wait();
        report
    }
}
