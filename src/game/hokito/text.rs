//! The text of a position: `b3,x4,w2:5/.../x6 w`.

use std::fmt;
use std::str::FromStr;

use super::{Hokito, HokitoSetup, SIZE, Tower};
use crate::game::error::PositionError;
use crate::game::text::{self, RankFill};
use crate::game::{Cell, Side};

impl fmt::Display for Tower {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let colour = match self.side {
            Side::First => 'b',
            Side::Second => 'w',
        };
        write!(f, "{colour}{}", self.value)?;
        if self.height > 1 {
            write!(f, ":{}", self.height)?;
        }
        Ok(())
    }
}

const SQUARE_TEXT: &str = "x or x1 to x6 for empty squares, b or w with a value from 1 to 3, \
                           and for a stack ':' and its height from 2 to 36";

enum SquareText {
    Empty(u8),
    Tower(Tower),
}

impl SquareText {
    fn read(text: &str) -> Option<Self> {
        if let Some(run) = text.strip_prefix('x') {
            return match run.as_bytes() {
                [] => Some(Self::Empty(1)),
                [digit @ b'1'..=b'6'] => Some(Self::Empty(digit - b'0')),
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
        Some(Self::Tower(Tower {
            side,
            value,
            height,
        }))
    }
}

impl FromStr for HokitoSetup {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        let (board, side) = text::board_and_side(text, "'b' or 'w'", |side| match side {
            "b" => Some(Side::First),
            "w" => Some(Side::Second),
            _ => None,
        })?;
        let mut setup = Self::empty();
        setup.side = side;
        let ranks = text::split_ranks(board, usize::from(SIZE))?;
        for ((at, rank_text), rank) in ranks.into_iter().zip((0..SIZE).rev()) {
            let mut filled = RankFill::new(rank, SIZE);
            for (at, found) in text::split_at(at, rank_text, ',') {
                let square = SquareText::read(found).ok_or_else(|| PositionError::Unexpected {
                    at,
                    found: found.to_owned(),
                    expected: SQUARE_TEXT,
                })?;
                match square {
                    SquareText::Empty(run) => {
                        filled.fill(run, at)?;
                    }
                    SquareText::Tower(tower) => {
                        let file = filled.fill(1, at)?;
                        setup.towers[Cell::at(file, rank).index()] = Some(tower);
                    }
                }
            }
            filled.finish()?;
        }
        Ok(setup)
    }
}

impl FromStr for Hokito {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        Self::try_from(&text.parse::<HokitoSetup>()?)
    }
}

impl fmt::Display for Hokito {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..SIZE).rev() {
            let mut squares: Vec<String> = Vec::new();
            let mut run = 0;
            let flush = |run: &mut u8, squares: &mut Vec<String>| {
                match *run {
                    0 => {}
                    1 => squares.push("x".to_owned()),
                    many => squares.push(format!("x{many}")),
                }
                *run = 0;
            };
            for file in 0..SIZE {
                match self.tower(Cell::at(file, rank)) {
                    None => run += 1,
                    Some(tower) => {
                        flush(&mut run, &mut squares);
                        squares.push(tower.to_string());
                    }
                }
            }
            flush(&mut run, &mut squares);
            f.write_str(&squares.join(","))?;
            if rank > 0 {
                f.write_str("/")?;
            }
        }
        f.write_str(match self.side {
            Side::First => " b",
            Side::Second => " w",
        })
    }
}

impl fmt::Debug for Hokito {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
