//! A file of weights.
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

use super::learned::{Features, Learnable, Learned, Weights};
use super::odds_model::OddsModel;
use super::phase::KNOTS;
use crate::checksum::crc32;
use crate::text::quoted;

const MAGIC: &str = "totemic-weights 1\n";

pub(super) static BUILT_IN: &[u8] = include_bytes!("weights.bin");

impl<G: Learnable> Learned<G> {
    /// Reads the evaluation from a file of weights.
    ///
    /// # Errors
    /// [`WeightsError`] if it is not such a file, or has no weights for these features.
    pub fn read(bytes: &[u8]) -> Result<Self, WeightsError> {
        let file = WeightsFile::read(bytes)?;
        let weights = file.weights::<G>()?;
        Ok(Self::new(weights, format!("{:08x}", file.checksum)))
    }
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
