//! `totemic review`: judges finished games move by move.

mod input;
mod quiz;

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::console::Console;
use super::engines;
use super::files::{check_outputs, write_whole};
use super::terminal::{folded, width};
use super::values::{Machine, time, whole, whole_millis};
use super::{
    CliResult, Failure, Global, INTERRUPTED, fail_if, progress, say_errors, stop_on_interrupt,
};
use crate::process::{self, EngineSpec, MoveRequest, Trouble, UgiClient, go_line, guard};
use totemic_engine::game::{Game, with_game};
use totemic_engine::search::{Score, Searchable, Searcher};
use totemic_engine::stop::Stop;
use totemic_games::final_score::Count;
use totemic_games::limits::MoveLimits;
use totemic_games::record::PgnGame;
use totemic_games::record::notation::Notation;
use totemic_games::review::{
    Review, Step, USUAL_LIMITS, annotated, html_page, html_section, review, to_json,
};

/// Judge finished games move by move: what was better, and by how much
///
/// Reads PGN (every game in a file), match journals and lines of moves. Works backwards
/// from the end of a game. Chances are expected points of the side that moved: a win is
/// 100 %. If the exact solver knows the value before and after a move, the loss is
/// proved.
///
/// Marks, by the expected points that a move gives away: best (less than 2 %), good (less
/// than 5 %, or only points on the board), inaccuracy (5 % or more), mistake
/// (10 % or more), blunder (20 % or more); only move: the best one, where every
/// other legal move would have been a mistake. Where every move loses, none is best,
/// unless the points on the board are proved. Expected points are those between two
/// equally strong engines of 20,000 nodes a move; comebacks are likelier below level 20.
///
/// A game that cannot be read does not stop the others. The first 20 such errors
/// are printed, then the number of the rest.
///
/// Exit codes: 0 done; 1 a file or a game in it could not be read, or a file not
/// written; 2 bad arguments, such as a bad game in quotes; 130 stopped by Ctrl-C:
/// what was done by then is written.
#[derive(Args, Debug)]
pub(super) struct ReviewArgs {
    /// Files of games, `-` for stdin; or in quotes `startpos` or a position, and moves
    #[arg(required = true, value_name = "GAME")]
    games: Vec<OsString>,
    /// Only this game of the files, counted from 1
    #[arg(long, value_name = "N", value_parser = whole(1usize..))]
    game_number: Option<usize>,
    /// Time for each position, as in 2s; marks then depend on the machine
    #[arg(long, help_heading = "Limits", value_name = "TIME", value_parser = time)]
    movetime: Option<Duration>,
    /// Nodes for each position [default: 300000 unless --movetime is given]
    #[arg(long, help_heading = "Limits", value_name = "N", value_parser = whole(1u64..))]
    nodes: Option<u64>,
    #[command(flatten)]
    machine: Machine,
    /// Ask another UGI engine as well: cmd=PROGRAM and other keys
    ///
    /// cmd=PROGRAM [args=ARGS] [dir=DIR] [st=SECONDS] [nodes=N] [depth=PLIES]
    /// [option.NAME=VALUE]. Without limits it thinks as long as this one.
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    engine: Vec<String>,
    /// Print one JSON object for each game instead of text
    #[arg(long, help_heading = "Output", conflicts_with = "quiz")]
    json: bool,
    /// Write the games as PGN, with comments, marks and better lines
    #[arg(long, help_heading = "Output", value_name = "OUT")]
    pub(super) pgn: Option<PathBuf>,
    /// Write a page for a browser: a graph of the odds, boards and all moves
    #[arg(long, help_heading = "Output", value_name = "OUT")]
    pub(super) html: Option<PathBuf>,
    /// Instead of the review, ask you for better moves where somebody erred
    #[arg(long)]
    quiz: bool,
    /// Replace files that exist, but never one that is read
    #[arg(long, help_heading = "Output")]
    force: bool,
}

impl ReviewArgs {
    fn limits(&self) -> MoveLimits {
        match (self.movetime, self.nodes) {
            (None, None) => USUAL_LIMITS,
            (time, nodes) => MoveLimits {
                movetime_ms: time.map(whole_millis),
                nodes,
                ..MoveLimits::default()
            },
        }
    }

    /// Returns the other engine; without limits of its own it thinks as long as this one.
    fn second(&self, limits: &MoveLimits) -> Result<Option<EngineSpec>, Failure> {
        let no_clock = "a review has no clock; expected st=, nodes= or depth=, not tc=";
        let mut spec = engines::without_clock(&self.engine, "a program", no_clock)?;
        if let Some(spec) = spec.as_mut().filter(|spec| !spec.limits.is_bounded()) {
            (spec.limits.nodes, spec.limits.movetime_ms) = (limits.nodes, limits.movetime_ms);
        }
        Ok(spec)
    }
}

