//! The board of Yoxii: its squares, their neighbours and the rays from them.

use crate::game::Cells;

/// First file and number of squares of each rank, from rank 1.
pub(super) const RANKS: [(u8, u8); 7] = [(2, 3), (1, 5), (0, 7), (0, 7), (0, 7), (1, 5), (2, 3)];

/// The board: a square of 7 by 7 without three squares in each corner.
pub(super) const BOARD: Cells = {
    let mut board = 0;
    let mut rank = 0;
    while rank < 7 {
        let (first, len) = RANKS[rank];
        board |= ((1u64 << len) - 1) << (8 * rank + first as usize);
        rank += 1;
    }
    Cells(board)
};

/// File and rank steps of the eight directions. The first four lead to higher indices,
/// so the nearest cell of such a ray is its lowest; that of the others is their highest.
const DIRECTIONS: [(i8, i8); 8] = [
    (1, 0),
    (-1, 1),
    (0, 1),
    (1, 1),
    (-1, 0),
    (1, -1),
    (0, -1),
    (-1, -1),
];

/// The squares next to each cell, and the rays from it in [`DIRECTIONS`].
const GEOMETRY: ([Cells; 64], [[Cells; 8]; 64]) = {
    let mut near = [Cells::EMPTY; 64];
    let mut rays = [[Cells::EMPTY; 8]; 64];
    let mut index = 0;
    while index < 64 {
        let mut d = 0;
        while d < 8 {
            let (df, dr) = DIRECTIONS[d];
            let mut file = (index % 8) as i8 + df;
            let mut rank = (index / 8) as i8 + dr;
            let mut steps = 0;
            while file >= 0 && file < 8 && rank >= 0 && rank < 8 {
                let bit = 1u64 << (8 * rank + file);
                if BOARD.0 & bit == 0 {
                    break;
                }
                rays[index][d].0 |= bit;
                if steps == 0 {
                    near[index].0 |= bit;
                }
                steps += 1;
                file += df;
                rank += dr;
            }
            d += 1;
        }
        index += 1;
    }
    (near, rays)
};

pub(super) static NEAR: [Cells; 64] = GEOMETRY.0;
/// The squares from each cell to the edge, by direction.
pub(super) static RAYS: [[Cells; 8]; 64] = GEOMETRY.1;
