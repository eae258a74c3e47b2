//! Enters a position rank by rank from a real board, with corrections.

use std::cmp::Reverse;
use std::marker::PhantomData;
use std::ops::Range;

use super::playable::Playable;
use crate::cli::console::{Console, Typed};
use crate::cli::{CliResult, Failure, texts};
use totemic_engine::game::{Cell, quoted};

/// Help for corrections and commands, like [`Playable::RANK_HELP`].
const HELP: &[(&str, &str)] = &[
    ("back", "enter the rank above again"),
    ("5: ...", "enter rank 5 again"),
    ("d4 ...", "change one square"),
    ("side NAME", "the side to move"),
    ("cancel", "leave the position as it was"),
    ("help", "these lines"),
];

struct Entry<G> {
    /// The squares, rank by rank from the top.
    cells: Vec<Cell>,
    /// The contents of the squares entered so far, as in a position's text.
    entered: Vec<String>,
    side: Option<usize>,
    game: PhantomData<G>,
}

/// Asks until there is a legal position; `None` if you give up.
pub(super) fn enter<G: Playable>(console: &mut Console) -> Result<Option<G>, Failure> {
    let mut entry = Entry::<G>::new();
    help::<G>(console)?;
    loop {
        let Typed::Line(line) = console.ask(&entry.question())? else {
            return Ok(None);
        };
        match line.to_ascii_lowercase().as_str() {
            "cancel" | "quit" => return Ok(None),
            "help" | "?" => help::<G>(console)?,
            _ => match entry.take(&line) {
                Err(why) => console.say(why)?,
                Ok(()) => console.print(&entry.picture())?,
            },
        }
        let Some(text) = entry.text() else { continue };
        match text.parse() {
            Ok(position) => return Ok(Some(position)),
            Err(why) => {
                console.say(format!("That is not a position of {}: {why}.", G::TITLE))?;
                console.say("Correct a rank or a square, then the side again.")?;
                entry.side = None;
            }
        }
    }
}

impl<G: Playable> Entry<G> {
    fn new() -> Self {
        let mut cells: Vec<Cell> = G::BOARD.into_iter().collect();
        cells.sort_by_key(|cell| (Reverse(cell.rank()), cell.file()));
        Self {
            cells,
            entered: Vec::new(),
            side: None,
            game: PhantomData,
        }
    }

    fn indices(&self, rank: u8) -> Range<usize> {
        let first = self.cells.partition_point(|cell| cell.rank() > rank);
        first..self.cells.partition_point(|cell| cell.rank() >= rank)
    }

    fn question(&self) -> String {
        let Some(open) = self.cells.get(self.entered.len()) else {
            let [first, second] = G::SIDE_NAMES.map(str::to_lowercase);
            return format!("side to move ({first} or {second}) [{first}]:");
        };
        let cells = texts(&self.cells[self.indices(open.rank())]);
        format!("rank {} ({}):", open.rank() + 1, cells.join(" "))
    }

    fn take(&mut self, line: &str) -> Result<(), String> {
        let lower = line.to_ascii_lowercase();
        let open = self.cells.get(self.entered.len()).map(|cell| cell.rank());
        if lower == "back" {
            if let Some(last) = self.entered.len().checked_sub(1) {
                let above = self.indices(self.cells[last].rank());
                self.entered.truncate(above.start);
            }
        } else if let Some(side) = lower.strip_prefix("side ") {
            self.side = Some(read_side::<G>(side)?);
        } else if let Some((rank, squares)) = self.other_rank(line) {
            self.set_rank(rank, squares)?;
        } else if let Some((cell, square)) = one_square::<G>(line)? {
            let at = self.cells.iter().position(|&at| at == cell);
            match at.and_then(|at| self.entered.get_mut(at)) {
                Some(entered) => *entered = square,
                None => return Err(format!("the rank of {cell} has not been entered yet")),
            }
        } else if let Some(open) = open {
            self.set_rank(open, line)?;
        } else if lower.is_empty() {
            self.side = Some(0);
        } else {
            let side = read_side::<G>(&lower);
            self.side = Some(side.map_err(|why| format!("{why}, or a correction; try help"))?);
        }
        Ok(())
    }

