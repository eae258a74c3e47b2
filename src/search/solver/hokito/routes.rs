//! The walks of Hokito's towers over lines that lose towers one by one.

use super::super::node::each;

/// The neighbour of a tower that has none in some direction. It stands off the
/// board: its bit in a set of squares means nothing.
const NOBODY: u8 = 63;

/// Directions; the reverse of one is the other of its pair.
const WEST: usize = 0;
const SOUTH: usize = 2;
const fn reverse(direction: usize) -> usize {
    direction ^ 1
}

/// Where the walks of a tower end and what they visit. The bit of [`NOBODY`]
/// may be in either.
#[derive(Clone, Copy, Debug)]
pub(super) struct Walks {
    /// Where they may end, whatever stands there.
    pub(super) ends: u64,
    /// All squares that they visit, the ends too.
    pub(super) passed: u64,
}

/// The next towers in the four directions from every tower. A tower can be
/// taken out and put back in a few steps, as its neighbours then see each
/// other (D. Knuth's dancing links).
#[derive(Debug)]
pub struct Routes {
    near: [[u8; 4]; 64],
    /// The same as sets.
    links: [u64; 64],
}

impl Default for Routes {
    fn default() -> Self {
        Self {
            near: [[NOBODY; 4]; 64],
            links: [0; 64],
        }
    }
}

impl Routes {
    /// Those of some towers.
    pub(super) fn of(occupied: u64) -> Self {
        let mut routes = Self::default();
        let (mut in_rank, mut in_file) = ([NOBODY; 8], [NOBODY; 8]);
        for cell in each(occupied) {
            let west = std::mem::replace(&mut in_rank[cell / 8 % 8], cell as u8);
            let south = std::mem::replace(&mut in_file[cell % 8], cell as u8);
            for (direction, before) in [(WEST, west), (SOUTH, south)] {
                routes.near[cell][direction] = before;
                routes.near[usize::from(before & 63)][reverse(direction)] = cell as u8;
                routes.links[cell] |= 1 << before;
                routes.links[usize::from(before & 63)] |= 1 << cell;
            }
        }
        routes.forget_nobody();
        routes
    }

    /// Nobody has no neighbours, whatever was linked to it.
    fn forget_nobody(&mut self) {
        self.near[usize::from(NOBODY)] = [NOBODY; 4];
        self.links[usize::from(NOBODY)] = 0;
    }

    fn near(&self, cell: u8) -> [u8; 4] {
        self.near[usize::from(cell & 63)]
    }

    fn link(&self, cell: u8) -> u64 {
        self.links[usize::from(cell & 63)]
    }

    /// Takes a tower out.
    pub(super) fn lift(&mut self, cell: usize) {
        let here = 1u64 << cell;
        let near = self.near[cell & 63];
        for direction in 0..4 {
            let (one, other) = (near[direction], near[reverse(direction)]);
            self.near[usize::from(one & 63)][reverse(direction)] = other;
            let link = &mut self.links[usize::from(one & 63)];
            *link = *link & !here | 1 << (other & 63);
        }
        self.forget_nobody();
    }

    /// Puts the tower back that was taken out last.
    pub(super) fn put_back(&mut self, cell: usize) {
        let here = 1u64 << cell;
        let near = self.near[cell & 63];
        for direction in 0..4 {
            let (one, other) = (near[direction], near[reverse(direction)]);
            self.near[usize::from(one & 63)][reverse(direction)] = cell as u8;
            let link = &mut self.links[usize::from(one & 63)];
            *link = *link & !(1 << (other & 63)) | here;
        }
        self.forget_nobody();
    }

    /// The walks from a tower whose top pawn has this value.
    pub(super) fn walks(&self, cell: usize, value: i32) -> Walks {
        let from = 1u64 << cell;
        let first = self.links[cell & 63];
        let near = self.near[cell & 63];
        match value {
            1 => Walks {
                ends: first,
                passed: first,
            },
            2 => {
                let ends = near.iter().fold(0, |ends, &one| ends | self.link(one)) & !from;
                Walks {
                    ends,
                    passed: first | ends,
                }
            }
            _ => {
                let (mut ends, mut passed) = (0, first);
                for (direction, one) in near.into_iter().enumerate() {
                    // A step back would end beside the origin.
                    let mut seconds = self.near(one);
                    seconds[reverse(direction)] = NOBODY;
                    let third = seconds.iter().fold(0, |ends, &two| ends | self.link(two));
                    ends |= third & !(1 << one);
                    passed |= self.link(one);
                }
                Walks {
                    ends: ends & !from,
                    passed: (passed | ends) & !from,
                }
            }
        }
    }
}
