//! Your opponent: the engine in this process, or another program.

use std::fmt::{self, Display};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use indicatif::ProgressBar;

use super::history::History;
use super::{MOVE_TIME, TerminalGame};
use crate::cli::console::Console;
use crate::cli::playable::Playable;
use crate::cli::{Failure, engines, progress};
use crate::process::{self, EngineSpec, MoveRequest, Trouble, UgiClient, go_line};
use totemic_engine::engine::Engine;
use totemic_engine::game::{Layout, Rng};
use totemic_engine::search::{Clock, Handler, Info, Level, Limits, Report};
use totemic_engine::stop::Stop;
use totemic_games::limits::MoveLimits;
use totemic_games::record::Reason;

/// Time that is lost between the engine's answer and its clock.
const OVERHEAD: Duration = Duration::from_millis(20);

/// How well the engine plays. As text it is the tag of a saved game.
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

impl Strength {
    pub(super) fn read(tag: &str) -> Option<Self> {
        let read = |text: &str| text.parse::<u32>().ok();
        Some(match tag.strip_prefix("Elo ") {
            Some(elo) => Self::Elo(read(elo)?.clamp(Level::ELO.0, Level::ELO.1)),
            None => Self::Level(read(tag)?.min(Level::FULL)),
        })
    }
}

#[derive(Clone, Debug)]
pub(super) struct Players {
    /// Which sides you play, by [`Side::index`](totemic_engine::game::Side::index).
    pub(super) own: [bool; 2],
    pub(super) strength: Strength,
    pub(super) program: Option<EngineSpec>,
    /// Time for a move where no clock runs.
    pub(super) move_time: Duration,
    pub(super) rng: Rng,
    pub(super) layout: Layout,
}

impl Players {
    pub(super) fn opponent_name(&self) -> String {
        match (&self.program, self.strength) {
            (Some(spec), _) => spec.name.clone(),
            (None, Strength::Level(Level::FULL)) => "Totemic".to_owned(),
            (None, Strength::Level(level)) => format!("Totemic level {level}"),
            (None, Strength::Elo(elo)) => format!("Totemic Elo {elo}"),
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum NoMove {
    Late,
    Failed(String),
    Interrupted,
}

pub(super) enum Opponent<G: Playable> {
    Engine(Engine<G>),
    /// Another program, with the limits of its searches.
    Program(Box<UgiClient>, MoveLimits),
}

impl<G: Playable> Opponent<G> {
    pub(super) fn start(players: &Players, stop: &Stop) -> Result<Self, Failure> {
        let Some(mut spec) = players.program.clone() else {
            return Ok(Self::Engine(Engine::new()));
        };
        if !spec.limits.is_bounded() {
            spec.limits.movetime_ms = Some(players.move_time.as_millis() as u64);
        }
        let program = engines::start(&spec, G::NAME, stop)?;
        Ok(Self::Program(Box::new(program), spec.limits))
    }
}

impl<G: Playable> TerminalGame<'_, G> {
    /// Whether you may have to wait for the opponent's move.
    pub(super) fn may_take_long(&self) -> bool {
        let players = &self.players;
        let is_slow = players.program.is_some() || players.move_time > MOVE_TIME;
        self.history.control.is_some() || is_slow
    }

    /// Returns the opponent's move, whose time is taken off its clock.
    pub(super) fn answer(&mut self) -> Result<G::Move, NoMove> {
        let (begin, is_long) = (Instant::now(), self.may_take_long());
        let (history, console) = (&mut self.history, &*self.console);
        let answer = match &mut self.opponent {
            Opponent::Engine(engine) => {
                let seed = self.players.rng.next_u64();
                let clock = history.clock().map(|clock| Clock {
                    left: clock.left(),
                    increment: Duration::from_millis(clock.control.increment_ms),
                    moves_to_go: clock.moves_to_go(),
                });
                let limits = Limits {
                    move_time: clock.is_none().then_some(self.players.move_time),
                    clock,
                    overhead: OVERHEAD,
                    level: match self.players.strength {
                        Strength::Level(level) => Level::skill(level, seed),
                        Strength::Elo(elo) => Level::elo(elo, seed),
                    },
                    ..Limits::default()
                };
                let name = G::SIDE_NAMES[history.side().index()];
                let bar = is_long.then(progress::line);
                let show = |info: &Info<G::Move>| {
                    if let Some(bar) = &bar {
                        let depth = info.depth;
                        let text = format!("{name} thinks, depth {depth}. Ctrl-C makes it move.");
                        bar.set_message(text);
                    }
                };
                let search = || think(engine, history.position(), limits, console, show).best;
                let best = catch_unwind(AssertUnwindSafe(search));
                bar.inspect(ProgressBar::finish_and_clear);
                let bug = || NoMove::Failed("a bug in the engine has ended its search".to_owned());
                best.ok().flatten().ok_or_else(bug)
            }
            Opponent::Program(program, limits) => ask(program, history, *limits, console),
        };
        match history.spend(begin.elapsed()) {
            true => answer,
            false => Err(NoMove::Late),
        }
    }
}

fn ask<G: Playable>(
    program: &mut UgiClient,
    history: &mut History<G>,
    limits: MoveLimits,
    console: &Console,
) -> Result<G::Move, NoMove> {
    let limits = MoveLimits {
        movetime_ms: limits.movetime_ms.filter(|_| history.control.is_none()),
        ..limits
    };
    let request = MoveRequest {
        position: &process::position_line(history.first_position(), history.moves()),
        go: &go_line(&limits, history.clocks, history.side()),
        allowed: history.clock().map(|clock| clock.left()),
    };
    let answer = engines::ask(program, history.position(), &request, &console.interrupt());
    answer.map(|(mv, _)| mv).map_err(|trouble| match trouble {
        // Its process is gone; another one takes its place.
        Trouble::Interrupted => match program.new_game(&Stop::new()) {
            Ok(()) => NoMove::Interrupted,
            Err(trouble) => NoMove::Failed(trouble.to_string()),
        },
        Trouble::Forfeit(Reason::TimeForfeit, _) => NoMove::Late,
        trouble => NoMove::Failed(trouble.to_string()),
    })
}

/// Searches; Ctrl-C ends it early.
pub(super) fn think<G: Playable>(
    engine: &mut Engine<G>,
    position: &G,
    limits: Limits<G::Move>,
    console: &Console,
    handler: impl Handler<G::Move>,
) -> Report<G::Move> {
    engine.set_position(*position);
    engine.search_until(limits, &console.interrupt(), handler)
}
