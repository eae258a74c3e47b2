//! Judges a game move by move.

use serde_json::{Value as Json, json};

use super::Moves;
use crate::limits::MoveLimits;
use crate::record::PgnMove;
use crate::record::fault::Fault;
use crate::review::{Step, USUAL_LIMITS, for_first, review, to_json, without_nulls};
use totemic_engine::engine::Engine;
use totemic_engine::game::with_game;
use totemic_engine::stop::Stop;

/// The most nodes for a position.
const MAX_NODES: u64 = 100_000_000;

/// The progress of a review, which works backwards: how many positions are done, how many there
/// are, and the move that was just judged; none for the position at the end. `before` and `after`
/// are the expected points of the first side, from 0 to 1.
fn progress<M: Copy + ToString + PartialEq>(step: Step<'_, M>) -> Json {
    let judged = step.judged.map(|judged| {
        without_nulls(json!({
            "ply": judged.ply,
            "mark": judged.mark,
            "before": for_first(judged.side, judged.before),
            "after": for_first(judged.side, judged.after),
            "line": judged.pv.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "proved": judged.is_proved(),
            "proved_loss": judged.proved_loss,
            "depth": judged.depth,
        }))
    });
    json!({"done": step.done, "total": step.total, "judged": judged})
}

/// Judges a game that is given by its starting position and its moves.
pub(super) fn run(
    played: &Moves,
    nodes: Option<u64>,
    stop: &Stop,
    mut on_progress: impl FnMut(Json),
) -> Result<Json, Fault> {
    let moves = played.moves.iter().map(PgnMove::new).collect();
    let game = super::of_moves(&played.game, &played.fen, moves)?;
    let wanted = |nodes: u64| MoveLimits::nodes(nodes.clamp(1, MAX_NODES));
    let limits = nodes.map_or(USUAL_LIMITS, wanted);
    let done = with_game!(game.kind, G => {
        let mut engine = Engine::<G>::new();
        // The engine's module has tables, too, and a browser has little memory. A table this
        // small always fits, and its size changes no mark if it is the same everywhere.
        let _ = engine.set_hash(16);
        let on_step = |step: Step<'_, _>| on_progress(progress(step));
        review(&game, &mut engine, &limits, stop, on_step).map(|done| to_json(&done))
    });
    done.map_err(|why| why.fault)
}
