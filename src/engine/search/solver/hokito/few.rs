//! Hokito with few towers: these are most nodes of a search, so they are worth a form
//! of their own.
//!
//! The towers are numbered, whatever their squares: only which are next to each other
//! matters. What takes a loop over towers on the board takes a few operations on whole
//! [`Relation`]s here, and the replies to a move are the moves of the node after it.

use arrayvec::ArrayVec;
use wide::u8x16;

use super::relation::{Neighbours, Relation, Set};
use super::{HokitoNode, MAX_BOUNDED_TOWERS, MoveFeatures, Towers, each, gain_per_pawn};
use crate::search::hokito_walks::{LinkedTowers, NOBODY};
use crate::search::lanes::lanes;
use crate::search::solver::node::{NO_BOUND, PayoffBounds};

/// The most towers that this form can hold.
pub(super) const MAX_TOWERS: u32 = 16;

/// The most towers that fit into a single plane.
pub(super) const MAX_NARROW_TOWERS: u32 = 8;

/// A position of at most `8 W` towers from the view of the side to move.
#[derive(Clone, Copy, Debug)]
pub(super) struct FewTowers<const W: usize> {
    near: Neighbours,
    occupied: Set,
    own: Set,
    stacks: Set,
    values: [Set; 2],
    heights: u8x16,
    margin: i32,
}

/// A move, its place in the order (lowest key first), and the replies to it.
struct Candidate<const W: usize> {
    sort_key: i32,
    from: u8,
    to: u8,
    replies: Relation<W>,
}

/// What the order of a node's moves is made from.
struct View<const W: usize> {
    steps: [u8x16; 3],
    landable: Relation<W>,
    stacks: u8x16,
    heights: [u8; 16],
}

struct FewReplies<const W: usize> {
    /// The replies to a move whose target stays a single or a stack.
    moves: Relation<W>,
    /// What becomes a reply or ceases to be one when its target changes from a
    /// single to a stack.
    turned: Relation<W>,
}

impl<const W: usize> FewReplies<W> {
    fn to(&self, to: usize) -> Relation<W> {
        let onto = self.turned.column(to);
        self.moves.xor(onto).of_lanes(!lanes(1 << to))
    }
}

impl<const W: usize> FewTowers<W> {
    pub(super) fn new(node: &HokitoNode, linked: &LinkedTowers) -> Self {
        let cells: ArrayVec<usize, 16> = each(node.towers.occupied).take(8 * W).collect();
        let number = |cell: usize| (node.towers.occupied & ((1 << cell) - 1)).count_ones() as usize;
        let set = |plane: u64| {
            (cells.iter().enumerate()).fold(0, |set, (tower, &cell)| {
                set | ((plane >> cell & 1) as Set) << tower
            })
        };
        let mut heights = [0; 16];
        for (height, &cell) in heights.iter_mut().zip(&cells) {
            *height = node.heights[cell % 48];
        }
        Self {
            near: Neighbours::new(cells.len(), |tower| {
                let [west, _, south, _] = linked.neighbours(cells[tower]);
                [west, south].map(|cell| (cell != usize::from(NOBODY)).then(|| number(cell)))
            }),
            occupied: set(node.towers.occupied),
            own: set(node.towers.own),
            stacks: set(node.towers.stacks),
            values: node.towers.values.map(set),
            heights: u8x16::new(heights),
            margin: node.margin,
        }
    }

    fn play(&self, from: usize, to: usize, gain: i32) -> Self {
        let (origin, target): (Set, Set) = (1 << from, 1 << to);
        let carry = |plane: Set| plane & !origin & !target | (plane >> from & 1) << to;
        let (left, joined) = (lanes(origin), lanes(target));
        let moved = self.heights.shuffle(u8x16::splat(from as u8));
        let occupied = self.occupied & !origin;
        Self {
            near: self.near.without(from),
            occupied,
            own: occupied & !(self.own & !origin | target),
            stacks: self.stacks & !origin | target,
            values: self.values.map(carry),
            heights: (self.heights & !left) + (moved & joined),
            margin: -(self.margin + gain),
        }
    }

    /// The lanes of those among `towers` that walk one, two and three steps.
    fn steps(&self, towers: Set) -> [u8x16; 3] {
        let [low, high] = self.values.map(|plane| plane & towers);
        [lanes(low & !high), lanes(high & !low), lanes(low & high)]
    }

