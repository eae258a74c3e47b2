//! How threads share the work at a node: deferred search (ABDADA).

use super::open::OpenNode;
use super::picker::{Picker, Ranked};
use super::pruning::{entry_cuts, score_outside};
use super::table::Entry;
use super::thread::{Line, SearchThread, extend};
use crate::game::Move;
use crate::search::busy::BusyMove;
use crate::search::score::{Bound, Score, Window};
use crate::search::{Evaluate, Searchable};

/// Least depth at which moves that other threads are searching are deferred.
const DEFER_DEPTH: i32 = 4;

pub(super) enum Turn<'a> {
    /// Now; if threads share the node, others defer the move until this is dropped.
    Now(Option<BusyMove<'a>>),
    /// After the other moves, as another thread is searching it.
    Later,
    /// Not at all: another thread's move ends the node.
    Over,
}

impl<'a, G: Searchable, E: Evaluate<G>> SearchThread<'a, G, E> {
    pub(super) fn is_shared(&self, depth: i32) -> bool {
        depth >= DEFER_DEPTH && !self.shared.busy.is_alone()
    }

    /// When to search the move handed out last; `before` others come before it.
    pub(super) fn turn(
        &self,
        node: &mut OpenNode<'_, G>,
        picker: &mut Picker<'_, G>,
        ranked: Ranked<G::Move>,
        before: usize,
        line: &mut Line<G::Move>,
    ) -> Turn<'a> {
        if !node.is_shared || node.searched == 0 {
            return Turn::Now(None);
        }
        if self.take_over(node, line) {
            return Turn::Over;
        }
        let claim = self.shared.busy.claim(node.key, ranked.mv.bits());
        if claim.is_none() && picker.defer(ranked, before) {
            return Turn::Later;
        }
        Turn::Now(claim)
    }

    /// The value that another thread has found for a node with an open window that is too
    /// shallow to be shared, with a line of one move. The line of a win or a loss is searched
    /// to its end.
    pub(super) fn known_value(
        &self,
        position: &G,
        entry: Option<Entry>,
        window: Window,
        depth: i32,
        line: &mut Line<G::Move>,
    ) -> Option<Score> {
        if window.is_null() || depth >= DEFER_DEPTH || self.shared.busy.is_alone() {
            return None;
        }
        let entry = entry.filter(|entry| entry.bound == Bound::Exact && !entry.score.is_decisive());
        let entry = entry.filter(|entry| i32::from(entry.depth) >= depth)?;
        let mv = G::Move::from_bits(entry.mv);
        if entry.mv != 0 && position.is_legal(mv) {
            extend(line, mv, &Line::new());
        }
        Some(entry.score)
    }

    /// Notes that another thread may answer a node while this one is below it.
    pub(super) fn enter(&mut self, node: &OpenNode<'_, G>) {
        if node.is_shared {
            let (key, ply, window, depth) = (node.key, node.ply, node.window, node.depth);
            self.entered.push((key, ply, window, depth));
        }
    }

    /// `None` if another thread has answered a node above: then the search goes back there.
    pub(super) fn stay(&mut self) -> Option<()> {
        self.leaving = self.entered.iter().find_map(|&(key, ply, window, depth)| {
            let entry = self.shared.table.probe(key, ply);
            Some((ply, score_outside(entry, window, depth)?))
        });
        self.leaving.is_none().then_some(())
    }

    /// The answer of another thread for the node that was [entered](Self::enter): if this
    /// thread has left the search of a move for it, or found that move no better than alpha.
    pub(super) fn answered_meanwhile(
        &mut self,
        node: &OpenNode<'_, G>,
        found: Option<Score>,
    ) -> Option<Score> {
        if !node.is_shared {
            return None;
        }
        self.entered.pop();
        match found {
            None => {
                let (_, answer) = self.leaving.take_if(|(ply, _)| *ply == node.ply)?;
                Some(answer)
            }
            Some(score) if score > node.alpha => None,
            Some(_) => {
                let entry = self.shared.table.probe(node.key, node.ply);
                entry_cuts(entry, node.window, node.depth)
            }
        }
    }

    pub(super) fn tell_the_others(&self, node: &OpenNode<'_, G>) {
        if node.is_shared {
            let entry = node.entry(Bound::Lower);
            self.shared.table.store(node.key, node.ply, entry);
        }
    }

    /// Takes over what another thread has found at a node with an open window, if it
    /// is better. Returns whether that ends the node.
    fn take_over(&self, node: &mut OpenNode<'_, G>, line: &mut Line<G::Move>) -> bool {
        if node.window.is_null() {
            return false;
        }
        let Some(entry) = self.shared.table.probe(node.key, node.ply) else {
            return false;
        };
        let (score, mv) = (entry.score, G::Move::from_bits(entry.mv));
        let counts = entry.bound != Bound::Upper && i32::from(entry.depth) >= node.depth;
        let is_better = counts && score > node.alpha && entry.mv != 0;
        if !is_better || !node.position.is_legal(mv) {
            return false;
        }
        node.update(score, mv, node.alpha);
        extend(line, mv, &Line::new());
        score >= node.beta
    }
}
