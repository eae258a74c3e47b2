//! The passes of a fit over its data, which end, are kept and go on.

use rayon::prelude::*;

use super::fit::{FEWEST, Fit, KNOTS, Set, Terms, model_of, phase, sigmoid, weights_of};
use crate::game::Rng;
use crate::search::{Evaluate, Learnable, Learned, Weights};

/// Positions of a batch.
const BATCH: usize = 1024;
/// Positions whose gradients are added up by one thread; a constant, so that the
/// sum is the same with any number of threads.
const CHUNK: usize = 128;
/// Adam's memory of the gradient and of its square.
const MOMENTS: [f32; 2] = [0.9, 0.999];

/// What a pass leaves to the next.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct State {
    /// Passes done.
    pub passes: u32,
    /// Steps done, one a batch.
    pub steps: u32,
    /// Passes since the best one.
    pub stale: u32,
    /// The loss of the best pass on the positions held out.
    pub least: f32,
    /// The weights in logits.
    pub model: Vec<[f32; KNOTS]>,
    /// Those of the best pass.
    pub best: Vec<[f32; KNOTS]>,
    /// Adam's means of the slopes and of their squares.
    pub moments: Vec<[[f32; KNOTS]; 2]>,
}

/// A fit under way.
pub(crate) struct Passes<'a, G: Learnable> {
    pub(super) fit: &'a Fit<G>,
    pub(super) state: State,
    start: Vec<[f32; KNOTS]>,
    scales: Vec<f32>,
    order: Vec<u32>,
    rng: Rng,
}

impl<G: Learnable> std::fmt::Debug for Passes<'_, G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Passes").finish_non_exhaustive()
    }
}

