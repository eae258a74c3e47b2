//! A conversation with an engine: handshake, options, new games, questions.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use super::child::{Process, Trouble, VoidCause};
use super::launch::Launch;
use super::log::Log;
use super::options::{option_name, option_objection, shortened};
use super::spec::{EngineSpec, Patience};
use super::stop::Stop;
use crate::game::{GameKind, quoted};
use crate::record::{Reason, SearchInfo};

/// What all engines of a run have in common.
#[derive(Debug)]
pub struct Host {
    /// Name of the game.
    pub game: String,
    /// Deadlines outside of the clocks.
    pub patience: Patience,
    /// Where the logs go.
    pub log_dir: Option<PathBuf>,
    /// Whether engines that can are asked to name the reply they expect, so
    /// that they may think in their opponents' time.
    pub ponder: bool,
    /// When the run began; logs count from there.
    pub begin: Instant,
    /// Processes started so far.
    started: AtomicU32,
}

impl Host {
    /// A host that has started no engine yet.
    #[must_use]
    pub fn new(game: &str, patience: Patience, log_dir: Option<PathBuf>) -> Self {
        Self {
            game: game.to_owned(),
            patience,
            log_dir,
            ponder: false,
            begin: Instant::now(),
            started: AtomicU32::new(0),
        }
    }

    fn log(&self, name: &str) -> std::io::Result<Option<Log>> {
        let Some(dir) = &self.log_dir else {
            return Ok(None);
        };
        let plain = |c: char| {
            if c.is_alphanumeric() || "-_.".contains(c) {
                c
            } else {
                '_'
            }
        };
        let name: String = name.chars().map(plain).collect();
        // An earlier run may have left its logs there.
        loop {
            let number = self.started.fetch_add(1, Ordering::Relaxed) + 1;
            let path = dir.join(format!("{number:04}-{name}.log"));
            match Log::create(&path, self.begin) {
                Err(why) if why.kind() == std::io::ErrorKind::AlreadyExists => {}
                log => return log.map(Some),
            }
        }
    }
}

/// What an engine answers to `go`.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Answer {
    /// The text of its move.
    pub mv: String,
    /// The text of the reply it expects, behind the word `ponder`.
    pub reply: Option<String>,
    /// Time from the last byte of the question to the answer, without `absence`.
    pub elapsed: Duration,
    /// Time in which this process was not running while it waited.
    pub absence: Duration,
    /// What it said about it.
    pub info: SearchInfo,
}

/// What is asked of an engine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Question<'a> {
    /// The command that sets the position up.
    pub setup: &'a str,
    /// The command that asks for a move.
    pub go: &'a str,
    /// Time after which no answer counts any more; `None` when no clock
    /// limits it and only patience does.
    pub allowed: Option<Duration>,
}

/// An engine that is started when it is needed, and again after trouble.
/// Any trouble ends its process, for nobody knows what it does then.
#[derive(Debug)]
pub(crate) struct UgiClient {
    spec: EngineSpec,
    launch: Launch,
    process: Option<Process>,
    /// Whether the process is able to ponder.
    ponders: bool,
    /// The command that set up the position on which it ponders.
    pondered: Option<String>,
    played: bool,
    warnings: Vec<String>,
}

impl UgiClient {
    pub(crate) fn new(spec: &EngineSpec, host: &Host) -> Result<Self, String> {
        Ok(Self {
            launch: Launch::new(spec, &host.game)?,
            spec: spec.clone(),
            process: None,
            ponders: false,
            pondered: None,
            played: false,
            warnings: Vec::new(),
        })
    }

    pub(crate) fn new_game(&mut self, host: &Host, stop: &Stop) -> Result<(), Trouble> {
        let ready = self.begin_game(host, stop);
        self.forget_after(ready)
    }

