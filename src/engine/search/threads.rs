//! Threads: the only place that starts them for searches, and what happens where
//! the system has none to give.

use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Sender, channel};
use std::thread::{Builder, available_parallelism};

use rayon_core::ThreadPoolBuilder;

use super::pages::has_room;
use super::score::MAX_PLY;
use crate::host::HAS_HOST;
use crate::stop::Stop;

/// More threads per processor only wait for one another.
const THREADS_PER_PROCESSOR: NonZeroUsize =
    NonZeroUsize::new(if HAS_HOST { 1 } else { 4 }).expect("not 0");
/// Bytes of the stack that a thread needs to search. A ply of alpha-beta takes up to 26 kB,
/// and the solver may go on from the last of [`MAX_PLY`]: that nearly fills the 2 MiB that
/// threads have by default, and the environment can make those less.
pub const THREAD_STACK_BYTES: usize = 3 << 20;
// Half as much as alpha-beta needs is left for the solver.
const _: () = assert!(THREAD_STACK_BYTES > 3 * MAX_PLY * (26 << 10) / 2);
/// Bytes that a thread needs: its stack and what it works with.
const BYTES_PER_THREAD: usize = THREAD_STACK_BYTES + (1 << 20);

/// How many of `wanted` threads a search can use on this machine: at most four per
/// processor.
pub fn useful_threads(wanted: NonZeroUsize) -> NonZeroUsize {
    if wanted == NonZeroUsize::MIN {
        // Counting the processors takes some 20 system calls.
        return wanted;
    }
    let processors = available_parallelism().unwrap_or(NonZeroUsize::MIN);
    wanted.min(processors.saturating_mul(THREADS_PER_PROCESSOR))
}

pub(crate) type Work = Box<dyn FnOnce() + Send>;

/// Who does work that goes on in the background.
#[derive(Debug)]
pub(crate) enum Background {
    /// A thread that waits for work until the sender is gone.
    Thread(Sender<Work>),
    /// The caller at once: the system has no thread, or no memory for one.
    Caller,
    /// The caller later: there are never any threads.
    Deferred,
}

impl Background {
    pub(crate) fn start() -> Self {
        if HAS_HOST {
            return Self::Deferred;
        }
        let (sender, receiver) = channel::<Work>();
        let serve = move || {
            for work in receiver {
                // A panic ends this work, not the thread.
                let _ = catch_unwind(AssertUnwindSafe(work));
            }
        };
        let builder = Builder::new().stack_size(THREAD_STACK_BYTES);
        match has_room(BYTES_PER_THREAD) && builder.spawn(serve).is_ok() {
            true => Self::Thread(sender),
            false => Self::Caller,
        }
    }
}

/// Threads that serve one search after another.
///
/// They sleep between searches: a new thread may wait milliseconds until it gets a
/// processor, a sleeping one usually less than one. A pool serves one search at a
/// time: of two, either may have to wait for the other.
#[derive(Debug)]
pub struct ThreadPool {
    wanted: usize,
    helpers: Option<rayon_core::ThreadPool>,
    pub(super) takes_turns: bool,
}

impl ThreadPool {
    /// Makes a pool of `threads` threads, including the caller's own; fewer if the
    /// system cannot provide as many, at least the caller's.
    pub fn new(threads: usize) -> Self {
        let start = |helpers| {
            if HAS_HOST || !has_room((helpers + 1) * BYTES_PER_THREAD) {
                return None;
            }
            let builder = ThreadPoolBuilder::new().num_threads(helpers);
            builder.stack_size(THREAD_STACK_BYTES).build().ok()
        };
        let sizes = std::iter::successors(Some(threads.saturating_sub(1)), |size| Some(size / 2));
        let helpers = sizes.take_while(|&size| size > 0).find_map(start);
        Self {
            wanted: threads,
            helpers,
            takes_turns: false,
        }
    }

    /// Makes a pool whose threads take turns, so that together they visit the positions
    /// that they would visit if each had a processor of its own.
    pub fn in_turns(threads: usize) -> Self {
        Self {
            takes_turns: true,
            ..Self::new(threads)
        }
    }

    /// The number of threads, including the caller's own.
    pub fn size(&self) -> usize {
        let helpers = self.helpers.as_ref();
        1 + helpers.map_or(0, rayon_core::ThreadPool::current_num_threads)
    }

    /// Replaces the threads if another number is wanted.
    pub(super) fn resize(&mut self, threads: usize) {
        if self.wanted != threads {
            *self = Self::new(threads);
        }
    }

    /// Runs `main` on this thread while the others run `help`, each with its index
    /// from 1. Stops `done` when `main` ends, even by a panic: nothing else would stop the
    /// helpers. Returns when all have ended.
    pub(super) fn work<T>(
        &self,
        done: &Stop,
        help: impl Fn(usize) + Sync,
        main: impl FnOnce() -> T,
    ) -> T {
        let main = || {
            let _done = done.end_on_drop();
            main()
        };
        let Some(pool) = self.helpers.as_ref().filter(|_| !HAS_HOST) else {
            return main();
        };
        let help = &help;
        pool.in_place_scope(|scope| {
            scope.spawn_broadcast(move |_, thread| help(1 + thread.index()));
            main()
        })
    }
}

/// Lets a helper in one [work](ThreadPool::work) of its pool help with another that has
/// begun since. If the main thread may begin another, helpers must call this often, because
/// the other waits for all of them.
pub(super) fn do_other_work() {
    rayon_core::yield_local();
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn all_threads_of_a_pool_work() {
        let mut pool = ThreadPool::new(3);
        for threads in [3, 1, 2] {
            pool.resize(threads);
            assert_eq!(pool.size(), threads);
            let seen = AtomicUsize::new(0);
            let see = |index: usize| {
                seen.fetch_add(1 << (8 * index), Ordering::Relaxed);
            };
            let done = Stop::new();
            pool.work(&done, see, || see(0));
            assert!(done.is_stopped());
            let each: usize = (0..threads).map(|index| 1 << (8 * index)).sum();
            assert_eq!(seen.into_inner(), each);
        }
    }

    #[test]
    fn threads_at_work_do_other_work_that_is_asked_of_them() {
        let (pool, done, helped) = (ThreadPool::new(3), Stop::new(), AtomicUsize::new(0));
        let help = |_| {
            while !done.is_known_stopped() {
                do_other_work();
            }
        };
        let other = |_| {
            helped.fetch_add(1, Ordering::Relaxed);
        };
        pool.work(&done, help, || {
            for times in 1..10 {
                pool.work(&Stop::new(), other, || ());
                assert_eq!(helped.load(Ordering::Relaxed), 2 * times);
            }
        });
    }
}
