//! The exact solver: the value of a position, proved.
//!
//! A question is always whether the side to move can reach a *rank*
//! ([`Node`]): 0 for "does not lose", 1 for "wins", and other ranks for the
//! margin. Each question is one search with a null window; the answers stay in a
//! table that keeps whole keys, so that no two positions are taken for one.
//!
//! ```
//! use totemic_engine::game::Yoxii;
//! use totemic_engine::search::solver::{SolveRequest, Value, solve};
//!
//! let position: Yoxii = "3/IIy1o/yOO1I*1/o1Yy3/yoiiIX1/IXoyO/3 w".parse()?;
//! let solution = solve(&position, &SolveRequest::default());
//! assert_eq!(solution.value, Value::Win);
//! # Ok::<(), totemic_engine::game::PositionError>(())
//! ```

mod answers;
mod batch;
mod bounds;
mod hokito;
mod margin;
mod node;
mod solution;
mod table;
mod worker;
mod yoxii;

use std::marker::PhantomData;
use std::mem::swap;
use std::sync::OnceLock;

use bounds::Bounds;
pub(in crate::search) use bounds::lowest_rank;
pub use node::{Choice, Expansion, Key, NO_BOUND, Node, Solvable};
use rustc_hash::FxHashSet;
pub use solution::{MoveValue, Solution, SolveRequest, Value};
use table::{ProofMemory, ProofTable};
use worker::{Budget, CHOICES, Worker};

use super::busy::Busy;
use super::{Instant, Stop, ThreadPool};
use crate::game::Move;

/// Nodes that one thread spends on a question before others help it: about what
/// calling them costs.
const ALONE: u64 = 1 << 11;

/// Nodes that a [`Probe`] may take for one question.
pub(super) const PROBE_NODES: u64 = 1 << 11;
// With a patience of no more than `CHECK_EVERY`, a thread gives up in time; with more it
// would overstep, by up to as many nodes.
const _: () = assert!(ALONE <= worker::CHECK_EVERY && PROBE_NODES <= worker::CHECK_EVERY);
/// Places of [`Busy`] for each thread: few, because they hold only claims.
const CLAIMS: usize = 256;
/// Megabytes of [`ProbeMemory`] for each thread: few enough for the processor's caches.
const PROBE_MB: usize = 1;

/// Nodes of the first questions about which of several moves takes the shortest proof.
const LEAST_PATIENCE: u64 = 4;
/// What these questions may take at one position, as a multiple of the proof that is known.
const MOST_EFFORT: u64 = 2;

/// Where moves with shorter proofs were sought.
#[derive(Default)]
pub(super) struct Sought {
    /// Positions, of those that differ only in values the first.
    places: FxHashSet<u64>,
    /// Nodes that this took: never more than all others.
    nodes: u64,
}

/// Megabytes of the table that [`solve`] makes.
pub const DEFAULT_HASH_MB: usize = 256;

/// Solves one position with a table of its own.
#[must_use]
pub fn solve<G: Solvable>(position: &G, request: &SolveRequest) -> Solution<G::Move> {
    Solver::new(DEFAULT_HASH_MB).solve(position, request)
}

/// A solver that keeps what it has proved from one position to the next.
pub struct Solver<G: Solvable> {
    memory: ProofMemory,
    pool: ThreadPool,
    game: PhantomData<fn(&G)>,
}

impl<G: Solvable> Solver<G> {
    /// A solver with a table of at most `hash_mb` megabytes.
    #[must_use]
    pub fn new(hash_mb: usize) -> Self {
        Self {
            memory: ProofMemory::new(hash_mb << 20),
            pool: ThreadPool::new(1),
            game: PhantomData,
        }
    }

    /// Forgets everything that was proved.
    pub fn clear(&mut self) {
        self.memory.clear();
    }

    pub(crate) fn warm_up(&mut self, deadline: Instant) {
        self.memory.warm_up(deadline);
    }

    /// Solves a position as far as the limits allow.
    pub fn solve(&mut self, position: &G, request: &SolveRequest) -> Solution<G::Move> {
        self.solve_with(position, request, |_| ())
    }

