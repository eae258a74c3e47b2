//! The search of one thread.

use std::sync::atomic::{AtomicU64, Ordering};

use arrayvec::ArrayVec;

use super::node::{Expansion, Node, VariantGroup};
use super::table::{HashedKey, ProofTable, TableEntry};
use crate::game::Move;
use crate::search::shared_moves::SharedMoves;
use crate::stop::Stop;

/// Nodes between two looks at the clock and the stop flag, and so the most that a thread may
/// count beyond its limit.
pub(in crate::search) const CHECK_EVERY: u64 = 1 << 11;

/// Proofs that a worker stores between two looks at whether the table has to grow.
const GROW_CHECK_PERIOD: u64 = 1 << 8;

/// What a search may take, shared by its threads and counted for all of its questions.
pub(super) struct Budget<'a> {
    /// Ends all questions; comes, too, when no node is left.
    pub(super) stop: Stop,
    max_nodes: u64,
    /// Nodes of all threads, each at most [`CHECK_EVERY`] behind.
    nodes: AtomicU64,
    progress: &'a (dyn Fn(u64) + Sync),
}

impl<'a> Budget<'a> {
    pub(super) fn new(stop: Stop, max_nodes: u64, progress: &'a (dyn Fn(u64) + Sync)) -> Self {
        Self {
            stop,
            max_nodes,
            nodes: AtomicU64::new(0),
            progress,
        }
    }

    /// Counts nodes, and stops everything when none is left.
    fn spend(&self, more: u64) {
        let nodes = self.nodes.fetch_add(more, Ordering::Relaxed) + more;
        if nodes >= self.max_nodes {
            self.stop.now();
        }
        (self.progress)(nodes);
    }

    pub(super) fn spent(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    pub(super) fn left(&self) -> u64 {
        self.max_nodes.saturating_sub(self.spent())
    }
}

/// Room for the groups of most paths, whose nodes list some dozens each.
pub(super) const GROUPS_CAPACITY: usize = 1024;

/// What the solver may leave out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::search) enum Mode {
    /// Whatever it can.
    Fast,
    /// No node is missing in the table, even where a search is quicker without it.
    KeepAll,
    /// Nothing: every node is searched in full, and entries of other keys say nothing about
    /// a key.
    Exhaustive,
}

/// What the workers of one run share.
pub(super) struct Shared<'a> {
    pub(super) table: ProofTable<'a>,
    pub(super) budget: Budget<'a>,
    pub(super) shared_moves: SharedMoves,
    pub(super) mode: Mode,
}

impl Shared<'_> {
    /// What the table tells about a node and a goal.
    pub(super) fn known<N: Node>(&self, hashed: &HashedKey, goal: i32) -> TableEntry {
        (self.table).get::<N>(hashed, goal, self.mode != Mode::Exhaustive)
    }
}

struct NodeCounter<'a> {
    budget: &'a Budget<'a>,
    /// Ends this question.
    stop: &'a Stop,
    /// Gives up after this many nodes; a little later if they are more than
    /// [`CHECK_EVERY`].
    patience: u64,
    /// Nodes visited but not yet taken from the budget.
    fresh: u64,
    spent: u64,
}

impl NodeCounter<'_> {
    /// Counts a node, and checks from time to time whether to stop.
    fn count(&mut self) -> Option<()> {
        self.fresh += 1;
        if self.fresh >= self.patience.min(CHECK_EVERY) {
            self.spent += self.fresh;
            let fresh = std::mem::take(&mut self.fresh);
            self.budget.spend(fresh);
            if self.stop.is_stopped() || self.spent >= self.patience {
                return None;
            }
        }
        Some(())
    }

    fn nodes(&self) -> u64 {
        self.spent + self.fresh
    }
}

/// One thread's search: answers whether a payoff reaches a goal.
pub(super) struct Worker<'a, N: Node> {
    shared: &'a Shared<'a>,
    /// Nodes with fewer plies left are neither looked up in the table nor stored; there a
    /// search is quicker without.
    table_from: u32,
    is_exhaustive: bool,
    counter: NodeCounter<'a>,
    groups: Vec<VariantGroup<N::Move>>,
    state: N::State,
    /// Proofs stored since the last look at the table's size.
    stored: u64,
}

struct Visit<'a, N: Node> {
    node: &'a N,
    goal: i32,
    best: i32,
    /// The move that reaches the goal, packed; 0 for none.
    reached_by: u16,
    /// The table's move, packed; 0 for none.
    proposed: u16,
}

impl<'a, N: Node> Visit<'a, N> {
    fn new(node: &'a N, goal: i32, open: i32) -> Self {
        Self {
            node,
            goal,
            best: open,
            reached_by: 0,
            proposed: 0,
        }
    }
}

