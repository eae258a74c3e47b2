//! What a certificate proves.

use std::fmt::{self, Display};
use std::str::FromStr;

use crate::game::{Side, Standing};
use crate::search::solver::{Solvable, lowest_payoff};
use crate::text::quoted;

/// What a text should have been, and what it is.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected {expected}, found {}", quoted(found))]
pub struct Unexpected {
    expected: String,
    found: String,
}

impl Unexpected {
    pub(super) fn new(expected: impl Into<String>, found: impl Into<String>) -> Self {
        let (expected, found) = (expected.into(), found.into());
        Self { expected, found }
    }
}

pub(super) fn number<T: FromStr + Display>(text: &str) -> Option<T> {
    let number: T = text.parse().ok()?;
    (number.to_string() == text).then_some(number)
}

/// What a claim says that its side reaches.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Goal {
    /// A win.
    Win,
    /// At least a draw.
    Draw,
    /// At the end, its points minus the other side's are at least this.
    Margin(i32),
}

/// That a side can reach a goal, whatever the other side does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Claim {
    /// The side that reaches the goal.
    pub side: Side,
    /// What it reaches.
    pub goal: Goal,
}

impl Claim {
    /// How a claim is written, for messages.
    pub const FORM: &'static str = "'p1 wins', 'p1 draws' or 'p1 >= N', N from -10000 to 10000 \
                                    as in -3 or 5, or the same of p2";

    pub(crate) fn holds(&self, end: &Standing) -> bool {
        match self.goal {
            Goal::Win => end.outcome().sign_for(self.side) > 0,
            Goal::Draw => end.outcome().sign_for(self.side) >= 0,
            Goal::Margin(least) => end.margin_for(self.side) >= least,
        }
    }

    pub(super) fn payoff<G: Solvable>(&self) -> i32 {
        match self.goal {
            Goal::Win => 1,
            Goal::Draw => 0,
            Goal::Margin(least) => lowest_payoff::<G::Node>(least),
        }
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = self.side.word();
        match self.goal {
            Goal::Win => write!(f, "{side} wins"),
            Goal::Draw => write!(f, "{side} draws"),
            Goal::Margin(least) => write!(f, "{side} >= {least}"),
        }
    }
}

impl FromStr for Claim {
    type Err = Unexpected;

    fn from_str(text: &str) -> Result<Self, Unexpected> {
        let read = || {
            let (side, goal) = text.split_once(' ')?;
            let side = Side::of_word(side)?;
            let goal = match goal {
                "wins" => Goal::Win,
                "draws" => Goal::Draw,
                _ => {
                    let least = number(goal.strip_prefix(">= ")?);
                    Goal::Margin(least.filter(|least| (-10_000..=10_000).contains(least))?)
                }
            };
            Some(Self { side, goal })
        };
        read().ok_or_else(|| Unexpected::new(Self::FORM, text))
    }
}