    /// Reads `5: ...`: a rank, counted from 0, and its squares.
    fn other_rank<'a>(&self, line: &'a str) -> Option<(u8, &'a str)> {
        let (number, squares) = line.split_once(':')?;
        let rank = number.trim().parse::<u8>().ok()?.checked_sub(1)?;
        // In Hokito, a stack at the edge such as `3:4` looks the same.
        let is_height = squares.starts_with(|c: char| c.is_ascii_digit());
        (!is_height && !self.indices(rank).is_empty()).then_some((rank, squares))
    }

    fn set_rank(&mut self, rank: u8, text: &str) -> Result<(), String> {
        let squares = read_squares::<G>(text, rank)?;
        let (places, rank) = (self.indices(rank), rank + 1);
        let (wanted, found) = (places.len(), squares.len());
        if found != wanted {
            return Err(format!("rank {rank} has {wanted} squares, not {found}"));
        }
        if places.start > self.entered.len() {
            return Err(format!("enter the ranks above rank {rank} first"));
        }
        let end = places.end.min(self.entered.len());
        self.entered.splice(places.start..end, squares);
        Ok(())
    }

    /// Returns the squares of each rank, and the contents of those that are entered.
    fn ranks(&self) -> impl Iterator<Item = (&[Cell], &[String])> {
        let ranks = self.cells.chunk_by(|one, other| one.rank() == other.rank());
        let mut entered = self.entered.as_slice();
        ranks.map(move |rank| {
            let (first, rest) = entered.split_at(rank.len().min(entered.len()));
            entered = rest;
            (rank, first)
        })
    }

    fn text(&self) -> Option<String> {
        let side = G::SIDE_NAMES[self.side?][..1].to_lowercase();
        let ranks = self.ranks().map(|(_, entered)| entered.join(G::BETWEEN));
        let text = format!("{} {side}", ranks.collect::<Vec<_>>().join("/"));
        (self.entered.len() == self.cells.len()).then_some(text)
    }

    /// Draws the board as far as it is entered, with `?` for what is still to come.
    fn picture(&self) -> String {
        let width = self.entered.iter().map(String::len).max().unwrap_or(1);
        let mut text = String::new();
        for (rank, entered) in self.ranks() {
            let indent = usize::from(rank[0].file()) * (width + 1);
            let mut line = format!("{} {:indent$}", rank[0].rank() + 1, "");
            for index in 0..rank.len() {
                let square = match entered.get(index).map(String::as_str) {
                    None => "?",
                    Some(square) if square == G::EMPTY => ".",
                    Some(square) => square,
                };
                line += &format!(" {square:<width$}");
            }
            text += &format!("{}\n", line.trim_end());
        }
        text
    }
}

fn help<G: Playable>(console: &mut Console) -> CliResult {
    console.say("Type a rank, square by square, with or without spaces:")?;
    for (index, (typed, meant)) in G::RANK_HELP.iter().chain(HELP).enumerate() {
        if index == G::RANK_HELP.len() {
            console.say("or:")?;
        }
        console.say(format!("  {typed:<9}  {meant}"))?;
    }
    Ok(())
}

/// Reads `d4 X`: a square and its contents.
fn one_square<G: Playable>(line: &str) -> Result<Option<(Cell, String)>, String> {
    let (cell, square) = line.split_once(char::is_whitespace).unwrap_or_default();
    let Some(cell) = Cell::parse(&cell.to_ascii_lowercase(), G::BOARD) else {
        return Ok(None);
    };
    let squares = read_squares::<G>(square, cell.rank())?;
    // `b1 b2 b3` are pawns of Hokito, not a square with its pawn.
    let square = <[String; 1]>::try_from(squares).ok();
    Ok(square.map(|[square]| (cell, square)))
}

fn read_squares<G: Playable>(text: &str, rank: u8) -> Result<Vec<String>, String> {
    let mut squares = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
        if rest.is_empty() {
            return Ok(squares);
        }
        let empty = rest.strip_prefix(['.', '-', '_']);
        let empty = empty.map(|rest| (1, G::EMPTY.to_owned(), rest));
        let Some((count, square, behind)) = empty.or_else(|| G::next_squares(rest, rank)) else {
            let token = quoted(rest.split_whitespace().next().unwrap_or(rest));
            return Err(format!("{token}: {}; try help", G::CONTENTS));
        };
        squares.extend(std::iter::repeat_n(square, count));
        rest = behind;
    }
}

fn read_side<G: Playable>(text: &str) -> Result<usize, String> {
    let names = G::SIDE_NAMES.map(str::to_lowercase);
    let is = |&side: &usize| names[side].starts_with(text) || ["first", "second"][side] == text;
    let side = (0..2).find(is).filter(|_| !text.is_empty());
    side.ok_or_else(|| format!("{}: expected {} or {}", quoted(text), names[0], names[1]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use totemic_engine::game::{Hokito, Yoxii};

    #[test]
    fn the_examples_of_the_help_can_be_typed() {
        fn check<G: Playable>() {
            for (typed, meant) in G::RANK_HELP {
                let count = read_squares::<G>(typed, 5).expect(typed).len();
                let fits = (0..8).any(|rank| Entry::<G>::new().indices(rank).len() == count);
                assert!(fits || !meant.starts_with("a rank"), "{typed}");
            }
        }
        check::<Yoxii>();
        check::<Hokito>();
    }
}
