//! From the value of a position to its margin.

use super::SolverRun;
use super::bounds::{lowest_payoff, margin_of};
use super::node::{NO_BOUND, Node, PayoffBounds, Solvable};
use super::solution::{MarginBounds, Value};
use super::table::{HashedKey, MAX_EFFORT, TableEntry};
use crate::game::Move;

/// The bound to which a margin is likely to be nearer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Nearer {
    Lower,
    Upper,
}

impl Nearer {
    /// Where the margin is likely to be once the value is proved: most games are won
    /// or lost by little.
    pub(super) fn likely(proved: PayoffBounds) -> Self {
        match proved.value() {
            Value::Loss => Self::Upper,
            _ => Self::Lower,
        }
    }
}

/// The margins that a search tells apart: at or below `alpha`, and at or above `beta`, a
/// bound is enough.
#[derive(Clone, Copy, Debug)]
struct MarginWindow {
    alpha: i32,
    beta: i32,
}

impl MarginWindow {
    fn negated(self) -> Self {
        Self {
            alpha: -self.beta,
            beta: -self.alpha,
        }
    }

    /// What a search with this window returns for a margin between two bounds, if that
    /// is settled.
    fn settled(self, margins: MarginBounds) -> Option<i32> {
        let MarginBounds { lower, upper } = margins;
        if lower >= self.beta || lower == upper {
            Some(lower)
        } else {
            (upper <= self.alpha).then_some(upper)
        }
    }

    /// The payoffs that a search in this window has proved.
    fn proved<N: Node>(self, margin: i32) -> PayoffBounds {
        let mut proved = PayoffBounds::of_margin::<N>(margin);
        if margin <= self.alpha {
            proved.lower = -NO_BOUND;
        }
        if margin >= self.beta {
            proved.upper = NO_BOUND;
        }
        proved
    }
}

