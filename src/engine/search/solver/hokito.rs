//! Hokito for the solver.

mod few;
mod relation;
mod replies;
mod towers;

use arrayvec::ArrayVec;

use few::FewTowers;
use replies::{Replier, Replies};
use towers::{Towers, component};

use super::node::{Expansion, Key, NO_BOUND, Node, PayoffBounds, Solvable, VariantGroup, each};
use crate::game::{Cell, Game, Hokito, HokitoMove};
use crate::search::eval::{Evaluate, Learnable};
use crate::search::hokito_walks::LinkedTowers;

/// What a move leads to, as far as it matters for its place in the order.
struct MoveFeatures {
    replies: i32,
    movers: i32,
    /// The opponent's own towers that it can move onto.
    bases: i32,
    /// Height of the highest of the mover's towers that the opponent can take.
    risk: i32,
    height: i32,
    is_capture: bool,
}

impl MoveFeatures {
    /// The place of a move in the order, in points, without its gain. The fewer
    /// replies the opponent has, the smaller the tree below is.
    fn sort_key(&self) -> i32 {
        16 * self.replies + 24 * self.movers - 12 * self.bases + 3 * self.risk + self.height
            - 32 * i32::from(self.is_capture)
    }
}

fn value<S: Into<u64>>(planes: [S; 2], tower: usize) -> i32 {
    let [low, high] = planes.map(|plane| (plane.into() >> tower & 1) as i32);
    low + 2 * high
}

/// What a move adds to the margin of the side whose towers are `own`, for each pawn
/// of the tower moved onto.
fn gain_per_pawn<S: Into<u64> + Copy>(values: [S; 2], own: S, from: usize, to: usize) -> i32 {
    let covered = value(values, to);
    let is_own = own.into() >> to & 1 != 0;
    value(values, from) + if is_own { -covered } else { covered }
}

fn group(from: usize, to: usize, sort_key: i32) -> VariantGroup<HokitoMove> {
    let mv = HokitoMove::new(Cell::from_index(from), Cell::from_index(to));
    VariantGroup { sort_key, mv }
}

/// With this many moves or fewer, counting replies is not worth its time.
const UNRANKED_MOVES: u32 = 3;

/// With more towers than this, bounds cost more than they decide.
const MAX_BOUNDED_TOWERS: u32 = 6;

/// A Hokito position from the view of the side to move.
#[derive(Clone, Copy, Debug)]
pub struct HokitoNode {
    towers: Towers,
    /// Heights by [`Cell::index`], 0 on empty squares.
    heights: [u8; 48],
    /// Points of the side to move minus its opponent's, on all squares.
    margin: i32,
}

impl HokitoNode {
    /// The towers that the one on a cell may land on, if a walk leads there.
    fn landable(&self, cell: usize) -> u64 {
        match self.towers.stacks >> cell & 1 {
            0 => self.towers.occupied & !self.towers.stacks,
            _ => self.towers.stacks,
        }
    }

    fn height(&self, cell: usize) -> i32 {
        self.heights.get(cell).copied().map_or(0, i32::from)
    }

    fn gain(&self, from: usize, to: usize) -> i32 {
        gain_per_pawn(self.towers.values, self.towers.own, from, to) * self.height(to)
    }

    /// Fills `left` with the repliers after a tower has left a cell.
    fn without(
        &self,
        cell: usize,
        repliers: &[Replier],
        linked: &mut LinkedTowers,
        left: &mut ArrayVec<Replier, 36>,
    ) {
        let gone = 1u64 << cell;
        left.clear();
        linked.lift(cell);
        for replier in repliers {
            if replier.walks.passed & gone == 0 {
                left.push(*replier);
            } else {
                let cell = replier.tower.trailing_zeros() as usize;
                let walks = linked.walks_of(cell, value(self.towers.values, cell) as u8);
                let landable = self.landable(cell) & !gone;
                left.push(Replier::new(cell, walks, landable, replier.step));
            }
        }
        linked.put_back(cell);
    }

    /// The place in the order of a move with these replies, without its gain.
    fn sort_key(&self, replies: &Replies, from: usize, to: usize) -> i32 {
        let (origin, target) = (1u64 << from, 1u64 << to);
        let staying = self.towers.own & !origin & !target;
        let at_risk = replies.ends & staying;
        let mut risk = each(at_risk & self.towers.stacks)
            .map(|cell| self.height(cell))
            .fold(i32::from(at_risk != 0), i32::max);
        let is_taken = (replies.ends >> to & 1) as i32;
        risk = risk.max(is_taken * (self.height(from) + self.height(to)));
        MoveFeatures {
            replies: replies.moves,
            movers: replies.movers,
            bases: (replies.ends & !staying & !target).count_ones() as i32,
            risk,
            height: self.height(to),
            is_capture: self.towers.own & target == 0,
        }
        .sort_key()
    }
}

impl Node for HokitoNode {
    type Move = HokitoMove;
    type State = LinkedTowers;
    const MAX_MARGIN: i32 = 108;
    const MARGIN_WINDOW: Option<i32> = Some(8);
    const TABLE_FROM: u32 = few::MAX_NARROW_TOWERS;
    const SHARE_FROM: u32 = few::MAX_TOWERS;
    const SMALL_BELOW: u32 = few::MAX_TOWERS;
    const POINT: i32 = 1;

