//! Static evaluation: what a position is worth without looking ahead.

mod hokito;
mod learned;
mod odds_model;
mod phase;
mod weights_file;
mod yoxii;

pub use learned::{Features, Learnable, Learned, ODDS_NODES, Weights};
pub use odds_model::{ODDS_KNOTS, OddsModel, bend_score, parity_sign};
pub use phase::KNOTS;
pub use weights_file::{WeightsError, WeightsFile};

use super::Score;
use crate::game::{Cell, Game};

/// How likely a game between equally strong engines is to end in each way, for the
/// side to move, per mille; the three add up to 1000.
///
/// The odds of the built-in weights hold for engines that search [`ODDS_NODES`] nodes per
/// move. Weaker players convert less: at 2,000 nodes per move, 85 % becomes about 75 %.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Odds {
    /// The side to move wins.
    pub win: u32,
    /// Nobody wins.
    pub draw: u32,
    /// The side to move loses.
    pub loss: u32,
}

impl Odds {
    /// A certain draw.
    pub const DRAW: Self = Self {
        win: 0,
        draw: 1000,
        loss: 0,
    };

    /// The odds of a score by the logistic model with this scale and this half
    /// width of the draw, both in centipoints: a win has probability
    /// `1 / (1 + exp((draw - score) / scale))`. The scale must be above 0; a
    /// draw below 0 counts as 0.
    pub fn logistic(score: Score, scale: f64, draw: f64) -> Self {
        Self::of_logit(score, f64::from(score.centipoints()) / scale, draw / scale)
    }

    /// The same odds if nothing is proved: a win and a loss have at least 1 and at
    /// most 999 each.
    pub(crate) fn uncertain(self) -> Self {
        let (win, loss) = (self.win.clamp(1, 999), self.loss.clamp(1, 999));
        let draw = 1000 - win - loss;
        Self { win, draw, loss }
    }

    /// The odds by which a win has probability `1 / (1 + exp(draw - logit))`; those
    /// of a proved win or loss are certain.
    fn of_logit(score: Score, logit: f64, draw: f64) -> Self {
        let logit = match score.mate_plies() {
            Some(plies) => f64::from(plies.signum()) * f64::INFINITY,
            None => logit,
        };
        let draw = draw.max(0.0);
        let above = |bar: f64| (1000.0 / (1.0 + (bar - logit).exp())).round() as u32;
        let (win, not_loss) = (above(draw), above(-draw));
        let odds = Self {
            win,
            draw: not_loss - win,
            loss: 1000 - not_loss,
        };
        match score.is_decisive() {
            true => odds,
            false => odds.uncertain(),
        }
    }

    /// Expected points: 1 for a win, a half for a draw.
    pub fn expected_points(self) -> f64 {
        f64::from(2 * self.win + self.draw) / 2000.0
    }
}

/// A static evaluation of a game's positions.
///
/// A search calls it at the leaves, and to order moves, so it has to be quick. It
/// must not depend on anything but the position.
pub trait Evaluate<G: Game>: Clone + Send + Sync + 'static {
    /// The value for the side to move in centipoints (see [`Score`]); 0 means even.
    /// The value of a finished game only decides how early the move that leads there
    /// is tried.
    fn evaluate(&self, position: &G) -> i32;

    /// Evaluates children, the positions after moves of `position`: the function takes a
    /// legal move and the child, where the caller has it, and returns what
    /// [`Evaluate::evaluate`] returns for the child. Write your own if that saves work:
    /// such positions have much in common.
    fn child_values<'a>(&'a self, position: &'a G) -> impl FnMut(G::Move, Option<&G>) -> i32 + 'a {
        |mv, next| with_next(position, mv, next, |next| self.evaluate(next))
    }

    /// How likely the game is to end in each way, by the score that a search found
    /// for this position. By default by the definition of centipoints, without draws.
    fn odds(&self, _position: &G, score: Score) -> Odds {
        Odds::logistic(score, 100.0, 0.0)
    }

    /// What single squares add to the value, in centipoints for the side to move, with
    /// a description of what stands there; the greatest of either sign first. By default
    /// nothing.
    fn squares(&self, _position: &G) -> Vec<(Cell, i32, String)> {
        Vec::new()
    }

    /// The parts of the evaluation by name, for people to read, in centipoints from
    /// the view of the side to move.
    fn explain(&self, position: &G) -> Vec<(&'static str, i32)> {
        vec![("evaluation", self.evaluate(position))]
    }
}

