//! Marks of moves, according to what they give away.

use serde::Serialize;

use totemic_engine::text::number_of;

/// A judgement of a move in one word.
///
/// Moves are marked by the expected points that they give away compared with the best
/// move (a win is one point, a draw a half). The thresholds are those that chess sites
/// use for such a scale. The greater mark is the worse one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mark {
    /// The only legal move, or the best one if every other move would have been at least
    /// a mistake.
    OnlyMove,
    /// The best move, or one that gives away less than 0.02.
    Best,
    /// Gives away less than 0.05, or nothing but points on the board; also a move where
    /// every one loses, and it is not known by how much.
    Good,
    /// Gives away from 0.05 to 0.10.
    Inaccuracy,
    /// Gives away from 0.10 to 0.20.
    Mistake,
    /// Gives away 0.20 or more.
    Blunder,
}

/// A move that gives away at least this part of a point is only good, not best.
pub const GOOD_LOSS: f64 = 0.02;
// The least loss of an inaccuracy, a mistake and a blunder.
pub(super) const INACCURACY: f64 = 0.05;
pub(super) const MISTAKE: f64 = 0.10;
const BLUNDER: f64 = 0.20;

impl Mark {
    /// All marks, best first.
    pub const ALL: [Self; 6] = [
        Self::OnlyMove,
        Self::Best,
        Self::Good,
        Self::Inaccuracy,
        Self::Mistake,
        Self::Blunder,
    ];

    pub(super) fn of_loss(loss: f64) -> Self {
        match loss {
            _ if loss < GOOD_LOSS => Self::Best,
            _ if loss < INACCURACY => Self::Good,
            _ if loss < MISTAKE => Self::Inaccuracy,
            _ if loss < BLUNDER => Self::Mistake,
            _ => Self::Blunder,
        }
    }

    /// The word for people, for example `mistake`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::OnlyMove => "only move",
            Self::Best => "best",
            Self::Good => "good",
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        }
    }

    /// Names a number of such moves: `1 blunder`, `2 inaccuracies`, `7 best`.
    pub(super) fn counted(self, n: u32) -> String {
        match self {
            Self::Best | Self::Good => format!("{n} {}", self.name()),
            Self::Inaccuracy if n != 1 => format!("{n} inaccuracies"),
            _ => number_of(n, self.name()),
        }
    }

    /// Returns the Numeric Annotation Glyph of PGN, if there is one.
    pub(super) const fn nag(self) -> Option<u8> {
        match self {
            Self::OnlyMove => Some(7),
            Self::Inaccuracy => Some(6),
            Self::Mistake => Some(2),
            Self::Blunder => Some(4),
            Self::Best | Self::Good => None,
        }
    }

    /// Whether the move changed the game: a mistake or worse.
    pub fn is_error(self) -> bool {
        self >= Self::Mistake
    }
}
