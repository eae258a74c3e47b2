//! Towers, and the bounds on the margin that follow from where they stand.

use super::value;
use crate::search::solver::node::{PayoffBounds, each};

/// All squares of the ranks and files that a set meets.
fn ranks_and_files(cells: u64) -> u64 {
    let ranks = ((cells + 0x7f7f_7f7f_7f7f) & 0x8080_8080_8080) >> 7;
    let mut files = cells | cells >> 24;
    files |= files >> 8 | files >> 16;
    (ranks * 0x3f) | ((files & 0x3f) * 0x0101_0101_0101)
}

/// The towers that share a rank or file with one of a set, those that share one with
/// these, and so on.
pub(super) fn component(seed: u64, occupied: u64) -> u64 {
    let mut all = seed;
    loop {
        let more = ranks_and_files(all) & occupied;
        if more == all {
            return all;
        }
        all = more;
    }
}

fn several(set: u64) -> bool {
    set & set.wrapping_sub(1) != 0
}

/// What the bounds on the margin follow from, with a bit for each tower.
#[derive(Clone, Copy, Debug)]
pub(super) struct Towers {
    pub(super) occupied: u64,
    pub(super) own: u64,
    pub(super) values: [u64; 2],
    pub(super) stacks: u64,
}

impl Towers {
    /// The towers of a component that may ever move. A single needs another
    /// single; a stack needs another stack or two singles that become one; and
    /// a walk needs as many other towers as it has steps.
    fn movable(&self, here: u64) -> u64 {
        let [low, high] = self.values;
        let singles = here & !self.stacks;
        let stacks = here & self.stacks;
        let paired = match (several(singles), several(stacks)) {
            (true, _) => here,
            (_, true) => stacks,
            _ => 0,
        };
        let walking = match here.count_ones() {
            1 => 0,
            2 => !high,
            3 => !(low & high),
            _ => u64::MAX,
        };
        paired & walking
    }

    /// The highest of the values of some towers, 1 for none.
    fn highest(&self, towers: u64) -> i32 {
        let [low, high] = self.values.map(|plane| plane & towers);
        1 + i32::from(high != 0) + i32::from(low & high != 0)
    }

    /// The lowest of the values of some towers, 3 for none.
    fn lowest(&self, towers: u64) -> i32 {
        let [low, high] = self.values.map(|plane| plane & towers);
        3 - i32::from(low != high) - i32::from(low & !high != 0)
    }

    /// The best value under which a pawn can end for a side that has `these`
    /// movable towers, while its opponent has `those`.
    fn best(&self, these: u64, those: u64) -> i32 {
        match these {
            0 => -self.lowest(those),
            _ => self.highest(these),
        }
    }

    /// Bounds on the final margin. Lines that share no tower never will, so
    /// each component counts by itself: in the end each of its pawns lies under
    /// the tower that is on it now or under one that can move. A tower stays for
    /// good if nothing in its component can move, or if it is the only single there.
    ///
    /// `component` finds all towers that are connected with one, `height` the
    /// height of a tower.
    pub(super) fn static_bounds(
        &self,
        component: impl Fn(u64) -> u64,
        height: impl Fn(usize) -> i32,
    ) -> PayoffBounds {
        let mut left = self.occupied;
        let (mut lower, mut upper) = (0, 0);
        while left != 0 {
            let here = component(left & left.wrapping_neg());
            left &= !here;
            let movable = self.movable(here);
            let (own, opp) = (movable & self.own, movable & !self.own);
            let (best, worst) = (self.best(own, opp), -self.best(opp, own));
            if movable == here {
                // Each pawn may end under the best tower of either side.
                let pawns: i32 = each(here).map(&height).sum();
                upper += pawns * best;
                lower += pawns * worst;
                continue;
            }
            let singles = here & !self.stacks;
            let fixed = match movable {
                0 => here,
                _ if !several(singles) => singles,
                _ => 0,
            };
            for cell in each(here) {
                let height = height(cell);
                let value = match self.own >> cell & 1 {
                    0 => -value(self.values, cell),
                    _ => value(self.values, cell),
                };
                let (best, worst) = match fixed >> cell & 1 {
                    0 => (value.max(best), value.min(worst)),
                    _ => (value, value),
                };
                upper += height * best;
                lower += height * worst;
            }
        }
        PayoffBounds { lower, upper }
    }
}
