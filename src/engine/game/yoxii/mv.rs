//! A turn of Yoxii and its text.

use std::fmt::{self, Write as _};
use std::str::FromStr;

use super::BOARD;
use super::fen::MARKS;
use crate::game::error::{MoveError, Phrase};
use crate::game::{Cell, Move};

/// A turn: the totem goes to [`YoxiiMove::totem`], then a piece of
/// [`YoxiiMove::value`] is put on [`YoxiiMove::piece`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct YoxiiMove(u16);

impl YoxiiMove {
    /// The bits of [`Move::bits`] that hold the squares; the others hold the
    /// piece's value.
    pub(crate) const SQUARES: u16 = 0xfff;

    /// A move from its parts; `value` is 1 to 4.
    pub const fn new(totem: Cell, piece: Cell, value: u8) -> Self {
        let value = (value - 1) as u16 & 3;
        Self(totem.index() as u16 | (piece.index() as u16) << 6 | value << 12)
    }

    /// Where the totem goes.
    pub const fn totem(self) -> Cell {
        Cell::from_index(self.0 as usize)
    }

    /// Where the piece is put.
    pub const fn piece(self) -> Cell {
        Cell::from_index((self.0 >> 6) as usize)
    }

    /// The piece's value, 1 to 4.
    pub const fn value(self) -> u8 {
        (self.0 >> 12 & 3) as u8 + 1
    }
}

impl Move for YoxiiMove {
    fn bits(self) -> u16 {
        self.0
    }

    fn from_bits(bits: u16) -> Self {
        Self(bits & 0x3fff)
    }
}

impl fmt::Display for YoxiiMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = MARKS[usize::from(self.value() - 1)];
        self.totem().fmt(f)?;
        self.piece().fmt(f)?;
        f.write_char(mark)
    }
}

impl FromStr for YoxiiMove {
    type Err = MoveError;

    fn from_str(text: &str) -> Result<Self, MoveError> {
        let read = || {
            let totem = Cell::parse(text.get(0..2)?, BOARD)?;
            let piece = Cell::parse(text.get(2..4)?, BOARD)?;
            let mark = text.get(4..)?;
            let value = MARKS.iter().position(|m| mark.chars().eq([*m]))?;
            Some(Self::new(totem, piece, value as u8 + 1))
        };
        read().ok_or_else(|| MoveError::Syntax {
            text: text.to_owned(),
            expected: Phrase::new(&[
                "yoxii-move",
                "the totem's square, the piece's square and o, i, y or x, as in c5b6y",
            ]),
        })
    }
}
