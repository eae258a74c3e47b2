//! A board that may break the rules, and the check that it does not.

use super::{BOARD, Hokito, Tower};
use crate::game::error::PositionError;
use crate::game::{Cell, Show, Side};

const PAWNS: u32 = 36;
const PAWNS_OF_A_KIND: u32 = 6;

/// A Hokito board before it is checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HokitoSetup {
    /// What stands on each cell, by [`Cell::index`].
    pub towers: [Option<Tower>; 64],
    /// The side to move.
    pub side: Side,
}

impl HokitoSetup {
    /// An empty board, Black to move.
    #[must_use]
    pub const fn empty() -> Self {
        Self {
            towers: [None; 64],
            side: Side::First,
        }
    }
}

impl TryFrom<&HokitoSetup> for Hokito {
    type Error = PositionError;

    fn try_from(setup: &HokitoSetup) -> Result<Self, PositionError> {
        let mut position = Self::empty();
        let mut total = 0;
        for (index, tower) in setup.towers.iter().enumerate() {
            let Some(tower) = *tower else { continue };
            let cell = Cell::from_index(index);
            if !BOARD.has(cell) || !(1..=3).contains(&tower.value) {
                return Err(PositionError::BadCell {
                    cell: cell.to_string(),
                });
            }
            if !(1..=PAWNS).contains(&u32::from(tower.height)) {
                return Err(PositionError::Height {
                    cell: cell.to_string(),
                    found: tower.height.into(),
                });
            }
            total += u32::from(tower.height);
            position.put(cell, tower);
        }
        if total > PAWNS {
            return Err(PositionError::TotalHeight { found: total });
        }
        for side in [Side::First, Side::Second] {
            for value in 1..=3 {
                let found = (position.topped_by(side) & position.topped_with(value)).len();
                if found > PAWNS_OF_A_KIND {
                    let name = Self::SIDE_NAMES[side.index()].to_lowercase();
                    return Err(PositionError::TooMany {
                        what: format!("{name} tops of value {value}"),
                        found,
                        at_most: PAWNS_OF_A_KIND,
                    });
                }
            }
        }
        if setup.side == Side::Second {
            position.pass_turn();
        }
        Ok(position)
    }
}
