//! What a search is given to work with.

use super::solver::ProbeMemory;
use super::threads::ThreadPool;

pub(super) struct Resources<'a, E> {
    pub(super) pool: &'a ThreadPool,
    pub(super) eval: &'a E,
    /// Memory for probes of the solver near the end of the game.
    pub(super) proofs: &'a mut ProbeMemory,
}
