//! Reading `go`: from its words to the limits of a search.

use std::slice::Iter;
use std::time::Duration;

use super::options::Options;
use super::words::{Word, whole_number};
use crate::game::Game;
use crate::search::{Clock, Limits, TimeLimit};

/// What a `go` asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Request<M> {
    Search(Limits<M>),
    Perft(u32),
}

/// What a `go` says besides the limits.
#[derive(Default)]
struct Given {
    move_time: Option<Duration>,
    left: [Option<Duration>; 2],
    increment: [Option<Duration>; 2],
    moves_to_go: Option<u32>,
    perft: Option<u32>,
    unknown: Vec<String>,
}

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
) -> Result<(Request<G::Move>, Option<String>), String> {
    let (mut limits, mut given) = (Limits::default(), Given::default());
    let mut rest = words.get(1..).unwrap_or_default().iter();
    while let Some(word) = rest.next() {
        given.read(&mut limits, word, &mut rest, position)?;
    }
    let unknown = given.unknown();
    let says_how_long = given.has_time() || limits.is_bounded();
    if !(says_how_long || limits.infinite || limits.ponder || given.perft.is_some()) {
        if let Some(unknown) = unknown {
            return Err(unknown);
        }
        if given.moves_to_go.is_some() {
            return Err("'movestogo' without a clock: expected 'p1time' or 'p2time', too".into());
        }
    }
    let remark = unknown.map(|unknown| format!("ignored: {unknown}"));
    if let Some(depth) = given.perft {
        return Ok((Request::Perft(depth), remark));
    }
    limits.time = match given.move_time {
        Some(time) => TimeLimit::MoveTime(time),
        None => given.clock(position)?,
    };
    // A result within this many plies is found at that depth, if no move is
    // left out, or not at all.
    if let Some(plies) = limits.mate {
        limits.full_width = true;
        limits.depth = Some(limits.depth.map_or(plies, |depth| depth.min(plies)));
    }
    limits.multi_pv = options.multi_pv;
    limits.overhead = options.overhead;
    // Without a limit, a search ends with `stop`. In a finished game there is nothing
    // to search, and a client that does not know the rules waits for the answer.
    if !limits.ponder && !limits.is_bounded() {
        match position.has_moves() {
            true => limits.infinite = true,
            false => limits.depth = Some(1),
        }
    }
    Ok((Request::Search(limits), remark))
}

impl Given {
    fn read<G: Game>(
        &mut self,
        limits: &mut Limits<G::Move>,
        word: &Word<'_>,
        rest: &mut Iter<'_, Word<'_>>,
        position: &G,
    ) -> Result<(), String> {
        match word.text {
            "depth" => limits.depth = Some(depth(word, rest)?),
            "mate" => limits.mate = Some(count(word, rest)?),
            "perft" => self.perft = Some(count(word, rest)?),
            "nodes" => limits.nodes = Some(number(word, rest, 1)? as u64),
            "movetime" => self.move_time = Some(millis(word, rest)?),
            "p1time" | "wtime" => self.left[0] = Some(millis(word, rest)?),
            "p2time" | "btime" => self.left[1] = Some(millis(word, rest)?),
            "p1inc" | "winc" => self.increment[0] = Some(millis(word, rest)?),
            "p2inc" | "binc" => self.increment[1] = Some(millis(word, rest)?),
            "movestogo" => {
                // Some clients send 0 for a time control without periods.
                let moves = number(word, rest, 0)?;
                self.moves_to_go = (moves > 0).then(|| saturated(moves));
            }
            "infinite" => limits.infinite = true,
            "ponder" => limits.ponder = true,
            "searchmoves" => limits.search_moves = moves(word, rest, position)?,
            _ => self.unknown.push(word.to_string()),
        }
        Ok(())
    }

