//! `totemic analyze`: a board, the lines as they deepen, and the best move; or
//! many positions by lines of JSON.

mod json;
mod lines;
mod server;

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clap::{Args, ValueEnum};

use super::position::{AnyPosition, on_position};
use super::values::{millis, whole};
use super::{CliResult, Failure, Global, INTERRUPTED, stop_on_interrupt, terminal};
use crate::drawing;
use crate::engine::{Engine, HASH_MB, THREADS};
use crate::game::{Game, MAX_MOVES};
use crate::review::words::found;
use crate::search::{Evaluate, Info, Level, Limits, Odds, Report, Searchable, Searcher, TimeLimit};

/// Time of a search without any limit given.
const DEFAULT_TIME: Duration = Duration::from_secs(3);

/// Think about a position, show the best lines as they deepen, name a move
///
/// With --file it is a server: it reads a position a line (`startpos` or a
/// position, and moves after it), or a JSON object, and writes a JSON object
/// for each position as soon as it is analysed, with --threads positions side
/// by side. Fields of a request: id, game, position, moves, turns, nodes,
/// depth, movetime, multipv, moves_values, priority; or {"cancel":ID}.
///
/// `win in 7` and `loss in 4` are proofs that the game is won or lost within so
/// many plies, perhaps in fewer; `draw!` is one, too.
///
/// Exit codes: 0 done; 1 the work failed, or a line of --file was answered by
/// an error; 2 wrong usage; 130 stopped by Ctrl-C, which without --file names
/// the best move found so far (with --infinite that is the way to end: 0).
#[derive(Args, Debug)]
pub(super) struct AnalyzeArgs {
    /// `startpos`, or a position in quotes
    position: Option<String>,
    /// Moves to play from the position first; all words up to the next option
    #[arg(long, num_args = 1.., value_name = "MOVE")]
    moves: Vec<String>,
    /// Read positions or JSON requests from a file, a line each, or from stdin
    /// with `-`; answers are JSON
    #[arg(long, value_name = "FILE",
          conflicts_with_all = ["position", "moves", "infinite", "skill", "searcher"])]
    file: Option<PathBuf>,
    /// Search so many plies deep, at most 64
    #[arg(long, value_name = "PLIES", value_parser = whole(1..=64u32))]
    depth: Option<u32>,
    /// Search so many nodes
    #[arg(long, value_name = "N", value_parser = whole(1u64..))]
    nodes: Option<u64>,
    /// Think for this time, in milliseconds or as 500ms, 2s, 1m [default: 3s
    /// where no limit is given]
    #[arg(long, value_name = "TIME", value_parser = millis)]
    movetime: Option<Duration>,
    /// Think until Ctrl-C
    #[arg(long, conflicts_with_all = ["depth", "nodes", "movetime"])]
    infinite: bool,
    /// Show so many best lines, at most 896
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(1..=MAX_MOVES as u16))]
    multipv: u16,
    /// Choose the move as a weaker player, from 0 to 20, would
    #[arg(long, value_name = "LEVEL", value_parser = whole(0..=Level::FULL))]
    skill: Option<u32>,
    /// Threads that search; with --file, positions side by side
    #[arg(long, value_name = "N", default_value_t = THREADS.default, value_parser = whole(THREADS.min..=THREADS.max))]
    threads: i64,
    /// Size of the tables in MiB
    #[arg(long, value_name = "MIB", default_value_t = HASH_MB.default, value_parser = whole(HASH_MB.min..=HASH_MB.max))]
    hash: i64,
    /// Which search answers where the exact solver does not
    #[arg(long, value_enum, value_name = "NAME", default_value_t = SearcherArg::Alphabeta)]
    searcher: SearcherArg,
    /// Print one JSON object a line instead of board and table
    #[arg(long)]
    json: bool,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
enum SearcherArg {
    Alphabeta,
    Mcts,
}

impl From<SearcherArg> for Searcher {
    fn from(arg: SearcherArg) -> Self {
        match arg {
            SearcherArg::Alphabeta => Self::AlphaBeta,
            SearcherArg::Mcts => Self::Mcts,
        }
    }
}

impl AnalyzeArgs {
    /// The time asked for, or that of a search without limits.
    fn move_time(&self) -> Option<Duration> {
        let unlimited = self.depth.is_none() && self.nodes.is_none() && !self.infinite;
        self.movetime.or(unlimited.then_some(DEFAULT_TIME))
    }

