//! Alpha-beta: principal variation search with several threads.
//!
//! The [`node`] function searches the tree, and the [`root`] deepens it step by step.
//! Every thread searches the same root. Threads share the table, put off moves that
//! another is busy with, skip moves that another has refuted, leave nodes that another
//! has answered, and compare the moves of the root with the best that any of them has
//! found. Threads with odd indices begin one ply deeper, so that not all begin alike;
//! when one has finished an iteration, the others take it over. Only the main thread
//! keeps time and reports.

mod best;
mod corrections;
mod counter;
mod node;
mod open;
mod picker;
mod pruning;
mod reductions;
mod root;
mod shared;
mod sharing;
mod table;
mod thread;

use super::request::{Handler, Request};
use super::score::MAX_PLY;
use super::solver::ProbeMemory;
use super::threads::ThreadPool;
use super::{Evaluate, Report, Searchable};
use corrections::CorrectedEval;
use root::{Milestone, Root};
use shared::{GROUP, Shared};
pub use table::Table;
use thread::SearchThread;

/// Searches a position with the threads of `pool`.
///
/// `handler` gets each line of each finished depth (of the deepest, if several threads
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
    let proofs = &mut ProbeMemory::default();
    let report = run(request, pool, table, proofs, eval, &mut handler);
    request.hold_answer();
    report
}

/// Like [`search`], with memory for probes of the solver, but returns as soon as it has
/// its answer, even if `infinite` or `ponder` holds that back.
#[inline(never)]
pub(super) fn run<G: Searchable, E: Evaluate<G>>(
    request: &Request<G>,
    pool: &ThreadPool,
    table: &mut Table,
    proofs: &mut ProbeMemory,
    eval: &E,
    handler: &mut dyn Handler<G::Move>,
) -> Report<G::Move> {
    const {
        assert!(
            G::MAX_PLIES as usize <= MAX_PLY,
            "lines are longer than scores can tell"
        )
    };
    let Request {
        position,
        limits,
        timer,
    } = request;
    let tuning = limits.tuning.as_deref().unwrap_or(&G::TUNING).clamped();
    let tuning = &tuning;
    // A full-width search has to find the value that the evaluation defines.
    let corrects = !limits.full_width && position.correction_keys().into_iter().next().is_some();
    let shared = Shared::new(pool, table.share(), timer.stop.child(), corrects);
    let prover = proofs.cleared(pool.size());
    let quota = limits.nodes.unwrap_or(u64::MAX) / pool.size() as u64;
    let thread = |index: usize| {
        let learned = &shared.learned[index / GROUP];
        SearchThread {
            index,
            eval: CorrectedEval::new::<G>(eval, learned.corrections.as_ref(), tuning),
            shared: &shared,
            timer: (index == 0).then_some(&**timer),
            quota,
            nodes: 0,
            next_look: 0,
            handler: None,
            next_pause: if index == 0 { 0 } else { u64::MAX },
            seldepth: 0,
            iteration: 1,
            history: &learned.history,
            tuning,
            selective: !limits.full_width,
            prover: prover.clone(),
            path: [None; MAX_PLY + 1],
            entered: Default::default(),
            leaving: None,
            in_turns: shared.turns.as_ref().map(|turns| turns.join(index)),
        }
    };
    let help = |index| {
        let mut root = Root::new(request, thread(index));
        while root.deepen() == Some(Milestone::Finished) {}
    };
    let mut main = thread(0);
    main.handler = Some(handler);
    let main = Root::new(request, main);
    let lines = pool.work(&shared.stop, help, || main.search_main());
    Report::of_lines(lines, shared.nodes(), timer.elapsed())
}
