//! `go perft`: a count that can be stopped.

use std::sync::Arc;

use super::output::Output;
use crate::engine::{Engine, Uses};
use crate::game::{Game, perft_until, sorted_moves};
use crate::search::{Searchable, Timer};
use crate::stop::Stop;

pub(super) fn begin<G: Searchable>(engine: &mut Engine<G>, depth: u32, out: Output) {
    let timer = Arc::new(Timer::of_work(true, &out.gone));
    let (position, stop) = (*engine.position(), timer.stop.clone());
    engine.begin(timer, Uses::Nothing, move |_| {
        let lines = divide(&position, depth, &stop);
        let stopped = "info string perft stopped before its end".to_owned();
        Box::new(move || out.write_lines(lines.unwrap_or(vec![stopped])))
    });
}

/// The lines of the answer, by move in alphabetical order; `None` when stopped.
fn divide<G: Game>(position: &G, depth: u32, stop: &Stop) -> Option<Vec<String>> {
    let mut lines = Vec::new();
    let mut total = 0u64;
    for (text, mv) in sorted_moves(position) {
        let nodes = perft_until(&position.play(mv), depth - 1, &|| stop.is_stopped())?;
        lines.push(format!("{text}: {nodes}"));
        total = total.saturating_add(nodes);
    }
    lines.push(format!("Nodes searched: {total}"));
    Some(lines)
}
