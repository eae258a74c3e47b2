//! What is proven about a node or an edge.

use crate::search::score::Score;

/// What is proven about a value, from the view of the side to move at the node or of
/// the side that chooses the edge; without a proof, the ends of the scale.
///
/// Cazenave and Saffidine, *Score Bounded Monte-Carlo Tree Search* (2010), with
/// the plies to the end as in [`Score`]: the number of plies of a win or a loss is an
/// upper bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ScoreBounds {
    pub(super) lower: Score,
    pub(super) upper: Score,
}

impl ScoreBounds {
    pub(super) const UNKNOWN: Self = Self {
        lower: Score::loss_in(0),
        upper: Score::win_in(0),
    };

    pub(super) const fn exactly(score: Score) -> Self {
        Self {
            lower: score,
            upper: score,
        }
    }

    /// The bounds from a proof whose number of plies is only an upper bound.
    pub(super) fn from_upper_bound(score: Score) -> Self {
        let Self { lower, upper } = Self::UNKNOWN;
        Self {
            lower: if score.is_loss() { lower } else { score },
            upper: if score.is_win() { upper } else { score },
        }
    }

    /// The proven score, if there is one: a win, a loss or a draw.
    pub(super) fn solved(self) -> Option<Score> {
        if self.lower.is_win() || self.lower == self.upper {
            Some(self.lower)
        } else if self.upper.is_loss() {
            Some(self.upper)
        } else {
            None
        }
    }

    pub(super) fn for_parent(self) -> Self {
        Self {
            lower: farther(-self.upper),
            upper: farther(-self.lower),
        }
    }

    #[inline]
    pub(super) fn from_table([lower, upper]: [i16; 2]) -> Self {
        Self {
            lower: Score::from_table(lower, 0),
            upper: Score::from_table(upper, 0),
        }
    }

    pub(super) fn to_table(self) -> [i16; 2] {
        [self.lower.to_table(0), self.upper.to_table(0)]
    }

    pub(super) fn intersection(self, other: Self) -> Self {
        Self {
            lower: self.lower.max(other.lower),
            upper: self.upper.min(other.upper),
        }
    }
}

/// The score seen from one ply farther away; the ends of the scale stay.
fn farther(score: Score) -> Score {
    if score == ScoreBounds::UNKNOWN.lower || score == ScoreBounds::UNKNOWN.upper {
        score
    } else if score.is_win() {
        score.next_down()
    } else if score.is_loss() {
        score.next_up()
    } else {
        score
    }
}