    /// Asks for a move. Where the engine ponders on this very position, it is
    /// told that it has come; where on another, that search is ended first.
    pub(crate) fn ask(
        &mut self,
        question: &Question<'_>,
        host: &Host,
        stop: &Stop,
    ) -> Result<Answer, Trouble> {
        let answer = self.await_move(question, host, stop);
        self.forget_after(answer)
    }

    /// Lets the engine think in its opponent's time on the position after the
    /// reply it expects, which `setup` sets up; nothing for an engine that
    /// does not ponder. `go` holds the limits that count once the reply has
    /// come.
    pub(crate) fn ponder(&mut self, setup: &str, go: &str) -> Result<(), Trouble> {
        if !self.ponders {
            return Ok(());
        }
        let begun = running(&mut self.process).and_then(|process| {
            process.forget_info();
            process.send(&format!("{setup}\n{}", pondering(go)))
        });
        self.pondered = Some(setup.to_owned());
        self.forget_after(begun).map(|_| ())
    }

    /// Ends what the engine still thinks about when its game is over. One that
    /// does not answer is ended; the game is none of its concern any more.
    pub(crate) fn rest(&mut self, host: &Host, stop: &Stop) {
        let ended = self.stop_pondering(host, stop);
        let _ = self.forget_after(ended);
    }

    /// Ends the engine's process, so that the next game starts a new one.
    pub(crate) fn dismiss(&mut self) {
        self.process = None;
        self.pondered = None;
    }

    /// What the user should know: each thing once, but that a log has ended
    /// every time.
    pub(crate) fn take_warnings(&mut self) -> Vec<String> {
        let mut warnings = std::mem::take(&mut self.warnings);
        warnings.extend(self.process.as_ref().and_then(Process::log_failure));
        warnings
    }

    pub(crate) fn quit(self) {
        if let Some(process) = self.process {
            process.quit();
        }
    }

    fn forget_after<T>(&mut self, result: Result<T, Trouble>) -> Result<T, Trouble> {
        if result.is_err() {
            self.dismiss();
        }
        result
    }

    fn begin_game(&mut self, host: &Host, stop: &Stop) -> Result<(), Trouble> {
        if self.spec.restart
            && self.played
            && let Some(process) = self.process.take()
        {
            process.quit();
        }
        self.played = true;
        if self.process.is_none() {
            self.start(host, stop)?;
        }
        let deadline = Instant::now() + Duration::from_millis(host.patience.answer_ms);
        let process = running(&mut self.process)?;
        process.send("uginewgame\nisready")?;
        // What an earlier game left in the pipe is of no concern here.
        ready(process, deadline, stop, false)
    }

