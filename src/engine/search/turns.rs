//! Threads of a search that take turns: what they would do if each had a processor of its
//! own.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::lock::locked;

/// By how many positions a thread may be ahead of another.
const SLICE: u64 = 64;
/// The positions of a thread that has ended.
const ENDED: u64 = u64::MAX;

/// Lets one thread work at a time: the one that has visited the fewest positions. So all
/// advance alike on any number of processors, and the search is deterministic.
#[derive(Debug)]
pub(super) struct Turns {
    state: Mutex<State>,
    woken: Vec<Condvar>,
}

#[derive(Debug)]
struct State {
    now: usize,
    /// The positions that each thread has visited.
    visited: Vec<u64>,
}

/// A thread that takes turns; the others go on without it when this is dropped.
#[derive(Debug)]
pub(super) struct InTurns<'a> {
    turns: &'a Turns,
    thread: usize,
    steps: u64,
}

impl Turns {
    pub(super) fn new(threads: usize) -> Self {
        let visited = vec![0; threads];
        Self {
            state: Mutex::new(State { now: 0, visited }),
            woken: (0..threads).map(|_| Condvar::new()).collect(),
        }
    }

    /// Waits for the first turn of a thread; that of thread 0, the main one, is at once.
    pub(super) fn join(&self, thread: usize) -> InTurns<'_> {
        let mut state = locked(&self.state);
        if thread == 0 {
            state.visited.fill(0);
        }
        self.wait(thread, state);
        InTurns {
            turns: self,
            thread,
            steps: 0,
        }
    }

    fn wait(&self, thread: usize, state: MutexGuard<'_, State>) {
        let waited = self.woken[thread].wait_while(state, |state| state.now != thread);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }

    /// Gives the turn to the thread that is the farthest behind.
    fn give(&self, state: &mut State) {
        let threads = 0..self.woken.len();
        state.now = threads.min_by_key(|&at| state.visited[at]).unwrap_or(0);
        self.woken[state.now].notify_one();
    }
}

impl InTurns<'_> {
    /// Lets all others go on until they have made as many steps.
    pub(super) fn step(&mut self) {
        self.steps += 1;
        // The others need to know when the main thread has ended, but not in a step.
        let _ = self.pass(self.steps * SLICE);
    }

    /// Lets the others go on if this thread, which has visited so many positions, is ahead.
    /// `None` if the main thread has ended.
    pub(super) fn pass(&self, visited: u64) -> Option<()> {
        let mut state = locked(&self.turns.state);
        state.visited[self.thread] = visited;
        let least = state.visited.iter().min().copied().unwrap_or(0);
        if visited >= least + SLICE {
            self.turns.give(&mut state);
            self.turns.wait(self.thread, state);
            state = locked(&self.turns.state);
        }
        (state.visited[0] != ENDED).then_some(())
    }
}

impl Drop for InTurns<'_> {
    fn drop(&mut self) {
        let mut state = locked(&self.turns.state);
        state.visited[self.thread] = ENDED;
        self.turns.give(&mut state);
    }
}
