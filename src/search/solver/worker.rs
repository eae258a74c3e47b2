//! The search of one thread.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use super::node::{Choice, Expansion, NO_BOUND, Node};
use super::table::{Proof, Table};
use super::solution::Progress;
use crate::game::Move;

/// Nodes between two looks at the clock and the stop flag.
const CHECK_EVERY: u64 = 1 << 12;

/// What ends a search early, shared by its threads.
pub(super) struct Brake<'a> {
    pub(super) stop: &'a AtomicBool,
    pub(super) deadline: Option<Instant>,
    pub(super) max_nodes: u64,
    /// Nodes of all threads, up to date within [`CHECK_EVERY`] each.
    pub(super) nodes: AtomicU64,
    /// Raised when a limit is reached.
    pub(super) halt: AtomicBool,
    /// Raised when another thread has answered the question.
    pub(super) done: AtomicBool,
    pub(super) progress: &'a (dyn Fn(Progress) + Sync),
    /// Moves of the root done and in all, 32 bits each.
    pub(super) root: AtomicU64,
}

impl Brake<'_> {
    fn reached(&self, more: u64) -> bool {
        let nodes = self.nodes.fetch_add(more, Ordering::Relaxed) + more;
        if nodes >= self.max_nodes
            || self.stop.load(Ordering::Relaxed)
            || self.deadline.is_some_and(|end| Instant::now() >= end)
        {
            self.halt.store(true, Ordering::Relaxed);
        }
        let root = self.root.load(Ordering::Relaxed);
        (self.progress)(Progress {
            root_done: (root >> 32) as u32,
            root_total: root as u32,
            nodes,
        });
        self.halted() || self.done.load(Ordering::Relaxed)
    }

    /// Whether a limit was reached.
    pub(super) fn halted(&self) -> bool {
        self.halt.load(Ordering::Relaxed) || self.stop.load(Ordering::Relaxed)
    }
}

/// One thread's search: answers whether a rank reaches a goal.
pub(super) struct Worker<'a, N: Node> {
    table: Table<'a>,
    brake: &'a Brake<'a>,
    choices: Vec<Choice<N::Move>>,
    /// Nodes visited and not yet told to the brake.
    fresh: u64,
    depth: u32,
    pub(super) nodes: u64,
}

impl<'a, N: Node> Worker<'a, N> {
    pub(super) fn new(table: Table<'a>, brake: &'a Brake<'a>) -> Self {
        Self {
            table,
            brake,
            choices: Vec::with_capacity(4096),
            fresh: 0,
            depth: 0,
            nodes: 0,
        }
    }

    /// Like [`Worker::search`], and reports which moves of `node` are done.
    pub(super) fn search_root(&mut self, node: &N, goal: i32) -> Option<i32> {
        self.depth = 0;
        self.search(node, goal)
    }

    /// Whether the rank of `node` reaches `goal`: a result of `goal` or more
    /// is a lower bound on the rank, a lesser one an upper bound. `None` when
    /// the search was stopped.
    fn search(&mut self, node: &N, goal: i32) -> Option<i32> {
        self.fresh += 1;
        if self.fresh >= CHECK_EVERY {
            self.nodes += self.fresh;
            if self.brake.reached(std::mem::take(&mut self.fresh)) {
                return None;
            }
        }
        let first = self.choices.len();
        self.depth += 1;
        let result = self.search_choices(node, goal, first);
        self.depth -= 1;
        self.choices.truncate(first);
        result
    }

    fn search_choices(&mut self, node: &N, goal: i32, first: usize) -> Option<i32> {
        let settled = node.settled();
        if *BOUNDS {
            let (lower, upper) = node.bounds();
            if lower >= goal {
                return Some(lower);
            }
            if upper < goal {
                return Some(upper);
            }
        }
        let mut best = match node.expand(goal, &mut self.choices) {
            Expansion::Over(rank) | Expansion::Reaches(rank, _) => return Some(rank),
            Expansion::Open(rank) => rank,
        };
        if self.choices.len() == first {
            return Some(best);
        }
        let tabled = node.room() >= *ROOM;
        let mut known = Proof::NONE;
        let mut key = [0; 4];
        let mut slot = None;
        if tabled {
            key = node.key();
            let found = self.table.slot(&key, if *NEARBY { &N::STRUCTURE } else { &[u64::MAX; 4] });
            slot = Some(found);
            known = if *NEARBY { self.table.near::<N>(found, &key) } else { self.table.get(found, &key).unwrap_or(Proof::NONE) };
            if known.lower + settled >= goal {
                return Some(known.lower + settled);
            }
            if known.upper + settled < goal {
                return Some(known.upper + settled);
            }
        }
        let begin = self.nodes + self.fresh;
        let mut reached_by = 0;
        if known.mv != 0 {
            // TODO: put to the front
        }
        let last = self.choices.len();
        'all: for at in first..last {
            if self.depth == 1 {
                let (done, total) = ((at - first) as u64, (last - first) as u64);
                self.brake.root.store(done << 32 | total, Ordering::Relaxed);
            }
            let next = (at..last).min_by_key(|&i| self.choices[i].score)?;
            self.choices[at..=next].rotate_right(1);
            let group = self.choices[at].mv;
            if *JOKER {
                if let Some(node) = node.optimistic(group) {
                    let rank = -self.search(&node, 1 - goal)?;
                    if rank < goal {
                        best = best.max(rank);
                        continue;
                    }
                }
            }
            let variants = node.variants(group);
            let mut results: arrayvec::ArrayVec<(N::Move, i32), 4> = arrayvec::ArrayVec::new();
            for mv in variants {
                let cap = results.iter().map(|&(other, rank)| rank + N::gap(mv, other)).min();
                if let Some(cap) = cap {
                    if cap < goal {
                        best = best.max(cap);
                        continue;
                    }
                }
                let rank = -self.search(&node.play(mv), 1 - goal)?;
                best = best.max(rank);
                if best >= goal {
                    reached_by = mv.bits();
                    break 'all;
                }
                results.push((mv, rank));
            }
        }
        let spent = self.nodes + self.fresh - begin;
        let reached = best >= goal;
        let proof = Proof {
            lower: if reached { best - settled } else { -NO_BOUND },
            upper: if reached { NO_BOUND } else { best - settled },
            mv: reached_by,
            effort: (64 - spent.leading_zeros()) as u8,
        };
        if let Some(slot) = slot {
            self.table.put(slot, &key, proof);
        }
        Some(best)
    }

    /// Tells the brake of the last nodes.
    pub(super) fn finish(&mut self) {
        self.nodes += self.fresh;
        self.brake.nodes.fetch_add(self.fresh, Ordering::Relaxed);
        self.fresh = 0;
    }
}

static JOKER: std::sync::LazyLock<bool> = std::sync::LazyLock::new(|| std::env::var("JOKER").map_or(true, |s| s != "0"));

static ROOM: std::sync::LazyLock<u32> = std::sync::LazyLock::new(|| std::env::var("ROOM").map_or(0, |s| s.parse().unwrap()));

static NEARBY: std::sync::LazyLock<bool> = std::sync::LazyLock::new(|| std::env::var("NEARBY").is_ok());

static BOUNDS: std::sync::LazyLock<bool> = std::sync::LazyLock::new(|| std::env::var("BOUNDS").map_or(true, |s| s != "0"));
