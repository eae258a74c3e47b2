//! Judges a game move by move.

use serde::Serialize;
use serde_json::Value as Json;

use super::Line;
use crate::record::fault::Fault;
use crate::record::reader::{PlayedGame, PlayedMove};
use crate::review::{Effort, Mark, MoveReview, Step, for_first, json, review};
use totemic_engine::engine::Engine;
use totemic_engine::game::with_game;
use totemic_engine::search::solver::Solvable;
use totemic_engine::search::{Searchable, Stop};

/// The most nodes for a position.
const MAX_NODES: u64 = 100_000_000;

/// How far a review has come; it goes backwards from the end of the game.
#[derive(Clone, Debug, Serialize)]
pub struct Progress {
    /// Number of positions that are done.
    pub done: usize,
    /// Number of all positions.
    pub total: usize,
    /// The move that was just judged; none for the position at the end.
    pub judged: Option<Assessment>,
}

/// What a review says about one move. `before` and `after` are the expected points of
/// the first side, from 0 to 1.
#[derive(Clone, Debug, Serialize)]
pub struct Assessment {
    ply: usize,
    mark: Mark,
    before: f64,
    after: f64,
    /// The best move and the expected moves after it.
    line: Vec<String>,
    proved: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    proved_loss: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
}

impl<M: Copy + ToString + PartialEq> From<Step<'_, M>> for Progress {
    fn from(step: Step<'_, M>) -> Self {
        let assessment = |judged: &MoveReview<M>| Assessment {
            ply: judged.ply,
            mark: judged.mark,
            before: for_first(judged.side, judged.before),
            after: for_first(judged.side, judged.after),
            line: judged.line.iter().map(ToString::to_string).collect(),
            proved: judged.is_proved(),
            proved_loss: judged.proved_loss,
            depth: judged.depth,
        };
        Self {
            done: step.done,
            total: step.total,
            judged: step.judged.map(assessment),
        }
    }
}

/// Judges a game that is given by its starting position and its moves.
pub(super) fn run(
    line: &Line,
    nodes: Option<u64>,
    stop: &Stop,
    on_progress: impl FnMut(Progress),
) -> Result<Json, Fault> {
    let moves = line.moves.iter().map(PlayedMove::new).collect();
    let game = super::of_moves(&line.game, &line.fen, moves)?;
    let wanted = |nodes: u64| Effort::nodes(nodes.clamp(1, MAX_NODES));
    let settings = nodes.map_or_else(Effort::default, wanted);
    with_game!(game.kind, G => judged::<G>(&game, &settings, stop, on_progress))
}

fn judged<G: Searchable + Solvable>(
    game: &PlayedGame,
    settings: &Effort,
    stop: &Stop,
    mut on_progress: impl FnMut(Progress),
) -> Result<Json, Fault> {
    let on_step = |step: Step<'_, G::Move>| on_progress(Progress::from(step));
    let mut engine = Engine::<G>::new();
    // The engine's module has tables, too, and a browser has little memory. A table this
    // small always fits, and its size changes no mark if it is the same everywhere.
    let _ = engine.set_hash(16);
    let done = review(game, &mut engine, settings, stop, on_step);
    Ok(json(&done?))
}
