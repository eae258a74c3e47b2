//! The node function: principal variation search, fail-soft.
//!
//! Marsland and Campbell's refinement of alpha-beta: the first move is searched with
//! the whole window, the others with a null window that only asks whether they are
//! better, and with the whole window again if they are.

use super::abdada::{MoveDecision, answer};
use super::node::SearchNode;
use super::picker::Picker;
use super::pruning::score_outside;
use super::reductions::LateMove;
use super::table::Entry;
use super::thread::{Pv, SearchThread, Unwind, extend};
use crate::game::Game;
use crate::search::score::{Bound, Score, Window};
use crate::search::{Evaluate, Searchable};

/// Searches that are less deep teach the corrections of the evaluation only noise.
const LEARN_DEPTH: i32 = 2;
/// The most moves before a cutoff whose histories are lowered.
const MAX_PENALISED: usize = 32;

impl<G: Searchable, E: Evaluate<G>> SearchThread<'_, G, E> {
    /// The value of a position `ply` plies below the root, searched `depth` plies
    /// deep; fail-soft. `static_eval` is its static value, if that has been computed.
    pub(super) fn search(
        &mut self,
        position: &G,
        window: Window,
        depth: i32,
        ply: usize,
        pv: &mut Pv<G::Move>,
        static_eval: Option<i32>,
    ) -> Result<Score, Unwind> {
        self.visit(ply)?;
        pv.clear();
        if depth <= 0 {
            return Ok(self.leaf(position, ply, static_eval));
        }
        // Mate distance pruning: no game through this node ends before it. The side
        // that cannot move may be the winner.
        let beta = window.beta.min(Score::win_in(ply));
        let alpha = window.alpha.max(Score::loss_in(ply));
        if alpha >= beta {
            return Ok(alpha);
        }

        let key = self.key(position);
        let entry = self.shared.table.probe(key, ply);
        let mut node = SearchNode {
            position,
            key,
            depth,
            ply,
            asked_window: window,
            alpha,
            beta,
            best: -Score::INFINITY,
            best_move: 0,
            searched: 0,
            static_eval,
            rise: 0,
            is_shared: self.is_shared(window, depth),
            expects_cut: window.is_null() && entry.is_some_and(|e| e.bound == Bound::Lower),
        };
        if let Some(score) = self.known(&node, entry, pv) {
            return Ok(score);
        }
        (node.static_eval, node.rise) = self.record_static_eval(&node);
        let table_move = entry.map_or(0, |entry| entry.mv);
        if table_move == 0
            && self.may_cut(window)
            && let Some(score) = self.static_cut(&node)
        {
            return Ok(score);
        }
        self.search_moves(node, table_move, pv)
    }

    /// Searches the moves of a node until one of them cuts off.
    fn search_moves(
        &mut self,
        mut node: SearchNode<'_, G>,
        table_move: u16,
        pv: &mut Pv<G::Move>,
    ) -> Result<Score, Unwind> {
        let (position, depth) = (node.position, node.depth);
        let mut below = Pv::new();
        let mut child_values = self.eval.child_values(position);
        let mut picker = Picker::new(
            position,
            table_move,
            depth,
            &self.shared.tuning,
            self.history,
        );
        loop {
            let wants_all = self.wants_all(&node);
            let Some(scored) = picker.next(&mut child_values, wants_all) else {
                break;
            };
            if let Some(most) = self.futility(&node, &scored) {
                picker.prune(most);
                continue;
            }
            let mv = scored.mv;
            let moves_before = picker.moves_before(&scored, node.searched);
            // Held until the others are told of the move.
            let _claim = match self.decide_move(&mut node, &mut picker, scored, moves_before, pv) {
                MoveDecision::Search(claim) => claim,
                MoveDecision::Deferred => continue,
                MoveDecision::Refuted(score) => {
                    node.searched += 1;
                    node.update(score, mv);
                    continue;
                }
                MoveDecision::Done => break,
            };
            let next = position.play(mv);
            let child_eval = match scored.mover_eval {
                // At the last ply moves have no static values. The first one usually cuts
                // off, so what the children have in common is not computed for it.
                None if depth == 1 && node.searched > 0 => Some(child_values(mv, Some(&next))),
                eval => eval.map(|eval| -eval),
            };
            let late = LateMove {
                moves_before,
                is_variant: scored.is_variant,
                has_null_window: node.asked_window.is_null(),
                rise: node.rise,
            };
            let reduction = self.late_move_reduction(depth, &late);
            self.push_shared(&node);
            let score = self.search_child(&node, &next, reduction, child_eval, &mut below);
            self.pop_shared(&node);
            if let Some(answer) = self.answered_meanwhile(&node, score, pv) {
                return Ok(answer);
            }
            let score = score?;
            node.searched += 1;
            if !node.update(score, mv) {
                self.publish_node_refutation(&node, mv, score);
                continue;
            }
            extend(pv, mv, &below);
            if score >= node.beta {
                let others = picker.tried_moves().filter(|&other| other != mv);
                let bonus = self.shared.tuning.history_bonus * depth * depth;
                self.history
                    .reward(position, mv, others.take(MAX_PENALISED), bonus);
                break;
            }
            self.publish_node_bound(&node);
        }
        Ok(self.finish_node(&node))
    }

    /// The value of a node whose moves were searched; learns from it, and stores it.
    fn finish_node(&self, node: &SearchNode<'_, G>) -> Score {
        if node.searched == 0 {
            return final_score(node.position, node.ply);
        }
        let bound = node.asked_window.bound_of(node.best);
        if node.depth >= LEARN_DEPTH && !node.best.is_decisive() {
            (self.eval).learn(
                node.position,
                node.static_eval,
                node.best,
                bound,
                node.depth,
            );
        }
        let entry = node.entry(bound);
        self.shared.table.store(node.key, node.ply, entry);
        node.best
    }

    /// What answers a node without its moves: the table, another thread (then `pv` is set,
    /// too), or the exact solver.
    #[inline]
    fn known(
        &mut self,
        node: &SearchNode<'_, G>,
        entry: Option<Entry>,
        pv: &mut Pv<G::Move>,
    ) -> Option<Score> {
        let (window, depth) = (node.asked_window, node.depth);
        if window.is_null()
            && let Some(score) = score_outside(entry, window, depth)
        {
            return Some(score);
        }
        if node.is_shared
            && let Some(score) = answer(entry, window, depth)
        {
            self.pv_from_table(node.position, score, node.ply, pv);
            return Some(score);
        }
        match self.may_cut(window) {
            true => self.probe_solver(node),
            false => None,
        }
    }

    /// Whether a bound on the value is enough, so that one may be guessed or probed.
    fn may_cut(&self, window: Window) -> bool {
        self.shared.is_selective && window.is_null() && !window.is_decisive()
    }

    /// The value of a child for the side to move at the node. The first child is
    /// searched with the whole window, the others with a null window above alpha,
    /// first with the depth reduced by `reduction`; those that are better, with the
    /// whole window.
    fn search_child(
        &mut self,
        node: &SearchNode<'_, G>,
        next: &G,
        reduction: i32,
        child_eval: Option<i32>,
        below: &mut Pv<G::Move>,
    ) -> Result<Score, Unwind> {
        let (depth, ply) = (node.depth - 1, node.ply + 1);
        let (alpha, beta) = (node.alpha, node.beta);
        let whole = Window { alpha, beta };
        if node.searched == 0 {
            return Ok(-self.search(next, -whole, depth, ply, below, child_eval)?);
        }
        let null = Window::null_above(alpha);
        if reduction > 0 {
            let score = -self.search(next, -null, depth - reduction, ply, below, child_eval)?;
            if score <= alpha {
                return Ok(score);
            }
        }
        let score = -self.search(next, -null, depth, ply, below, child_eval)?;
        if score <= alpha || score >= beta {
            return Ok(score);
        }
        Ok(-self.search(next, -whole, depth, ply, below, child_eval)?)
    }

    /// Whether the less likely variants have to be searched, too: if all else loses,
    /// and at the end of the principal variation, where leaving out a variant would
    /// show in the score.
    fn wants_all(&self, node: &SearchNode<'_, G>) -> bool {
        let is_end = node.depth == 1 && !node.asked_window.is_null();
        !self.shared.is_selective || node.best.is_loss() || is_end
    }

    pub(super) fn leaf(&self, position: &G, ply: usize, static_eval: Option<i32>) -> Score {
        if position.has_moves() {
            Score::estimate(static_eval.unwrap_or_else(|| self.eval.value(position)))
        } else {
            final_score(position, ply)
        }
    }
}

fn final_score<G: Game>(position: &G, ply: usize) -> Score {
    let sign = position.standing().outcome().sign_for(position.side());
    Score::of_sign(sign, ply)
}
