//! Entering a position rank by rank, as it stands on a table, with corrections.

use std::cmp::Reverse;
use std::fmt::Write;
use std::marker::PhantomData;

use super::console::{Console, Typed};
use super::playable::Playable;
use crate::cli::{CliResult, Failure};
use crate::game::{Cell, quoted};

/// What you may type instead of a rank, in the manner of [`Playable::RANK_HELP`].
const HELP: &[(&str, &str)] = &[
    ("back", "the rank above once more"),
    ("5: ...", "rank 5 once more, whichever is asked for"),
    ("d4 ...", "what stands on one square"),
    ("side NAME", "the side to move"),
    ("cancel", "leave the position as it was"),
    ("help", "these lines"),
];

/// A board that is being entered.
struct Entry<G> {
    /// From the top rank down, each from the left: what stands there, as in a position's
    /// text; `None` where nothing was entered.
    squares: Vec<(Cell, Option<String>)>,
    side: Option<usize>,
    game: PhantomData<G>,
}

/// Asks until there is a position that the rules allow; `None` when you give up.
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
                console.say(format!("That is no position of {}: {why}.", G::TITLE))?;
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
            squares: cells.into_iter().map(|cell| (cell, None)).collect(),
            side: None,
            game: PhantomData,
        }
    }

    /// The ranks from the top.
    fn ranks(&self) -> impl Iterator<Item = &[(Cell, Option<String>)]> {
        (self.squares).chunk_by(|(one, _), (other, _)| one.rank() == other.rank())
    }

    /// The first square that was not entered.
    fn open(&self) -> Option<Cell> {
        let open = self.squares.iter().find(|(_, square)| square.is_none());
        open.map(|&(cell, _)| cell)
    }

    fn rank(&mut self, rank: u8) -> Vec<&mut (Cell, Option<String>)> {
        let squares = self.squares.iter_mut();
        squares.filter(|(cell, _)| cell.rank() == rank).collect()
    }

    fn question(&self) -> String {
        let Some(open) = self.open() else {
            let [first, second] = G::SIDE_NAMES.map(str::to_lowercase);
            return format!("side to move ({first} or {second}) [{first}]:");
        };
        let cells = self
            .squares
            .iter()
            .filter(|(cell, _)| cell.rank() == open.rank());
        let cells: Vec<String> = cells.map(|(cell, _)| cell.to_string()).collect();
        format!("rank {} ({}):", open.rank() + 1, cells.join(" "))
    }

    /// Does what a line says.
    fn take(&mut self, line: &str) -> Result<(), String> {
        let lower = line.to_ascii_lowercase();
        let open = self.open();
        if lower == "back" {
            let before = self
                .squares
                .iter()
                .take_while(|(_, square)| square.is_some());
            if let Some(above) = before.last().map(|(cell, _)| cell.rank()) {
                self.rank(above)
                    .into_iter()
                    .for_each(|(_, square)| *square = None);
            }
        } else if let Some(side) = lower.strip_prefix("side ") {
            self.side = Some(read_side::<G>(side)?);
        } else if let Some((rank, squares)) = self.other_rank(line) {
            self.set_rank(rank, squares)?;
        } else if let Some((cell, square)) = one_square::<G>(line) {
            let place = self.squares.iter_mut().find(|(at, _)| *at == cell);
            match place {
                Some((_, entered @ Some(_))) => *entered = Some(square),
                _ => return Err(format!("the rank of {cell} is not entered yet")),
            }
        } else if let Some(open) = open {
            self.set_rank(open.rank(), line)?;
        } else if lower.is_empty() {
            self.side = Some(0);
        } else {
            let side = read_side::<G>(&lower);
            self.side = Some(side.map_err(|why| format!("{why}, or a correction; try help"))?);
        }
        Ok(())
    }

    /// `5: ...`: a rank, from 0, and what is to stand there.
    fn other_rank<'a>(&mut self, line: &'a str) -> Option<(u8, &'a str)> {
        let (number, squares) = line.split_once(':')?;
        let rank = number.trim().parse::<u8>().ok()?.checked_sub(1)?;
        // In Hokito a stack of black ones at the edge, `3:4`, looks the same.
        let is_height = squares.starts_with(|c: char| c.is_ascii_digit());
        (!is_height && !self.rank(rank).is_empty()).then_some((rank, squares))
    }

    fn set_rank(&mut self, rank: u8, text: &str) -> Result<(), String> {
        let squares = read_squares::<G>(text, rank)?;
        let places = self.rank(rank);
        if squares.len() != places.len() {
            return Err(format!(
                "rank {} has {} squares, but {} are given",
                rank + 1,
                places.len(),
                squares.len()
            ));
        }
        for ((_, place), square) in places.into_iter().zip(squares) {
            *place = Some(square);
        }
        Ok(())
    }

    /// The position's text, once everything is entered.
    fn text(&self) -> Option<String> {
        let rank = |rank: &[(Cell, Option<String>)]| {
            let squares: Option<Vec<&str>> = rank.iter().map(|(_, it)| it.as_deref()).collect();
            squares.map(|squares| squares.join(G::BETWEEN))
        };
        let ranks: Option<Vec<String>> = self.ranks().map(rank).collect();
        let side = G::SIDE_NAMES[self.side?][..1].to_lowercase();
        Some(format!("{} {side}", ranks?.join("/")))
    }

    /// The board as far as it is entered; `?` for what is still to come.
    fn picture(&self) -> String {
        let entered = self
            .squares
            .iter()
            .filter_map(|(_, square)| square.as_ref());
        let width = entered.map(String::len).max().unwrap_or(1);
        let mut text = String::new();
        for rank in self.ranks() {
            let mut line = format!("{} ", rank[0].0.rank() + 1);
            let mut file = 0;
            for (cell, square) in rank {
                let gap = usize::from(cell.file() - file) * (width + 1);
                let square = match square.as_deref() {
                    None => "?",
                    Some(square) if square == G::EMPTY => ".",
                    Some(square) => square,
                };
                let _ = write!(line, "{:gap$} {square:<width$}", "");
                file = cell.file() + 1;
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

/// How to enter a position.
fn help<G: Playable>(console: &mut Console) -> CliResult {
    console.say("A rank, square by square, with or without blanks:")?;
    for (index, (typed, meant)) in G::RANK_HELP.iter().chain(HELP).enumerate() {
        if index == G::RANK_HELP.len() {
            console.say("or:")?;
        }
        console.say(format!("  {typed:<9}  {meant}"))?;
    }
    Ok(())
}

/// `d4 X`: a square and what stands there.
fn one_square<G: Playable>(line: &str) -> Option<(Cell, String)> {
    let (cell, square) = line.split_once(char::is_whitespace)?;
    let cell = Cell::parse(&cell.to_ascii_lowercase(), G::BOARD)?;
    let squares = read_squares::<G>(square, cell.rank()).ok()?;
    // `b1 b2 b3` are pawns of Hokito and no square with its pawn.
    let [square] = <[String; 1]>::try_from(squares).ok()?;
    Some((cell, square))
}

/// Squares with or without blanks or commas between them.
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
            let token = rest.split_whitespace().next().unwrap_or(rest);
            let typed: Vec<&str> = G::RANK_HELP.iter().map(|(typed, _)| *typed).collect();
            return Err(format!(
                "{}: expected squares as in {}; help explains them",
                quoted(token),
                typed.join(", ")
            ));
        };
        squares.extend(std::iter::repeat_n(square, count));
        rest = behind;
    }
}

fn read_side<G: Playable>(text: &str) -> Result<usize, String> {
    let names = G::SIDE_NAMES.map(str::to_lowercase);
    let is = |&side: &usize| names[side].starts_with(text) || ["first", "second"][side] == text;
    let found = (0..2).find(is).filter(|_| !text.is_empty());
    found.ok_or_else(|| format!("{}: expected {} or {}", quoted(text), names[0], names[1]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Hokito, Yoxii};

    fn examples_can_be_typed<G: Playable>() {
        for (typed, meant) in G::RANK_HELP {
            assert!(read_squares::<G>(typed, 5).is_ok(), "{typed}");
            if meant.starts_with("a rank of ") {
                let mut entry = Entry::<G>::new();
                let mut fits = |rank| entry.set_rank(rank, typed).is_ok();
                assert!((0..8).any(&mut fits), "no rank is as long: {typed}");
            }
        }
    }

    #[test]
    fn the_examples_of_the_help_can_be_typed() {
        examples_can_be_typed::<Yoxii>();
        examples_can_be_typed::<Hokito>();
    }
}
