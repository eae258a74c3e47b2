//! How well the scores of searches foretell the points made, by the course of the game.

use crate::search::Odds;

/// Parts of the game by name, with their first and last ply: between the knots of the
/// weights, where the end changes most what a score is worth.
const PHASES: [(&str, [u8; 2]); 3] = [
    ("early", [0, 8]),
    ("middle", [9, 17]),
    ("late", [18, u8::MAX]),
];

/// A chance that was rounded to none is half of the least that is written, so that one
/// surprise does not make the mean loss infinite.
const LEAST: f64 = 0.000_25;

/// Scores compared with what was made, in all and by the parts of the game.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Calibration {
    /// Of all positions.
    pub all: Table,
    /// Of those in each part of the game, the first part first.
    pub phases: [Table; PHASES.len()],
}

impl Default for Calibration {
    fn default() -> Self {
        Self {
            all: Table::new("all", [0, u8::MAX]),
            phases: PHASES.map(|(name, plies)| Table::new(name, plies)),
        }
    }
}

impl Calibration {
    /// Adds a position in which so many plies were played, by what the odds of its
    /// score promise the side to move and the points that this side made.
    pub(crate) fn add(&mut self, ply: usize, odds: Odds, made: f64) {
        let here = |table: &&mut Table| {
            let [first, last] = table.plies.map(usize::from);
            (first..=last).contains(&ply)
        };
        let phase = self.phases.iter_mut().find(here);
        for table in phase.into_iter().chain([&mut self.all]) {
            table.add(odds.points(), made);
        }
    }

    /// The table of all positions and then those of the parts.
    pub(crate) fn tables(&self) -> impl Iterator<Item = &Table> {
        [&self.all].into_iter().chain(&self.phases)
    }
}

/// Scores by the points that they promise.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Table {
    /// The part of the game.
    pub name: &'static str,
    /// Its first and last ply.
    pub plies: [u8; 2],
    /// Scores by the points that they promise, in tenths of a point.
    pub tenths: [Tenth; 10],
    loss: f64,
}

impl Table {
    fn new(name: &'static str, plies: [u8; 2]) -> Self {
        Self {
            name,
            plies,
            tenths: [Tenth::default(); 10],
            loss: 0.0,
        }
    }

    fn add(&mut self, expected: f64, made: f64) {
        let tenth = &mut self.tenths[((expected * 10.0) as usize).min(9)];
        tenth.positions += 1;
        tenth.expected += expected;
        tenth.made += made;
        let chance = expected.clamp(LEAST, 1.0 - LEAST);
        self.loss -= made * chance.ln() + (1.0 - made) * (1.0 - chance).ln();
    }

    /// The number of positions.
    #[must_use]
    pub(crate) fn positions(&self) -> usize {
        self.tenths.iter().map(|tenth| tenth.positions).sum()
    }

    /// The mean log loss; 0 without positions.
    #[must_use]
    pub(crate) fn loss(&self) -> f64 {
        self.loss / self.positions().max(1) as f64
    }

    /// The plies of the part in words of a table: `0-8`, `18-`.
    #[must_use]
    pub(crate) fn span(&self) -> String {
        match self.plies {
            [0, u8::MAX] => "any".to_owned(),
            [first, u8::MAX] => format!("{first}-"),
            [first, last] => format!("{first}-{last}"),
        }
    }
}

/// The scores that promise about as much.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub(crate) struct Tenth {
    /// Their number.
    pub positions: usize,
    expected: f64,
    made: f64,
}

impl Tenth {
    /// The points expected and those made, on the mean; `None` where there are no
    /// positions.
    #[must_use]
    pub(crate) fn means(&self) -> Option<[f64; 2]> {
        let count = self.positions as f64;
        (self.positions > 0).then(|| [self.expected, self.made].map(|sum| sum / count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_counted_in_their_part_and_tenth() {
        let mut calibration = Calibration::default();
        let odds = |win| Odds {
            win,
            draw: 0,
            loss: 1000 - win,
        };
        for (ply, win, made) in [
            (0, 250, 0.0),
            (8, 250, 1.0),
            (9, 1000, 0.5),
            (40, 0, 1.0),
            (18, 1000, 1.0),
        ] {
            calibration.add(ply, odds(win), made);
        }
        let counts: Vec<usize> = calibration.tables().map(Table::positions).collect();
        assert_eq!(counts, [5, 2, 1, 2]);
        let early = &calibration.phases[0];
        assert_eq!(early.tenths[2].means(), Some([0.25, 0.5]));
        assert_eq!(early.tenths[3].means(), None);
        assert_eq!(calibration.phases[2].tenths[9].positions, 1);
        assert!(calibration.tables().all(|table| table.loss().is_finite()));
        assert!((early.loss() + (0.75f64.ln() + 0.25f64.ln()) / 2.0).abs() < 1e-9);
        let spans: Vec<String> = calibration.tables().map(Table::span).collect();
        assert_eq!(spans, ["any", "0-8", "9-17", "18-"]);
    }
}
