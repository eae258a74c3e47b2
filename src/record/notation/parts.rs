//! The parts of a move that a text names: squares, and at most a value.

use std::fmt;

use super::Notation;
use crate::game::{Cell, Cells};

/// What may stand between the parts of a move.
const SEPARATORS: &str = " \t-,;:.=>/()+×→–";
/// Squares of a move, in both games; the value stands behind them.
const SQUARES: usize = 2;

/// A square or a value's mark.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    Square(Cell),
    Mark(char),
}

impl Part {
    fn is_mark(self) -> bool {
        matches!(self, Self::Mark(_))
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Square(cell) => cell.fmt(f),
            Self::Mark(mark) => mark.fmt(f),
        }
    }
}

/// Where a text is no line of moves, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Flaw {
    /// Number of the move, from 1.
    pub(super) number: usize,
    /// Byte of the text.
    pub(super) at: usize,
    pub(super) problem: String,
}

/// The parts of one move in their places, as far as they are given.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Parts([Option<Part>; SQUARES + 1]);

impl Parts {
    /// Reads the parts of a text move by move; at least one. What is as in `2.` or
    /// `2...` is a move's number and no value where the first move begins, and in a
    /// `line` wherever a word begins; there a digit begins no move.
    pub(super) fn read<G: Notation>(text: &str, is_line: bool) -> Result<Vec<Self>, Flaw> {
        let len = G::PARTS.len();
        let mut moves: Vec<Self> = Vec::new();
        let mut rest = text;
        loop {
            // Counted only for a flaw: a text may be of any length.
            let flaw = |(at, problem)| Flaw {
                number: 1 + moves.iter().filter(|parts| parts.is_whole(len)).count(),
                at,
                problem,
            };
            let may_be_number = is_line || moves.is_empty();
            let found = next_part::<G>(rest, moves.is_empty(), may_be_number)
                .map_err(|(left, problem): (usize, String)| flaw((text.len() - left, problem)))?;
            let Some((part, behind)) = found else {
                let nothing = || flaw((0, "it names no square".to_owned()));
                return if moves.is_empty() {
                    Err(nothing())
                } else {
                    Ok(moves)
                };
            };
            let typed = rest[..rest.len() - behind.len()].trim_start();
            let is_digit = typed.ends_with(|c: char| c.is_ascii_digit()) && part.is_mark();
            if is_digit && is_line && moves.last().is_none_or(|parts| parts.is_whole(len)) {
                let problem = format!("'{typed}' stands before the squares of a move");
                return Err(flaw((text.len() - behind.len() - typed.len(), problem)));
            }
            rest = behind;
            if !(moves.last_mut()).is_some_and(|parts| parts.take(part, len)) {
                let mut parts = Self::default();
                parts.take(part, len);
                moves.push(parts);
            }
        }
    }

    /// Whether nothing is open of a move of so many parts.
    fn is_whole(&self, len: usize) -> bool {
        self.0[..len].iter().all(Option::is_some)
    }

    /// The parts of a move's strict text.
    pub(super) fn of_strict(text: &str) -> Self {
        let mut parts = Self::default();
        let (squares, mark) = text.split_at(text.len().min(2 * SQUARES));
        for at in 0..SQUARES {
            let square = squares.get(2 * at..2 * at + 2);
            let cell = square.and_then(|square| Cell::parse(square, Cells(!0)));
            parts.0[at] = cell.map(Part::Square);
        }
        parts.0[SQUARES] = mark.chars().next().map(Part::Mark);
        parts
    }

    /// Puts a part in the next place of its kind, if a move of so many parts
    /// has one left.
    fn take(&mut self, part: Part, len: usize) -> bool {
        let places = match part {
            Part::Square(_) => 0..SQUARES,
            Part::Mark(_) => SQUARES..len,
        };
        let open = places.into_iter().find(|&at| self.0[at].is_none());
        if let Some(at) = open {
            self.0[at] = Some(part);
        }
        open.is_some()
    }