    /// Pairs of towers of which one may land on the other, if a walk leads there.
    fn landable(&self) -> Relation<W> {
        let stacks = lanes(self.stacks);
        Relation::product(stacks, self.stacks)
            .or(Relation::product(!stacks, self.occupied & !self.stacks))
    }

    fn moves(&self) -> Relation<W> {
        self.near.walks(self.steps(self.own)).and(self.landable())
    }
    fn view(&self) -> View<W> {
        let opponent = self.occupied & !self.own;
        View {
            steps: self.steps(opponent),
            landable: self.landable(),
            stacks: lanes(self.stacks & opponent),
            heights: self.heights.to_array(),
        }
    }

    fn replies(&self, view: &View<W>, from: usize) -> FewReplies<W> {
        let walks = self.near.without(from).walks::<W>(view.steps);
        let moves = walks.and(view.landable);
        let turned = if self.stacks >> from & 1 == 0 {
            moves.xor(walks.of_lanes(view.stacks))
        } else {
            Relation::NONE
        };
        FewReplies { moves, turned }
    }

    fn gain(&self, view: &View<W>, from: usize, to: usize) -> i32 {
        gain_per_pawn(self.values, self.own, from, to) * i32::from(view.heights[to & 15])
    }

    /// The place in the order of a move with these replies, without its gain.
    fn sort_key(&self, view: &View<W>, from: usize, to: usize, replies: &Relation<W>) -> i32 {
        let (count, ends) = replies.count_and_union();
        let (origin, target): (Set, Set) = (1 << from, 1 << to);
        let staying = self.own & !origin & !target;
        let height = |tower: usize| i32::from(view.heights[tower & 15]);
        let at_risk = lanes(ends & staying) & self.heights;
        let mut risk = i32::from(at_risk.reduce_max());
        let is_taken = i32::from(ends >> to & 1);
        risk = risk.max(is_taken * (height(from) + height(to)));
        MoveFeatures {
            replies: count,
            movers: replies.owners().count_ones() as i32,
            bases: (ends & !staying & !target).count_ones() as i32,
            risk,
            height: height(to),
            is_capture: self.own & target == 0,
        }
        .sort_key()
    }

    /// Whether the payoff reaches `goal`, as [`Node::solve_small`](super::Node::solve_small) says,
    /// and by which move, from tower to tower.
    pub(super) fn solve_small(
        &self,
        goal: i32,
        count: &mut impl FnMut() -> Option<()>,
    ) -> Option<(i32, Option<(usize, usize)>)> {
        let mut reached_by = None;
        let payoff = self.search(self.moves(), goal, &mut reached_by, count)?;
        Some((payoff, reached_by.filter(|_| payoff >= goal)))
    }

    /// The same, given the moves of the side to move. `reached_by` is written last,
    /// after all descendants have written it; if no move reaches the goal, it means
    /// nothing.
    fn search(
        &self,
        moves: Relation<W>,
        goal: i32,
        reached_by: &mut Option<(usize, usize)>,
        count: &mut impl FnMut() -> Option<()>,
    ) -> Option<i32> {
        count()?;
        if let Some(payoff) = self.bound(goal) {
            return Some(payoff);
        }
        let movers = moves.owners();
        if movers == 0 {
            return Some(self.margin);
        }
        let mut candidates: ArrayVec<Candidate<W>, 240> = ArrayVec::new();
        let mut best = -NO_BOUND;
        let view = self.view();
        let rows = moves.rows();
        for from in each(movers.into()) {
            let left = self.replies(&view, from);
            for to in each(rows.of(from).into()) {
                let replies = left.to(to);
                let gain = self.gain(&view, from, to);
                if replies.is_empty() {
                    let payoff = self.margin + gain;
                    if payoff >= goal {
                        *reached_by = Some((from, to));
                        return Some(payoff);
                    }
                    best = best.max(payoff);
                    continue;
                }
                candidates.push(Candidate {
                    sort_key: -gain,
                    from: from as u8,
                    to: to as u8,
                    replies,
                });
            }
        }
        if candidates.len() > 1 {
            for one in &mut candidates {
                one.sort_key += self.sort_key(&view, one.from.into(), one.to.into(), &one.replies);
            }
        }
        for at in 0..candidates.len() {
            let next = (at..candidates.len()).min_by_key(|&i| candidates[i].sort_key)?;
            candidates.swap(at, next);
            let Candidate {
                from, to, replies, ..
            } = candidates[at];
            let (from, to) = (usize::from(from), usize::from(to));
            let after = self.play(from, to, self.gain(&view, from, to));
            let payoff = if W > 1 && after.occupied.count_ones() <= MAX_NARROW_TOWERS {
                let narrow = after.narrow();
                -narrow.search(narrow.moves(), 1 - goal, reached_by, count)?
            } else {
                -after.search(replies, 1 - goal, reached_by, count)?
            };
            if payoff >= goal {
                *reached_by = Some((from, to));
                return Some(payoff);
            }
            best = best.max(payoff);
        }
        Some(best)
    }

