//! `totemic play`: a game in the terminal.
//!
//! A [`Console`] reads lines, which are moves or [commands](command::Command). A session
//! carries them out on the [`History`] of a game, and an opponent answers. Moves are read
//! forgivingly and printed in the strict form. On a terminal the program asks for
//! everything that no option says. In a pipe it asks only if there is no option at all;
//! otherwise defaults are used. Your clock runs while the program waits for a line, and
//! never while it works.
//!
//! A game in which you have moved is kept after each move, in a file of its own, until it
//! is over. It is offered at the next start.

mod advice;
mod clock;
mod command;
mod entry;
mod history;
mod opponent;
mod questions;
mod saved_games;
mod session;

use std::time::Duration;

use clap::Args;

use super::console::Console;
use super::playable::Playable;
use super::position::read_position;
use super::values::{level, time, whole};
use super::{CliResult, Failure, Global, engines, layout, random_seed};
use crate::process::{EngineSpec, guard};
use advice::Advice;
use history::History;
use opponent::{Opponent, Players, Strength};
use questions::{ask_game, ask_level, ask_side, unfinished};
use saved_games::Keeper;
use totemic_engine::game::{
    AnyPosition, Game, GameKind, Layout, Rng, Show, with_game, with_position,
};
use totemic_engine::search::Level;
use totemic_games::limits::TimeControl;

/// Time for a move of the engine where nothing else is said.
const MOVE_TIME: Duration = Duration::from_secs(1);
/// The default level; a beginner can beat it.
const DEFAULT_LEVEL: u32 = 3;

/// Names for the sides that you play, besides those of each game.
const SIDES: [(&str, [bool; 2]); 4] = [
    ("both", [true, true]),
    ("none", [false, false]),
    ("first", [true, false]),
    ("second", [false, true]),
];

/// A game that is played here, and those who take part.
struct TerminalGame<'a, G: Playable> {
    console: &'a mut Console,
    keeper: &'a mut Keeper,
    players: &'a mut Players,
    history: History<G>,
    opponent: Opponent<G>,
    advice: Advice<G>,
    /// Whether the board has been drawn since it last changed.
    is_drawn: bool,
    is_explained: bool,
    is_paused: bool,
}

fn side_name(own: [bool; 2]) -> &'static str {
    let name = SIDES.iter().find(|(_, sides)| *sides == own);
    name.map_or("none", |(name, _)| name)
}

fn side_names(kind: GameKind) -> [String; 2] {
    with_game!(kind, G => <G as Show>::SIDE_NAMES).map(str::to_lowercase)
}

fn sides(kind: GameKind, name: &str) -> Result<[bool; 2], String> {
    let name = name.to_lowercase();
    let [first, second] = side_names(kind);
    if name == first || name == second {
        return Ok([name == first, name == second]);
    }
    if let Some((_, own)) = SIDES.iter().find(|(own_name, _)| *own_name == name) {
        return Ok(*own);
    }
    let other = (GameKind::ALL.into_iter()).find(|it| side_names(*it).contains(&name));
    let other = other.map_or_else(String::new, |it| format!(", or --game {it}"));
    Err(format!(
        "'{name}' is not a side of {kind}: expected {first} (who moves first), {second}, first, \
         second, both or none{other}"
    ))
}

/// Play a game against the engine or another program
///
/// Type moves like d5e5x, D5-E5 X or d5 e5 4; in Hokito a4c6 or a4xc6. Type help for
/// the commands. The program asks you for whatever you do not set by an option.
///
/// The program keeps an unfinished game in which you have moved, and offers it at the
/// next start. The game is in the directory that TOTEMIC_STATE_DIR names, or else in
/// the system's directory for program state.
#[derive(Args, Clone, PartialEq, Debug, Default)]
pub(super) struct PlayArgs {
    /// Your side: first (who moves first), second, both, none, or a colour
    #[arg(long, help_heading = "Players", ignore_case = true,
          value_parser = ["first", "second", "white", "black", "red", "both", "none"],
          hide_possible_values = true)]
    side: Option<String>,
    /// How well the engine plays: 0 to 20, or as in easy [default: 3]
    #[arg(long, help_heading = "Players", value_name = "LEVEL", value_parser = level,
          conflicts_with = "elo")]
    level: Option<u32>,
    /// How well the engine plays, on its own Elo scale
    #[arg(long, help_heading = "Players", value_name = "ELO",
          value_parser = whole(Level::ELO.0..=Level::ELO.1))]
    elo: Option<u32>,
    /// Both clocks: minutes, and seconds a move, as in 5+3; or 90s+1s
    #[arg(long, help_heading = "Players", value_name = "TIME+INC", value_parser = clock::read_clock)]
    clock: Option<TimeControl>,
    /// Time for each move of the engine, as in 500ms or 2s [default: 1s]
    #[arg(long, help_heading = "Players", value_name = "TIME", value_parser = time,
          conflicts_with = "clock")]
    movetime: Option<Duration>,
    /// Begin at this position, in quotes [default: startpos, in hokito a random one]
    #[arg(long, help_heading = "Start", value_name = "P",
          conflicts_with_all = ["scattered", "seed"])]
    position: Option<String>,
    /// Hokito: spread all pawns over the whole board
    #[arg(long, help_heading = "Start")]
    scattered: bool,
    /// Seed of the random start and of weak levels: the same one repeats both
    #[arg(long, help_heading = "Start", value_name = "N", value_parser = whole(0u64..))]
    seed: Option<u64>,
    /// Another engine as opponent: keys as in `totemic match`, but not tc=
    #[arg(long, help_heading = "Players", num_args = 1.., value_name = "KEY=VALUE",
          conflicts_with_all = ["level", "elo"])]
    engine: Vec<String>,
    /// Go on with the latest unfinished game without asking
    #[arg(long, help_heading = "Start",
          conflicts_with_all = ["fresh", "position", "scattered", "seed", "side", "level", "elo", "clock"])]
    resume: bool,
    /// Begin a new game and do not ask about unfinished ones
    #[arg(long, help_heading = "Start")]
    fresh: bool,
}