    /// Starts the process and speaks with it until it is ready for a game.
    fn start(&mut self, host: &Host, stop: &Stop) -> Result<(), Trouble> {
        let failed = |why: String| Trouble::Fault(Reason::NoHandshake, why);
        let deadline = Instant::now() + Duration::from_millis(host.patience.startup_ms);
        let log = host
            .log(&self.spec.name)
            .map_err(|why| Trouble::unstarted("its log cannot be written", &why))?;
        if let Some(why) = self.launch.missing_directory() {
            return Err(failed(why));
        }
        let process = Process::start(&self.launch, log).map_err(|why| {
            let what = format!("cannot start {}", quoted(&self.spec.cmd));
            Trouble::unstarted(&what, &self.launch.explained(why))
        })?;
        let process = self.process.insert(process);
        let named = |trouble| match trouble {
            Trouble::Fault(Reason::NoHandshake, why) => failed(why),
            Trouble::Fault(reason, why) => failed(format!("{reason} ({why})")),
            other => other,
        };
        let patience = host.patience.startup_ms;
        let announced = handshake(process, deadline, patience, stop).map_err(named)?;
        let mut options = self.spec.options.clone();
        if announced.contains_key("game") && !options.iter().any(|(name, _)| is_game(name)) {
            options.insert(0, ("Game".to_owned(), host.game.clone()));
        }
        let is_ponder = |name: &str| name.eq_ignore_ascii_case(PONDER);
        let can_ponder = announced.contains_key(&PONDER.to_ascii_lowercase());
        if host.ponder && !options.iter().any(|(name, _)| is_ponder(name)) {
            if can_ponder {
                options.push((PONDER.to_owned(), "true".to_owned()));
            } else {
                self.warnings.push(format!(
                    "{}: option '{PONDER}' is not announced; it does not think in its opponent's time",
                    self.spec.name
                ));
            }
        }
        self.ponders = host.ponder
            && can_ponder
            && (options.iter()).any(|(name, value)| is_ponder(name) && value == "true");
        // What other options mean may depend on it.
        options.sort_by_key(|(name, _)| !is_game(name));
        process.await_complaint();
        for (name, value) in options {
            let other = GameKind::named(&value).filter(|kind| kind.name() != host.game);
            if is_game(&name) && other.is_some() {
                let game = &host.game;
                return Err(failed(format!(
                    "its option 'Game' is '{value}', expected '{game}'"
                )));
            }
            match announced.get(&name.to_ascii_lowercase()) {
                Some(line) => {
                    if let Some(why) = option_objection(line, &value) {
                        return Err(failed(format!("its option '{name}' {why}, not '{value}'")));
                    }
                }
                None => self.warnings.push(format!(
                    "{}: option '{name}' is not announced; '{value}' is sent nevertheless",
                    self.spec.name
                )),
            }
            let line = format!("setoption name {name} value {value}");
            process.send(&line).map_err(named)?;
        }
        process.send("isready").map_err(named)?;
        ready(process, deadline, stop, false).map_err(named)?;
        match process.complaint() {
            // It would play otherwise than it was asked to: no game of the match.
            Some(line) => Err(Trouble::Unstarted {
                scarce: false,
                why: format!("it says '{}'", line.chars().take(400).collect::<String>()),
            }),
            None => Ok(()),
        }
    }

    fn await_move(
        &mut self,
        question: &Question<'_>,
        host: &Host,
        stop: &Stop,
    ) -> Result<Answer, Trouble> {
        let patience = Duration::from_millis(host.patience.answer_ms);
        let sent = if self.pondered.as_deref() == Some(question.setup) {
            self.pondered = None;
            let process = running(&mut self.process)?;
            process.take_absence();
            process.send("ponderhit")?
        } else {
            self.stop_pondering(host, stop)?;
            let process = running(&mut self.process)?;
            process.send(&format!("{}\nisready", question.setup))?;
            ready(process, Instant::now() + patience, stop, true)?;
            process.forget_info();
            process.take_absence();
            process.send(question.go)?
        };
        let process = running(&mut self.process)?;
        let allowed = question.allowed.unwrap_or(patience);
        let late = |elapsed: Duration| {
            let took = elapsed.as_secs_f64() * 1000.0;
            let had = allowed.as_secs_f64() * 1000.0;
            let why = format!("{took:.1} ms of {had:.0} ms allowed");
            match question.allowed {
                Some(_) => Trouble::Fault(Reason::TimeForfeit, why),
                None => Trouble::Fault(Reason::Stall, why),
            }
        };
        let mut absence = Duration::ZERO;
        // After an absence the engine has all its time once more: whoever does
        // not answer in that is to blame.
        let mut begin = sent;
        loop {
            let line = process.next_line(begin + allowed, stop)?;
            let away = process.take_absence();
            absence += away;
            if !away.is_zero() {
                begin = Instant::now();
            }
            let Some((at, line)) = line else {
                if away.is_zero() {
                    return Err(late(sent.elapsed().saturating_sub(absence)));
                }
                continue;
            };
            let mut words = line.split_ascii_whitespace();
            if words.next() != Some("bestmove") {
                continue;
            }
            // Zero where a pondering engine has answered before its time: it
            // answers for the position that is on the board now.
            let elapsed = at.saturating_duration_since(sent).saturating_sub(absence);
            if elapsed > allowed {
                // What its own clock made of an absence nobody knows.
                return Err(match question.allowed {
                    Some(_) if !absence.is_zero() => {
                        Trouble::Void(VoidCause::RunnerSuspended, absent(absence))
                    }
                    _ => late(elapsed),
                });
            }
            return Ok(Answer {
                mv: words.next().unwrap_or_default().to_owned(),
                reply: (words.next() == Some("ponder"))
                    .then(|| words.next().map(str::to_owned))
                    .flatten(),
                elapsed,
                absence,
                info: process.info(),
            });
        }
    }

