//! `totemic analyze`: a board, the lines as they deepen, and the best move.

use std::io::{self, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, ValueEnum};
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;

use super::position::{AnyPosition, on_position};
use super::values::{millis, whole};
use super::{CliResult, Failure, Global};
use crate::drawing;
use crate::engine::{HASH_MB, THREADS};
use crate::game::Side;
use crate::search::solver::Solvable;
use crate::search::{
    Bound, Classic, Control, Evaluate, Info, Limits, Memory, Report, Searcher, TimeLimit,
    think as answer,
};

/// Time of a search without any limit given.
const DEFAULT_TIME: Duration = Duration::from_secs(3);

#[derive(Args, Debug)]
pub(super) struct AnalyzeArgs {
    /// `startpos`, or a position in quotes
    #[arg(default_value = "startpos", hide_default_value = true)]
    position: String,
    /// Moves to play from the position first; all words up to the next option
    #[arg(long, num_args = 1.., value_name = "MOVE")]
    moves: Vec<String>,
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
    /// Show so many best lines, at most 256
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(1..=256u16))]
    multipv: u16,
    /// Threads that search
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
    fn limits<M>(&self) -> Limits<M> {
        let unlimited = self.depth.is_none() && self.nodes.is_none();
        let time = match self.movetime {
            Some(time) => TimeLimit::MoveTime(time),
            None if unlimited => TimeLimit::MoveTime(DEFAULT_TIME),
            None => TimeLimit::None,
        };
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            time,
            multi_pv: self.multipv.into(),
            ..Limits::default()
        }
    }
}

pub(super) fn run(global: Global, args: &AnalyzeArgs) -> CliResult {
    let position = AnyPosition::read(global, &args.position, &args.moves)?;
    on_position!(position, position => analyze(&position, args))
}

fn analyze<G: Solvable>(position: &G, args: &AnalyzeArgs) -> CliResult
where
    Classic: Evaluate<G>,
{
    if args.json {
        return write_json(position, args);
    }
    let mut out = anstream::stdout().lock();
    write!(out, "{}", drawing::draw(position, true))?;
    writeln!(out)?;
    if let Some(outcome) = position.outcome() {
        let verdict = match outcome {
            crate::game::Outcome::Draw => "a draw".to_owned(),
            crate::game::Outcome::Win(side) => format!("{} has won", G::SIDE_NAMES[side.index()]),
        };
        let [first, second] = position.standing().points;
        writeln!(out, "The game is over: {verdict}, {first} to {second}.")?;
        return Ok(());
    }
    let mut view = View::new(io::stderr().is_terminal() && io::stdout().is_terminal());
    view.header(&mut out)?;
    let mut printed = Ok(());
    let report = think(position, args, |info| {
        if printed.is_ok() {
            printed = view.show(&mut out, info);
        }
    })?;
    view.close();
    printed?;
    conclude(&mut out, position, &report)?;
    Ok(())
}

/// Searches with the table and threads asked for.
fn think<G: Solvable>(
    position: &G,
    args: &AnalyzeArgs,
    on_info: impl FnMut(&Info<G::Move>),
) -> Result<Report<G::Move>, Failure>
where
    Classic: Evaluate<G>,
{
    let count = |value: i64| usize::try_from(value).unwrap_or(1);
    let threads = NonZeroUsize::new(count(args.threads)).unwrap_or(NonZeroUsize::MIN);
    let control = Arc::new(Control::default());
    let mut memory = Memory::try_new(count(args.hash), args.searcher.into()).ok_or_else(|| {
        Failure::Work(format!(
            "there is no memory for tables of {} MiB",
            args.hash
        ))
    })?;
    Ok(answer(
        position,
        &args.limits(),
        threads,
        &mut memory,
        &Classic,
        &control,
        on_info,
    ))
}

/// A score for people: points, or the plies to a proven end.
fn score_text<M>(info: &Info<M>) -> String {
    let bound = match info.bound {
        Bound::Exact => "",
        Bound::Lower => ">=",
        Bound::Upper => "<=",
    };
    let value = match info.score.mate_plies() {
        Some(plies) if plies >= 0 => format!("win in {plies}"),
        Some(plies) => format!("loss in {}", -plies),
        None if info.proven => "draw!".to_owned(),
        None => format!("{:+.2}", f64::from(info.score.centipoints()) / 100.0),
    };
    format!("{bound}{value}")
}

/// A number of nodes in a few characters.
fn short_count(n: u64) -> String {
    match n {
        0..10_000 => n.to_string(),
        10_000..10_000_000 => format!("{}k", n / 1000),
        _ => format!("{}M", n / 1_000_000),
    }
}