    /// Answers questions one after the other within the limits. What this proves is all
    /// kept, because a proof needs it.
    pub(in crate::search) fn run(&mut self, request: &SolveRequest) -> SolverRun<'_> {
        self.pool.resize(request.threads);
        let table = self.memory.table(request.plain);
        SolverRun {
            keeps_all: true,
            ..SolverRun::new(table, &self.pool, request, &|_| ())
        }
    }

    /// Like [`Solver::solve`], but also tells `progress` from time to time how many
    /// nodes it has searched.
    pub fn solve_with(
        &mut self,
        position: &G,
        request: &SolveRequest,
        progress: impl Fn(u64) + Sync,
    ) -> Solution<G::Move> {
        self.pool.resize(request.threads);
        let table = self.memory.table(request.plain);
        SolverRun::new(table, &self.pool, request, &progress).solve(position, request)
    }

    /// A prover that lends its threads to a search.
    pub(super) fn prover(&mut self, threads: usize) -> Prover<'_> {
        self.pool.resize(threads);
        let (memory, pool) = (&mut self.memory, &self.pool);
        Prover { memory, pool }
    }
}

/// The solver while a search uses its threads or has just used them.
pub(super) struct Prover<'a> {
    memory: &'a mut ProofMemory,
    pub(super) pool: &'a ThreadPool,
}

impl Prover<'_> {
    /// The answer of all threads. Those that are searching must look for
    /// [other work](super::threads::do_other_work) often, or this waits for them.
    pub(super) fn solve<G: Solvable>(
        &mut self,
        position: &G,
        request: &SolveRequest,
    ) -> Solution<G::Move> {
        let table = self.memory.table(request.plain);
        SolverRun::new(table, self.pool, request, &|_| ()).solve(position, request)
    }

    /// The answer of the one thread of whoever asks, while others are busy.
    pub(super) fn solve_alone<G: Solvable>(
        &mut self,
        position: &G,
        request: &SolveRequest,
    ) -> Solution<G::Move> {
        let (table, alone) = (self.memory.table(request.plain), ThreadPool::new(1));
        SolverRun::new(table, &alone, request, &|_| ()).solve(position, request)
    }
}

/// What the probes of one search share: a table for a number of threads.
#[derive(Debug, Default)]
pub(super) struct ProbeMemory(Option<(usize, ProofMemory)>);

impl ProbeMemory {
    /// A probe with an empty table for `threads` threads, to be cloned for each of them.
    pub(super) fn cleared<G: Solvable>(&mut self, threads: usize) -> Probe<'_, G> {
        self.0.take_if(|(size, _)| *size != threads);
        let new = || (threads, ProofMemory::new((threads * PROBE_MB) << 20));
        let (_, memory) = self.0.get_or_insert_with(new);
        if memory.is_used() {
            memory.clear();
        }
        Probe::new(memory.table(false))
    }
}

/// Short questions to the solver, for a thread of another search that meets
/// positions near the end of the game.
pub(super) struct Probe<'a, G: Solvable> {
    table: ProofTable<'a>,
    choices: Vec<Choice<G::Move>>,
    /// Never used up: the questions are short.
    budget: Budget<'static>,
}

impl<G: Solvable> Clone for Probe<'_, G> {
    fn clone(&self) -> Self {
        Self::new(self.table)
    }
}

impl<'a, G: Solvable> Probe<'a, G> {
    fn new(table: ProofTable<'a>) -> Self {
        let choices = Vec::with_capacity(CHOICES);
        Self {
            table,
            choices,
            budget: Budget::new(Stop::new(), u64::MAX, &|_| ()),
        }
    }

    /// Asks whether the side to move reaches the goal, 1 for a win or 0 for at
    /// least a draw. Returns a bound on the result's rank, which is at least the
    /// goal or below it, or `None` if `max_nodes` nodes did not decide; and the
    /// nodes that it took.
    pub(super) fn ask(&mut self, position: &G, goal: i32, max_nodes: u64) -> (Option<i32>, u64) {
        let (budget, busy) = (&self.budget, &Busy::new(1, 0));
        let (node, before) = (position.node(), budget.spent());
        let stop = &budget.stop;
        let mut worker = Worker::new(&node, self.table, budget, stop, busy, max_nodes);
        swap(&mut worker.choices, &mut self.choices);
        let rank = worker.search(&node, goal);
        swap(&mut worker.choices, &mut self.choices);
        drop(worker);
        (rank, budget.spent() - before)
    }

    /// The sign of the result for the side to move, if a few nodes find it.
    pub(super) fn sign(&mut self, position: &G) -> Option<i32> {
        let mut proved = Bounds::ALL;
        proved.find_sign(position, |goal| self.ask(position, goal, PROBE_NODES).0)?;
        proved.value().sign()
    }
}