pub(super) fn run(global: Global, args: &ReviewArgs) -> CliResult {
    if args.quiz && args.games.iter().any(|game| game == "-") {
        return Err(usage!(
            "--quiz: answers come from stdin, so the games cannot; expected files"
        ));
    }
    let outputs = [("--pgn", args.pgn.as_ref()), ("--html", args.html.as_ref())];
    let limits = args.limits();
    let second = args.second(&limits)?;
    let _guard = second.as_ref().and_then(|_| guard::start());
    let mut read = Vec::from_iter(args.games.iter().map(PathBuf::from));
    read.extend(second.iter().flat_map(engines::files));
    check_outputs(&outputs, &read, args.force)?;
    let (games, unreadable) = input::read_games(global, args)?;
    say_errors(&unreadable);
    let worst = unreadable.iter().map(Failure::code).max().unwrap_or(0);
    fail_if(games.is_empty() && worst > 0, worst)?;
    let mut console = args.quiz.then(|| Console::open(None)).transpose()?;
    let reviewer = Reviewer {
        args,
        limits,
        second,
        stop: (console.as_ref())
            .map_or_else(stop_on_interrupt, |console| Ok(console.interrupt()))?,
        count: games.len(),
    };
    let (mut pgn, mut sections) = (String::new(), Vec::new());
    for (index, game) in games.iter().enumerate() {
        let goes_on = with_game!(game.kind, G => {
            let reviewed = reviewer.review::<G>(index, game, console.as_mut());
            let (done, goes_on) = match reviewed {
                // What is reviewed already is written.
                Err(Failure::Code(INTERRUPTED)) => break,
                reviewed => reviewed?,
            };
            if args.pgn.is_some() {
                pgn += &annotated(&done).to_string();
            }
            if args.html.is_some() {
                sections.push(html_section(&done));
            }
            goes_on
        });
        if reviewer.stop.is_stopped() || !goes_on {
            break;
        }
    }
    if let Some(path) = args.pgn.as_ref().filter(|_| !pgn.is_empty()) {
        write_whole(path, pgn.as_bytes(), args.force)?;
    }
    if let Some(path) = args.html.as_ref().filter(|_| !sections.is_empty()) {
        write_whole(path, html_page(&sections).as_bytes(), args.force)?;
    }
    fail_if(reviewer.stop.is_stopped(), INTERRUPTED)?;
    fail_if(worst > 0, worst)
}

struct Reviewer<'a> {
    args: &'a ReviewArgs,
    limits: MoveLimits,
    second: Option<EngineSpec>,
    stop: Stop,
    count: usize,
}

impl Reviewer<'_> {
    fn review<G: Searchable + Notation + Count>(
        &self,
        index: usize,
        game: &PgnGame,
        console: Option<&mut Console>,
    ) -> Result<(Review<G>, bool), Failure> {
        let mut engine = self.args.machine.engine(Searcher::default())?;
        // An engine that does not start should fail before hours have been spent.
        let start = |spec| engines::start(spec, G::NAME, &self.stop);
        let second = self.second.as_ref().map(start).transpose()?;
        let bar = progress::bar(0, "positions");
        if self.count > 1 {
            bar.set_prefix(format!("game {}/{} ", index + 1, self.count));
        }
        let done = review(game, &mut engine, &self.limits, &self.stop, |step| {
            // The bar would tell what a quiz asks for.
            let judged = step.judged.filter(|_| !self.args.quiz);
            progress::judged::<G>(&bar, Step { judged, ..step });
        });
        let mut done = done.map_err(|why| failure!("{why}"))?;
        if let Some(mut second) = second {
            bar.set_message(", second opinion");
            bar.set_position(0);
            done.consult(engine.evaluation(), |position| {
                bar.inc(1);
                self.ask(&mut second, position)
            });
            second.quit();
        }
        bar.finish_and_clear();
        let goes_on = match console {
            None => self.print(index, &done).map(|()| true)?,
            Some(_) if self.stop.is_stopped() => false,
            Some(console) => quiz::ask(&done, &mut engine, &self.limits, console, &self.stop)?,
        };
        Ok((done, goes_on))
    }

    /// `None` if stopped, and after an error, which is printed.
    fn ask<G: Game>(
        &self,
        client: &mut UgiClient,
        position: &G,
    ) -> Option<(G::Move, Option<Score>)> {
        let spec = self.second.as_ref().filter(|_| !self.stop.is_stopped())?;
        let request = MoveRequest {
            position: &process::position_line(position, std::iter::empty::<G::Move>()),
            go: &go_line(&spec.limits, [None; 2], position.side()),
            allowed: None,
        };
        match engines::ask(client, position, &request, &self.stop) {
            Ok(answer) => return Some(answer),
            Err(Trouble::Interrupted) => {}
            Err(why) => say!("warning: engine '{}': {why}", spec.cmd),
        }
        None
    }

    fn print<G: Count>(&self, index: usize, done: &Review<G>) -> CliResult {
        let mut out = anstream::stdout().lock();
        if self.args.json {
            writeln!(out, "{}", to_json(done))?;
        } else {
            if self.count > 1 {
                let gap = if index > 0 { "\n\n" } else { "" };
                writeln!(out, "{gap}Game {} of {}", index + 1, self.count)?;
            }
            write!(out, "{}", folded(&done.text(), width()))?;
        }
        Ok(out.flush()?)
    }
}
