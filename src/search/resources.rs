//! What a search is given to work with.

use super::crew::Crew;
use super::solver::ProbeMemory;

/// What a search works with beside the memory of its own kind.
pub(super) struct Resources<'a, E> {
    pub(super) crew: &'a Crew,
    pub(super) eval: &'a E,
    /// Memory for questions near the end, for as many threads as the crew has.
    pub(super) proofs: &'a mut ProbeMemory,
}
