//! Hokito for the solver.

use arrayvec::ArrayVec;

use super::node::{Choice, Expansion, Key, NO_BOUND, Node, Solvable, each};
use crate::game::{Cell, Cells, Game, Hokito, HokitoMove, next_occupied};

/// A reply of the opponent weighs as much as so many points in the order of
/// moves: the fewer replies, the smaller the tree.
const REPLY: i32 = 16;

/// So few moves are not worth counting replies for.
const FEW: u32 = 3;

/// A Hokito position from the view of the side to move.
#[derive(Clone, Copy, Debug)]
pub struct HokitoNode {
    occupied: u64,
    /// Squares topped by the side to move.
    own: u64,
    /// Value of the top pawns as two bits, low plane first.
    values: [u64; 2],
    stacks: u64,
    /// Heights by [`Cell::index`], 0 on empty squares.
    heights: [u8; 48],
    /// Points of the side to move less its opponent's, on all squares.
    margin: i32,
}

impl HokitoNode {
    fn value(&self, cell: usize) -> i32 {
        (self.values[0] >> cell & 1) as i32 + 2 * (self.values[1] >> cell & 1) as i32
    }

    fn height(&self, cell: usize) -> i32 {
        self.heights.get(cell).copied().map_or(0, i32::from)
    }

    /// What a move adds to the mover's margin.
    fn gain(&self, from: usize, to: usize) -> i32 {
        let covered = if self.own >> to & 1 != 0 {
            -self.value(to)
        } else {
            self.value(to)
        };
        (self.value(from) + covered) * self.height(to)
    }

    /// Where the tower on a cell may end its walk, whatever stands there, and
    /// all squares that its walks visit.
    fn walk(&self, cell: usize, links: &[u64; 48]) -> (u64, u64) {
        let link = |cell: usize| links.get(cell).copied().unwrap_or(0);
        let from = 1u64 << cell;
        let first = link(cell);
        match self.value(cell) {
            1 => (first, first),
            2 => {
                let ends = each(first).fold(0, |ends, one| ends | link(one));
                (ends & !from, first | ends)
            }
            _ => {
                let (mut ends, mut passed) = (0, first);
                for one in each(first) {
                    let second = link(one) & !from;
                    passed |= second;
                    let mut third = 0;
                    for two in each(second) {
                        third |= link(two);
                    }
                    ends |= third & !(1 << one);
                }
                (ends & !from, passed | ends)
            }
        }
    }

    fn links(&self) -> [u64; 48] {
        let mut links = [0; 48];
        for cell in each(self.occupied) {
            links[cell % 48] = next_occupied(Cells(self.occupied), Cell::from_index(cell)).0;
        }
        links
    }
}

/// The ranks and files of a set, filled.
fn lines(cells: u64) -> u64 {
    let ranks = ((cells + 0x7f7f_7f7f_7f7f) & 0x8080_8080_8080) >> 7;
    let mut files = cells | cells >> 24;
    files |= files >> 8 | files >> 16;
    (ranks * 0x3f) | ((files & 0x3f) * 0x0101_0101_0101)
}

/// The towers that share lines with those of a set, and so on.
fn component(seed: u64, occupied: u64) -> u64 {
    let mut all = seed;
    loop {
        let more = lines(all) & occupied;
        if more == all {
            return all;
        }
        all = more;
    }
}

impl HokitoNode {
    fn points(&self, cells: u64) -> i32 {
        each(cells)
            .map(|cell| {
                let points = self.value(cell) * self.height(cell);
                if self.own >> cell & 1 != 0 {
                    points
                } else {
                    -points
                }
            })
            .sum()
    }

    /// Bounds on the final margin. Lines that share no tower never will, so
    /// each component stands for itself. A single pawn that is the only one of
    /// its component, and a stack without another stack or two singles, stay
    /// as they are; the other pawns end below the best value that a side has
    /// there, or below its opponent's least if the side has nothing.
    fn reach(&self) -> (i32, i32) {
        let mut left = self.occupied;
        let (mut lower, mut upper) = (0, 0);
        let [low, high] = self.values;
        while left != 0 {
            let here = component(left & left.wrapping_neg(), self.occupied);
            left &= !here;
            let mut moving = here;
            let singles = here & !self.stacks;
            let stacks = here & self.stacks;
            if singles.count_ones() <= 1 {
                moving &= !singles;
                if stacks.count_ones() <= 1 {
                    moving = 0;
                }
            }
            let fixed = self.points(here & !moving);
            lower += fixed;
            upper += fixed;
            if moving == 0 {
                continue;
            }
            let pawns: i32 = each(moving).map(|cell| self.height(cell)).sum();
            let most = |side: u64| match side {
                side if side & low & high != 0 => 3,
                side if side & high != 0 => 2,
                _ => 1,
            };
            let least = |side: u64| match side {
                side if side & low & !high != 0 => 1,
                side if side & high & !low != 0 => 2,
                _ => 3,
            };
            let own = moving & self.own;
            let opp = moving & !self.own;
            upper += pawns * if own != 0 { most(own) } else { -least(opp) };
            lower -= pawns * if opp != 0 { most(opp) } else { -least(own) };
        }
        (lower, upper)
    }
}

/// The links of a tower's neighbours, to be put back.
type Cut = ArrayVec<(usize, u64), 4>;

