//! How each game is searched: the one place that chooses its evaluation, its
//! prover and what the search may take for granted of it.

use super::solver::Solver;
use super::{Learned, Origin, Policy, Searchable, WeightsError};
use crate::game::{Hokito, Move, Yoxii, YoxiiMove};

impl Searchable for Yoxii {
    type Evaluation = Learned<Self>;
    type Prover = Solver<Self>;

    fn evaluation(origin: Origin<'_>) -> Result<Self::Evaluation, WeightsError> {
        Learned::of(origin)
    }
}

impl Policy for Yoxii {
    const USES_IMPROVING: bool = true;
    // With less, a player that looks one ply ahead does not beat level 0.
    const BEGINNERS_LOSS: f64 = 0.45;

    // All but the value of the piece.
    fn gist(mv: YoxiiMove) -> u16 {
        mv.bits() & YoxiiMove::SQUARES
    }

    // Where the totem stands and can go, and the squares that are taken.
    fn correction_keys(&self) -> impl IntoIterator<Item = u64> {
        let totem = self.totem();
        let free = Self::near(totem) & self.free();
        [free.0 << 7 | totem.index() as u64, self.occupied().0]
    }
}

impl Searchable for Hokito {
    type Evaluation = Learned<Self>;
    type Prover = Solver<Self>;

    fn evaluation(origin: Origin<'_>) -> Result<Self::Evaluation, WeightsError> {
        Learned::of(origin)
    }
}

impl Policy for Hokito {
    // By some such number even depths said less than odd ones.
    const TEMPO: i32 = 8;
}