impl<'a, G: Learnable> Passes<'a, G>
where
    Learned<G>: Evaluate<G>,
{
    /// A fit before its first pass.
    #[must_use]
    pub(crate) fn new(fit: &'a Fit<G>) -> Self {
        let start = model_of(&match fit.settings.terms {
            Terms::Fit | Terms::Keep => G::by_hand(),
            Terms::LeaveOut => Weights::zero::<G>(),
        });
        Self {
            fit,
            state: State {
                passes: 0,
                steps: 0,
                stale: 0,
                least: f32::INFINITY,
                model: start.clone(),
                best: start.clone(),
                moments: vec![[[0.0; KNOTS]; 2]; start.len()],
            },
            scales: scales(&fit.train, start.len()),
            start,
            order: (0..fit.train.examples.len() as u32).collect(),
            rng: Rng::new(fit.settings.seed),
        }
    }

    /// Goes on behind the passes of another run of the same fit.
    pub(super) fn go_on(&mut self, state: State) {
        // Each pass shuffles what the last one left.
        for _ in 0..state.passes {
            self.rng.shuffle(&mut self.order);
        }
        self.state = state;
    }

    /// Passes done.
    #[must_use]
    pub(crate) fn done(&self) -> u32 {
        self.state.passes
    }

    /// Passes since the best one.
    #[must_use]
    pub(crate) fn stale(&self) -> u32 {
        self.state.stale
    }

    /// Batches of a pass.
    #[must_use]
    pub(crate) fn batches(&self) -> u64 {
        self.fit.train.examples.len().div_ceil(BATCH) as u64
    }

    /// Whether no pass is left: all are done, or too many since the best one.
    #[must_use]
    pub(crate) fn is_over(&self) -> bool {
        let settings = &self.fit.settings;
        let is_stale = |patience| self.state.stale >= patience;
        self.state.passes >= settings.epochs || settings.patience.is_some_and(is_stale)
    }

    /// Visits all positions once, and returns the mean loss on the labels of the
    /// positions held out that are not proved. `on_batch` hears of each batch.
    pub(crate) fn pass(&mut self, mut on_batch: impl FnMut()) -> f32 {
        self.rng.shuffle(&mut self.order);
        let order = std::mem::take(&mut self.order);
        for batch in order.chunks(BATCH) {
            self.step(batch);
            on_batch();
        }
        self.order = order;
        let loss = self.fit.held_out_loss(&self.state.model);
        let state = &mut self.state;
        state.passes += 1;
        state.stale += 1;
        if loss < state.least {
            (state.stale, state.least) = (0, loss);
            state.best.clone_from(&state.model);
        }
        loss
    }

    /// Moves the weights by the slope of a batch.
    fn step(&mut self, batch: &[u32]) {
        let gradient = self.gradient(batch);
        let settings = &self.fit.settings;
        let steps = self.batches() * u64::from(settings.epochs);
        let rate = settings.rate * 0.1f32.powf(self.state.steps as f32 / steps as f32);
        self.state.steps += 1;
        let step = self.state.steps as i32;
        let corrections = MOMENTS.map(|moment| 1.0 - moment.powi(step));
        for (feature, scale) in self.scales.iter().copied().enumerate() {
            // A feature that the data lack stays as it is.
            if scale == 0.0 || !self.fits(feature) {
                continue;
            }
            for (knot, weight) in self.state.model[feature].iter_mut().enumerate() {
                let pull = *weight - self.start[feature][knot];
                let slope = gradient[feature][knot] / batch.len() as f32 / scale
                    + 2.0 * settings.ridge * pull * scale;
                let [mean, square] = &mut self.state.moments[feature];
                mean[knot] += (1.0 - MOMENTS[0]) * (slope - mean[knot]);
                square[knot] += (1.0 - MOMENTS[1]) * (slope * slope - square[knot]);
                let direction =
                    mean[knot] / corrections[0] / ((square[knot] / corrections[1]).sqrt() + 1e-8);
                *weight -= rate * direction / scale;
            }
        }
    }

    /// Whether the positions held out say that the best pass is better than the start;
    /// `None` where there are too few of them to tell.
    #[must_use]
    pub(crate) fn gains(&self) -> Option<bool> {
        let examples = self.fit.held_out.examples.iter();
        let open = examples.filter(|example| !example.is_proved).count();
        (open >= FEWEST).then(|| self.state.least < self.fit.held_out_loss(&self.start))
    }

    /// The weights of the best pass, and what the scores of searches mean.
    #[must_use]
    pub(crate) fn weights(&self) -> Weights {
        Weights {
            reading: Some(self.fit.reading()),
            ..weights_of(&self.state.best)
        }
    }

    fn fits(&self, feature: usize) -> bool {
        self.fit.settings.terms == Terms::Fit || G::term_name(feature).is_none()
    }

    /// The slope of a batch's loss in each weight, added up.
    fn gradient(&self, batch: &[u32]) -> Vec<[f32; KNOTS]> {
        let model = self.state.model.as_slice();
        let part = |part: &[u32]| {
            let mut slopes = vec![[0f32; KNOTS]; model.len()];
            for &at in part {
                let at = at as usize;
                let example = &self.fit.train.examples[at];
                let weight = match example.is_proved {
                    true => self.fit.settings.proved_weight,
                    false => 1.0,
                };
                let error = weight * (sigmoid(self.fit.train.logit(at, model)) - example.label);
                let (left, share) = phase(example.ply);
                for &(feature, amount) in self.fit.train.features(at) {
                    let slope = error * f32::from(amount);
                    let slopes = &mut slopes[usize::from(feature)];
                    slopes[left] += slope * (1.0 - share);
                    slopes[left + 1] += slope * share;
                }
            }
            slopes
        };
        let parts: Vec<_> = batch.par_chunks(CHUNK).map(part).collect();
        let mut parts = parts.into_iter();
        let mut sum = parts.next().unwrap_or_default();
        for part in parts {
            for (sum, more) in sum.as_flattened_mut().iter_mut().zip(part.as_flattened()) {
                *sum += more;
            }
        }
        sum
    }
}

/// The usual amount of each feature where it is not 0; 0 for one that never is.
fn scales(set: &Set, count: usize) -> Vec<f32> {
    let mut squares = vec![(0f64, 0u32); count];
    for &(feature, amount) in &set.features {
        let (sum, times) = &mut squares[usize::from(feature)];
        *sum += f64::from(amount) * f64::from(amount);
        *times += 1;
    }
    let scale = |(sum, times): (f64, u32)| (sum / f64::from(times.max(1))).sqrt() as f32;
    squares.into_iter().map(scale).collect()
}
