//! Evaluations with learned weights: sums of features times weights that change over
//! the course of the game.

use std::fmt;
use std::sync::Arc;

use super::odds_model::OddsModel;
use super::phase::{KNOTS, LAST_PLY, interpolate, to_centipoints};
use super::{Evaluate, Odds};
use crate::game::{Cell, Cells, Game};
use crate::search::Score;

/// Nodes per move of the games to which the built-in odds were fitted. Games with fewer
/// nodes are less certain than these odds say, games with more nodes are more certain.
pub const ODDS_NODES: u64 = 20_000;

/// What counts in a game's positions: the features that a static value is a sum of. Terms,
/// which have weights written by hand, come first, then classes.
pub trait Features: Game {
    /// The identity of the features, so that weights for others are refused.
    const FEATURES: &'static str;
    /// The number of features.
    const COUNT: usize;
    /// The name for all classes together.
    const ALL_CLASSES: &'static str;

    /// Calls `visit` for each term, even if it is 0, and for each class that is present,
    /// with its amount for the side to move and the squares that it is about, if any.
    /// Features of one square come before those of several. Slow: for learning and
    /// explaining.
    fn each_feature(&self, visit: impl FnMut(usize, i32, Cells));

    /// The name of a term, a feature that the evaluation written by hand has, too;
    /// `None` for a class.
    fn term_name(feature: usize) -> Option<&'static str>;

    /// A class in words.
    fn class_name(feature: usize) -> String;

    /// A feature in words.
    fn feature_name(feature: usize) -> String {
        Self::term_name(feature).map_or_else(|| Self::class_name(feature), str::to_owned)
    }
}

/// A game whose static value is a sum of [`Features`] times weights, and how a search
/// computes it.
pub trait Learnable: Features {
    /// Scale and draw of [`Odds::logistic`] for scores found with the weights written by
    /// hand, fitted to games with 20,000 nodes per move.
    const CLASSIC_ODDS: (f64, f64);
    /// The weights at one ply in the form in which the evaluation uses them.
    type AtPly: fmt::Debug + Send + Sync + 'static;

    /// The weights written by hand; 0 for features that have none.
    fn by_hand() -> Weights;

    /// The evaluation with the weights written by hand.
    fn classic() -> &'static Learned<Self>;

    /// The weights at a ply.
    fn at_ply(weights: &Weights, ply: usize) -> Self::AtPly;

    /// The ply for the weights: how far the game has come, 0 to 36.
    fn ply(&self) -> usize {
        Self::MAX_PLIES.saturating_sub(self.plies_left()) as usize
    }

    /// The result of [`Evaluate::evaluate`] with the weights of this ply.
    fn value_by(&self, weights: &Self::AtPly) -> i32;

    /// The result of [`Evaluate::child_values`] with the weights of the next ply.
    fn child_values_by<'a>(
        &'a self,
        weights: &'a Self::AtPly,
    ) -> impl FnMut(Self::Move, Option<&Self>) -> i32 + 'a;
}

/// The name of a term, and its weights by hand at each knot, in thousandths of a logit.
pub(super) type Term = (&'static str, [i16; KNOTS.len()]);

/// The weights of a game's features at each knot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weights {
    /// Thousandths of a logit, by feature.
    pub knots: Vec<[i16; KNOTS.len()]>,
    /// What the scores of searches mean; `None` if that was not fitted.
    pub odds: Option<OddsModel>,
}

/// Divisible by any number of squares that share a feature.
const PARTS: i64 = 840;

impl Weights {
    /// Weights that make every position even.
    pub fn zero<G: Features>() -> Self {
        Self::of_terms(&[], G::COUNT)
    }

    /// The given weights for the first features, and 0 for the others.
    pub(super) fn of_terms(terms: &[Term], count: usize) -> Self {
        let mut knots = Vec::from_iter(terms.iter().map(|&(_, knots)| knots));
        knots.resize(count, [0; KNOTS.len()]);
        Self { knots, odds: None }
    }

    pub(super) fn has_classes<G: Features>(&self) -> bool {
        let features = self.knots.iter().enumerate();
        let mut classes = features.filter(|&(feature, _)| G::term_name(feature).is_none());
        classes.any(|(_, knots)| knots.iter().any(|&weight| weight != 0))
    }

    pub(super) fn at(&self, feature: usize, ply: usize) -> i32 {
        interpolate(&KNOTS, &self.knots[feature], ply)
    }
}

/// An evaluation with weights that were learned, or loaded.
#[derive(Clone, Debug)]
pub struct Learned<G: Learnable>(Arc<Loaded<G>>);

