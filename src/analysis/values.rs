//! The value of every legal move.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::answer::{LineJson, MoveJson};
use super::request::Job;
use super::tools::Tools;
use crate::search::solver::{MoveValue, Solvable, SolveLimits};
use crate::search::{Evaluate, Searchable};

/// All moves, best first: proved where the solver comes to an end within the
/// bounds of the search, else as the search found them, else by the static
/// evaluation.
pub(super) fn values<G: Searchable + Solvable>(
    tools: &mut Tools<G>,
    position: &G,
    job: &Job,
    found: &[LineJson],
) -> Vec<MoveJson> {
    let proved = prove(tools, position, job);
    let searched: FxHashMap<&str, &LineJson> = found
        .iter()
        .filter_map(|line| Some((line.pv.first()?.as_str(), line)))
        .collect();
    let value = |&mv: &G::Move| {
        let text = mv.to_string();
        let mut value = match searched.get(text.as_str()) {
            Some(line) => MoveJson {
                points: line.points,
                depth: line.depth,
                proven: line.proven,
                value: None,
                margin: None,
                mv: text,
            },
            None => unsearched(tools, position, mv),
        };
        if let Some(&(sign, margin)) = proved.get(&mv) {
            value.points = f64::from(sign + 1) / 2.0;
            value.proven = true;
            value.margin = margin;
        }
        value.value = value.proven.then(|| word(value.points));
        value
    };
    let mut moves: Vec<MoveJson> = position.moves().iter().map(value).collect();
    moves.sort_by(|a, b| {
        let by_points = b.points.total_cmp(&a.points);
        by_points.then_with(|| b.margin.cmp(&a.margin))
    });
    moves
}

/// The word for a proved value.
fn word(points: f64) -> &'static str {
    match points {
        _ if points > 0.75 => "win",
        _ if points < 0.25 => "loss",
        _ => "draw",
    }
}

/// A proved result: its sign, and the margin where that is proved, too.
type Proved = (i32, Option<i32>);

/// The moves whose result is proved.
fn prove<G: Searchable + Solvable>(
    tools: &mut Tools<G>,
    position: &G,
    job: &Job,
) -> FxHashMap<G::Move, Proved> {
    let limits = SolveLimits {
        all_moves: true,
        margin: true,
        line: false,
        nodes: job.bounds.nodes,
        // A depth says nothing of how long a proof may take.
        time: job.bounds.move_time.or_else(|| {
            let unbounded = job.bounds.nodes.is_none();
            unbounded.then(|| std::time::Duration::from_secs(1))
        }),
        stop: Some(Arc::clone(&job.cancelled)),
        ..SolveLimits::default()
    };
    let solution = tools.solver.solve(position, &limits);
    let known = |it: &MoveValue<G::Move>| Some((it.mv, (it.value.sign()?, it.margin)));
    solution.moves.iter().filter_map(known).collect()
}

/// A move's value that was not searched.
pub(super) fn unsearched<G: Searchable + Solvable>(
    tools: &Tools<G>,
    position: &G,
    mv: G::Move,
) -> MoveJson {
    let next = position.play(mv);
    let eval = tools.engine.evaluation();
    let score = crate::search::Score::estimate(-eval.evaluate(&next));
    let points = match next.outcome() {
        Some(outcome) => f64::from(outcome.sign_for(position.side()) + 1) / 2.0,
        None => eval.odds(position, score).points(),
    };
    MoveJson {
        mv: mv.to_string(),
        points,
        depth: 0,
        proven: !next.has_moves(),
        value: None,
        margin: None,
    }
}
