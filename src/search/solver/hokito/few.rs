//! Hokito with few towers: most nodes of a search, and so worth a form of their
//! own.
//!
//! The towers are numbered, whatever their squares: only who stands next to whom
//! matters. A set of them is a byte, a relation between them a matrix of eight
//! rows in one word, and what takes a loop over towers on the board takes a few
//! operations on whole matrices here.

use arrayvec::ArrayVec;

use super::super::node::NO_BOUND;
use super::{BOUNDS_TO, HokitoNode, Towers, each, weight};
use crate::search::routes::Routes;

/// So many towers at most.
pub(super) const MOST: u32 = 8;

/// The lowest bit of each row.
const ONES: u64 = 0x0101_0101_0101_0101;
/// What a tower is to itself.
const DIAGONAL: u64 = 0x8040_2010_0804_0201;

/// For each set the lowest bits of the rows of its towers.
const SPREAD: [u64; 256] = {
    let mut spread = [0; 256];
    let mut set = 0;
    while set < 256 {
        let mut tower = 0;
        while tower < 8 {
            spread[set] |= (set as u64 >> tower & 1) << (8 * tower);
            tower += 1;
        }
        set += 1;
    }
    spread
};

/// A relation between towers: bit `8 a + b` says that `a` is related to `b`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Matrix(u64);

impl Matrix {
    /// Each of some towers with each of some towers.
    fn product(these: u8, those: u8) -> Self {
        Self(SPREAD[usize::from(these)] * u64::from(those))
    }

    /// Whole rows.
    fn rows(towers: u8) -> Self {
        Self::product(towers, 0xff)
    }

    /// All that one tower is related to.
    fn row(self, tower: usize) -> u8 {
        (self.0 >> (8 * (tower & 7))) as u8
    }

    fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    fn and_not(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    fn count(self) -> i32 {
        self.0.count_ones() as i32
    }

    /// All that any tower is related to.
    fn union(self) -> u8 {
        let mut all = self.0 | self.0 >> 32;
        all |= all >> 16;
        (all | all >> 8) as u8
    }

    /// The highest bit of each row that is not empty.
    fn nonempty(self) -> u64 {
        const LOW: u64 = 0x7f * ONES;
        (((self.0 & LOW) + LOW) | self.0) & !LOW
    }

    /// The towers that are related to any.
    fn owners(self) -> u8 {
        // Each bit comes to a place of its own in the highest byte.
        ((self.nonempty() >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
    }
}

/// Towers next to each other, by direction.
#[derive(Clone, Copy, Debug)]
struct Neighbours {
    ranks: Matrix,
    files: Matrix,
}

impl Neighbours {
    /// Without one of the towers: those on either side of it see each other.
    fn without(self, tower: usize) -> Self {
        let gone = (ONES << tower) | 0xff << (8 * tower) | DIAGONAL;
        let lift = |along: Matrix| {
            let row = along.row(tower);
            Matrix((along.0 | Matrix::product(row, row).0) & !gone)
        };
        Self {
            ranks: lift(self.ranks),
            files: lift(self.files),
        }
    }

    fn all(self) -> Matrix {
        self.ranks.or(self.files)
    }

    /// Where walks of as many steps end as the planes say for each tower.
    ///
    /// Two towers are joined by a walk of two steps if they have a neighbour in
    /// common. Three steps lead from `a` over a neighbour `b` of it to whoever
    /// has a neighbour in common with `b`. If that is another neighbour of `a`,
    /// `a` itself may be what they have in common, so that it takes two. There
    /// are no triangles, as all steps go along ranks and files.
    fn walks(self, low: u8, high: u8) -> Matrix {
        let one = self.all();
        let (mut two, mut twice) = (0, 0);
        for tower in 0..8 {
            let row = one.row(tower);
            let joined = Matrix::product(row, row).0;
            twice |= two & joined;
            two |= joined;
        }
        let (two, twice) = (Matrix(two & !DIAGONAL), Matrix(twice & !DIAGONAL));
        let mut ends = one
            .and(Matrix::rows(low & !high))
            .or(two.and(Matrix::rows(high & !low)));
        if low & high != 0 {
            let (mut far, mut near) = (0, 0);
            for tower in 0..8 {
                let row = one.row(tower);
                far |= Matrix::product(row, two.row(tower)).0;
                near |= Matrix::product(row, twice.row(tower)).0;
            }
            let three = far & !one.0 | near & one.0;
            ends = ends.or(Matrix(three & !DIAGONAL).and(Matrix::rows(low & high)));
        }
        ends
    }
}

/// A position from the view of the side to move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Few {
    near: Neighbours,
    occupied: u8,
    own: u8,
    stacks: u8,
    low: u8,
    high: u8,
    /// Height of each tower, a byte each.
    heights: u64,
    pawns: i32,
    margin: i32,
}

/// A move, where it comes in the order, lowest first, and the replies to it.
struct Candidate {
    score: i32,
    from: u8,
    to: u8,
    replies: Matrix,
}

impl Few {
    /// A node of [`MOST`] towers at most.
    pub(super) fn new(node: &HokitoNode, routes: &Routes) -> Self {
        let mut few = Self {
            near: Neighbours {
                ranks: Matrix(0),
                files: Matrix(0),
            },
            occupied: 0,
            own: 0,
            stacks: 0,
            low: 0,
            high: 0,
            heights: 0,
            pawns: node.pawns,
            margin: node.margin,
        };
        let link = |along: &mut Matrix, one: usize, other: usize| {
            along.0 |= 1 << (8 * one + other) | 1 << (8 * other + one);
        };
        for (tower, cell) in each(node.occupied).enumerate() {
            let bit = |plane: u64| ((plane >> cell & 1) as u8) << tower;
            few.occupied |= 1 << tower;
            few.own |= bit(node.own);
            few.stacks |= bit(node.stacks);
            few.low |= bit(node.values[0]);
            few.high |= bit(node.values[1]);
            few.heights |= u64::from(node.heights[cell % 48]) << (8 * tower);
            let number = |cell: usize| (node.occupied & ((1 << cell) - 1)).count_ones() as usize;
            let (west, south) = routes.before(cell);
            if let Some(west) = west {
                link(&mut few.near.ranks, number(west), tower);
            }
            if let Some(south) = south {
                link(&mut few.near.files, number(south), tower);
            }
        }
        few
    }

    fn height(&self, tower: usize) -> i32 {
        i32::from((self.heights >> (8 * (tower & 7))) as u8)
    }

    fn value(&self, tower: usize) -> i32 {
        i32::from(self.low >> tower & 1) + 2 * i32::from(self.high >> tower & 1)
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

    fn play(&self, from: usize, to: usize) -> Self {
        let (origin, target) = (1u8 << from, 1u8 << to);
        let gain = self.gain(from, to);
        let carry = |plane: u8| plane & !origin & !target | (plane >> from & 1) << to;
        let moved = self.heights >> (8 * from) & 0xff;
        let occupied = self.occupied & !origin;
        Self {
            near: self.near.without(from),
            occupied,
            own: occupied & !(self.own & !origin | target),
            stacks: self.stacks & !origin | target,
            low: carry(self.low),
            high: carry(self.high),
            heights: (self.heights & !(0xff << (8 * from))) + (moved << (8 * to)),
            pawns: self.pawns,
            margin: -(self.margin + gain),
        }
    }

    /// Pairs of towers of which one can move onto the other if a walk leads
    /// there.
    fn alike(stacks: u8, singles: u8) -> Matrix {
        Matrix::product(stacks, stacks).or(Matrix::product(singles, singles))
    }

    /// The moves of the side to move.
    fn moves(&self) -> Matrix {
        let walks = self.near.walks(self.low & self.own, self.high & self.own);
        walks.and(Self::alike(self.stacks, self.occupied & !self.stacks))
    }
}

/// Where the replies lead to the moves of a tower, whatever its target is.
struct Replies {
    walks: Matrix,
    /// Those that end on towers like the one that moves.
    moves: Matrix,
    /// Stacks of the opponent.
    stacks: u8,
}

impl Replies {
    /// Those to a move onto a tower, which becomes a stack if a single moves.
    fn to(&self, to: usize, is_single: bool) -> Matrix {
        let column = Matrix(if is_single { ONES << to } else { 0 });
        let onto = column.and(Matrix::rows(self.stacks)).and(self.walks);
        let left = self.moves.and_not(column).or(onto);
        left.and_not(Matrix(0xff << (8 * to)))
    }
}

impl Few {
    /// The replies once a tower has left its square.
    fn replies(&self, from: usize) -> Replies {
        let origin = 1u8 << from;
        let opponent = self.occupied & !self.own;
        let near = self.near.without(from);
        let walks = near.walks(self.low & opponent, self.high & opponent);
        let stacks = self.stacks & !origin;
        let singles = self.occupied & !self.stacks & !origin;
        Replies {
            walks,
            moves: walks.and(Self::alike(stacks, singles)),
            stacks: stacks & opponent,
        }
    }

    /// Where a move comes in the order, but for its gain.
    fn score(&self, replies: Matrix, from: usize, to: usize) -> i32 {
        let (origin, target) = (1u8 << from, 1u8 << to);
        let ends = replies.union();
        let staying = self.own & !origin & !target;
        let at_risk = Matrix::rows(ends & staying).0 & self.heights;
        let mut risk = i32::from(at_risk.to_le_bytes().into_iter().fold(0, u8::max));
        let is_taken = i32::from(ends >> to & 1);
        risk = risk.max(is_taken * (self.height(from) + self.height(to)));
        let mut score = weight::REPLY * replies.count()
            + weight::MOVER * replies.nonempty().count_ones() as i32
            + weight::BASE * (ends & !staying & !target).count_ones() as i32
            + weight::RISK * risk
            + weight::HEIGHT * self.height(to);
        if self.own & target == 0 {
            score += weight::CAPTURE;
        }
        score
    }

    /// Whether the rank reaches `goal`, as [`Node::settle`] says. `moves` are
    /// those of the side to move, if they are known.
    pub(super) fn settle(&self, goal: i32, count: &mut impl FnMut() -> Option<()>) -> Option<i32> {
        self.search(None, goal, count)
    }

    fn search(
        &self,
        moves: Option<Matrix>,
        goal: i32,
        count: &mut impl FnMut() -> Option<()>,
    ) -> Option<i32> {
        count()?;
        if self.occupied.count_ones() <= BOUNDS_TO {
            let (lower, upper) = self.reach();
            if lower >= goal {
                return Some(lower);
            }
            if upper < goal {
                return Some(upper);
            }
        }
        let moves = moves.unwrap_or_else(|| self.moves());
        if moves.0 == 0 {
            return Some(self.margin);
        }
        let mut candidates: ArrayVec<Candidate, 56> = ArrayVec::new();
        let mut best = -NO_BOUND;
        for from in each(u64::from(moves.owners())) {
            let replies = self.replies(from);
            let is_single = self.stacks >> from & 1 == 0;
            for to in each(u64::from(moves.row(from))) {
                let left = replies.to(to, is_single);
                let gain = self.gain(from, to);
                if left.0 == 0 {
                    let rank = self.margin + gain;
                    if rank >= goal {
                        return Some(rank);
                    }
                    best = best.max(rank);
                    continue;
                }
                candidates.push(Candidate {
                    score: self.score(left, from, to) - gain,
                    from: from as u8,
                    to: to as u8,
                    replies: left,
                });
            }
        }
        for at in 0..candidates.len() {
            let next = (at..candidates.len()).min_by_key(|&i| candidates[i].score)?;
            candidates.swap(at, next);
            let Candidate {
                from, to, replies, ..
            } = candidates[at];
            let after = self.play(usize::from(from), usize::from(to));
            let rank = -after.search(Some(replies), 1 - goal, count)?;
            best = best.max(rank);
            if rank >= goal {
                break;
            }
        }
        Some(best)
    }

    /// Bounds on the final margin, as [`Towers::reach`] finds them.
    fn reach(&self) -> (i32, i32) {
        let all = self.near.all();
        let component = |seed: u64| {
            let mut found = seed as u8;
            loop {
                let more = found | all.and(Matrix::rows(found)).union();
                if more == found {
                    return u64::from(found);
                }
                found = more;
            }
        };
        let towers = Towers {
            occupied: self.occupied.into(),
            own: self.own.into(),
            values: [self.low.into(), self.high.into()],
            stacks: self.stacks.into(),
            pawns: self.pawns,
        };
        towers.reach(component, |tower| self.height(tower))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Node, Solvable};
    use super::*;
    use crate::game::{Game, Hokito, Layout, Rng, random_game};

    /// The moves of a position as pairs of its towers' numbers.
    fn plain_moves(position: &Hokito) -> Vec<(usize, usize)> {
        let occupied = position.node().occupied;
        let number = |cell: usize| (occupied & ((1 << cell) - 1)).count_ones() as usize;
        let mut moves: Vec<_> = (position.moves().iter())
            .map(|mv| (number(mv.from().index()), number(mv.to().index())))
            .collect();
        moves.sort_unstable();
        moves
    }

    #[test]
    fn moves_and_replies_are_those_of_the_rules() {
        let mut rng = Rng::new(47);
        let mut seen = 0;
        for _ in 0..600 {
            let start = Hokito::random_start(Layout::Scattered, &mut rng);
            let (moves, _) = random_game(start, Hokito::MAX_PLIES, &mut rng);
            let mut position = start;
            for mv in moves {
                let node = position.node();
                if node.room() <= MOST {
                    let few = Few::new(&node, &node.trail());
                    let matrix = few.moves();
                    let mut listed: Vec<_> = each(u64::from(matrix.owners()))
                        .flat_map(|from| {
                            each(u64::from(matrix.row(from))).map(move |to| (from, to))
                        })
                        .collect();
                    listed.sort_unstable();
                    assert_eq!(listed, plain_moves(&position), "{position}");
                    for (from, to) in listed {
                        let is_single = few.stacks >> from & 1 == 0;
                        let replies = few.replies(from).to(to, is_single);
                        assert_eq!(replies, few.play(from, to).moves(), "{position}");
                        seen += 1;
                    }
                }
                position = position.play(mv);
            }
        }
        assert!(seen > 1_500, "{seen}");
    }
}
