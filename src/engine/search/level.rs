//! Weaker play on purpose: moves that give something away.
//!
//! A level allows an expected loss for each move, in points (a win is one
//! point, a draw a half). The moves' values come from a shallow search of many
//! moves, and one is drawn with probabilities that fall exponentially with the
//! points that it gives away: `p ~ exp(-loss / t)`, with `t` such that the
//! expected loss is what the level allows. So a level errs as people do, often a
//! bit and seldom grossly. Each game says how much a level allows
//! ([`Heuristics::LEVEL_LOSSES`](super::Heuristics::LEVEL_LOSSES)).
//! The lowest levels are for beginners, who err more than that; but the nearer a
//! win is, the less of it they give away.

use crate::game::Rng;

/// The mean points that a move gives away, for every second level.
type Losses = [f64; 11];
/// The distance of two entries of [`Losses`], in hundredths of a level.
const LOSSES_STEP: u32 = 200;
/// The levels below this one are for beginners.
const BEGINNER_LEVELS: u32 = 4;
/// Beginners may give away more than other levels. Where the game is won, this part of the
/// surplus is taken back.
const WON_SHARE: f64 = 0.9;
/// A move that gives away more than this many times the allowance is never played.
const MAX_LOSS_FACTOR: f64 = 4.0;

/// A level of play, and the seed of one move's dice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level {
    /// In hundredths of a level.
    hundredths: u32,
    seed: u64,
}

/// The full strength.
impl Default for Level {
    fn default() -> Self {
        Self::skill(Self::FULL, 0)
    }
}

/// Elo of the levels 0, 4, 8, ... 20 as measured against each other; level 20 is set
/// to 2175.
const LADDER: [u32; 6] = [939, 1141, 1449, 1678, 1955, 2175];
/// Levels from one entry of [`LADDER`] to the next.
const LADDER_STEP: u32 = 4;

impl Level {
    /// The level of full strength.
    pub const FULL: u32 = 20;
    /// The Elo of the lowest level, and of the full strength.
    pub const ELO: (u32, u32) = (LADDER[0], LADDER[LADDER.len() - 1]);

    /// Level `skill`, from 0 to [`Level::FULL`]; `seed` decides which of the
    /// moves that the level allows is played.
    pub fn skill(skill: u32, seed: u64) -> Self {
        Self {
            hundredths: 100 * skill.min(Self::FULL),
            seed,
        }
    }

    /// The level with this Elo, clamped to [`Level::ELO`], on the scale of the
    /// measured ladder.
    pub fn elo(elo: u32, seed: u64) -> Self {
        let elo = elo.clamp(Self::ELO.0, Self::ELO.1);
        let above = LADDER.partition_point(|&rung| rung < elo).max(1);
        let (low, high) = (LADDER[above - 1], LADDER[above]);
        let share = 100 * LADDER_STEP * (elo - low) / (high - low);
        Self {
            hundredths: 100 * LADDER_STEP * (above as u32 - 1) + share,
            seed,
        }
    }

    pub(crate) fn is_full(self) -> bool {
        self.hundredths >= 100 * Self::FULL
    }

    /// How far down this is from full strength (0) to the lowest level (1).
    fn weakness(self) -> f64 {
        1.0 - f64::from(self.hundredths) / f64::from(100 * Self::FULL)
    }

    /// Points that a move may give away on average, if the best move is worth `best`
    /// points.
    fn allowance(self, best: f64, losses: &Losses) -> f64 {
        if self.is_full() {
            return 0.0;
        }
        let (below, above) = (self.hundredths / LOSSES_STEP, self.hundredths % LOSSES_STEP);
        let [low, high] = [0, 1].map(|more| losses[below as usize + more]);
        let even = low + (high - low) * f64::from(above) / f64::from(LOSSES_STEP);
        let ahead = (2.0 * best - 1.0).max(0.0);
        let beginners = (even - losses[BEGINNER_LEVELS as usize / 2]).max(0.0);
        even - WON_SHARE * ahead.powi(4) * beginners
    }

    /// The number of moves among which it chooses, if there are as many: 4 at full strength,
    /// 256 at the lowest level.
    pub(super) fn multi_pv(self) -> usize {
        (4.0 * 64f64.powf(self.weakness())) as usize
    }

    /// The most plies that are searched.
    pub(super) fn depth(self) -> u32 {
        1 + self.hundredths / LOSSES_STEP
    }

