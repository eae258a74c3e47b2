//! One simulation: selection down the tree, expansion, and back-up.

use super::back_up::{Path, back_up, conclude_whole};
use super::bounds::Bounds;
use super::edge::Edge;
use super::expand::Expander;
use super::root_moves::RootMoves;
use super::select::select;
use super::tree::{Tree, TreeNode};
use super::tuning::Squash;
use crate::game::Move;
use crate::search::turns::InTurns;
use crate::search::{Evaluate, Searchable};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Simulated {
    Done,
    /// Other threads were busy wherever it wanted to go, or nothing is left to
    /// find out.
    Blocked,
    Full,
}

pub(super) struct Walker<'a, G: Searchable, E> {
    pub(super) tree: &'a Tree,
    pub(super) eval: &'a E,
    pub(super) root_moves: &'a RootMoves,
    pub(super) expander: Expander<'a, G>,
    pub(super) simulations: u64,
    pub(super) plies: u64,
    pub(super) seldepth: usize,
    pub(super) in_turns: Option<InTurns<'a>>,
}

impl<'a, G: Searchable, E: Evaluate<G>> Walker<'a, G, E> {
    pub(super) fn simulate(&mut self, root: TreeNode<'a>, position: &G) -> Simulated {
        let mut path = Path::new();
        let step = self.descend(root, *position, &mut path);
        let (child, value) = match step {
            Ok(end) => end,
            Err(step) => {
                path.iter().for_each(|(_, edge)| edge.leave());
                self.in_turns.iter_mut().for_each(InTurns::step);
                return step;
            }
        };
        self.simulations += 1;
        self.plies += path.len() as u64;
        self.seldepth = self.seldepth.max(path.len());
        back_up(&path, child, value);
        Simulated::Done
    }

    /// Goes down to a new node or a proven one. Returns that node (none for a
    /// decided edge) and its value for the side to move there.
    fn descend(
        &mut self,
        root: TreeNode<'a>,
        mut position: G,
        path: &mut Path<'a>,
    ) -> Result<(Option<TreeNode<'a>>, i16), Simulated> {
        let mut node = root;
        loop {
            if !path.is_empty()
                && let Some(score) = node.bounds().solved()
            {
                return Ok((Some(node), Squash::of_proof(score)));
            }
            let Some(edge) = self.choose(node, path.is_empty(), &position)? else {
                // Edges that are decided from the start may decide the node
                // without ever being tried.
                conclude_whole(node);
                match node.bounds().solved() {
                    Some(score) if !path.is_empty() => {
                        return Ok((Some(node), Squash::of_proof(score)));
                    }
                    _ => return Err(Simulated::Blocked),
                }
            };
            if path.try_push((node, edge)).is_err() {
                return Err(Simulated::Blocked);
            }
            edge.enter();
            if let Some(score) = edge.results().bounds.solved() {
                return Ok((None, Squash::of_proof(-score)));
            }
            position = position.play(G::Move::from_bits(edge.mv()));
            node = match edge.claim() {
                Some(link) => self.tree.node(link).ok_or(Simulated::Blocked)?,
                None => match self.tree.find(position.key()) {
                    Some(known) => {
                        edge.link(known.at);
                        known
                    }
                    None => {
                        self.in_turns.iter_mut().for_each(InTurns::step);
                        let own = -i32::from(edge.prospects().0);
                        let new = self
                            .expander
                            .expand(self.tree, &position, self.eval, own, false);
                        let Some(new) = new else {
                            edge.release();
                            return Err(Simulated::Full);
                        };
                        self.tree.publish(new);
                        edge.link(new.at);
                        return Ok((Some(new), new.best()));
                    }
                },
            };
        }
    }

    /// The most promising move of a node, if one can still matter. Widens the
    /// node if all the moves that it holds were tried.
    fn choose(
        &mut self,
        node: TreeNode<'a>,
        is_root: bool,
        position: &G,
    ) -> Result<Option<Edge<'a>>, Simulated> {
        let (mut edge, mut untried) = self.select(node, is_root, self.simulations);
        if is_root && edge.is_none() {
            // Perhaps all moves but the leaders are decided.
            (edge, untried) = self.select(node, is_root, 0);
        }
        if untried || node.is_whole() {
            return Ok(edge);
        }
        let widened = self.expander.widen(node, position, self.eval);
        widened.ok_or(Simulated::Full)?;
        let (wider, _) = self.select(node, is_root, self.simulations);
        Ok(wider.or(edge))
    }

    /// The most promising move of a node; at the root, of those that simulation
    /// number `turn` may choose.
    fn select(&self, node: TreeNode<'a>, is_root: bool, turn: u64) -> (Option<Edge<'a>>, bool) {
        if !is_root {
            return select(node, node.edges(), node.bounds().lower);
        }
        let admitted = |edge: &Edge<'_>| self.root_moves.admits(edge.mv(), turn);
        // The root's moves may be restricted, and a move outside the restriction may
        // have proved the node's lower bound, so that bound does not count here.
        select(node, node.edges().filter(admitted), Bounds::UNKNOWN.lower)
    }
}
