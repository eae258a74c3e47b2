//! The walks of Hokito's towers on a board from which towers are taken one by one: for the
//! evaluation, which needs those of all moves of a position, and for the solver. The rules find
//! walks from bitboards (`game/hokito.rs`), and the solver has vectors for sixteen towers or
//! fewer (`solver/hokito/relation.rs`).

use crate::game::{Cell, Cells};

/// The neighbour of a tower that has none in some direction: a square off the board,
/// whose bit in a set of squares means nothing.
pub(super) const NOBODY: u8 = 63;

// The lowest bit tells a direction from its reverse.
pub(super) const WEST: usize = 0;
pub(super) const EAST: usize = 1;
pub(super) const SOUTH: usize = 2;
pub(super) const NORTH: usize = 3;
const fn reverse(direction: usize) -> usize {
    direction ^ 1
}

/// Where the walks of a tower end and what they visit. Either may contain the bit
/// of [`NOBODY`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Walks {
    /// Where they may end, whatever stands there.
    pub(super) ends: u64,
    pub(super) passed: u64,
}

/// The next towers in the four directions from a tower, a byte each. They are one
/// word, because loading bytes that were just stored one by one has to wait.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Near(u32);

impl Near {
    const NONE: Self = Self(u32::from_ne_bytes([NOBODY; 4]));

    fn to(self, direction: usize) -> u8 {
        (self.0 >> (8 * direction)) as u8 & 63
    }

    fn with(self, direction: usize, cell: u8) -> Self {
        let shift = 8 * direction;
        Self(self.0 & !(0xff << shift) | u32::from(cell) << shift)
    }
}

/// The next towers in the four directions from every tower. A tower can be
/// taken out and put back in a few steps, as its neighbours then see each
/// other (D. Knuth's dancing links).
pub struct LinkedTowers {
    near: [Near; 64],
    links: [u64; 64],
}

impl LinkedTowers {
    pub(super) fn of(occupied: u64) -> Self {
        let mut linked = Self {
            near: [Near::NONE; 64],
            links: [0; 64],
        };
        let (mut in_rank, mut in_file) = ([NOBODY; 8], [NOBODY; 8]);
        for cell in Cells(occupied).into_iter().map(Cell::index) {
            let west = std::mem::replace(&mut in_rank[cell / 8 % 8], cell as u8);
            let south = std::mem::replace(&mut in_file[cell % 8], cell as u8);
            for (direction, before) in [(WEST, west), (SOUTH, south)] {
                linked.connect(cell as u8, direction, before);
                linked.connect(before, reverse(direction), cell as u8);
                linked.links[cell] |= 1 << before;
                linked.links[usize::from(before & 63)] |= 1 << cell;
            }
        }
        linked.forget_nobody();
        linked
    }

    fn connect(&mut self, cell: u8, direction: usize, other: u8) {
        let near = &mut self.near[usize::from(cell & 63)];
        *near = near.with(direction, other);
    }

    /// Nobody has no neighbours, whatever was linked to it.
    fn forget_nobody(&mut self) {
        self.near[usize::from(NOBODY)] = Near::NONE;
        self.links[usize::from(NOBODY)] = 0;
    }

    /// The next towers to the west, east, south and north of a tower; 63 where there is
    /// none.
    pub(super) fn neighbours(&self, cell: usize) -> [usize; 4] {
        let near = self.near[cell & 63];
        [WEST, EAST, SOUTH, NORTH].map(|direction| near.to(direction).into())
    }

    fn near(&self, cell: u8) -> Near {
        self.near[usize::from(cell & 63)]
    }

    fn link(&self, cell: u8) -> u64 {
        self.links[usize::from(cell & 63)]
    }

    pub(super) fn lift(&mut self, cell: usize) {
        self.relink::<false>(cell);
    }

    pub(super) fn put_back(&mut self, cell: usize) {
        self.relink::<true>(cell);
    }

    /// Makes the neighbours of a tower see it, or see beyond it.
    fn relink<const IS_THERE: bool>(&mut self, cell: usize) {
        let here = 1u64 << cell;
        let near = self.near[cell & 63];
        for direction in 0..4 {
            let (one, other) = (near.to(direction), near.to(reverse(direction)));
            let beyond = 1 << (other & 63);
            let (seen, old, new) = match IS_THERE {
                true => (cell as u8, beyond, here),
                false => (other, here, beyond),
            };
            self.connect(one, reverse(direction), seen);
            let link = &mut self.links[usize::from(one & 63)];
            *link = *link & !old | new;
        }
        self.forget_nobody();
    }

    /// Where the walks of one, two and three steps from a tower end. A walk backwards
    /// is a walk, so these are also the squares from which the tower is reached.
    #[inline]
    pub(super) fn ends(&self, cell: usize) -> [u64; 3] {
        let from = 1u64 << (cell & 63);
        let near = self.near[cell & 63];
        let (mut twos, mut threes) = (0, 0);
        for direction in 0..4 {
            let one = near.to(direction);
            twos |= self.link(one);
            // A second step back to the origin would make the third end beside it.
            let seconds = self.near(one).with(reverse(direction), NOBODY);
            let third = (0..4).fold(0, |ends, d| ends | self.link(seconds.to(d)));
            threes |= third & !(1 << one);
        }
        [self.links[cell & 63], twos & !from, threes & !from]
    }

    /// The walks of `steps` steps from a tower, 1 to 3.
    pub(super) fn walks_of(&self, cell: usize, steps: u8) -> Walks {
        match steps {
            1 => self.walks::<1>(cell),
            2 => self.walks::<2>(cell),
            _ => self.walks::<3>(cell),
        }
    }

    /// The same for a constant number of steps. It is a parameter of the type,
    /// because a branch on it would be unpredictable.
    pub(super) fn walks<const STEPS: u8>(&self, cell: usize) -> Walks {
        let from = 1u64 << cell;
        let first = self.links[cell & 63];
        let near = self.near[cell & 63];
        match STEPS {
            1 => Walks {
                ends: first,
                passed: first,
            },
            2 => {
                let ends = (0..4).fold(0, |ends, d| ends | self.link(near.to(d))) & !from;
                Walks {
                    ends,
                    passed: first | ends,
                }
            }
            _ => {
                let [first, second, ends] = self.ends(cell);
                let passed = first | second | ends;
                Walks { ends, passed }
            }
        }
    }

    /// Visits the walks of `towers`, ordered by their number of steps: a branch on
    /// the steps of each tower would be unpredictable. `values` are the steps of all
    /// towers as two bit planes, the low one first.
    #[inline]
    pub(super) fn each_walk(
        &self,
        towers: u64,
        values: [u64; 2],
        mut visit: impl FnMut(usize, Walks),
    ) {
        let [low, high] = values.map(|plane| towers & plane);
        let each = |cells| Cells(cells).into_iter().map(Cell::index);
        each(low & !high).for_each(|cell| visit(cell, self.walks::<1>(cell)));
        each(high & !low).for_each(|cell| visit(cell, self.walks::<2>(cell)));
        each(low & high).for_each(|cell| visit(cell, self.walks::<3>(cell)));
    }
}
