//! A position entered rank by rank, with corrections, as it stands on a table.

use std::fmt::Write;
use std::io;

use super::console::{Console, Typed};
use super::playable::{Playable, side_letter};
use crate::game::{Cell, quoted};

/// What may be typed instead of a rank, in the manner of [`Playable::RANK_HELP`].
const HELP: &[(&str, &str)] = &[
    ("back", "the rank above once more"),
    ("5: ...", "rank 5 once more, whichever is asked for"),
    ("d4 ...", "what stands on one square"),
    ("side NAME", "the side to move"),
    ("cancel", "leave the position as it was"),
    ("help", "these lines"),
];

/// A board that is being entered, by ranks from the top.
pub(super) struct Entry {
    ranks: Vec<Rank>,
    side: Option<usize>,
}

struct Rank {
    /// From 0.
    number: u8,
    cells: Vec<Cell>,
    /// As they are entered; `None` for an empty one.
    squares: Option<Vec<Option<String>>>,
}

/// What a line did.
#[derive(Debug)]
enum Step {
    Changed,
    Back,
    Helped,
    Cancelled,
}

impl Entry {
    pub(super) fn new<G: Playable>() -> Self {
        let rank = |number: u8| Rank {
            number,
            cells: G::BOARD
                .into_iter()
                .filter(|cell| cell.rank() == number)
                .collect(),
            squares: None,
        };
        let ranks = (0..8).rev().map(rank).filter(|rank| !rank.cells.is_empty());
        Self {
            ranks: ranks.collect(),
            side: None,
        }
    }

    /// Asks until there is a position that the rules allow; `None` when the
    /// person gives up, or what came instead of a line.
    pub(super) fn ask<G: Playable>(mut self, console: &mut Console) -> io::Result<Option<G>> {
        help::<G>(console)?;
        let mut at = 0;
        loop {
            let question = self.question::<G>(at);
            if !console.is_terminal {
                console.say(&question)?;
            }
            let line = match console.read(&format!("{question}: "), None) {
                Typed::Line(line) => line,
                _ => return Ok(None),
            };
            match self.take::<G>(at, &line) {
                Err(why) => console.say(why)?,
                Ok(Step::Cancelled) => return Ok(None),
                Ok(Step::Helped) => help::<G>(console)?,
                Ok(Step::Back) => at = at.min(self.ranks.len()).saturating_sub(1),
                Ok(Step::Changed) => {
                    let open = self.ranks.iter().position(|rank| rank.squares.is_none());
                    at = open.unwrap_or(self.ranks.len());
                    console.print(&self.picture())?;
                }
            }
            if at == self.ranks.len() && self.side.is_some() {
                match self.text::<G>().parse() {
                    Ok(position) => return Ok(Some(position)),
                    Err(why) => {
                        console.say(format!("That is no position of {}: {why}.", G::TITLE))?;
                        console.say("Correct a rank or a square, then the side again.")?;
                        self.side = None;
                    }
                }
            }
        }
    }

    fn question<G: Playable>(&self, at: usize) -> String {
        match self.ranks.get(at) {
            Some(rank) => {
                let cells: Vec<String> = rank.cells.iter().map(ToString::to_string).collect();
                format!("rank {} ({})", rank.number + 1, cells.join(" "))
            }
            None => {
                let [first, second] = G::SIDE_NAMES.map(str::to_lowercase);
                format!("side to move ({first} or {second}) [{first}]")
            }
        }
    }

    /// Does what a line says, while rank `at` is asked for.
    fn take<G: Playable>(&mut self, at: usize, line: &str) -> Result<Step, String> {
        let lower = line.to_ascii_lowercase();
        match lower.as_str() {
            "cancel" | "quit" => return Ok(Step::Cancelled),
            "help" | "?" => return Ok(Step::Helped),
            "back" => {
                let above = at.min(self.ranks.len()).saturating_sub(1);
                self.ranks[above].squares = None;
                return Ok(Step::Back);
            }
            _ => {}
        }
        if let Some(side) = lower.strip_prefix("side ") {
            self.side = Some(read_side::<G>(side)?);
        } else if let Some((rank, squares)) = self.other_rank(line) {
            self.set_rank::<G>(rank, squares)?;
        } else if let Some((cell, square)) = one_square::<G>(line) {
            self.set_square::<G>(cell, square)?;
        } else if at < self.ranks.len() {
            self.set_rank::<G>(at, line)?;
        } else if lower.is_empty() {
            self.side = Some(0);
        } else {
            let side = read_side::<G>(&lower);
            self.side = Some(side.map_err(|why| format!("{why}, or a correction; try help"))?);
        }
        Ok(Step::Changed)
    }

