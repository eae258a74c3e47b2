//! Parts of a match, or of the games of `datagen`, for several machines.

use std::fmt::{self, Display};

use serde::{Deserialize, Serialize};

/// One of several parts of a match, or of the games of `datagen`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Shard {
    /// Number of the part, from 1.
    pub index: u64,
    /// Number of parts.
    pub count: u64,
}

impl Shard {
    /// The whole of it.
    pub const WHOLE: Self = Self { index: 1, count: 1 };

    /// Says which parts are missing among some; `None` if none is, or nobody can tell.
    pub(crate) fn missing(parts: &[Self]) -> Option<String> {
        let count = parts.first()?.count;
        if parts.iter().any(|part| part.count != count) {
            return None;
        }
        let is_there = |index: &u64| parts.iter().any(|part| part.index == *index);
        let missing: Vec<u64> = (1..=count.min(10_000))
            .filter(|index| !is_there(index))
            .collect();
        let listed = missing
            .iter()
            .map(u64::to_string)
            .collect::<Vec<_>>()
            .join(", ");
        (!missing.is_empty()).then(|| format!("of {count} parts, these are missing: {listed}"))
    }

    /// Whether a pair, or a game of `datagen`, is played in this part.
    pub(crate) const fn holds(self, pair: u64) -> bool {
        // The number of parts may come from a file.
        self.count > 0 && pair % self.count + 1 == self.index
    }
}

impl Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}