    /// Ends the search in the opponent's time, if one runs, and throws its
    /// answer away: it is about a position that has not come.
    fn stop_pondering(&mut self, host: &Host, stop: &Stop) -> Result<(), Trouble> {
        if self.pondered.take().is_none() {
            return Ok(());
        }
        let patience = Duration::from_millis(host.patience.answer_ms);
        let process = running(&mut self.process)?;
        let deadline = process.send("stop")? + patience;
        while let Some((_, line)) = process.next_line(deadline, stop)? {
            if line.starts_with("bestmove") {
                return Ok(());
            }
        }
        let had = patience.as_millis();
        let why = format!("no bestmove within {had} ms of stop while it pondered");
        Err(Trouble::Fault(Reason::Stall, why))
    }
}

pub(crate) fn absent(absence: Duration) -> String {
    let ms = absence.as_millis();
    format!("the match runner was not running for {ms} ms of an engine's time")
}

/// The option by which an engine says that it can think in its opponent's time.
const PONDER: &str = "Ponder";

/// The command for a search in the opponent's time, from that for one's own.
fn pondering(go: &str) -> String {
    go.replacen("go", "go ponder", 1)
}

fn is_game(option: &str) -> bool {
    option.eq_ignore_ascii_case("game")
}

fn running(process: &mut Option<Process>) -> Result<&mut Process, Trouble> {
    process
        .as_mut()
        .ok_or_else(|| Trouble::Fault(Reason::Crash, "the process is gone".to_owned()))
}

/// Waits for `readyok`; `in_game` a `bestmove` before it is a fault.
fn ready(
    process: &mut Process,
    deadline: Instant,
    stop: &Stop,
    in_game: bool,
) -> Result<(), Trouble> {
    while let Some((_, line)) = process.next_line(deadline, stop)? {
        if line == "readyok" {
            return Ok(());
        }
        if in_game && line.starts_with("bestmove") {
            let why = format!("'{}' before go", shortened(&line));
            return Err(Trouble::Fault(Reason::PrematureMove, why));
        }
    }
    let why = "no readyok within the deadline".to_owned();
    Err(Trouble::Fault(Reason::NotReady, why))
}

/// Sends `ugi` and waits for `ugiok`; the lines that announce options, by their
/// names in lower case.
fn handshake(
    process: &mut Process,
    deadline: Instant,
    patience_ms: u64,
    stop: &Stop,
) -> Result<BTreeMap<String, String>, Trouble> {
    process.send("ugi")?;
    let mut options = BTreeMap::new();
    let mut last = None;
    while let Some((_, line)) = process.next_line(deadline, stop)? {
        if line == "ugiok" {
            return Ok(options);
        }
        if let Some(name) = option_name(&line).map(str::to_ascii_lowercase) {
            options.insert(name, line.clone());
        }
        last = Some(line);
    }
    let nothing = || "it wrote nothing".to_owned();
    let said = last.map_or_else(nothing, |line| {
        format!("its last line is {}", quoted(&line))
    });
    let why = format!("no ugiok within the deadline, {patience_ms} ms after ugi; {said}");
    Err(Trouble::Fault(Reason::NoHandshake, why))
}
