//! A conversation with an engine in this process, in the words of the protocol.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::mem::{forget, take};
use std::process;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use pyo3::types::PyAny;
use totemic_engine::search::Stop;
use totemic_engine::ugi;

use crate::{BadInput, EngineError, game};

/// How long a wait lasts until it looks for Ctrl-C.
const LOOK: Duration = Duration::from_millis(50);

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

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
    bells: Vec<Py<PyAny>>,
}

impl Lines {
    fn is_waiting(&self) -> bool {
        self.taken == self.all.len() && !self.is_over
    }
}

impl Answers {
    fn add(&self, line: String) {
        let mut lines = locked(&self.lines);
        lines.is_over |= line.starts_with("bestmove ") || line.starts_with("solution ");
        lines.all.push(line);
        let bells = take(&mut lines.bells);
        drop(lines);
        self.more.notify_all();
        if !bells.is_empty() {
            // Nothing rings once Python ends, and an error of who waits is none of a search.
            Python::try_attach(|py| bells.iter().for_each(|bell| drop(bell.call0(py))));
        }
    }

    /// Waits as long as a condition holds, but not for long.
    fn wait_while(&self, most: Duration, condition: impl Fn(&Lines) -> bool) {
        let lines = locked(&self.lines);
        drop(
            self.more
                .wait_timeout_while(lines, most, |lines| condition(lines)),
        );
    }

    fn is_over(&self) -> bool {
        locked(&self.lines).is_over
    }
}

/// Where an engine writes: its answers go to whoever asked last.
#[derive(Clone, Default)]
struct Sink {
    rest: Vec<u8>,
    answers: Arc<Mutex<Arc<Answers>>>,
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.rest.extend_from_slice(bytes);
        while let Some(end) = self.rest.iter().position(|&byte| byte == b'\n') {
            let line = self.rest.drain(..=end).collect::<Vec<u8>>();
            let line = String::from_utf8_lossy(&line[..end]).into_owned();
            let answers = Arc::clone(&locked(&self.answers));
            answers.add(line);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// An engine, and how its options are set.
struct Talk {
    session: ugi::Session,
    set: BTreeMap<String, String>,
}

struct Shared {
    /// None once it is closed.
    talk: Mutex<Option<Talk>>,
    answers: Arc<Mutex<Arc<Answers>>>,
    /// Ends whatever runs.
    gone: Stop,
    /// The process that it belongs to: in a forked one, its threads are missing.
    owner: u32,
}

impl Drop for Shared {
    fn drop(&mut self) {
        let talk = take(&mut *locked(&self.talk));
        match self.owner == process::id() {
            true => self.gone.now(),
            // To wait for a thread that is not there would take for ever.
            false => forget(talk),
        }
    }
}

impl Shared {
    fn check(&self) -> PyResult<()> {
        match self.owner == process::id() {
            true => Ok(()),
            false => {
                let why = "the engine belongs to the process that started it";
                Err(EngineError::new_err(why))
            }
        }
    }

    /// Stops what runs, and waits for its last line.
    fn settle(&self, talk: &mut Talk) {
        let running = Arc::clone(&locked(&self.answers));
        if !running.is_over() {
            let _ = talk.session.line("stop");
            while !running.is_over() {
                running.wait_while(LOOK, |lines| !lines.is_over);
            }
        }
    }

    /// Says lines when nothing runs, and returns what is answered at once.
    fn ask(&self, talk: &mut Talk, lines: &[String]) -> Arc<Answers> {
        let answers = Arc::default();
        *locked(&self.answers) = Arc::clone(&answers);
        for line in lines {
            let _ = talk.session.line(line);
        }
        answers
    }

    /// Sets the options that are not as they are wanted; one without a value is a button.
    fn set(&self, talk: &mut Talk, wanted: Vec<(String, Option<String>)>) -> PyResult<()> {
        for (name, value) in wanted {
            if value.is_some() && talk.set.get(&name) == value.as_ref() {
                continue;
            }
            let line = match &value {
                Some(value) if !value.is_empty() => format!("setoption name {name} value {value}"),
                _ => format!("setoption name {name}"),
            };
            let answers = self.ask(talk, &[one_line(line)?]);
            let mut lines = locked(&answers.lines);
            lines.is_over = true;
            if let Some(why) = lines.all.iter().find_map(|line| line.strip_prefix(ERROR)) {
                return Err(BadInput::new_err(why.to_owned()));
            }
            drop(lines);
            if let Some(value) = value {
                talk.set.insert(name, value);
            }
        }
        Ok(())
    }

    /// Does something with the engine, when nothing runs and without the lock of Python.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        act: impl FnOnce(&mut Talk) -> PyResult<T> + Send,
    ) -> PyResult<T> {
        self.check()?;
        py.detach(|| {
            let mut talk = locked(&self.talk);
            let closed = || EngineError::new_err("the engine is closed");
            let talk = talk.as_mut().ok_or_else(closed)?;
            self.settle(talk);
            act(talk)
        })
    }
}

const ERROR: &str = "info string error: ";

fn one_line(line: String) -> PyResult<String> {
    match line.contains(char::is_control) {
        false => Ok(line),
        true => Err(BadInput::new_err(format!(
            "{line:?}: expected printable text in one line"
        ))),
    }
}

#[pyclass(frozen, module = "totemic._totemic", name = "Session")]
pub struct Session(Arc<Shared>);

#[pymethods]
impl Session {
    #[new]
    fn new(name: &str) -> PyResult<Self> {
        let (sink, gone) = (Sink::default(), Stop::new());
        locked(&locked(&sink.answers).lines).is_over = true;
        let answers = Arc::clone(&sink.answers);
        let session = ugi::Session::new(game(name)?, sink, gone.clone());
        Ok(Self(Arc::new(Shared {
            talk: Mutex::new(Some(Talk {
                session,
                set: BTreeMap::new(),
            })),
            answers,
            gone,
            owner: process::id(),
        })))
    }

