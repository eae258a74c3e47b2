//! The module `totemic._totemic`: games, many games at once, and conversations with an engine,
//! all in the process of Python. What Python sees of it is documented where it is defined;
//! `_totemic.pyi` has the types.

#![forbid(unsafe_code)]

mod batch;
mod session;
mod state;

use pyo3::buffer::{Element, PyBuffer};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use totemic_engine::game::{Encode, Game, GameKind, planes_shape, quoted, with_game};

pyo3::import_exception!(totemic._errors, BadInput);
pyo3::import_exception!(totemic._errors, EngineError);

/// The engine itself, written in Rust.
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
            planes.set_item(G::NAME, <(usize, usize, usize)>::from(planes_shape::<G>()))?;
        });
    }
    module.add("MAX_PLIES", plies)?;
    module.add("ACTIONS", actions)?;
    module.add("PLANES", planes)
}

fn bad_input(why: impl ToString) -> PyErr {
    BadInput::new_err(why.to_string())
}

/// The game with this name.
fn game(name: &Bound<'_, PyAny>) -> PyResult<GameKind> {
    let name = text("game", name)?;
    GameKind::named(name.trim()).ok_or_else(|| {
        let names = GameKind::ALL.map(GameKind::name).join(" or ");
        bad_input(format!("game {}: expected {names}", quoted(&name)))
    })
}

/// A text of Python, where what no text of Rust may hold is replaced.
fn text(name: &str, given: &Bound<'_, PyAny>) -> PyResult<String> {
    let found = given
        .cast::<PyString>()
        .map(|it| it.to_string_lossy().into_owned());
    found.map_err(|_| bad_input(format!("{name} {given}: expected a text")))
}

/// A caller's array, which can be written to and has a number of items.
fn array<T: Element>(given: &Bound<'_, PyAny>, name: &str, count: usize) -> PyResult<PyBuffer<T>> {
    let fits =
        |it: &PyBuffer<T>| !it.readonly() && it.is_c_contiguous() && it.item_count() == count;
    let expected = || format!("{name}: expected a writable C-contiguous array of {count} items");
    let found = PyBuffer::get(given).ok().filter(fits);
    found.ok_or_else(|| bad_input(expected()))
}
