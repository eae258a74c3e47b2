//! Players: an engine spoken to in UGI, or random moves.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use super::process::{Launch, Log, Process, Trouble};
use super::record::{Reason, SearchInfo};
use super::settings::{EngineSpec, Patience, RANDOM};
use super::stop::Stop;
use crate::game::{Game, Rng};

/// What all players of a match have in common.
#[derive(Debug)]
pub struct Hall {
    /// Name of the game.
    pub game: String,
    /// Deadlines outside of the clocks.
    pub patience: Patience,
    /// Where the logs go.
    pub log_dir: Option<PathBuf>,
    /// When the match began; logs count from there.
    pub begin: Instant,
    /// Processes started so far.
    started: AtomicU32,
}

impl Hall {
    /// A hall in which no engine has been started yet.
    #[must_use]
    pub fn new(game: &str, patience: Patience, log_dir: Option<PathBuf>) -> Self {
        Self {
            game: game.to_owned(),
            patience,
            log_dir,
            begin: Instant::now(),
            started: AtomicU32::new(0),
        }
    }

    /// A log for a new process of an engine.
    fn log(&self, name: &str) -> std::io::Result<Option<Log>> {
        let number = self.started.fetch_add(1, Ordering::Relaxed) + 1;
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
        Log::create(&dir.join(format!("{number:04}-{name}.log")), self.begin).map(Some)
    }
}

/// What a player answers to `go`.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    /// The text of its move.
    pub mv: String,
    /// Time from the last byte of the question to the answer.
    pub elapsed: Duration,
    /// What it said about it.
    pub info: SearchInfo,
}

/// What is asked of a player.
#[derive(Clone, Debug)]
pub struct Question<'a, G> {
    /// The position, for players of our own.
    pub position: &'a G,
    /// The command that sets it up.
    pub setup: &'a str,
    /// The command that asks for a move.
    pub go: &'a str,
    /// Time after which no answer counts any more; `None` when no clock
    /// limits it and only patience does.
    pub allowed: Option<Duration>,
}

/// A player.
#[derive(Debug)]
pub enum Player {
    /// A process that speaks UGI.
    Engine(Box<EnginePlayer>),
    /// Random legal moves.
    Random(Rng),
}

impl Player {
    /// A player for an engine, not started yet.
    ///
    /// # Errors
    /// A sentence when its command makes no sense.
    pub fn new(spec: &EngineSpec, hall: &Hall) -> Result<Self, String> {
        if spec.cmd == RANDOM {
            return Ok(Self::Random(Rng::new(0)));
        }
        Ok(Self::Engine(Box::new(EnginePlayer {
            launch: Launch::new(spec, &hall.game)?,
            spec: spec.clone(),
            process: None,
            played: false,
            warnings: Vec::new(),
        })))
    }

    /// Gets ready for a new game; starts the engine if need be.
    ///
    /// # Errors
    /// [`Trouble`] when it does not get ready.
    pub fn new_game(&mut self, seed: u64, hall: &Hall, stop: &Stop) -> Result<(), Trouble> {
        match self {
            Self::Random(rng) => {
                *rng = Rng::new(seed);
                Ok(())
            }
            Self::Engine(engine) => {
                let ready = engine.new_game(hall, stop);
                engine.forget_after(ready)
            }
        }
    }

    /// Asks for a move.
    ///
    /// # Errors
    /// [`Trouble`] when no valid answer comes in time.
    pub fn ask<G: Game>(
        &mut self,
        question: &Question<'_, G>,
        hall: &Hall,
        stop: &Stop,
    ) -> Result<Answer, Trouble> {
        match self {
            Self::Random(rng) => {
                let moves = question.position.moves();
                Ok(Answer {
                    mv: moves[rng.below(moves.len())].to_string(),
                    elapsed: Duration::ZERO,
                    info: SearchInfo::default(),
                })
            }
            Self::Engine(engine) => {
                let answer = engine.ask(question, hall, stop);
                engine.forget_after(answer)
            }
        }
    }

    /// Ends the engine's process, so that the next game starts a new one.
    pub fn dismiss(&mut self) {
        if let Self::Engine(engine) = self {
            engine.process = None;
        }
    }

    /// What the user should know: each thing once, but that a log has ended
    /// every time.
    pub fn take_warnings(&mut self) -> Vec<String> {
        match self {
            Self::Engine(engine) => {
                let mut warnings = std::mem::take(&mut engine.warnings);
                warnings.extend(engine.process.as_ref().and_then(Process::log_failure));
                warnings
            }
            Self::Random(_) => Vec::new(),
        }
    }

