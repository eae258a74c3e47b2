//! `go perft`: a count that can be stopped.

use super::output::Output;
use crate::engine::{End, Task};
use crate::game::{Game, perft};
use crate::search::{Control, is_interrupted};

/// Plies that are counted without a look at the control: a few milliseconds.
const LEAP: u32 = 3;

pub(super) fn begin<G: Game>(position: G, depth: u32, out: Output) -> Task {
    let unread = out.clone();
    let counting = Task::begin(End::ByItself, move |_, control| {
        let lines = divide(&position, depth, control);
        let stopped = "info string perft stopped before its end".to_owned();
        Box::new(move || out.lines(lines.unwrap_or(vec![stopped])))
    });
    unread.stops_unread(Some(counting.control.clone()));
    counting
}

/// The lines of the answer, by move in alphabetical order; `None` when stopped.
fn divide<G: Game>(position: &G, depth: u32, control: &Control) -> Option<Vec<String>> {
    let mut lines = Vec::new();
    let mut total = 0u64;
    for mv in position.moves() {
        let nodes = count(&position.play(mv), depth - 1, control)?;
        lines.push(format!("{mv}: {nodes}"));
        total = total.saturating_add(nodes);
    }
    lines.sort_unstable();
    lines.push(format!("Nodes searched: {total}"));
    Some(lines)
}

fn count<G: Game>(position: &G, depth: u32, control: &Control) -> Option<u64> {
    if is_interrupted() || control.is_stopped() {
        return None;
    }
    if depth <= LEAP {
        return Some(perft(position, depth));
    }
    let mut total = 0u64;
    for mv in position.moves() {
        total = total.saturating_add(count(&position.play(mv), depth - 1, control)?);
    }
    Some(total)
}
