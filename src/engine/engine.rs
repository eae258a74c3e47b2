//! The engine as a value: a position, its tables and at most one running search.
//!
//! [`Engine::search`] waits for its answer. [`Engine::go`] returns at once, and the
//! search passes what it finds to a callback on its own thread: any number of
//! [`Event::Info`], and last exactly one [`Event::Done`], whatever happens meanwhile:
//! `stop`, another `go`, the end of the engine, even a bug that makes the search
//! panic.

mod background;

use std::any::Any;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::host::Instant;
use crate::lock::locked;
use crate::search::solver::{Solution, SolveRequest};
use crate::search::{
    Background, Evaluate, Handler, Info, Limits, Memory, Report, Request, Searchable, Searcher,
    Timer, Work, think, useful_threads,
};
use crate::stop::Stop;
pub(crate) use background::Uses;
use background::{BackgroundWork, GiveAnswer};

/// Smallest, default and greatest size of the tables in MiB.
pub const HASH_MB: Spin = Spin::new(1, 64, 1 << 20);
/// Smallest, default and greatest number of threads.
pub const THREADS: Spin = Spin::new(1, 1, 1024);
const MAX_WARM_UP: Duration = Duration::from_millis(1500);

/// The range of a number that users set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spin {
    /// Smallest value.
    pub min: i64,
    /// The value unless a user sets another.
    pub default: i64,
    /// Greatest value.
    pub max: i64,
}

impl Spin {
    pub(crate) const fn new(min: i64, default: i64, max: i64) -> Self {
        Self { min, default, max }
    }

    /// Whether a value lies in the range.
    pub const fn contains(self, value: i64) -> bool {
        self.min <= value && value <= self.max
    }
}

/// There is no memory for a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no memory for a table of {megabytes} MiB")]
pub struct OutOfMemory {
    /// The size that was asked for.
    pub megabytes: usize,
}

/// Nodes of an endless search that nothing can stop.
const MAX_UNSTOPPABLE_NODES: u64 = 200_000;

/// What a search reports while it runs and when it ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event<'a, M> {
    /// What the search says after a depth.
    Info(&'a Info<M>),
    /// The answer; nothing follows.
    Done(Report<M>),
    /// The search failed because of a bug in the engine, with this message; an
    /// [`Event::Done`] without a move follows, and the next search begins with empty
    /// tables.
    Failed(String),
}

/// An engine for one game.
#[derive(Debug)]
pub struct Engine<G: Searchable, E = <G as Searchable>::Evaluation> {
    position: G,
    eval: E,
    /// Made at its first use.
    memory: Option<Arc<Mutex<Memory<G>>>>,
    hash_mb: usize,
    searcher: Searcher,
    threads: NonZeroUsize,
    is_warm: bool,
    worker: Background,
    running: Option<BackgroundWork>,
}

impl<G: Searchable> Engine<G> {
    /// An engine at the start of the game, with the game's own evaluation
    /// and the defaults of [`HASH_MB`] and [`THREADS`].
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
    /// Like [`Engine::new`], with another evaluation.
    pub fn with_evaluation(eval: E) -> Self {
        Self {
            position: G::start(),
            eval,
            memory: None,
            hash_mb: HASH_MB.default as usize,
            searcher: Searcher::default(),
            threads: NonZeroUsize::MIN,
            is_warm: false,
            worker: Background::Caller,
            running: None,
        }
    }

    /// The position of the next search.
    pub fn position(&self) -> &G {
        &self.position
    }

    /// Sets the position of the next search; a running one goes on.
    pub fn set_position(&mut self, position: G) {
        self.position = position;
    }

    /// The evaluation.
    pub fn evaluation(&self) -> &E {
        &self.eval
    }

    /// Sets the number of threads of the next search, and returns how many of them it
    /// uses: [`useful_threads`].
    pub fn set_threads(&mut self, threads: NonZeroUsize) -> NonZeroUsize {
        self.threads = useful_threads(threads);
        self.threads
    }

    /// Gives the tables another size in MiB, which empties them. Stops a running search.
    ///
    /// # Errors
    /// [`OutOfMemory`]; then the tables are empty and have their old size.
    pub fn set_hash(&mut self, megabytes: usize) -> Result<(), OutOfMemory> {
        self.drop_memory();
        let fresh = Memory::try_new(megabytes, self.searcher);
        let fresh = fresh.ok_or(OutOfMemory { megabytes })?;
        self.memory = Some(Arc::new(Mutex::new(fresh)));
        self.hash_mb = megabytes;
        Ok(())
    }

    /// Chooses the searcher, and forgets what the old one found. Stops a running
    /// search.
    pub fn set_searcher(&mut self, searcher: Searcher) {
        self.searcher = searcher;
        self.drop_memory();
    }