pub(super) fn run(global: Global, args: &PlayArgs) -> CliResult {
    let read = |text: &String| read_position(global, text, &[]);
    let position = args.position.as_ref().map(read).transpose()?;
    let program = args.program()?;
    let _guard = program.as_ref().and_then(|_| guard::start());
    let dir = saved_games::state_dir();
    let history = dir.as_ref().map(|dir| dir.join("history.txt"));
    let mut console = Console::open(history)?;
    let is_bare = global.game.is_none() && *args == PlayArgs::default();
    let asks = console.is_terminal || is_bare;
    let seed = args.seed.unwrap_or_else(random_seed);
    let mut players = Players {
        own: [true, false],
        strength: match args.elo {
            Some(elo) => Strength::Elo(elo),
            None => Strength::Level(args.level.unwrap_or(DEFAULT_LEVEL)),
        },
        program,
        move_time: args.movetime.unwrap_or(MOVE_TIME),
        rng: Rng::new(seed),
        layout: Layout::Halves,
    };
    let wanted = (position.as_ref().map(AnyPosition::kind)).or(global.game);
    let names_a_start = args.position.is_some() || args.scattered || args.seed.is_some();
    let offers = args.resume || asks && !args.fresh && !names_a_start;
    let mut keeper = Keeper { dir, path: None };
    let mut next = None;
    if let Some(dir) = keeper.dir.as_ref().filter(|_| offers) {
        let resumed = unfinished(&mut console, dir, wanted, args.resume)?;
        (keeper.path, next) = resumed.unzip();
    }
    if next.is_none() {
        let kind = set_up(args, wanted, asks.then_some(&mut console), &mut players)?;
        let start = position.unwrap_or_else(
            || with_game!(kind, G => <G as Game>::random_start(players.layout, &mut players.rng).into()),
        );
        next = with_position!(start, start => {
            let history = History::new(start, args.clock);
            session::play(&mut console, &mut keeper, &mut players, history)
        })?;
        keeper.path = None;
    }
    while let Some(game) = next {
        let own = game.tag("PlaySide").map(|name| sides(game.kind, name));
        players.own = own.and_then(Result::ok).unwrap_or(players.own);
        let strength = game.tag("PlayLevel").and_then(Strength::read);
        players.strength = strength.unwrap_or(players.strength);
        next = with_game!(game.kind, G => {
            let history = History::<G>::of_file(&game).map_err(Failure::Work)?;
            session::play(&mut console, &mut keeper, &mut players, history)
        })?;
        keeper.path = None;
    }
    Ok(())
}

/// Sets the players up for a new game; a console asks for what no option says.
fn set_up(
    args: &PlayArgs,
    wanted: Option<GameKind>,
    mut console: Option<&mut Console>,
    players: &mut Players,
) -> Result<GameKind, Failure> {
    let kind = match (wanted, &mut console) {
        (Some(kind), _) => kind,
        (None, Some(console)) => ask_game(console)?,
        (None, None) => GameKind::default(),
    };
    players.own = match (&args.side, &mut console) {
        (Some(side), _) => sides(kind, side).map_err(|why| usage!("--side: {why}"))?,
        (None, Some(console)) => ask_side(console, kind)?,
        (None, None) => [true, false],
    };
    let is_told = args.level.or(args.elo).is_some() || players.program.is_some();
    if let Some(console) = console.filter(|_| !is_told && players.own != [true; 2]) {
        players.strength = ask_level(console)?;
    }
    players.layout = layout(kind.name(), args.scattered)?;
    Ok(kind)
}

impl PlayArgs {
    fn program(&self) -> Result<Option<EngineSpec>, Failure> {
        let expected = "a program, or --level 0 for a beginner";
        let no_clock = "tc is for matches: give --clock instead";
        let mut spec = engines::without_clock(&self.engine, expected, no_clock)?;
        if let Some(spec) = spec.as_mut().filter(|spec| spec.name.is_empty()) {
            spec.name = spec.cmd.to_string();
        }
        Ok(spec)
    }
}
