//! How well the scores of searches predict the points made, in each phase of the game.

use totemic_engine::search::Odds;

/// A chance that was rounded to 0 counts as half of the smallest one that is written, so
/// that a single surprise does not make the mean loss infinite.
const MIN_CHANCE: f64 = 0.000_25;

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Calibration {
    /// The whole game, and then its parts, which end at knots of the weights: the end of
    /// the game changes most what a score is worth.
    pub phases: [Phase; 4],
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Phase {
    pub name: &'static str,
    /// Its first and last ply.
    pub plies: [u8; 2],
    /// The positions by the points that their scores promise, in tenths of a point.
    pub tenths: [Tenth; 10],
    loss_sum: f64,
}

/// Positions whose scores promise about the same.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub(crate) struct Tenth {
    pub positions: usize,
    expected_sum: f64,
    made_sum: f64,
}

impl Default for Calibration {
    fn default() -> Self {
        let phases = [
            ("all", [0, u8::MAX]),
            ("early", [0, 8]),
            ("middle", [9, 17]),
            ("late", [18, u8::MAX]),
        ];
        Self {
            phases: phases.map(|(name, plies)| Phase {
                name,
                plies,
                tenths: [Tenth::default(); 10],
                loss_sum: 0.0,
            }),
        }
    }
}

impl Calibration {
    /// Adds a position at a ply: what the odds of its score promise the side to move, and
    /// the points that this side made.
    pub(crate) fn add(&mut self, ply: usize, odds: Odds, made: f64) {
        let expected = odds.expected_points();
        let chance = expected.clamp(MIN_CHANCE, 1.0 - MIN_CHANCE);
        for phase in &mut self.phases {
            let [first, last] = phase.plies.map(usize::from);
            if (first..=last).contains(&ply) {
                phase.loss_sum -= made * chance.ln() + (1.0 - made) * (1.0 - chance).ln();
                let tenth = &mut phase.tenths[((expected * 10.0) as usize).min(9)];
                tenth.positions += 1;
                tenth.expected_sum += expected;
                tenth.made_sum += made;
            }
        }
    }
}

impl Phase {
    pub(crate) fn positions(&self) -> usize {
        self.tenths.iter().map(|tenth| tenth.positions).sum()
    }

    /// Returns the mean log loss; 0 without positions.
    pub(crate) fn mean_loss(&self) -> f64 {
        self.loss_sum / self.positions().max(1) as f64
    }
}

impl Tenth {
    /// Returns the mean points that were expected and made; `None` without positions.
    pub(crate) fn means(&self) -> Option<[f64; 2]> {
        let count = self.positions as f64;
        (self.positions > 0).then(|| [self.expected_sum, self.made_sum].map(|sum| sum / count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_counted_in_their_part_and_tenth() {
        let mut calibration = Calibration::default();
        for (ply, win, made) in [
            (0, 250, 0.0),
            (8, 250, 1.0),
            (9, 1000, 0.5),
            (40, 0, 1.0),
            (18, 1000, 1.0),
        ] {
            let (draw, loss) = (0, 1000 - win);
            calibration.add(ply, Odds { win, draw, loss }, made);
        }
        let phases = &calibration.phases;
        let counts: Vec<usize> = phases.iter().map(Phase::positions).collect();
        assert_eq!(counts, [5, 2, 1, 2]);
        assert_eq!(phases[1].tenths[2].means(), Some([0.25, 0.5]));
        assert_eq!(phases[1].tenths[3].means(), None);
        assert_eq!(phases[3].tenths[9].positions, 1);
        assert!(phases.iter().all(|phase| phase.mean_loss().is_finite()));
        assert!((phases[1].mean_loss() + (0.75f64.ln() + 0.25f64.ln()) / 2.0).abs() < 1e-9);
    }
}
