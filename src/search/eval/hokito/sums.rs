//! Sums over towers.

use std::iter::Sum;
use std::ops::{Add, Sub};

use crate::game::{Cell, Hokito};

/// Several sums over some towers side by side in one word, so that a tower is
/// added or taken away in one step. A sum may be negative, as the difference of
/// two sides' may be; its borrow from the next lane is put right when it is read.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Sums(u64);

/// Bits of a lane, for sums from -2048 to 2047.
const LANE: u32 = 12;
/// 2048 in every lane.
const BIAS: u64 = {
    let mut bias = 0;
    let mut lane = 0;
    while lane < 5 {
        bias |= 1 << (LANE * lane + LANE - 1);
        lane += 1;
    }
    bias
};

impl Sums {
    /// Those of a single alone.
    pub(super) fn of_single(value: u8) -> Self {
        Self(1 | u64::from(value) << LANE)
    }

    /// Those of a stack alone.
    pub(super) fn of_stack(height: u8, value: u8) -> Self {
        let (height, value) = (u64::from(height), u64::from(value));
        let points = height * value;
        Self(1 << (2 * LANE) | height << (3 * LANE) | points << (4 * LANE))
    }

    /// Those of the tower on an occupied square.
    pub(super) fn of_tower(position: &Hokito, cell: Cell) -> Self {
        if position.stacks().has(cell) {
            Self::of_stack(position.height(cell), position.value(cell))
        } else {
            Self::of_single(position.value(cell))
        }
    }

    /// The negative of all.
    pub(super) fn negative_if(self, negative: bool) -> Self {
        let mask = u64::from(negative).wrapping_neg();
        Self((self.0 ^ mask).wrapping_sub(mask))
    }

    /// All, or nothing.
    pub(super) fn only_if(self, wanted: bool) -> Self {
        Self(self.0 & u64::from(wanted).wrapping_neg())
    }

    fn lane(self, lane: u32) -> i32 {
        let biased = self.0.wrapping_add(BIAS) >> (LANE * lane);
        (biased & ((1 << LANE) - 1)) as i32 - (1 << (LANE - 1))
    }

    pub(super) fn singles(self) -> i32 {
        self.lane(0)
    }

    pub(super) fn points_of_singles(self) -> i32 {
        self.lane(1)
    }

    pub(super) fn stacks(self) -> i32 {
        self.lane(2)
    }

    pub(super) fn height_of_stacks(self) -> i32 {
        self.lane(3)
    }

    pub(super) fn points_of_stacks(self) -> i32 {
        self.lane(4)
    }
}

impl Add for Sums {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }
}

impl Sub for Sums {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0.wrapping_sub(other.0))
    }
}

impl Sum for Sums {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), Self::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_do_not_disturb_each_other() {
        let read = |sums: Sums| {
            [
                sums.singles(),
                sums.points_of_singles(),
                sums.stacks(),
                sums.height_of_stacks(),
                sums.points_of_stacks(),
            ]
        };
        let single = Sums::of_single(3);
        let stacks = Sums::of_stack(7, 2) + Sums::of_stack(4, 1);
        assert_eq!(read(single), [1, 3, 0, 0, 0]);
        assert_eq!(read(stacks), [0, 0, 2, 11, 18]);
        assert_eq!(read(stacks - single), [-1, -3, 2, 11, 18]);
        assert_eq!(read(single - stacks), [1, 3, -2, -11, -18]);
        assert_eq!((stacks - single).negative_if(true), single - stacks);
        assert_eq!(stacks.negative_if(false), stacks);
        let most = [Sums::of_stack(36, 3), Sums::of_single(3)].map(|sums| [sums; 18]);
        let all: Sums = most.into_iter().flatten().sum();
        assert_eq!(read(all), [18, 54, 18, 648, 1944]);
        assert_eq!(read(Sums::default() - all), [-18, -54, -18, -648, -1944]);
    }
}
