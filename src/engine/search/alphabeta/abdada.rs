//! How threads share the work at a node: deferred search (ABDADA), and what they tell each
//! other about moves and nodes.

use super::node::SearchNode;
use super::picker::{Picker, ScoredMove};
use super::pruning::score_outside;
use super::table::Entry;
use super::thread::{Pv, SearchThread, SharedPathNode, Unwind, extend, unwind_if};
use crate::game::Move;
use crate::search::score::{Bound, Score, Window};
use crate::search::shared_moves::ClaimedMove;
use crate::search::{Evaluate, Searchable};

/// Least depth at which threads share a node with a null window.
const DEFER_DEPTH: i32 = 4;

/// What this thread does with a move of a node that threads may share.
pub(super) enum MoveDecision<'a> {
    /// Search it; if threads share the node, others defer the move until this is dropped.
    Search(Option<ClaimedMove<'a>>),
    /// It comes later: another thread is searching it.
    Deferred,
    /// Another thread has found that it is no better than alpha.
    Refuted(Score),
    /// End the node: another thread's move does that.
    Done,
}

impl<'a, G: Searchable, E: Evaluate<G>> SearchThread<'a, G, E> {
    pub(super) fn is_shared(&self, window: Window, depth: i32) -> bool {
        (depth >= DEFER_DEPTH || !window.is_null()) && !self.shared.shared_moves.is_alone()
    }

    /// What to do with the move handed out last; `before` others come before it. Threads do
    /// not divide the moves of a node where one of the first will probably cut off: they
    /// would search most of them in vain.
    pub(super) fn decide_move(
        &self,
        node: &mut SearchNode<'_, G>,
        picker: &mut Picker<'_, G>,
        scored: ScoredMove<G::Move>,
        before: usize,
        pv: &mut Pv<G::Move>,
    ) -> MoveDecision<'a> {
        if !node.is_shared || node.searched == 0 {
            return MoveDecision::Search(None);
        }
        if self.take_over(node, pv) {
            return MoveDecision::Done;
        }
        let key = key_of_moves_at(node);
        if let Some(score) = self.shared_refutation(key, scored.mv, node.alpha, node.ply) {
            return MoveDecision::Refuted(score);
        }
        if node.expects_cut {
            return MoveDecision::Search(None);
        }
        let claim = self.shared.shared_moves.claim(key, scored.mv.bits());
        if claim.is_none() && picker.defer(scored, before) {
            return MoveDecision::Deferred;
        }
        MoveDecision::Search(claim)
    }

    /// The score of a move that another thread has found to be no better than alpha.
    /// Threads differ in the order of moves, and so in reductions: the table need not hold
    /// an answer for the position after the move.
    pub(super) fn shared_refutation(
        &self,
        key: u64,
        mv: G::Move,
        alpha: Score,
        ply: usize,
    ) -> Option<Score> {
        let bound = self.shared.shared_moves.bound(key, mv.bits())?;
        let score = Score::from_table(bound, ply);
        (score <= alpha).then_some(score)
    }

    /// Tells the other threads that a move is no better than alpha.
    pub(super) fn publish_refutation(&self, key: u64, mv: G::Move, score: Score, ply: usize) {
        let bound = score.to_table(ply);
        self.shared.shared_moves.store_bound(key, mv.bits(), bound);
    }

    /// Sets `pv` to the moves along which the table holds a position's exact value.
    pub(super) fn pv_from_table(
        &self,
        position: &G,
        mut value: Score,
        ply: usize,
        pv: &mut Pv<G::Move>,
    ) {
        pv.clear();
        let (table, mut position) = (&self.shared.table, *position);
        while let Some(entry) = table.probe(self.key(&position), ply + pv.len())
            && (entry.bound, entry.score) == (Bound::Exact, value)
            && let mv = G::Move::from_bits(entry.mv)
            && entry.mv != 0
            && position.is_legal(mv)
        {
            pv.push(mv);
            (position, value) = (position.play(mv), -value);
        }
    }

    /// Notes that another thread may answer a node while this one is below it.
    pub(super) fn push_shared(&mut self, node: &SearchNode<'_, G>) {
        if node.is_shared {
            self.shared_path.push(SharedPathNode {
                key: node.key,
                ply: node.ply,
                window: node.asked_window,
                depth: node.depth,
            });
        }
    }

    /// Ends what [`Self::push_shared`] began.
    pub(super) fn pop_shared(&mut self, node: &SearchNode<'_, G>) {
        if node.is_shared {
            self.shared_path.pop();
        }
    }

    /// Begins to unwind to the highest node above that another thread has answered.
    pub(super) fn unwind_if_answered(&mut self) -> Result<(), Unwind> {
        self.unwinding_to = self.shared_path.iter().find_map(|node| {
            let entry = self.shared.table.probe(node.key, node.ply);
            Some((node.ply, answer(entry, node.window, node.depth)?))
        });
        unwind_if(self.unwinding_to.is_some())
    }

    /// Another thread's answer for a shared node, if this thread has unwound to it from a
    /// move, or found that move no better than alpha.
    pub(super) fn answered_meanwhile(
        &mut self,
        node: &SearchNode<'_, G>,
        score: Result<Score, Unwind>,
        pv: &mut Pv<G::Move>,
    ) -> Option<Score> {
        if !node.is_shared {
            return None;
        }
        let score = match score {
            Err(Unwind) => self.unwinding_to.take_if(|(ply, _)| *ply == node.ply)?.1,
            Ok(score) if score > node.alpha => return None,
            Ok(_) => {
                let entry = self.shared.table.probe(node.key, node.ply);
                answer(entry, node.asked_window, node.depth)?
            }
        };
        self.pv_from_table(node.position, score, node.ply, pv);
        Some(score)
    }

    pub(super) fn publish_node_refutation(
        &self,
        node: &SearchNode<'_, G>,
        mv: G::Move,
        score: Score,
    ) {
        if node.is_shared {
            self.publish_refutation(key_of_moves_at(node), mv, score, node.ply);
        }
    }

    pub(super) fn publish_node_bound(&self, node: &SearchNode<'_, G>) {
        if node.is_shared {
            let entry = node.entry(Bound::Lower);
            self.shared.table.store(node.key, node.ply, entry);
        }
    }

    /// Takes over what another thread has found at a node with an open window, if it
    /// is better. Returns whether it reaches beta.
    fn take_over(&self, node: &mut SearchNode<'_, G>, pv: &mut Pv<G::Move>) -> bool {
        if node.asked_window.is_null() {
            return false;
        }
        let Some(entry) = self.shared.table.probe(node.key, node.ply) else {
            return false;
        };
        let (score, mv) = (entry.score, G::Move::from_bits(entry.mv));
        let counts = entry.bound != Bound::Upper && i32::from(entry.depth) >= node.depth;
        let is_better = counts && score > node.alpha && !score.is_decisive() && entry.mv != 0;
        if !is_better || !node.position.is_legal(mv) {
            return false;
        }
        node.update(score, mv);
        let mut below = Pv::new();
        self.pv_from_table(&node.position.play(mv), -score, node.ply + 1, &mut below);
        extend(pv, mv, &below);
        score >= node.beta
    }
}

