//! A move of Hokito and its text.

use std::fmt;
use std::str::FromStr;

use super::BOARD;
use crate::game::error::{MoveError, Phrase};
use crate::game::{Cell, Move};

/// A move from one square to another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HokitoMove(u16);

impl HokitoMove {
    /// The move between two squares.
    pub const fn new(from: Cell, to: Cell) -> Self {
        Self(from.index() as u16 | (to.index() as u16) << 6)
    }

    /// The square that the pawn or stack leaves.
    pub const fn from(self) -> Cell {
        Cell::from_index(self.0 as usize)
    }

    /// The square that it lands on.
    pub const fn to(self) -> Cell {
        Cell::from_index((self.0 >> 6) as usize)
    }
}

impl Move for HokitoMove {
    fn bits(self) -> u16 {
        self.0
    }

    fn from_bits(bits: u16) -> Self {
        Self(bits & 0x0fff)
    }
}

impl fmt::Display for HokitoMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.from().fmt(f)?;
        self.to().fmt(f)
    }
}

impl FromStr for HokitoMove {
    type Err = MoveError;

    fn from_str(text: &str) -> Result<Self, MoveError> {
        let read = || {
            let from = Cell::parse(text.get(0..2)?, BOARD)?;
            let to = Cell::parse(text.get(2..)?, BOARD)?;
            Some(Self::new(from, to))
        };
        read().ok_or_else(|| MoveError::Syntax {
            text: text.to_owned(),
            expected: Phrase::new(&["hokito-move", "two squares, as in a4c6"]),
        })
    }
}
