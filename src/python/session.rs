//! A conversation with an engine in this process, in the words of the protocol.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::mem::{forget, take};
use std::process;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use totemic_engine::lock::locked;
use totemic_engine::stop::Stop;
use totemic_engine::ugi;

use crate::arguments::{EngineError, bad_input, game_kind};

/// How often a wait looks for Ctrl-C.
pub(crate) const POLL: Duration = Duration::from_millis(50);

/// Engine threads that are calling into Python.
static CALLBACKS_RUNNING: AtomicUsize = AtomicUsize::new(0);
/// Set at the exit of the interpreter: Python kills threads that enter it then.
static EXITING: AtomicBool = AtomicBool::new(false);

/// Keeps engine threads out of Python from now on, and waits about a second for those inside:
/// after a fork they may not exist.
#[pyfunction]
pub(crate) fn at_exit(py: Python<'_>) {
    EXITING.store(true, Ordering::SeqCst);
    for _ in 0..20 {
        if CALLBACKS_RUNNING.load(Ordering::SeqCst) > 0 {
            py.detach(|| sleep(POLL));
        }
    }
}

/// What an error begins with.
pub(crate) const ERROR: &str = "info string error: ";

/// Options by name as they are wanted; one without a value is a button.
type Wanted = Vec<(String, Option<String>)>;

/// What is answered, in whole lines, until somebody takes it.
#[derive(Default)]
struct Answers {
    lines: Mutex<Lines>,
    more: Condvar,
}

#[derive(Default)]
struct Lines {
    all: Vec<String>,
    /// How many of them were taken one by one.
    taken: usize,
    /// Whether the last line of a search has come.
    is_over: bool,
    /// What is called when there is more, once.
    callbacks: Vec<Py<PyAny>>,
}

impl Answers {
    fn add(&self, line: String) {
        let mut lines = locked(&self.lines);
        lines.is_over |= line.starts_with("bestmove ") || line.starts_with("solution ");
        lines.all.push(line);
        let callbacks = take(&mut lines.callbacks);
        drop(lines);
        self.more.notify_all();
        if !callbacks.is_empty() {
            CALLBACKS_RUNNING.fetch_add(1, Ordering::SeqCst);
            if !EXITING.load(Ordering::SeqCst) {
                // An exception in the callback is not the search's concern.
                Python::try_attach(|py| callbacks.iter().for_each(|it| drop(it.call0(py))));
            }
            CALLBACKS_RUNNING.fetch_sub(1, Ordering::SeqCst);
        }
    }

    /// Waits as long as a condition holds, but not for long.
    fn wait_while(&self, most: Duration, condition: impl Fn(&Lines) -> bool) {
        let (lines, more) = (locked(&self.lines), &self.more);
        drop(more.wait_timeout_while(lines, most, |lines| condition(lines)));
    }

    fn is_over(&self) -> bool {
        locked(&self.lines).is_over
    }
}