    /// Says lines that are answered at once, after whatever runs was stopped.
    #[pyo3(signature = (*lines))]
    fn ask(&self, py: Python<'_>, lines: Vec<String>) -> PyResult<Vec<String>> {
        let lines: Vec<String> = lines.into_iter().map(one_line).collect::<PyResult<_>>()?;
        self.0.with(py, |talk| {
            let answers = self.0.ask(talk, &lines);
            let mut lines = locked(&answers.lines);
            lines.is_over = true;
            Ok(take(&mut lines.all))
        })
    }

    /// Sets options, by pairs of names and values.
    fn set(&self, py: Python<'_>, wanted: Vec<(String, Option<String>)>) -> PyResult<()> {
        self.0.with(py, |talk| self.0.set(talk, wanted))
    }

    /// Sets options and a position, and begins a search or the solver.
    fn begin(
        &self,
        py: Python<'_>,
        wanted: Vec<(String, Option<String>)>,
        position: String,
        command: String,
    ) -> PyResult<Search> {
        let lines = [
            one_line(format!("position {position}"))?,
            one_line(command)?,
        ];
        let answers = self.0.with(py, |talk| {
            self.0.set(talk, wanted)?;
            Ok(self.0.ask(talk, &lines))
        })?;
        Ok(Search {
            shared: Arc::clone(&self.0),
            answers,
        })
    }

    /// Ends the search that runs, if any; its last line follows.
    fn stop(&self, py: Python<'_>) -> PyResult<()> {
        self.0.check()?;
        let answers = Arc::clone(&locked(&self.0.answers));
        stop(&self.0, &answers, py);
        Ok(())
    }

    /// Ends the engine.
    fn close(&self, py: Python<'_>) {
        if self.0.check().is_ok() {
            self.0.gone.now();
            py.detach(|| drop(take(&mut *locked(&self.0.talk))));
        }
    }
}

/// Stops a search, if it is the one that runs.
fn stop(shared: &Shared, answers: &Arc<Answers>, py: Python<'_>) {
    py.detach(|| {
        let mut talk = locked(&shared.talk);
        let runs = Arc::ptr_eq(&locked(&shared.answers), answers) && !answers.is_over();
        if let Some(talk) = talk.as_mut().filter(|_| runs) {
            let _ = talk.session.line("stop");
        }
    });
}

#[pyclass(frozen, module = "totemic._totemic", name = "Search")]
pub struct Search {
    shared: Arc<Shared>,
    answers: Arc<Answers>,
}

impl Drop for Search {
    fn drop(&mut self) {
        if self.shared.check().is_ok() && !self.answers.is_over() {
            Python::try_attach(|py| stop(&self.shared, &self.answers, py));
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
        self.shared.check()?;
        let time = seconds.and_then(|it| Duration::try_from_secs_f64(it.max(0.0)).ok());
        let end = time.and_then(|time| Instant::now().checked_add(time));
        loop {
            let left = end.map(|end| end.saturating_duration_since(Instant::now()));
            let most = left.unwrap_or(LOOK).min(LOOK);
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
    /// The next line that no other call has taken; waits for it, but not longer than `seconds`.
    /// None if the search is over, or the time.
    #[pyo3(signature = (seconds = None))]
    fn next(&self, py: Python<'_>, seconds: Option<f64>) -> PyResult<Option<String>> {
        self.wait_while(py, seconds, Lines::is_waiting)?;
        let mut lines = locked(&self.answers.lines);
        let line = lines.all.get(lines.taken).cloned();
        lines.taken += usize::from(line.is_some());
        Ok(line)
    }

    /// All lines of the search, once it is over.
    fn result(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.wait_while(py, None, |lines| !lines.is_over)?;
        Ok(self.lines())
    }

    /// All lines so far.
    fn lines(&self) -> Vec<String> {
        locked(&self.answers.lines).all.clone()
    }

    fn is_over(&self) -> bool {
        self.answers.is_over()
    }

    fn stop(&self, py: Python<'_>) -> PyResult<()> {
        self.shared.check()?;
        stop(&self.shared, &self.answers, py);
        Ok(())
    }

    /// Has a function called, once, when there are more than `seen` lines or none will come;
    /// maybe at once.
    fn ring(&self, py: Python<'_>, bell: Py<PyAny>, seen: usize) -> PyResult<()> {
        let mut lines = locked(&self.answers.lines);
        if lines.all.len() <= seen && !lines.is_over {
            lines.bells.push(bell);
            return Ok(());
        }
        drop(lines);
        bell.call0(py).map(drop)
    }

    fn __len__(&self) -> usize {
        locked(&self.answers.lines).all.len()
    }
}