/// What answers questions within the limits of one call, and counts their nodes.
pub(in crate::search) struct SolverRun<'a> {
    table: ProofTable<'a>,
    keeps_all: bool,
    budget: Budget<'a>,
    busy: Busy,
    pool: &'a ThreadPool,
    begin: Instant,
}

impl<'a> SolverRun<'a> {
    fn new(
        table: ProofTable<'a>,
        pool: &'a ThreadPool,
        request: &SolveRequest,
        progress: &'a (dyn Fn(u64) + Sync),
    ) -> Self {
        let stop = match request.time {
            Some(time) => request.stop.within(time),
            None => request.stop.child(),
        };
        Self {
            table,
            keeps_all: false,
            budget: Budget::new(stop, request.nodes.unwrap_or(u64::MAX), progress),
            busy: Busy::new(pool.size(), CLAIMS),
            pool,
            begin: Instant::now(),
        }
    }

    pub(in crate::search) fn nodes(&self) -> u64 {
        self.budget.spent()
    }

    pub(in crate::search) fn is_stopped(&self) -> bool {
        self.budget.stop.is_raised()
    }

    /// The search of one thread, which gives up if it takes more nodes than its patience
    /// or `stop` comes.
    fn worker<'b, N: Node>(&'b self, root: &N, stop: &'b Stop, patience: u64) -> Worker<'b, N> {
        let (table, budget, busy) = (self.table, &self.budget, &self.busy);
        let mut worker = Worker::new(root, table, budget, stop, busy, patience);
        worker.choices.reserve(CHOICES);
        if self.keeps_all {
            worker.table_from = 0;
        }
        worker
    }

    /// A move by which the side to move reaches a goal that it is proved to reach, and
    /// that takes a short proof: of the moves whose proof is known the cheapest, else the
    /// first that a search finds, or one that turns out to be cheaper. Positions that
    /// differ only in values have the same cheap moves, so cheaper ones are sought for
    /// the first of these only, and not at all where no two positions are so alike: there
    /// it costs more than it saves. `None` when the search was stopped.
    #[inline(never)]
    pub(in crate::search) fn move_to<G: Solvable>(
        &self,
        position: &G,
        goal: i32,
        sought: &mut Sought,
    ) -> Option<G::Move> {
        let cost = |mv: G::Move| {
            let place = self.table.place::<G::Node>(&position.play(mv).node().key());
            let cost = self.table.refuted_for::<G::Node>(&place, 1 - goal);
            cost.map(|cost| (1u64 << cost, mv))
        };
        let (moves, node, before) = (position.moves(), position.node(), self.nodes());
        let proved = moves.iter().filter_map(|&mv| cost(mv));
        let (cost, mv) = match proved.min_by_key(|&(cost, _)| cost) {
            Some(proved) => proved,
            None => {
                let (stop, left) = (&self.budget.stop, self.budget.left());
                let reaching = self.worker(&node, stop, left).reach(&node, goal)?;
                let keeps = |mv: G::Move| match reaching {
                    // Bounds on all ends decide without a move.
                    0 => self
                        .ask(&position.play(mv), 1 - goal)
                        .map(|rank| rank < 1 - goal),
                    reaching => Some(mv.bits() == reaching),
                };
                let mv = moves.iter().find(|&&mv| keeps(mv) == Some(true))?;
                (self.nodes() - before, *mv)
            }
        };
        let place = self.table.place::<G::Node>(&node.key());
        let is_alone = G::Node::STRUCTURE == [u64::MAX; 4];
        if is_alone || !sought.places.insert(place.structure()) {
            return Some(mv);
        }
        let (before, others) = (self.nodes(), self.nodes() - sought.nodes);
        let room = (MOST_EFFORT * cost).min(others.saturating_sub(sought.nodes));
        let cheaper = self.cheaper_move(position, goal, cost, room);
        sought.nodes += self.nodes() - before;
        Some(cheaper.unwrap_or(mv))
    }

    /// A move by which the side to move reaches a goal, found by questions of few nodes
    /// about all moves, then of more, below `cost` for each and within `room` for all.
    fn cheaper_move<G: Solvable>(
        &self,
        position: &G,
        goal: i32,
        cost: u64,
        mut room: u64,
    ) -> Option<G::Move> {
        let moves = position.moves();
        let mut patience = LEAST_PATIENCE;
        while patience * moves.len() as u64 <= room && patience < cost {
            room -= patience * moves.len() as u64;
            let spent = |&mv: &G::Move| {
                let before = self.nodes();
                let rank = self.ask_within(&position.play(mv), 1 - goal, patience)?;
                let spent = self.nodes() - before;
                // What is known already costs nothing now, but its proof is longer.
                (rank < 1 - goal && spent > 0).then_some((spent, mv))
            };
            let costs = moves.iter().filter_map(spent);
            if let Some((_, mv)) = costs.min_by_key(|&(spent, _)| spent) {
                return Some(mv);
            }
            patience *= 4;
        }
        None
    }