/// The key of claims and of what threads tell each other about the moves of a node. What
/// they find at one depth is no answer at another; nor is what they find with a null window,
/// which reduces more, for an open one.
pub(super) fn key_of_moves(key: u64, depth: i32, is_null: bool) -> u64 {
    key ^ (depth as u64) << 33 ^ u64::from(is_null) << 32
}

fn key_of_moves_at<G: Searchable>(node: &SearchNode<'_, G>) -> u64 {
    key_of_moves(node.key, node.depth, node.asked_window.is_null())
}

/// What another thread has found out about a node: a bound outside its window, or its exact
/// value. The pv of a win or a loss is searched to its end.
pub(super) fn answer(entry: Option<Entry>, window: Window, depth: i32) -> Option<Score> {
    let is_value = |entry: &Entry| {
        entry.bound == Bound::Exact && i32::from(entry.depth) >= depth && !entry.score.is_decisive()
    };
    let value = entry.filter(is_value).map(|entry| entry.score);
    value.or_else(|| score_outside(entry, window, depth))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_answers_any_window_unless_its_pv_would_be_cut() {
        let (value, win) = (Score::estimate(10), Score::win_in(9));
        for (bound, score, depth, answers) in [
            (Bound::Exact, value, 3, true),
            (Bound::Exact, value, 2, false),
            (Bound::Lower, value, 3, false),
            (Bound::Exact, win, 3, false),
        ] {
            let entry = Some(Entry {
                mv: 0,
                depth,
                score,
                bound,
            });
            let found = answer(entry, Window::FULL, 3);
            assert_eq!(
                found,
                answers.then_some(score),
                "{bound:?} {score:?} {depth}"
            );
        }
    }
}
