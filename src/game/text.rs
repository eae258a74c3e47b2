//! What the texts of both games' positions have in common.

#[cfg(feature = "arena")]
use std::path::Path;

use super::{Cell, Cells, Game, PositionError, Side};

/// The squares that a move names.
#[must_use]
pub fn squares_of<G: Game>(mv: G::Move) -> Cells {
    let text = mv.to_string();
    let squares = text.as_bytes().chunks_exact(2);
    squares
        .filter_map(|square| Cell::parse(str::from_utf8(square).ok()?, G::BOARD))
        .collect()
}

/// A number of things for people: `1 stack`, `2 stacks`.
pub(crate) fn number_of(count: impl ToString, noun: &str) -> String {
    let count = count.to_string();
    let ending = if count == "1" { "" } else { "s" };
    format!("{count} {noun}{ending}")
}

/// Characters of a quoted text: it leaves room for the explanation.
const QUOTED: usize = 60;

/// A text in quotes for a message: cut where it is long, and without characters that
/// could tell a terminal what to do.
pub(crate) fn quoted(text: &str) -> String {
    within_quotes(text, QUOTED)
}

/// Characters of a quoted path: of one that is cut nobody knows which file it names.
#[cfg(feature = "arena")]
const PATH: usize = 200;

/// A path in quotes for a message, as [`quoted`] has a text.
#[cfg(feature = "arena")]
pub(crate) fn quoted_path(path: &Path) -> String {
    within_quotes(&path.to_string_lossy(), PATH)
}

/// A text in quotes of so many characters at the most.
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

/// Tokens separated by white space, with the byte at which each begins.
fn tokens(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let start = text.as_ptr() as usize;
    text.split_whitespace()
        .map(move |token| (token.as_ptr() as usize - start, token))
}

pub(super) type Located<'a> = (usize, &'a str);

/// Splits a position's text into its board and its side to move, which
/// `read_side` recognises among `expected`.
pub(super) fn board_and_side<'a>(
    text: &'a str,
    expected: &'static str,
    read_side: impl Fn(&str) -> Option<Side>,
) -> Result<(Located<'a>, Side), PositionError> {
    let mut tokens = tokens(text);
    let board = tokens.next().unwrap_or((0, ""));
    let (at, found) = tokens.next().ok_or(PositionError::NoSide { expected })?;
    let side = read_side(found).ok_or_else(|| PositionError::Unexpected {
        at,
        found: found.to_owned(),
        expected,
    })?;
    match tokens.next() {
        None => Ok((board, side)),
        Some((at, found)) => Err(PositionError::Trailing {
            at,
            found: found.to_owned(),
        }),
    }
}

/// Splits a board into exactly `expected` ranks.
pub(super) fn split_ranks(
    (at, board): Located<'_>,
    expected: usize,
) -> Result<Vec<Located<'_>>, PositionError> {
    let ranks = split_at(at, board, '/');
    if ranks.len() == expected {
        Ok(ranks)
    } else {
        Err(PositionError::RankCount {
            found: ranks.len(),
            expected,
        })
    }
}

/// Splits a text that begins at byte `at` of the whole.
pub(super) fn split_at(at: usize, text: &str, separator: char) -> Vec<Located<'_>> {
    let mut at = at;
    text.split(separator)
        .map(|part| {
            let located = (at, part);
            at += part.len() + separator.len_utf8();
            located
        })
        .collect()
}

/// Fills a rank from left to right with the squares that its text describes.
pub(super) struct RankFill {
    rank: u8,
    len: u8,
    filled: u8,
}

impl RankFill {
    /// An empty rank, counted from 0, of `len` squares.
    pub(super) const fn new(rank: u8, len: u8) -> Self {
        Self {
            rank,
            len,
            filled: 0,
        }
    }

    /// Fills the next squares, described at byte `at`; the number of squares
    /// to the left of them.
    pub(super) fn fill(&mut self, squares: u8, at: usize) -> Result<u8, PositionError> {
        let before = self.filled;
        if before + squares > self.len {
            return Err(PositionError::RankTooLong {
                rank: self.rank + 1,
                at,
                expected: self.len.into(),
            });
        }
        self.filled += squares;
        Ok(before)
    }

    pub(super) fn finish(self) -> Result<(), PositionError> {
        if self.filled < self.len {
            return Err(PositionError::RankTooShort {
                rank: self.rank + 1,
                found: self.filled.into(),
                expected: self.len.into(),
            });
        }
        Ok(())
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
