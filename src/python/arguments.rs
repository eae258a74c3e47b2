//! What callers give, and how it is refused.

use pyo3::buffer::{Element, PyBuffer};
use pyo3::prelude::*;
use pyo3::types::PyString;
use totemic_engine::game::GameKind;
use totemic_engine::text::quoted;

pyo3::import_exception!(totemic._errors, BadInput);
pyo3::import_exception!(totemic._errors, EngineError);

pub(crate) fn bad_input(why: impl ToString) -> PyErr {
    BadInput::new_err(why.to_string())
}

pub(crate) fn game_kind(name: &Bound<'_, PyAny>) -> PyResult<GameKind> {
    let name = text("game", name)?;
    let unknown = || format!("game {}: expected {}", quoted(&name), GameKind::any_name());
    GameKind::named(name.trim()).ok_or_else(|| bad_input(unknown()))
}

/// Reads a text of Python. What a text of Rust cannot hold, such as a lone surrogate, is
/// replaced.
pub(crate) fn text(name: &str, given: &Bound<'_, PyAny>) -> PyResult<String> {
    let found = given.cast::<PyString>();
    let found = found.map_err(|_| bad_input(format!("{name} {given}: expected a text")))?;
    Ok(found.to_string_lossy().into_owned())
}

/// A caller's array, which can be written to and has a number of items.
pub(crate) fn array<T: Element>(
    given: &Bound<'_, PyAny>,
    name: &str,
    count: usize,
) -> PyResult<PyBuffer<T>> {
    let is_swapped = |it: &PyBuffer<T>| match it.format().to_bytes().first() {
        Some(b'<') => cfg!(target_endian = "big"),
        Some(b'>' | b'!') => cfg!(target_endian = "little"),
        _ => false,
    };
    let fits = |it: &PyBuffer<T>| {
        !it.readonly() && it.is_c_contiguous() && it.item_count() == count && !is_swapped(it)
    };
    let expected = || format!("{name}: expected a writable C-contiguous array of {count} items");
    let found = PyBuffer::get(given).ok().filter(fits);
    found.ok_or_else(|| bad_input(expected()))
}
