//! What the texts of both games' positions have in common.

use std::fmt;

use super::{Cell, Game, Phrase, PositionError, Side};

/// What a square of a position's text says.
pub(super) enum FenSquare<T> {
    Empty(u8),
    Occupied(T),
}

/// How a game writes its positions: the ranks from the top, then the side to move.
pub(super) struct Fen {
    /// First file and number of squares of each rank, from rank 1.
    pub(super) ranks: &'static [(u8, u8)],
    /// The words for the side to move; the next two fields are for messages.
    pub(super) sides: [&'static str; 2],
    pub(super) expected_side: Phrase,
    pub(super) expected_square: Phrase,
    pub(super) separator: &'static str,
    pub(super) empty: fn(usize) -> String,
}

impl Fen {
    /// The ranks, from the last, with their numbers from 0.
    fn ranks_downwards(&self) -> impl Iterator<Item = (u8, (u8, u8))> {
        let ranks = self.ranks.iter().enumerate().rev();
        ranks.map(|(rank, &squares)| (rank as u8, squares))
    }

    /// Reads what stands on which squares, and the side to move; `read` reads a square.
    pub(super) fn read<T>(
        &self,
        text: &str,
        read: impl Fn(&str) -> Option<FenSquare<T>>,
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
        let mut pieces = Vec::new();
        for (rank_text, (rank, (first, len))) in board.split('/').zip(self.ranks_downwards()) {
            let (mut filled, expected) = (0, usize::from(len));
            let squares = rank_text.split(self.separator);
            // Split without a separator, the text begins and ends with an empty piece.
            for square in squares.filter(|square| !(square.is_empty() && self.separator.is_empty()))
            {
                let entry = read(square).ok_or_else(|| unexpected(square, self.expected_square))?;
                let (squares, piece) = match entry {
                    FenSquare::Empty(squares) => (squares, None),
                    FenSquare::Occupied(piece) => (1, Some(piece)),
                };
                if filled + squares > len {
                    return Err(PositionError::RankTooLong {
                        rank: rank + 1,
                        at: at(square),
                        expected,
                    });
                }
                pieces.extend(piece.map(|piece| (Cell::at(first + filled, rank), piece)));
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
        Ok((pieces, side))
    }

    /// Writes a position, with its glyphs for what stands on the squares.
    pub(super) fn write<G: Game>(&self, position: &G, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (rank, (first, len)) in self.ranks_downwards() {
            let glyph = |file| Some(position.glyph(Cell::at(file, rank))?.text);
            let glyphs: Vec<Option<String>> = (first..first + len).map(glyph).collect();
            let runs = glyphs.chunk_by(|one, next| one.is_none() && next.is_none());
            for (number, run) in runs.enumerate() {
                f.write_str(if number > 0 { self.separator } else { "" })?;
                match &run[0] {
                    Some(glyph) => f.write_str(glyph)?,
                    None => f.write_str(&(self.empty)(run.len()))?,
                }
            }
            f.write_str(if rank > 0 { "/" } else { " " })?;
        }
        f.write_str(self.sides[position.side().index()])
    }
}
