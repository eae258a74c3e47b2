//! A conversation with an engine: handshake, options, new games and questions.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use super::child::{Dialogue, Trouble};
use super::launch::Launch;
use super::log::Log;
use super::options::{option_name, option_objection};
use super::output::shortened;
use super::program::ProgramIdentity;
use super::question::MoveRequest;
use super::spec::{EngineSpec, Patience};
use totemic_engine::game::GameKind;
use totemic_engine::stop::Stop;
use totemic_engine::text::{quoted, sanitized};
use totemic_games::record::{Reason, SearchInfo};

/// The option of engines that can think during their opponent's time.
const PONDER: &str = "Ponder";

/// The most characters of an engine's own name.
const MAX_NAME: usize = 120;

/// The lines that announce options, by the options' names in lower case.
type Announced = BTreeMap<String, String>;

/// What all engines of a run have in common.
#[derive(Debug)]
pub struct RunSetup {
    /// Name of the game.
    pub game: String,
    /// Deadlines that hold where no clock runs.
    pub patience: Patience,
    /// The folder of the logs.
    pub log_dir: Option<PathBuf>,
    /// Whether engines that can ponder think during their opponents' time.
    pub ponder: bool,
    /// Whether the programs are told apart by their files, which takes a moment.
    pub hashes_programs: bool,
    /// When the run began; the times in the logs count from then.
    begin: Instant,
    /// Number of the last log.
    log_number: AtomicU32,
}

impl RunSetup {
    /// The setup of a run that has started no engine yet.
    #[must_use]
    pub fn new(game: &str, patience: Patience, log_dir: Option<PathBuf>) -> Self {
        Self {
            game: game.to_owned(),
            patience,
            log_dir,
            ponder: false,
            hashes_programs: false,
            begin: Instant::now(),
            log_number: AtomicU32::new(0),
        }
    }

    fn time_to_answer(&self) -> Duration {
        Duration::from_millis(self.patience.answer_ms)
    }

    fn create_log(&self, name: &str) -> io::Result<Option<Log>> {
        let Some(dir) = &self.log_dir else {
            return Ok(None);
        };
        let name = name.replace(|c: char| !(c.is_alphanumeric() || "-_.".contains(c)), "_");
        // An earlier run may have left logs of the same name there.
        loop {
            let number = self.log_number.fetch_add(1, Ordering::Relaxed) + 1;
            let path = dir.join(format!("{number:04}-{name}.log"));
            match Log::create(&path, self.begin) {
                Err(why) if why.kind() == io::ErrorKind::AlreadyExists => {}
                log => return log.map(Some),
            }
        }
    }
}

/// An engine's answer to `go`.
#[derive(Default)]
pub(crate) struct BestMove {
    pub mv: String,
    /// The reply that it expects: the word after `ponder`.
    pub ponder_move: Option<String>,
    /// Time from the last byte of the question to the answer, not counting `absence`.
    pub elapsed: Duration,
    /// For how long this process was suspended while it waited.
    pub absence: Duration,
    pub info: SearchInfo,
}

/// An engine that is started when it is needed, and again after trouble. Any trouble ends
/// its process, because the state of the process is unknown then: whoever talks to it takes
/// it out and puts it back only if all went well.
#[derive(Debug)]
pub(crate) struct UgiClient {
    spec: EngineSpec,
    setup: Arc<RunSetup>,
    launch: Launch,
    process: Option<ReadyProcess>,
    warnings: Vec<String>,
    identity: ProgramIdentity,
    /// The program that was started last.
    pub(crate) program: String,
}

/// A process that is ready for a game.
#[derive(Debug)]
struct ReadyProcess {
    dialogue: Dialogue,
    ponders: bool,
    /// The command that set up the position on which the engine ponders.
    pondered: Option<String>,
}

impl UgiClient {
    pub(crate) fn new(spec: &EngineSpec, setup: &Arc<RunSetup>) -> Result<Self, String> {
        Ok(Self {
            launch: Launch::new(spec, &setup.game)?,
            spec: spec.clone(),
            setup: Arc::clone(setup),
            process: None,
            warnings: Vec::new(),
            identity: ProgramIdentity::default(),
            program: String::new(),
        })
    }

