//! Pictures of positions, made of characters.

pub mod svg;

use std::fmt::Write;
use std::ops::RangeInclusive;

use crate::game::{Cell, Cells, Game, Outcome, Side};

/// Parameters of the ANSI sequence "select graphic rendition".
type Style = &'static str;
/// Styles of the first side, the second side, and everything neutral: colours of the
/// palette of 256 that can be read on black and on white.
const FIRST: Style = "1;38;5;32";
const SECOND: Style = "1;38;5;160";
const NEUTRAL: Style = "1;38;5;28";
const FAINT: Style = "2";

/// Draws a position: the board with its files and ranks, then the position's text, its
/// key, and the side to move or the result. Reserves or the running score stand beside
/// the board if `columns` is wide enough for that, otherwise below it. Every line ends
/// with a line feed; `colour` adds ANSI escapes.
///
/// ```
/// use totemic_engine::drawing::draw;
/// use totemic_engine::game::{Game, Yoxii};
///
/// let picture = draw(&Yoxii::start(), 60, false);
/// assert!(picture.contains("4  . . . * . . ."));
/// ```
#[must_use]
pub fn draw<G: Game>(position: &G, columns: usize, colour: bool) -> String {
    let picture = Picture::new(position, Cells::EMPTY, columns, colour);
    let mut text = picture.board(position);
    let side = position.side();
    let facts = [
        ("fen", position.to_string()),
        ("key", format!("{:016x}", position.key())),
        match position.outcome() {
            None => (
                "turn",
                format!("{} (p{})", G::SIDE_NAMES[side.index()], side.index() + 1),
            ),
            Some(Outcome::Draw) => ("result", "draw".to_owned()),
            Some(Outcome::Win(winner)) => {
                ("result", format!("{} wins", G::SIDE_NAMES[winner.index()]))
            }
        },
    ];
    text.push('\n');
    for (name, fact) in facts {
        let name = picture.styled(FAINT, &format!("{name:<6}"));
        // Writing into a string cannot fail, here and below.
        let _ = writeln!(text, "{name}  {fact}");
    }
    text
}

/// Draws a position for somebody who plays: the board with a `>` before each marked
/// square. Reserves or the running score stand beside the board if `columns` is wide
/// enough for that, otherwise below it. Every line ends with a line feed.
///
/// ```
/// use totemic_engine::drawing::board;
/// use totemic_engine::game::{Cells, Game, Yoxii};
///
/// let start = Yoxii::start();
/// let picture = board(&start, Cells::of(start.totem()), 60, false);
/// assert!(picture.contains("4  . . .>* . . ."));
/// assert!(picture.lines().all(|line| line.len() <= 60));
/// ```
#[must_use]
pub fn board<G: Game>(position: &G, marked: Cells, columns: usize, colour: bool) -> String {
    Picture::new(position, marked, columns, colour).board(position)
}

const BESIDE: &str = "    ";
/// Separates the two parts of a note, which may also be put on separate lines.
const PART: &str = "   ";

/// The files and ranks of the board.
fn extent<G: Game>() -> (RangeInclusive<u8>, RangeInclusive<u8>) {
    let (mut files, mut ranks) = ((u8::MAX, 0), (u8::MAX, 0));
    for cell in G::BOARD {
        files = (files.0.min(cell.file()), files.1.max(cell.file()));
        ranks = (ranks.0.min(cell.rank()), ranks.1.max(cell.rank()));
    }
    (files.0..=files.1, ranks.0..=ranks.1)
}

struct Picture {
    colour: bool,
    marked: Cells,
    /// The column up to which notes may stand beside the board.
    columns: usize,
    /// All files from the first to the last that the board has.
    files: RangeInclusive<u8>,
    /// Ranks from top to bottom.
    ranks: Vec<u8>,
    /// Number of characters in the widest square.
    width: usize,
}

