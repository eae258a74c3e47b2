//! The static evaluation as alpha-beta uses it: corrected by what the search finds
//! out.

use super::history::HistoryEntry;
use crate::search::eval::with_next;
use crate::search::score::{Bound, Score};
use crate::search::{Evaluate, Heuristics};

/// Binary logarithm of the number of entries.
const BITS: u32 = 16;

/// By how much searches found static values wrong, for positions that share a
/// correction key (correction history, first in the chess engine Caissa, 2023).
pub(super) struct Corrections(Vec<HistoryEntry>);

impl Corrections {
    pub(super) fn new() -> Self {
        Self(HistoryEntry::zeros(1 << BITS))
    }

    fn of<G: Heuristics>(&self, position: &G) -> impl Iterator<Item = &HistoryEntry> {
        let kinds = (position.side().index() as u64..).step_by(2);
        let keys = position.correction_keys().into_iter().zip(kinds);
        keys.map(|(key, kind)| {
            // So that equal keys of different sides or kinds do not share a correction.
            let key = key.wrapping_add(kind << (u64::BITS - BITS / 2));
            let hash = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - BITS);
            &self.0[hash as usize]
        })
    }
}

/// The evaluation with [`Heuristics::TEMPO`] and the corrections added, if there are any.
pub(super) struct CorrectedEval<'a, E> {
    pub(super) eval: &'a E,
    pub(super) corrections: Option<&'a Corrections>,
    /// [`Tuning::correction_unit`](crate::search::Tuning::correction_unit).
    pub(super) unit: i32,
    /// [`Tuning::correction_gain`](crate::search::Tuning::correction_gain).
    pub(super) gain: i32,
}

impl<'a, E> CorrectedEval<'a, E> {
    pub(super) fn value<G: Heuristics>(&self, position: &G) -> i32
    where
        E: Evaluate<G>,
    {
        self.eval.evaluate(position) + self.correction(position)
    }

    fn correction<G: Heuristics>(&self, position: &G) -> i32 {
        let learned = self.corrections.map_or(0, |corrections| {
            let entries = corrections.of(position);
            entries.map(HistoryEntry::get).sum::<i32>() / self.unit
        });
        G::TEMPO + learned
    }

    pub(super) fn child_values<G: Heuristics>(
        &self,
        position: &'a G,
    ) -> impl FnMut(G::Move, Option<&G>) -> i32 + use<'a, G, E>
    where
        E: Evaluate<G>,
    {
        let own = Self { ..*self };
        let mut evaluate = own.eval.child_values(position);
        // Variants have the same correction.
        let mut last = None;
        move |mv, next| {
            let group = G::variant_group(mv);
            match last {
                _ if own.corrections.is_none() => evaluate(mv, next) + G::TEMPO,
                Some((of, correction)) if of == group => evaluate(mv, next) + correction,
                _ => with_next(position, mv, next, |next| {
                    let correction = own.correction(next);
                    last = Some((group, correction));
                    evaluate(mv, Some(next)) + correction
                }),
            }
        }
    }

    /// Learns from what a search `depth` plies deep found out about a position, whose
    /// static value is `static_eval` if it has been computed.
    pub(super) fn learn<G: Heuristics>(
        &self,
        position: &G,
        static_eval: Option<i32>,
        searched: Score,
        bound: Bound,
        depth: i32,
    ) where
        E: Evaluate<G>,
    {
        let Some(corrections) = self.corrections else {
            return;
        };
        let error = searched.centipoints() - static_eval.unwrap_or_else(|| self.value(position));
        let is_sure = match bound {
            Bound::Exact => true,
            Bound::Lower => error > 0,
            Bound::Upper => error < 0,
        };
        if !is_sure {
            return;
        }
        let most = HistoryEntry::MAX / 4;
        let bonus = (error.clamp(-most, most) * depth * self.gain).clamp(-most, most);
        for entry in corrections.of(position) {
            entry.add(bonus);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::game::Yoxii;
    use crate::search::{Learnable, Tuning};

    #[test]
    fn errors_are_learned_for_the_side_to_move() {
        let start = Yoxii::start();
        let corrections = Corrections::new();
        let plain = CorrectedEval {
            eval: Yoxii::classic(),
            corrections: None,
            unit: Tuning::DEFAULT.correction_unit,
            gain: Tuning::DEFAULT.correction_gain,
        };
        let corrected = CorrectedEval {
            corrections: Some(&corrections),
            ..plain
        };
        let value = Yoxii::classic().evaluate(&start);
        assert_eq!(corrected.value(&start), value);
        for _ in 0..20 {
            let better = Score::estimate(value + 100);
            plain.learn(&start, None, better, Bound::Exact, 4);
            corrected.learn(&start, None, better, Bound::Exact, 4);
        }
        assert_eq!(plain.value(&start), value);
        assert!((value + 90..=value + 110).contains(&corrected.value(&start)));
        let worst = Score::estimate(i32::MIN);
        let before = corrected.value(&start);
        corrected.learn(&start, None, worst, Bound::Lower, 100);
        assert_eq!(corrected.value(&start), before);
        corrected.learn(&start, None, worst, Bound::Exact, 100);
        assert!(corrected.value(&start) < value + 90);
        let next = start.play(start.moves()[0]);
        assert_eq!(corrected.value(&next), Yoxii::classic().evaluate(&next));
    }
}
