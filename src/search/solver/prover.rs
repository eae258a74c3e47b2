//! Who proves results for the searches of a game: a solver, or nobody.

use std::fmt::Debug;
use std::time::Instant;

use super::node::Solvable;
use super::solution::{Solution, SolveLimits};
use super::{AtHand, Proofs, Solver};
use crate::game::Game;
use crate::search::crew::Crew;

/// Who proves results near the end of a game, for the engine and in the middle
/// of its searches.
pub trait Prover<G: Game>: Send + Sized + 'static {
    /// With so many plies left at the most, a question is worth asking in the
    /// middle of a search; `None` for one that never proves anything.
    const AT_HAND: Option<u32>;

    /// What the questions of one search share; kept for the next one.
    type Proofs: Send;

    /// Who answers the questions of a search's threads.
    type Probe<'a>: Probe<G>;

    /// With a memory of at most so many MiB.
    fn with_memory(megabytes: usize) -> Self;

    /// Forgets everything that was proved.
    fn clear(&mut self);

    /// Takes possession of the memory, no longer than to a deadline.
    fn warm_up(&mut self, deadline: Instant);

    /// Solves a position with the threads of a crew, as far as the limits let
    /// it.
    fn prove(&mut self, crew: &Crew, position: &G, limits: &SolveLimits) -> Solution<G::Move>;

    /// Memory for the questions of one search by so many threads.
    fn proofs(threads: usize) -> Self::Proofs;

    /// Who answers them, when what another search has asked is forgotten.
    fn probe(proofs: &mut Self::Proofs) -> Self::Probe<'_>;
}

/// A thread's view of who answers short questions in the middle of a search.
///
/// A clone has working memory of its own, so each thread takes one.
pub trait Probe<G: Game>: Clone + Debug + Send + Sync {
    /// Whether the side to move reaches the goal, 1 for a win and 0 for at
    /// least a draw: a bound on the result's rank, at least the goal or below
    /// it; `None` where `max_nodes` nodes did not tell. Also the nodes it took.
    fn ask(&mut self, position: &G, goal: i32, max_nodes: u64) -> (Option<i32>, u64);

    /// The sign of the result for the side to move, if it is found soon.
    fn sign(&mut self, position: &G) -> Option<i32>;
}

impl<G: Solvable> Prover<G> for Solver<G> {
    const AT_HAND: Option<u32> = Some(G::AT_HAND);
    type Proofs = Proofs;
    type Probe<'a> = AtHand<'a, G>;

    fn with_memory(megabytes: usize) -> Self {
        Self::new(megabytes.max(1))
    }

    fn clear(&mut self) {
        Self::clear(self);
    }

    fn warm_up(&mut self, deadline: Instant) {
        Self::warm_up(self, deadline);
    }

    fn prove(&mut self, crew: &Crew, position: &G, limits: &SolveLimits) -> Solution<G::Move> {
        self.solve_by(crew, position, limits)
    }

    fn proofs(threads: usize) -> Proofs {
        Proofs::new(threads)
    }

    fn probe(proofs: &mut Proofs) -> AtHand<'_, G> {
        proofs.clear();
        proofs.share()
    }
}

/// For a game that nobody has written a solver for: nothing is ever proved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NoProver;

impl<G: Game> Prover<G> for NoProver {
    const AT_HAND: Option<u32> = None;
    type Proofs = ();
    type Probe<'a> = Self;

    fn with_memory(_megabytes: usize) -> Self {
        Self
    }

    fn clear(&mut self) {}

    fn warm_up(&mut self, _deadline: Instant) {}

    fn prove(&mut self, _: &Crew, _: &G, _: &SolveLimits) -> Solution<G::Move> {
        Solution::unknown()
    }

    fn proofs(_threads: usize) {}

    fn probe((): &mut ()) -> Self {
        Self
    }
}

impl<G: Game> Probe<G> for NoProver {
    fn ask(&mut self, _: &G, _goal: i32, _max_nodes: u64) -> (Option<i32>, u64) {
        (None, 0)
    }

    fn sign(&mut self, _: &G) -> Option<i32> {
        None
    }
}