    fn key(&self) -> Key {
        let mut extra = 0u64;
        let mut shift = 0;
        for cell in each(self.towers.stacks) {
            let below = (self.towers.occupied & ((1 << cell) - 1)).count_ones();
            let more = u32::from(self.heights[cell % 48]) - 1;
            extra |= ((1u64 << more) - 1) << (below + shift + 1);
            shift += more;
        }
        [
            self.towers.occupied | extra << 48,
            self.towers.own | extra >> 16 << 48,
            self.towers.values[0] | extra >> 32 << 48,
            self.towers.values[1],
        ]
    }

    fn plies_left(&self) -> u32 {
        self.towers.occupied.count_ones().saturating_sub(1)
    }

    fn static_bounds(&self) -> PayoffBounds {
        let towers = self.towers;
        let component_of = |seed| component(seed, towers.occupied);
        towers.static_bounds(component_of, |cell| self.height(cell))
    }

    fn state(&self) -> LinkedTowers {
        LinkedTowers::of(self.towers.occupied)
    }

    fn make(linked: &mut LinkedTowers, mv: HokitoMove) {
        linked.lift(mv.from().index());
    }

    fn unmake(linked: &mut LinkedTowers, mv: HokitoMove) {
        linked.put_back(mv.from().index());
    }

    fn expand(
        &self,
        goal: i32,
        linked: &mut LinkedTowers,
        groups: &mut Vec<VariantGroup<HokitoMove>>,
    ) -> Expansion {
        let mut movers: ArrayVec<(usize, u64), 36> = ArrayVec::new();
        let mut moves = 0;
        linked.each_walk(self.towers.own, self.towers.values, |from, walks| {
            let targets = walks.ends & self.landable(from);
            if targets != 0 {
                movers.push((from, targets));
                moves += targets.count_ones();
            }
        });
        if movers.is_empty() {
            return Expansion::Decided(self.margin);
        }
        if moves <= UNRANKED_MOVES {
            for &(from, targets) in &movers {
                groups.extend(each(targets).map(|to| group(from, to, -self.gain(from, to))));
            }
            return Expansion::Open(-NO_BOUND);
        }
        let mut opponent: ArrayVec<Replier, 36> = ArrayVec::new();
        linked.each_walk(
            self.towers.occupied & !self.towers.own,
            self.towers.values,
            |cell, walks| {
                let step = match self.towers.stacks >> cell & 1 {
                    0 => -1,
                    _ => 1,
                };
                opponent.push(Replier::new(cell, walks, self.landable(cell), step));
            },
        );
        let passed = opponent.iter().fold(0, |all, one| all | one.walks.passed);
        let mut ended = -NO_BOUND;
        let mut without: ArrayVec<Replier, 36> = ArrayVec::new();
        for &(from, targets) in &movers {
            let origin = 1u64 << from;
            let singles_move = self.towers.stacks & origin == 0;
            let mut repliers = &opponent;
            if passed & origin != 0 {
                self.without(from, &opponent, linked, &mut without);
                repliers = &without;
            }
            for to in each(targets) {
                let replies = Replies::after_move_to(repliers, to, singles_move);
                let gain = self.gain(from, to);
                if replies.moves == 0 {
                    let payoff = self.margin + gain;
                    if payoff >= goal {
                        return Expansion::Decided(payoff);
                    }
                    ended = ended.max(payoff);
                    continue;
                }
                groups.push(group(from, to, self.sort_key(&replies, from, to) - gain));
            }
        }
        Expansion::Open(ended)
    }

    fn solve_small(
        &self,
        goal: i32,
        linked: &LinkedTowers,
        count: &mut impl FnMut() -> Option<()>,
    ) -> Option<(i32, Option<HokitoMove>)> {
        let (payoff, reached_by) = if self.towers.occupied.count_ones() <= few::MAX_NARROW_TOWERS {
            FewTowers::<1>::new(self, linked).solve_small(goal, count)?
        } else {
            FewTowers::<2>::new(self, linked).solve_small(goal, count)?
        };
        let cell = |tower| each(self.towers.occupied).nth(tower).map(Cell::from_index);
        let mv = reached_by.and_then(|(from, to)| Some(HokitoMove::new(cell(from)?, cell(to)?)));
        Some((payoff, mv))
    }

    fn play(&self, mv: HokitoMove) -> Self {
        let (from, to) = (mv.from().index(), mv.to().index());
        let (origin, target) = (1u64 << from, 1u64 << to);
        let gain = self.gain(from, to);
        let mut heights = self.heights;
        heights[to % 48] += heights[from % 48];
        heights[from % 48] = 0;
        let carry = |plane: u64| plane & !origin & !target | (plane >> from & 1) << to;
        let occupied = self.towers.occupied & !origin;
        Self {
            towers: Towers {
                occupied,
                own: occupied & !(self.towers.own & !origin | target),
                values: self.towers.values.map(carry),
                stacks: self.towers.stacks & !origin | target,
            },
            heights,
            margin: -(self.margin + gain),
        }
    }
}

impl Solvable for Hokito {
    type Node = HokitoNode;

    const PROBE_PLIES: u32 = 11;
    const COST_FACTORS: [f64; 2] = [0.5, 5.0];

    fn expects_win(&self) -> bool {
        Self::classic().evaluate(self) > 0
    }

    fn node(&self) -> HokitoNode {
        let side = self.side();
        let mut heights = [0; 48];
        for cell in self.occupied() {
            heights[cell.index() % 48] = self.height(cell);
        }
        HokitoNode {
            towers: Towers {
                occupied: self.occupied().0,
                own: self.topped_by(side).0,
                values: self.value_planes(),
                stacks: self.stacks().0,
            },
            heights,
            margin: self.standing().margin_for(side),
        }
    }
}
