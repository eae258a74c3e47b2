//! How threads share the work at a node: deferred search (ABDADA).

use super::line::{Line, extend};
use super::open::OpenNode;
use super::thread::SearchThread;
use crate::game::Move;
use crate::search::score::{Bound, Score};
use crate::search::{Evaluate, Searchable};

/// Least depth at which moves that other threads search are put off.
const DEFER_DEPTH: i32 = 4;

impl<G: Searchable, E: Evaluate<G>> SearchThread<'_, G, E> {
    /// Whether the moves of a node are shared with other threads.
    pub(super) fn is_shared(&self, depth: i32) -> bool {
        depth >= DEFER_DEPTH && !self.shared.busy.is_alone()
    }

    /// Takes over what another thread has found at a node of the principal
    /// variation, if it is better; whether that ends the node.
    pub(super) fn take_over(&self, node: &mut OpenNode<'_, G>, line: &mut Line<G::Move>) -> bool {
        if node.window.is_null() {
            return false;
        }
        let Some((score, mv)) = self.found_meanwhile(node) else {
            return false;
        };
        if score <= node.alpha {
            return false;
        }
        node.update(score, mv, node.alpha);
        extend(line, mv, &Line::new());
        score >= node.beta
    }

    /// The best move of a node and its score as far as another thread has got
    /// with it.
    fn found_meanwhile(&self, node: &OpenNode<'_, G>) -> Option<(Score, G::Move)> {
        let entry = self.shared.table.probe(node.key, node.ply)?;
        let mv = G::Move::from_bits(entry.mv);
        let counts = entry.bound != Bound::Upper && i32::from(entry.depth) >= node.depth;
        (counts && entry.mv != 0 && node.position.is_legal(mv)).then_some((entry.score, mv))
    }
}