#[derive(Debug)]
struct Loaded<G: Learnable> {
    by_ply: Vec<G::AtPly>,
    weights: Weights,
    name: String,
}

impl<G: Learnable> Learned<G> {
    /// Makes the evaluation with these weights, and gives them a name.
    ///
    /// # Panics
    /// If there are not as many as the game has features.
    pub fn new(weights: Weights, name: String) -> Self {
        const { assert!(G::MAX_PLIES as usize <= LAST_PLY, "the knots end too early") };
        assert_eq!(weights.knots.len(), G::COUNT, "weights of {}", G::NAME);
        Self(Arc::new(Loaded {
            by_ply: (0..=LAST_PLY).map(|ply| G::at_ply(&weights, ply)).collect(),
            weights,
            name,
        }))
    }

    /// The evaluation with the weights written by hand.
    pub fn classic() -> Self {
        G::classic().clone()
    }

    pub(super) fn by_hand() -> Self {
        Self::new(G::by_hand(), "classic".to_owned())
    }

    pub(crate) fn zero() -> Self {
        Self::new(Weights::zero::<G>(), "zero".to_owned())
    }

    /// The name of the weights: their checksum, `classic` or `zero`.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// The weights.
    pub fn weights(&self) -> &Weights {
        &self.0.weights
    }
}

impl<G: Learnable> Evaluate<G> for Learned<G> {
    fn evaluate(&self, position: &G) -> i32 {
        position.value_by(&self.0.by_ply[position.ply()])
    }

    fn child_values<'a>(&'a self, position: &'a G) -> impl FnMut(G::Move, Option<&G>) -> i32 + 'a {
        let next = (position.ply() + 1).min(LAST_PLY);
        position.child_values_by(&self.0.by_ply[next])
    }

    fn odds(&self, position: &G, score: Score) -> Odds {
        let (scale, draw) = G::CLASSIC_ODDS;
        match self.0.weights.odds {
            Some(odds) => odds.odds(score, position.ply()),
            None => Odds::logistic(score, scale, draw),
        }
    }

    fn explain(&self, position: &G) -> Vec<(&'static str, i32)> {
        let (mut parts, mut rest) = (Vec::new(), 0);
        position.each_feature(|feature, amount, _| {
            let share = amount * self.0.weights.at(feature, position.ply());
            match G::term_name(feature) {
                Some(name) => parts.push((name, to_centipoints(share))),
                None => rest += share,
            }
        });
        if self.0.weights.has_classes::<G>() {
            parts.push((G::ALL_CLASSES, to_centipoints(rest)));
        }
        parts
    }

    fn squares(&self, position: &G) -> Vec<(Cell, i32, String)> {
        let mut squares: Vec<(Cell, i64, String)> = Vec::new();
        position.each_feature(|feature, amount, cells| {
            let weight = amount * self.0.weights.at(feature, position.ply());
            for cell in cells {
                // Squares that share a feature get equal parts.
                let share = i64::from(weight) * PARTS / cells.len() as i64;
                match squares.iter_mut().find(|square| square.0 == cell) {
                    Some((_, sum, names)) => {
                        *sum += share;
                        if cells.len() == 1 {
                            *names += "; ";
                            *names += &G::class_name(feature);
                        }
                    }
                    None => squares.push((cell, share, G::class_name(feature))),
                }
            }
        });
        rounded(squares)
    }
}

/// Rounds the shares of squares, in parts of a thousandth of a logit, to centipoints: down,
/// but those that lose most by it up, so that they add up to the rounded total. The
/// greatest come first, those of 0 not at all.
fn rounded(mut squares: Vec<(Cell, i64, String)>) -> Vec<(Cell, i32, String)> {
    let unit = 10 * PARTS;
    let total: i64 = squares.iter().map(|square| square.1).sum();
    let down: i64 = squares.iter().map(|square| square.1.div_euclid(unit)).sum();
    squares.sort_by_key(|square| std::cmp::Reverse(square.1.rem_euclid(unit)));
    let up = i64::from(to_centipoints((total / PARTS) as i32)) - down;
    let scale = |(at, (cell, share, name)): (i64, (Cell, i64, String))| {
        let share = share.div_euclid(unit) + i64::from(at < up);
        (cell, share as i32, name)
    };
    let mut squares: Vec<_> = (0..).zip(squares).map(scale).collect();
    squares.retain(|&(_, share, _)| share != 0);
    squares.sort_by_key(|(_, share, _)| -share.abs());
    squares
}
