//! What search, time management and levels assume of each game.

use super::Tuning;
use crate::game::{Game, Hokito, Move, Yoxii, YoxiiMove};

/// What a selective search may assume of a game's moves and static values, which decides what
/// it tries first and deepest; and how long a move may take, and how weak a level is. By
/// default all moves and positions are alike.
pub trait Heuristics: Game {
    /// Whether a side whose static value has risen since its last move is mostly
    /// better off than the value says, and a side whose value has fallen worse off: a
    /// search then prunes less for the first and reduces more for the second.
    const USES_IMPROVING: bool = false;

    /// Centipoints that alpha-beta adds to every value for the right to move, so that
    /// scores of even and odd depths agree. MCTS, which mixes values of both, does
    /// not.
    const TEMPO: i32 = 0;

    /// The parameters of alpha-beta that suit the game.
    const TUNING: Tuning = Tuning::DEFAULT;

    /// The part of the time planned for a move after which alpha-beta begins no iteration. The
    /// last iteration goes on past that, by about half of the time planned.
    const PLAN_USED: f64 = 1.0;

    /// Expected points (0 to 1) that a move of the levels 0, 2, 4, ... 20 gives away on
    /// average in an even position.
    const LEVEL_LOSSES: [f64; 11] = [
        0.16, 0.137, 0.114, 0.094, 0.074, 0.057, 0.04, 0.026, 0.014, 0.005, 0.0,
    ];

    /// The group of variants that a move belongs to, as a number: the part of the move
    /// that matters most. A selective search tries the likeliest *variants* of a group,
    /// and the others late, or only if all else loses. Variants are neighbours in
    /// [`Game::moves`], lead to positions with the same [`Heuristics::correction_keys`],
    /// and either all of them end the game or none. By default each move is a group
    /// of its own.
    fn variant_group(mv: Self::Move) -> u16 {
        mv.bits()
    }

    /// Keys that the position shares with others that are likely to be misjudged by
    /// as much: a search that finds one value wrong corrects the others too. Every
    /// position has the same number of keys, by default none.
    fn correction_keys(&self) -> impl IntoIterator<Item = u64> {
        []
    }
}

pub(super) fn by_variant_group<G: Heuristics>(
    moves: &[G::Move],
) -> impl Iterator<Item = &[G::Move]> {
    moves.chunk_by(|&a, &b| G::variant_group(a) == G::variant_group(b))
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
        plies_per_variant: 8,
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

#[cfg(test)]
mod tests {
    use rustc_hash::FxHashSet;

    use super::*;
    use crate::game::{Yoxii, random_positions};

    #[test]
    fn variants_stand_together_and_have_much_in_common() {
        let mut variants = 0;
        let plies = (0..Yoxii::MAX_PLIES).cycle().take(400);
        for position in random_positions::<Yoxii>(24, plies) {
            let moves = position.moves();
            let mut groups = FxHashSet::default();
            for group in by_variant_group::<Yoxii>(&moves) {
                let is_new = groups.insert(Yoxii::variant_group(group[0]));
                assert!(is_new, "{position} {}", group[0]);
                let common = |mv| {
                    let next = position.play(mv);
                    let correction_keys: Vec<_> = next.correction_keys().into_iter().collect();
                    (correction_keys, next.has_moves())
                };
                for &mv in &group[1..] {
                    assert_eq!(common(mv), common(group[0]), "{position} {mv}");
                    variants += 1;
                }
            }
        }
        assert!(variants > 10_000);
    }
}
