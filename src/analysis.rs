//! Analysis of many positions: a server over lines of text.
//!
//! [`serve`] reads one request per line, which is a position or a JSON object, and writes
//! a JSON object for each position as soon as it is analysed. Each worker analyses one
//! position at a time. Memory is bounded: while [`CAPACITY`] positions wait, nothing is
//! read. `src/analysis/README.md` describes requests and answers.
//!
//! ```
//! use totemic::analysis::{Options, serve};
//! use totemic_engine::stop::Stop;
//!
//! let input = "{\"id\":\"a\",\"position\":\"startpos\",\"moves\":[\"c5b6y\"],\"nodes\":100}\n";
//! let mut output = Vec::new();
//! let done = serve(input.as_bytes(), &mut output, &Options::default(), &Stop::new())?;
//! assert_eq!(done.failed, 0);
//! let answer: serde_json::Value = serde_json::from_slice(&output)?;
//! assert_eq!(answer["id"], "a");
//! # Ok::<(), std::io::Error>(())
//! ```

mod request;
mod worker;

use std::cmp::Reverse;
use std::collections::{BTreeMap, VecDeque};
use std::fmt::Display;
use std::io::{self, BufRead, Read, Write};
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{Builder, scope};

use rustc_hash::FxHashSet;
use serde_json::{Value as Json, json};

use request::{Command, Job, LineError, Request};
use totemic_engine::game::GameKind;
use totemic_engine::search::{Info, Odds, THREAD_STACK_BYTES};
use totemic_engine::stop::Stop;
use totemic_games::limits::MoveLimits;
use worker::Worker;

/// Number of positions that may wait; nothing more is read until one of them is begun.
pub const CAPACITY: usize = 1024;
/// Longest line of input, one request, in bytes.
pub const MAX_REQUEST: usize = 1 << 16;
/// An id may be used again after this many requests.
const MAX_REMEMBERED_IDS: usize = 100_000;

/// Defaults for requests, and the resources of the server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// The game that `startpos` refers to.
    pub game: GameKind,
    /// Limits of a search.
    pub limits: MoveLimits,
    /// Number of best moves in an answer.
    pub multi_pv: usize,
    /// Number of positions that are analysed at the same time.
    pub threads: NonZeroUsize,
    /// Size of all tables together, in MiB.
    pub hash_mb: usize,
}

impl Default for Options {
    /// One second for each position, and one position at a time.
    fn default() -> Self {
        Self {
            game: GameKind::default(),
            limits: MoveLimits {
                movetime_ms: Some(1000),
                ..MoveLimits::default()
            },
            multi_pv: 1,
            threads: NonZeroUsize::MIN,
            hash_mb: 64,
        }
    }
}

/// An [`Info`] as JSON, for the side to move.
pub(crate) fn info_json<M: Display>(info: &Info<M>, odds: Odds) -> Json {
    let mut json = json!({
        "multipv": info.multipv,
        "bound": info.bound.name(),
        "proven": info.proven,
        "points": odds.expected_points(),
        "depth": info.depth,
        "pv": info.pv.iter().map(ToString::to_string).collect::<Vec<_>>(),
    });
    match info.score.mate_plies() {
        Some(plies) => json["mate"] = plies.into(),
        None => json["cp"] = info.score.centipoints().into(),
    }
    json
}

/// How a server ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Done {
    /// Number of lines that were answered with an error.
    pub failed: u64,
    /// Number of positions that were asked for.
    pub positions: u64,
    /// Whether the server was stopped before all requests were answered.
    pub stopped: bool,
}