    /// Lets the engine leave in peace.
    pub fn quit(self) {
        if let Self::Engine(engine) = self
            && let Some(process) = engine.process
        {
            process.quit();
        }
    }
}

/// An engine that is started when it is needed, and again after trouble.
#[derive(Debug)]
pub struct EnginePlayer {
    spec: EngineSpec,
    launch: Launch,
    process: Option<Process>,
    played: bool,
    warnings: Vec<String>,
}

impl EnginePlayer {
    /// After trouble of any kind nobody knows what the process does: it goes.
    fn forget_after<T>(&mut self, result: Result<T, Trouble>) -> Result<T, Trouble> {
        if result.is_err() {
            self.process = None;
        }
        result
    }

    fn new_game(&mut self, hall: &Hall, stop: &Stop) -> Result<(), Trouble> {
        if self.spec.restart
            && self.played
            && let Some(process) = self.process.take()
        {
            process.quit();
        }
        self.played = true;
        if self.process.is_none() {
            self.start(hall, stop)?;
        }
        let deadline = Instant::now() + Duration::from_millis(hall.patience.answer_ms);
        let process = running(&mut self.process)?;
        process.send("uginewgame\nisready")?;
        // What an earlier game left in the pipe is of no concern here.
        ready(process, deadline, stop, Leftovers::Dropped)
    }

    /// Starts the process and speaks with it until it is ready for a game.
    fn start(&mut self, hall: &Hall, stop: &Stop) -> Result<(), Trouble> {
        let failed = |why: String| Trouble::Fault(Reason::NoHandshake, why);
        let deadline = Instant::now() + Duration::from_millis(hall.patience.startup_ms);
        let log = hall
            .log(&self.spec.name)
            .map_err(|why| failed(format!("its log cannot be written: {why}")))?;
        if let Some(dir) = &self.spec.dir
            && !Path::new(dir).is_dir()
        {
            return Err(failed(format!("dir={dir}: there is no such directory")));
        }
        let process = Process::start(&self.launch, log)
            .map_err(|why| failed(format!("cannot start '{}': {why}", self.spec.cmd)))?;
        let process = self.process.insert(process);
        let named = |trouble| match trouble {
            Trouble::Fault(reason, why) => failed(format!("{reason} ({why})")),
            Trouble::Interrupted => Trouble::Interrupted,
        };
        let announced = handshake(process, deadline, stop).map_err(named)?;
        let mut options = self.spec.options.clone();
        if announced.contains_key("game") && !options.iter().any(|(name, _)| is_game(name)) {
            options.insert(0, ("Game".to_owned(), hall.game.clone()));
        }
        for (name, value) in options {
            let objection = match announced.get(&name.to_ascii_lowercase()) {
                Some(line) => option_objection(line, &value),
                None => Some("is not announced".to_owned()),
            };
            if let Some(why) = objection {
                self.warnings.push(format!(
                    "{}: option '{name}' {why}; '{value}' is sent nevertheless",
                    self.spec.name
                ));
            }
            let line = format!("setoption name {name} value {value}");
            process.send(&line).map_err(named)?;
        }
        process.send("isready").map_err(named)?;
        ready(process, deadline, stop, Leftovers::Dropped).map_err(named)
    }

    fn ask<G: Game>(
        &mut self,
        question: &Question<'_, G>,
        hall: &Hall,
        stop: &Stop,
    ) -> Result<Answer, Trouble> {
        let patience = Duration::from_millis(hall.patience.answer_ms);
        let process = running(&mut self.process)?;
        process.send(&format!("{}\nisready", question.setup))?;
        ready(process, Instant::now() + patience, stop, Leftovers::Judged)?;
        process.forget_info();
        let sent = process.send(question.go)?;
        let allowed = question.allowed.unwrap_or(patience);
        let late = |elapsed: Duration| {
            let reason = match question.allowed {
                Some(_) => Reason::TimeForfeit,
                None => Reason::Stall,
            };
            let took = elapsed.as_secs_f64() * 1000.0;
            let had = allowed.as_secs_f64() * 1000.0;
            Trouble::Fault(reason, format!("{took:.1} ms of {had:.0} ms allowed"))
        };
        loop {
            let Some((at, line)) = process.next_line(sent + allowed, stop)? else {
                return Err(late(sent.elapsed()));
            };
            let mut words = line.split_ascii_whitespace();
            if words.next() != Some("bestmove") {
                continue;
            }
            let elapsed = at.saturating_duration_since(sent);
            if elapsed > allowed {
                return Err(late(elapsed));
            }
            return Ok(Answer {
                mv: words.next().unwrap_or_default().to_owned(),
                elapsed,
                info: process.info(),
            });
        }
    }
}