    /// What to say about the unknown words.
    fn unknown(&self) -> Option<String> {
        let first = self.unknown.first()?;
        let more = match self.unknown.len() - 1 {
            0 => String::new(),
            n => format!(" and {n} more"),
        };
        Some(format!(
            "unknown parameter {first}{more}: expected one of {}",
            PARAMETERS.join(" ")
        ))
    }

    fn has_clock(&self) -> bool {
        (self.left, self.increment) != Default::default()
    }

    fn has_time(&self) -> bool {
        self.has_clock() || self.move_time.is_some()
    }

    fn clock<G: Game>(&self, position: &G) -> Result<TimeLimit, String> {
        if !self.has_clock() {
            return Ok(TimeLimit::None);
        }
        let side = position.side();
        let name = side.word();
        let left = self.left[side.index()].ok_or_else(|| {
            format!(
                "expected '{name}time' among clocks and increments: {name} ({}) is to move, \
                 and 'w' and 'b' stand for p1 and p2",
                position.side_name()
            )
        })?;
        Ok(TimeLimit::Clock(Clock {
            left,
            increment: self.increment[side.index()].unwrap_or_default(),
            moves_to_go: self.moves_to_go,
        }))
    }
}

/// The words that are known after `go`.
pub const PARAMETERS: &[&str] = &[
    "depth",
    "nodes",
    "movetime",
    "p1time",
    "p2time",
    "p1inc",
    "p2inc",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "infinite",
    "ponder",
    "mate",
    "searchmoves",
    "perft",
];

/// The whole number after a parameter, at least `least`.
pub(super) fn number(
    name: &Word<'_>,
    rest: &mut Iter<'_, Word<'_>>,
    least: i64,
) -> Result<i64, String> {
    let expected = match least {
        i64::MIN => format!("a whole number after '{}'", name.text),
        least => format!("a whole number of at least {least} after '{}'", name.text),
    };
    let value = rest
        .next()
        .ok_or_else(|| format!("{name} has no value: expected {expected}"))?;
    whole_number(value.text)
        .filter(|&number| number >= least)
        .ok_or_else(|| value.refused(&expected))
}

/// A depth; 0 stands for the least one, 1.
fn depth(name: &Word<'_>, rest: &mut Iter<'_, Word<'_>>) -> Result<u32, String> {
    let next = rest.as_slice().first();
    let is_zero = next.is_some_and(|word| whole_number(word.text) == Some(0));
    let plies = number(name, rest, i64::from(!is_zero))?;
    Ok(saturated(plies.max(1)))
}

fn count(name: &Word<'_>, rest: &mut Iter<'_, Word<'_>>) -> Result<u32, String> {
    number(name, rest, 1).map(saturated)
}

/// Milliseconds. A clock that has run out may be below 0, which counts as 0. Some
/// clients write fractions: what follows the point is dropped.
pub(super) fn millis(name: &Word<'_>, rest: &mut Iter<'_, Word<'_>>) -> Result<Duration, String> {
    let whole = |word: &Word<'_>| {
        let (whole, fraction) = word.text.split_once('.')?;
        let is_fraction = fraction.bytes().all(|byte| byte.is_ascii_digit());
        whole_number(whole).filter(|_| is_fraction)
    };
    let millis = match rest.as_slice().first().and_then(whole) {
        Some(millis) => {
            rest.next();
            millis
        }
        None => number(name, rest, i64::MIN)?,
    };
    Ok(Duration::from_millis(millis.try_into().unwrap_or(0)))
}

fn saturated(number: i64) -> u32 {
    number.try_into().unwrap_or(u32::MAX)
}

/// The moves after `searchmoves`, up to the next parameter: at least one,
/// and all legal.
fn moves<G: Game>(
    name: &Word<'_>,
    rest: &mut Iter<'_, Word<'_>>,
    position: &G,
) -> Result<Vec<G::Move>, String> {
    let mut moves = Vec::new();
    while let Some(word) = rest.as_slice().first() {
        if PARAMETERS.contains(&word.text) {
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
