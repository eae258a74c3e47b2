//! Monte-Carlo tree search without the Monte Carlo: a second searcher.
//!
//! Each simulation goes down the tree by PUCT, makes one node and backs its value
//! up. All moves of a node are valued statically when it is made: that orders them
//! and yields the priors, and the value of the node is a mixture of its own static
//! value and that of its best reply. At first a node keeps only its best moves, and
//! only one of each [`Heuristics::variant_group`](super::Heuristics::variant_group). Proofs
//! are backed up as bounds (Winands et al., *Monte-Carlo Tree Search Solver*, 2008;
//! Cazenave and Saffidine 2010), so a claimed win is a win. The tree is a graph:
//! transpositions share a node, and the next search finds its root in it.

mod back_up;
mod compact;
mod edge;
mod expand;
mod main_thread;
mod root_moves;
mod score_bounds;
mod select;
mod shared;
mod simulation;
mod summary;
mod tree;
mod tuning;

pub use tree::Tree;

use super::request::{Handler, Request};
use super::solver::ProbeMemory;
use super::{Evaluate, Report, Searchable, ThreadPool};
use main_thread::MainThread;
use shared::Shared;

/// Searches a position with the threads of `pool` on one tree.
///
/// The contract is that of [`alphabeta::search`](super::alphabeta::search()), but nodes are
/// simulations, and the depth is their mean length in plies. With one thread and limits other
/// than time, the search is deterministic: it depends on the arguments and on
/// what the tree holds. With a `depth` limit, the search also ends when the tree
/// is full. With `infinite` or `ponder` it does not return before a command says so, even
/// when there is nothing left to find out.
pub fn search<G: Searchable, E: Evaluate<G>>(
    request: &Request<G>,
    pool: &ThreadPool,
    tree: &mut Tree,
    eval: &E,
    mut handler: impl Handler<G::Move>,
) -> Report<G::Move> {
    let probes = &mut ProbeMemory::default();
    let report = search_with(request, pool, tree, probes, eval, &mut handler);
    request.wait_until_due();
    report
}

/// Like [`search`], with memory for probes of the solver, but returns as soon as it has
/// its answer, even if `infinite` or `ponder` holds that back.
#[inline(never)]
pub(super) fn search_with<G: Searchable, E: Evaluate<G>>(
    request: &Request<G>,
    pool: &ThreadPool,
    tree: &mut Tree,
    probes: &mut ProbeMemory,
    eval: &E,
    handler: &mut dyn Handler<G::Move>,
) -> Report<G::Move> {
    let probe = probes.cleared(pool.size());
    let shared = Shared::new(request, pool, tree, probe, eval);
    let infos = MainThread::new(pool, &shared, handler).run();
    Report::new(infos, shared.simulations(), request.timer.elapsed())
}
