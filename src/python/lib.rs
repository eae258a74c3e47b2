//! The module `totemic._totemic`: games, many games at once, and conversations with an engine,
//! all in the process of Python. `_totemic.pyi` documents what Python sees.

#![forbid(unsafe_code)]

mod batch;
mod session;
mod state;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use totemic_engine::game::{Encode, Game, GameKind, planes_shape, quoted, with_game};

pyo3::import_exception!(totemic._errors, BadInput);
pyo3::import_exception!(totemic._errors, EngineError);

#[pymodule]
fn _totemic(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<state::State>()?;
    module.add_class::<batch::Batch>()?;
    module.add_class::<session::Session>()?;
    module.add_class::<session::Search>()?;
    let [plies, actions, planes] = [(); 3].map(|()| PyDict::new(module.py()));
    for kind in GameKind::ALL {
        with_game!(kind, G => {
            plies.set_item(G::NAME, G::MAX_PLIES)?;
            actions.set_item(G::NAME, G::ACTIONS)?;
            let [planes_of, ranks, files] = planes_shape::<G>();
            planes.set_item(G::NAME, (planes_of, ranks, files))?;
        });
    }
    module.add("MAX_PLIES", plies)?;
    module.add("ACTIONS", actions)?;
    module.add("PLANES", planes)
}

/// The game with this name.
fn game(name: &str) -> PyResult<GameKind> {
    GameKind::named(name.trim()).ok_or_else(|| {
        let names = GameKind::ALL.map(GameKind::name).join(" or ");
        BadInput::new_err(format!("game {}: expected {names}", quoted(name)))
    })
}

/// A text of Python, where what no text of Rust may hold is replaced.
fn text(given: &Bound<'_, PyString>) -> String {
    given.to_string_lossy().into_owned()
}

/// Moves as they may be given: one after the other, or some in one text.
fn words(given: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    let mut found = Vec::new();
    let mut add = |given: &Bound<'_, PyString>| {
        found.extend(text(given).split_whitespace().map(str::to_owned));
    };
    match given.cast::<PyString>() {
        Ok(one) => add(one),
        Err(_) => {
            for each in given.try_iter()? {
                add(each?.cast::<PyString>()?);
            }
        }
    }
    Ok(found)
}
