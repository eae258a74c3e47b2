//! What is proved about a payoff.

use super::node::{NO_BOUND, Node, PayoffBounds, Solvable};
use super::solution::{MarginBounds, Value};

/// The margin in points of a payoff, whose tie-break is less than half a point.
pub(super) fn margin_of<N: Node>(payoff: i32) -> i32 {
    (payoff + N::POINT / 2).div_euclid(N::POINT)
}

/// The least payoff with this margin in points.
pub(in crate::search) fn lowest_payoff<N: Node>(margin: i32) -> i32 {
    margin * N::POINT - N::POINT / 2
}

impl PayoffBounds {
    pub(super) const ALL: Self = Self::new(-NO_BOUND, NO_BOUND);

    pub(super) const fn new(lower: i32, upper: i32) -> Self {
        Self { lower, upper }
    }

    pub(super) fn of_margin<N: Node>(margin: i32) -> Self {
        let [lower, next] = [margin, margin + 1].map(lowest_payoff::<N>);
        Self::new(lower, next - 1)
    }

    /// Bounds on the margin in points, including those that the board sets.
    pub(super) fn margins<N: Node>(self, node: &N) -> MarginBounds {
        let Self { lower, upper } = self.intersection(node.static_bounds());
        MarginBounds {
            lower: margin_of::<N>(lower),
            upper: margin_of::<N>(upper),
        }
    }

    /// All payoffs with the sign that is proved.
    pub(super) fn of_sign(self) -> Self {
        match self.value() {
            Value::Win => Self::new(1, NO_BOUND),
            Value::Draw => Self::new(0, 0),
            Value::Loss => Self::new(-NO_BOUND, -1),
            Value::Unknown => Self::ALL,
        }
    }

    pub(super) fn value(self) -> Value {
        Value::between(self.lower, self.upper)
    }

    /// The same for the opponent.
    pub(super) fn turned(self) -> Self {
        Self::new(-self.upper, -self.lower)
    }

    pub(super) fn intersection(self, other: Self) -> Self {
        Self::new(self.lower.max(other.lower), self.upper.min(other.upper))
    }

    pub(super) fn learn(&mut self, goal: i32, payoff: i32) {
        if payoff >= goal {
            self.lower = self.lower.max(payoff);
        } else {
            self.upper = self.upper.min(payoff);
        }
    }

    /// Finds out win, draw or loss by questions about goals, the likelier one first.
    pub(super) fn find_sign<G: Solvable>(
        &mut self,
        position: &G,
        mut ask: impl FnMut(i32) -> Option<i32>,
    ) -> Option<()> {
        // One answer is enough for a win or a loss, if the right question comes
        // first.
        let mut goals = [0, 1];
        if position.expects_win() {
            goals.reverse();
        }
        for goal in goals {
            if self.value() == Value::Unknown {
                self.learn(goal, ask(goal)?);
            }
        }
        Some(())
    }
}
