//! Threads that wait for work.

use rayon::{ThreadPool, ThreadPoolBuilder};

/// The threads of one search after the other.
///
/// They sleep in between instead of beginning anew: a new thread may wait for
/// milliseconds until it gets a processor of its own, a sleeping one wakes up
/// in microseconds. A crew serves one search at a time: a second one would not
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
        let build = |helpers| ThreadPoolBuilder::new().num_threads(helpers).build();
        let mut helpers = threads.saturating_sub(1);
        let mut pool = None;
        while helpers > 0 && pool.is_none() {
            pool = build(helpers).ok();
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
    /// on. Returns when all are done.
    pub(super) fn work<T>(&self, help: impl Fn(usize) + Sync, lead: impl FnOnce() -> T) -> T {
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

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
            crew.work(see, || see(0));
            let each: usize = (0..threads).map(|index| 1 << (8 * index)).sum();
            assert_eq!(seen.into_inner(), each);
        }
    }
}
