//! The positions that a fit learns from, and those by which it is judged.
//!
//! A position's label is its proved value, if it has one, otherwise a mixture of the game's
//! result and of what the search expected. Every tenth game is held out, or else the games of
//! a separate file. Whole games are held out, since the positions of a game share its result.
//! A position counts once: of positions that are equal up to the board's eight symmetries the
//! first is taken, so that none is both learned and held out. The features are the same in all
//! eight.

use rustc_hash::FxHashSet;
use serde::Serialize;

use super::calibration::Calibration;
use super::datagen::Replay;
use super::odds::{self, Sample, Scored};
use totemic_engine::search::{Evaluate, KNOTS, Learnable, Learned, OddsModel, Score, Weights};
use totemic_games::record::{GameRecord, MoveRecord};

pub(super) const KNOT_COUNT: usize = KNOTS.len();
const PLIES_PER_SPAN: f32 = KNOTS[1] as f32;
/// One game in this many is held out, if none are given to be held out.
pub(crate) const HELD_OUT_EVERY: usize = 10;
/// The fewest positions for which a loss means anything.
pub(crate) const MIN_POSITIONS: usize = 100;

/// What a fit does with the first features, which are the terms written by hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub(crate) enum Terms {
    /// Their weights are fitted with the others, starting from those written by hand.
    Fit,
    Keep,
    LeaveOut,
}

/// How to fit; all fields but `terms` are named like the options of `totemic fit`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Hyperparameters {
    /// How many times all positions are visited.
    pub epochs: u32,
    /// After so many epochs in a row that improve nothing, the fit ends.
    pub patience: Option<u32>,
    /// The most positions, learned and held out together.
    pub max_positions: Option<usize>,
    /// Share of the game's result in the label of a position that is not proved, from 0 to 1.
    pub result_share: f32,
    /// Length of the first steps, in logits at a feature's usual amount; it falls to a tenth.
    pub rate: f32,
    /// Nats added to the loss per position for each squared logit of distance from the start.
    pub ridge: f32,
    /// Weight of a proved position. Above 1, because its label is certain and because searches
    /// evaluate mostly late positions, as the proved ones are.
    pub proved_weight: f32,
    pub terms: Terms,
    /// Seed of the order of positions, and of the sample.
    pub seed: u64,
}

pub(super) struct Example {
    /// Where its features begin in the list of all features.
    pub(super) first_feature: u32,
    pub(super) ply: u8,
    pub(super) is_proved: bool,
    pub(super) label: f32,
    /// Points of the side to move: those that are proved, or else those of the game.
    pub(super) points: f32,
    /// Its value by the weights written by hand, in logits; a hundredth is a centipoint.
    pub(super) by_hand: f32,
    /// The score of the search, in logits, too.
    pub(super) score: f32,
}

#[derive(Default)]
pub(super) struct ExampleSet {
    pub(super) examples: Vec<Example>,
    pub(super) features: Vec<(u16, i16)>,
}

impl ExampleSet {
    pub(super) fn features(&self, at: usize) -> &[(u16, i16)] {
        let first = self.examples[at].first_feature as usize;
        let next = (self.examples.get(at + 1)).map(|next| next.first_feature as usize);
        &self.features[first..next.unwrap_or(self.features.len())]
    }

    pub(super) fn logit(&self, at: usize, logits: &[[f32; KNOT_COUNT]]) -> f32 {
        let (left, share) = knot_before(self.examples[at].ply);
        let features = self.features(at).iter();
        let weigh = |&(feature, amount): &(u16, i16)| {
            let knots = &logits[usize::from(feature)];
            f32::from(amount) * (knots[left] + (knots[left + 1] - knots[left]) * share)
        };
        features.map(weigh).sum()
    }
}

/// Returns the knot before a ply, and how far the ply is on the way to the next knot.
pub(super) fn knot_before(ply: u8) -> (usize, f32) {
    let place = f32::from(ply) / PLIES_PER_SPAN;
    let left = (place as usize).min(KNOT_COUNT - 2);
    (left, place - left as f32)
}

pub(super) fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