fn line_text<M: std::fmt::Display>(info: &Info<M>) -> String {
    let pv: Vec<String> = info.pv.iter().map(ToString::to_string).collect();
    format!(
        "{:>5} {:>4} {:>11} {:>8} {:>8.2} {:>8}  {}",
        format!("{}/{}", info.depth, info.seldepth),
        info.multipv,
        score_text(info),
        short_count(info.nodes),
        info.time.as_secs_f64(),
        short_count(info.nps()),
        pv.join(" ")
    )
}

/// Where lines go: each on a line of its own, or redrawn in place.
enum View {
    Plain,
    Live {
        bars: MultiProgress,
        lines: Vec<ProgressBar>,
    },
}

impl View {
    fn new(terminal: bool) -> Self {
        if !terminal {
            return Self::Plain;
        }
        let target = ProgressDrawTarget::stderr();
        Self::Live {
            bars: MultiProgress::with_draw_target(target),
            lines: Vec::new(),
        }
    }

    fn header(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(
            out,
            "{:>5} {:>4} {:>11} {:>8} {:>8} {:>8}  line",
            "depth", "rank", "score", "nodes", "seconds", "nodes/s"
        )?;
        out.flush()
    }

    fn show<M: std::fmt::Display>(
        &mut self,
        out: &mut impl Write,
        info: &Info<M>,
    ) -> io::Result<()> {
        let text = line_text(info);
        match self {
            Self::Plain => {
                writeln!(out, "{text}")?;
                out.flush()
            }
            Self::Live { bars, lines } => {
                while lines.len() < info.multipv {
                    let bar = bars.add(ProgressBar::no_length());
                    bar.set_style(
                        ProgressStyle::with_template("{wide_msg}")
                            .unwrap_or_else(|_| ProgressStyle::default_spinner()),
                    );
                    lines.push(bar);
                }
                if let Some(bar) = lines.get(info.multipv - 1) {
                    bar.set_message(text);
                    bar.tick();
                }
                Ok(())
            }
        }
    }

    /// Leaves the last state of the lines on the terminal.
    fn close(&self) {
        if let Self::Live { lines, .. } = self {
            lines.iter().for_each(ProgressBar::abandon);
        }
    }
}

/// Names the move.
fn conclude<G: Solvable>(
    out: &mut impl Write,
    position: &G,
    report: &Report<G::Move>,
) -> io::Result<()> {
    writeln!(out)?;
    match report.best {
        Some(best) => writeln!(
            out,
            "Best move for {}: {best}",
            G::SIDE_NAMES[position.side().index()]
        ),
        None => writeln!(out, "No move was found."),
    }
}

/// One line of a search as JSON.
#[derive(Serialize)]
struct InfoJson {
    depth: u32,
    seldepth: u32,
    multipv: usize,
    /// Centipoints for the side to move; absent when proven.
    #[serde(skip_serializing_if = "Option::is_none")]
    cp: Option<i32>,
    /// Plies to a proven end, negative when losing.
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<i32>,
    bound: &'static str,
    proven: bool,
    nodes: u64,
    nps: u64,
    time_ms: u128,
    hashfull: u32,
    pv: Vec<String>,
}

impl InfoJson {
    fn new<M: std::fmt::Display>(info: &Info<M>) -> Self {
        let mate = info.score.mate_plies();
        Self {
            depth: info.depth,
            seldepth: info.seldepth,
            multipv: info.multipv,
            cp: mate.is_none().then(|| info.score.centipoints()),
            mate,
            bound: match info.bound {
                Bound::Exact => "exact",
                Bound::Lower => "lower",
                Bound::Upper => "upper",
            },
            proven: info.proven,
            nodes: info.nodes,
            nps: info.nps(),
            time_ms: info.time.as_millis(),
            hashfull: info.hashfull,
            pv: info.pv.iter().map(ToString::to_string).collect(),
        }
    }
}

/// The answer as JSON.
#[derive(Serialize)]
struct ReportJson {
    game: &'static str,
    position: String,
    side: &'static str,
    bestmove: Option<String>,
    ponder: Option<String>,
    nodes: u64,
    time_ms: u128,
}

fn write_json<G: Solvable>(position: &G, args: &AnalyzeArgs) -> CliResult
where
    Classic: Evaluate<G>,
{
    let mut out = io::stdout().lock();
    let mut printed: io::Result<()> = Ok(());
    let report = think(position, args, |info| {
        if printed.is_ok() {
            printed = json_line(&mut out, &InfoJson::new(info));
        }
    })?;
    printed?;
    let answer = ReportJson {
        game: G::NAME,
        position: position.to_string(),
        side: match position.side() {
            Side::First => "p1",
            Side::Second => "p2",
        },
        bestmove: report.best.map(|mv| mv.to_string()),
        ponder: report.ponder.map(|mv| mv.to_string()),
        nodes: report.nodes,
        time_ms: report.time.as_millis(),
    };
    json_line(&mut out, &answer)?;
    Ok(())
}

fn json_line(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    writeln!(out)?;
    out.flush()
}
