//! The parameters of the search, which did best in matches, and the scale between points
//! and wins.

use crate::search::score::Score;

/// Centipoints that stand for a mean result of tanh 1, about 88 wins in a hundred games.
/// By the definition of a centipoint it would be 200.
const SCALE: f32 = 275.0;
/// Weight of the prior against the results (Rosin 2011; c of PUCT).
pub(super) const EXPLORATION: f32 = 0.9;
/// Temperature of the priors, in standard deviations of the static values of a
/// position's moves: the smaller, the more the first moves get.
pub(super) const TEMPERATURE: f32 = 1.1;
/// The most that the tried priors take from the value assumed for an untried move, in
/// results of -1 to 1 (first-play urgency).
pub(super) const URGENCY: f32 = 0.17;
/// How much of an untried move's static distance from the first move counts against it.
pub(super) const URGENCY_STATIC: f32 = 0.5;
/// Weight of a leaf's best static reply in the leaf's value, against its own static
/// value. About one half evens out the advantage of having moved last.
pub(super) const REPLY: f32 = 0.8;
/// The most moves that a node holds at first; once these were tried, it holds all.
pub(super) const WIDTH: usize = 24;

/// Largest static value, in centipoints, with a place of its own in the table of [`ResultScale`].
const MAX_VALUE: i32 = 4096;

/// From centipoints to results between a loss and a win, and back:
/// `tanh(centipoints / SCALE)`.
#[derive(Debug)]
pub(super) struct ResultScale(Vec<i16>);

impl ResultScale {
    pub(super) const ONE: i16 = 32_000;
    /// Limit of estimates: none is as good as a win.
    const LIMIT: f32 = 31_000.0;

    pub(super) fn new() -> Self {
        let results = -MAX_VALUE..=MAX_VALUE;
        let results = results.map(|value| ((value as f32 / SCALE).tanh() * Self::LIMIT) as i16);
        Self(results.collect())
    }

    /// A result as a number from -1 to 1.
    pub(super) fn fraction(result: i16) -> f32 {
        f32::from(result) / f32::from(Self::ONE)
    }

    pub(super) fn result(&self, centipoints: i32) -> i16 {
        let index = centipoints.clamp(-MAX_VALUE, MAX_VALUE) + MAX_VALUE;
        self.0.get(index as usize).copied().unwrap_or_default()
    }

    pub(super) fn centipoints(result: i16) -> i32 {
        let share =
            (Self::fraction(result) * f32::from(Self::ONE) / Self::LIMIT).clamp(-0.999, 0.999);
        (share.atanh() * SCALE).round() as i32
    }

    pub(super) fn of_proof(score: Score) -> i16 {
        if score.is_win() {
            Self::ONE
        } else if score.is_loss() {
            -Self::ONE
        } else {
            0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_turn_back_into_points() {
        let result_scale = ResultScale::new();
        for centipoints in (-650..=650).step_by(50) {
            let result = result_scale.result(centipoints);
            assert!((ResultScale::centipoints(result) - centipoints).abs() <= 2);
        }
        assert!(result_scale.result(i32::MAX) < ResultScale::ONE);
        assert!(result_scale.result(i32::MIN) > -ResultScale::ONE);
    }
}
