//! What the texts of both games' positions have in common.

use std::fmt::{self, Write};
use std::path::Path;

use arrayvec::ArrayString;

use super::{Cell, Cells, Game, Phrase, PositionError, Side};

/// The squares that a move names.
#[must_use]
pub fn squares_of<G: Game>(mv: G::Move) -> Cells {
    let text = mv.to_string();
    let squares = text.as_bytes().chunks_exact(2);
    squares
        .filter_map(|square| Cell::parse(str::from_utf8(square).ok()?, G::BOARD))
        .collect()
}

/// The legal moves with their texts, which have at most eight bytes, in the order of these.
pub fn sorted_moves<G: Game>(position: &G) -> Vec<(ArrayString<8>, G::Move)> {
    let keyed = |mv: &G::Move| {
        let mut text = ArrayString::new();
        let _ = write!(text, "{mv}");
        // Numbers compare much faster than texts.
        let mut bytes = [0; 8];
        bytes[..text.len()].copy_from_slice(text.as_bytes());
        (u64::from_be_bytes(bytes), (text, *mv))
    };
    let mut moves: Vec<_> = position.moves().iter().map(keyed).collect();
    moves.sort_unstable_by_key(|(key, _)| *key);
    moves.into_iter().map(|(_, mv)| mv).collect()
}

/// A number of things for people: `1 stack`, `2 stacks`.
pub fn number_of(count: impl ToString, noun: &str) -> String {
    let count = count.to_string();
    let ending = if count == "1" { "" } else { "s" };
    format!("{count} {noun}{ending}")
}

/// A table for people, whose first row names the columns. The first `left` columns are
/// aligned to the left, the others to the right.
pub fn table(rows: &[Vec<String>], left: usize) -> String {
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..rows[0].len()).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().zip(&widths).enumerate();
        let cells = cells.map(|(column, (cell, &width))| match column < left {
            true => format!("{cell:<width$}"),
            false => format!("{cell:>width$}"),
        });
        text += cells.collect::<Vec<_>>().join("  ").trim_end();
        text.push('\n');
    }
    text
}

/// The most characters of a quoted text: it leaves room for the explanation.
const QUOTED: usize = 60;

/// A text in quotes for a message: cut if it is long, and without characters that
/// could tell a terminal what to do.
pub fn quoted(text: &str) -> String {
    within_quotes(text, QUOTED)
}

/// The most characters of a quoted path: one that is cut no longer tells which file it
/// names.
const PATH: usize = 200;

/// A path in quotes for a message, like a text by [`quoted`].
pub fn quoted_path(path: &Path) -> String {
    within_quotes(&path.to_string_lossy(), PATH)
}

/// A text in quotes, cut after `most` characters.
fn within_quotes(text: &str, most: usize) -> String {
    let mut shown = String::from("'");
    let mut chars = text.chars();
    for char in chars.by_ref().take(most) {
        match char {
            // Quotes and backslashes, which would be escaped as well, do no harm.
            ' '..='~' => shown.push(char),
            _ => shown.extend(char.escape_debug()),
        }
    }
    shown.push_str(if chars.next().is_some() { "...'" } else { "'" });
    shown
}

/// The one gate for a text of somebody else, such as a name in a file or what an engine
/// says, on its way to a terminal or a page: without what could tell a terminal what to
/// do, break a line or turn the direction of writing.
pub fn plain(text: &str) -> String {
    let shown = |char: char| match char {
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' => None,
        '\u{2066}'..='\u{2069}' | '\u{feff}' => None,
        '\u{2028}' | '\u{2029}' => Some(' '),
        char if char.is_control() => Some(' '),
        char => Some(char),
    };
    text.chars().filter_map(shown).collect()
}

/// What a square of a position's text says.
pub(super) enum Square<T> {
    Empty(u8),
    Taken(T),
}

