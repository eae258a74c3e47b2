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
