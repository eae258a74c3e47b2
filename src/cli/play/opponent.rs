//! Who plays against you: the engine in this process, or another program.

use std::fmt::{self, Display, Write};
use std::str::FromStr;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use super::console::Console;
use super::history::{Clocks, History};
use super::playable::Playable;
use crate::engine::{Engine, Event};
use crate::game::{Game, Rng};
use crate::process::{EngineSpec, Host, Patience, Question, Stop, Trouble, UgiClient};
use crate::record::{MoveLimits, Reason};
use crate::search::{Level, Limits, Report, TimeLimit};

/// How often Ctrl-C is looked for while an engine thinks.
const PULSE: Duration = Duration::from_millis(20);
/// How late a move may come, beyond twice its time, before an engine has failed.
const LATENESS: Duration = Duration::from_secs(10);
/// Time that is lost between an answer and the clock.
const OVERHEAD: Duration = Duration::from_millis(20);

/// How well the engine plays. The text is the tag of a saved game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Strength {
    Level(u32),
    Elo(u32),
}

impl Display for Strength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Level(level) => write!(f, "{level}"),
            Self::Elo(elo) => write!(f, "Elo {elo}"),
        }
    }
}

impl FromStr for Strength {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let strength = match text.strip_prefix("Elo ") {
            Some(elo) => elo.parse().map(Self::Elo),
            None => text
                .parse()
                .map(|level: u32| Self::Level(level.min(Level::FULL))),
        };
        strength.map_err(drop)
    }
}

/// Who plays, and how.
#[derive(Clone, Debug)]
pub(super) struct Players {
    /// Which sides you play, by [`Side::index`](crate::game::Side::index).
    pub(super) own: [bool; 2],
    pub(super) strength: Strength,
    /// Another program in place of the engine.
    pub(super) program: Option<EngineSpec>,
    /// Time of a move where no clock runs.
    pub(super) move_time: Duration,
    /// For random starts and weak moves.
    pub(super) rng: Rng,
}

impl Players {
    /// The opponent's name in records.
    pub(super) fn opponent(&self) -> String {
        match (&self.program, self.strength) {
            (Some(spec), _) => spec.name.clone(),
            (None, Strength::Level(Level::FULL)) => "Totemic".to_owned(),
            (None, Strength::Level(level)) => format!("Totemic level {level}"),
            (None, Strength::Elo(elo)) => format!("Totemic Elo {elo}"),
        }
    }
}

/// Why there is no move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum NoMove {
    /// Its time was up.
    Late,
    /// It failed, as this sentence says.
    Failed(String),
    /// Ctrl-C.
    Interrupted,
}

/// An opponent for one game.
pub(super) enum Opponent<G: Playable> {
    Engine(Engine<G>),
    Program(Box<Program>),
}

impl<G: Playable> Opponent<G> {
    pub(super) fn start(players: &Players) -> Result<Self, String> {
        match &players.program {
            Some(spec) => Program::start(spec, G::NAME, players.move_time)
                .map(|program| Self::Program(Box::new(program))),
            None => Ok(Self::Engine(Engine::new())),
        }
    }

    /// Its move; what it takes is taken off its clock.
    pub(super) fn answer(
        &mut self,
        history: &mut History<G>,
        players: &mut Players,
        console: &Console,
    ) -> Result<G::Move, NoMove> {
        let begin = Instant::now();
        let answer = match self {
            Self::Engine(engine) => {
                let seed = players.rng.next_u64();
                let clock = history.clock().map(|clock| TimeLimit::Clock(*clock));
                let limits = Limits {
                    time: clock.unwrap_or(TimeLimit::MoveTime(players.move_time)),
                    overhead: OVERHEAD,
                    level: match players.strength {
                        Strength::Level(level) => Level::skill(level, seed),
                        Strength::Elo(elo) => Level::elo(elo, seed),
                    },
                    ..Limits::default()
                };
                let best = think(engine, history.position(), limits, console).best;
                best.ok_or_else(|| NoMove::Failed("it has no move".to_owned()))
            }
            Self::Program(program) => program.answer(history, console),
        };
        match history.spend(begin.elapsed()) {
            true => answer,
            false => Err(NoMove::Late),
        }
    }
}

