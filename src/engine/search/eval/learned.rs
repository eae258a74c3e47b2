//! Evaluations with learned weights: sums of features times weights that change over
//! the course of the game.
//!
//! # A file of weights
//!
//! First come lines of text, each with `\n` at its end. This is a header by another tool:
//!
//! ```text
//! totemic-weights 1
//! hokito hokito-3 3030 by my own tool
//!
//! ```
//!
//! | line | holds |
//! | --- | --- |
//! | the first | `totemic-weights 1` |
//! | one for each game | its name, the identity of its features, their number, and where the weights come from, separated by spaces; games that the program does not know are skipped |
//! | after that of a game, or none | `odds` and the 23 numbers below |
//! | the last | nothing |
//!
//! The first line of `totemic data weights --game hokito` has the identity and the number.
//! `totemic data weights --classes` says what each feature is.
//!
//! For each game in that order and for each feature, five little-endian `i16` follow:
//! thousandths of a logit of the points that the side to move will make, at 0, 9, 18, 27 and
//! 36 plies. At the end is the CRC-32 (that of zlib) of all before it, a little-endian `u32`.
//!
//! # The static value
//!
//! Plies are pieces on the board in Yoxii, empty squares in Hokito. A weight between two of
//! the five plies is the weight before plus a part of the difference, as many ninths as plies
//! have passed since, rounded towards 0. The static value in centipoints is a tenth of the sum
//! of amounts times weights, rounded in the same way. `totemic data dump --features` prints
//! the amounts of positions.
//!
//! # The odds
//!
//! The line `odds` says what the scores of searches with these weights mean; `totemic fit
//! --odds-only` fits it. Its numbers are from -32768 to 32767:
//!
//! | numbers | what | unit |
//! | --- | --- | --- |
//! | 10 | factors of a score at 0, 4, 8 plies and so on up to 36, at least 1 | thousandths |
//! | 10 | terms to add, at the same plies | thousandths |
//! | 1 | what is added at odd plies and subtracted at even ones | thousandths |
//! | 1 | the bend, at least 0 | centipoints |
//! | 1 | half the width of a draw, at least 0 | thousandths |
//!
//! Plies are those of the position that was searched. Factors and terms between those plies
//! are found by quarters of the difference, rounded as above. Let `s` be the centipoints of a
//! score divided by 100, and `c` a hundredth of the bend. Unless the bend is 0, `s` becomes
//! `c asinh(s / c)`. Let `x` be that times the factor plus what is added, and `d` half the
//! width. Then
//!
//! ```text
//! win   1 / (1 + exp(d - x))
//! loss  1 / (1 + exp(d + x))
//! ```
//!
//! are the probabilities, rounded to thousandths, and a draw has the rest. Without that line
//! the odds are those of the evaluation written by hand: there is no bend, `x` is the
//! centipoints divided by 61 in Yoxii and by 55 in Hokito, and `d` is 21 / 61 and 6 / 55.

use std::fmt;
use std::sync::Arc;

use super::odds_model::OddsModel;
use super::phase::{KNOTS, LAST_PLY, interpolate, to_centipoints};
use super::{Evaluate, Odds};
use crate::checksum::crc32;
use crate::game::{Cell, Cells, Game, quoted};
use crate::search::Score;

const MAGIC: &str = "totemic-weights 1\n";

/// Nodes per move of the games to which the built-in odds were fitted. Games with fewer
/// nodes are less certain than these odds say, games with more nodes are more certain.
pub const ODDS_NODES: u64 = 20_000;