    fn limits<M>(&self) -> Limits<M> {
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            time: self
                .move_time()
                .map_or(TimeLimit::None, TimeLimit::MoveTime),
            infinite: self.infinite,
            multi_pv: self.multipv.into(),
            level: self
                .skill
                .map_or_else(Level::default, |skill| Level::skill(skill, dice())),
            ..Limits::default()
        }
    }
}

/// A seed that is another one each time.
fn dice() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |time| time.as_nanos() as u64)
}

pub(super) fn run(global: Global, args: &AnalyzeArgs) -> CliResult {
    if let Some(path) = &args.file {
        return server::run(global, args, path);
    }
    let text = args.position.as_deref().unwrap_or("startpos");
    let position = AnyPosition::read(global, text, &args.moves)?;
    on_position!(position, position => analyze(&position, args))
}

fn analyze<G: Searchable>(position: &G, args: &AnalyzeArgs) -> CliResult {
    let stop = stop_on_interrupt()?;
    let mut engine = engine(args)?;
    if args.json {
        let mut out = io::stdout().lock();
        let report = think(&mut engine, position, args, &stop, |info, odds| {
            json::info(&mut out, info, odds)
        })?;
        json::report(&mut out, position, &report)?;
        return ended(args, &stop);
    }
    let mut out = anstream::stdout().lock();
    let width = terminal::width();
    let picture = drawing::draw(position, width.unwrap_or(usize::MAX), true);
    writeln!(out, "{picture}")?;
    if let Some(outcome) = position.outcome() {
        let verdict = match outcome {
            crate::game::Outcome::Draw => "a draw".to_owned(),
            crate::game::Outcome::Win(side) => format!("{} has won", G::SIDE_NAMES[side.index()]),
        };
        let [first, second] = position.standing().points;
        writeln!(out, "The game is over: {verdict}, {first} to {second}.")?;
        return Ok(());
    }
    lines::header(&mut out, width)?;
    let report = think(&mut engine, position, args, &stop, |info, odds| {
        lines::show(&mut out, info, odds, width)
    })?;
    let kind = if args.skill.is_some() {
        "Chosen"
    } else {
        "Best"
    };
    conclude(&mut out, position, &report, (engine.evaluation(), kind))?;
    ended(args, &stop)
}

/// How a command ends that Ctrl-C may have cut short.
fn ended(args: &AnalyzeArgs, stop: &AtomicBool) -> CliResult {
    if stop.load(Ordering::Relaxed) && !args.infinite {
        return Err(Failure::Code(INTERRUPTED));
    }
    Ok(())
}

/// An engine with the tables and threads asked for.
fn engine<G: Searchable>(args: &AnalyzeArgs) -> Result<Engine<G>, Failure> {
    let count = |value: i64| usize::try_from(value).unwrap_or(1);
    let mut engine = Engine::new();
    engine.set_searcher(args.searcher.into());
    engine
        .set_hash(count(args.hash))
        .map_err(|why| Failure::Work(why.to_string()))?;
    engine.set_threads(NonZeroUsize::new(count(args.threads)).unwrap_or(NonZeroUsize::MIN));
    Ok(engine)
}

/// Searches, and shows each line with its odds.
fn think<G: Searchable>(
    engine: &mut Engine<G>,
    position: &G,
    args: &AnalyzeArgs,
    stop: &AtomicBool,
    mut show: impl FnMut(&Info<G::Move>, Odds) -> io::Result<()>,
) -> Result<Report<G::Move>, Failure> {
    engine.set_position(*position);
    let eval = engine.evaluation().clone();
    // A reader that is gone wants no more of it.
    let unread = AtomicBool::new(false);
    let mut shown = Ok(());
    let report = engine.search(args.limits(), &[stop, &unread], |info| {
        if shown.is_ok() {
            shown = show(info, info.odds(position, &eval));
            unread.store(shown.is_err(), Ordering::Relaxed);
        }
    });
    shown?;
    report.ok_or_else(|| Failure::Work("the search failed".to_owned()))
}

/// Names the move, as one of some kind, and the odds.
fn conclude<G: Game, E: Evaluate<G>>(
    out: &mut impl Write,
    position: &G,
    report: &Report<G::Move>,
    (eval, kind): (&E, &str),
) -> io::Result<()> {
    writeln!(out)?;
    let Some(best) = report.best else {
        return writeln!(out, "No move was found.");
    };
    writeln!(out, "{kind} move for {}: {best}", position.side_name())?;
    match report.lines.first() {
        Some(line) => {
            let said = found(eval, position, line);
            writeln!(out, "{}", terminal::folded(&said, terminal::width()))
        }
        None => Ok(()),
    }
}
