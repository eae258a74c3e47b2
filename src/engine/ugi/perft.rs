//! `go perft`: a count that can be stopped.

use std::sync::Arc;

use super::output::Output;
use crate::engine::{End, Task};
use crate::game::{Game, perft};
use crate::search::{Background, Stop, Timer};

/// Plies that are counted without a look at the stop: a few milliseconds.
const LEAP: u32 = 3;

pub(super) fn begin<G: Game>(position: G, depth: u32, out: Output) -> Task {
    let timer = Arc::new(Timer::unlimited(&out.gone));
    let stop = timer.stop.clone();
    Task::begin(Background::start(), End::ByItself, timer, move || {
        let lines = divide(&position, depth, &stop);
        let stopped = "info string perft stopped before its end".to_owned();
        Box::new(move || out.lines(lines.unwrap_or(vec![stopped])))
    })
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
