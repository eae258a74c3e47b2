//! Hokito for the solver.

mod few;
mod relation;

use arrayvec::ArrayVec;

use few::Few;

use super::node::{Choice, Expansion, Key, NO_BOUND, Node, PayoffBounds, Solvable, each};
use crate::game::routes::{Routes, Walks};
use crate::game::{Cell, Game, Hokito, HokitoMove};
use crate::search::eval::{Evaluate, Learnable};

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

/// With this many moves or fewer, counting replies is not worth its time.
const UNRANKED_MOVES: u32 = 3;

/// With more towers than this, bounds cost more than they decide.
const BOUNDS_TO: u32 = 6;

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
    /// The towers that the one on a cell can move onto, if a walk leads there.
    fn like(&self, cell: usize) -> u64 {
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
}

/// All squares of the ranks and files that a set meets.
fn ranks_and_files(cells: u64) -> u64 {
    let ranks = ((cells + 0x7f7f_7f7f_7f7f) & 0x8080_8080_8080) >> 7;
    let mut files = cells | cells >> 24;
    files |= files >> 8 | files >> 16;
    (ranks * 0x3f) | ((files & 0x3f) * 0x0101_0101_0101)
}

/// The towers that share a rank or file with one of a set, those that share one with
/// these, and so on.
fn component(seed: u64, occupied: u64) -> u64 {
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
struct Towers {
    occupied: u64,
    own: u64,
    values: [u64; 2],
    stacks: u64,
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
    fn static_bounds(
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

fn choice(from: usize, to: usize, sort_key: i32) -> Choice<HokitoMove> {
    let mv = HokitoMove::new(Cell::from_index(from), Cell::from_index(to));
    Choice { sort_key, mv }
}

/// A tower of the opponent and its replies to the moves of one tower.
#[derive(Clone, Copy)]
struct Replier {
    tower: u64,
    walks: Walks,
    ends: u64,
    count: i32,
    /// What a target that becomes a stack adds to the count: 1 if the tower is a
    /// stack, -1 if it is a single.
    step: i32,
}

impl Replier {
    fn new(cell: usize, walks: Walks, alike: u64, step: i32) -> Self {
        let ends = walks.ends & alike;
        Self {
            tower: 1 << cell,
            walks,
            ends,
            count: ends.count_ones() as i32,
            step,
        }
    }
}

struct Replies {
    moves: i32,
    movers: i32,
    ends: u64,
}

impl Replies {
    /// The replies to a move onto a cell, from what the opponent could do if the
    /// move's origin were empty. If singles move, their target becomes a stack:
    /// towers that could land on it no longer can, and those that could not, can.
    fn to(repliers: &[Replier], to: usize, singles_move: bool) -> Self {
        let (mut moves, mut movers, mut ends) = (0, 0, 0);
        for replier in repliers {
            // No branches here: they would be unpredictable.
            let live = (replier.tower >> to & 1).wrapping_sub(1);
            let turned = replier.walks.ends >> to & u64::from(singles_move);
            let count =
                (replier.count + (replier.step & (turned as i32).wrapping_neg())) & live as i32;
            moves += count;
            movers += i32::from(count != 0);
            ends |= (replier.ends ^ turned << to) & live;
        }
        Self {
            moves,
            movers,
            ends,
        }
    }
}

impl HokitoNode {
    /// Fills `left` with the repliers after a tower has left a cell.
    fn without(
        &self,
        cell: usize,
        repliers: &[Replier],
        routes: &mut Routes,
        left: &mut ArrayVec<Replier, 36>,
    ) {
        let gone = 1u64 << cell;
        left.clear();
        routes.lift(cell);
        for replier in repliers {
            if replier.walks.passed & gone == 0 {
                left.push(*replier);
            } else {
                let cell = replier.tower.trailing_zeros() as usize;
                let walks = routes.walks_of(cell, value(self.towers.values, cell) as u8);
                let alike = self.like(cell) & !gone;
                left.push(Replier::new(cell, walks, alike, replier.step));
            }
        }
        routes.put_back(cell);
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
    type State = Routes;
    const MAX_MARGIN: i32 = 108;
    const MARGIN_WINDOW: Option<i32> = Some(8);
    const TABLE_FROM: u32 = few::NARROW + 1;
    const SHARE_FROM: u32 = few::MOST + 1;
    const SMALL_BELOW: u32 = few::MOST + 1;
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
        self.towers.occupied.count_ones()
    }

    fn static_bounds(&self) -> PayoffBounds {
        let towers = self.towers;
        towers.static_bounds(
            |seed| component(seed, towers.occupied),
            |cell| self.height(cell),
        )
    }

    fn state(&self) -> Routes {
        Routes::of(self.towers.occupied)
    }

    fn make(routes: &mut Routes, mv: HokitoMove) {
        routes.lift(mv.from().index());
    }

    fn unmake(routes: &mut Routes, mv: HokitoMove) {
        routes.put_back(mv.from().index());
    }

    fn expand(
        &self,
        goal: i32,
        routes: &mut Routes,
        choices: &mut Vec<Choice<HokitoMove>>,
    ) -> Expansion {
        let mut movers: ArrayVec<(usize, u64), 36> = ArrayVec::new();
        let mut moves = 0;
        routes.each_walk(self.towers.own, self.towers.values, |from, walks| {
            let targets = walks.ends & self.like(from);
            if targets != 0 {
                movers.push((from, targets));
                moves += targets.count_ones();
            }
        });
        if movers.is_empty() {
            return Expansion::Over(self.margin);
        }
        if moves <= UNRANKED_MOVES {
            for &(from, targets) in &movers {
                choices.extend(each(targets).map(|to| choice(from, to, -self.gain(from, to))));
            }
            return Expansion::Open(-NO_BOUND);
        }
        let mut opponent: ArrayVec<Replier, 36> = ArrayVec::new();
        routes.each_walk(
            self.towers.occupied & !self.towers.own,
            self.towers.values,
            |cell, walks| {
                let step = match self.towers.stacks >> cell & 1 {
                    0 => -1,
                    _ => 1,
                };
                opponent.push(Replier::new(cell, walks, self.like(cell), step));
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
                self.without(from, &opponent, routes, &mut without);
                repliers = &without;
            }
            for to in each(targets) {
                let replies = Replies::to(repliers, to, singles_move);
                let gain = self.gain(from, to);
                if replies.moves == 0 {
                    let payoff = self.margin + gain;
                    if payoff >= goal {
                        return Expansion::Reaches(payoff);
                    }
                    ended = ended.max(payoff);
                    continue;
                }
                choices.push(choice(from, to, self.sort_key(&replies, from, to) - gain));
            }
        }
        Expansion::Open(ended)
    }

    fn solve_small(
        &self,
        goal: i32,
        routes: &Routes,
        count: &mut impl FnMut() -> Option<()>,
    ) -> Option<(i32, Option<HokitoMove>)> {
        let (payoff, reached_by) = if self.plies_left() <= few::NARROW {
            Few::<1>::new(self, routes).solve_small(goal, count)?
        } else {
            Few::<2>::new(self, routes).solve_small(goal, count)?
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