    /// The answer of one thread, unless it takes more nodes than its patience.
    #[inline(never)]
    fn ask_within<G: Solvable>(&self, position: &G, goal: i32, patience: u64) -> Option<i32> {
        let node = position.node();
        // A known answer is given even when there is no time left.
        let place = self.table.place::<G::Node>(&node.key());
        let answer = self.table.get::<G::Node>(&place, goal).answer(goal);
        if answer.is_some() || self.is_stopped() {
            return answer;
        }
        self.worker(&node, &self.budget.stop, patience)
            .search(&node, goal)
    }

    /// Whether the rank of `position` reaches `goal`; a bound as
    /// [`Worker::search`] gives it.
    #[inline(never)]
    pub(in crate::search) fn ask<G: Solvable>(&self, position: &G, goal: i32) -> Option<i32> {
        let alone = self.pool.size() == 1;
        if alone || !self.table.plain {
            // Most questions along a line are answered before another thread would begin.
            let left = self.budget.left();
            let patience = if alone { left } else { left.min(ALONE) };
            let rank = self.ask_within(position, goal, patience);
            if alone || rank.is_some() || self.is_stopped() {
                return rank;
            }
        }
        let node = position.node();
        let answer = OnceLock::new();
        let answered = self.budget.stop.child();
        let run = || {
            if let Some(rank) = self.worker(&node, &answered, u64::MAX).search(&node, goal) {
                answered.now();
                answer.get_or_init(|| rank);
            }
        };
        // A thread that comes late would visit many nodes before it looks at the stop.
        let help = |_| {
            if !answered.is_raised() {
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
    use crate::game::{Hokito, Layout, Rng, Yoxii, random_position};

    fn probes_agree<G: Solvable>() {
        let mut rng = Rng::new(41);
        let (mut memory, mut whole) = (ProbeMemory::default(), Solver::<G>::new(16));
        let mut probe = memory.cleared::<G>(1);
        let (mut seen, mut given_up) = ([0; 3], 0);
        while seen.iter().sum::<u32>() < 300 {
            let plies = G::MAX_PLIES - G::PROBE_PLIES;
            let Some(position) = random_position::<G>(Layout::Halves, plies, &mut rng) else {
                continue;
            };
            let solution = whole.solve(&position, &SolveRequest::default());
            let sign = solution.value.sign().expect("no limit");
            // A few questions take more nodes than they may.
            let answer = probe.sign(&position);
            given_up += u32::from(answer.is_none());
            assert_eq!(answer.unwrap_or(sign), sign, "{position}");
            for goal in [0, 1] {
                let (rank, _) = probe.ask(&position, goal, PROBE_NODES);
                let answer = rank.map(|rank| rank >= goal);
                assert_eq!(answer.unwrap_or(sign >= goal), sign >= goal, "{position}");
            }
            seen[(sign + 1) as usize] += 1;
        }
        assert!(seen[0] > 30 && seen[2] > 30, "{seen:?}");
        assert!(given_up < 15, "{given_up}");
    }

    #[test]
    fn probes_answer_as_the_whole_solver() {
        probes_agree::<Yoxii>();
        probes_agree::<Hokito>();
    }

    #[test]
    fn a_probe_takes_no_more_nodes_than_it_may() {
        let start = <Yoxii as crate::game::Game>::start();
        for most in [1, 7, PROBE_NODES] {
            let (answer, nodes) = ProbeMemory::default().cleared(1).ask(&start, 1, most);
            assert_eq!(answer, None);
            assert!(nodes <= most, "{nodes} of {most}");
        }
    }

    fn every_end_is_within_reach<G: Solvable>() {
        let mut rng = Rng::new(43);
        for index in 0..2000 {
            let layout = [Layout::Halves, Layout::Scattered][index % 2];
            let start = G::random_start(layout, &mut rng);
            let (moves, _) = crate::game::random_game(start, G::MAX_PLIES, &mut rng);
            let mut positions = vec![start];
            for mv in moves {
                positions.push(positions[positions.len() - 1].play(mv));
            }
            let end = positions[positions.len() - 1];
            for position in positions {
                let (lower, upper) = position.node().reach();
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