impl<'a, N: Node> Worker<'a, N> {
    pub(super) fn new(
        root: &N,
        shared: &'a Shared<'a>,
        stop: &'a Stop,
        patience: u64,
        groups: Vec<VariantGroup<N::Move>>,
    ) -> Self {
        Self {
            shared,
            table_from: match shared.mode {
                Mode::Fast => N::TABLE_FROM,
                Mode::KeepAll | Mode::Exhaustive => 0,
            },
            is_exhaustive: shared.mode == Mode::Exhaustive,
            counter: NodeCounter {
                budget: &shared.budget,
                stop,
                patience,
                fresh: 0,
                spent: 0,
            },
            groups,
            state: root.state(),
            stored: 0,
        }
    }

    /// Ends the search; the next one can use the room for its groups.
    pub(super) fn end(mut self) -> Vec<VariantGroup<N::Move>> {
        std::mem::take(&mut self.groups)
    }

    /// A move by which the root reaches a goal, 0 if there is none: searches even if the
    /// table has the answer, which may come without a move.
    pub(super) fn find_move(&mut self, node: &N, goal: i32) -> Option<u16> {
        if node.plies_left() < N::SMALL_BELOW {
            let (_, mv) = node.solve_small(goal, &self.state, &mut || self.counter.count())?;
            return Some(mv.map_or(0, Move::bits));
        }
        self.counter.count()?;
        let Expansion::Open(open) = node.expand(goal, &mut self.state, &mut self.groups) else {
            return Some(0);
        };
        let hashed = self.shared.table.hashed::<N>(&node.key());
        let proposed = self.shared.known::<N>(&hashed, goal).mv;
        let mut visit = Visit::new(node, goal, open);
        self.search_and_store(&mut visit, 0, &hashed, proposed)?;
        Some(visit.reached_by)
    }

    /// Whether the payoff of `node` reaches `goal`: a result of `goal` or more
    /// is a lower bound on the payoff, a lesser one an upper bound. `None` when
    /// the search was stopped.
    pub(super) fn search(&mut self, node: &N, goal: i32) -> Option<i32> {
        if node.plies_left() < N::SMALL_BELOW && !self.is_exhaustive {
            return self.solve_small(node, goal);
        }
        self.counter.count()?;
        let first = self.groups.len();
        let result = self.answer_or_search(node, goal, first);
        self.groups.truncate(first);
        result
    }

    /// Searches a node with [`Node::solve_small`]. Its descendants are not stored in the
    /// table, but the node itself is, if that is worth it: other nodes lead to it,
    /// and a line to the end goes through it.
    fn solve_small(&mut self, node: &N, goal: i32) -> Option<i32> {
        let hashed = (node.plies_left() >= self.table_from)
            .then(|| self.shared.table.hashed::<N>(&node.key()));
        let known = |hashed: &HashedKey| self.shared.known::<N>(hashed, goal).answer(goal);
        if let Some(payoff) = hashed.as_ref().and_then(known) {
            self.counter.count()?;
            return Some(payoff);
        }
        let begin = self.counter.nodes();
        let (payoff, mv) = node.solve_small(goal, &self.state, &mut || self.counter.count())?;
        if let Some(hashed) = hashed {
            self.store(&hashed, goal, payoff, mv.map_or(0, Move::bits), begin);
        }
        Some(payoff)
    }

    fn store(&mut self, hashed: &HashedKey, goal: i32, payoff: i32, mv: u16, begin: u64) {
        let spent = self.counter.nodes() - begin;
        let mut entry = TableEntry {
            mv,
            effort: (64 - spent.leading_zeros()) as u8,
            ..TableEntry::NONE
        };
        entry.bounds.learn(goal, payoff);
        self.shared.table.put(hashed, entry);
        self.stored += 1;
        if self.stored == GROW_CHECK_PERIOD {
            let stored = std::mem::take(&mut self.stored);
            self.shared.table.grow_after(stored);
        }
    }

    /// Searches the node after a move. After a search that was stopped, the state
    /// is of no use.
    fn search_after(&mut self, node: &N, mv: N::Move, goal: i32) -> Option<i32> {
        N::make(&mut self.state, mv);
        let payoff = self.search(node, goal)?;
        N::unmake(&mut self.state, mv);
        Some(payoff)
    }

    /// Looks for an answer without a search, else searches the groups. Moves are
    /// listed before the table is read, because most nodes end at once, and a look
    /// into main memory costs more than their moves.
    fn answer_or_search(&mut self, node: &N, goal: i32, first: usize) -> Option<i32> {
        let open = match node.expand(goal, &mut self.state, &mut self.groups) {
            Expansion::Decided(payoff) => return Some(payoff),
            Expansion::Open(payoff) => payoff,
        };
        if self.groups.len() == first {
            return Some(open);
        }
        let mut visit = Visit::new(node, goal, open);
        if node.plies_left() < self.table_from {
            self.search_groups(&mut visit, first, None)?;
            return Some(visit.best);
        }
        let hashed = self.shared.table.hashed::<N>(&node.key());
        let entry = self.shared.known::<N>(&hashed, goal);
        if let Some(payoff) = entry.answer(goal) {
            return Some(payoff);
        }
        self.search_and_store(&mut visit, first, &hashed, entry.mv)?;
        Some(visit.best)
    }