    /// Forgets what searches have found. Stops a running search.
    pub fn clear(&mut self) {
        self.stop_search_and_wait();
        if let Some(memory) = &self.memory {
            locked(memory).clear();
        }
    }

    /// Begins a search of the position and returns. A search that still runs is
    /// stopped first, and gives its answer before the new one begins. [`Engine::stop`]
    /// ends the search, and so does `stop`.
    pub fn go(
        &mut self,
        limits: Limits<G::Move>,
        stop: &Stop,
        mut on_event: impl FnMut(Event<'_, G::Move>) + Send + 'static,
    ) {
        let mut request = Request::new(&self.position, &limits, stop);
        let (memory, eval) = (self.stop_and_take_memory(), self.eval.clone());
        self.begin(request.timer.clone(), Uses::Memory, move |is_unstoppable| {
            if is_unstoppable {
                let limits = limits.unstoppable(MAX_UNSTOPPABLE_NODES);
                request = Request::new(request.position(), &limits, &request.timer.stop);
            }
            let mut on_info = |info: &Info<_>| on_event(Event::Info(info));
            let attempt = || think(&request, &mut locked(&memory), &eval, &mut on_info);
            let report = catch_unwind(AssertUnwindSafe(attempt));
            let report = report.unwrap_or_else(|panic| {
                on_event(Event::Failed(panic_text(panic)));
                request.wait_until_due();
                Report::new(Vec::new(), 0, Duration::ZERO)
            });
            Box::new(move || on_event(Event::Done(report)))
        });
    }

    /// Begins to solve the position, with the threads of the engine, and returns; `on_end`
    /// gets the solution. What was found before is used, and what is found stays. Like
    /// [`Engine::go`], it stops what runs, and [`Engine::stop`] ends it.
    ///
    /// If the solver fails because of a bug, `on_end` gets its message.
    pub fn go_solve(
        &mut self,
        mut request: SolveRequest,
        on_end: impl FnOnce(Result<Solution<G::Move>, String>) + Send + 'static,
    ) {
        let is_bounded = request.nodes.is_some() || request.time.is_some();
        let timer = Arc::new(Timer::of_work(is_bounded, &request.stop));
        request.stop = timer.stop.clone();
        let (memory, position) = (self.stop_and_take_memory(), self.position);
        self.begin(timer, Uses::Memory, move |is_unstoppable| {
            if is_unstoppable && !is_bounded {
                request.nodes = Some(MAX_UNSTOPPABLE_NODES);
            }
            let attempt = || locked(&memory).prove(&position, &request);
            let solution = catch_unwind(AssertUnwindSafe(attempt)).map_err(panic_text);
            Box::new(move || on_end(solution))
        });
    }

    /// Searches the position and waits for the answer; for ever, unless the
    /// limits or a proof end the search.
    pub fn search(&mut self, limits: Limits<G::Move>) -> Report<G::Move> {
        self.search_until(limits, &Stop::new(), ())
    }

    /// Like [`Engine::search`], but `stop` ends the search, and `handler` gets each info.
    ///
    /// If the search panics because of a bug, so does this: there is no answer that a caller
    /// should take for one. The engine can still be used; its tables are empty then.
    ///
    /// ```
    /// use std::{thread, time::Duration};
    /// use totemic_engine::engine::Engine;
    /// use totemic_engine::game::Hokito;
    /// use totemic_engine::search::{Info, Limits};
    /// use totemic_engine::stop::Stop;
    ///
    /// let (mut engine, stop) = (Engine::<Hokito>::new(), Stop::new());
    /// let remote = stop.clone();
    /// thread::spawn(move || {
    ///     thread::sleep(Duration::from_millis(50));
    ///     remote.now();
    /// });
    /// let report = engine.search_until(Limits::default(), &stop, |info: &Info<_>| {
    ///     println!("{}: {} {:?}", info.depth, info.score, info.pv);
    /// });
    /// assert!(report.best.is_some());
    /// ```
    pub fn search_until(
        &mut self,
        limits: Limits<G::Move>,
        stop: &Stop,
        mut handler: impl Handler<G::Move>,
    ) -> Report<G::Move> {
        let request = Request::new(&self.position, &limits, stop);
        let memory = self.stop_and_take_memory();
        think(&request, &mut locked(&memory), &self.eval, &mut handler)
    }

    /// Solves the position as far as the limits allow, with the threads of the engine and
    /// what it has proved before.
    pub fn solve(&mut self, request: SolveRequest) -> Solution<G::Move> {
        let memory = self.stop_and_take_memory();
        locked(&memory).prove(&self.position, &request)
    }

    /// Gives the engine another evaluation, and forgets what was found with the
    /// old one. Stops a running search.
    pub(crate) fn set_evaluation(&mut self, eval: E) {
        self.clear();
        self.eval = eval;
    }

    /// By how many MiB the tables are smaller than the size that was set: the memory
    /// of a tree search is at most some 32 GiB, and all tables are smaller if the
    /// system has less memory. Waits for a running search.
    pub(crate) fn missing_memory(&mut self) -> usize {
        let made = locked(self.memory()).megabytes();
        self.hash_mb.saturating_sub(made)
    }

    /// Has the system provide the tables' memory, so that the first searches need not
    /// wait for it page by page. Takes seconds at most, and does nothing while a
    /// search is running or if it was done before.
    pub(crate) fn warm_up(&mut self) {
        if !self.is_warm && !self.is_searching() {
            self.is_warm = true;
            let deadline = Instant::now() + MAX_WARM_UP;
            locked(self.memory()).warm_up(deadline);
        }
    }

    /// Frees the tables' memory, so that the old and the new tables need not fit
    /// into memory together. Stops a running search.
    pub(crate) fn drop_memory(&mut self) {
        self.stop_search_and_wait();
        (self.memory, self.is_warm) = (None, false);
    }

    /// The memory; its tables are smaller than the size that was set if the system has
    /// less.
    fn memory(&mut self) -> &Arc<Mutex<Memory<G>>> {
        // A search that panicked may have left anything in it.
        self.memory.take_if(|memory| memory.is_poisoned());
        self.memory
            .get_or_insert_with(|| Arc::new(Mutex::new(Memory::new(self.hash_mb, self.searcher))))
    }

    fn stop_and_take_memory(&mut self) -> Arc<Mutex<Memory<G>>> {
        self.stop_and_wait();
        let threads = self.threads;
        let memory = self.memory();
        locked(memory).set_threads(threads);
        memory.clone()
    }
}

impl<G: Searchable, E> Engine<G, E> {
    /// Tells the search that [`go`](Self::go) began, or whatever else runs, to end; it answers
    /// soon. To end one for which somebody waits, give a clone of a [`Stop`] to `search_until`.
    pub fn stop(&self) {
        if let Some(running) = &self.running {
            running.timer.stop.now();
        }
    }