/// Takes one tower out of the links: its neighbours on both sides see each
/// other instead.
fn cut(links: &mut [u64; 48], cell: usize) -> Cut {
    let mut cut = Cut::new();
    let here = 1u64 << cell;
    let seen = links[cell % 48];
    let rank = seen & (0xff << (cell & 56));
    let file = seen & !rank;
    for line in [rank, file] {
        for near in each(line) {
            let link = &mut links[near % 48];
            cut.push((near, *link));
            *link = *link & !here | line & !(1 << near);
        }
    }
    cut
}

impl Node for HokitoNode {
    type Move = HokitoMove;
    const MAX_MARGIN: i32 = 108;
    const TABLE_FROM: u32 = 9;
    const SHARE_FROM: u32 = 12;
    const POINT: i32 = 1;

    fn key(&self) -> Key {
        let mut extra = 0u64;
        let mut shift = 0;
        for cell in each(self.stacks) {
            let below = (self.occupied & ((1 << cell) - 1)).count_ones();
            let more = u32::from(self.heights[cell % 48]) - 1;
            extra |= ((1u64 << more) - 1) << (below + shift + 1);
            shift += more;
        }
        [
            self.occupied | extra << 48,
            self.own | extra >> 16 << 48,
            self.values[0] | extra >> 32 << 48,
            self.values[1],
        ]
    }

    fn room(&self) -> u32 {
        self.occupied.count_ones()
    }

    fn bounds(&self) -> (i32, i32) {
        self.reach()
    }

    fn expand(&self, goal: i32, choices: &mut Vec<Choice<HokitoMove>>) -> Expansion<HokitoMove> {
        let mut links = self.links();
        let singles = self.occupied & !self.stacks;
        let mut movers: ArrayVec<(usize, u64), 36> = ArrayVec::new();
        let mut moves = 0;
        for from in each(self.own) {
            let alike = if self.stacks >> from & 1 != 0 {
                self.stacks
            } else {
                singles
            };
            let targets = self.walk(from, &links).0 & alike;
            if targets != 0 {
                movers.push((from, targets));
                moves += targets.count_ones();
            }
        }
        if movers.is_empty() {
            return Expansion::Over(self.margin);
        }
        if moves <= FEW {
            // Counting replies would cost more than a worse order does.
            for (from, targets) in movers {
                for to in each(targets) {
                    choices.push(Choice {
                        score: -self.gain(from, to),
                        mv: HokitoMove::new(Cell::from_index(from), Cell::from_index(to)),
                    });
                }
            }
            return Expansion::Open(-NO_BOUND);
        }
        let mut walks: ArrayVec<(usize, u64, u64), 36> = ArrayVec::new();
        for cell in each(self.occupied & !self.own) {
            let (ends, passed) = self.walk(cell, &links);
            walks.push((cell, ends, passed));
        }
        let mut ended = -NO_BOUND;
        let mut after: ArrayVec<(u64, u64), 36> = ArrayVec::new();
        for (from, targets) in movers {
            let origin = 1u64 << from;
            let cut = cut(&mut links, from);
            after.clear();
            for &(cell, ends, passed) in &walks {
                let ends = if passed & origin != 0 {
                    self.walk(cell, &links).0
                } else {
                    ends
                };
                after.push((1 << cell, ends));
            }
            for (near, link) in cut {
                links[near % 48] = link;
            }
            for to in each(targets) {
                let target = 1u64 << to;
                let stacks = self.stacks & !origin | target;
                let singles = singles & !origin & !target;
                let mut replies = 0;
                for &(cell, ends) in &after {
                    if cell != target {
                        let alike = if stacks & cell != 0 { stacks } else { singles };
                        replies += (ends & alike).count_ones() as i32;
                    }
                }
                let mv = HokitoMove::new(Cell::from_index(from), Cell::from_index(to));
                let gain = self.gain(from, to);
                if replies == 0 {
                    let rank = self.margin + gain;
                    if rank >= goal {
                        return Expansion::Reaches(rank, mv);
                    }
                    ended = ended.max(rank);
                    continue;
                }
                choices.push(Choice {
                    score: REPLY * replies - gain,
                    mv,
                });
            }
        }
        Expansion::Open(ended)
    }

    fn play(&self, mv: HokitoMove) -> Self {
        let (from, to) = (mv.from().index(), mv.to().index());
        let (origin, target) = (1u64 << from, 1u64 << to);
        let gain = self.gain(from, to);
        let mut heights = self.heights;
        heights[to % 48] += heights[from % 48];
        heights[from % 48] = 0;
        let carry = |plane: u64| plane & !origin & !target | (plane >> from & 1) << to;
        let occupied = self.occupied & !origin;
        Self {
            occupied,
            own: occupied & !(self.own & !origin | target),
            values: self.values.map(carry),
            stacks: self.stacks & !origin | target,
            heights,
            margin: -(self.margin + gain),
        }
    }
}

impl Solvable for Hokito {
    type Node = HokitoNode;

    fn node(&self) -> HokitoNode {
        let side = self.side();
        let mut heights = [0; 48];
        for cell in self.occupied() {
            heights[cell.index() % 48] = self.height(cell);
        }
        let plane = |value: u8| self.topped_with(value).0;
        HokitoNode {
            occupied: self.occupied().0,
            own: self.topped_by(side).0,
            values: [plane(1) | plane(3), plane(2) | plane(3)],
            stacks: self.stacks().0,
            heights,
            margin: self.standing().margin_for(side),
        }
    }
}