/// The parts of an evaluation as [`Evaluate::explain`] returns them, and its value. The
/// parts are rounded; if they do not add up to the value, a last part is the difference.
pub fn explain_with_value<G: Game>(
    evaluation: &impl Evaluate<G>,
    position: &G,
) -> (Vec<(&'static str, i32)>, i32) {
    let mut parts = evaluation.explain(position);
    let total = evaluation.evaluate(position);
    let sum: i32 = parts.iter().map(|(_, value)| value).sum();
    if sum != total {
        parts.push(("rounding of the parts", total - sum));
    }
    (parts, total)
}

/// What `of` returns for the position after a move, which is played if it is not given.
#[inline]
pub(super) fn with_next<G: Game, T>(
    position: &G,
    mv: G::Move,
    next: Option<&G>,
    of: impl FnOnce(&G) -> T,
) -> T {
    match next {
        Some(next) => of(next),
        None => of(&position.play(mv)),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::odds_model::ODDS_KNOTS;
    use super::weights_file::BUILT_IN;
    use super::*;
    use crate::checksum::crc32;
    use crate::game::{Hokito, Layout, Rng, Yoxii, random_position, random_positions};

    fn agrees_behind_moves<G: Game>(eval: &impl Evaluate<G>) {
        let mut rng = Rng::new(23);
        for plies in (0..G::MAX_PLIES).cycle().take(400) {
            let layout = [Layout::Halves, Layout::Scattered][plies as usize % 2];
            let Some(position) = random_position::<G>(layout, plies, &mut rng) else {
                continue;
            };
            let mut child_value = eval.child_values(&position);
            let mut unaided = eval.child_values(&position);
            let mut moves = position.moves().to_vec();
            // In their order, which is the quickest, and in any other.
            for _ in 0..2 {
                for &mv in &moves {
                    let next = position.play(mv);
                    let value = eval.evaluate(&next);
                    assert_eq!(child_value(mv, Some(&next)), value, "{position} moves {mv}");
                    assert_eq!(unaided(mv, None), value, "{position} moves {mv}");
                }
                rng.shuffle(&mut moves);
            }
        }
    }

    /// Weights at random, so that no two features can be mistaken for each other.
    fn any_weights<G: Learnable>() -> Learned<G> {
        let mut rng = Rng::new(29);
        let mut weight = || rng.below(1 << 16) as u16 as i16;
        let knots = (0..G::COUNT).map(|_| std::array::from_fn(|_| weight()));
        let knots = knots.collect();
        let odds = Some(OddsModel {
            factors: std::array::from_fn(|knot| 900 + 50 * knot as i16),
            added: std::array::from_fn(|knot| -50 + 20 * knot as i16),
            odd: -30,
            bend: 700,
            draw: 40,
        });
        Learned::new(Weights { knots, odds }, "random".to_owned())
    }

    fn is_the_sum_of_its_features<G: Learnable>() {
        let eval = any_weights::<G>();
        for position in random_positions::<G>(31, (0..G::MAX_PLIES).cycle().take(400)) {
            let mut sum = 0;
            position.each_feature(|feature, amount, _| {
                sum += amount * eval.weights().at(feature, position.ply());
            });
            assert_eq!(
                eval.evaluate(&position),
                phase::to_centipoints(sum),
                "{position}"
            );
        }
        agrees_behind_moves(&eval);
    }

    #[test]
    fn values_behind_moves_are_those_of_the_positions() {
        agrees_behind_moves::<Yoxii>(Yoxii::classic());
        agrees_behind_moves::<Hokito>(Hokito::classic());
    }

    #[test]
    fn learned_values_are_sums_of_features() {
        is_the_sum_of_its_features::<Yoxii>();
        is_the_sum_of_its_features::<Hokito>();
    }

    #[test]
    fn weights_are_read_as_they_were_written_and_refused_when_altered() {
        let mut file = WeightsFile::empty();
        file.set::<Yoxii>(any_weights::<Yoxii>().weights().clone(), "nowhere");
        let bytes = file.write();
        let odds = "\nodds 900 950 1000 1050 1100 1150 1200 1250 1300 1350 \
                    -50 -30 -10 10 30 50 70 90 110 130 -30 700 40\n\n";
        let mut windows = bytes.windows(odds.len());
        let at = windows.position(|it| it == odds.as_bytes());
        let read = Learned::<Yoxii>::read(&bytes).unwrap();
        assert_eq!(read.weights(), any_weights::<Yoxii>().weights());
        let refusal = |bytes: &[u8]| Learned::<Yoxii>::read(bytes).unwrap_err();
        let mut short = bytes[..bytes.len() - 4].to_vec();
        short.drain(at.unwrap() + 5..at.unwrap() + 9);
        short.extend(crc32(&short).to_le_bytes());
        let wanted = "22 numbers of odds: expected 23";
        assert!(refusal(&short).to_string().contains(wanted));
        assert_eq!(refusal(b"weights"), WeightsError::Magic);
        // A letter in the number of features: the header is whole, but gives no length.
        let mut altered = bytes.clone();
        altered["totemic-weights 1\nyoxii yoxii-3 ".len()] = b'x';
        assert!(refusal(&altered).to_string().contains("its checksum"));
        for at in [20, bytes.len() / 2, bytes.len() - 1] {
            let mut altered = bytes.clone();
            altered[at] ^= 1;
            assert!(matches!(refusal(&altered), WeightsError::Damaged(_)));
            let cut = refusal(&bytes[..at]).to_string();
            assert!(cut.contains("it is cut"), "{cut}");
        }
    }

    /// A higher score must never mean worse odds, nor may a draw be less than impossible.
    #[test]
    fn odds_that_make_no_sense_are_refused() {
        for (factor, bend, draw) in [(0, 0, 100), (-5, 0, 100), (1000, -1, 100), (1000, 0, -1)] {
            let mut odds = OddsModel {
                factors: [1000; ODDS_KNOTS.len()],
                added: [0; ODDS_KNOTS.len()],
                odd: 0,
                bend,
                draw,
            };
            odds.factors[2] = factor;
            let odds = Some(odds);
            let mut file = WeightsFile::empty();
            let weights = Weights {
                odds,
                ..Hokito::by_hand()
            };
            file.set::<Hokito>(weights, "nowhere");
            let refused = Learned::<Hokito>::read(&file.write());
            assert!(matches!(refused, Err(WeightsError::Damaged(line)) if line.contains("odds")));
        }
    }

    #[test]
    fn the_weights_in_the_program_fit_its_features() {
        fn check<G: Learnable>() {
            if let Err(why) = Learned::<G>::read(BUILT_IN) {
                let game = G::NAME;
                panic!("{game}: {why} (see 'A change of the evaluation' in src/contributing.rs)");
            }
        }
        check::<Yoxii>();
        check::<Hokito>();
        let file = String::from_utf8_lossy(BUILT_IN);
        let origins = file.lines().filter_map(|line| line.split_once("odds by "));
        for (_, games) in origins {
            for games in games.split("; ") {
                let nodes = format!(" games of {ODDS_NODES} nodes,");
                assert!(games.contains(&nodes), "{games}");
            }
        }
    }

    /// A number that stands for the features of some positions.
    fn fingerprint<G: Learnable>() -> u32 {
        let mut text = String::new();
        for position in random_positions::<G>(47, (0..G::MAX_PLIES).cycle().take(200)) {
            // Their order means nothing.
            let mut features = Vec::new();
            position.each_feature(|feature, amount, _| features.push((feature, amount)));
            features.retain(|&(_, amount)| amount != 0);
            features.sort_unstable();
            text += &format!("{features:?}");
        }
        crc32(text.as_bytes())
    }

    #[test]
    fn features_change_only_with_their_number() {
        let why = "the features have changed: raise FEATURES, and put both numbers here";
        let yoxii = (Yoxii::FEATURES, fingerprint::<Yoxii>());
        assert_eq!(yoxii, ("yoxii-3", 0x66ac_f7a7), "{why}");
        let hokito = (Hokito::FEATURES, fingerprint::<Hokito>());
        assert_eq!(hokito, ("hokito-3", 0x6356_e5b3), "{why}");
    }

    #[test]
    fn features_have_names_of_their_own() {
        fn check<G: Learnable>() {
            let mut names = HashSet::new();
            for feature in 0..G::COUNT {
                let name = G::feature_name(feature);
                assert!(names.insert(name.clone()), "two features are '{name}'");
            }
        }
        check::<Yoxii>();
        check::<Hokito>();
    }
}