pub(super) static BUILT_IN: &[u8] = include_bytes!("weights.bin");

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
    pub(super) fn of_terms(terms: &[[i16; KNOTS.len()]], count: usize) -> Self {
        let mut knots = terms.to_vec();
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

    /// Reads the evaluation from a file of weights.
    ///
    /// # Errors
    /// [`WeightsError`] if it is not such a file, or has no weights for these features.
    pub fn read(bytes: &[u8]) -> Result<Self, WeightsError> {
        let file = WeightsFile::read(bytes)?;
        let weights = file.weights::<G>()?;
        Ok(Self::new(weights, format!("{:08x}", file.checksum)))
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

/// The evaluation with the built-in weights; with those written by hand while the
/// built-in ones do not fit changed features, so that new ones can be made.
impl<G: Learnable> Default for Learned<G> {
    fn default() -> Self {
        Self::read(BUILT_IN).unwrap_or_else(|_| Self::classic())
    }
}

/// Why weights cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WeightsError {
    /// The file is something else.
    #[error("not a file of weights: expected it to begin with '{}'", MAGIC.trim_end())]
    Magic,
    /// It was cut or altered.
    #[error("the file of weights is damaged: {0}")]
    Damaged(String),
    /// It holds no weights for the game.
    #[error("the file has no weights for {0}")]
    NoGame(&'static str),
    /// Its weights are for other features.
    #[error(
        "the file's weights for {game} are for the features '{found}': expected '{expected}'; \
         their number is after the name"
    )]
    Features {
        /// The game.
        game: &'static str,
        /// What the file says.
        found: String,
        /// What this program has.
        expected: String,
    },
}

/// A file of weights for one game or more.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WeightsFile {
    sections: Vec<(Section, Weights)>,
    /// CRC-32 of all that comes before it in the file.
    pub checksum: u32,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Section {
    game: String,
    features: String,
    count: usize,
    origin: String,
}

impl Section {
    fn read(line: &str) -> Option<Self> {
        let mut words = line.splitn(4, ' ').map(str::to_owned);
        Some(Self {
            game: words.next().filter(|game| game != "odds")?,
            features: words.next()?,
            count: words.next()?.parse().ok()?,
            origin: words.next().unwrap_or_default(),
        })
    }
}

fn read_header(lines: &str) -> Result<Vec<(Section, Weights)>, String> {
    let mut sections: Vec<(Section, Weights)> = Vec::new();
    for line in lines.lines() {
        if let (Some(words), Some((_, weights))) = (line.strip_prefix("odds "), sections.last_mut())
        {
            if weights.odds.replace(OddsModel::read(words)?).is_some() {
                return Err("it has two lines of odds for a game".to_owned());
            }
            continue;
        }
        let section = Section::read(line).ok_or_else(|| {
            let expected = "a game, the identity and the number of its features, and where the \
                            weights come from";
            format!("its line {}: expected {expected}", quoted(line))
        })?;
        if sections.iter().any(|(other, _)| other.game == section.game) {
            return Err(format!("it has {} twice", quoted(&section.game)));
        }
        sections.push((section, Weights::of_terms(&[], 0)));
    }
    match sections.is_empty() {
        true => Err("it has no game".to_owned()),
        false => Ok(sections),
    }
}

impl WeightsFile {
    /// Reads a file.
    ///
    /// # Errors
    /// [`WeightsError`].
    pub fn read(bytes: &[u8]) -> Result<Self, WeightsError> {
        if !bytes.starts_with(MAGIC.as_bytes()) {
            return Err(WeightsError::Magic);
        }
        let damaged = |what: &str| WeightsError::Damaged(what.to_owned());
        let (sealed, sum) = bytes.split_last_chunk().unwrap_or((bytes, &[0; 4]));
        let checksum = u32::from_le_bytes(*sum);
        if crc32(sealed) != checksum {
            return Err(damaged("it is cut or altered: its checksum is wrong"));
        }
        let end = sealed.windows(2).position(|pair| pair == b"\n\n");
        let (header, body) = sealed.split_at(end.ok_or_else(|| damaged("its header has no end"))?);
        let header = str::from_utf8(header).map_err(|_| damaged("its header is not text"))?;
        let lines = header.split_once('\n').map_or("", |(_, lines)| lines);
        let mut sections = read_header(lines).map_err(WeightsError::Damaged)?;
        let counts = sections.iter().map(|(section, _)| section.count);
        let features = counts.fold(0, usize::saturating_add);
        let mut weights = body[2..].chunks_exact(2 * KNOTS.len());
        if weights.len() != features || !weights.remainder().is_empty() {
            let size = format!("it has {} bytes of weights", body.len() - 2);
            return Err(damaged(&(size + ", not as many as its header says")));
        }
        for (section, own) in &mut sections {
            let knots = weights.by_ref().take(section.count);
            let number = |knots: &[u8], i| i16::from_le_bytes([knots[2 * i], knots[2 * i + 1]]);
            let knots = knots.map(|knots| std::array::from_fn(|i| number(knots, i)));
            own.knots = knots.collect();
        }
        Ok(Self { sections, checksum })
    }