/// Where an engine writes, whole lines at a time: its answers go to whoever asked last.
struct Sink(Arc<Mutex<Arc<Answers>>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let answers = Arc::clone(&locked(&self.0));
        for line in String::from_utf8_lossy(bytes).lines() {
            answers.add(line.to_owned());
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// An engine, and how its options are set.
struct Conversation {
    session: ugi::Session,
    options_set: BTreeMap<String, String>,
}

struct Shared {
    /// None once it is closed.
    talk: Mutex<Option<Conversation>>,
    answers: Arc<Mutex<Arc<Answers>>>,
    /// Ends whatever runs.
    stop: Stop,
    /// The process that it belongs to: in a forked one, its threads are missing.
    owner: u32,
}

impl Drop for Shared {
    fn drop(&mut self) {
        let talk = self.talk.get_mut();
        let talk = take(talk.unwrap_or_else(PoisonError::into_inner));
        if self.owner != process::id() {
            // To wait for a thread that is not there would take for ever.
            return forget(talk);
        }
        self.stop.now();
        // The last line of a search may be a call into Python, which must not wait for this thread.
        Python::try_attach(|py| py.detach(|| drop(talk)));
    }
}

impl Shared {
    fn check_owner(&self) -> PyResult<()> {
        let why = "the engine belongs to the process that started it";
        match self.owner == process::id() {
            true => Ok(()),
            false => Err(EngineError::new_err(why)),
        }
    }

    /// Says lines when nothing runs, and returns where they are answered.
    fn ask(&self, talk: &mut Conversation, lines: &[String]) -> Arc<Answers> {
        let answers = Arc::default();
        *locked(&self.answers) = Arc::clone(&answers);
        for line in lines {
            let _ = talk.session.handle_line(line);
        }
        answers
    }

    /// Says lines that are answered at once, and returns the answers.
    fn answer(&self, talk: &mut Conversation, lines: &[String]) -> Vec<String> {
        let answers = self.ask(talk, lines);
        let mut lines = locked(&answers.lines);
        lines.is_over = true;
        take(&mut lines.all)
    }

    /// Sets the options that are not as they are wanted.
    fn set(&self, talk: &mut Conversation, wanted: Wanted) -> PyResult<()> {
        for (name, value) in wanted {
            if value.is_some() && talk.options_set.get(&name) == value.as_ref() {
                continue;
            }
            let value_words = value.iter().filter(|it| !it.is_empty());
            let value_words: String = value_words.map(|it| format!(" value {it}")).collect();
            let line = one_line(format!("setoption name {name}{value_words}"))?;
            let answers = self.answer(talk, &[line]);
            if let Some(why) = answers.iter().find_map(|line| line.strip_prefix(ERROR)) {
                return Err(bad_input(why));
            }
            talk.options_set.extend(value.map(|value| (name, value)));
        }
        Ok(())
    }

    /// Does something with the engine, after whatever runs was stopped and has said its last
    /// line, and without the lock of Python.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        act: impl FnOnce(&mut Conversation) -> PyResult<T> + Send,
    ) -> PyResult<T> {
        self.check_owner()?;
        py.detach(|| {
            let mut talk = locked(&self.talk);
            let closed = || EngineError::new_err("the engine is closed");
            let talk = talk.as_mut().ok_or_else(closed)?;
            let running = Arc::clone(&locked(&self.answers));
            if !running.is_over() {
                let _ = talk.session.handle_line("stop");
            }
            while !running.is_over() {
                running.wait_while(POLL, |lines| !lines.is_over);
            }
            act(talk)
        })
    }
}

fn one_line(line: String) -> PyResult<String> {
    match line.contains(char::is_control) {
        false => Ok(line),
        true => Err(bad_input(format!(
            "{line:?}: expected printable text in one line"
        ))),
    }
}

/// A conversation with an engine in this process, in the words of the protocol.
#[pyclass(frozen, module = "totemic._totemic")]
pub struct Session(Arc<Shared>);

#[pymethods]
impl Session {
    #[new]
    fn new(game: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (answers, stop) = (Arc::<Mutex<Arc<Answers>>>::default(), Stop::new());
        locked(&locked(&answers).lines).is_over = true;
        let sink = Sink(Arc::clone(&answers));
        let session = ugi::Session::new(game_kind(game)?, sink, stop.clone());
        let talk = Conversation {
            session,
            options_set: BTreeMap::new(),
        };
        Ok(Self(Arc::new(Shared {
            talk: Mutex::new(Some(talk)),
            answers,
            stop,
            owner: process::id(),
        })))
    }

    /// Says lines that are answered at once, after whatever runs was stopped.
    #[pyo3(signature = (*lines))]
    fn ask(&self, py: Python<'_>, lines: Vec<String>) -> PyResult<Vec<String>> {
        let lines: Vec<String> = lines.into_iter().map(one_line).collect::<PyResult<_>>()?;
        self.0.with(py, |talk| Ok(self.0.answer(talk, &lines)))
    }

    /// Sets options by name, where they have other values; `None` presses a button.
    fn set(&self, py: Python<'_>, wanted: Wanted) -> PyResult<()> {
        self.0.with(py, |talk| self.0.set(talk, wanted))
    }

    /// Sets options and a position, and begins a search or the solver.
    fn begin(
        &self,
        py: Python<'_>,
        wanted: Wanted,
        position: &str,
        command: String,
    ) -> PyResult<Search> {
        let position = one_line(format!("position {position}"))?;
        let lines = [position, one_line(command)?];
        let answers = self.0.with(py, |talk| {
            self.0.set(talk, wanted)?;
            Ok(self.0.ask(talk, &lines))
        })?;
        Ok(Search {
            shared: Arc::clone(&self.0),
            answers,
        })
    }

    /// Ends the engine.
    fn close(&self, py: Python<'_>) {
        if self.0.check_owner().is_ok() {
            self.0.stop.now();
            py.detach(|| drop(take(&mut *locked(&self.0.talk))));
        }
    }
}

/// The lines of a search. It is stopped when nobody has it any more.
#[pyclass(frozen, module = "totemic._totemic")]
pub struct Search {
    shared: Arc<Shared>,
    answers: Arc<Answers>,
}

impl Drop for Search {
    fn drop(&mut self) {
        if self.shared.owner == process::id() && !self.answers.is_over() {
            Python::try_attach(|py| self.stop(py));
        }
    }
}

impl Search {
    /// Waits as long as a condition holds, ready for Ctrl-C.
    fn wait_while(
        &self,
        py: Python<'_>,
        seconds: Option<f64>,
        condition: impl Fn(&Lines) -> bool + Sync,
    ) -> PyResult<()> {
        self.shared.check_owner()?;
        let time = seconds.and_then(|it| Duration::try_from_secs_f64(it.max(0.0)).ok());
        let end = time.and_then(|time| Instant::now().checked_add(time));
        loop {
            let left = end.map(|end| end.saturating_duration_since(Instant::now()));
            let most = left.unwrap_or(POLL).min(POLL);
            py.detach(|| self.answers.wait_while(most, &condition));
            if !condition(&locked(&self.answers.lines)) || left == Some(Duration::ZERO) {
                return Ok(());
            }
            py.check_signals()?;
        }
    }
}

#[pymethods]
impl Search {
    /// The next line that no other call has taken; waits for it, at most some seconds. `None` if
    /// the search is over, or the time.
    #[pyo3(signature = (seconds = None))]
    fn next(&self, py: Python<'_>, seconds: Option<f64>) -> PyResult<Option<String>> {
        self.wait_while(py, seconds, |it| it.taken == it.all.len() && !it.is_over)?;
        let mut lines = locked(&self.answers.lines);
        let line = lines.all.get(lines.taken).cloned();
        lines.taken += usize::from(line.is_some());
        Ok(line)
    }

    /// All lines, once the search is over.
    fn result(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.wait_while(py, None, |lines| !lines.is_over)?;
        Ok(self.lines())
    }

    /// All lines so far.
    fn lines(&self) -> Vec<String> {
        locked(&self.answers.lines).all.clone()
    }

    /// How many lines there are so far, and whether the last one has come.
    fn progress(&self) -> (usize, bool) {
        let lines = locked(&self.answers.lines);
        (lines.all.len(), lines.is_over)
    }

    /// Ends the search; its last line follows.
    fn stop(&self, py: Python<'_>) -> PyResult<()> {
        let Self { shared, answers } = self;
        shared.check_owner()?;
        py.detach(|| {
            let mut talk = locked(&shared.talk);
            let runs = Arc::ptr_eq(&locked(&shared.answers), answers) && !answers.is_over();
            if let Some(talk) = talk.as_mut().filter(|_| runs) {
                let _ = talk.session.handle_line("stop");
            }
        });
        Ok(())
    }

    /// Has a function called, once, when there are more than `seen` lines or none will come;
    /// maybe at once.
    fn call_when_more(&self, py: Python<'_>, callback: Py<PyAny>, seen: usize) -> PyResult<()> {
        self.shared.check_owner()?;
        let mut lines = locked(&self.answers.lines);
        if lines.all.len() <= seen && !lines.is_over && !EXITING.load(Ordering::SeqCst) {
            lines.callbacks.push(callback);
            return Ok(());
        }
        drop(lines);
        callback.call0(py).map(drop)
    }
}
