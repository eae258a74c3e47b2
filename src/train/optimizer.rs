//! Fits weights to positions by logistic regression, epoch by epoch, until all are done or too
//! many bring no gain.
//!
//! The model is that of [`Learnable`]: a sum of features times weights that are
//! interpolated between five knots of the game's course, in thousandths of a logit of the
//! expected points. The fit begins at the weights written by hand, or at 0 where they are left
//! out, and its ridge pulls towards the same weights. The optimiser is Adam (Kingma and Ba,
//! 2015) on batches of 1,024, with steps in inverse proportion to each feature's usual amount,
//! so that each step changes the logit alike.
//!
//! Together with the weights, the meaning of scores is fitted. It uses the scores in the
//! data, which were as a rule not made with the new weights but with those of the
//! generation before. The fit depends only on the data and the settings, not on the
//! threads.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use super::dataset::{
    DataSet, ExampleSet, KNOT_COUNT, MIN_POSITIONS, Terms, knot_before, logits_of, sigmoid,
};
use crate::same_settings::same_settings;
use totemic_engine::game::Rng;
use totemic_engine::search::{Learnable, Weights};

const BATCH: usize = 1024;
/// Positions that one thread adds up: constant, so that threads do not change the sum.
const CHUNK: usize = 128;
/// Adam's decay rates for the means of the gradient and of its square.
const BETAS: [f32; 2] = [0.9, 0.999];
/// Keeps Adam from dividing by 0.
const EPSILON: f32 = 1e-8;

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct AdamState {
    pub epochs: u32,
    steps: u32,
    /// Epochs since the best one.
    pub stale: u32,
    /// The loss of the best epoch on the held-out positions.
    least: f32,
    /// The weights in logits, now and after the best epoch.
    #[serde(rename = "model")]
    logits: Vec<[f32; KNOT_COUNT]>,
    best: Vec<[f32; KNOT_COUNT]>,
    /// Adam's means of the gradient and of its square.
    moments: Vec<[[f32; KNOT_COUNT]; 2]>,
}

/// The file from which a fit continues after an epoch.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Checkpoint {
    totemic_checkpoint: u32,
    /// What decides whether two fits are the same, by name.
    #[serde(rename = "fit")]
    identity: Map<String, Json>,
    state: AdamState,
}

/// Version of the checkpoint; raise it if an epoch does something different.
const VERSION: u32 = 2;

pub(crate) struct Optimizer<'a, G: Learnable> {
    data: &'a DataSet<G>,
    pub state: AdamState,
    start: Vec<[f32; KNOT_COUNT]>,
    scales: Vec<f32>,
    order: Vec<u32>,
    rng: Rng,
}

impl<'a, G: Learnable> Optimizer<'a, G> {
    pub(crate) fn new(data: &'a DataSet<G>) -> Self {
        let start = logits_of(&match data.settings.terms {
            Terms::Fit | Terms::Keep => G::by_hand(),
            Terms::LeaveOut => Weights::zero::<G>(),
        });
        Self {
            data,
            state: AdamState {
                epochs: 0,
                steps: 0,
                stale: 0,
                least: f32::INFINITY,
                logits: start.clone(),
                best: start.clone(),
                moments: vec![[[0.0; KNOT_COUNT]; 2]; start.len()],
            },
            scales: scales(&data.train, start.len()),
            start,
            order: (0..data.train.examples.len() as u32).collect(),
            rng: Rng::new(data.settings.seed),
        }
    }

    /// `identity` says, with the settings, which fit this is.
    pub(crate) fn checkpoint(&self, identity: &Map<String, Json>) -> Checkpoint {
        Checkpoint {
            totemic_checkpoint: VERSION,
            identity: self.identity(identity),
            state: self.state.clone(),
        }
    }

    fn identity(&self, of_data: &Map<String, Json>) -> Map<String, Json> {
        // Converted to text and back, because they are compared with what a file
        // contains.
        let settings = serde_json::to_string(&self.data.settings).unwrap_or_default();
        let mut all: Map<_, _> = serde_json::from_str(&settings).unwrap_or_default();
        all.insert("features".to_owned(), G::FEATURES.into());
        all.extend(of_data.clone());
        all
    }

    /// Continues from a checkpoint. Refuses that of another fit and changes nothing then.
    pub(crate) fn resume(
        &mut self,
        checkpoint: Checkpoint,
        identity: &Map<String, Json>,
    ) -> Result<(), String> {
        let fits = [checkpoint.identity, self.identity(identity)].map(Json::Object);
        let words = ["data", "held-out"].map(|games| (games, games));
        let same = same_settings("", &words, fits.each_ref(), "in the checkpoint");
        same.map_err(|what| format!("the checkpoint is of another fit: {what}"))?;
        let state = checkpoint.state;
        let counts = [state.logits.len(), state.best.len(), state.moments.len()];
        if checkpoint.totemic_checkpoint != VERSION
            || counts != [self.start.len(); 3]
            || state.epochs > self.data.settings.epochs
            || state.stale > state.epochs
        {
            return Err("the checkpoint is damaged, or of another version".to_owned());
        }
        // Each epoch shuffles the order that the last one left.
        for _ in 0..state.epochs {
            self.rng.shuffle(&mut self.order);
        }
        self.state = state;
        Ok(())
    }