impl SolverRun<'_> {
    pub(super) fn find_margin<G: Solvable>(
        &self,
        position: &G,
        proved: &mut PayoffBounds,
        near: Nearer,
    ) -> Option<i32> {
        match G::Node::MARGIN_WINDOW {
            Some(width) => self.margin_by_windows(position, proved, near, width),
            None => self.margin_by_questions(position, proved, near),
        }
    }

    /// Finds the margin by questions: outward from the bound to which it is likely to
    /// be nearer, in steps that double, and by bisection once it is between two
    /// answers. A question short of the truth costs a tenth of one at its edge, and
    /// what one question has proved answers a part of the next.
    fn margin_by_questions<G: Solvable>(
        &self,
        position: &G,
        proved: &mut PayoffBounds,
        near: Nearer,
    ) -> Option<i32> {
        let node = position.node();
        let mut step = (G::Node::MAX_MARGIN / 32).max(1);
        let mut is_between = false;
        loop {
            let MarginBounds { lower, upper } = proved.margins(&node);
            if lower == upper {
                return Some(lower);
            }
            let guess = match near {
                _ if is_between => (lower + upper + 1).div_euclid(2),
                Nearer::Lower => (lower + step).min(upper),
                Nearer::Upper => (upper - step + 1).max(lower + 1),
            };
            step *= 2;
            let goal = lowest_payoff::<G::Node>(guess);
            let payoff = self.ask(position, goal)?;
            is_between |= (payoff >= goal) == (near == Nearer::Upper);
            proved.learn(goal, payoff);
        }
    }

    /// Finds the margin with windows, one after the other from the bound to which it is
    /// likely to be nearer. To prove that a side cannot get more costs nearly as much
    /// for any number of points beyond the truth, so this should be proved only once,
    /// and for the right number.
    fn margin_by_windows<G: Solvable>(
        &self,
        position: &G,
        proved: &mut PayoffBounds,
        near: Nearer,
        width: i32,
    ) -> Option<i32> {
        let node = position.node();
        loop {
            let MarginBounds { lower, upper } = proved.margins(&node);
            if lower == upper {
                return Some(lower);
            }
            let (mut alpha, mut beta) = (lower - 1, upper + 1);
            match near {
                Nearer::Lower => beta = beta.min(lower + width),
                Nearer::Upper => alpha = alpha.max(upper - width),
            }
            let window = MarginWindow { alpha, beta };
            let Some(margin) = self.margin_within(position, window) else {
                // What was proved before the search was stopped is in the table.
                let hashed = self.shared.table.hashed::<G::Node>(&node.key());
                *proved = proved.intersection(self.shared.known::<G::Node>(&hashed, 0).bounds);
                let MarginBounds { lower, upper } = proved.margins(&node);
                return (lower == upper).then_some(lower);
            };
            *proved = proved.intersection(window.proved::<G::Node>(margin));
        }
    }

    /// The margin if it is within a window, else a bound on the same side of it:
    /// principal variation search (Marsland and Campbell, 1982), with questions to
    /// the solver for the moves after the first.
    fn margin_within<G: Solvable>(&self, position: &G, window: MarginWindow) -> Option<i32> {
        if !position.has_moves() {
            return Some(position.standing().margin_for(position.side()));
        }
        let node = position.node();
        let hashed = self.shared.table.hashed::<G::Node>(&node.key());
        let entry = self.shared.known::<G::Node>(&hashed, 0);
        if let Some(margin) = window.settled(entry.bounds.margins(&node)) {
            return Some(margin);
        }
        let (mut best, mut best_move) = (None, 0);
        for mv in in_order(position, entry.proposed(position)) {
            let alpha = best.map_or(window.alpha, |best| window.alpha.max(best));
            let open = MarginWindow { alpha, ..window };
            let Some(margin) = self.margin_after(&position.play(mv), open, best.is_none()) else {
                // These are not all moves: above alpha the best of them is a lower
                // bound, and there is no upper one.
                if let Some(best) = best.filter(|&best| best > window.alpha) {
                    let reached = PayoffBounds::new(lowest_payoff::<G::Node>(best), NO_BOUND);
                    self.store(&hashed, reached, best_move);
                }
                return None;
            };
            if margin > alpha {
                best_move = mv.bits();
            }
            best = best.max(Some(margin));
            if margin >= window.beta {
                break;
            }
        }
        // There are moves, so there is a best one.
        let best = best?;
        self.store(&hashed, window.proved::<G::Node>(best), best_move);
        Some(best)
    }

    /// The margin of a move for its mover, from the position after it, within a window
    /// as for [`SolverRun::margin_within`].
    fn margin_after<G: Solvable>(
        &self,
        after: &G,
        mut window: MarginWindow,
        is_first: bool,
    ) -> Option<i32> {
        if !is_first {
            let goal = lowest_payoff::<G::Node>(-window.alpha);
            let payoff = self.ask(after, goal)?;
            let margin = -margin_of::<G::Node>(payoff);
            if payoff >= goal || margin >= window.beta {
                return Some(margin);
            }
            window.alpha = margin - 1;
        }
        Some(-self.margin_within(after, window.negated())?)
    }

    /// Stores what was proved about a position in the table, and the move to try first.
    fn store(&self, hashed: &HashedKey, bounds: PayoffBounds, mv: u16) {
        let entry = TableEntry {
            bounds,
            mv,
            // What the questions below it cost is not counted. With the greatest
            // effort, a full bucket gives this entry up last, and among entries of
            // one structure its move is the one to try.
            effort: MAX_EFFORT,
        };
        self.shared.table.put(hashed, entry);
    }
}

/// The moves of a position: first `favourite`, then those that end the game, then the others
/// in the order of a search.
fn in_order<G: Solvable>(position: &G, favourite: Option<G::Move>) -> Vec<G::Move> {
    let node = position.node();
    let mut groups = Vec::new();
    // A goal out of reach, so that all groups are listed.
    node.expand(NO_BOUND, &mut node.state(), &mut groups);
    let mut moves = position.moves().to_vec();
    moves.sort_by_cached_key(|&mv| {
        let group = |mv: G::Move| mv.bits() & G::Node::GROUP_BITS;
        let listed = groups.iter().find(|one| group(one.mv) == group(mv));
        (Some(mv) != favourite, listed.map(|one| one.sort_key))
    });
    moves
}
