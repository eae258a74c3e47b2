//! Counts for all squares at once.

use crate::game::Cells;

/// A number from 0 to 8 for each square, such as the number of ways in which a side
/// could move the totem from there; in bit planes, the lowest first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Counts([u64; 4]);

impl Counts {
    /// The ways of a side with pieces on `own` from each of the `open` squares, those
    /// without a piece. The totem's own square is one: the totem could return to it.
    pub(super) fn of_ways(own: Cells, open: Cells) -> Self {
        let (own, open) = (own.0, open.0);
        // No square of the board has a neighbour across an edge of the word.
        // A line between two open squares has at most five pieces: one step over a
        // piece, and two over pairs.
        let up = |by: u32| {
            let pairs = own & own >> by;
            let mut end = open << by;
            end |= (end & own) << by;
            end |= (end & pairs) << (2 * by);
            end |= (end & pairs) << (2 * by);
            end & open
        };
        let down = |by: u32| {
            let pairs = own & own << by;
            let mut end = open >> by;
            end |= (end & own) >> by;
            end |= (end & pairs) >> (2 * by);
            end |= (end & pairs) >> (2 * by);
            end & open
        };
        // One by one: a closure over an array may not be compiled in.
        let [a, b, c, d] = [up(1), up(7), up(8), up(9)];
        let [e, f, g, h] = [down(1), down(7), down(8), down(9)];
        add([a, b, c, d, e, f, g, h])
    }

    pub(super) fn beside(cells: Cells) -> Self {
        let cells = cells.0;
        // Sums of three in a row, without and with the middle, in two bits each.
        let (west, east) = (cells << 1, cells >> 1);
        let pair = [west ^ east, west & east];
        let three = [pair[0] ^ cells, pair[1] | pair[0] & cells];
        let [below, above] = [three.map(|plane| plane << 8), three.map(|plane| plane >> 8)];
        let (ones, carry) = full_add(below[0], above[0], pair[0]);
        let (twos, fours) = full_add(below[1], above[1], pair[1]);
        let (twos, more) = (twos ^ carry, twos & carry);
        Self([ones, twos, fours ^ more, fours & more])
    }

    /// The squares with a count of 0, 1 and 2.
    pub(super) fn few(self) -> [Cells; 3] {
        let [ones, twos, fours, eights] = self.0;
        let many = fours | eights;
        [
            Cells(!(ones | twos | many)),
            Cells(ones & !(twos | many)),
            Cells(twos & !(ones | many)),
        ]
    }

    /// The counts as numbers of two bits, the lowest first; more than 3 counts as 3.
    pub(super) fn up_to_three(self) -> [u64; 2] {
        let [ones, twos, fours, eights] = self.0;
        let many = fours | eights;
        [ones | many, twos | many]
    }

    /// The sum of what `count` returns for the squares, times their numbers.
    #[inline]
    pub(super) fn total(self, count: impl Fn(Cells) -> i32) -> i32 {
        let [ones, twos, fours, eights] = self.0.map(|plane| count(Cells(plane)));
        ones + 2 * twos + 4 * fours + 8 * eights
    }
}

/// How many of the sets contain each square.
fn add(sets: [u64; 8]) -> Counts {
    let [a, b, c, d, e, f, g, h] = sets;
    let (one, two) = (full_add(a, b, c), full_add(d, e, f));
    let three = (g ^ h, g & h);
    let (ones, carry) = full_add(one.0, two.0, three.0);
    let (twos, fours) = full_add(one.1, two.1, three.1);
    let (twos, more) = (twos ^ carry, twos & carry);
    Counts([ones, twos, fours ^ more, fours & more])
}

/// Sum and carry of three bits, in every place.
const fn full_add(a: u64, b: u64, c: u64) -> (u64, u64) {
    (a ^ b ^ c, a & b | c & (a ^ b))
}
