//! Proofs of many positions.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::num::NonZero;
use std::thread::{Builder, scope};
use std::time::Duration;

use pyo3::prelude::*;
use totemic_engine::game::{AnyPosition, GameKind, with_game};
use totemic_engine::search::solver::{Solution, SolveLimits, Solver, Value};
use totemic_engine::search::{STACK, Searchable, Stop, useful_threads};

use crate::arguments::{EngineError, bad_input};
use crate::session::LOOK;
use crate::state::State;

/// The fields of `Solution`.
type Proved = (
    Word,
    Option<i32>,
    Vec<String>,
    bool,
    u64,
    f64,
    Of<&'static str>,
    Of<i32>,
);
type Word = Option<&'static str>;
/// What is told of moves, in the order of their texts.
type Of<T> = BTreeMap<String, T>;

fn word(value: Value) -> Word {
    (value != Value::Unknown).then_some(value.name())
}

fn proved<G: Searchable>(position: &G, is_all: bool, found: Solution<G::Move>) -> Proved {
    let mut best: Vec<_> = found.best.iter().map(ToString::to_string).collect();
    best.sort_unstable();
    best.truncate(if is_all { best.len() } else { 1 });
    let is_whole = is_all && found.best_complete || !position.has_moves();
    let moves = || found.moves.iter().map(|it| (it.mv.to_string(), it));
    let values = moves().filter_map(|(mv, it)| Some((mv, word(it.value)?)));
    let margins = moves().filter_map(|(mv, it)| Some((mv, it.margin?)));
    let (value, time) = (word(found.value), found.time.as_secs_f64());
    (
        value,
        found.margin,
        best,
        is_whole,
        found.nodes,
        time,
        values.collect(),
        margins.collect(),
    )
}

/// Proves the values of positions of one game, as `totemic solve --file` does: on a thread of
/// its own, so that Ctrl-C ends it.
#[pyfunction]
#[expect(clippy::too_many_arguments)]
pub(crate) fn prove(
    py: Python<'_>,
    states: Vec<PyRef<'_, State>>,
    hash: usize,
    threads: NonZero<usize>,
    margin: bool,
    all_moves: bool,
    seconds: Option<f64>,
    nodes: Option<i64>,
) -> PyResult<Vec<Proved>> {
    let counted = |it| u64::try_from(it).ok().filter(|&it| it > 0);
    let refused = |it| bad_input(format!("nodes {it}: expected a whole number of at least 1"));
    let nodes = nodes.map(|it| counted(it).ok_or_else(|| refused(it)));
    let limits = SolveLimits {
        margin,
        all_moves,
        pv: false,
        threads: useful_threads(threads).get(),
        nodes: nodes.transpose()?,
        time: seconds.and_then(|it| Duration::try_from_secs_f64(it.max(0.0)).ok()),
        ..SolveLimits::default()
    };
    let positions: Vec<AnyPosition> = states.iter().map(|it| *it.now()).collect();
    let kind = positions.first().map_or(GameKind::Yoxii, AnyPosition::kind);
    let (ended, mut all) = (Stop::new(), Vec::new());
    scope(|scope| {
        let work = || {
            let _ended = ended.end_on_drop();
            with_game!(kind, G => {
                let positions: Vec<G> = positions.into_iter().filter_map(|it| it.try_into().ok()).collect();
                let tell = |index: usize, solution| {
                    all.push(proved(&positions[index], all_moves, solution));
                    Ok::<(), Infallible>(())
                };
                let Ok(()) = Solver::<G>::new(hash).solve_each(&positions, &limits, |_, _| (), tell);
            });
        };
        let builder = Builder::new().stack_size(STACK);
        let worker = builder.spawn_scoped(scope, work)?;
        while !py.detach(|| ended.is_soon_within(LOOK)) {
            py.check_signals().inspect_err(|_| limits.stop.now())?;
        }
        let failed = |_| EngineError::new_err("the solver failed");
        worker.join().map_err(failed)
    })?;
    Ok(all)
}