/// Answers the requests of `input` until all of them are answered or `stop` comes.
///
/// # Errors
/// When `output` cannot be written or `input` cannot be read.
pub fn serve(
    input: impl Read + Send + 'static,
    output: impl Write,
    options: &Options,
    stop: &Stop,
) -> io::Result<Done> {
    let no_thread =
        |why: io::Error| io::Error::new(why.kind(), format!("cannot start threads: {why}"));
    let (events, inbox) = channel();
    let (want_line, wanted) = channel();
    let lines = events.clone();
    // Reading may block forever, so nothing waits for this thread.
    let reader = Builder::new().spawn(move || read_lines(input, &wanted, &lines));
    reader.map_err(no_thread)?;
    let woken = events.clone();
    let _waker = stop.on_step(move || {
        let _ = woken.send(Incoming::Stopped);
    });
    let mut server = Server {
        options,
        stop,
        output,
        done: Done::default(),
        waiting: BTreeMap::new(),
        running: Vec::new(),
        ids: Ids::default(),
    };
    let served = scope(|scope| {
        let mut workers = Vec::new();
        for index in 0..options.threads.get() {
            let (jobs, queue) = channel();
            let events = events.clone();
            let worker = move || work(index, options, &queue, &events);
            let worker = Builder::new()
                .stack_size(THREAD_STACK_BYTES)
                .spawn_scoped(scope, worker);
            worker.map_err(no_thread)?;
            workers.push(jobs);
        }
        let served = server.run(&workers, &want_line, &inbox);
        server.running.iter().for_each(|it| it.cancel.now());
        served
    });
    served.map(|()| server.done)
}

enum Incoming {
    /// A line of input; `None` if it is too long.
    Line(Option<Vec<u8>>),
    /// The end of the input, with the error if there was one.
    End(io::Result<()>),
    /// The answer of a worker; `None` if the analysis failed.
    Answer(usize, Job, Option<Json>),
    Stopped,
}

fn read_lines(input: impl Read, wanted: &Receiver<()>, events: &Sender<Incoming>) {
    let mut input = io::BufReader::new(input);
    for () in wanted {
        let mut line = Vec::new();
        let limit = MAX_REQUEST as u64 + 1;
        let event = match input.by_ref().take(limit).read_until(b'\n', &mut line) {
            Ok(0) => Incoming::End(Ok(())),
            Ok(_) if line.len() > MAX_REQUEST && line.last() != Some(&b'\n') => {
                match input.skip_until(b'\n') {
                    Ok(_) => Incoming::Line(None),
                    Err(why) => Incoming::End(Err(why)),
                }
            }
            Ok(_) => Incoming::Line(Some(line)),
            Err(why) => Incoming::End(Err(why)),
        };
        if events.send(event).is_err() {
            return;
        }
    }
}

fn work(index: usize, options: &Options, jobs: &Receiver<Job>, events: &Sender<Incoming>) {
    let mut worker = Worker::new(options);
    for job in jobs {
        let answer = catch_unwind(AssertUnwindSafe(|| worker.analyse(&job)));
        if answer.is_err() {
            worker = Worker::new(options);
        }
        let answer = Incoming::Answer(index, job, answer.ok());
        if events.send(answer).is_err() {
            return;
        }
    }
}

/// The requests that wait or run. One thread owns them, so that its answers about them
/// are always right.
struct Server<'a, W> {
    options: &'a Options,
    stop: &'a Stop,
    output: W,
    done: Done,
    /// Sorted by priority, the highest first, then in the order of arrival.
    waiting: BTreeMap<(Reverse<i64>, u64), Job>,
    /// The request of each position that a worker is analysing.
    running: Vec<Arc<Request>>,
    ids: Ids,
}

