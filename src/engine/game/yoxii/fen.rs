//! The text of a position: `3/X4/2*4/7/7/5/3 r`.

use std::fmt;
use std::str::FromStr;

use super::Yoxii;
use super::geometry::RANKS;
use crate::game::Side;
use crate::game::error::{Phrase, PositionError};
use crate::game::fen::{Fen, FenSquare};

pub(super) const MARKS: [char; 4] = ['o', 'i', 'y', 'x'];

const FEN: Fen = Fen {
    ranks: &RANKS,
    sides: ["w", "r"],
    expected_side: Phrase::new(&["yoxii-side", "'w' or 'r'"]),
    expected_square: Phrase::new(&[
        "yoxii-square",
        "a digit from 1 to 7, a piece (O I Y X o i y x) or '*'",
    ]),
    separator: "",
    empty: |squares| squares.to_string(),
};

/// The letter of a piece: upper case for White.
pub(super) fn piece_letter(side: Side, value: u8) -> char {
    let mark = MARKS[usize::from(value - 1)];
    match side {
        Side::First => mark.to_ascii_uppercase(),
        Side::Second => mark,
    }
}

/// Side and value of a piece; `None` for the totem.
fn read_square(text: &str) -> Option<FenSquare<Option<(Side, u8)>>> {
    let letter = text.chars().next()?;
    if let '1'..='7' = letter {
        return Some(FenSquare::Empty(letter as u8 - b'0'));
    }
    if letter == '*' {
        return Some(FenSquare::Occupied(None));
    }
    let value = MARKS.iter().position(|m| letter.eq_ignore_ascii_case(m))?;
    let side = match letter.is_ascii_uppercase() {
        true => Side::First,
        false => Side::Second,
    };
    Some(FenSquare::Occupied(Some((side, value as u8 + 1))))
}

impl FromStr for Yoxii {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        let (squares, side) = FEN.read(text, read_square)?;
        let (mut totem, mut pieces) = (None, Vec::new());
        for (cell, piece) in squares {
            match piece {
                Some((side, value)) => pieces.push((cell, side, value)),
                None if totem.replace(cell).is_some() => {
                    return Err(PositionError::SecondTotem {
                        cell: cell.to_string(),
                    });
                }
                None => {}
            }
        }
        Self::of(totem.ok_or(PositionError::NoTotem)?, pieces, side)
    }
}

impl fmt::Display for Yoxii {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        FEN.write(self, f)
    }
}
