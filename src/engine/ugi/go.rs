//! `go`: from its words to the limits of a search, and from its results to lines.

use std::fmt::Display;
use std::time::Duration;

use super::book::Book;
use super::options::Options;
use super::parameters::{Parameters, saturated};
use super::perft;
use super::session::GameSession;
use super::words::Word;
use crate::engine::Event;
use crate::game::{Encode, Game};
use crate::search::{Bound, Clock, Info, Limits, Odds, Report, Searchable};

/// The words that are known after `go`.
pub const GO_PARAMETERS: &str = "depth nodes movetime p1time p2time p1inc p2inc wtime btime winc binc \
                              movestogo infinite ponder mate searchmoves perft";

/// Once a search has run this long, its infos are written as they come.
const FLUSH_AFTER: Duration = Duration::from_millis(2);

#[derive(Clone, PartialEq, Eq, Debug)]
enum Go<M> {
    Search(Limits<M>),
    Perft(u32),
}

impl<G: Searchable + Encode> GameSession<G> {
    /// What `help` says about `go`.
    pub(super) const GO_HELP: &str = "\
go [depth N] [nodes N] [movetime MS] [mate PLIES] [infinite] [ponder]
   [p1time MS p2time MS p1inc MS p2inc MS movestogo N] [searchmoves M...]
                                 search and answer bestmove
go perft N                       count the sequences of N moves";

