//! What a search needs from a game besides its rules.

use super::solver::Solvable;
use super::{Evaluate, Heuristics, Learnable, Learned, WeightsError};

/// A game that the engine plays. It names its own evaluation.
pub trait Searchable: Heuristics + Solvable {
    /// The evaluation that an engine plays with.
    type Evaluation: Evaluate<Self> + Default;

    /// Returns the evaluation from this source.
    ///
    /// # Errors
    /// [`WeightsError`] if there is none; a game without weights in files has only
    /// its own evaluation.
    fn evaluation(source: WeightsSource<'_>) -> Result<Self::Evaluation, WeightsError> {
        match source {
            WeightsSource::BuiltIn => Ok(Self::Evaluation::default()),
            WeightsSource::Classic | WeightsSource::Zero | WeightsSource::File(_) => {
                Err(WeightsError::NoGame(Self::NAME))
            }
        }
    }
}

/// Where an evaluation comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WeightsSource<'a> {
    /// The weights built into the program.
    BuiltIn,
    /// The weights written by hand.
    Classic,
    /// None: every position is even.
    Zero,
    /// The bytes of a file of weights.
    File(&'a [u8]),
}

impl<G: Learnable + Heuristics + Solvable> Searchable for G {
    type Evaluation = Learned<Self>;

    fn evaluation(source: WeightsSource<'_>) -> Result<Self::Evaluation, WeightsError> {
        match source {
            WeightsSource::BuiltIn => Ok(Learned::default()),
            WeightsSource::Classic => Ok(Learned::classic()),
            WeightsSource::Zero => Ok(Learned::zero()),
            WeightsSource::File(bytes) => Learned::read(bytes),
        }
    }
}
