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
pub(super) struct Turns {
    /// The positions that each thread has visited.
    visited: Mutex<Vec<u64>>,
    woken: Vec<Condvar>,
}

/// A thread that takes turns; the others go on without it when this is dropped.
pub(super) struct InTurns<'a> {
    turns: &'a Turns,
    thread: usize,
    steps: u64,
}

impl Turns {
    pub(super) fn new(threads: usize) -> Self {
        Self {
            visited: Mutex::new(vec![0; threads]),
            woken: (0..threads).map(|_| Condvar::new()).collect(),
        }
    }

    /// Begins another round, which all threads will join.
    pub(super) fn restart(&self) {
        locked(&self.visited).fill(0);
    }

    /// Waits for the first turn of a thread; that of thread 0, the main one, is at once.
    pub(super) fn join(&self, thread: usize) -> InTurns<'_> {
        let joined = InTurns {
            turns: self,
            thread,
            steps: 0,
        };
        let _ = joined.pass(0);
        joined
    }
}

/// The thread whose turn it is: the farthest behind, by slices.
fn next(visited: &[u64]) -> usize {
    let threads = 0..visited.len();
    threads.min_by_key(|&at| visited[at] / SLICE).unwrap_or(0)
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
        let all = self.note(visited);
        let is_other = |all: &mut Vec<u64>| next(all) != self.thread;
        let all = self.turns.woken[self.thread].wait_while(all, is_other);
        (all.unwrap_or_else(PoisonError::into_inner)[0] != ENDED).then_some(())
    }

    fn note(&self, visited: u64) -> MutexGuard<'_, Vec<u64>> {
        let mut all = locked(&self.turns.visited);
        all[self.thread] = visited;
        self.turns.woken[next(&all)].notify_one();
        all
    }
}

impl Drop for InTurns<'_> {
    fn drop(&mut self) {
        drop(self.note(ENDED));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_thread_goes_on_when_all_others_have_made_as_many_steps() {
        let (turns, steps) = (Turns::new(3), Mutex::new(Vec::new()));
        let go_on = |thread| {
            let mut joined = turns.join(thread);
            for _ in 0..4 {
                locked(&steps).push(thread);
                joined.step();
            }
        };
        std::thread::scope(|scope| {
            for thread in (0..3).rev() {
                scope.spawn(move || go_on(thread));
            }
        });
        assert_eq!(*locked(&steps), [0, 1, 2].repeat(4));
    }
}
