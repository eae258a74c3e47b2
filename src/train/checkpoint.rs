//! What a fit has after a pass, as a file, from which the same fit goes on.
//!
//! A file is one line of text, `totemic-checkpoint 1 ` and a JSON object that names the
//! fit: the game, its features, the settings, and the SHA-256 of the positions. Then come
//! little-endian numbers of 32 bits: passes done, steps done, passes since the best one,
//! the least loss; for each feature the weights at five knots, those of the best pass,
//! and Adam's means of the slopes and of their squares; and at the end the CRC-32 of all
//! before it. Whoever changes what a pass does raises the number in the first line.

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::fit::{Fit, KNOTS, Set, Terms};
use super::passes::{Passes, State};
use crate::checksum::{crc32, hex};
use crate::search::{Evaluate, Learnable, Learned};

/// What the line at the head of a file begins with.
const MAGIC: &str = "totemic-checkpoint 1 ";

/// Why a file is no checkpoint of a fit.
#[derive(PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum CheckpointError {
    /// The file holds something else.
    #[error("no checkpoint: expected a first line that begins with '{MAGIC}'")]
    Magic,
    /// The file is not as it was written.
    #[error("the checkpoint is damaged: its checksum is not that of its content")]
    Damaged,
    /// It belongs to another fit.
    #[error("the checkpoint is of another fit: its {name} is {found}, expected {expected}")]
    Other {
        /// What differs.
        name: String,
        /// What the file says of it.
        found: String,
        /// What the fit says.
        expected: String,
    },
}

impl<G: Learnable> Passes<'_, G>
where
    Learned<G>: Evaluate<G>,
{
    /// The file of what is done.
    #[must_use]
    pub(crate) fn checkpoint(&self, identity: &Identity) -> Vec<u8> {
        let State {
            passes,
            steps,
            stale,
            least,
            model,
            best,
            moments,
        } = &self.state;
        let mut bytes = format!("{MAGIC}{}\n", identity.0).into_bytes();
        let counts = [*passes, *steps, *stale, least.to_bits()];
        bytes.extend(counts.iter().flat_map(|number| number.to_le_bytes()));
        let moments = moments.as_flattened().as_flattened();
        for numbers in [model.as_flattened(), best.as_flattened(), moments] {
            bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        }
        let checksum = crc32(&bytes);
        bytes.extend(checksum.to_le_bytes());
        bytes
    }

    /// Goes on from a file.
    ///
    /// # Errors
    /// [`CheckpointError`]; nothing is changed then.
    pub(crate) fn resume(
        &mut self,
        bytes: &[u8],
        identity: &Identity,
    ) -> Result<(), CheckpointError> {
        use CheckpointError::{Damaged, Magic};
        if !bytes.starts_with(MAGIC.as_bytes()) {
            return Err(Magic);
        }
        let (bytes, checksum) = bytes.split_last_chunk().ok_or(Damaged)?;
        if crc32(bytes).to_le_bytes() != *checksum {
            return Err(Damaged);
        }
        let line = bytes.iter().position(|&byte| byte == b'\n');
        let (line, numbers) = bytes.split_at(line.ok_or(Damaged)? + 1);
        let line = str::from_utf8(&line[MAGIC.len()..]).map_err(|_| Damaged)?;
        identity.check(&serde_json::from_str(line).map_err(|_| Damaged)?)?;
        let (numbers, []) = numbers.as_chunks() else {
            return Err(Damaged);
        };
        let state = state(numbers, self.state.model.len()).ok_or(Damaged)?;
        if state.passes > self.fit.settings.epochs || state.stale > state.passes {
            return Err(Damaged);
        }
        self.go_on(state);
        Ok(())
    }
}

/// The numbers of a file, as many as so many features have.
fn state(numbers: &[[u8; 4]], features: usize) -> Option<State> {
    let (counts, numbers) = numbers.split_first_chunk()?;
    let [passes, steps, stale, least] = counts.map(u32::from_le_bytes);
    let numbers: Vec<f32> = numbers.iter().copied().map(f32::from_le_bytes).collect();
    let (knots, rest) = numbers.as_chunks::<KNOTS>();
    let (model, knots) = knots.split_at_checked(features)?;
    let (best, knots) = knots.split_at_checked(features)?;
    let (moments, odd) = knots.as_chunks::<2>();
    let is_whole = rest.is_empty() && odd.is_empty() && moments.len() == features;
    is_whole.then(|| State {
        passes,
        steps,
        stale,
        least: f32::from_bits(least),
        model: model.to_vec(),
        best: best.to_vec(),
        moments: moments.to_vec(),
    })
}

/// What makes a fit the same: names and values, in the order in which they are compared.
#[derive(Debug)]
pub(crate) struct Identity(Value);

impl Identity {
    /// That of a fit that has all its data.
    #[must_use]
    pub(crate) fn of<G: Learnable>(fit: &Fit<G>) -> Self {
        let settings = &fit.settings;
        let or_none = |number: Option<String>| number.unwrap_or_else(|| "none".to_owned());
        let terms = match settings.terms {
            Terms::Fit => "fitted",
            Terms::Keep => "kept",
            Terms::LeaveOut => "left out",
        };
        let names = [
            ("game", G::NAME.to_owned()),
            ("features", G::FEATURES.to_owned()),
            ("--epochs", settings.epochs.to_string()),
            (
                "--patience",
                or_none(settings.patience.map(|n| n.to_string())),
            ),
            ("--result-share", settings.result_share.to_string()),
            ("--rate", settings.rate.to_string()),
            ("--ridge", settings.ridge.to_string()),
            ("--proved-weight", settings.proved_weight.to_string()),
            ("treatment of the terms", terms.to_owned()),
            ("--seed", settings.seed.to_string()),
            (
                "--max-positions",
                or_none(settings.max_positions.map(|n| n.to_string())),
            ),
            ("SHA-256 of the positions held out", hash(&fit.held_out)),
            ("SHA-256 of the positions to learn from", hash(&fit.train)),
        ];
        let names = names.map(|(name, value)| (name.to_owned(), Value::String(value)));
        Self(Value::Object(Map::from_iter(names)))
    }

    fn check(&self, found: &Value) -> Result<(), CheckpointError> {
        let names = self.0.as_object().into_iter().flatten();
        for (name, expected) in names {
            let found = found.get(name);
            if found != Some(expected) {
                let text = |value: Option<&Value>| match value {
                    Some(Value::String(text)) => text.escape_debug().to_string(),
                    _ => "missing".to_owned(),
                };
                return Err(CheckpointError::Other {
                    name: name.clone(),
                    found: text(found),
                    expected: text(Some(expected)),
                });
            }
        }
        Ok(())
    }
}

/// The SHA-256 of all that the fit sees of its positions.
fn hash(set: &Set) -> String {
    let mut hash = Sha256::new();
    let mut bytes = Vec::new();
    for (at, example) in set.examples.iter().enumerate() {
        let features = set.features(at);
        bytes.clear();
        bytes.push(example.ply);
        bytes.push(u8::from(example.is_proved));
        for number in [
            example.label,
            example.points,
            example.by_hand,
            example.score,
        ] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend((features.len() as u32).to_le_bytes());
        for &(feature, amount) in features {
            bytes.extend(feature.to_le_bytes());
            bytes.extend(amount.to_le_bytes());
        }
        hash.update(&bytes);
    }
    hex(&hash.finalize())
}
