//! Monte-Carlo tree search without the Monte Carlo: a second searcher.
//!
//! Each simulation goes down the tree by PUCT, makes one node and brings its
//! value back up. A node's moves are all valued statically when it is made:
//! that orders them and yields the priors, and the value of the node is a
//! mixture of its own static value and that of its best reply. Only the best
//! of them are kept at first, and one of each [`Policy::gist`](super::Policy::gist). What the rules
//! prove is brought up as bounds (Winands et al., *Monte-Carlo Tree Search
//! Solver*, 2008; Cazenave and Saffidine 2010), so a claimed win is a win. The
//! tree is a graph: transpositions share a node, and the next search finds its
//! root in it.

mod bounds;
mod compact;
mod edge;
mod expand;
mod lead;
mod lines;
mod tree;
mod tuning;
mod walk;

use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU64, Ordering};
use std::time::Instant;

pub use tree::Tree;
pub use tuning::Tuning;

use super::limits::{Control, Limits, Plan, Timer};
use super::solver::Prover;
use super::{Crew, Evaluate, Info, Report, Searchable};
use crate::game::{Game, Move};
use expand::Expander;
use lead::Lead;
use tree::Node;
use walk::{RootMoves, Step, Walker};

/// Searches a position with the threads of `crew` on one tree within `limits`.
///
/// The contract is that of [`search`](super::search()): nodes are simulations,
/// the depth is their mean length in plies. With one thread and limits other
/// than time, the search is deterministic: it depends on the arguments and on
/// what the tree holds. A `depth` limit also ends where the tree cannot grow.
/// With `infinite` or `ponder` it does not return before the [`Control`] says
/// so, even when there is nothing left to find out.
pub fn search<G: Searchable, E: Evaluate<G>>(
    position: &G,
    limits: &Limits<G::Move>,
    crew: &Crew,
    tree: &Tree,
    eval: &E,
    control: &Control,
    on_info: impl FnMut(&Info<G::Move>),
) -> Report<G::Move> {
    let report = run(position, limits, crew, tree, eval, control, on_info);
    limits.hold_answer(control);
    report
}

/// As [`search`], but returns when it has its answer, whether or not that may be
/// given yet.
pub(super) fn run<G: Searchable, E: Evaluate<G>>(
    position: &G,
    limits: &Limits<G::Move>,
    crew: &Crew,
    tree: &Tree,
    eval: &E,
    control: &Control,
    on_info: impl FnMut(&Info<G::Move>),
) -> Report<G::Move> {
    let begin = Instant::now();
    let own_moves = position.plies_left().div_ceil(2);
    let plan = Plan::new(limits.time, limits.overhead, own_moves);
    let _searching = tree.lock();
    let root_moves = root_moves(position, limits);
    let mut proofs = G::Prover::proofs(crew.size());
    let shared = Shared {
        prover: G::Prover::probe(&mut proofs),
        tree,
        eval,
        root_moves: &root_moves,
        tallies: (0..crew.size()).map(|_| Tally::default()).collect(),
        left: limits.nodes.map(AtomicU64::new),
        halt: AtomicBool::new(false),
        full: AtomicBool::new(false),
    };
    let timer = Timer::new(control, begin, limits.ponder, plan);
    let mut lead = Lead::new(position, limits, crew, &shared, timer, on_info);
    lead.run();
    lead.report()
}

/// The moves of the root to choose from.
fn root_moves<G: Game>(position: &G, limits: &Limits<G::Move>) -> RootMoves {
    let moves = limits.root_moves(position);
    let lines = limits.multi_pv.clamp(1, moves.len().max(1));
    let some = if limits.search_moves.is_empty() {
        &[][..]
    } else {
        &moves
    };
    RootMoves {
        wanted: some.iter().map(|mv| mv.bits()).collect(),
        leaders: (1..lines).map(|_| AtomicU16::new(0)).collect(),
    }
}

/// What one thread has done, in a cache line of its own.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Tally {
    simulations: AtomicU64,
    plies: AtomicU64,
    seldepth: AtomicU64,
}

impl Tally {
    fn note<G: Searchable, E>(&self, walker: &Walker<'_, G, E>) {
        self.simulations
            .store(walker.simulations, Ordering::Relaxed);
        self.plies.store(walker.plies, Ordering::Relaxed);
        self.seldepth
            .store(walker.seldepth as u64, Ordering::Relaxed);
    }
}

/// What all threads of a search share.
struct Shared<'a, G: Searchable, E> {
    /// For positions near the end.
    prover: <G::Prover as Prover<G>>::Probe<'a>,
    tree: &'a Tree,
    eval: &'a E,
    root_moves: &'a RootMoves,
    tallies: Vec<Tally>,
    /// Simulations not begun yet, where they are limited.
    left: Option<AtomicU64>,
    /// Tells the helpers to end.
    halt: AtomicBool,
    /// A thread found the arena full.
    full: AtomicBool,
}

impl<'a, G: Searchable, E: Evaluate<G>> Shared<'a, G, E> {
    /// Thread number `index` at its work, with what it had done before.
    fn walker(&self, index: usize) -> Walker<'a, G, E> {
        let tally = self.tallies.get(index);
        let read = |count: fn(&Tally) -> &AtomicU64| {
            tally.map_or(0, |tally| count(tally).load(Ordering::Relaxed))
        };
        Walker {
            tree: self.tree,
            eval: self.eval,
            root_moves: self.root_moves,
            expander: Expander::new(self.prover),
            simulations: read(|tally| &tally.simulations),
            plies: read(|tally| &tally.plies),
            seldepth: read(|tally| &tally.seldepth) as usize,
        }
    }

    /// A helper's work, until the main thread says halt or the arena is full.
    fn help(&self, index: usize, root: Node<'a>, position: &G) {
        let mut walker = self.walker(index);
        while !self.halt.load(Ordering::Relaxed)
            && let Some(step) = self.simulate(&mut walker, root, position)
        {
            match step {
                Step::Done => self.tallies[index].note(&walker),
                Step::Blocked => std::thread::yield_now(),
                Step::Full => {
                    self.full.store(true, Ordering::Relaxed);
                    break;
                }
            }
        }
    }

    /// A simulation, if there is any left to make.
    fn simulate(
        &self,
        walker: &mut Walker<'a, G, E>,
        root: Node<'a>,
        position: &G,
    ) -> Option<Step> {
        let Some(left) = &self.left else {
            return Some(walker.simulate(root, position));
        };
        let take = |left: u64| left.checked_sub(1);
        left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take)
            .ok()?;
        let step = walker.simulate(root, position);
        if step != Step::Done {
            left.fetch_add(1, Ordering::Relaxed);
        }
        Some(step)
    }

    fn sum(&self, count: fn(&Tally) -> &AtomicU64) -> u64 {
        let counts = self.tallies.iter().map(count);
        counts.map(|count| count.load(Ordering::Relaxed)).sum()
    }

    /// Simulations of all threads.
    fn simulations(&self) -> u64 {
        self.sum(|tally| &tally.simulations)
    }

    /// Mean length of the simulations in plies, rounded.
    fn mean_depth(&self) -> u32 {
        let simulations = self.simulations().max(1);
        ((self.sum(|tally| &tally.plies) + simulations / 2) / simulations) as u32
    }

    fn seldepth(&self) -> u32 {
        let depths = self.tallies.iter().map(|tally| &tally.seldepth);
        let deepest = depths.map(|depth| depth.load(Ordering::Relaxed)).max();
        deepest.unwrap_or(0) as u32
    }
}
