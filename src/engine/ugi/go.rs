//! Reading `go`: from its words to the limits of a search.

use std::time::Duration;

use super::options::Options;
use super::words::{Parameters, Word, saturated};
use crate::game::Game;
use crate::search::{Clock, Limits};

/// What a `go` asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Go<M> {
    Search(Limits<M>),
    Perft(u32),
}

/// The words that are known after `go`.
pub const PARAMETERS: &str = "depth nodes movetime p1time p2time p1inc p2inc wtime btime winc binc \
                              movestogo infinite ponder mate searchmoves perft";

/// Reads the request from a `go` line's words; also returns a remark about unknown words.
///
/// # Errors
/// What is wrong with a known parameter, or which words are unknown if nothing else says
/// how long to search. Then nothing is searched, because the search would not be the one
/// that was asked for.
pub(super) fn read_go<G: Game>(
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
    let mut rest = Parameters::of(words);
    while let Some(word) = rest.next() {
        match word.text {
            "depth" => limits.depth = Some(rest.depth(word)?),
            "mate" => limits.mate = Some(rest.count(word)?),
            "perft" => perft = Some(rest.count(word)?),
            "nodes" => limits.nodes = Some(rest.number(word, 1)?),
            "movetime" => limits.move_time = Some(rest.millis(word)?),
            "p1time" | "wtime" => left[0] = Some(rest.millis(word)?),
            "p2time" | "btime" => left[1] = Some(rest.millis(word)?),
            "p1inc" | "winc" => increment[0] = Some(rest.millis(word)?),
            "p2inc" | "binc" => increment[1] = Some(rest.millis(word)?),
            "movestogo" => moves_to_go = Some(saturated(rest.number(word, 0)?)),
            "infinite" => limits.infinite = true,
            "ponder" => limits.ponder = true,
            "searchmoves" => limits.search_moves = moves(word, &mut rest, position)?,
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
    settle(&mut limits, position);
    Ok((Go::Search(limits), remark))
}

/// Sets what follows from the limits that were given.
fn settle<G: Game>(limits: &mut Limits<G::Move>, position: &G) {
    // A result within this many plies is found at that depth, if no move is
    // left out, or not at all.
    if let Some(plies) = limits.mate {
        limits.full_width = true;
        limits.depth = Some(limits.depth.map_or(plies, |depth| depth.min(plies)));
    }
    // Without a limit, a search ends with `stop`. In a finished game there is nothing
    // to search, and a client that does not know the rules waits for the answer.
    if !limits.ponder && !limits.is_bounded() {
        match position.has_moves() {
            true => limits.infinite = true,
            false => limits.depth = Some(1),
        }
    }
}

/// What to say about unknown words.
fn remark_on(unknown: &[&Word<'_>]) -> Option<String> {
    let (first, more) = unknown.split_first()?;
    let more = match more.len() {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    Some(format!(
        "unknown parameter {first}{more}: expected one of {PARAMETERS}"
    ))
}

/// The clock of the side to move.
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
    rest: &mut Parameters<'_>,
    position: &G,
) -> Result<Vec<G::Move>, String> {
    let mut moves = Vec::new();
    while let Some(word) = rest.peek() {
        if PARAMETERS.split(' ').any(|name| name == word.text) {
            break;
        }
        let mv = position
            .read_move(word.text)
            .map_err(|why| format!("searchmoves: word {}: {why}", word.number))?;
        // A move named twice is searched once.
        if !moves.contains(&mv) {
            moves.push(mv);
        }
        rest.next();
    }
    if moves.is_empty() {
        return Err(format!("{name} has no value: expected at least one move"));
    }
    Ok(moves)
}
