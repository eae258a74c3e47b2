//! Alpha-beta: principal variation search with several threads.
//!
//! The node function (`pvs`) searches the tree, and the `root` deepens it step by step.
//! Every thread searches the same root. Threads share the table, put off moves that
//! another is busy with, skip moves that another has refuted, leave nodes that another
//! has answered, and compare the moves of the root with the best that any of them has
//! found. Threads with odd indices begin one ply deeper, so that not all begin alike;
//! when one has finished an iteration, the others take it over. Only the main thread
//! keeps time and reports.

mod abdada;
mod corrections;
mod history;
mod node;
mod picker;
mod pruning;
mod pvs;
mod reductions;
mod root;
mod shared;
mod shared_root;
mod table;
mod thread;

use super::request::{Handler, Request};
use super::score::MAX_PLY;
use super::solver::ProbeMemory;
use super::threads::ThreadPool;
use super::{Evaluate, Report, Searchable};
use root::{IterationEnd, Root};
use shared::Shared;
pub use table::Table;
use thread::SearchThread;

/// Searches a position with the threads of `pool`.
///
/// `handler` gets each info of each finished depth (of the deepest, if several threads
/// finish more than one at once). With one thread and limits other than time, the search
/// is deterministic: it depends on the arguments and on what the table holds. With
/// `infinite` or `ponder` it does not return before a command says so, even when there is
/// nothing left to find out.
pub fn search<G: Searchable, E: Evaluate<G>>(
    request: &Request<G>,
    pool: &ThreadPool,
    table: &mut Table,
    eval: &E,
    mut handler: impl Handler<G::Move>,
) -> Report<G::Move> {
    let probes = &mut ProbeMemory::default();
    let report = search_with(request, pool, table, probes, eval, &mut handler);
    request.wait_until_due();
    report
}

/// Like [`search`], with memory for probes of the solver, but returns as soon as it has
/// its answer, even if `infinite` or `ponder` holds that back.
#[inline(never)]
pub(super) fn search_with<G: Searchable, E: Evaluate<G>>(
    request: &Request<G>,
    pool: &ThreadPool,
    table: &mut Table,
    probes: &mut ProbeMemory,
    eval: &E,
    handler: &mut dyn Handler<G::Move>,
) -> Report<G::Move> {
    const {
        assert!(
            G::MAX_PLIES as usize <= MAX_PLY,
            "games are longer than scores can tell"
        )
    };
    let shared = Shared::new(request, pool, table.share(), eval);
    let probe = probes.cleared(pool.size());
    let thread = |index, handler| SearchThread::new(index, &shared, probe.clone(), handler);
    let help = |index| {
        let mut root = Root::new(thread(index, None));
        while root.deepen() == Some(IterationEnd::Finished) {}
    };
    let main = Root::new(thread(0, Some(handler)));
    let infos = pool.work(&shared.stop, help, || main.search_main());
    Report::new(infos, shared.nodes(), request.timer.elapsed())
}