    /// What stands at a place.
    pub(super) fn get(&self, at: usize) -> Option<Part> {
        self.0.get(at).copied().flatten()
    }

    /// The first part that is given.
    pub(super) fn first(&self) -> Option<Part> {
        self.0.into_iter().flatten().next()
    }

    /// The first place of a move of so many parts that is open.
    pub(super) fn first_open(&self, len: usize) -> usize {
        self.0[..len].iter().position(Option::is_none).unwrap_or(0)
    }

    /// Whether everything that is given stands so in a whole move.
    pub(super) fn fit(&self, whole: &Self) -> bool {
        let pairs = self.0.iter().zip(&whole.0);
        pairs
            .into_iter()
            .all(|(given, part)| given.is_none() || given == part)
    }

    /// These parts up to and including a place.
    pub(super) fn up_to(&self, at: usize) -> Self {
        let mut parts = *self;
        parts.0[at + 1..].fill(None);
        parts
    }

    /// These parts, and those of a whole move where none is given.
    pub(super) fn completed(&self, whole: &Self) -> Self {
        let mut parts = *self;
        for (given, part) in parts.0.iter_mut().zip(whole.0) {
            *given = given.or(part);
        }
        parts
    }
}

impl fmt::Display for Parts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().flatten().try_for_each(|part| part.fmt(f))
    }
}

/// The next part in the rest of a text, and what stands behind it; or what is
/// wrong, and the number of bytes from there to the end. `begins`: a word begins here.
fn next_part<G: Notation>(
    mut rest: &str,
    mut begins: bool,
    may_be_number: bool,
) -> Result<Option<(Part, &str)>, (usize, String)> {
    while let Some(first) = rest.chars().next() {
        let number = match begins && may_be_number {
            true => behind_number(rest),
            false => None,
        };
        if let Some(behind) = number {
            (rest, begins) = (behind, false);
            continue;
        }
        begins = first.is_whitespace();
        let left = rest.len();
        if let Some(square) = square_text(rest) {
            let behind = &rest[square.len()..];
            return match Cell::parse(&square.to_ascii_lowercase(), G::BOARD) {
                Some(cell) => Ok(Some((Part::Square(cell), behind))),
                None => Err((left, format!("'{square}' is no square of the board"))),
            };
        }
        rest = &rest[first.len_utf8()..];
        if let Some(mark) = mark::<G>(first) {
            return Ok(Some((Part::Mark(mark), rest)));
        }
        if !is_separator::<G>(first) {
            return Err((left, format!("unexpected '{first}'")));
        }
    }
    Ok(None)
}

/// What stands behind what may be the number of a move at the beginning.
fn behind_number(text: &str) -> Option<&str> {
    let dots = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let behind = dots.trim_start_matches('.');
    let is_number = behind.len() < dots.len() && dots.len() < text.len();
    is_number.then_some(behind)
}

/// A letter and a digit at the beginning that look like a square, on the
/// board or off it. A value's mark is no file.
fn square_text(text: &str) -> Option<&str> {
    let square = text.get(..2)?;
    let [file, rank] = *square.as_bytes() else {
        return None;
    };
    let is_square = matches!(file.to_ascii_lowercase(), b'a'..=b'h') && rank.is_ascii_digit();
    is_square.then_some(square)
}

/// The mark of a letter or of a digit that is a value.
fn mark<G: Notation>(given: char) -> Option<char> {
    let value = given.to_digit(10).and_then(|value| value.checked_sub(1));
    match value {
        Some(index) => G::MARKS.get(index as usize).copied(),
        None => (G::MARKS.iter().copied()).find(|mark| mark.eq_ignore_ascii_case(&given)),
    }
}

/// Whether nothing but the look depends on a character. Where no value is
/// written, a cross between squares is a capture.
fn is_separator<G: Notation>(given: char) -> bool {
    SEPARATORS.contains(given) || G::MARKS.is_empty() && matches!(given, 'x' | 'X')
}
