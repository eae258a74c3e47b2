//! The searches, the exact solver and the engine, through the library.

#[path = "../naive/mod.rs"]
mod naive;
#[path = "../support/mod.rs"]
mod support;

use std::num::NonZeroUsize;

use totemic_engine::search::{
    Info, Limits, Memory, Report, Request, Searchable, Searcher, Stop, think,
};

/// Returns the answer of a search with its own memory, and the lines that it reports.
fn answer<G: Searchable>(
    position: &G,
    limits: &Limits<G::Move>,
    searcher: Searcher,
    threads: usize,
) -> (Report<G::Move>, Vec<Info<G::Move>>) {
    let mut memory = Memory::try_new(1, searcher).expect("a small memory");
    let (mut told, eval) = (Vec::new(), G::Evaluation::default());
    memory.set_threads(NonZeroUsize::new(threads).expect("a thread"));
    let request = Request::new(position, limits, &Stop::new());
    let mut tell = |info: &Info<G::Move>| told.push(info.clone());
    let report = think(&request, &mut memory, &eval, &mut tell);
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
