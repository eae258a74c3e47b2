//! Enters a position rank by rank from a real board, with corrections.

use std::cmp::Reverse;
use std::marker::PhantomData;

use crate::cli::console::{Console, Typed};
use crate::cli::playable::Playable;
use crate::cli::{CliResult, Failure, texts};
use totemic_engine::game::Cell;
use totemic_engine::text::quoted;

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
    /// The squares of each rank, from the top.
    ranks: Vec<Vec<Cell>>,
    /// The contents of the ranks entered so far, as in a position's text.
    entered: Vec<Vec<String>>,
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
        let mut cells = Vec::from_iter(G::BOARD);
        cells.sort_by_key(|cell| (Reverse(cell.rank()), cell.file()));
        let ranks = cells.chunk_by(|one, other| one.rank() == other.rank());
        Self {
            ranks: ranks.map(<[Cell]>::to_vec).collect(),
            entered: Vec::new(),
            side: None,
            game: PhantomData,
        }
    }

    fn question(&self) -> String {
        let Some(open) = self.ranks.get(self.entered.len()) else {
            let [first, second] = G::SIDE_NAMES.map(str::to_lowercase);
            return format!("side to move ({first} or {second}) [{first}]:");
        };
        let (rank, cells) = (open[0].rank() + 1, texts(open));
        format!("rank {rank} ({}):", cells.join(" "))
    }

    fn take(&mut self, line: &str) -> Result<(), String> {
        let lower = line.to_ascii_lowercase();
        let open = self.entered.len();
        if lower == "back" {
            self.entered.pop();
        } else if let Some(side) = lower.strip_prefix("side ") {
            self.side = Some(read_side::<G>(side)?);
        } else if let Some((rank, squares)) = self.other_rank(line) {
            self.set_rank(rank, squares)?;
        } else if let Some((cell, square)) = one_square::<G>(line)? {
            let cells = self.ranks.iter().flatten();
            let mut cells = cells.zip(self.entered.iter_mut().flatten());
            match cells.find(|(at, _)| **at == cell) {
                Some((_, entered)) => *entered = square,
                None => return Err(format!("the rank of {cell} has not been entered yet")),
            }
        } else if open < self.ranks.len() {
            self.set_rank(open, line)?;
        } else if lower.is_empty() {
            self.side = Some(0);
        } else {
            let side = read_side::<G>(&lower);
            self.side = Some(side.map_err(|why| format!("{why}, or a correction; try help"))?);
        }
        Ok(())
    }

    /// Reads `5: ...`: the index of a rank, and its squares.
    fn other_rank<'a>(&self, line: &'a str) -> Option<(usize, &'a str)> {
        let (number, squares) = line.split_once(':')?;
        let rank = number.trim().parse::<u8>().ok()?.checked_sub(1)?;
        // In Hokito, a stack at the edge such as `3:4` looks the same.
        let is_height = squares.starts_with(|c: char| c.is_ascii_digit());
        let index = self.ranks.iter().position(|cells| cells[0].rank() == rank);
        index.filter(|_| !is_height).zip(Some(squares))
    }

    fn set_rank(&mut self, index: usize, text: &str) -> Result<(), String> {
        let cells = &self.ranks[index];
        let squares = read_squares::<G>(text, cells[0].rank())?;
        let (rank, wanted, found) = (cells[0].rank() + 1, cells.len(), squares.len());
        if found != wanted {
            return Err(format!("rank {rank} has {wanted} squares, not {found}"));
        }
        if index > self.entered.len() {
            return Err(format!("enter the ranks above rank {rank} first"));
        }
        let end = self.entered.len().min(index + 1);
        self.entered.splice(index..end, [squares]);
        Ok(())
    }

    fn text(&self) -> Option<String> {
        let side = G::SIDE_NAMES[self.side?][..1].to_lowercase();
        let ranks: Vec<String> = self.entered.iter().map(|it| it.join(G::BETWEEN)).collect();
        let text = format!("{} {side}", ranks.join("/"));
        (ranks.len() == self.ranks.len()).then_some(text)
    }

    /// Draws the board as far as it is entered, with `?` for what is still to come.
    fn picture(&self) -> String {
        let squares = self.entered.iter().flatten();
        let width = squares.map(String::len).max().unwrap_or(1);
        let mut text = String::new();
        for (index, cells) in self.ranks.iter().enumerate() {
            let indent = usize::from(cells[0].file()) * (width + 1);
            let mut line = format!("{} {:indent$}", cells[0].rank() + 1, "");
            for at in 0..cells.len() {
                let square = match self.entered.get(index).map(|rank| rank[at].as_str()) {
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
                let fits = (Entry::<G>::new().ranks.iter()).any(|rank| rank.len() == count);
                assert!(fits || !meant.starts_with("a rank"), "{typed}");
            }
        }
        check::<Yoxii>();
        check::<Hokito>();
    }
}
