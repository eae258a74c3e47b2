//! A board that may break the rules, and the check that it does not.

use super::{BOARD, OWNED, Yoxii};
use crate::game::error::PositionError;
use crate::game::{Cell, Cells, Show, Side};

/// A Yoxii board before it is checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct YoxiiSetup {
    /// Side and value (1 to 4) of the piece on each cell, by [`Cell::index`].
    pub pieces: [Option<(Side, u8)>; 64],
    /// Where the totem stands.
    pub totem: Option<Cell>,
    /// The side to move.
    pub side: Side,
}

impl YoxiiSetup {
    /// No piece, no totem, White to move.
    #[must_use]
    pub const fn empty() -> Self {
        Self {
            pieces: [None; 64],
            totem: None,
            side: Side::First,
        }
    }
}

impl TryFrom<&YoxiiSetup> for Yoxii {
    type Error = PositionError;

    fn try_from(setup: &YoxiiSetup) -> Result<Self, PositionError> {
        let totem = setup.totem.ok_or(PositionError::NoTotem)?;
        let off_board = |cell: Cell| PositionError::BadCell {
            cell: cell.to_string(),
        };
        if !BOARD.has(totem) || setup.pieces[totem.index()].is_some() {
            return Err(off_board(totem));
        }
        let mut counts = [[0u8; 4]; 2];
        let mut position = Self::empty(totem);
        for (index, piece) in setup.pieces.iter().enumerate() {
            let Some((side, value @ 1..=4)) = *piece else {
                if piece.is_some() {
                    return Err(off_board(Cell::from_index(index)));
                }
                continue;
            };
            let cell = Cell::from_index(index);
            if !BOARD.has(cell) {
                return Err(off_board(cell));
            }
            counts[side.index()][usize::from(value - 1)] += 1;
            position.put(side, value, cell);
        }
        for side in [Side::First, Side::Second] {
            for value in 0..4 {
                let found = counts[side.index()][value];
                if found > OWNED[value] {
                    let name = Self::SIDE_NAMES[side.index()].to_lowercase();
                    return Err(PositionError::TooMany {
                        what: format!("{name} pieces of value {}", value + 1),
                        found: found.into(),
                        at_most: OWNED[value].into(),
                    });
                }
            }
        }
        let [white, red] = position.colours.map(Cells::len);
        let to_move = match setup.side {
            Side::First => white == red,
            Side::Second => white == red + 1,
        };
        if !to_move {
            return Err(PositionError::PieceBalance {
                white,
                red,
                side: Self::SIDE_NAMES[setup.side.index()],
            });
        }
        if setup.side == Side::Second {
            position.pass_turn();
        }
        Ok(position)
    }
}