    /// The same position with its towers numbered anew, so that they fit into one word.
    fn narrow(&self) -> FewTowers<1> {
        let towers = each(self.occupied.into()).map(|tower| tower as u8);
        let towers: ArrayVec<u8, 16> = towers.collect();
        let (mut from, mut number) = ([0; 16], [0; 16]);
        for (new, &old) in towers.iter().enumerate() {
            from[new] = old;
            number[usize::from(old)] = new as u8;
        }
        let (from, number) = (u8x16::new(from), u8x16::new(number));
        let present = lanes((1 << towers.len()) - 1);
        let set = |set: Set| (lanes(set).shuffle(from) & present).to_bitmask() as Set;
        FewTowers {
            near: self.near.renumbered(from, number),
            occupied: set(self.occupied),
            own: set(self.own),
            stacks: set(self.stacks),
            values: self.values.map(set),
            heights: self.heights.shuffle(from) & present,
            margin: self.margin,
        }
    }

    /// A bound from the board that answers a question about a goal.
    fn bound(&self, goal: i32) -> Option<i32> {
        if self.occupied.count_ones() > MAX_BOUNDED_TOWERS {
            return None;
        }
        let PayoffBounds { lower, upper } = self.static_bounds();
        match lower >= goal {
            true => Some(lower),
            false => (upper < goal).then_some(upper),
        }
    }

    fn static_bounds(&self) -> PayoffBounds {
        let links = self.near.links::<W>();
        let component = |seed: u64| {
            let mut component = seed as Set;
            loop {
                let (_, beside) = links.of_lanes(lanes(component)).count_and_union();
                let more = component | beside;
                if more == component {
                    return u64::from(component);
                }
                component = more;
            }
        };
        let heights = self.heights.to_array();
        let towers = Towers {
            occupied: self.occupied.into(),
            own: self.own.into(),
            values: self.values.map(u64::from),
            stacks: self.stacks.into(),
        };
        towers.static_bounds(component, |tower| i32::from(heights[tower & 15]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Hokito, HokitoMove, Layout, Rng, random_game};
    use crate::search::solver::{Node, Solvable};

    fn numbered(mv: HokitoMove, node: &HokitoNode) -> (usize, usize) {
        let number = |cell: usize| (node.towers.occupied & ((1 << cell) - 1)).count_ones() as usize;
        (number(mv.from().index()), number(mv.to().index()))
    }

    fn check<const W: usize>(few: &FewTowers<W>, position: &Hokito) {
        let (node, rows) = (position.node(), few.moves().rows());
        let moves = (0..16).flat_map(|from| each(rows.of(from).into()).map(move |to| (from, to)));
        let is_same = moves.eq(position.moves().iter().map(|&mv| numbered(mv, &node)));
        assert!(is_same, "{position}");
        let bounds = (few.static_bounds(), few.margin);
        assert_eq!(bounds, (node.static_bounds(), node.margin), "{position}");
    }

    #[test]
    fn moves_replies_and_bounds_are_those_of_the_rules() {
        let (mut rng, mut seen) = (Rng::new(47), 0);
        for _ in 0..100 {
            let mut position = Hokito::random_start(Layout::Scattered, &mut rng);
            for played in random_game(position, Hokito::MAX_PLIES, &mut rng).0 {
                let node = position.node();
                if node.towers.occupied.count_ones() <= MAX_TOWERS {
                    let few = FewTowers::<2>::new(&node, &node.state());
                    check(&few, &position);
                    for mv in position.moves() {
                        let ((from, to), view) = (numbered(mv, &node), few.view());
                        let after = few.play(from, to, few.gain(&view, from, to));
                        let replies = few.replies(&view, from).to(to);
                        assert_eq!(replies, after.moves(), "{position}");
                        if after.occupied.count_ones() <= MAX_NARROW_TOWERS {
                            check(&after.narrow(), &position.play(mv));
                        }
                        seen += 1;
                    }
                }
                position = position.play(played);
            }
        }
        assert!(seen > 250, "{seen}");
    }
}
