//! Reading `go`: from its words to the limits of a search.

use std::slice::Iter;
use std::time::Duration;

use super::options::Settings;
use super::words::{Word, whole_number};
use crate::game::Game;
use crate::search::{Clock, Limits, TimeLimit};

/// What a `go` asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Request<M> {
    /// A search.
    Search(Limits<M>),
    /// A count of move sequences of this length.
    Perft(u32),
}

/// The parameters of a `go`, as they were given.
struct Given<M> {
    limits: Limits<M>,
    move_time: Option<Duration>,
    left: [Option<Duration>; 2],
    increment: [Option<Duration>; 2],
    moves_to_go: Option<u32>,
    perft: Option<u32>,
    unknown: Vec<String>,
}

// Derived, this would ask for a default move.
impl<M> Default for Given<M> {
    fn default() -> Self {
        Self {
            limits: Limits::default(),
            move_time: None,
            left: [None; 2],
            increment: [None; 2],
            moves_to_go: None,
            perft: None,
            unknown: Vec::new(),
        }
    }
}

/// The request of a `go` line's words, and what to say of words that mean
/// nothing.
///
/// # Errors
/// What is wrong with a parameter that means something: nothing is searched
/// then, because the search would not be the one that was asked for.
pub(super) fn read_go<G: Game>(
    words: &[Word<'_>],
    position: &G,
    settings: &Settings,
) -> Result<(Request<G::Move>, Option<String>), String> {
    let mut given = Given::default();
    let mut rest = words.get(1..).unwrap_or_default().iter();
    while let Some(word) = rest.next() {
        given.read(word, &mut rest, position)?;
    }
    if given.asks_for_nothing() {
        if let Some(unknown) = given.remark() {
            return Err(unknown);
        }
        if given.moves_to_go.is_some() {
            return Err("'movestogo' without a clock: expected 'p1time' or 'p2time', too".into());
        }
    }
    let remark = given.remark().map(|unknown| format!("ignored: {unknown}"));
    let request = match given.perft {
        Some(depth) => Request::Perft(depth),
        None => Request::Search(given.into_limits(position, settings)?),
    };
    Ok((request, remark))
}

impl<M: Copy + PartialEq> Given<M> {
    /// Reads one parameter with its value.
    fn read<G: Game<Move = M>>(
        &mut self,
        word: &Word<'_>,
        rest: &mut Iter<'_, Word<'_>>,
        position: &G,
    ) -> Result<(), String> {
        let limits = &mut self.limits;
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
                // Some clients send 0 for a control without periods.
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

    /// What to say of the words that mean nothing here.
    fn remark(&self) -> Option<String> {
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

    /// Whether nothing says how long to search, nor that there is no end to it.
    fn asks_for_nothing(&self) -> bool {
        let limits = &self.limits;
        let clocks = (self.left, self.increment) != Default::default();
        let timed = clocks || self.move_time.is_some();
        let told = limits.infinite || limits.ponder || self.perft.is_some();
        !(timed || told || limits.is_bounded())
    }

    /// The limits that the parameters add up to.
    fn into_limits<G: Game<Move = M>>(
        self,
        position: &G,
        settings: &Settings,
    ) -> Result<Limits<M>, String> {
        let mut limits = self.limits;
        limits.time = match self.move_time {
            Some(time) => TimeLimit::MoveTime(time),
            None => clock(self.left, self.increment, self.moves_to_go, position)?,
        };
        // A result within so many plies is found at that depth, if no move is
        // left out, or not at all.
        if let Some(plies) = limits.mate {
            limits.full_width = true;
            limits.depth = Some(limits.depth.map_or(plies, |depth| depth.min(plies)));
        }
        limits.multi_pv = settings.multi_pv;
        limits.overhead = settings.overhead;
        // Nothing bounds it: it ends with `stop`. In a finished game there is
        // nothing to wait for, and a client without rules waits for us.
        let open = !limits.ponder && !limits.is_bounded();
        limits.infinite |= open && position.has_moves();
        Ok(limits)
    }
}

/// The words that mean something behind `go`.
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

/// The clock of the side to move.
fn clock<G: Game>(
    left: [Option<Duration>; 2],
    increment: [Option<Duration>; 2],
    moves_to_go: Option<u32>,
    position: &G,
) -> Result<TimeLimit, String> {
    if left == [None; 2] && increment == [None; 2] {
        return Ok(TimeLimit::None);
    }
    let side = position.side();
    let own = side.index();
    let name = side.word();
    let left = left[own].ok_or_else(|| {
        format!(
            "expected '{name}time' among clocks and increments: {name} ({}) is to move, \
             and 'w' and 'b' stand for p1 and p2",
            position.side_name()
        )
    })?;
    Ok(TimeLimit::Clock(Clock {
        left,
        increment: increment[own].unwrap_or_default(),
        moves_to_go,
    }))
}

/// The whole number behind a parameter, at least `least`.
fn number(name: &Word<'_>, rest: &mut Iter<'_, Word<'_>>, least: i64) -> Result<i64, String> {
    let expected = match least {
        i64::MIN => format!("a whole number behind '{}'", name.text),
        least => format!("a whole number of at least {least} behind '{}'", name.text),
    };
    let value = rest
        .next()
        .ok_or_else(|| format!("{name} has no value: expected {expected}"))?;
    whole_number(value.text)
        .filter(|&number| number >= least)
        .ok_or_else(|| value.refused(&expected))
}

/// A depth, of which 0 stands for the least there is.
fn depth(name: &Word<'_>, rest: &mut Iter<'_, Word<'_>>) -> Result<u32, String> {
    let next = rest.as_slice().first();
    let is_zero = next.is_some_and(|word| whole_number(word.text) == Some(0));
    let plies = number(name, rest, i64::from(!is_zero))?;
    Ok(saturated(plies.max(1)))
}

/// A number of plies.
fn count(name: &Word<'_>, rest: &mut Iter<'_, Word<'_>>) -> Result<u32, String> {
    number(name, rest, 1).map(saturated)
}

/// Milliseconds. A clock that has run out may show less than nothing, and
/// clients that reckon in fractions write them: what follows the point is
/// dropped.
fn millis(name: &Word<'_>, rest: &mut Iter<'_, Word<'_>>) -> Result<Duration, String> {
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

/// The moves behind `searchmoves`, up to the next parameter: at least one,
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

#[cfg(test)]
mod tests {
    use super::super::words::words;
    use super::*;
    use crate::game::{GameKind, Yoxii};

    fn read(line: &str) -> Result<Limits<<Yoxii as Game>::Move>, String> {
        let settings = Settings::new(GameKind::Yoxii);
        match read_go(&words(line), &Yoxii::start(), &settings)?.0 {
            Request::Search(limits) => Ok(limits),
            Request::Perft(depth) => Err(format!("perft {depth}")),
        }
    }

    #[test]
    fn clocks_are_those_of_the_side_to_move() {
        let limits = read("go p1time 1000 p2time 2000 p1inc 10 p2inc 20 movestogo 5");
        let clock = Clock {
            left: Duration::from_secs(1),
            increment: Duration::from_millis(10),
            moves_to_go: Some(5),
        };
        assert_eq!(limits.map(|l| l.time), Ok(TimeLimit::Clock(clock)));
        assert_eq!(
            read("go wtime 1000 btime 2000 winc 10 binc 20 movestogo 5").map(|l| l.time),
            Ok(TimeLimit::Clock(clock))
        );
        let late = read("go p1time -30").map(|l| l.time);
        let clock = Clock {
            left: Duration::ZERO,
            increment: Duration::ZERO,
            moves_to_go: None,
        };
        assert_eq!(late, Ok(TimeLimit::Clock(clock)));
        assert!(read("go p2time 1000").is_err());
    }

    #[test]
    fn nothing_bounds_a_bare_go() {
        let infinite = |line: &str| read(line).map(|limits| limits.infinite);
        assert_eq!(infinite("go"), Ok(true));
        assert_eq!(infinite("go searchmoves c5b6y"), Ok(true));
        assert_eq!(infinite("go infinite depth 3"), Ok(true));
        assert_eq!(infinite("go ponder"), Ok(false));
        for bounded in ["depth 3", "nodes 5", "mate 3", "movetime 5", "wtime 9"] {
            let limits = read(&format!("go {bounded}"));
            assert_eq!(limits.map(|l| l.is_bounded()), Ok(true), "{bounded}");
        }
    }

    #[test]
    fn bad_values_are_named_with_their_place() {
        let why = |line| read(line).expect_err("this is refused");
        assert_eq!(
            why("go depth x"),
            "'x' (word 3): expected a whole number of at least 1 behind 'depth'"
        );
        assert_eq!(
            why("go nodes"),
            "'nodes' (word 2) has no value: \
             expected a whole number of at least 1 behind 'nodes'"
        );
        assert_eq!(
            why("go movetime 1e3"),
            "'1e3' (word 3): expected a whole number behind 'movetime'"
        );
        assert!(why("go searchmoves c5b6y nonsense").starts_with("searchmoves: word 4:"));
        assert_eq!(
            why("go searchmoves depth 3"),
            "'searchmoves' (word 2) has no value: expected at least one move"
        );
        assert_eq!(why("go perft 3"), "perft 3");
    }

    #[test]
    fn a_go_that_asks_for_nothing_known_is_refused() {
        let refused = |line: &str| {
            let why = read(line).expect_err("nothing to go by");
            assert!(why.starts_with("unknown parameter"), "{line}: {why}");
        };
        refused("go detph 3");
        refused("go Depth 2");
        refused("go detph 3 searchmoves c5b6y");
        refused("go movestogo 5 please");
        let why = read("go movestogo 5").expect_err("no clock");
        assert!(why.contains("expected 'p1time'"), "{why}");
        assert!(read("go movestogo 5 depth 3").is_ok_and(|limits| limits.depth == Some(3)));
        for known in [
            "infinite",
            "ponder",
            "depth 2",
            "movetime 5",
            "p1time 9",
            "mate 3",
        ] {
            assert!(read(&format!("go please {known}")).is_ok(), "{known}");
        }
    }

    #[test]
    fn fractions_of_milliseconds_are_dropped_and_depth_0_is_1() {
        let time = |line: &str| read(line).map(|limits| limits.time);
        let of = |millis| Ok(TimeLimit::MoveTime(Duration::from_millis(millis)));
        assert_eq!(time("go movetime 100.0"), of(100));
        assert_eq!(time("go movetime 100.999 depth 3"), of(100));
        assert_eq!(time("go movetime -3.5"), of(0));
        for bad in ["1.5s", "1.-5", ".", "1..2", "1.5e3"] {
            assert!(time(&format!("go movetime {bad}")).is_err(), "{bad}");
        }
        assert_eq!(read("go depth 0").map(|limits| limits.depth), Ok(Some(1)));
        assert!(read("go depth -1").is_err());
    }

    #[test]
    fn numbers_beyond_reason_saturate() {
        let huge = "99999999999999999999999";
        let limits = read(&format!(
            "go depth {huge} nodes {huge} movetime {huge} mate {huge}"
        ));
        let limits = limits.expect("these are numbers");
        assert_eq!(limits.depth, Some(u32::MAX));
        assert_eq!(limits.nodes, Some(i64::MAX as u64));
    }
}
