//! The text of a position: `b3,x4,w2:5/.../x6 w`.

use std::fmt;
use std::str::FromStr;

use super::{Hokito, Tower};
use crate::game::Side;
use crate::game::error::{Phrase, PositionError};
use crate::game::fen::{Fen, FenSquare};

const FEN: Fen = Fen {
    ranks: &[(0, 6); 6],
    sides: ["b", "w"],
    expected_side: Phrase::new(&["hokito-side", "'b' or 'w'"]),
    expected_square: Phrase::new(&[
        "hokito-square",
        "x or x1 to x6 for empty squares, b or w with a value from 1 to 3, and \
         for a stack ':' and its height from 2 to 36",
    ]),
    separator: ",",
    empty: |squares| match squares {
        1 => "x".to_owned(),
        _ => format!("x{squares}"),
    },
};

impl fmt::Display for Tower {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", FEN.sides[self.side.index()], self.value)?;
        if self.height > 1 {
            write!(f, ":{}", self.height)?;
        }
        Ok(())
    }
}

fn read_square(text: &str) -> Option<FenSquare<Tower>> {
    if let Some(run) = text.strip_prefix('x') {
        return match run.as_bytes() {
            [] => Some(FenSquare::Empty(1)),
            [digit @ b'1'..=b'6'] => Some(FenSquare::Empty(digit - b'0')),
            _ => None,
        };
    }
    let (top, height) = match text.split_once(':') {
        None => (text, 1),
        Some((top, height)) => {
            let plain = height.starts_with(|c: char| matches!(c, '1'..='9'));
            let height = height.parse().ok().filter(|h| plain && *h >= 2)?;
            (top, height)
        }
    };
    let (side, value) = match top.as_bytes() {
        [b'b', value @ b'1'..=b'3'] => (Side::First, value - b'0'),
        [b'w', value @ b'1'..=b'3'] => (Side::Second, value - b'0'),
        _ => return None,
    };
    Some(FenSquare::Occupied(Tower {
        side,
        value,
        height,
    }))
}

impl FromStr for Hokito {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        let (towers, side) = FEN.read(text, read_square)?;
        Self::of(towers, side)
    }
}

impl fmt::Display for Hokito {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        FEN.write(self, f)
    }
}