impl<W: Write> Server<'_, W> {
    fn run(
        &mut self,
        workers: &[Sender<Job>],
        want_line: &Sender<()>,
        inbox: &Receiver<Incoming>,
    ) -> io::Result<()> {
        let mut idle: Vec<&Sender<Job>> = workers.iter().collect();
        let (mut is_reading, mut is_over) = (false, false);
        let mut number = 0;
        loop {
            if self.stop.is_stopped() && !self.done.stopped {
                (self.done.stopped, is_over) = (true, true);
                self.waiting.clear();
            }
            while let Some(&worker) = idle.last()
                && let Some((_, job)) = self.waiting.pop_first()
            {
                idle.pop();
                self.running.push(Arc::clone(&job.request));
                let _ = worker.send(job);
            }
            if is_over && self.running.is_empty() {
                return Ok(());
            }
            if !is_over && !is_reading && self.waiting.len() < CAPACITY {
                is_reading = want_line.send(()).is_ok();
            }
            match self.stop.receive(inbox) {
                Ok(Incoming::Answer(worker, job, answer)) => {
                    idle.push(&workers[worker]);
                    self.finish(&job, answer)?;
                }
                Ok(Incoming::Line(line)) if !is_over => {
                    is_reading = false;
                    number += 1;
                    self.handle_line(line, number)?;
                }
                Ok(Incoming::End(ended)) if !is_over => {
                    is_over = true;
                    ended?;
                }
                Ok(Incoming::Line(_) | Incoming::End(_) | Incoming::Stopped)
                | Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
        }
    }

    fn handle_line(&mut self, line: Option<Vec<u8>>, number: u64) -> io::Result<()> {
        let command = match line {
            Some(line) => Command::read(&line, number, self.options, self.stop),
            None => Err(LineError {
                id: None,
                why: format!("the line is longer than {MAX_REQUEST} bytes"),
            }),
        };
        let answers = match command {
            Ok(Command::Empty) => Ok(Vec::new()),
            Ok(Command::Cancel(id)) => self.cancel(id),
            Ok(Command::Jobs(id, jobs)) => self.add(id, jobs).map(|()| Vec::new()),
            Err(error) => Err(error),
        };
        let answers = answers.unwrap_or_else(|LineError { id, why }| {
            self.done.failed += 1;
            let mut answer = json!({"line": number, "error": why});
            // An id that is known belongs to another request, which has answers of its own.
            if let Some(id) = id.filter(|id| !self.ids.used.contains(&id.to_string())) {
                answer["id"] = id;
            }
            vec![answer]
        });
        answers.iter().try_for_each(|answer| self.write(answer))
    }

    fn add(&mut self, id: Json, jobs: Vec<Job>) -> Result<(), LineError> {
        if !self.ids.insert(&id) {
            let why = format!("the id {id} was used before: expected another");
            return Err(LineError { id: Some(id), why });
        }
        for job in jobs {
            self.done.positions += 1;
            let place = (Reverse(job.request.priority), self.done.positions);
            self.waiting.insert(place, job);
        }
        Ok(())
    }

    /// Answers the waiting positions of a request at once; those that run are answered soon.
    fn cancel(&mut self, id: Json) -> Result<Vec<Json>, LineError> {
        let mut answers: Vec<_> = (self.waiting)
            .extract_if(.., |_, job| job.request.id == id)
            .map(|(_, job)| job.answer(json!({"cancelled": true})))
            .collect();
        let running = self.running.iter().filter(|request| request.id == id);
        let count = running.map(|request| request.cancel.now()).count();
        if answers.is_empty() && count == 0 {
            if !self.ids.used.contains(&id.to_string()) {
                let why = format!("cancel: there is no request with the id {id}");
                return Err(LineError { id: Some(id), why });
            }
            answers.push(json!({"id": id, "cancelled": false}));
        }
        Ok(answers)
    }

    fn finish(&mut self, job: &Job, answer: Option<Json>) -> io::Result<()> {
        let running = (self.running.iter()).position(|request| Arc::ptr_eq(request, &job.request));
        running.map(|at| self.running.swap_remove(at));
        let mut answer = answer.unwrap_or_else(|| {
            self.done.failed += 1;
            job.answer(json!({"error": "the analysis failed"}))
        });
        if job.request.cancel.is_stopped() {
            answer["cancelled"] = true.into();
        }
        self.write(&answer)
    }

    fn write(&mut self, answer: &Json) -> io::Result<()> {
        // In one piece, so that no reader sees half a line.
        self.output.write_all(format!("{answer}\n").as_bytes())?;
        self.output.flush()
    }
}

#[derive(Default)]
struct Ids {
    used: FxHashSet<String>,
    order: VecDeque<String>,
}

impl Ids {
    /// Adds an id; returns `false` if it was used before.
    fn insert(&mut self, id: &Json) -> bool {
        let is_new = self.used.insert(id.to_string());
        if is_new {
            self.order.push_back(id.to_string());
        }
        if self.order.len() > MAX_REMEMBERED_IDS
            && let Some(oldest) = self.order.pop_front()
        {
            self.used.remove(&oldest);
        }
        is_new
    }
}
