//! How each game is searched: its evaluation, and what the search may assume about it.

use super::solver::Solvable;
use super::{Heuristics, Learnable, Learned, Searchable, Tuning, WeightsError, WeightsSource};
use crate::game::{Hokito, Move, Yoxii, YoxiiMove};

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

impl Heuristics for Yoxii {
    const USES_IMPROVING: bool = true;
    const TUNING: Tuning = Tuning {
        reduction: 50,
        variant_reduction: 210,
        log_reduction: 78,
        open_reduction: 70,
        falling_reduction: 85,
        cut_above: 43,
        cut_below: 58,
        futility: 36,
        futility_by_depth: 17,
        futility_rising: 40,
        history_weight: 30,
        history_bonus: 9,
        correction_unit: 58,
        correction_gain: 5,
        aspiration: 24,
        plies_a_variant: 8,
    };
    // Up to level 10, each level is as strong as in Hokito against a player that looks one
    // ply ahead (`benches/figures.md`).
    const LEVEL_LOSSES: [f64; 11] = [
        0.42, 0.38, 0.247, 0.238, 0.23, 0.205, 0.16, 0.105, 0.05, 0.018, 0.0,
    ];

    // All of the move but the value of the piece.
    fn variant_group(mv: YoxiiMove) -> u16 {
        mv.bits() & YoxiiMove::SQUARES
    }

    // Where the totem stands and can go, and which squares are occupied.
    fn correction_keys(&self) -> impl IntoIterator<Item = u64> {
        let totem = self.totem();
        let free = Self::near(totem) & self.free();
        [free.0 << 7 | totem.index() as u64, self.occupied().0]
    }
}

impl Heuristics for Hokito {
    // About as much as the scores of even depths were below those of odd ones.
    const TEMPO: i32 = 8;
    // With the whole plan, early moves take too much from late ones.
    const PLAN_USED: f64 = 0.72;
    const LEVEL_LOSSES: [f64; 11] = [
        0.11, 0.105, 0.065, 0.036, 0.026, 0.0205, 0.0165, 0.0135, 0.0105, 0.005, 0.0,
    ];
    const TUNING: Tuning = Tuning {
        reduction: 82,
        log_reduction: 87,
        open_reduction: 97,
        cut_above: 44,
        cut_below: 24,
        futility: 39,
        futility_by_depth: 22,
        history_weight: 12,
        history_bonus: 11,
        aspiration: 39,
        // Not used: variants, corrections, and whether the static value has risen.
        ..Tuning::DEFAULT
    };
}
