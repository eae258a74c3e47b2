//! Evaluations by name, as the option `EvalFile` has them.

use std::fs::File;
use std::io::Read;

use crate::game::quoted;
use crate::search::{Origin, Searchable};

/// More than a file of weights has.
const LONGEST: u64 = 1 << 20;

/// The evaluation with the weights of a file; `classic` for those written by
/// hand, `zero` for none, to learn from nothing but the rules, and an empty name
/// for those in the program.
///
/// # Errors
/// Why the file cannot be used.
pub(crate) fn load<G: Searchable>(name: &str) -> Result<G::Evaluation, String> {
    let refused = |why: &dyn std::fmt::Display| format!("file {}: {why}", quoted(name));
    match name.to_ascii_lowercase().as_str() {
        "" | "<builtin>" => G::evaluation(Origin::BuiltIn).map_err(|why| why.to_string()),
        "classic" => G::evaluation(Origin::Classic).map_err(|why| why.to_string()),
        "zero" => G::evaluation(Origin::Zero).map_err(|why| why.to_string()),
        _ => {
            let bytes = read(name).map_err(|why| refused(&why))?;
            G::evaluation(Origin::File(&bytes)).map_err(|why| refused(&why))
        }
    }
}

fn read(path: &str) -> std::io::Result<Vec<u8>> {
    // Opening a pipe would wait for somebody to write into it.
    if !std::fs::metadata(path)?.is_file() {
        return Err(std::io::Error::other("expected a regular file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(LONGEST).read_to_end(&mut bytes)?;
    Ok(bytes)
}
