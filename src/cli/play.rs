//! `totemic play`: a game in the terminal.
//!
//! A [`Console`] gives lines, a [`Session`] does what they say to a sheet of
//! moves and clocks, an opponent answers, an adviser is asked. Moves are read
//! forgivingly and printed in the strict form. On a terminal what is not given
//! as an option is asked; in a pipe it is asked only where there is no option at
//! all, and else takes its default. The person's clock runs while the program
//! waits for a line, and never while it works.
//!
//! A game in which the person has moved is kept after each move in a file of its
//! own, through a pipe as well, in the directory for the state of programs (Linux:
//! `~/.local/state/totemic`) or that of the environment variable
//! `TOTEMIC_STATE_DIR`, until it is over; at the next start it is offered.

mod advice;
mod clock;
mod command;
mod completion;
mod console;
mod entry;
mod files;
mod opponent;
mod playable;
mod questions;
mod session;
mod sheet;

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::position::AnyPosition;
use super::values::{millis, whole};
use super::{CliResult, Failure, Global, stop_on_interrupt};
use crate::arena::settings::RANDOM;
use crate::engine::Engine;
use crate::game::{Game, GameKind, Layout, Rng, with_game, with_position};
use crate::process::{EngineSpec, tokens};
use crate::record::TimeControl;
use crate::record::reader::PlayedGame;
use crate::search::Level;
use console::Console;
use files::Keeper;
use opponent::{Opponent, Other, Strength};
use playable::Playable;
use questions::{ask_game, ask_level, ask_side, unfinished};
use session::{Manner, Next, Session, sheet_of};
use sheet::Sheet;

/// Level where none is asked for: one that a beginner can beat.
const DEFAULT_LEVEL: u32 = 3;

