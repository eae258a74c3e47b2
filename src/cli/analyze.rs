//! `totemic analyze`: shows a board, the lines as they deepen, and the best move; or
//! analyses many positions, with answers as lines of JSON.

mod infos;

use std::fmt::Display;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde_json::json;

use super::position::read_position;
use super::values::{Machine, level, time, whole, whole_millis};
use super::{
    CliResult, Failure, Global, INTERRUPTED, fail_if, files, random_seed, stop_on_interrupt,
    terminal,
};
use crate::analysis::{Options, info_json, serve};
use totemic_engine::drawing;
use totemic_engine::game::{MAX_MOVES, with_position};
use totemic_engine::search::{Info, Level, Limits, Odds, Searchable, Searcher};
use totemic_engine::text::quoted_path;
use totemic_games::final_score::{Count, verdict};
use totemic_games::limits::MoveLimits;
use totemic_games::odds_in_words;

const DEFAULT_TIME: Duration = Duration::from_secs(3);

/// Search a position, and show its best lines and best move
///
/// With --file it works as a server: it reads one request per line, which is a
/// position or `startpos`, with or without moves after it, or a JSON object. It
/// analyses --threads positions at the same time and writes a JSON object for each as
/// soon as it is done. Fields of a request: id, game, position, moves, turns, nodes,
/// depth, movetime, multipv, moves_values, priority; or {"cancel":ID}.
///
/// `win in 7` and `loss in 4` are proofs that the game is won or lost in at most that
/// many plies; `draw!` is a proved draw. `chances` are the expected score of the side
/// to move between two equally strong engines of 20,000 nodes a move; comebacks are
/// likelier below level 20.
///
/// Exit codes: 0 done; 1 the work failed, or a line of --file was answered with an error;
/// 2 bad arguments; 130 stopped by Ctrl-C. Without --file, Ctrl-C still prints the best
/// move found so far; with --infinite, it is the way to stop, and the code is 0.
#[derive(Args, Debug)]
#[command(mut_arg("threads", |arg| {
    arg.help("Number of threads; with --file, of positions at the same time")
}))]
pub(super) struct AnalyzeArgs {
    /// `startpos`, or a position in quotes
    position: Option<String>,
    /// Moves to play from the position first: all words up to the next option
    #[arg(long, num_args = 1.., value_name = "MOVE")]
    moves: Vec<String>,
    /// Read positions or JSON requests, one a line, `-` for stdin; write JSON
    #[arg(long, value_name = "FILE",
          conflicts_with_all = ["position", "moves", "infinite", "level", "searcher"])]
    file: Option<PathBuf>,
    /// Depth of the search, at most 64
    #[arg(long, help_heading = "Limits", value_name = "PLIES", value_parser = whole(1..=64u32))]
    depth: Option<u32>,
    /// Number of nodes to search
    #[arg(long, help_heading = "Limits", value_name = "N", value_parser = whole(1u64..))]
    nodes: Option<u64>,
    /// Time to search, as in 500ms, 2s, 1m [default: 3s without other limits]
    #[arg(long, help_heading = "Limits", value_name = "TIME", value_parser = time)]
    movetime: Option<Duration>,
    /// Search until Ctrl-C
    #[arg(long, help_heading = "Limits", conflicts_with_all = ["depth", "nodes", "movetime"])]
    infinite: bool,
    /// Number of best lines to show, at most 896
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(1..=MAX_MOVES as u16))]
    multipv: u16,
    /// How well to choose the move: 0 to 20, or a word such as easy, strong
    #[arg(long, help_heading = "Limits", alias = "skill", value_name = "LEVEL",
          value_parser = level)]
    level: Option<u32>,
    #[command(flatten)]
    machine: Machine,
    /// What answers if the solver does not: alphabeta, mcts
    #[arg(long, help_heading = "Machine", value_parser = searcher(), value_name = "NAME",
          hide_possible_values = true, default_value = "alphabeta")]
    searcher: Searcher,
    /// Print JSON objects, one per line, instead of a board and a table
    #[arg(long, help_heading = "Output")]
    json: bool,
}

fn searcher() -> impl TypedValueParser<Value = Searcher> {
    let names = PossibleValuesParser::new(Searcher::ALL.map(Searcher::name));
    names.map(|name| Searcher::named(&name).unwrap_or_default())
}

