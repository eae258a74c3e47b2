//! Evaluations by the names that the option `EvalFile` takes.

use std::io;
use std::path::Path;

use crate::file;
use crate::search::{Searchable, WeightsSource};
use crate::text::quoted;

/// A file of weights has fewer bytes.
pub const MAX_FILE_BYTES: u64 = 1 << 20;

/// Why there is no evaluation for a name.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum LoadError {
    #[error("file {}: {why}", quoted(name))]
    File { name: String, why: io::Error },
    #[error("file {}: {why}", quoted(name))]
    Content { name: String, why: String },
    /// Weights that need no file.
    #[error("{0}")]
    Own(String),
}

/// Loads the evaluation with the weights of a file. The name `classic` stands for those
/// written by hand, `zero` for none, to learn from nothing but the rules, and an empty
/// name for the built-in ones.
///
/// # Errors
/// Why the file cannot be used.
pub fn load<G: Searchable>(name: impl AsRef<Path>) -> Result<G::Evaluation, LoadError> {
    let path = name.as_ref();
    let name = || path.display().to_string();
    if let Some(source) = without_file(path) {
        return G::evaluation(source).map_err(|why| LoadError::Own(why.to_string()));
    }
    let bytes =
        file::read(path, MAX_FILE_BYTES).map_err(|why| LoadError::File { name: name(), why })?;
    G::evaluation(WeightsSource::File(&bytes)).map_err(|why| LoadError::Content {
        name: name(),
        why: why.to_string(),
    })
}

/// The source that a name stands for, if it is not that of a file.
pub fn without_file(name: impl AsRef<Path>) -> Option<WeightsSource<'static>> {
    match name.as_ref().to_str()?.to_ascii_lowercase().as_str() {
        "" | "<builtin>" => Some(WeightsSource::BuiltIn),
        "classic" => Some(WeightsSource::Classic),
        "zero" => Some(WeightsSource::Zero),
        _ => None,
    }
}