/// Play a game against the engine, or any other
///
/// Moves are typed as one says them: d5e5x, D5-E5 X, d5 e5 4; in Hokito a4c6 or
/// a4xc6. Type help for the commands. What is not given is asked.
///
/// An unfinished game in which you have moved is kept and offered at the next
/// start, in the directory that TOTEMIC_STATE_DIR names, else in the system's for
/// the state of programs.
#[derive(Args, Debug)]
pub(super) struct PlayArgs {
    /// Who you are; first is the side that moves first: white in Yoxii, black in
    /// Hokito
    #[arg(long, value_enum, ignore_case = true, value_name = "SIDE")]
    side: Option<SideArg>,
    /// How well the engine plays, 0 to 20 [default: 3]
    #[arg(long, value_name = "N", value_parser = whole(0..=Level::FULL), conflicts_with = "elo")]
    level: Option<u32>,
    /// How well the engine plays, on its own scale of Elo
    #[arg(long, value_name = "ELO", value_parser = whole(Level::ELO.0..=Level::ELO.1))]
    elo: Option<u32>,
    /// A clock for both sides: time and increment, as in 5m+3s
    #[arg(long, value_name = "TIME+INC", value_parser = clock::time_control)]
    clock: Option<TimeControl>,
    /// Time of each move of the engine, as in 500ms or 2s [default: 1s]
    #[arg(long, value_name = "TIME", value_parser = millis, conflicts_with = "clock")]
    movetime: Option<Duration>,
    /// Begin at a position in quotes, or at startpos [default: the start of
    /// yoxii, a random one of hokito]
    #[arg(long, value_name = "P", conflicts_with_all = ["scattered", "seed"])]
    position: Option<String>,
    /// Hokito: all pawns spread over the whole board
    #[arg(long)]
    scattered: bool,
    /// Seed of the random start and of the moves of weak levels: the same seed,
    /// the same start
    #[arg(long, value_name = "N", value_parser = whole(0u64..))]
    seed: Option<u64>,
    /// Another engine as opponent: cmd=PROGRAM, st=, nodes= or depth=, and the
    /// other keys of match but tc=
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE", conflicts_with_all = ["level", "elo"])]
    engine: Vec<String>,
    /// Go on with the latest unfinished game, unasked
    #[arg(long, conflicts_with_all = ["fresh", "position", "scattered", "seed", "side", "level", "elo", "clock"])]
    resume: bool,
    /// Begin a new game and do not ask about unfinished ones
    #[arg(long)]
    fresh: bool,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
enum SideArg {
    First,
    Second,
    White,
    Black,
    Red,
    Both,
    None,
}

impl SideArg {
    /// The sides that are meant, or why it is no side of a game.
    fn own(self, kind: GameKind) -> Result<[bool; 2], String> {
        let name = match self {
            Self::First => return Ok([true, false]),
            Self::Second => return Ok([false, true]),
            Self::Both => return Ok([true, true]),
            Self::None => return Ok([false, false]),
            Self::White => "White",
            Self::Black => "Black",
            Self::Red => "Red",
        };
        let [first, second] = with_game!(kind, G => <G as Game>::SIDE_NAMES);
        if [first, second].contains(&name) {
            return Ok([name == first, name == second]);
        }
        let [typed, first, second] = [name, first, second].map(str::to_lowercase);
        let has_it = |it: &GameKind| {
            let names = with_game!(*it, G => <G as Game>::SIDE_NAMES);
            names.contains(&name)
        };
        let other = GameKind::ALL.into_iter().find(has_it);
        let other = other.map_or_else(String::new, |it| format!(", or --game {it}"));
        Err(format!(
            "'{typed}' is no side of {kind}: expected {first} (who is first), {second}, first, \
             second, both or none{other}"
        ))
    }
}

/// What a game is begun with.
struct Plan {
    own: [bool; 2],
    strength: Strength,
    move_time: Duration,
    engine: Option<EngineSpec>,
    dice: Rng,
}

pub(super) fn run(global: Global, args: &PlayArgs) -> CliResult {
    let given = args.given(global)?;
    let engine = args.engine()?;
    let interrupt = stop_on_interrupt()?;
    let dir = files::state_dir();
    let history = dir.as_ref().map(|dir| dir.join("history.txt"));
    let mut console = Console::open(history, interrupt)?;
    let asks = console.is_terminal || args.is_bare(global);
    let seed = args.seed.unwrap_or_else(|| RandomState::new().hash_one(0));
    let mut plan = Plan {
        own: [true, false],
        strength: args.strength(),
        move_time: args.movetime.unwrap_or(Duration::from_secs(1)),
        engine,
        dice: Rng::new(seed),
    };
    let mut keeper = Keeper::new(dir.clone(), None);
    let wanted = (given.as_ref().map(AnyPosition::kind)).or(global.game);
    let offers = args.resume || asks && !args.fresh && !args.names_a_start();
    if let Some(dir) = dir.filter(|_| offers)
        && let Some((path, game)) = unfinished(&mut console, &dir, wanted, args.resume)?
    {
        keeper = Keeper::new(Some(dir), Some(path));
        return go_on(&mut console, &mut keeper, plan, game);
    }
    let kind = match wanted {
        Some(kind) => kind,
        None if asks => ask_game(&mut console)?,
        None => GameKind::default(),
    };
    plan.own = match args.side {
        Some(side) => side
            .own(kind)
            .map_err(|why| Failure::Usage(format!("--side: {why}")))?,
        None if asks => ask_side(&mut console, kind)?,
        None => [true, false],
    };
    if asks
        && args.level.is_none()
        && args.elo.is_none()
        && plan.engine.is_none()
        && plan.own != [true; 2]
    {
        plan.strength = ask_level(&mut console)?;
    }
    let layout = if args.scattered {
        Layout::Scattered
    } else {
        Layout::Halves
    };
    let start = match given {
        Some(position) => position,
        None if args.scattered && kind != GameKind::Hokito => {
            return Err(Failure::Usage(
                "--scattered is a variant of hokito: add --game hokito".to_owned(),
            ));
        }
        None => with_game!(kind, G => {
            <G as Game>::random_start(layout, &mut plan.dice).into()
        }),
    };
    let next = with_position!(start, start => {
        begin(&mut console, &mut keeper, &plan, Sheet::new(start, args.clock))
    })?;
    match next {
        Next::Leave => Ok(()),
        Next::Open(game) => {
            keeper.leave();
            go_on(&mut console, &mut keeper, plan, *game)
        }
    }
}

impl PlayArgs {
    /// The position asked for.
    fn given(&self, global: Global) -> Result<Option<AnyPosition>, Failure> {
        let position = self.position.as_deref();
        position
            .map(|text| AnyPosition::read(global, text, &[]))
            .transpose()
    }

