//! The exact solver: the value of a position, proved.
//!
//! A question is always whether the side to move can reach a *payoff*
//! ([`Node`]): 0 for "does not lose", 1 for "wins", and other payoffs for the
//! margin. Each question is one search with a null window; the answers stay in a
//! table that keeps whole keys, so that no two positions are taken for one.
//!
//! How a question is answered:
//!
//! 1. `SolverRun::ask` looks into the table, then searches with one thread, and after
//!    `SOLO_NODES` nodes with all of them.
//! 2. `Worker::search` leaves small nodes to [`Node::solve_small`], which needs no table
//!    below them. In other nodes [`Node::expand`] decides the question without a search or
//!    lists the variant groups of moves, and then the table is asked.
//! 3. Otherwise the groups are searched one by one: first the [`Node::optimistic`] node of
//!    a group, whose failure rules all its variants out, then the variants.
//!
//! `answers.rs` and `margin.rs` ask the questions that find values, moves and margins,
//! `batch.rs` solves many positions, and `probe.rs` answers small questions of other searches.

mod answers;
mod batch;
mod bounds;
mod hokito;
mod margin;
mod node;
mod probe;
mod short_proof;
mod solution;
mod table;
mod worker;
mod yoxii;

use std::marker::PhantomData;
use std::sync::OnceLock;

pub(super) use bounds::lowest_payoff;
pub use node::{Expansion, Key, NO_BOUND, Node, PayoffBounds, Solvable, VariantGroup};
pub(super) use probe::{PROBE_NODES, Probe, ProbeMemory};
pub(super) use short_proof::CheaperMoveSearches;
pub use solution::{MarginBounds, MoveValue, Solution, SolveRequest, Value};
pub(super) use table::ProofMemory;
use table::ProofTable;
use worker::{Budget, GROUPS_CAPACITY, Shared, Worker};
pub(super) use worker::{CHECK_EVERY, Mode};

use super::ThreadPool;
use super::shared_moves::SharedMoves;
use crate::host::Instant;
use crate::stop::Stop;

/// Nodes that one thread spends on a question before others help it: about what
/// calling them costs.
const SOLO_NODES: u64 = 1 << 11;
// With a patience of no more than `CHECK_EVERY`, a thread gives up in time; with more it
// would overstep, by up to as many nodes.
const _: () = assert!(SOLO_NODES <= CHECK_EVERY);
/// Slots of [`SharedMoves`] for each thread: few, because they hold only claimed moves.
const SLOTS_PER_THREAD: usize = 256;
/// Size of the table that [`solve`] makes, in MiB.
pub const DEFAULT_HASH_MB: usize = 256;

/// Solves one position with a table of its own.
pub fn solve<G: Solvable>(position: &G, request: &SolveRequest) -> Solution<G::Move> {
    Solver::new(DEFAULT_HASH_MB).solve(position, request)
}

/// A solver that keeps what it has proved from one position to the next.
pub struct Solver<G: Solvable> {
    memory: ProofMemory,
    pool: ThreadPool,
    mode: Mode,
    game: PhantomData<fn(&G)>,
}

impl<G: Solvable> Solver<G> {
    /// A solver with a table of at most `hash_mb` MiB.
    pub fn new(hash_mb: usize) -> Self {
        Self {
            memory: ProofMemory::new(hash_mb.saturating_mul(1 << 20)),
            pool: ThreadPool::new(1),
            mode: Mode::Fast,
            game: PhantomData,
        }
    }

    /// A solver that searches every node in full, without the shortcuts that leave out parts
    /// of the tree: for tests, as it gives the same answers after far more nodes.
    #[doc(hidden)]
    pub fn without_shortcuts(hash_mb: usize) -> Self {
        Self {
            mode: Mode::Exhaustive,
            ..Self::new(hash_mb)
        }
    }

    /// Forgets everything that was proved.
    pub fn clear(&mut self) {
        self.memory.clear();
    }

    /// Solves a position as far as the limits allow.
    pub fn solve(&mut self, position: &G, request: &SolveRequest) -> Solution<G::Move> {
        self.pool.resize(request.threads);
        self.run(self.mode, request, &|_| ()).solve(position)
    }

    /// Begins to answer questions within the limits. All that this proves is kept, because a
    /// certificate needs it.
    pub(super) fn run_that_keeps_all<'a>(&'a mut self, request: &'a SolveRequest) -> SolverRun<'a> {
        self.pool.resize(request.threads);
        self.run(Mode::KeepAll, request, &|_| ())
    }

    fn run<'a>(
        &'a mut self,
        mode: Mode,
        request: &'a SolveRequest,
        progress: &'a (dyn Fn(u64) + Sync),
    ) -> SolverRun<'a> {
        SolverRun::new(mode, self.memory.table(), &self.pool, request, progress)
    }
}

