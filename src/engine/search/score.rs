//! Scores and windows.

use std::fmt;
use std::ops::Neg;

/// Searches support games of at most this many plies.
pub const MAX_PLY: usize = 64;

/// The value of a position for the side to move: a proven win or loss in so
/// many plies, or an estimate in centipoints.
///
/// A centipoint is a hundredth of a logit in the static evaluation's model of how
/// a game ends. The deeper the search behind it, the more a score is worth:
/// [`Evaluate::odds`](super::Evaluate::odds) tells how much.
///
/// Proven scores come only from play to the end of the game; nothing that was
/// guessed, reduced away or left out may yield one. Alpha-beta and tree search
/// know positions by keys of 64 bits, and two positions with one key could make a
/// proof false: about one in forty searches of a thousand million positions has
/// such a pair. The solver compares whole positions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Score(i16);

impl Score {
    const WIN: i16 = 30_000;
    /// The greatest estimate; [`Score::estimate`] clamps to it.
    pub const MAX_ESTIMATE: i32 = 20_000;
    /// Neither side is ahead; also the score of a draw.
    pub const ZERO: Self = Self(0);
    /// Above every score.
    pub const INFINITY: Self = Self(Self::WIN + 1);

    /// An estimate in centipoints for the side to move.
    #[inline]
    pub fn estimate(centipoints: i32) -> Self {
        Self(centipoints.clamp(-Self::MAX_ESTIMATE, Self::MAX_ESTIMATE) as i16)
    }

    /// A proven win within `plies` plies, at most [`MAX_PLY`].
    pub const fn win_in(plies: usize) -> Self {
        Self(Self::WIN - plies as i16)
    }

    /// A proven loss that is complete after `plies` plies, at most [`MAX_PLY`].
    pub const fn loss_in(plies: usize) -> Self {
        Self(-Self::WIN + plies as i16)
    }

    /// The proven score of a result, by its sign, that is complete after `plies`
    /// plies.
    pub(crate) const fn of_sign(sign: i32, plies: usize) -> Self {
        match sign {
            0 => Self::ZERO,
            1.. => Self::win_in(plies),
            _ => Self::loss_in(plies),
        }
    }

    /// Whether this is a proven win.
    pub const fn is_win(self) -> bool {
        self.0 >= Self::WIN - MAX_PLY as i16
    }

    /// Whether this is a proven loss.
    pub const fn is_loss(self) -> bool {
        self.0 <= -Self::WIN + MAX_PLY as i16
    }

    /// Whether this is a proven win or loss.
    pub const fn is_decisive(self) -> bool {
        self.is_win() || self.is_loss()
    }

    /// 1 for a proven win, -1 for a proven loss, 0 for an estimate.
    pub const fn sign(self) -> i32 {
        self.is_win() as i32 - self.is_loss() as i32
    }

    /// The most plies to the end of a proven win or loss, negative when losing.
    pub const fn mate_plies(self) -> Option<i32> {
        if self.is_win() {
            Some((Self::WIN - self.0) as i32)
        } else if self.is_loss() {
            Some(-((Self::WIN + self.0) as i32))
        } else {
            None
        }
    }

    /// Centipoints; proven scores are beyond
    /// [`Score::MAX_ESTIMATE`].
    pub const fn centipoints(self) -> i32 {
        self.0 as i32
    }

    pub(crate) const fn next_up(self) -> Self {
        Self(self.0 + 1)
    }

    pub(crate) const fn next_down(self) -> Self {
        Self(self.0 - 1)
    }

    /// The end of a window `by` centipoints above this score, clamped to the scale. It
    /// is not a score: near the ends of the scale it would look like a proof.
    pub(crate) fn offset(self, by: i32) -> Self {
        let limit = i32::from(Self::INFINITY.0);
        Self((i32::from(self.0) + by).clamp(-limit, limit) as i16)
    }

    /// The raw bits for a table, with plies counted from the node at `ply`
    /// instead of from the root.
    pub(crate) fn to_table(self, ply: usize) -> i16 {
        if self.is_win() {
            self.0 + ply as i16
        } else if self.is_loss() {
            self.0 - ply as i16
        } else {
            self.0
        }
    }

    #[inline]
    pub(crate) fn from_table(bits: i16, ply: usize) -> Self {
        let score = Self(bits.clamp(-Self::WIN, Self::WIN));
        if score.is_win() {
            Self(score.0 - ply as i16)
        } else if score.is_loss() {
            Self(score.0 + ply as i16)
        } else {
            score
        }
    }
}

impl Neg for Score {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

/// As UGI prints it: `cp 31` or `mate -4`, the latter in plies.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate_plies() {
            Some(plies) => write!(f, "mate {plies}"),
            None => write!(f, "cp {}", self.0),
        }
    }
}

/// How a score relates to the value at the depth that was searched. Only what is
/// [proven](super::Info::proven) says anything of the true value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The value itself.
    Exact,
    /// The value is at least this.
    Lower,
    /// The value is at most this.
    Upper,
}

impl Bound {
    /// `exact`, `lower` or `upper`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Lower => "lower",
            Self::Upper => "upper",
        }
    }
}

/// The open interval of scores that a search has to tell apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Window {
    /// A score up to this makes no difference.
    pub(crate) alpha: Score,
    /// A score from this on makes no difference.
    pub(crate) beta: Score,
}

impl Window {
    pub(crate) const FULL: Self = Self {
        alpha: Score(-Score::INFINITY.0),
        beta: Score::INFINITY,
    };

    /// `delta` centipoints to both sides of a guess.
    pub(crate) fn around(guess: Score, delta: i32) -> Self {
        Self {
            alpha: guess.offset(-delta),
            beta: guess.offset(delta),
        }
    }

    /// The window that only asks whether the value is above `alpha`.
    pub(crate) const fn null_above(alpha: Score) -> Self {
        Self {
            alpha,
            beta: alpha.next_up(),
        }
    }

    pub(crate) const fn is_null(self) -> bool {
        self.beta.0 as i32 - self.alpha.0 as i32 <= 1
    }

    /// Whether an end of the window is a proven win or loss.
    pub(crate) const fn is_decisive(self) -> bool {
        self.alpha.is_decisive() || self.beta.is_decisive()
    }

    /// How a fail-soft result of a search with this window is to be read.
    pub(crate) fn bound_of(self, score: Score) -> Bound {
        if score >= self.beta {
            Bound::Lower
        } else if score <= self.alpha {
            Bound::Upper
        } else {
            Bound::Exact
        }
    }
}

impl Neg for Window {
    type Output = Self;
    fn neg(self) -> Self {
        Self {
            alpha: -self.beta,
            beta: -self.alpha,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_never_look_proven() {
        for centipoints in [i32::MIN, -30_000, 29_990, i32::MAX] {
            assert!(!Score::estimate(centipoints).is_decisive());
        }
        assert_eq!(Score::win_in(3).to_string(), "mate 3");
        assert_eq!(Score::loss_in(4).to_string(), "mate -4");
        assert_eq!(Score::estimate(-31).to_string(), "cp -31");
    }
}