/// Returns the log loss of a logit, in nats, if this many points were made.
fn log_loss(logit: f32, points: f32) -> f32 {
    // ln(1 + e^x) without overflow.
    logit.max(0.0) + (-logit.abs()).exp().ln_1p() - points * logit
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Loss {
    /// The first and last ply of the positions.
    pub plies: [u8; 2],
    pub positions: usize,
    /// The loss of the values written by hand; `None` if there are too few positions.
    pub by_hand: Option<f32>,
    /// The loss of the fitted values; `None` likewise.
    pub fitted: Option<f32>,
}

/// The positions of all games, and how to fit the weights to them.
pub(crate) struct DataSet<G: Learnable> {
    pub(super) settings: Hyperparameters,
    pub(super) train: ExampleSet,
    pub(super) held_out: ExampleSet,
    is_full: bool,
    keys: FxHashSet<u64>,
    classic: Learned<G>,
}

impl<G: Learnable> DataSet<G> {
    pub(crate) fn new(settings: Hyperparameters) -> Self {
        const { assert!(G::COUNT <= 1 << u16::BITS, "features are kept as u16") };
        Self {
            settings,
            train: ExampleSet::default(),
            held_out: ExampleSet::default(),
            is_full: false,
            keys: FxHashSet::default(),
            classic: Learned::classic(),
        }
    }

    pub(crate) fn positions(&self) -> [usize; 2] {
        [&self.train, &self.held_out].map(|set| set.examples.len())
    }

    /// Adds a game, to learn from it or to hold it out. Returns `false`, then and from then on,
    /// if there would be too many positions.
    pub(crate) fn add(&mut self, game: &GameRecord, is_held_out: bool) -> bool {
        let more = game.moves.len() + game.opening.moves.len();
        let positions = self.positions().iter().sum::<usize>() + more;
        let most = self.settings.max_positions.unwrap_or(usize::MAX);
        let set = match is_held_out {
            true => &mut self.held_out,
            false => &mut self.train,
        };
        // The place of a position's features is kept in 32 bits.
        let are_countable = set.features.len() + G::COUNT * more <= u32::MAX as usize;
        self.is_full |= positions > most || !are_countable;
        if self.is_full {
            return false;
        }
        let share = self.settings.result_share;
        Replay::<G>::of(game).each_new(&mut self.keys, |position, made, sign| {
            let points = (made.proved.map_or(sign, i32::from) + 1) as f32 / 2.0;
            let score = score(made);
            let searched = self.classic.odds(position, score).expected_points() as f32;
            let label = match made.proved {
                Some(_) => points,
                None => share * points + (1.0 - share) * searched,
            };
            set.examples.push(Example {
                first_feature: set.features.len() as u32,
                ply: position.ply() as u8,
                is_proved: made.proved.is_some(),
                label,
                points,
                by_hand: self.classic.evaluate(position) as f32 / 100.0,
                score: score.centipoints() as f32 / 100.0,
            });
            position.each_feature(|feature, amount, _| {
                if amount != 0 {
                    set.features.push((feature as u16, amount as i16));
                }
            });
        });
        true
    }

    /// Fits the odds to the positions to learn from that are not proved.
    pub(crate) fn fit_odds(&self) -> OddsModel {
        let open = self.train.examples.iter().filter(|it| !it.is_proved);
        let scored = |example: &Example| Scored {
            score: example.score.into(),
            // The points of positions that are not proved are those of the game.
            sign: (2.0 * example.points) as i32 - 1,
            ply: example.ply,
        };
        odds::fit(&open.map(scored).collect::<Vec<_>>())
    }

    /// Returns how well odds predict the held-out positions that are not proved.
    pub(crate) fn calibration(&self, odds: &OddsModel) -> Calibration {
        let mut calibration = Calibration::default();
        let examples = self.held_out.examples.iter();
        for example in examples.filter(|example| !example.is_proved) {
            let score = Score::estimate((example.score * 100.0).round() as i32);
            let ply = usize::from(example.ply);
            calibration.add(ply, odds.odds(score, ply), example.points.into());
        }
        calibration
    }

    /// Returns the mean loss of the held-out positions that are not proved.
    pub(super) fn held_out_loss(&self, logits: &[[f32; KNOT_COUNT]]) -> f32 {
        let set = &self.held_out;
        let examples = set.examples.iter().enumerate();
        let chosen = examples.filter(|(_, example)| !example.is_proved);
        let losses = chosen.map(|(at, example)| log_loss(set.logit(at, logits), example.label));
        let (sum, count) = losses.fold((0.0, 0), |(sum, count), loss| {
            (sum + f64::from(loss), count + 1)
        });
        (sum / f64::from(count.max(1))) as f32
    }

    /// Returns the losses of held-out positions that are not proved, between knots and in all.
    /// Each value has the best slope and bias for its part, so that the scale counts for neither.
    pub(crate) fn losses(&self, weights: &Weights) -> Vec<Loss> {
        let logits = logits_of(weights);
        let set = &self.held_out;
        let loss_of = |plies: [u8; 2]| {
            let chosen = |&at: &usize| {
                let example = &set.examples[at];
                !example.is_proved && (plies[0]..=plies[1]).contains(&example.ply)
            };
            let chosen: Vec<usize> = (0..set.examples.len()).filter(chosen).collect();
            let points = |at: usize| set.examples[at].points;
            let calibrated = |logit: &dyn Fn(usize) -> f32| {
                let pairs: Vec<_> = chosen.iter().map(|&at| (logit(at), points(at))).collect();
                calibrated_loss(&pairs)
            };
            Loss {
                plies,
                positions: chosen.len(),
                by_hand: calibrated(&|at| set.examples[at].by_hand),
                fitted: calibrated(&|at| set.logit(at, &logits)),
            }
        };
        Vec::from([[0, 8], [9, 17], [18, 26], [27, 36], [0, 36]].map(loss_of))
    }
}

/// Returns the mean loss with the best slope and bias; `None` if there are too few pairs.
fn calibrated_loss(pairs: &[(f32, f32)]) -> Option<f32> {
    if pairs.len() < MIN_POSITIONS {
        return None;
    }
    let sample = |&(logit, points): &(f32, f32)| Sample {
        parts: [logit.into(), 1.0],
        offset: 0.0,
        points: points.into(),
    };
    let samples: Vec<_> = pairs.iter().map(sample).collect();
    let [slope, bias] = odds::regress(&samples, [1.0, 0.0], [1.0, 0.0], 0.0);
    let loss = |&(logit, points): &(f32, f32)| {
        f64::from(log_loss((slope * f64::from(logit) + bias) as f32, points))
    };
    Some((pairs.iter().map(loss).sum::<f64>() / pairs.len() as f64) as f32)
}

/// Returns the score of the search that chose a move: 0 if it ended before it had one.
pub(crate) fn score(made: &MoveRecord) -> Score {
    match made.info.score {
        Some(score) => Score::estimate(score.centipoints()),
        None => Score::estimate(0),
    }
}

pub(super) fn logits_of(weights: &Weights) -> Vec<[f32; KNOT_COUNT]> {
    let knots = weights.knots.iter();
    let in_logits = |knots: &[i16; KNOT_COUNT]| knots.map(|weight| f32::from(weight) / 1000.0);
    knots.map(in_logits).collect()
}