    /// The names of the games that it has weights for.
    pub fn games(&self) -> impl Iterator<Item = &str> {
        self.sections.iter().map(|(section, _)| &*section.game)
    }

    /// The weights of a game.
    ///
    /// # Errors
    /// [`WeightsError`] if there are none that fit.
    pub fn weights<G: Features>(&self) -> Result<Weights, WeightsError> {
        let mut games = self.sections.iter();
        let own = games.find(|(section, _)| section.game == G::NAME);
        let (header, weights) = own.ok_or(WeightsError::NoGame(G::NAME))?;
        if header.features != G::FEATURES || header.count != G::COUNT {
            return Err(WeightsError::Features {
                game: G::NAME,
                found: format!("{} {}", header.features, header.count),
                expected: format!("{} {}", G::FEATURES, G::COUNT),
            });
        }
        Ok(weights.clone())
    }

    /// A file without weights, to which some can be added.
    pub fn empty() -> Self {
        Self {
            sections: Vec::new(),
            checksum: 0,
        }
    }

    /// Puts a game's weights into the file, replacing any that it had; `origin` says in
    /// one line where they come from.
    ///
    /// # Panics
    /// If there are not as many as the game has features.
    pub fn set<G: Learnable>(&mut self, weights: Weights, origin: &str) {
        assert_eq!(weights.knots.len(), G::COUNT, "weights of {}", G::NAME);
        self.sections.retain(|(section, _)| section.game != G::NAME);
        let section = Section {
            game: G::NAME.to_owned(),
            features: G::FEATURES.to_owned(),
            count: G::COUNT,
            origin: origin.replace('\n', " "),
        };
        self.sections.push((section, weights));
    }

    /// Replaces the odds of a game, and adds `origin` to where its weights come from.
    ///
    /// # Errors
    /// [`WeightsError`] if there are no weights for the game that fit.
    pub fn set_odds<G: Learnable>(
        &mut self,
        odds: OddsModel,
        origin: &str,
    ) -> Result<(), WeightsError> {
        self.weights::<G>()?;
        let own = |(section, _): &&mut (Section, Weights)| section.game == G::NAME;
        if let Some((section, weights)) = self.sections.iter_mut().find(own) {
            weights.odds = Some(odds);
            section.origin += &("; ".to_owned() + &origin.replace('\n', " "));
        }
        Ok(())
    }

    /// The bytes of the file.
    pub fn write(&self) -> Vec<u8> {
        let mut bytes = MAGIC.as_bytes().to_vec();
        for (section, weights) in &self.sections {
            let (game, features) = (&section.game, &section.features);
            let line = format!("{game} {features} {} {}\n", section.count, section.origin);
            bytes.extend(line.into_bytes());
            if let Some(odds) = weights.odds {
                bytes.extend(format!("{odds}\n").into_bytes());
            }
        }
        bytes.push(b'\n');
        let weights = self.sections.iter().flat_map(|(_, weights)| &weights.knots);
        bytes.extend(weights.flatten().flat_map(|weight| weight.to_le_bytes()));
        let checksum = crc32(&bytes);
        bytes.extend(checksum.to_le_bytes());
        bytes
    }
}
