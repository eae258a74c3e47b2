//! The opponent's replies to the moves of one tower, counted for all its targets at once.

use crate::search::hokito_walks::Walks;

/// A tower of the opponent and its replies to the moves of one tower.
#[derive(Clone, Copy)]
pub(super) struct Replier {
    pub(super) tower: u64,
    pub(super) walks: Walks,
    pub(super) ends: u64,
    pub(super) count: i32,
    /// What a target that becomes a stack adds to the count: 1 if the tower is a
    /// stack, -1 if it is a single.
    pub(super) step: i32,
}

impl Replier {
    pub(super) fn new(cell: usize, walks: Walks, landable: u64, step: i32) -> Self {
        let ends = walks.ends & landable;
        Self {
            tower: 1 << cell,
            walks,
            ends,
            count: ends.count_ones() as i32,
            step,
        }
    }
}

pub(super) struct Replies {
    pub(super) moves: i32,
    pub(super) movers: i32,
    pub(super) ends: u64,
}

impl Replies {
    /// The replies to a move onto a cell, from what the opponent could do if the
    /// move's origin were empty. If singles move, their target becomes a stack:
    /// towers that could land on it no longer can, and those that could not, can.
    pub(super) fn after_move_to(repliers: &[Replier], to: usize, singles_move: bool) -> Self {
        let (mut moves, mut movers, mut ends) = (0, 0, 0);
        for replier in repliers {
            // No branches here: they would be unpredictable.
            let live = (replier.tower >> to & 1).wrapping_sub(1);
            let turned = replier.walks.ends >> to & u64::from(singles_move);
            let count =
                (replier.count + (replier.step & (turned as i32).wrapping_neg())) & live as i32;
            moves += count;
            movers += i32::from(count != 0);
            ends |= (replier.ends ^ turned << to) & live;
        }
        Self {
            moves,
            movers,
            ends,
        }
    }
}