    pub(crate) fn new_game(&mut self, stop: &Stop) -> Result<(), Trouble> {
        if self.spec.restart {
            self.quit();
        }
        let mut process = match self.process.take() {
            Some(process) => process,
            None => self.start(stop).map_err(|trouble| match trouble {
                Trouble::Forfeit(reason, why) if reason != Reason::NoHandshake => {
                    no_handshake(format!("{reason} ({why})"))
                }
                trouble => trouble,
            })?,
        };
        let deadline = Instant::now() + self.setup.time_to_answer();
        process.dialogue.send("uginewgame\nisready")?;
        // Lines of an earlier game that are still in the pipe do not matter here.
        wait_for_readyok(&mut process.dialogue, deadline, stop, false)?;
        self.process = Some(process);
        Ok(())
    }

    /// Asks for a move. If the engine ponders on this position, `ponderhit` is enough; if
    /// it ponders on another one, that search is stopped first.
    pub(crate) fn ask(
        &mut self,
        request: &MoveRequest<'_>,
        stop: &Stop,
    ) -> Result<BestMove, Trouble> {
        let gone = || Trouble::Forfeit(Reason::Crash, "the process is gone".to_owned());
        let mut process = self.process.take().ok_or_else(gone)?;
        let patience = self.setup.time_to_answer();
        let is_hit = process.pondered.as_deref() == Some(request.position);
        let go = if is_hit {
            process.pondered = None;
            "ponderhit"
        } else {
            process.stop_pondering(patience, stop)?;
            let dialogue = &mut process.dialogue;
            dialogue.send(&format!("{}\nisready", request.position))?;
            wait_for_readyok(dialogue, Instant::now() + patience, stop, true)?;
            dialogue.heard().info = SearchInfo::default();
            request.go
        };
        let dialogue = &mut process.dialogue;
        dialogue.take_absence();
        let sent = dialogue.send(go)?;
        let answer = wait_for_best_move(dialogue, sent, request.allowed, patience, stop)?;
        self.process = Some(process);
        Ok(answer)
    }

    /// Lets an engine that ponders think during its opponent's time. `position` sets up the
    /// position after the reply that it expects. `go` contains the limits that apply once
    /// the reply is played.
    pub(crate) fn ponder(&mut self, position: &str, go: &str) {
        if let Some(process) = self.process.as_mut().filter(|process| process.ponders) {
            process.dialogue.heard().info = SearchInfo::default();
            let go = go.replacen("go", "go ponder", 1);
            // An engine that is gone loses when it is its turn, unless the game ends before.
            let _ = process.dialogue.send(&format!("{position}\n{go}"));
            process.pondered = Some(position.to_owned());
        }
    }

    /// Stops the engine's pondering when the game is over. An engine that does not answer
    /// is killed.
    pub(crate) fn end_pondering(&mut self, stop: &Stop) {
        let patience = self.setup.time_to_answer();
        if let Some(process) = &mut self.process
            && process.stop_pondering(patience, stop).is_err()
        {
            self.process = None;
        }
    }

    /// Kills the engine's process, so that the next game starts a new one.
    pub(crate) fn kill(&mut self) {
        self.process = None;
    }

    /// Returns what the user should know. Each warning is returned once, but the failure
    /// of a log every time.
    pub(crate) fn take_warnings(&mut self) -> Vec<String> {
        let mut warnings = std::mem::take(&mut self.warnings);
        let process = self.process.as_ref();
        warnings.extend(process.and_then(|process| process.dialogue.log_failure()));
        warnings
    }

    /// Asks the process to exit, and kills it if it does not.
    pub(crate) fn quit(&mut self) {
        if let Some(process) = self.process.take() {
            process.dialogue.quit();
        }
    }

