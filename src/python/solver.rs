//! Proofs of many positions.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::num::NonZero;
use std::thread::{Builder, scope};
use std::time::Duration;

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use totemic_engine::game::{GameKind, with_game};
use totemic_engine::search::solver::{Solution, SolveRequest, Solver, Value};
use totemic_engine::search::{Searchable, THREAD_STACK_BYTES, useful_threads};
use totemic_engine::stop::Stop;

use crate::arguments::EngineError;
use crate::session::POLL;
use crate::state::State;

/// Proves the values of positions of one game, as `totemic solve --file` does: on a thread of
/// its own, so that Ctrl-C ends it. `hash` is in MiB; `seconds` and `nodes` limit each position.
#[pyfunction]
#[pyo3(signature = (states, *, hash, threads, margin, all_moves, seconds, nodes))]
#[expect(clippy::too_many_arguments, reason = "Python gives them by name")]
pub(crate) fn prove<'py>(
    py: Python<'py>,
    states: Vec<PyRef<'py, State>>,
    hash: usize,
    threads: NonZero<usize>,
    margin: bool,
    all_moves: bool,
    seconds: Option<f64>,
    nodes: Option<u64>,
) -> PyResult<Vec<Bound<'py, PyTuple>>> {
    let request = SolveRequest {
        margin,
        all_moves,
        pv: false,
        threads: useful_threads(threads).get(),
        nodes,
        time: seconds.and_then(|it| Duration::try_from_secs_f64(it).ok()),
        ..SolveRequest::default()
    };
    let kind = states.first().map_or(GameKind::Yoxii, |it| it.now().kind());
    with_game!(kind, G => {
        let positions = states.iter().filter_map(|it| G::try_from(*it.now()).ok());
        let (positions, mut found): (Vec<G>, _) = (positions.collect(), Vec::new());
        let ended = Stop::new();
        let work = || {
            let _ended = ended.end_on_drop();
            let tell = |_, it| Ok::<_, Infallible>(it).map(|it| found.push(it));
            let Ok(()) = Solver::new(hash).solve_each(&positions, &request, |_, _| (), tell);
        };
        scope(|scope| {
            let worker = Builder::new().stack_size(THREAD_STACK_BYTES).spawn_scoped(scope, work)?;
            while !py.detach(|| ended.wait_until_ending(POLL)) {
                py.check_signals().inspect_err(|_| request.stop.now())?;
            }
            worker.join().map_err(|_| EngineError::new_err("the solver failed"))
        })?;
        let found = positions.iter().zip(&found);
        found.map(|(position, solution)| fields(py, position, all_moves, solution)).collect()
    })
}

/// The fields of `Solution`.
fn fields<'py, G: Searchable>(
    py: Python<'py>,
    position: &G,
    is_all: bool,
    found: &Solution<G::Move>,
) -> PyResult<Bound<'py, PyTuple>> {
    let word = |value: Value| (value != Value::Unknown).then_some(value.name());
    let mut best: Vec<_> = found.best.iter().map(ToString::to_string).collect();
    best.sort_unstable();
    best.truncate(if is_all { best.len() } else { 1 });
    let is_whole = is_all && found.best_complete || !position.has_moves();
    let moves = || found.moves.iter().map(|it| (it.mv.to_string(), it));
    let values = moves().filter_map(|(mv, it)| Some((mv, word(it.value)?)));
    let margins = moves().filter_map(|(mv, it)| Some((mv, it.margin?)));
    let (values, margins) = (BTreeMap::from_iter(values), BTreeMap::from_iter(margins));
    let (value, margin, best) = (word(found.value), found.margin, PyTuple::new(py, best)?);
    let (nodes, time) = (found.nodes, found.time.as_secs_f64());
    (value, margin, best, is_whole, nodes, time, values, margins).into_pyobject(py)
}