    /// `5: ...`, with the index of that rank.
    fn other_rank<'a>(&self, line: &'a str) -> Option<(usize, &'a str)> {
        let (number, squares) = line.split_once(':')?;
        let number: u8 = number.trim().parse().ok()?;
        let rank = self
            .ranks
            .iter()
            .position(|rank| rank.number + 1 == number)?;
        // In Hokito a stack of black ones at the edge, `3:4`, looks the same.
        let is_height = squares.starts_with(|c: char| c.is_ascii_digit());
        (!is_height).then_some((rank, squares))
    }

    fn set_rank<G: Playable>(&mut self, at: usize, text: &str) -> Result<(), String> {
        let rank = &mut self.ranks[at];
        let squares = read_squares::<G>(text, rank.number)?;
        if squares.len() != rank.cells.len() {
            return Err(format!(
                "rank {} has {} squares, but {} are given",
                rank.number + 1,
                rank.cells.len(),
                squares.len()
            ));
        }
        rank.squares = Some(squares);
        Ok(())
    }

    fn set_square<G: Playable>(&mut self, cell: Cell, text: &str) -> Result<(), String> {
        let Ok([square]) = <[_; 1]>::try_from(read_squares::<G>(text, cell.rank())?) else {
            return Err(format!("{}: expected one square", quoted(text)));
        };
        let rank = self
            .ranks
            .iter_mut()
            .find(|rank| rank.number == cell.rank());
        let Some(Rank {
            cells,
            squares: Some(squares),
            ..
        }) = rank
        else {
            return Err(format!("the rank of {cell} is not entered yet"));
        };
        let place = cells.iter().position(|at| *at == cell);
        if let Some(place) = place.and_then(|place| squares.get_mut(place)) {
            *place = square;
        }
        Ok(())
    }

    /// The position's text.
    fn text<G: Playable>(&self) -> String {
        let rank = |rank: &Rank| {
            let squares: Vec<&str> = (rank.squares.iter().flatten())
                .map(|square| square.as_deref().unwrap_or(G::EMPTY))
                .collect();
            squares.join(G::BETWEEN)
        };
        let ranks: Vec<String> = self.ranks.iter().map(rank).collect();
        format!(
            "{} {}",
            ranks.join("/"),
            side_letter::<G>(self.side.unwrap_or(0))
        )
    }

    /// The board as far as it is entered; `?` for what is still to come.
    fn picture(&self) -> String {
        let all = self
            .ranks
            .iter()
            .flat_map(|rank| rank.squares.iter().flatten());
        let width = all.flatten().map(String::len).max().unwrap_or(1);
        let mut text = String::new();
        for rank in &self.ranks {
            let _ = write!(text, "{} ", rank.number + 1);
            let mut file = 0;
            for (index, cell) in rank.cells.iter().enumerate() {
                let gap = usize::from(cell.file() - file) * (width + 1);
                let square = match &rank.squares {
                    None => "?",
                    Some(squares) => squares[index].as_deref().unwrap_or("."),
                };
                let _ = write!(text, "{:gap$} {square:<width$}", "");
                file = cell.file() + 1;
            }
            text.truncate(text.trim_end().len());
            text.push('\n');
        }
        text
    }
}

/// How a position is entered.
fn help<G: Playable>(console: &mut Console) -> io::Result<()> {
    let lines = |rows: &[(&str, &str)]| {
        let line = |(typed, meant): &(&str, &str)| format!("  {typed:<9}  {meant}");
        rows.iter().map(line).collect::<Vec<_>>().join("\n")
    };
    console.say("A rank, square by square, with or without blanks:")?;
    console.say(lines(G::RANK_HELP))?;
    console.say("or:")?;
    console.say(lines(HELP))
}

/// `d4 X`: a square and what stands there.
fn one_square<G: Playable>(line: &str) -> Option<(Cell, &str)> {
    let (cell, square) = line.split_once(char::is_whitespace)?;
    let cell = Cell::parse(&cell.to_ascii_lowercase(), G::BOARD)?;
    // `b1 b2 b3` are pawns of Hokito and no square with its pawn.
    (square.split_whitespace().count() == 1 && read_squares::<G>(square, 0).is_ok())
        .then_some((cell, square.trim()))
}

