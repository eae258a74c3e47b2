//! The engine as a value: a position, a table and at most one running search.
//!
//! [`Engine::go`] returns at once. What the search finds is handed to a
//! callback on the search's own thread, last of all exactly one
//! [`Event::Done`], whatever happens meanwhile: `stop`, another `go`, the
//! engine's end, even a defect that makes the search panic.

mod running;
mod search;

use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::game::Game;
use crate::search::{
    Evaluate, Info, Limits, Memory, Report, Searchable, Searcher, think, useful_threads,
};
use running::Running;

/// Smallest, default and greatest size of the table in MiB.
pub const HASH_MB: Spin = Spin::new(1, 64, 1 << 20);
/// Smallest, default and greatest number of threads.
pub const THREADS: Spin = Spin::new(1, 1, 1024);
/// Time after which [`Engine::warm_up`] leaves the rest to the searches.
const LONGEST_WARM_UP: Duration = Duration::from_millis(1500);

/// The range of a number that users set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spin {
    /// Smallest value.
    pub min: i64,
    /// Value before anybody sets one.
    pub default: i64,
    /// Greatest value.
    pub max: i64,
}

impl Spin {
    /// A range with its default.
    #[must_use]
    pub const fn new(min: i64, default: i64, max: i64) -> Self {
        Self { min, default, max }
    }

    /// Whether a value lies in the range.
    #[must_use]
    pub const fn holds(self, value: i64) -> bool {
        self.min <= value && value <= self.max
    }
}

/// A table that does not fit into the memory there is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no memory for a table of {megabytes} MiB")]
pub struct OutOfMemory {
    /// The size that was asked for.
    pub megabytes: usize,
}

/// What a search tells while it runs and when it ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event<M> {
    /// A line at some depth.
    Info(Info<M>),
    /// The answer; nothing follows.
    Done(Report<M>),
    /// The search failed by a defect of the engine, with this message; a
    /// [`Event::Done`] with a legal move follows.
    Failed(String),
}

/// An engine for one game.
///
/// ```
/// use std::sync::mpsc;
/// use totemic::engine::{Engine, Event};
/// use totemic::game::{Game, Hokito};
/// use totemic::search::Limits;
///
/// let mut engine = Engine::<Hokito>::new();
/// engine.set_position(Hokito::start());
/// let (sender, events) = mpsc::channel();
/// engine.go(Limits::depth(2), move |event| {
///     let _ = sender.send(event);
/// });
/// let best = events.iter().find_map(|event| match event {
///     Event::Done(report) => report.best,
///     _ => None,
/// });
/// assert!(best.is_some_and(|mv| Hokito::start().is_legal(mv)));
/// ```
#[derive(Debug)]
pub struct Engine<G: Searchable, E = <G as Searchable>::Evaluation> {
    position: G,
    eval: E,
    memory: Arc<Mutex<Memory<G>>>,
    hash_mb: usize,
    searcher: Searcher,
    threads: NonZeroUsize,
    is_warm: bool,
    running: Option<Running>,
}

impl<G: Searchable> Engine<G> {
    /// An engine at the start of the game, with the game's own evaluation
    /// and the defaults of [`HASH_MB`] and [`THREADS`].
    #[must_use]
    pub fn new() -> Self {
        Self::with_evaluation(G::Evaluation::default())
    }
}

impl<G: Searchable> Default for Engine<G> {
    fn default() -> Self {
        Self::new()
    }
}

impl<G: Searchable, E: Evaluate<G>> Engine<G, E> {
    /// As [`Engine::new`], with another evaluation.
    #[must_use]
    pub fn with_evaluation(eval: E) -> Self {
        let hash_mb = HASH_MB.default as usize;
        Self {
            position: G::start(),
            eval,
            memory: memory(hash_mb, Searcher::default()),
            hash_mb,
            searcher: Searcher::default(),
            threads: NonZeroUsize::MIN,
            is_warm: false,
            running: None,
        }
    }

    /// The position that the next search is of.
    #[must_use]
    pub fn position(&self) -> &G {
        &self.position
    }

    /// Sets the position of the next search; a running one goes on.
    pub fn set_position(&mut self, position: G) {
        self.position = position;
    }

    /// The evaluation.
    #[must_use]
    pub fn evaluation(&self) -> &E {
        &self.eval
    }

    /// Gives the engine another evaluation, such as one whose weights were just
    /// loaded, and forgets what was found with the last. Stops a running search.
    pub fn set_evaluation(&mut self, eval: E) {
        self.clear();
        self.eval = eval;
    }

    /// Sets the number of threads of the next search, which makes use of
    /// [`useful_threads`] among them.
    pub fn set_threads(&mut self, threads: NonZeroUsize) {
        self.threads = threads;
    }

    /// Gives the table another size, which empties it. Stops a running search.
    ///
    /// # Errors
    /// [`OutOfMemory`]; then the table is empty and has its old size.
    pub fn set_hash(&mut self, megabytes: usize) -> Result<(), OutOfMemory> {
        self.drop_memory();
        match Memory::try_new(megabytes, self.searcher) {
            Some(memory) => {
                self.hash_mb = megabytes;
                self.memory = Arc::new(Mutex::new(memory));
                Ok(())
            }
            None => {
                self.memory = memory(self.hash_mb, self.searcher);
                Err(OutOfMemory { megabytes })
            }
        }
    }

