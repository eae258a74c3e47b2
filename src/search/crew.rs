//! Threads that wait for work.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::available_parallelism;

use rayon::{ThreadPool, ThreadPoolBuilder};

/// Threads beyond so many for each processor only wait for one another.
const THREADS_A_PROCESSOR: NonZeroUsize = NonZeroUsize::new(4).expect("not 0");

/// How many of so many threads a search can make use of on this machine: four for
/// each of its processors.
#[must_use]
pub fn useful_threads(asked: NonZeroUsize) -> NonZeroUsize {
    let processors = available_parallelism().unwrap_or(NonZeroUsize::MIN);
    asked.min(processors.saturating_mul(THREADS_A_PROCESSOR))
}

/// The threads of one search after the other.
///
/// They sleep in between instead of beginning anew: a new thread may wait for
/// milliseconds until it gets a processor of its own, a sleeping one mostly
/// less than one. A crew serves one search at a time: a second one would not
/// end before the first.
#[derive(Debug)]
pub struct Crew {
    asked: usize,
    helpers: Option<ThreadPool>,
}

impl Crew {
    /// So many threads, the caller's own among them; fewer where the system
    /// does not give as many, and never less than that one.
    #[must_use]
    pub fn new(threads: usize) -> Self {
        let mut helpers = threads.saturating_sub(1);
        let mut pool = None;
        while helpers > 0 && pool.is_none() {
            pool = ThreadPoolBuilder::new().num_threads(helpers).build().ok();
            helpers /= 2;
        }
        Self {
            asked: threads,
            helpers: pool,
        }
    }

    /// The number of threads, the caller's own among them.
    #[must_use]
    pub fn size(&self) -> usize {
        let helpers = self.helpers.as_ref();
        1 + helpers.map_or(0, ThreadPool::current_num_threads)
    }

    /// Makes it a crew of so many threads, unless it was made one already.
    pub(super) fn resize(&mut self, threads: usize) {
        if self.asked != threads {
            *self = Self::new(threads);
        }
    }

    /// Leads on this thread while the others help, each with its index from 1
    /// on. Raises `done` when this thread's part is over, by a panic too:
    /// nobody else would ever stop the others. Returns when all have ended.
    pub(super) fn work<T>(
        &self,
        done: &AtomicBool,
        help: impl Fn(usize) + Sync,
        lead: impl FnOnce() -> T,
    ) -> T {
        let lead = || {
            let _done = OnDrop(done);
            lead()
        };
        let Some(pool) = &self.helpers else {
            return lead();
        };
        let help = &help;
        pool.in_place_scope(|scope| {
            for index in 1..self.size() {
                scope.spawn(move |_| help(index));
            }
            lead()
        })
    }
}

/// Raises a flag at the end of its life.
struct OnDrop<'a>(&'a AtomicBool);

impl Drop for OnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;

    #[test]
    fn all_threads_of_a_crew_work() {
        let mut crew = Crew::new(3);
        for threads in [3, 1, 2] {
            crew.resize(threads);
            assert_eq!(crew.size(), threads);
            let seen = AtomicUsize::new(0);
            let see = |index: usize| {
                seen.fetch_add(1 << (8 * index), Ordering::Relaxed);
            };
            let done = AtomicBool::new(false);
            crew.work(&done, see, || see(0));
            assert!(done.into_inner());
            let each: usize = (0..threads).map(|index| 1 << (8 * index)).sum();
            assert_eq!(seen.into_inner(), each);
        }
    }
}
