//! Moves that take short proofs.

use rustc_hash::FxHashSet;

use super::SolverRun;
use super::node::{Node, Solvable};
use crate::game::Move;

/// Nodes of the first questions about which of several moves takes the shortest proof.
const MIN_PATIENCE: u64 = 4;
/// What these questions may take at one position, as a multiple of the proof that is known.
const MAX_COST_MULTIPLE: u64 = 2;

/// Searches for moves with shorter proofs than the one that is known.
#[derive(Default)]
pub(in crate::search) struct CheaperMoveSearches {
    /// Of positions that differ only in values, the first one that came.
    places: FxHashSet<u64>,
    /// Nodes that this took: never more than all others.
    nodes: u64,
}

impl SolverRun<'_> {
    /// A move by which the side to move reaches a goal that it is proved to reach, and
    /// that takes a short proof: of the moves whose proof is known the cheapest, else the
    /// first that a search finds, or one that turns out to be cheaper. Positions that
    /// differ only in values have the same cheap moves, so cheaper ones are sought for
    /// the first of these only, and not at all where no two positions are so alike: there
    /// it costs more than it saves. `None` when the search was stopped.
    #[inline(never)]
    pub(in crate::search) fn move_reaching<G: Solvable>(
        &self,
        position: &G,
        goal: i32,
        searches: &mut CheaperMoveSearches,
    ) -> Option<G::Move> {
        let table = self.shared.table;
        let known_cost = |mv: G::Move| {
            let hashed = table.hashed::<G::Node>(&position.play(mv).node().key());
            let effort = table.effort_to_refute::<G::Node>(&hashed, 1 - goal)?;
            Some((1u64 << effort, mv))
        };
        let (moves, node, before) = (position.moves(), position.node(), self.nodes());
        let proved = moves.iter().filter_map(|&mv| known_cost(mv));
        let (cost, mv) = match proved.min_by_key(|&(cost, _)| cost) {
            Some(proved) => proved,
            None => {
                let stop = &self.shared.budget.stop;
                let reaching = self.worker(&node, stop, u64::MAX).find_move(&node, goal)?;
                let keeps = |mv: G::Move| match reaching {
                    // Bounds on all ends decide without a move.
                    0 => Some(self.ask(&position.play(mv), 1 - goal)? < 1 - goal),
                    reaching => Some(mv.bits() == reaching),
                };
                let mv = moves.iter().find(|&&mv| keeps(mv) == Some(true))?;
                (self.nodes() - before, *mv)
            }
        };
        let hashed = table.hashed::<G::Node>(&node.key());
        let has_no_similar = G::Node::STRUCTURE == [u64::MAX; 4];
        if has_no_similar || !searches.places.insert(hashed.structure()) {
            return Some(mv);
        }
        let (before, others) = (self.nodes(), self.nodes() - searches.nodes);
        let room = (MAX_COST_MULTIPLE * cost).min(others.saturating_sub(searches.nodes));
        let cheaper = self.cheaper_move(position, goal, cost, room);
        searches.nodes += self.nodes() - before;
        Some(cheaper.unwrap_or(mv))
    }

    /// A move by which the side to move reaches a goal, found by questions of few nodes
    /// about all moves, then of more, below `cost` for each and within `room` for all.
    fn cheaper_move<G: Solvable>(
        &self,
        position: &G,
        goal: i32,
        cost: u64,
        mut room: u64,
    ) -> Option<G::Move> {
        let moves = position.moves();
        let mut patience = MIN_PATIENCE;
        while patience * moves.len() as u64 <= room && patience < cost {
            room -= patience * moves.len() as u64;
            let refuted = |&mv: &G::Move| {
                let before = self.nodes();
                let payoff = self.ask_within(&position.play(mv), 1 - goal, patience)?;
                let spent = self.nodes() - before;
                // What is known already costs nothing now, but its proof is longer.
                (payoff < 1 - goal && spent > 0).then_some((spent, mv))
            };
            let found = moves.iter().filter_map(refuted);
            if let Some((_, mv)) = found.min_by_key(|&(spent, _)| spent) {
                return Some(mv);
            }
            patience *= 4;
        }
        None
    }
}