fn is_game(option: &str) -> bool {
    option.eq_ignore_ascii_case("game")
}

fn running(process: &mut Option<Process>) -> Result<&mut Process, Trouble> {
    process
        .as_mut()
        .ok_or_else(|| Trouble::Fault(Reason::Crash, "the process is gone".to_owned()))
}

/// Whether a `bestmove` before `readyok` is a fault or an old story.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Leftovers {
    Judged,
    Dropped,
}

/// Waits for `readyok`.
fn ready(
    process: &mut Process,
    deadline: Instant,
    stop: &Stop,
    leftovers: Leftovers,
) -> Result<(), Trouble> {
    while let Some((_, line)) = process.next_line(deadline, stop)? {
        if line == "readyok" {
            return Ok(());
        }
        if leftovers == Leftovers::Judged && line.starts_with("bestmove") {
            let why = format!("'{}' before go", shortened(&line));
            return Err(Trouble::Fault(Reason::PrematureMove, why));
        }
    }
    let why = "no readyok within the deadline".to_owned();
    Err(Trouble::Fault(Reason::NotReady, why))
}

/// A line of a foreign engine, short enough for a message.
pub(super) fn shortened(line: &str) -> String {
    line.chars().take(80).collect()
}

/// Sends `ugi` and waits for `ugiok`; the lines that announce options, by their
/// names in lower case.
fn handshake(
    process: &mut Process,
    deadline: Instant,
    stop: &Stop,
) -> Result<BTreeMap<String, String>, Trouble> {
    process.send("ugi")?;
    let mut options = BTreeMap::new();
    while let Some((_, line)) = process.next_line(deadline, stop)? {
        if line == "ugiok" {
            return Ok(options);
        }
        if let Some(name) = option_name(&line).map(str::to_ascii_lowercase) {
            options.insert(name, line);
        }
    }
    let why = "no ugiok within the deadline".to_owned();
    Err(Trouble::Fault(Reason::NoHandshake, why))
}

/// The name in `option name N type T …`.
pub(super) fn option_name(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("option")?.trim_start();
    let rest = rest.strip_prefix("name ")?.trim_start();
    Some(rest.find(" type ").map_or(rest, |end| &rest[..end]).trim())
}

/// Why the option that a line announces may not take a value.
fn option_objection(line: &str, value: &str) -> Option<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let behind = |word: &str| {
        let pair = words.windows(2).find(|pair| pair[0] == word);
        pair.map_or("", |pair| pair[1])
    };
    match behind("type") {
        "spin" => {
            let bound = |word| behind(word).parse::<i64>().ok();
            let number = value.parse::<i64>().ok();
            let low = number.zip(bound("min")).is_some_and(|(n, min)| n < min);
            let high = number.zip(bound("max")).is_some_and(|(n, max)| n > max);
            (number.is_none() || low || high)
                .then(|| format!("takes a number from {} to {}", behind("min"), behind("max")))
        }
        "check" if !["true", "false"].contains(&value) => Some("takes true or false".to_owned()),
        "combo" => {
            // Values may hold blanks, so the line's text is what counts.
            let (_, choices) = line.split_once(" var ")?;
            let choices = choices.split(" var ").map(str::trim);
            let known = choices.clone().any(|one| one.eq_ignore_ascii_case(value));
            (!known).then(|| format!("takes {}", choices.collect::<Vec<_>>().join(" or ")))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_outside_what_is_announced_are_named() {
        let hash = "option name Hash type spin default 64 min 1 max 1024";
        assert_eq!(option_objection(hash, "1024"), None);
        let why = option_objection(hash, "0").expect("too small");
        assert_eq!(why, "takes a number from 1 to 1024");
        assert!(option_objection(hash, "many").is_some());
        let ponder = "option name Ponder type check default false";
        assert_eq!(option_objection(ponder, "true"), None);
        assert!(option_objection(ponder, "on").is_some());
        let style = "option name Style type combo default a var a var very solid";
        assert_eq!(option_objection(style, "Very Solid"), None);
        assert_eq!(
            option_objection(style, "b").as_deref(),
            Some("takes a or very solid")
        );
        assert_eq!(option_objection("option name X type string", "b"), None);
    }

    #[test]
    fn option_names_may_hold_blanks() {
        let line = "option name Move Overhead type spin default 10 min 0 max 5000";
        assert_eq!(option_name(line), Some("Move Overhead"));
        assert_eq!(option_name("option name Clear"), Some("Clear"));
        assert_eq!(option_name("option"), None);
        assert_eq!(option_name("id name x"), None);
    }
}
