//! `go perft`: counting that can be stopped.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Builder, JoinHandle};

use super::output::Output;
use crate::game::{Game, perft};

/// Plies that are counted at one go, a few milliseconds.
const LEAP: u32 = 3;

/// A count in progress.
pub(super) struct Counting {
    stop: Arc<AtomicBool>,
    /// `None` where it was done at once.
    thread: Option<JoinHandle<()>>,
}

impl Counting {
    /// Begins to count, on a thread of its own; where none can be started, it
    /// counts at once.
    pub(super) fn begin<G: Game>(position: G, depth: u32, out: Output) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let flag = stop.clone();
        let unread = out.clone();
        let count = move || match divide(&position, depth, &flag) {
            Some(lines) => out.lines(lines),
            None => out.line("info string perft stopped before its end"),
        };
        let told = stop.clone();
        unread.when_unread(move || told.store(true, Ordering::Relaxed));
        let thread = Builder::new().spawn(count.clone()).ok();
        if thread.is_none() {
            count();
        }
        Self { stop, thread }
    }

    /// Tells the count to end.
    pub(super) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Waits for the end, which has written all its lines.
    pub(super) fn wait(self) {
        // The thread has nothing to lose but its lines.
        let _ = self.thread.map(JoinHandle::join);
    }
}

/// The lines of the answer, by move in alphabetical order; `None` when stopped.
fn divide<G: Game>(position: &G, depth: u32, stop: &AtomicBool) -> Option<Vec<String>> {
    let mut lines = Vec::new();
    let mut total = 0u64;
    for mv in position.moves() {
        let nodes = count(&position.play(mv), depth - 1, stop)?;
        lines.push(format!("{mv}: {nodes}"));
        total = total.saturating_add(nodes);
    }
    lines.sort_unstable();
    lines.push(format!("Nodes searched: {total}"));
    Some(lines)
}

fn count<G: Game>(position: &G, depth: u32, stop: &AtomicBool) -> Option<u64> {
    if stop.load(Ordering::Relaxed) {
        return None;
    }
    if depth <= LEAP {
        return Some(perft(position, depth));
    }
    let mut total = 0u64;
    for mv in position.moves() {
        total = total.saturating_add(count(&position.play(mv), depth - 1, stop)?);
    }
    Some(total)
}