    /// Tells the running search that the move on which it ponders was played. A search
    /// without any other limit then answers.
    pub fn ponderhit(&self) {
        if let Some(running) = &self.running {
            running.ponderhit();
        }
    }

    /// Waits until nothing runs.
    pub fn wait(&mut self) {
        if let Some(running) = self.running.take() {
            running.wait();
        }
    }

    /// Lets a search that ends by itself come to its end, stops any other,
    /// and waits for the answer.
    pub fn finish(&mut self) {
        self.stop_endless();
        self.wait();
    }

    /// Whether a search or a proof is running, which [`go`](Self::go) or
    /// [`go_solve`](Self::go_solve) began. When it hands over its answer, it no longer is.
    pub fn is_searching(&self) -> bool {
        (self.running.as_ref()).is_some_and(|running| running.uses_memory() && !running.is_over())
    }

    /// Begins work in the background when nothing else runs; see [`BackgroundWork::begin`].
    pub(crate) fn begin(
        &mut self,
        timer: Arc<Timer>,
        uses: Uses,
        work: impl FnOnce(bool) -> GiveAnswer + Send + 'static,
    ) {
        // Not started yet, or the system had no thread the last time.
        if let Background::Caller = self.worker {
            self.worker = Background::start();
        }
        self.running = Some(BackgroundWork::begin(&self.worker, timer, uses, work));
    }

    /// The search that was begun, if there are no threads and the caller has to do it.
    pub(crate) fn take_work(&mut self) -> Option<Work> {
        self.running.as_mut().and_then(BackgroundWork::take_work)
    }

    /// Stops whatever runs and waits for its answer.
    pub(crate) fn stop_and_wait(&mut self) {
        self.stop();
        self.wait();
    }

    pub(crate) fn stop_endless(&self) {
        if let Some(running) = &self.running
            && !running.timer.ends_by_itself()
        {
            self.stop();
        }
    }

    /// Waits for a search that was told to stop.
    pub(crate) fn wait_if_stopped(&mut self) {
        if let Some(running) = &self.running
            && running.timer.stop.is_stopped()
        {
            self.wait();
        }
    }

    /// Stops a search or a proof, which use the tables, and waits for its answer.
    fn stop_search_and_wait(&mut self) {
        if (self.running.as_ref()).is_some_and(BackgroundWork::uses_memory) {
            self.stop_and_wait();
        }
    }
}

impl<G: Searchable, E> Drop for Engine<G, E> {
    fn drop(&mut self) {
        self.stop_and_wait();
    }
}

fn panic_text(panic: Box<dyn Any + Send>) -> String {
    match panic.downcast::<String>() {
        Ok(text) => *text,
        Err(panic) => (panic.downcast_ref::<&str>().copied())
            .unwrap_or("the search failed")
            .to_owned(),
    }
}