    /// Starts the process and makes it ready for a game.
    fn start(&mut self, stop: &Stop) -> Result<ReadyProcess, Trouble> {
        let patience = self.setup.patience.startup_ms;
        let deadline = Instant::now() + Duration::from_millis(patience);
        let log = (self.setup.create_log(&self.spec.name))
            .map_err(|why| Trouble::unstarted("its log cannot be written", &why))?;
        if let Some(why) = self.launch.missing_directory() {
            return Err(no_handshake(why));
        }
        let cmd = self.spec.cmd.to_string();
        let unstarted = |why| Trouble::unstarted(&format!("cannot start {}", quoted(&cmd)), &why);
        if self.setup.hashes_programs {
            (self.identity.update(&self.launch.files())).map_err(&unstarted)?;
        }
        let mut dialogue = Dialogue::start(&self.launch, log).map_err(&unstarted)?;
        let (announced, name) = handshake(&mut dialogue, deadline, patience, stop)?;
        dialogue.heard().complaint = None;
        self.program = self.identity.describe(&name);
        let (options, ponders) = self.options(&announced);
        self.set_options(&mut dialogue, options, &announced)?;
        dialogue.send("isready")?;
        wait_for_readyok(&mut dialogue, deadline, stop, false)?;
        if let Some(line) = dialogue.heard().complaint.take() {
            // The engine would not play as it was asked to, so it must not play any game of
            // the match.
            let line: String = line.chars().take(400).collect();
            let why = format!("it says '{line}'");
            return Err(Trouble::Unstarted { scarce: false, why });
        }
        Ok(ReadyProcess {
            dialogue,
            ponders,
            pondered: None,
        })
    }

    /// Returns the options to set, with those that the match needs, and whether the engine
    /// ponders then.
    fn options(&mut self, announced: &Announced) -> (Vec<(String, String)>, bool) {
        let setup = &self.setup;
        let mut options = self.spec.options.clone();
        if announced.contains_key("game") && !options.iter().any(|(name, _)| is_game(name)) {
            options.push(("Game".to_owned(), setup.game.clone()));
        }
        let is_ponder = |name: &str| name.eq_ignore_ascii_case(PONDER);
        let can_ponder = announced.contains_key(&PONDER.to_ascii_lowercase());
        if setup.ponder && !options.iter().any(|(name, _)| is_ponder(name)) {
            match can_ponder {
                true => options.push((PONDER.to_owned(), "true".to_owned())),
                false => self.warnings.push(format!(
                    "{}: option '{PONDER}' is not announced, so it will not think in its \
                     opponent's time",
                    self.spec.name
                )),
            }
        }
        let ponders = setup.ponder
            && can_ponder
            && (options.iter()).any(|(name, value)| is_ponder(name) && value == "true");
        // Other options may depend on the game.
        options.sort_by_key(|(name, _)| !is_game(name));
        (options, ponders)
    }

    fn set_options(
        &mut self,
        dialogue: &mut Dialogue,
        options: Vec<(String, String)>,
        announced: &Announced,
    ) -> Result<(), Trouble> {
        for (name, value) in options {
            let game = &self.setup.game;
            let is_other = GameKind::named(&value).is_some_and(|kind| kind.name() != game);
            if is_game(&name) && is_other {
                let why = format!("its option 'Game' is '{value}', expected '{game}'");
                return Err(no_handshake(why));
            }
            match announced.get(&name.to_ascii_lowercase()) {
                Some(line) => {
                    if let Some(why) = option_objection(line, &value) {
                        let why = format!("its option '{name}' {why}, not '{value}'");
                        return Err(no_handshake(why));
                    }
                }
                None => self.warnings.push(format!(
                    "{}: option '{name}' is not announced; sending '{value}' anyway",
                    self.spec.name
                )),
            }
            dialogue.send(&format!("setoption name {name} value {value}"))?;
        }
        Ok(())
    }
}

impl ReadyProcess {
    /// Stops the search in the opponent's time, if one runs, and drops its answer: it is
    /// about a position that was not reached.
    fn stop_pondering(&mut self, patience: Duration, stop: &Stop) -> Result<(), Trouble> {
        if self.pondered.take().is_none() {
            return Ok(());
        }
        let deadline = self.dialogue.send("stop")? + patience;
        while let Some((_, line)) = self.dialogue.next_line(deadline, stop)? {
            if line.starts_with("bestmove") {
                return Ok(());
            }
        }
        let had = patience.as_millis();
        let why = format!("no bestmove within {had} ms of stop while it pondered");
        Err(Trouble::Forfeit(Reason::Stall, why))
    }
}