/// An engine in a process of its own.
pub(super) struct Program {
    client: UgiClient,
    host: Host,
    limits: MoveLimits,
}

impl Program {
    /// Starts an engine. One that was given a time for its move, and does not keep it,
    /// gets less patience than one without.
    fn start(spec: &EngineSpec, game: &str, move_time: Duration) -> Result<Self, String> {
        let mut limits = spec.limits;
        if !limits.is_bounded() {
            limits.movetime_ms = Some(move_time.as_millis() as u64);
        }
        let mut patience = Patience::default();
        if let Some(ms) = limits.movetime_ms {
            patience.answer_ms = 2 * ms + LATENESS.as_millis() as u64;
        }
        let host = Host::new(game, patience, None);
        let mut client = UgiClient::new(spec, &host)?;
        client
            .new_game(&host, &Stop::new())
            .map_err(|why| why.to_string())?;
        Ok(Self {
            client,
            host,
            limits,
        })
    }

    fn answer<G: Game>(
        &mut self,
        history: &mut History<G>,
        console: &Console,
    ) -> Result<G::Move, NoMove> {
        let mut setup = format!("position fen {} moves", history.start());
        for (mv, _) in history.moves() {
            let _ = write!(setup, " {mv}");
        }
        let go = self.go(history.clocks);
        let question = Question {
            setup: setup.trim_end_matches(" moves"),
            go: &go,
            allowed: history.clock().map(|clock| clock.left),
        };
        let stop = Stop::new();
        let (client, host) = (&mut self.client, &self.host);
        let answer = std::thread::scope(|scope| {
            let asked = scope.spawn(|| client.ask(&question, host, &stop));
            while !asked.is_finished() {
                if console.is_interrupted() {
                    stop.now();
                }
                std::thread::sleep(PULSE);
            }
            asked.join()
        });
        let failed = |why: String| Err(NoMove::Failed(why));
        match answer {
            Ok(Ok(answer)) => match history.position().read_move(&answer.mv) {
                Ok(mv) => Ok(mv),
                Err(why) => failed(why.to_string()),
            },
            Ok(Err(Trouble::Interrupted)) => {
                // Its process is gone; another takes its place.
                match client.new_game(host, &Stop::new()) {
                    Ok(()) => Err(NoMove::Interrupted),
                    Err(trouble) => failed(trouble.to_string()),
                }
            }
            Ok(Err(Trouble::Fault(Reason::TimeForfeit, _))) => Err(NoMove::Late),
            Ok(Err(trouble)) => failed(trouble.to_string()),
            Err(_) => failed("it could not be asked".to_owned()),
        }
    }

    /// The command that asks for a move.
    fn go(&self, clocks: Option<Clocks>) -> String {
        let Some(clocks) = clocks else {
            return format!("go{}", self.limits.go_words());
        };
        let [p1, p2] = clocks.map(|clock| clock.left.as_millis());
        let [i1, i2] = clocks.map(|clock| clock.increment.as_millis());
        let others = MoveLimits {
            movetime_ms: None,
            ..self.limits
        };
        let others = others.go_words();
        format!("go p1time {p1} p2time {p2} p1inc {i1} p2inc {i2}{others}")
    }
}

/// What a search finds; Ctrl-C ends it early.
pub(super) fn think<G: Playable>(
    engine: &mut Engine<G>,
    position: &G,
    limits: Limits<G::Move>,
    console: &Console,
) -> Report<G::Move> {
    let (sender, events) = channel();
    engine.set_position(*position);
    engine.go(limits, move |event| {
        // The receiver may be gone when the program ends.
        let _ = sender.send(event);
    });
    loop {
        match events.recv_timeout(PULSE) {
            Ok(Event::Done(report)) => return report,
            Err(RecvTimeoutError::Timeout) if console.is_interrupted() => engine.stop(),
            _ => {}
        }
    }
}