    fn engine(&self) -> Result<Option<EngineSpec>, Failure> {
        if self.engine.is_empty() {
            return Ok(None);
        }
        let mut spec = EngineSpec::default();
        tokens::apply_to_engine(&mut spec, &self.engine)
            .map_err(|why| Failure::Usage(format!("--engine: {why}")))?;
        if spec.cmd.is_empty() {
            let why = "--engine: expected cmd=PROGRAM".to_owned();
            return Err(Failure::Usage(why));
        }
        if spec.cmd == RANDOM {
            let why = "--engine: random plays in matches only, expected a program; \
                       or --level 0 for a beginner";
            return Err(Failure::Usage(why.to_owned()));
        }
        if spec.limits.clock.is_some() {
            let why = "--engine: tc is for matches, expected --clock instead".to_owned();
            return Err(Failure::Usage(why));
        }
        if spec.name.is_empty() {
            spec.name.clone_from(&spec.cmd);
        }
        Ok(Some(spec))
    }

    fn strength(&self) -> Strength {
        match self.elo {
            Some(elo) => Strength::Elo(elo),
            None => Strength::Level(self.level.unwrap_or(DEFAULT_LEVEL)),
        }
    }

    /// Whether a game is asked for that begins somewhere in particular.
    fn names_a_start(&self) -> bool {
        self.position.is_some() || self.scattered || self.seed.is_some()
    }

    /// Whether there is no option at all.
    fn is_bare(&self, global: Global) -> bool {
        global.game.is_none()
            && self.side.is_none()
            && self.level.or(self.elo).is_none()
            && self.clock.is_none()
            && self.movetime.is_none()
            && self.position.is_none()
            && !self.scattered
            && self.seed.is_none()
            && self.engine.is_empty()
            && !self.resume
            && !self.fresh
    }
}

/// Plays a game, and those that follow it in the same session.
fn begin<G: Playable>(
    console: &mut Console,
    keeper: &mut Keeper,
    plan: &Plan,
    sheet: Sheet<G>,
) -> Result<Next, Failure> {
    let mut dice = plan.dice.clone();
    let opponent = match &plan.engine {
        Some(spec) => {
            let started = Other::start(spec.clone(), G::NAME, plan.move_time);
            Opponent::Other(Box::new(started.map_err(Failure::Work)?))
        }
        None => Opponent::Own {
            engine: Engine::new(),
            strength: plan.strength,
            dice: Rng::new(dice.next_u64()),
        },
    };
    let own = match plan.own {
        [true, true] => "you move for both sides".to_owned(),
        [false, false] => "you watch".to_owned(),
        own => format!("you are {}", G::SIDE_NAMES[usize::from(own[1])]),
    };
    let against = match (&opponent, plan.own) {
        (_, [true, true]) => String::new(),
        (Opponent::Own { strength, .. }, _) => format!(", level {}", strength.text()),
        (Opponent::Other(_), _) => format!(", against {}", opponent.name()),
    };
    console.say(format!(
        "{}: {own}{against}. Type help for the commands.",
        G::TITLE
    ))?;
    let manner = Manner {
        own: plan.own,
        move_time: plan.move_time,
    };
    Session::new(console, keeper, sheet, manner, opponent, dice).run()
}

/// Goes on with a game that was read, and with those that are opened in turn.
fn go_on(
    console: &mut Console,
    keeper: &mut Keeper,
    mut plan: Plan,
    mut game: PlayedGame,
) -> CliResult {
    loop {
        if let Some(side) = game.tag("PlaySide")
            && let Ok(side) = SideArg::from_str(side, true)
            && let Ok(own) = side.own(game.kind)
        {
            plan.own = own;
        }
        if let Some(strength) = game.tag("PlayLevel").and_then(Strength::read) {
            plan.strength = strength;
        }
        let next = with_game!(game.kind, G => {
            let sheet = sheet_of::<G>(&game).map_err(Failure::Work)?;
            begin(console, keeper, &plan, sheet)
        })?;
        match next {
            Next::Leave => return Ok(()),
            Next::Open(other) => {
                keeper.leave();
                game = *other;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_of_all_sides_are_taken() {
        for kind in GameKind::ALL {
            let names = with_game!(kind, G => <G as Game>::SIDE_NAMES);
            let own = names.map(|name| {
                let side = SideArg::from_str(name, true).expect(name);
                side.own(kind).expect(name)
            });
            assert_eq!(own, [[true, false], [false, true]], "{kind}");
        }
    }

    #[test]
    fn a_side_of_another_game_is_told_with_that_game() {
        let why = SideArg::Black.own(GameKind::Yoxii).expect_err("no side");
        assert!(
            why.contains("'black'") && why.contains("expected white"),
            "{why}"
        );
        assert!(why.ends_with("or --game hokito"), "{why}");
    }
}
