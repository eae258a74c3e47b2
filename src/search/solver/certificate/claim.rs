//! What a certificate proves.

use std::fmt;
use std::str::FromStr;

use crate::game::{Side, Standing, quoted};
use crate::search::solver::margin::lowest_rank;
use crate::search::solver::node::Solvable;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Goal {
    Win,
    Draw,
    /// At the end, its points minus the other side's are at least this.
    Margin(i32),
}

/// That a side can reach a goal, whatever the other side does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Claim {
    pub(crate) side: Side,
    pub(crate) goal: Goal,
}

impl Claim {
    pub(crate) const FORM: &'static str = "'p1 wins', 'p1 draws' or 'p1 >= N', N from -10000 to 10000 \
                                    as in -3 or 5, or the same of p2";

    pub(crate) fn holds(&self, end: &Standing) -> bool {
        match self.goal {
            Goal::Win => end.outcome().sign_for(self.side) > 0,
            Goal::Draw => end.outcome().sign_for(self.side) >= 0,
            Goal::Margin(least) => end.margin_for(self.side) >= least,
        }
    }

    pub(in crate::search::solver) fn rank<G: Solvable>(&self) -> i32 {
        match self.goal {
            Goal::Win => 1,
            Goal::Draw => 0,
            Goal::Margin(least) => lowest_rank::<G::Node>(least),
        }
    }

    /// Whether the claim is true of a position. `ask` returns what the solver answers
    /// about a goal of the side to move there.
    pub(in crate::search::solver) fn judge<G: Solvable>(
        &self,
        position: &G,
        ask: impl FnOnce(i32) -> Option<i32>,
    ) -> Option<bool> {
        let rank = self.rank::<G>();
        if position.side() == self.side {
            ask(rank).map(|found| found >= rank)
        } else {
            ask(1 - rank).map(|found| found < 1 - rank)
        }
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = ["p1", "p2"][self.side.index()];
        match self.goal {
            Goal::Win => write!(f, "{side} wins"),
            Goal::Draw => write!(f, "{side} draws"),
            Goal::Margin(least) => write!(f, "{side} >= {least}"),
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("claim {}: expected {}", quoted(.0), Claim::FORM)]
pub(crate) struct ClaimError(String);

impl FromStr for Claim {
    type Err = ClaimError;

    fn from_str(text: &str) -> Result<Self, ClaimError> {
        let refused = || ClaimError(text.to_owned());
        let mut words = text.split(' ');
        let side = match words.next() {
            Some("p1") => Side::First,
            Some("p2") => Side::Second,
            _ => return Err(refused()),
        };
        let goal = match (words.next(), words.next()) {
            (Some("wins"), None) => Goal::Win,
            (Some("draws"), None) => Goal::Draw,
            (Some(">="), Some(number)) => {
                let least = number
                    .parse()
                    .ok()
                    .filter(|n| (-10_000..=10_000).contains(n));
                Goal::Margin(least.ok_or_else(refused)?)
            }
            _ => return Err(refused()),
        };
        let claim = Self { side, goal };
        // There is only one way to write a number: `+3` and `007` are refused.
        let is_strict = words.next().is_none() && claim.to_string() == text;
        is_strict.then_some(claim).ok_or_else(refused)
    }
}
