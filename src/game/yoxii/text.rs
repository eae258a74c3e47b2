//! The text of a position: `3/X4/2*4/7/7/5/3 r`.

use std::fmt;
use std::str::FromStr;

use super::geometry::RANKS;
use super::{Yoxii, YoxiiSetup};
use crate::game::error::PositionError;
use crate::game::text::{self, RankFill};
use crate::game::{Cell, Show, Side};

/// The marks of the pieces by value - 1.
pub(super) const MARKS: [char; 4] = ['o', 'i', 'y', 'x'];

/// The letter of a piece: upper case for White.
pub(super) fn piece_letter(side: Side, value: u8) -> char {
    let mark = MARKS[usize::from(value - 1)];
    match side {
        Side::First => mark.to_ascii_uppercase(),
        Side::Second => mark,
    }
}

impl FromStr for YoxiiSetup {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        let (board, side) = text::board_and_side(text, "'w' or 'r'", |side| match side {
            "w" => Some(Side::First),
            "r" => Some(Side::Second),
            _ => None,
        })?;
        let mut setup = Self::empty();
        setup.side = side;
        let ranks = text::split_ranks(board, RANKS.len())?;
        for ((at, rank_text), rank) in ranks.into_iter().zip((0..7).rev()) {
            let (first, len) = RANKS[usize::from(rank)];
            let mut filled = RankFill::new(rank, len);
            for (offset, found) in rank_text.char_indices() {
                let at = at + offset;
                let (step, piece) = match found {
                    '1'..='7' => (found as u8 - b'0', None),
                    '*' => (1, None),
                    _ => {
                        let value = MARKS.iter().position(|m| found.eq_ignore_ascii_case(m));
                        let value = value.ok_or_else(|| PositionError::Unexpected {
                            at,
                            found: found.to_string(),
                            expected: "a digit from 1 to 7, a piece (O I Y X o i y x) or '*'",
                        })?;
                        let side = if found.is_ascii_uppercase() {
                            Side::First
                        } else {
                            Side::Second
                        };
                        (1, Some((side, value as u8 + 1)))
                    }
                };
                let cell = Cell::at(first + filled.fill(step, at)?, rank);
                if found == '*' && setup.totem.replace(cell).is_some() {
                    return Err(PositionError::SecondTotem {
                        cell: cell.to_string(),
                    });
                }
                setup.pieces[cell.index()] = piece;
            }
            filled.finish()?;
        }
        Ok(setup)
    }
}

impl FromStr for Yoxii {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        Self::try_from(&text.parse::<YoxiiSetup>()?)
    }
}

impl fmt::Display for Yoxii {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..7u8).rev() {
            let (first, len) = RANKS[usize::from(rank)];
            let mut run = 0;
            for file in first..first + len {
                let Some(glyph) = self.glyph(Cell::at(file, rank)) else {
                    run += 1;
                    continue;
                };
                if run > 0 {
                    write!(f, "{run}")?;
                    run = 0;
                }
                f.write_str(&glyph.text)?;
            }
            if run > 0 {
                write!(f, "{run}")?;
            }
            if rank > 0 {
                f.write_str("/")?;
            }
        }
        f.write_str(match self.side {
            Side::First => " w",
            Side::Second => " r",
        })
    }
}

impl fmt::Debug for Yoxii {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
