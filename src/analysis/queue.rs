//! Positions that wait, those that are worked at, and the answers.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::Serialize;
use serde_json::Value as Json;

use super::key_of;
use super::request::Job;

/// A place in the order of work: higher priorities first, then as they came.
type Place = (Reverse<i64>, u64);

/// What a word to cancel found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cancelled {
    /// Nothing of it was begun: it is gone.
    Queued,
    /// Its searches end soon, with answers that say so.
    Running,
    /// Nobody waits for it.
    Unknown,
}

#[derive(Default)]
struct State {
    waiting: BTreeMap<Place, Arc<Job>>,
    running: Vec<Arc<Job>>,
    arrived: u64,
    is_closed: bool,
}

/// What readers, workers and writers share.
pub(super) struct Queue<W> {
    state: Mutex<State>,
    changed: Condvar,
    output: Mutex<(W, io::Result<()>)>,
    broken: AtomicBool,
}

/// A lock whose holder may have panicked: what it guards stays usable.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<W: Write> Queue<W> {
    pub(super) fn new(output: W) -> Self {
        Self {
            state: Mutex::default(),
            changed: Condvar::new(),
            output: Mutex::new((output, Ok(()))),
            broken: AtomicBool::new(false),
        }
    }

    /// Adds the positions of a request.
    pub(super) fn add(&self, id: &Json, jobs: Vec<Job>) {
        debug_assert!(jobs.iter().all(|job| job.id == *id));
        let mut state = lock(&self.state);
        for job in jobs {
            state.arrived += 1;
            let place = (Reverse(job.priority), state.arrived);
            state.waiting.insert(place, Arc::new(job));
        }
        self.changed.notify_all();
    }

    /// The next position, once there is one; `None` when there will be none.
    pub(super) fn take(&self) -> Option<Arc<Job>> {
        let mut state = lock(&self.state);
        loop {
            if let Some((_, job)) = state.waiting.pop_first() {
                state.running.push(Arc::clone(&job));
                self.changed.notify_all();
                return Some(job);
            }
            if state.is_closed {
                return None;
            }
            state = self.wait(state);
        }
    }

    /// A position is done.
    pub(super) fn done(&self, job: &Job) {
        let mut state = lock(&self.state);
        state
            .running
            .retain(|running| !std::ptr::eq(&**running, job));
        self.changed.notify_all();
    }

    /// Whether less than `most` positions wait; looks for so long.
    pub(super) fn has_room(&self, most: usize, patience: Duration) -> bool {
        let state = lock(&self.state);
        let full = |state: &mut State| state.waiting.len() >= most;
        let (state, _) = self
            .changed
            .wait_timeout_while(state, patience, full)
            .unwrap_or_else(PoisonError::into_inner);
        state.waiting.len() < most
    }

    /// Whether nothing waits or runs; looks for so long.
    pub(super) fn wait_idle(&self, patience: Duration) -> bool {
        let state = lock(&self.state);
        let busy = |state: &mut State| !(state.waiting.is_empty() && state.running.is_empty());
        let (mut state, _) = self
            .changed
            .wait_timeout_while(state, patience, busy)
            .unwrap_or_else(PoisonError::into_inner);
        !busy(&mut state)
    }

    /// No more positions will come.
    pub(super) fn close(&self) {
        lock(&self.state).is_closed = true;
        self.changed.notify_all();
    }

    /// Gives up everything.
    pub(super) fn abandon(&self) {
        let mut state = lock(&self.state);
        state.is_closed = true;
        state.waiting.clear();
        state.running.iter().for_each(|job| job.cancel());
        self.changed.notify_all();
    }

    /// Gives up a request.
    pub(super) fn cancel(&self, id: &Json) -> Cancelled {
        let key = key_of(id);
        let mut state = lock(&self.state);
        let is_its = |job: &Job| key_of(&job.id) == key;
        let before = state.waiting.len();
        state.waiting.retain(|_, job| !is_its(job));
        let was_waiting = state.waiting.len() < before;
        let mut was_running = false;
        for job in state.running.iter().filter(|job| is_its(job)) {
            job.cancel();
            was_running = true;
        }
        self.changed.notify_all();
        match (was_running, was_waiting) {
            (true, _) => Cancelled::Running,
            (false, true) => Cancelled::Queued,
            (false, false) => Cancelled::Unknown,
        }
    }

    /// Writes an answer. Where that fails, everything is given up.
    pub(super) fn write(&self, answer: &impl Serialize) {
        let mut guard = lock(&self.output);
        let (output, result) = &mut *guard;
        if result.is_err() {
            return;
        }
        *result = write_line(output, answer);
        if result.is_err() {
            drop(guard);
            self.broken.store(true, Ordering::Relaxed);
            self.abandon();
        }
    }

    /// Whether answers can no longer be written.
    pub(super) fn is_broken(&self) -> bool {
        self.broken.load(Ordering::Relaxed)
    }

    /// Whether all answers were written.
    pub(super) fn into_result(self) -> io::Result<()> {
        let output = self.output.into_inner();
        output.unwrap_or_else(PoisonError::into_inner).1
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        self.changed
            .wait(state)
            .unwrap_or_else(PoisonError::into_inner)
    }
}

fn write_line(output: &mut impl Write, answer: &impl Serialize) -> io::Result<()> {
    // In one piece, so that nobody sees half a line.
    let mut line = serde_json::to_vec(answer)?;
    line.push(b'\n');
    output.write_all(&line)?;
    output.flush()
}
