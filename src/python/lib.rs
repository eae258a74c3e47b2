//! The module `totemic._totemic`: games, many games at once, and conversations with an engine,
//! all in the process of Python. What Python sees of it is documented where it is defined;
//! `_totemic.pyi` has the types.

#![forbid(unsafe_code)]

mod arguments;
mod batch;
mod session;
mod solver;
mod state;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use totemic_engine::game::{Encode, Game, GameKind, planes_shape, with_game};

/// The engine itself, written in Rust.
#[pymodule]
fn _totemic(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<state::State>()?;
    module.add_class::<batch::Batch>()?;
    module.add_class::<session::Session>()?;
    module.add_class::<session::Search>()?;
    module.add_function(wrap_pyfunction!(solver::prove, module)?)?;
    let (py, at_exit) = (module.py(), wrap_pyfunction!(session::at_exit, module)?);
    py.import("atexit")?.call_method1("register", (at_exit,))?;
    // Found now, as nothing can be imported when Python ends.
    py.get_type::<arguments::BadInput>();
    py.get_type::<arguments::EngineError>();
    let [plies, actions, planes] = [(); 3].map(|()| PyDict::new(py));
    for kind in GameKind::ALL {
        with_game!(kind, G => {
            plies.set_item(G::NAME, G::MAX_PLIES)?;
            actions.set_item(G::NAME, G::ACTIONS)?;
            planes.set_item(G::NAME, <(usize, usize, usize)>::from(planes_shape::<G>()))?;
        });
    }
    module.add("ERROR", session::ERROR)?;
    module.add("MAX_PLIES", plies)?;
    module.add("ACTIONS", actions)?;
    module.add("PLANES", planes)
}
