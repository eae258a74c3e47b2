//! Values without a search, and moves that are not worth one.

use super::node::SearchNode;
use super::picker::ScoredMove;
use super::table::Entry;
use super::thread::SearchThread;
use crate::search::score::{Bound, Score, Window};
use crate::search::solver::PROBE_NODES;
use crate::search::{Evaluate, Searchable};

/// Greatest depth at which a static value may take the place of a search.
const CUT_DEPTH: i32 = 3;

/// The score of an entry that shows that the value lies outside the window. A proven bound
/// does so from any depth.
#[inline]
pub(super) fn score_outside(entry: Option<Entry>, window: Window, depth: i32) -> Option<Score> {
    let entry = entry?;
    let (score, is_deep) = (entry.score, i32::from(entry.depth) >= depth);
    let is_above = || score >= window.beta && (is_deep || score.is_win());
    let is_below = || score <= window.alpha && (is_deep || score.is_loss());
    let is_outside = match entry.bound {
        Bound::Exact => is_deep && (is_above() || is_below()),
        Bound::Lower => is_above(),
        Bound::Upper => is_below(),
    };
    is_outside.then_some(score)
}

impl<G: Searchable, E: Evaluate<G>> SearchThread<'_, G, E> {
    /// The exact solver's answer to a null window near the end of the game. The
    /// deeper the search from this node is, the farther from the end it is asked.
    pub(super) fn probe_solver(&mut self, node: &SearchNode<'_, G>) -> Option<Score> {
        let (position, window, depth) = (node.position, node.asked_window, node.depth);
        let left = position.plies_left();
        if left > G::PROBE_PLIES + depth as u32 / 2 {
            return None;
        }
        // A window lies on one side of a draw, so one question is enough.
        let goal = i32::from(window.alpha >= Score::ZERO);
        let most = PROBE_NODES.min(self.nodes_left());
        if most == 0 {
            return None;
        }
        let (payoff, nodes) = self.probe.ask(position, goal, most);
        self.nodes += nodes;
        let reached = payoff? >= goal;
        // If reached, at least a win or a draw; if not, at most a draw or a loss.
        let sign = if reached { goal } else { goal - 1 };
        let score = Score::of_sign(sign, node.ply + left as usize);
        let entry = Entry {
            mv: 0,
            score,
            bound: window.bound_of(score),
            depth: depth.max(left as i32) as u8,
        };
        self.shared.table.store(node.key, node.ply, entry);
        Some(score)
    }

    /// The static value, if it is so far outside the window that a shallow search
    /// would hardly bring it back: above the window this is reverse futility pruning
    /// (static null move pruning), below it a form of razoring.
    pub(super) fn static_cut(&self, node: &SearchNode<'_, G>) -> Option<Score> {
        let (window, depth) = (node.asked_window, node.depth);
        if depth > CUT_DEPTH || !node.position.has_moves() {
            return None;
        }
        let value = (node.static_eval).unwrap_or_else(|| self.eval.value(node.position));
        let tuning = &self.shared.tuning;
        let is_high = value - tuning.cut_above * depth >= window.beta.centipoints();
        let is_low = depth == 1 && value + tuning.cut_below <= window.alpha.centipoints();
        (is_high || is_low).then(|| Score::estimate(value))
    }

    /// Futility pruning of moves: the static value that a move has to exceed, if this
    /// move does not. A position at a greater depth may turn out better by more than its
    /// static value, and so may one whose static value has risen.
    pub(super) fn futility(
        &self,
        node: &SearchNode<'_, G>,
        scored: &ScoredMove<G::Move>,
    ) -> Option<i32> {
        let tuning = &self.shared.tuning;
        let rising = tuning.futility_rising * i32::from(node.rise > 0);
        let margin = tuning.futility + tuning.futility_by_depth * node.depth + rising;
        let most = node.alpha.centipoints() - margin;
        let may_prune = self.shared.is_selective && node.searched > 0 && !node.best.is_loss();
        (may_prune && scored.mover_eval.is_some_and(|eval| eval <= most)).then_some(most)
    }

    /// Records the static value of a position on the path that is being searched,
    /// computing it if it is not known and deep enough to be worth it. Returns it, and by
    /// how much it has risen since the last move of its side ("improving" in chess engines);
    /// 0 if that is not known.
    pub(super) fn record_static_eval(&mut self, node: &SearchNode<'_, G>) -> (Option<i32>, i32) {
        if !G::USES_IMPROVING {
            return (node.static_eval, 0);
        }
        let compute = || (node.depth >= 2).then(|| self.eval.value(node.position));
        let now = node.static_eval.or_else(compute);
        self.static_evals[node.ply] = now;
        let before = (node.ply.checked_sub(2)).and_then(|ply| self.static_evals[ply]);
        (now, before.zip(now).map_or(0, |(before, now)| now - before))
    }
}