    /// The index of the move to play; `points` are the expected points of the moves,
    /// best first, and `losses` the game's
    /// [`Heuristics::LEVEL_LOSSES`](super::Heuristics::LEVEL_LOSSES).
    pub(super) fn choose(self, points: &[f64], losses: &Losses) -> usize {
        let best = points.first().copied().unwrap_or(0.0);
        let allowance = self.allowance(best, losses);
        let losses: Vec<f64> = points
            .iter()
            .map(|value| (best - value).max(0.0))
            .take_while(|&loss| loss <= MAX_LOSS_FACTOR * allowance)
            .collect();
        // The expected loss grows with the temperature.
        let (mut low, mut high) = (1e-6, 10.0);
        for _ in 0..50 {
            let middle = f64::sqrt(low * high);
            let weights = likelihoods(&losses, middle);
            let total: f64 = weights.iter().sum();
            let loss: f64 = losses.iter().zip(&weights).map(|(loss, p)| loss * p).sum();
            if loss / total > allowance {
                high = middle;
            } else {
                low = middle;
            }
        }
        let weights = likelihoods(&losses, low);
        let mut dice = Rng::new(self.seed);
        let unit = (dice.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
        let mut left = unit * weights.iter().sum::<f64>();
        let drawn = weights.iter().position(|weight| {
            left -= weight;
            left < 0.0
        });
        drawn.unwrap_or(0)
    }
}

/// How likely moves are to be chosen, relative to each other, by what they give
/// away: `exp(-loss / temperature)`.
pub(super) fn likelihoods(losses: &[f64], temperature: f64) -> Vec<f64> {
    let weight = |loss: &f64| (-loss / temperature).exp();
    losses.iter().map(weight).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Hokito, Yoxii};
    use crate::search::Heuristics;

    const GAMES: [Losses; 2] = [
        <Yoxii as Heuristics>::LEVEL_LOSSES,
        <Hokito as Heuristics>::LEVEL_LOSSES,
    ];

    /// Mean loss of many draws, and the greatest.
    fn losses(skill: u32, points: &[f64], game: &Losses) -> (f64, f64) {
        let draws = 4000;
        let lost = (0..draws)
            .map(|seed| points[0] - points[Level::skill(skill, seed).choose(points, game)]);
        let lost: Vec<f64> = lost.collect();
        let most = lost.iter().copied().fold(0.0, f64::max);
        (lost.iter().sum::<f64>() / draws as f64, most)
    }

    #[test]
    fn the_mean_loss_is_what_the_level_allows() {
        let points: Vec<f64> = (0..100).map(|n| 0.9 - 0.008 * f64::from(n)).collect();
        for game in &GAMES {
            for skill in 0..20 {
                let allowance = Level::skill(skill, 0).allowance(points[0], game);
                let (mean, most) = losses(skill, &points, game);
                assert!(mean < 1.15 * allowance, "level {skill}: {mean}");
                assert!(
                    mean > 0.7 * allowance || skill > 15,
                    "level {skill}: {mean}"
                );
                assert!(most <= MAX_LOSS_FACTOR * allowance, "level {skill}: {most}");
            }
            assert_eq!(losses(20, &points, game), (0.0, 0.0));
        }
    }

    #[test]
    fn a_level_gives_less_away_the_higher_it_is_and_a_beginner_the_nearer_the_win() {
        for game in &GAMES {
            let allowance = |skill, best| Level::skill(skill, 0).allowance(best, game);
            for skill in 0..Level::FULL {
                assert!(allowance(skill + 1, 0.5) < allowance(skill, 0.5));
                assert!(allowance(skill + 1, 1.0) < allowance(skill, 1.0));
                let is_beginner = skill < BEGINNER_LEVELS;
                assert_eq!(allowance(skill, 1.0) < allowance(skill, 0.5), is_beginner);
            }
        }
    }

    #[test]
    fn elo_is_the_ladder_read_the_other_way() {
        for (index, &elo) in LADDER.iter().enumerate() {
            assert_eq!(
                Level::elo(elo, 7),
                Level::skill(LADDER_STEP * index as u32, 7)
            );
        }
        assert_eq!(Level::elo(0, 7), Level::skill(0, 7));
        assert!(Level::elo(u32::MAX, 7).is_full());
        let mut last = 0;
        for elo in Level::ELO.0..=Level::ELO.1 {
            let level = Level::elo(elo, 0).hundredths;
            assert!(level >= last, "Elo {elo}");
            last = level;
        }
    }
}
