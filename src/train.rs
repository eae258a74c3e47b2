//! Learning an evaluation from the engine's own games.
//!
//! `datagen` plays games ([`selfplay`]) and keeps them in journals ([`datagen`]), with the
//! score that the search gave each position and, near the end, the result according to
//! the exact solver. `fit` finds the weights with which the static value predicts the
//! results best ([`dataset`], [`optimizer`]), and what the scores of searches mean
//! ([`odds`]).
//!
//! `src/train/README.md` has the commands: how the weights in the program were made, and how to
//! make others.

pub(crate) mod calibration;
pub(crate) mod datagen;
pub(crate) mod dataset;
mod odds;
pub(crate) mod optimizer;
pub(crate) mod selfplay;