fn no_handshake(why: String) -> Trouble {
    Trouble::Forfeit(Reason::NoHandshake, why)
}

fn is_game(option: &str) -> bool {
    option.eq_ignore_ascii_case("game")
}

/// Waits for `readyok`; if `in_game`, a `bestmove` before it is a fault.
fn wait_for_readyok(
    dialogue: &mut Dialogue,
    deadline: Instant,
    stop: &Stop,
    in_game: bool,
) -> Result<(), Trouble> {
    while let Some((_, line)) = dialogue.next_line(deadline, stop)? {
        if line == "readyok" {
            return Ok(());
        }
        if in_game && line.starts_with("bestmove") {
            let why = format!("'{}' before go", shortened(&line));
            return Err(Trouble::Forfeit(Reason::PrematureMove, why));
        }
    }
    let why = "no readyok within the deadline".to_owned();
    Err(Trouble::Forfeit(Reason::NotReady, why))
}

/// Sends `ugi` and waits for `ugiok`. Returns the options, and what the engine calls
/// itself.
fn handshake(
    dialogue: &mut Dialogue,
    deadline: Instant,
    patience_ms: u64,
    stop: &Stop,
) -> Result<(Announced, String), Trouble> {
    dialogue.send("ugi")?;
    let (mut options, mut name) = (Announced::new(), String::new());
    let mut last = None;
    while let Some((_, line)) = dialogue.next_line(deadline, stop)? {
        if line == "ugiok" {
            return Ok((options, name));
        }
        if let Some(own_name) = line.strip_prefix("id name ") {
            name = sanitized(own_name.trim()).chars().take(MAX_NAME).collect();
        }
        if let Some(name) = option_name(&line).map(str::to_ascii_lowercase) {
            options.insert(name, line.clone());
        }
        last = Some(line);
    }
    let nothing = || "it wrote nothing".to_owned();
    let last_line = last.map_or_else(nothing, |line| {
        format!("its last line is {}", quoted(&line))
    });
    let why = format!("no ugiok within the deadline, {patience_ms} ms after ugi; {last_line}");
    Err(no_handshake(why))
}

/// Waits for `bestmove`; `sent` is when it was asked for. Only the patience limits the
/// answer if `allowed` does not.
fn wait_for_best_move(
    dialogue: &mut Dialogue,
    sent: Instant,
    allowed: Option<Duration>,
    patience: Duration,
    stop: &Stop,
) -> Result<BestMove, Trouble> {
    let (reason, allowed) = match allowed {
        Some(allowed) => (Reason::TimeForfeit, allowed),
        None => (Reason::Stall, patience),
    };
    let late = |elapsed: Duration| {
        let [took, had] = [elapsed, allowed].map(|time| time.as_secs_f64() * 1000.0);
        Trouble::Forfeit(reason, format!("{took:.1} ms of {had:.0} ms allowed"))
    };
    let mut absence = Duration::ZERO;
    // After an absence the engine gets all of its time again.
    let mut begin = sent;
    loop {
        let line = dialogue.next_line(begin + allowed, stop)?;
        let away = dialogue.take_absence();
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
        // This is zero if a pondering engine answered before `ponderhit`: its answer is for
        // the position that is on the board now.
        let elapsed = at.saturating_duration_since(sent).saturating_sub(absence);
        if elapsed > allowed {
            // Nobody knows how an absence affected the engine's own clock.
            let is_void = reason == Reason::TimeForfeit && !absence.is_zero();
            return Err(match is_void {
                true => Trouble::suspended(absence),
                false => late(elapsed),
            });
        }
        return Ok(BestMove {
            mv: words.next().unwrap_or_default().to_owned(),
            ponder_move: (words.next() == Some("ponder"))
                .then(|| words.next().map(str::to_owned))
                .flatten(),
            elapsed,
            absence,
            info: dialogue.heard().info,
        });
    }
}
