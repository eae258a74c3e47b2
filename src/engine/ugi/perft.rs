//! `go perft`: a count that can be stopped.

use std::sync::Arc;

use super::output::Output;
use crate::engine::Engine;
use crate::game::{Game, perft};
use crate::search::{Searchable, Stop, Timer};

/// Plies that are counted without a look at the stop: a few milliseconds.
const LEAP: u32 = 3;

/// Begins to count from the engine's position.
pub(super) fn begin<G: Searchable>(engine: &mut Engine<G>, depth: u32, out: Output) {
    let timer = Arc::new(Timer::of_work(true, &out.gone));
    let (position, stop) = (*engine.position(), timer.stop.clone());
    engine.begin(timer, move |_| {
        let lines = divide(&position, depth, &stop);
        let stopped = "info string perft stopped before its end".to_owned();
        Box::new(move || out.lines(lines.unwrap_or(vec![stopped])))
    });
}

/// The lines of the answer, by move in alphabetical order; `None` when stopped.
fn divide<G: Game>(position: &G, depth: u32, stop: &Stop) -> Option<Vec<String>> {
    let mut lines = Vec::new();
    let mut total = 0u64;
    for mv in position.moves() {
        let nodes = count(&position.play(mv), depth - 1, stop)?;
        lines.push(format!("{mv}: {nodes}"));
        total = total.saturating_add(nodes);
    }
    lines.sort_unstable();
    lines.push(format!("Nodes searched: {total}"));
    Some(lines)
}

fn count<G: Game>(position: &G, depth: u32, stop: &Stop) -> Option<u64> {
    if stop.is_stopped() {
        return None;
    }
    if depth <= LEAP {
        return Some(perft(position, depth));
    }
    let mut total = 0u64;
    for mv in position.moves() {
        total = total.saturating_add(count(&position.play(mv), depth - 1, stop)?);
    }
    Some(total)
}