    /// Searches the groups from `first` on, that of the proposed move first, and stores
    /// what that proves.
    fn search_and_store(
        &mut self,
        visit: &mut Visit<'_, N>,
        first: usize,
        hashed: &HashedKey,
        proposed: u16,
    ) -> Option<()> {
        visit.proposed = proposed;
        if proposed != 0 {
            let favourite = proposed & N::GROUP_BITS;
            for group in &mut self.groups[first..] {
                if group.mv.bits() & N::GROUP_BITS == favourite {
                    group.sort_key = i32::MIN;
                }
            }
        }
        let begin = self.counter.nodes();
        self.search_groups(visit, first, Some(hashed))?;
        self.store(hashed, visit.goal, visit.best, visit.reached_by, begin);
        Some(())
    }

    /// Searches the groups from `first` on, lowest key first, until one
    /// reaches the goal. If there are other threads, groups that they are
    /// searching come last.
    fn search_groups(
        &mut self,
        visit: &mut Visit<'_, N>,
        first: usize,
        hashed: Option<&HashedKey>,
    ) -> Option<()> {
        let last = self.groups.len();
        let is_worth_sharing = visit.node.plies_left() >= N::SHARE_FROM || self.is_exhaustive;
        let is_shared = !self.shared.shared_moves.is_alone() && is_worth_sharing;
        let shared_key = hashed.filter(|_| is_shared);
        let mut deferred: ArrayVec<N::Move, 64> = ArrayVec::new();
        for at in first..last {
            let next = (at..last).min_by_key(|&i| self.groups[i].sort_key)?;
            self.groups.swap(at, next);
            let any_variant = self.groups[at].mv;
            let mut claim = None;
            if let Some(hashed) = shared_key
                && at > first
            {
                claim = self
                    .shared
                    .shared_moves
                    .claim(hashed.tag(), any_variant.bits());
                if claim.is_none() && deferred.try_push(any_variant).is_ok() {
                    continue;
                }
            }
            self.search_group(visit, any_variant, at == first)?;
            drop(claim);
            if visit.best >= visit.goal || self.overtaken(visit, shared_key) {
                return Some(());
            }
        }
        for any_variant in deferred {
            self.search_group(visit, any_variant, false)?;
            if visit.best >= visit.goal || self.overtaken(visit, shared_key) {
                return Some(());
            }
        }
        Some(())
    }

    /// Whether another thread has meanwhile answered a shared node; takes the
    /// answer over.
    fn overtaken(&self, visit: &mut Visit<'_, N>, shared_key: Option<&HashedKey>) -> bool {
        let goal = visit.goal;
        let known = |hashed: &HashedKey| self.shared.known::<N>(hashed, goal).answer(goal);
        let answer = shared_key.and_then(known);
        if let Some(payoff) = answer {
            visit.best = payoff;
        }
        answer.is_some()
    }

    /// Searches the group of a move: first all its variants at once, with a node that is no
    /// worse than any of them, then one by one, without those that the results of
    /// their siblings rule out. If this is the first group of a node, a variant
    /// that is likely to reach the goal comes before all this.
    fn search_group(
        &mut self,
        visit: &mut Visit<'_, N>,
        any_variant: N::Move,
        is_first: bool,
    ) -> Option<()> {
        let mut variants = visit.node.variants(any_variant);
        let mut is_eager = false;
        if is_first {
            let proposed = |mv: &N::Move| mv.bits() == visit.proposed;
            let at = variants.iter().position(proposed);
            if let Some(at) = at {
                variants[..=at].rotate_right(1);
            }
            is_eager = at.is_some() || visit.node.plies_left() >= N::EAGER_FROM;
        }
        let mut results: ArrayVec<(N::Move, i32), 4> = ArrayVec::new();
        for (at, mv) in variants.into_iter().enumerate() {
            if at == usize::from(is_eager)
                && !self.is_exhaustive
                && let Some(node) = visit.node.optimistic(any_variant)
            {
                let payoff = -self.search_after(&node, any_variant, 1 - visit.goal)?;
                if payoff < visit.goal {
                    visit.best = visit.best.max(payoff);
                    return Some(());
                }
            }
            let ceiling = |&(other, payoff): &(N::Move, i32)| payoff + N::gap(mv, other);
            let payoff = match results.iter().map(ceiling).min() {
                Some(ceiling) if ceiling < visit.goal && !self.is_exhaustive => ceiling,
                _ => -self.search_after(&visit.node.play(mv), mv, 1 - visit.goal)?,
            };
            visit.best = visit.best.max(payoff);
            if payoff >= visit.goal {
                visit.reached_by = mv.bits();
                return Some(());
            }
            results.push((mv, payoff));
        }
        Some(())
    }
}

impl<N: Node> Drop for Worker<'_, N> {
    /// Reports the last nodes to the budget and the last proofs to the table.
    fn drop(&mut self) {
        let NodeCounter { budget, fresh, .. } = self.counter;
        budget.nodes.fetch_add(fresh, Ordering::Relaxed);
        self.shared.table.grow_after(self.stored);
    }
}