/// What answers questions within the limits of one call, and counts their nodes.
pub(super) struct SolverRun<'a> {
    shared: Shared<'a>,
    pool: &'a ThreadPool,
    request: &'a SolveRequest,
    begin: Instant,
}

impl<'a> SolverRun<'a> {
    /// Threads of the pool that are searching must look for
    /// [other work](super::threads::do_other_work) often, or an answer waits for them.
    pub(super) fn new(
        mode: Mode,
        table: ProofTable<'a>,
        pool: &'a ThreadPool,
        request: &'a SolveRequest,
        progress: &'a (dyn Fn(u64) + Sync),
    ) -> Self {
        let stop = match request.time {
            Some(time) => request.stop.within(time),
            None => request.stop.child(),
        };
        Self {
            shared: Shared {
                table,
                budget: Budget::new(stop, request.nodes.unwrap_or(u64::MAX), progress),
                shared_moves: SharedMoves::new(pool.size(), SLOTS_PER_THREAD),
                mode,
            },
            pool,
            request,
            begin: Instant::now(),
        }
    }

    pub(super) fn nodes(&self) -> u64 {
        self.shared.budget.spent()
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.shared.budget.stop.is_stopped_without_host()
    }

    /// The search of one thread, which gives up if it takes more nodes than its patience or
    /// than are left, or `stop` comes.
    fn worker<'b, N: Node>(&'b self, root: &N, stop: &'b Stop, patience: u64) -> Worker<'b, N> {
        // A search that ends within its patience does not look at what is left.
        let patience = patience.min(self.shared.budget.left());
        let groups = Vec::with_capacity(GROUPS_CAPACITY);
        Worker::new(root, &self.shared, stop, patience, groups)
    }

    /// The answer of one thread, unless it takes more nodes than its patience.
    #[inline(never)]
    fn ask_within<G: Solvable>(&self, position: &G, goal: i32, patience: u64) -> Option<i32> {
        let node = position.node();
        // A known answer is given even when there is no time left.
        let hashed = self.shared.table.hashed::<G::Node>(&node.key());
        let answer = self.shared.known::<G::Node>(&hashed, goal).answer(goal);
        if answer.is_some() || self.is_stopped() {
            return answer;
        }
        self.worker(&node, &self.shared.budget.stop, patience)
            .search(&node, goal)
    }

    /// Whether the payoff of `position` reaches `goal`; a bound as
    /// `Worker::search` gives it.
    #[inline(never)]
    pub(super) fn ask<G: Solvable>(&self, position: &G, goal: i32) -> Option<i32> {
        let alone = self.pool.size() == 1;
        if alone || self.shared.mode != Mode::Exhaustive {
            // Most questions along a line are answered before another thread would begin.
            let patience = if alone { u64::MAX } else { SOLO_NODES };
            let payoff = self.ask_within(position, goal, patience);
            if alone || payoff.is_some() || self.is_stopped() {
                return payoff;
            }
        }
        let node = position.node();
        let answer = OnceLock::new();
        let answered = self.shared.budget.stop.child();
        let run = || {
            if let Some(payoff) = self.worker(&node, &answered, u64::MAX).search(&node, goal) {
                answered.now();
                answer.get_or_init(|| payoff);
            }
        };
        // A thread that comes late would visit many nodes before it looks at the stop.
        let help = |_| {
            if !answered.is_known_stopped() {
                run();
            }
        };
        self.pool.work(&answered, help, run);
        answer.into_inner()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Hokito, Layout, Rng, Yoxii, random_game};

    fn every_end_is_within_reach<G: Solvable>() {
        let mut rng = Rng::new(43);
        for index in 0..2000 {
            let start = G::random_start(Layout::of(index % 2 == 1), &mut rng);
            let (moves, end) = random_game(start, G::MAX_PLIES, &mut rng);
            let mut positions = vec![start];
            positions.extend(moves.iter().scan(start, |last, &mv| {
                *last = last.play(mv);
                Some(*last)
            }));
            for position in positions {
                let PayoffBounds { lower, upper } = position.node().static_bounds();
                let point = <G::Node as Node>::POINT;
                let margin = point * end.standing().margin_for(position.side());
                assert!(
                    (lower - point / 2..=upper + point / 2).contains(&margin),
                    "{position}: {lower} to {upper}, then {end}: {margin}"
                );
            }
        }
    }

    #[test]
    fn bounds_from_the_board_hold_for_every_end_of_a_game() {
        every_end_is_within_reach::<Yoxii>();
        every_end_is_within_reach::<Hokito>();
    }
}
