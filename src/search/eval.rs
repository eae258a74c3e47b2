//! Static evaluation: what a position is worth without looking ahead.

mod hokito;
mod phase;
mod yoxii;

use crate::game::Game;

/// A static evaluation of a game's positions.
///
/// A search calls it at the leaves, and between moves to order them, so it has
/// to be quick. It must not depend on anything but the position.
pub trait Evaluate<G: Game>: Clone + Send + Sync + 'static {
    /// The value for the side to move in centipoints (see
    /// [`Score`](super::Score)); 0 means even.
    /// The position is not over.
    fn evaluate(&self, position: &G) -> i32;

    /// The parts of the evaluation by name, for people, from the view of the
    /// side to move and in centipoints.
    fn explain(&self, position: &G) -> Vec<(&'static str, i32)> {
        vec![("evaluation", self.evaluate(position))]
    }
}

/// The evaluation written by hand, for both games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Classic;
