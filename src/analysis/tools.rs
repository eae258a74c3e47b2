//! What one desk works with.

use crate::engine::Engine;
use crate::search::Searchable;
use crate::search::solver::{Solvable, Solver};

/// The tools for one game.
pub(super) struct Tools<G: Searchable + Solvable> {
    pub(super) engine: Engine<G>,
    pub(super) solver: Solver<G>,
}

impl<G: Searchable + Solvable> Tools<G> {
    /// With tables of at most so many MiB; half of it where there is no more.
    pub(super) fn new(mut megabytes: usize) -> Self {
        let mut engine = Engine::new();
        while engine.set_hash(megabytes.max(1)).is_err() && megabytes > 1 {
            megabytes /= 2;
        }
        Self {
            engine,
            solver: Solver::new((megabytes / 4).max(1)),
        }
    }
}
