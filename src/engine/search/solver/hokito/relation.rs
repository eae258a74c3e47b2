//! Relations between few towers, as vectors of bytes.
//!
//! The towers are numbered. A relation has a row for each of them, a set of towers:
//! lane `a` of the first plane holds which of the towers 0 to 7 the tower `a` is
//! related to, lane `a` of the second which of 8 to 15. With `W` planes there are at
//! most `8 W` towers. One shuffle of bytes then looks up a row for every tower at once.

use wide::u8x16;

pub(super) type Set = u16;

/// The neighbour of a tower that has none in some direction; a shuffle finds the
/// empty set there.
const NOBODY: u8 = 0x80;

/// The bit of each lane's tower, in the plane to which it belongs.
const SINGLE: [u8x16; 2] = [
    u8x16::new([1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0]),
    u8x16::new([0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128]),
];

/// The part of a set that a plane holds, in every lane.
#[inline(always)]
fn part(set: Set, plane: usize) -> u8x16 {
    u8x16::splat((set >> (8 * plane)) as u8)
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Relation<const W: usize> {
    first: u8x16,
    second: u8x16,
}

impl<const W: usize> Relation<W> {
    pub(super) const NONE: Self = Self {
        first: u8x16::ZERO,
        second: u8x16::ZERO,
    };

    #[inline(always)]
    fn of(plane: impl Fn(usize) -> u8x16) -> Self {
        Self {
            first: plane(0),
            second: if W > 1 { plane(1) } else { u8x16::ZERO },
        }
    }

    #[inline(always)]
    fn plane(self, plane: usize) -> u8x16 {
        if plane == 0 { self.first } else { self.second }
    }

    /// Relates the towers in some lanes to each tower of a set.
    #[inline(always)]
    pub(super) fn product(these: u8x16, those: Set) -> Self {
        Self::of(|plane| these & part(those, plane))
    }

    #[inline(always)]
    pub(super) fn column(self, tower: usize) -> Self {
        Self::of(|plane| self.plane(plane) & part(1 << tower, plane))
    }

    #[inline(always)]
    pub(super) fn and(self, other: Self) -> Self {
        Self::of(|plane| self.plane(plane) & other.plane(plane))
    }

    #[inline(always)]
    pub(super) fn or(self, other: Self) -> Self {
        Self::of(|plane| self.plane(plane) | other.plane(plane))
    }

    #[inline(always)]
    pub(super) fn xor(self, other: Self) -> Self {
        Self::of(|plane| self.plane(plane) ^ other.plane(plane))
    }

    #[inline(always)]
    pub(super) fn and_not(self, other: Self) -> Self {
        Self::of(|plane| self.plane(plane) & !other.plane(plane))
    }

    #[inline(always)]
    pub(super) fn of_lanes(self, these: u8x16) -> Self {
        Self::of(|plane| self.plane(plane) & these)
    }

    #[inline(always)]
    fn of_others(self) -> Self {
        Self::of(|plane| self.plane(plane) & !SINGLE[plane])
    }

    /// Relates each tower to what its neighbour in one direction is related to.
    #[inline(always)]
    fn beside(self, next: u8x16) -> Self {
        Self::of(|plane| self.plane(plane).shuffle(next))
    }

    #[inline(always)]
    pub(super) fn rows(self) -> Rows {
        Rows([self.first.to_array(), self.second.to_array()])
    }

    /// Not zero in the lanes of towers that are related to any.
    #[inline(always)]
    fn any(self) -> u8x16 {
        self.first | self.second
    }

    #[inline(always)]
    pub(super) fn is_empty(self) -> bool {
        self.any() == u8x16::ZERO
    }

    #[inline(always)]
    pub(super) fn owners(self) -> Set {
        !self.any().simd_eq(u8x16::ZERO).to_bitmask() as Set
    }

    /// How many pairs are related, and the set of all towers to which one is related.
    #[inline(always)]
    pub(super) fn count_and_union(self) -> (i32, Set) {
        let (mut count, mut union) = (0, 0);
        for plane in 0..W {
            let [low, high] = bytemuck::cast::<u8x16, [u64; 2]>(self.plane(plane));
            count += low.count_ones();
            let mut all = low;
            if W > 1 {
                count += high.count_ones();
                all |= high;
            }
            all |= all >> 32;
            all |= all >> 16;
            all |= all >> 8;
            union |= (all as Set & 0xff) << (8 * plane);
        }
        (count as i32, union)
    }
}

pub(super) struct Rows([[u8; 16]; 2]);

impl Rows {
    pub(super) fn of(&self, tower: usize) -> Set {
        Set::from_le_bytes([self.0[0][tower & 15], self.0[1][tower & 15]])
    }
}

/// The next tower in each of the four directions, for every tower: west, east, south and
/// north.
#[derive(Clone, Copy, Debug)]
pub(super) struct Neighbours([u8x16; 4]);

impl Neighbours {
    /// The neighbours of `towers` towers; `before` returns the next ones to the west and
    /// to the south of each.
    pub(super) fn new(towers: usize, before: impl Fn(usize) -> [Option<usize>; 2]) -> Self {
        let mut next = [[NOBODY; 16]; 4];
        for tower in 0..towers.min(16) {
            for (pair, other) in before(tower).into_iter().enumerate() {
                if let Some(other) = other {
                    next[2 * pair][tower] = other as u8;
                    next[2 * pair + 1][other & 15] = tower as u8;
                }
            }
        }
        Self(next.map(u8x16::new))
    }

    #[inline(always)]
    fn each(self, next: impl Fn(u8x16) -> u8x16) -> Self {
        let [west, east, south, north] = self.0;
        Self([next(west), next(east), next(south), next(north)])
    }

    /// Without one of the towers: those on either side of it become neighbours. Its own
    /// neighbours mean nothing from then on.
    #[inline(always)]
    pub(super) fn without(self, tower: usize) -> Self {
        let gone = u8x16::splat(tower as u8);
        self.each(|next| next.simd_eq(gone).select(next.shuffle(gone), next))
    }

    /// With new numbers: `from` has the old number of each new one, `number` the new
    /// number of each old one.
    pub(super) fn renumbered(self, from: u8x16, number: u8x16) -> Self {
        self.each(|next| {
            let next = next.shuffle(from);
            number.shuffle(next) | next & u8x16::splat(NOBODY)
        })
    }

    #[inline(always)]
    pub(super) fn links<const W: usize>(self) -> Relation<W> {
        self.union(Relation::of(|plane| SINGLE[plane]))
    }

    /// Relates each tower to all that its neighbours are related to.
    #[inline(always)]
    fn union<const W: usize>(self, of: Relation<W>) -> Relation<W> {
        let [west, east, south, north] = self.0;
        let along = of.beside(west).or(of.beside(east));
        along.or(of.beside(south)).or(of.beside(north))
    }

    /// Where the walks of each tower end; `steps` has the lanes of the towers that
    /// walk one, two and three steps.
    ///
    /// Two towers are joined by a walk of two steps if they have a neighbour in
    /// common. Three steps lead from `a` over its neighbour `b` to any tower that
    /// has a neighbour in common with `b`. If that tower is another neighbour of
    /// `a`, then `a` itself is a common neighbour, so there must be two of them.
    /// There are no triangles, as all steps go along ranks and files.
    #[inline(always)]
    pub(super) fn walks<const W: usize>(self, steps: [u8x16; 3]) -> Relation<W> {
        let one = self.links::<W>();
        let (mut two, mut twice) = (Relation::NONE, Relation::NONE);
        for next in self.0 {
            let there = one.beside(next);
            twice = twice.or(two.and(there));
            two = two.or(there);
        }
        let (two, twice) = (two.of_others(), twice.of_others());
        let (far, near) = (self.union(two), self.union(twice));
        let three = far.and_not(one).or(near.and(one)).of_others();
        one.of_lanes(steps[0])
            .or(two.of_lanes(steps[1]))
            .or(three.of_lanes(steps[2]))
    }
}
