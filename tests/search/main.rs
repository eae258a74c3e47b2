//! The searches, the exact solver and the engine, through the library.

#[path = "../naive/mod.rs"]
mod naive;
#[path = "../support/mod.rs"]
mod support;

use std::num::NonZeroUsize;

use totemic::search::{Control, Info, Limits, Memory, Report, Searchable, Searcher, think};

/// Returns the answer of a search with its own memory, and the lines that it reports.
fn answer<G: Searchable>(
    position: &G,
    limits: &Limits<G::Move>,
    searcher: Searcher,
    threads: usize,
) -> (Report<G::Move>, Vec<Info<G::Move>>) {
    let mut memory = Memory::try_new(1, searcher).expect("a small memory");
    let (mut told, eval) = (Vec::new(), G::Evaluation::default());
    let threads = NonZeroUsize::new(threads).expect("a thread");
    let tell = |info: &Info<G::Move>| told.push(info.clone());
    let control = Control::default();
    let report = think(
        position,
        limits,
        threads,
        &mut memory,
        &eval,
        &control,
        tell,
    );
    (report, told)
}

/// Limits that only a stop ends.
fn infinite<M>() -> Limits<M> {
    Limits {
        infinite: true,
        ..Limits::default()
    }
}

mod claims;
mod engine;
mod levels;
mod mcts;
mod search;
mod solver;