impl AnalyzeArgs {
    fn move_limits(&self) -> MoveLimits {
        let unlimited = self.depth.is_none() && self.nodes.is_none() && !self.infinite;
        let time = self.movetime.or(unlimited.then_some(DEFAULT_TIME));
        MoveLimits {
            depth: self.depth,
            nodes: self.nodes,
            movetime_ms: time.map(whole_millis),
            ..MoveLimits::default()
        }
    }

    fn limits<M>(&self) -> Limits<M> {
        Limits {
            infinite: self.infinite,
            multi_pv: self.multipv.into(),
            level: Level::skill(self.level.unwrap_or(Level::FULL), random_seed()),
            ..self.move_limits().into()
        }
    }
}

pub(super) fn run(global: Global, args: &AnalyzeArgs) -> CliResult {
    if let Some(path) = &args.file {
        return answer_requests(global, args, path);
    }
    let text = args.position.as_deref().unwrap_or("startpos");
    let position = read_position(global, text, &args.moves)?;
    with_position!(position, position => analyze(&position, args))
}

fn answer_requests(global: Global, args: &AnalyzeArgs, path: &Path) -> CliResult {
    let input = files::Input::open(path, "a file of positions or requests")?;
    let options = Options {
        game: global.kind(),
        limits: args.move_limits(),
        multi_pv: args.multipv.into(),
        threads: args.machine.threads,
        hash_mb: args.machine.hash,
    };
    let stop = stop_on_interrupt()?;
    let served = serve(input, io::stdout(), &options, &stop);
    let done = served.map_err(Failure::of_server)?;
    fail_if(done.stopped, INTERRUPTED)?;
    if done.positions + done.failed == 0 {
        say!("{}: there is no position", quoted_path(path));
    }
    fail_if(done.failed > 0, 1)
}

fn analyze<G: Searchable + Count>(position: &G, args: &AnalyzeArgs) -> CliResult {
    let stop = stop_on_interrupt()?;
    let mut engine = args.machine.engine(args.searcher)?;
    engine.set_position(*position);
    let eval = engine.evaluation().clone();
    let mut out = anstream::stdout().lock();
    let width = terminal::width();
    if !args.json {
        let picture = drawing::draw(position, width.unwrap_or(usize::MAX), true);
        writeln!(out, "{picture}")?;
        if let Some(verdict) = verdict(position) {
            writeln!(out, "The game is over. {verdict}")?;
            return Ok(());
        }
        infos::header(&mut out, width)?;
    }
    // If nobody reads, there is no reason to go on searching.
    let searching = stop.child();
    let mut shown = Ok(());
    let report = engine.search_until(args.limits(), &searching, |info: &Info<_>| {
        if shown.is_ok() {
            let odds = info.odds(position, &eval);
            shown = match args.json {
                true => write_json(&mut out, info, odds),
                false => infos::show(&mut out, info, odds, width),
            };
            if shown.is_err() {
                searching.now();
            }
        }
    });
    shown?;
    if args.json {
        let answer = json!({
            "game": G::NAME,
            "position": position.to_string(),
            "side": position.side().word(),
            "bestmove": report.best.map(|mv| mv.to_string()),
            "ponder": report.ponder.map(|mv| mv.to_string()),
            "nodes": report.nodes,
            "time_ms": report.time.as_millis() as u64,
        });
        writeln!(out, "{answer}")?;
    } else if let Some(best) = report.best {
        let kind = args.level.map_or("Best", |_| "Chosen");
        writeln!(out, "\n{kind} move for {}: {best}", position.side_name())?;
        if let Some(info) = report.infos.first() {
            let result = odds_in_words::result(&eval, position, info);
            writeln!(out, "{}", terminal::folded(&result, width))?;
        }
    } else {
        writeln!(out, "\nNo move was found.")?;
    }
    fail_if(stop.is_stopped() && !args.infinite, INTERRUPTED)
}

fn write_json<M: Display>(out: &mut impl Write, info: &Info<M>, odds: Odds) -> io::Result<()> {
    let mut json = info_json(info, odds);
    json["seldepth"] = info.seldepth.into();
    json["odds"] = json!(odds);
    json["nodes"] = info.nodes.into();
    json["nps"] = info.nps().into();
    json["time_ms"] = (info.time.as_millis() as u64).into();
    json["hashfull"] = info.hashfull.into();
    writeln!(out, "{json}")
}