impl Picture {
    fn new<G: Game>(position: &G, marked: Cells, columns: usize, colour: bool) -> Self {
        let (files, ranks) = extent::<G>();
        let glyphs = G::BOARD.into_iter().filter_map(|cell| position.glyph(cell));
        let width = glyphs.map(|glyph| glyph.text.chars().count()).max();
        Self {
            colour,
            marked,
            columns,
            files,
            ranks: ranks.rev().collect(),
            width: width.unwrap_or(1),
        }
    }

    fn board<G: Game>(&self, position: &G) -> String {
        let beside = 2 + self.files.clone().count() * (self.width + 1) + BESIDE.len();
        let notes = self.notes(position.notes(), beside);
        let widest = notes.iter().map(|note| note.chars().count()).max();
        let fits = beside.saturating_add(widest.unwrap_or(0)) <= self.columns;
        let (notes, below) = match fits {
            true => (notes, Vec::new()),
            false => (Vec::new(), notes),
        };
        let first_note = self.ranks.len().saturating_sub(notes.len()) / 2;
        let mut text = String::new();
        for (row, &rank) in self.ranks.iter().enumerate() {
            let mut line = self.styled(FAINT, &format!("{} ", rank + 1));
            for file in self.files.clone() {
                let cell = Cell::at(file, rank);
                line += &match self.marked.has(cell) {
                    true => self.styled(NEUTRAL, ">"),
                    false => " ".to_owned(),
                };
                line += &self.square(position, cell);
            }
            let note = row.checked_sub(first_note).and_then(|at| notes.get(at));
            if let Some(note) = note {
                line.push_str(BESIDE);
                line.push_str(note);
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        let mut edge = "  ".to_owned();
        for file in self.files.clone() {
            let name = char::from(b'a' + file);
            let _ = write!(edge, " {name:<width$}", width = self.width);
        }
        text.push_str(&self.styled(FAINT, edge.trim_end()));
        text.push('\n');
        for note in below {
            text.push_str(&note);
            text.push('\n');
        }
        text
    }

    /// Splits the notes into their parts if one of them would be too long.
    fn notes(&self, notes: Vec<String>, beside: usize) -> Vec<String> {
        let fits = |note: &String| beside.saturating_add(note.chars().count()) <= self.columns;
        if notes.iter().all(fits) {
            return notes;
        }
        let parts = notes.iter().flat_map(|note| match note.rsplit_once(PART) {
            None => vec![note.clone()],
            Some((first, second)) => vec![first.to_owned(), format!("       {second}")],
        });
        parts.collect()
    }

    fn square<G: Game>(&self, position: &G, cell: Cell) -> String {
        let (style, shown) = if !G::BOARD.has(cell) {
            ("", String::new())
        } else if let Some(glyph) = position.glyph(cell) {
            let style = match glyph.side {
                Some(Side::First) => FIRST,
                Some(Side::Second) => SECOND,
                None => NEUTRAL,
            };
            (style, glyph.text)
        } else {
            (FAINT, ".".to_owned())
        };
        let padding = self.width.saturating_sub(shown.chars().count());
        let mut square = self.styled(style, &shown);
        square.push_str(&" ".repeat(padding));
        square
    }

    fn styled(&self, style: Style, text: &str) -> String {
        if self.colour && !text.is_empty() {
            format!("\x1b[{style}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use anstream::adapter::strip_str;

    use super::*;
    use crate::game::{Hokito, Rng, random_game};

    #[test]
    fn columns_stay_aligned_and_colour_changes_no_character() {
        let mut rng = Rng::new(7);
        for plies in 0..30 {
            let (_, position) = random_game(Hokito::start(), plies, &mut rng);
            let plain = draw(&position, usize::MAX, false);
            let coloured = draw(&position, usize::MAX, true);
            assert_eq!(strip_str(&coloured).to_string(), plain);
            assert!(plain.is_ascii());
            let edge = plain.lines().nth(6).unwrap_or_default();
            for file in 'a'..='f' {
                let column = edge.find(file).expect("the edge names every file");
                for line in plain.lines().take(6) {
                    let square = line.get(column - 1..=column).unwrap_or_default();
                    assert!(square.starts_with(' ') && !square.ends_with(' '), "{plain}");
                }
            }
        }
    }
}