    /// By how many MiB a tree search's memory is smaller than the size set: it
    /// takes some 32 GiB at most, and less where the system has not so much.
    /// Waits for a running search.
    #[must_use]
    pub fn missing_memory(&self) -> usize {
        lock(&self.memory).missing()
    }

    /// Chooses who searches, which forgets what the last one knew. Stops a
    /// running search.
    pub fn set_searcher(&mut self, searcher: Searcher) {
        self.searcher = searcher;
        self.drop_memory();
        self.memory = memory(self.hash_mb, self.searcher);
    }

    /// Forgets everything but the position and the settings. Stops a running
    /// search.
    pub fn clear(&mut self) {
        self.stop();
        self.wait();
        lock(&self.memory).clear();
        self.is_warm = false;
    }

    /// Takes possession of the tables' memory, so that the first searches need
    /// not wait for the system to lend it page by page. Takes seconds at the
    /// most, and does nothing while a search is running or when it was done.
    pub fn warm_up(&mut self) {
        if !self.is_warm && !self.is_searching() {
            self.is_warm = true;
            let deadline = Instant::now() + LONGEST_WARM_UP;
            lock(&self.memory).warm_up(deadline);
        }
    }

    /// Gives the tables' memory back. Fresh memory comes zeroed, but the old
    /// has to go first: both would not fit side by side when the table fills
    /// the machine.
    fn drop_memory(&mut self) {
        self.stop();
        self.wait();
        self.memory = memory(0, self.searcher);
        self.is_warm = false;
    }

    /// Begins a search of the position and returns. A search still running is
    /// stopped first, and its answer is given before the new search begins.
    pub fn go(
        &mut self,
        limits: Limits<G::Move>,
        mut on_event: impl FnMut(Event<G::Move>) + Send + 'static,
    ) {
        self.stop();
        self.wait();
        let (position, memory, eval) = (self.position, self.memory.clone(), self.eval.clone());
        let threads = useful_threads(self.threads);
        self.running = Some(Running::begin(limits, move |limits, control| {
            let attempt = catch_unwind(AssertUnwindSafe(|| {
                let memory = &mut *lock(&memory);
                think(&position, limits, threads, memory, &eval, control, |info| {
                    on_event(Event::Info(info.clone()));
                })
            }));
            let report = attempt.unwrap_or_else(|panic| {
                on_event(Event::Failed(panic_text(panic.as_ref())));
                limits.hold_answer(control);
                any_move(&position, limits)
            });
            Box::new(move || on_event(Event::Done(report)))
        }));
    }
}

impl<G: Searchable, E> Engine<G, E> {
    /// Tells the running search to end; it answers soon.
    pub fn stop(&self) {
        if let Some(running) = &self.running {
            running.stop();
        }
    }

    /// What stops the search that runs now, from any thread; it does nothing
    /// once that has ended.
    pub fn stopper(&self) -> impl Fn() + Send + use<G, E> {
        let control = self.running.as_ref().map(Running::control);
        move || {
            if let Some(control) = &control {
                control.stop();
            }
        }
    }

    /// Tells the running search that the move it ponders on was played. Where
    /// nothing but that word would have ended it, its answer is due then.
    pub fn ponderhit(&mut self) {
        if let Some(running) = &mut self.running {
            running.ponderhit();
        }
    }

    /// Waits until no search is running.
    pub fn wait(&mut self) {
        if let Some(running) = self.running.take() {
            running.wait();
        }
    }

    /// Lets a search that ends by itself come to its end, stops any other,
    /// and waits for the answer.
    pub fn finish(&mut self) {
        let ends = |running: &Running| running.ends_by_itself();
        if !self.running.as_ref().is_some_and(ends) {
            self.stop();
        }
        self.wait();
    }

    /// Whether a search is running: not any more when its answer is handed over.
    #[must_use]
    pub fn is_searching(&self) -> bool {
        let is_over = |running: &Running| running.is_over();
        !self.running.as_ref().is_none_or(is_over)
    }

    /// Waits for a search that was told to stop; whether none is running then.
    pub fn is_at_rest(&mut self) -> bool {
        if self.running.as_ref().is_some_and(Running::is_stopped) {
            self.wait();
        }
        !self.is_searching()
    }
}

impl<G: Searchable, E> Drop for Engine<G, E> {
    fn drop(&mut self) {
        self.stop();
        self.wait();
    }
}

/// The memory to work with; what a panic left in it is as good as any entry.
fn lock<G: Searchable>(memory: &Mutex<Memory<G>>) -> MutexGuard<'_, Memory<G>> {
    memory.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Tables of at most so many MiB, smaller ones where the memory does not
/// suffice.
fn memory<G: Searchable>(megabytes: usize, searcher: Searcher) -> Arc<Mutex<Memory<G>>> {
    let mut size = megabytes;
    loop {
        if let Some(memory) = Memory::try_new(size, searcher) {
            return Arc::new(Mutex::new(memory));
        }
        assert!(size > 0, "there is no memory for a single bucket");
        size /= 2;
    }
}

/// An answer without a search.
fn any_move<G: Game>(position: &G, limits: &Limits<G::Move>) -> Report<G::Move> {
    Report {
        best: limits.root_moves(position).first().copied(),
        ponder: None,
        lines: Vec::new(),
        nodes: 0,
        time: Duration::ZERO,
    }
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "the search failed".to_owned())
}