/// Squares with or without blanks or commas between them.
fn read_squares<G: Playable>(text: &str, rank: u8) -> Result<Vec<Option<String>>, String> {
    let mut squares = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
        if rest.is_empty() {
            return Ok(squares);
        }
        let Some((found, length)) = G::next_squares(rest, rank) else {
            let token = rest.split_whitespace().next().unwrap_or(rest);
            let squares = G::RANK_HELP.iter().map(|(typed, _)| *typed);
            let squares = squares.collect::<Vec<_>>().join(", ");
            return Err(format!(
                "{}: expected squares as in {squares}; help explains them",
                quoted(token)
            ));
        };
        squares.extend(found);
        rest = &rest[length..];
    }
}

fn read_side<G: Playable>(text: &str) -> Result<usize, String> {
    let names = G::SIDE_NAMES.map(str::to_lowercase);
    let found = (0..2).find(|&side| {
        let number = ["first", "second"][side];
        !text.is_empty() && (names[side].starts_with(text) || number == text)
    });
    found.ok_or_else(|| format!("{}: expected {} or {}", quoted(text), names[0], names[1]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Hokito, Yoxii};

    /// The text that lines enter.
    fn entered<G: Playable>(lines: &[&str]) -> String {
        let mut entry = Entry::new::<G>();
        for line in lines {
            let open = entry.ranks.iter().position(|rank| rank.squares.is_none());
            let at = open.unwrap_or(entry.ranks.len());
            entry.take::<G>(at, line).expect(line);
        }
        entry.text::<G>()
    }

    #[test]
    fn ranks_are_entered_however_they_are_typed() {
        let lines = [". . .", "X4", "2*4", ".......", "7", "5", "3", "red"];
        let text = entered::<Yoxii>(&lines);
        assert_eq!(
            text.parse::<Yoxii>().map(|p| p.to_string()).as_deref(),
            Ok("3/X4/2*4/7/7/5/3 r")
        );
        let lines = [
            "123123",
            "2 3 1 2 3 1",
            "b3,b1,b2,b3,b1,b2",
            "213213",
            "1 3 2 1 3 2",
            "321321",
            "black",
        ];
        let text = entered::<Hokito>(&lines);
        assert_eq!(
            text.parse::<Hokito>().map(|p| p.to_string()),
            Ok(crate::game::Game::start()).map(|p: Hokito| p.to_string())
        );
    }

    #[test]
    fn the_examples_of_the_help_can_be_typed() {
        fn check<G: Playable>() {
            for (typed, meant) in G::RANK_HELP {
                let squares = read_squares::<G>(typed, 5).expect(typed);
                let Some(rank) = meant.strip_prefix("a rank of ") else {
                    continue;
                };
                let words = [(3, "three"), (5, "five"), (6, "six"), (7, "seven")];
                let count = words.into_iter().find(|(_, word)| rank.starts_with(word));
                assert_eq!(
                    Some(squares.len()),
                    count.map(|(n, _)| n),
                    "{typed}: {meant}"
                );
                let mut entry = Entry::new::<G>();
                let mut ranks = 0..entry.ranks.len();
                let fits = |at| entry.take::<G>(at, typed).is_ok();
                assert!(ranks.any(fits), "no rank is as long: {typed}");
            }
        }
        check::<Yoxii>();
        check::<Hokito>();
    }

    #[test]
    fn what_was_entered_can_be_corrected() {
        let lines = [
            "x6",
            "x6",
            "x6",
            "x6",
            "w1 x5",
            "b1 b1 x4",
            "1: b2 b1:1 x4",
            "b1 w3:4",
            "side b",
        ];
        let text = entered::<Hokito>(&lines);
        assert_eq!(
            text,
            "x,x,x,x,x,x/x,x,x,x,x,x/x,x,x,x,x,x/x,x,x,x,x,x/w1,x,x,x,x,x/b2,w3:4,x,x,x,x b"
        );
        let mut entry = Entry::new::<Yoxii>();
        for (line, part) in [
            ("....", "rank 7 has 3 squares, but 4 are given"),
            ("..z", "'z': expected"),
            ("d4 X", "the rank of d4 is not entered yet"),
            ("side blue", "'blue': expected white or red"),
        ] {
            let why = entry.take::<Yoxii>(0, line).expect_err(line);
            assert!(why.contains(part), "{line}: {why}");
        }
    }
}