    pub(crate) fn batches(&self) -> u64 {
        self.data.train.examples.len().div_ceil(BATCH) as u64
    }

    /// Whether no epoch is left: all are done, or there were too many since the best one.
    pub(crate) fn is_over(&self) -> bool {
        let settings = &self.data.settings;
        let is_stale = |patience| self.state.stale >= patience;
        self.state.epochs >= settings.epochs || settings.patience.is_some_and(is_stale)
    }

    /// Visits all positions once. Returns the loss of held-out positions that are not proved.
    pub(crate) fn epoch(&mut self, mut on_batch: impl FnMut()) -> f32 {
        self.rng.shuffle(&mut self.order);
        let order = std::mem::take(&mut self.order);
        for batch in order.chunks(BATCH) {
            self.step(batch);
            on_batch();
        }
        self.order = order;
        let loss = self.data.held_out_loss(&self.state.logits);
        let state = &mut self.state;
        state.epochs += 1;
        state.stale += 1;
        if loss < state.least {
            (state.stale, state.least) = (0, loss);
            state.best.clone_from(&state.logits);
        }
        loss
    }

    fn step(&mut self, batch: &[u32]) {
        let gradient = self.gradient(batch);
        let settings = &self.data.settings;
        let steps = self.batches() * u64::from(settings.epochs);
        let rate = settings.rate * 0.1f32.powf(self.state.steps as f32 / steps as f32);
        self.state.steps += 1;
        let step = self.state.steps as i32;
        let corrections = BETAS.map(|beta| 1.0 - beta.powi(step));
        for (feature, scale) in self.scales.iter().copied().enumerate() {
            // A feature that does not occur in the data stays as it is.
            if scale == 0.0 || !self.is_fitted(feature) {
                continue;
            }
            for (knot, weight) in self.state.logits[feature].iter_mut().enumerate() {
                let distance = *weight - self.start[feature][knot];
                let derivative = gradient[feature][knot] / batch.len() as f32 / scale
                    + 2.0 * settings.ridge * distance * scale;
                let [mean, square] = &mut self.state.moments[feature];
                mean[knot] += (1.0 - BETAS[0]) * (derivative - mean[knot]);
                square[knot] += (1.0 - BETAS[1]) * (derivative * derivative - square[knot]);
                let direction = mean[knot]
                    / corrections[0]
                    / ((square[knot] / corrections[1]).sqrt() + EPSILON);
                *weight -= rate * direction / scale;
            }
        }
    }

    /// Whether the best epoch is better than the start on the held-out positions; `None` if there
    /// are too few to tell.
    pub(crate) fn beats_start(&self) -> Option<bool> {
        let examples = self.data.held_out.examples.iter();
        let open = examples.filter(|example| !example.is_proved).count();
        (open >= MIN_POSITIONS).then(|| self.state.least < self.data.held_out_loss(&self.start))
    }

    pub(crate) fn weights(&self) -> Weights {
        Weights {
            odds: Some(self.data.fit_odds()),
            ..weights_of(&self.state.best)
        }
    }

    fn is_fitted(&self, feature: usize) -> bool {
        self.data.settings.terms == Terms::Fit || G::term_name(feature).is_none()
    }

    fn gradient(&self, batch: &[u32]) -> Vec<[f32; KNOT_COUNT]> {
        let logits = self.state.logits.as_slice();
        let part = |part: &[u32]| {
            let mut gradient = vec![[0f32; KNOT_COUNT]; logits.len()];
            for &at in part {
                let at = at as usize;
                let example = &self.data.train.examples[at];
                let weight = match example.is_proved {
                    true => self.data.settings.proved_weight,
                    false => 1.0,
                };
                let error = weight * (sigmoid(self.data.train.logit(at, logits)) - example.label);
                let (left, share) = knot_before(example.ply);
                for &(feature, amount) in self.data.train.features(at) {
                    let derivative = error * f32::from(amount);
                    let knots = &mut gradient[usize::from(feature)];
                    knots[left] += derivative * (1.0 - share);
                    knots[left + 1] += derivative * share;
                }
            }
            gradient
        };
        let parts: Vec<_> = batch.par_chunks(CHUNK).map(part).collect();
        let mut sum = vec![[0f32; KNOT_COUNT]; logits.len()];
        for part in parts {
            for (sum, more) in sum.as_flattened_mut().iter_mut().zip(part.as_flattened()) {
                *sum += more;
            }
        }
        sum
    }
}

/// Returns the usual amount of each feature where it is not 0: the root of its mean square.
fn scales(set: &ExampleSet, count: usize) -> Vec<f32> {
    let mut squares = vec![(0f64, 0u32); count];
    for &(feature, amount) in &set.features {
        let (sum, times) = &mut squares[usize::from(feature)];
        *sum += f64::from(amount) * f64::from(amount);
        *times += 1;
    }
    let scale = |(sum, times): (f64, u32)| (sum / f64::from(times.max(1))).sqrt() as f32;
    squares.into_iter().map(scale).collect()
}

fn weights_of(logits: &[[f32; KNOT_COUNT]]) -> Weights {
    // The conversion saturates.
    let weight = |logit: f32| (logit * 1000.0).round() as i16;
    Weights {
        knots: logits.iter().map(|knots| knots.map(weight)).collect(),
        odds: None,
    }
}
