//! Parts of a match, or of the games of `datagen`, for several machines.

use std::fmt::{self, Display};
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use totemic_engine::text::quoted;

/// One of several parts of a match, or of the games of `datagen`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Shard {
    /// Number of the part, from 1.
    #[serde(rename = "index")]
    pub number: u64,
    /// Number of parts.
    pub count: u64,
}

impl Shard {
    /// The whole of it.
    pub const WHOLE: Self = Self {
        number: 1,
        count: 1,
    };

    /// Says which parts are missing among some; `None` if none is, or nobody can tell.
    pub(crate) fn missing(parts: &[Self]) -> Option<String> {
        let count = parts.first()?.count;
        if parts.iter().any(|part| part.count != count) {
            return None;
        }
        let is_missing = |number: &u64| parts.iter().all(|part| part.number != *number);
        let numbers = (1..=count.min(10_000)).filter(is_missing);
        let missing: Vec<String> = numbers.map(|number| number.to_string()).collect();
        let listed = missing.join(", ");
        (!missing.is_empty()).then(|| format!("of {count} parts, these are missing: {listed}"))
    }

    /// Whether a pair, or a game of `datagen`, is played in this part.
    pub(crate) const fn holds(self, pair: u64) -> bool {
        // The number of parts may come from a file.
        self.count > 0 && pair % self.count + 1 == self.number
    }

    /// How many of `total` pairs or games are played in this part.
    pub(crate) const fn share_of(self, total: u64) -> u64 {
        total.saturating_sub(self.number - 1).div_ceil(self.count)
    }
}

impl FromStr for Shard {
    type Err = String;

    /// Reads `K/N`.
    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text
            .split_once('/')
            .and_then(|(number, count)| Some((number.parse().ok()?, count.parse().ok()?)));
        match parts {
            Some((number, count)) if 1 <= number && number <= count => Ok(Self { number, count }),
            _ => Err(format!("{}: expected K/N with K from 1 to N", quoted(text))),
        }
    }
}

impl Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.count)
    }
}
