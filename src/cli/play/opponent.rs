//! Who plays against the person: the engine in this process, or any other.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use super::clock::Clocks;
use super::console::Console;
use super::playable::Playable;
use super::sheet::Sheet;
use crate::engine::{Engine, Event};
use crate::game::{Game, Rng, Side};
use crate::process::{EngineSpec, Host, Patience, Question, Stop, Trouble, UgiClient};
use crate::record::Reason;
use crate::search::{Level, Limits, Report, TimeLimit};

/// How often Ctrl-C is looked for while an engine thinks.
const PULSE: Duration = Duration::from_millis(20);
/// How late a move may come, beyond twice its time, before an engine has failed.
const LATENESS: Duration = Duration::from_secs(10);
/// Time that is lost between an answer and the clock.
const OVERHEAD: Duration = Duration::from_millis(20);

/// How well the engine plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Strength {
    Level(u32),
    Elo(u32),
}

impl Strength {
    /// As a tag of a saved game has it.
    pub(super) fn text(self) -> String {
        match self {
            Self::Level(level) => level.to_string(),
            Self::Elo(elo) => format!("Elo {elo}"),
        }
    }

    pub(super) fn read(text: &str) -> Option<Self> {
        match text.strip_prefix("Elo ") {
            Some(elo) => elo.parse().ok().map(Self::Elo),
            None => text
                .parse()
                .ok()
                .filter(|&it| it <= Level::FULL)
                .map(Self::Level),
        }
    }

    fn level(self, seed: u64) -> Level {
        match self {
            Self::Level(level) => Level::skill(level, seed),
            Self::Elo(elo) => Level::elo(elo, seed),
        }
    }
}

/// What came of asking for a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Reply<M> {
    Move(M),
    /// Its time was up.
    Late,
    /// It failed, as this sentence says.
    Failed(String),
    /// Ctrl-C, and there is no move yet.
    Interrupted,
}

/// An opponent for one game.
pub(super) enum Opponent<G: Playable> {
    Own {
        engine: Engine<G>,
        strength: Strength,
        dice: Rng,
    },
    Other(Box<Other>),
}

/// An engine in a process of its own.
pub(super) struct Other {
    client: UgiClient,
    host: Host,
    spec: EngineSpec,
}

impl Other {
    /// Starts an engine. One that has a time for its move and does not keep it
    /// is not waited for as long as one that has not.
    pub(super) fn start(spec: EngineSpec, game: &str, move_time: Duration) -> Result<Self, String> {
        let limits = &spec.limits;
        let unbounded = (!limits.is_bounded()).then_some(move_time.as_millis() as u64);
        let mut patience = Patience::default();
        if let Some(ms) = limits.movetime_ms.or(unbounded) {
            patience.answer_ms = 2 * ms + LATENESS.as_millis() as u64;
        }
        let host = Host::new(game, patience, None);
        let mut client = UgiClient::new(&spec, &host)?;
        client.new_game(&host, &Stop::new()).map_err(told)?;
        Ok(Self { client, host, spec })
    }
}

fn told(trouble: Trouble) -> String {
    match trouble {
        Trouble::Fault(reason, why) => format!("{reason} ({why})"),
        Trouble::Unstarted { why, .. } => why,
        Trouble::Interrupted => "interrupted".to_owned(),
    }
}

impl<G: Playable> Opponent<G> {
    /// Its name in records.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Own {
                strength: Strength::Level(Level::FULL),
                ..
            } => "Totemic".to_owned(),
            Self::Own {
                strength: Strength::Level(level),
                ..
            } => format!("Totemic level {level}"),
            Self::Own {
                strength: Strength::Elo(elo),
                ..
            } => format!("Totemic Elo {elo}"),
            Self::Other(other) => other.spec.name.clone(),
        }
    }

    /// Its move in the game's position; what it takes is taken off its clock.
    pub(super) fn answer(
        &mut self,
        sheet: &mut Sheet<G>,
        move_time: Duration,
        console: &Console,
    ) -> Reply<G::Move> {
        let side = sheet.position().side();
        let begin = Instant::now();
        let reply = match self {
            Self::Own {
                engine,
                strength,
                dice,
            } => {
                let time = match sheet.clocks {
                    Some(clocks) => TimeLimit::Clock(clocks.for_search(side)),
                    None => TimeLimit::MoveTime(move_time),
                };
                let limits = Limits {
                    time,
                    overhead: OVERHEAD,
                    level: strength.level(dice.next_u64()),
                    ..Limits::default()
                };
                match think(engine, sheet.position(), limits, console).best {
                    Some(mv) => Reply::Move(mv),
                    None => Reply::Failed("it has no move".to_owned()),
                }
            }
            Self::Other(other) => other.answer(sheet, move_time, console),
        };
        let used = begin.elapsed();
        let clocks = sheet.clocks.as_mut();
        if clocks.is_some_and(|clocks| !clocks.spend(side, used)) {
            return Reply::Late;
        }
        reply
    }
}

impl Other {
    fn answer<G: Game>(
        &mut self,
        sheet: &Sheet<G>,
        move_time: Duration,
        console: &Console,
    ) -> Reply<G::Move> {
        let position = sheet.position();
        let moves: Vec<String> = sheet
            .made()
            .iter()
            .map(|made| made.mv.to_string())
            .collect();
        let mut setup = format!("position fen {}", sheet.start());
        if !moves.is_empty() {
            setup.push_str(" moves ");
            setup.push_str(&moves.join(" "));
        }
        let (go, allowed) = self.go(sheet.clocks, position.side(), move_time);
        let question = Question {
            setup: &setup,
            go: &go,
            allowed,
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
        match answer {
            Ok(Ok(answer)) => match position.read_move(&answer.mv) {
                Ok(mv) => Reply::Move(mv),
                Err(why) => Reply::Failed(why.to_string()),
            },
            Ok(Err(Trouble::Interrupted)) => {
                // Its process is gone; another takes its place.
                match client.new_game(host, &Stop::new()) {
                    Ok(()) => Reply::Interrupted,
                    Err(trouble) => Reply::Failed(told(trouble)),
                }
            }
            Ok(Err(Trouble::Fault(Reason::TimeForfeit, _))) => Reply::Late,
            Ok(Err(trouble)) => Reply::Failed(told(trouble)),
            Err(_) => Reply::Failed("it could not be asked".to_owned()),
        }
    }

    /// The command that asks for a move, and the time after which none counts.
    fn go(
        &self,
        clocks: Option<Clocks>,
        side: Side,
        move_time: Duration,
    ) -> (String, Option<Duration>) {
        let limits = &self.spec.limits;
        let mut go = "go".to_owned();
        let mut allowed = None;
        if let Some(clocks) = clocks {
            let [p1, p2] = clocks.left.map(|left| left.as_millis());
            let increment = clocks.for_search(side).increment.as_millis();
            go = format!("go p1time {p1} p2time {p2} p1inc {increment} p2inc {increment}");
            allowed = Some(clocks.left[side.index()]);
        } else if let Some(ms) = limits.movetime_ms {
            go = format!("{go} movetime {ms}");
        } else if !limits.is_bounded() {
            go = format!("{go} movetime {}", move_time.as_millis());
        }
        if let Some(nodes) = limits.nodes {
            go = format!("{go} nodes {nodes}");
        }
        if let Some(depth) = limits.depth {
            go = format!("{go} depth {depth}");
        }
        (go, allowed)
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