/// How a game writes its positions: the ranks from the top, then the side to move.
pub(super) struct Notation {
    /// First file and number of squares of each rank, from rank 1.
    pub(super) ranks: &'static [(u8, u8)],
    /// The words for the side to move; the next two fields are for messages.
    pub(super) sides: [&'static str; 2],
    pub(super) expected_side: Phrase,
    pub(super) expected_square: Phrase,
    pub(super) separator: &'static str,
    pub(super) empty: fn(usize) -> String,
}

impl Notation {
    /// The ranks, from the last, with their numbers from 0.
    fn ranks_downwards(&self) -> impl Iterator<Item = (u8, (u8, u8))> {
        let ranks = self.ranks.iter().enumerate().rev();
        ranks.map(|(rank, &squares)| (rank as u8, squares))
    }

    /// Reads what stands on which squares, and the side to move; `read` reads a square.
    pub(super) fn read<T>(
        &self,
        text: &str,
        read: impl Fn(&str) -> Option<Square<T>>,
    ) -> Result<(Vec<(Cell, T)>, Side), PositionError> {
        let at = |part: &str| part.as_ptr() as usize - text.as_ptr() as usize;
        let unexpected = |part: &str, expected| PositionError::Unexpected {
            at: at(part),
            found: part.to_owned(),
            expected,
        };
        let mut fields = text.split_whitespace();
        let board = fields.next().unwrap_or("");
        let expected = self.expected_side;
        let side = fields.next().ok_or(PositionError::NoSide { expected })?;
        let side = match self.sides.iter().position(|&word| word == side) {
            Some(0) => Side::First,
            Some(_) => Side::Second,
            None => return Err(unexpected(side, expected)),
        };
        if let Some(field) = fields.next() {
            return Err(PositionError::Trailing {
                at: at(field),
                found: field.to_owned(),
            });
        }
        let (found, expected) = (board.split('/').count(), self.ranks.len());
        if found != expected {
            return Err(PositionError::RankCount { found, expected });
        }
        let mut taken = Vec::new();
        for (rank_text, (rank, (first, len))) in board.split('/').zip(self.ranks_downwards()) {
            let (mut filled, expected) = (0, usize::from(len));
            let squares = rank_text.split(self.separator);
            // Split without a separator, the text begins and ends with an empty piece.
            for square in squares.filter(|square| !(square.is_empty() && self.separator.is_empty()))
            {
                let found = read(square).ok_or_else(|| unexpected(square, self.expected_square))?;
                let (squares, piece) = match found {
                    Square::Empty(squares) => (squares, None),
                    Square::Taken(piece) => (1, Some(piece)),
                };
                if filled + squares > len {
                    return Err(PositionError::RankTooLong {
                        rank: rank + 1,
                        at: at(square),
                        expected,
                    });
                }
                taken.extend(piece.map(|piece| (Cell::at(first + filled, rank), piece)));
                filled += squares;
            }
            if filled < len {
                return Err(PositionError::RankTooShort {
                    rank: rank + 1,
                    found: filled.into(),
                    expected,
                });
            }
        }
        Ok((taken, side))
    }

    /// Writes a position, with its glyphs for what stands on the squares.
    pub(super) fn write<G: Game>(&self, position: &G, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (rank, (first, len)) in self.ranks_downwards() {
            let glyph = |file| Some(position.glyph(Cell::at(file, rank))?.text);
            let glyphs: Vec<Option<String>> = (first..first + len).map(glyph).collect();
            let runs = glyphs.chunk_by(|one, next| one.is_none() && next.is_none());
            let text = |run: &[Option<String>]| match &run[0] {
                Some(glyph) => glyph.clone(),
                None => (self.empty)(run.len()),
            };
            let squares: Vec<String> = runs.map(text).collect();
            f.write_str(&squares.join(self.separator))?;
            f.write_str(if rank > 0 { "/" } else { " " })?;
        }
        f.write_str(self.sides[position.side().index()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quoted_text_is_short_and_harmless() {
        let long = "x".repeat(60);
        assert_eq!(quoted(&long), format!("'{long}'"));
        assert_eq!(quoted(&(long.clone() + "é")), format!("'{long}...'"));
        assert_eq!(quoted("l'été \\"), "'l'été \\'");
        assert_eq!(
            quoted("\x1b[2J\u{9b}\u{202e}\t"),
            "'\\u{1b}[2J\\u{9b}\\u{202e}\\t'"
        );
    }
}
