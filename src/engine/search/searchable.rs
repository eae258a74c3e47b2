//! What a search needs from a game besides its rules.

use super::solver::Solvable;
use super::{Evaluate, Tuning, WeightsError};
use crate::game::{Game, Move};

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

/// What a selective search may assume of a game's moves and static values. It
/// decides what the search tries first and deepest; by default all moves and
/// positions are alike.
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

    /// Part of a move's planned time on the clock after which alpha-beta begins no
    /// iteration. The last one goes on past the plan, by some half of it.
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
            for alike in by_variant_group::<Yoxii>(&moves) {
                let is_new = groups.insert(Yoxii::variant_group(alike[0]));
                assert!(is_new, "{position} {}", alike[0]);
                let common = |mv| {
                    let next = position.play(mv);
                    let correction_keys: Vec<_> = next.correction_keys().into_iter().collect();
                    (correction_keys, next.has_moves())
                };
                for &mv in &alike[1..] {
                    assert_eq!(common(mv), common(alike[0]), "{position} {mv}");
                    variants += 1;
                }
            }
        }
        assert!(variants > 10_000);
    }
}