    pub(super) fn go(&mut self, words: &[Word<'_>]) {
        self.engine.stop_and_wait();
        let (go, remark) = match read_go(words, self.engine.position(), &self.options) {
            Ok(read) => read,
            Err(why) => {
                // A client that waits for an answer gets one; it says that
                // nothing was searched.
                self.out.error(&format!("'go': {why}"));
                return self.out.write_line("bestmove 0000");
            }
        };
        if let Some(remark) = remark {
            self.out.error(&format!("'go': {remark}"));
        }
        match go {
            Go::Perft(depth) => perft::begin(&mut self.engine, depth, self.out.clone()),
            Go::Search(mut limits) => {
                limits.level = self.options.level(self.dice.next_u64());
                match self.book_move(&limits) {
                    Some(mv) => self.out.write_line(format!("bestmove {mv}")),
                    None => self.search(limits),
                }
            }
        }
    }

    /// A move of the book, if it is on and the search is an ordinary one at full strength.
    fn book_move(&mut self, limits: &Limits<G::Move>) -> Option<G::Move> {
        let asks_for_more = limits.infinite
            || limits.ponder
            || limits.mate.is_some()
            || limits.multi_pv > 1
            || !limits.search_moves.is_empty();
        if !self.options.own_book || asks_for_more || !limits.level.is_full() {
            return None;
        }
        let book = self.book.get_or_init(Book::of_game::<G>);
        let moves = book.moves(self.engine.position());
        moves.get(self.dice.below(moves.len())).copied()
    }

    fn search(&mut self, limits: Limits<G::Move>) {
        self.show_limits(&limits);
        self.set_threads();
        let waits = limits.infinite || limits.ponder;
        let (out, ponder) = (self.out.clone(), self.options.ponder);
        let position = *self.engine.position();
        let eval = (self.options.show_odds).then(|| self.engine.evaluation().clone());
        (self.engine).go(limits, &self.out.gone, move |event| match event {
            Event::Info(info) => {
                let odds = eval.as_ref().map(|eval| info.odds(&position, eval));
                out.hold(&info_line(info, odds));
                // To wake a client for each info of a search that is over in a
                // millisecond would take more time than the search.
                if waits || info.time >= FLUSH_AFTER {
                    out.flush();
                }
            }
            Event::Failed(why) => out.error(&format!("'go': the search failed: {why}")),
            Event::Done(report) => out.write_line(best_move_line(&report, ponder)),
        });
    }
}

/// Reads the request from a `go` line's words; also returns a remark about unknown words.
///
/// # Errors
/// What is wrong with a known parameter, or which words are unknown if nothing else says
/// how long to search. Then nothing is searched, because the search would not be the one
/// that was asked for.
fn read_go<G: Game>(
    words: &[Word<'_>],
    position: &G,
    options: &Options,
) -> Result<(Go<G::Move>, Option<String>), String> {
    let mut limits = Limits {
        multi_pv: options.multi_pv,
        overhead: options.overhead,
        ..Limits::default()
    };
    let (mut left, mut increment) = ([None; 2], [None; 2]);
    let (mut moves_to_go, mut perft, mut unknown) = (None, None, Vec::new());
    let mut parameters = Parameters::of(words);
    while let Some(word) = parameters.next() {
        match word.text {
            "depth" => limits.depth = Some(parameters.depth(word)?),
            "mate" => limits.mate = Some(parameters.count(word)?),
            "perft" => perft = Some(parameters.count(word)?),
            "nodes" => limits.nodes = Some(parameters.number(word, 1)?),
            "movetime" => limits.move_time = Some(parameters.millis(word)?),
            "p1time" | "wtime" => left[0] = Some(parameters.millis(word)?),
            "p2time" | "btime" => left[1] = Some(parameters.millis(word)?),
            "p1inc" | "winc" => increment[0] = Some(parameters.millis(word)?),
            "p2inc" | "binc" => increment[1] = Some(parameters.millis(word)?),
            "movestogo" => moves_to_go = Some(saturated(parameters.number(word, 0)?)),
            "infinite" => limits.infinite = true,
            "ponder" => limits.ponder = true,
            "searchmoves" => limits.search_moves = moves(word, &mut parameters, position)?,
            _ => unknown.push(word),
        }
    }
    // Some clients send 0 for a time control without periods.
    let moves_to_go = moves_to_go.filter(|&moves| moves > 0);
    let unknown = remark_on(&unknown);
    let has_clock = (left, increment) != Default::default();
    let is_limited = has_clock || limits.is_bounded() || perft.is_some();
    if !(is_limited || limits.infinite || limits.ponder) {
        if let Some(unknown) = unknown {
            return Err(unknown);
        }
        if moves_to_go.is_some() {
            return Err("'movestogo' without a clock: expected 'p1time' or 'p2time', too".into());
        }
    }
    let remark = unknown.map(|unknown| format!("ignored: {unknown}"));
    if let Some(depth) = perft {
        return Ok((Go::Perft(depth), remark));
    }
    if has_clock && limits.move_time.is_none() {
        limits.clock = Some(clock(position, left, increment, moves_to_go)?);
    }
    if let Some(plies) = limits.mate {
        limits = limits.with_mate(plies);
    }
    set_end(&mut limits, position);
    Ok((Go::Search(limits), remark))
}

/// Sets what ends a search that nothing limits.
fn set_end<G: Game>(limits: &mut Limits<G::Move>, position: &G) {
    // Without a limit, a search ends with `stop`. In a finished game there is nothing
    // to search, and a client that does not know the rules waits for the answer.
    if !limits.ponder && !limits.is_bounded() {
        match position.has_moves() {
            true => limits.infinite = true,
            false => limits.depth = Some(1),
        }
    }
}

fn remark_on(unknown: &[&Word<'_>]) -> Option<String> {
    let (first, more) = unknown.split_first()?;
    let more = match more.len() {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    Some(format!(
        "unknown parameter {first}{more}: expected one of {GO_PARAMETERS}"
    ))
}

fn clock<G: Game>(
    position: &G,
    left: [Option<Duration>; 2],
    increment: [Option<Duration>; 2],
    moves_to_go: Option<u32>,
) -> Result<Clock, String> {
    let side = position.side();
    let name = side.word();
    let left = left[side.index()].ok_or_else(|| {
        format!(
            "expected '{name}time' among clocks and increments: {name} ({}) is to move, \
             and 'w' and 'b' stand for p1 and p2",
            position.side_name()
        )
    })?;
    Ok(Clock {
        left,
        increment: increment[side.index()].unwrap_or_default(),
        moves_to_go,
    })
}

/// The moves after `searchmoves`, up to the next parameter: at least one,
/// and all legal.
fn moves<G: Game>(
    name: &Word<'_>,
    parameters: &mut Parameters<'_>,
    position: &G,
) -> Result<Vec<G::Move>, String> {
    let mut moves = Vec::new();
    while let Some(word) = parameters.peek() {
        if GO_PARAMETERS.split(' ').any(|name| name == word.text) {
            break;
        }
        let mv = position
            .read_move(word.text)
            .map_err(|why| format!("searchmoves: word {}: {why}", word.number))?;
        // A move named twice is searched once.
        if !moves.contains(&mv) {
            moves.push(mv);
        }
        parameters.next();
    }
    if moves.is_empty() {
        return Err(format!("{name} has no value: expected at least one move"));
    }
    Ok(moves)
}

fn info_line<M: Display>(info: &Info<M>, odds: Option<Odds>) -> String {
    let bound = match info.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    };
    let odds = odds.map_or(String::new(), |Odds { win, draw, loss }| {
        format!(" wdl {win} {draw} {loss}")
    });
    let mut line = format!(
        "info depth {} seldepth {} multipv {} score {}{bound}{odds} nodes {} nps {} hashfull {} time {}",
        info.depth,
        info.seldepth,
        info.multipv,
        info.score,
        info.nodes,
        info.nps(),
        info.hashfull,
        info.time.as_millis(),
    );
    if !info.pv.is_empty() {
        line.push_str(" pv");
    }
    for mv in &info.pv {
        line.push_str(&format!(" {mv}"));
    }
    line
}

/// The answer of a search: two words, or four if pondering is on and a reply is known.
fn best_move_line<M: Display>(report: &Report<M>, ponder: bool) -> String {
    match (&report.best, &report.ponder) {
        (None, _) => "bestmove 0000".to_owned(),
        (Some(best), Some(reply)) if ponder => format!("bestmove {best} ponder {reply}"),
        (Some(best), _) => format!("bestmove {best}"),
    }
}
