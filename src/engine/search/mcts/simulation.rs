//! One simulation: selection down the tree, expansion, and back-up.

use std::sync::atomic::Ordering::Relaxed;

use super::back_up::{Path, back_up, update_whole_node};
use super::edge::Edge;
use super::expand::Expander;
use super::score_bounds::ScoreBounds;
use super::select::select;
use super::shared::{Shared, ThreadCounts};
use super::tree::TreeNode;
use super::tuning::ResultScale;
use crate::game::Move;
use crate::search::threads::do_other_work;
use crate::search::turns::InTurns;
use crate::search::{Evaluate, Searchable};
use crate::stop::Stop;

/// Simulations between two looks at the clock, or for other work.
pub(super) const CLOCK_PERIOD: u64 = 8;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Simulated {
    Done,
    /// Other threads were busy wherever it wanted to go, or nothing is left to
    /// find out.
    Blocked,
    Full,
}

pub(super) struct Simulator<'s, 'a, G: Searchable, E> {
    shared: &'s Shared<'a, G, E>,
    counts: &'s ThreadCounts,
    root: TreeNode<'a>,
    expander: Expander<'a, G>,
    in_turns: Option<InTurns<'s>>,
}

impl<'s, 'a, G: Searchable, E: Evaluate<G>> Simulator<'s, 'a, G, E> {
    pub(super) fn new(shared: &'s Shared<'a, G, E>, index: usize, root: TreeNode<'a>) -> Self {
        Self {
            shared,
            counts: &shared.counts[index],
            root,
            expander: Expander::new(shared.probe.clone()),
            in_turns: shared.turns.as_ref().map(|turns| turns.join(index)),
        }
    }

    /// Simulations of this thread, in the whole search.
    pub(super) fn simulations(&self) -> u64 {
        self.counts.simulations.load(Relaxed)
    }

    /// A helper's work, until it is stopped or the arena is full.
    pub(super) fn help(&mut self, stop: &Stop) {
        while !stop.is_known_stopped()
            && let Some(step) = self.simulate()
        {
            if step != Simulated::Done || self.simulations().is_multiple_of(CLOCK_PERIOD) {
                do_other_work();
            }
            match step {
                Simulated::Done => {}
                Simulated::Blocked => std::thread::yield_now(),
                Simulated::Full => {
                    self.shared.full.store(true, Relaxed);
                    break;
                }
            }
        }
    }

    /// Tries a simulation; `None` if none is left.
    pub(super) fn simulate(&mut self) -> Option<Simulated> {
        let left = self.shared.left.as_ref();
        if let Some(left) = left {
            let take = |left: u64| left.checked_sub(1);
            left.fetch_update(Relaxed, Relaxed, take).ok()?;
        }
        let mut path = Path::new();
        let (child, value) = match self.descend(&mut path) {
            Ok(end) => end,
            Err(step) => {
                path.iter().for_each(|(_, edge)| edge.leave());
                self.in_turns.iter_mut().for_each(InTurns::step);
                if let Some(left) = left {
                    left.fetch_add(1, Relaxed);
                }
                return Some(step);
            }
        };
        self.counts.add(path.len() as u64);
        back_up(&path, child, value);
        Some(Simulated::Done)
    }

    /// Goes down to a new node or a proven one. Returns that node (none for a
    /// decided edge) and its value for the side to move there.
    fn descend(&mut self, path: &mut Path<'a>) -> Result<(Option<TreeNode<'a>>, i16), Simulated> {
        let Shared { tree, eval, .. } = *self.shared;
        let (mut node, mut position) = (self.root, self.shared.request.position);
        loop {
            if !path.is_empty()
                && let Some(score) = node.bounds().solved()
            {
                return Ok((Some(node), ResultScale::of_proof(score)));
            }
            let Some(edge) = self.choose(node, path.is_empty(), &position)? else {
                // Edges that are decided from the start may decide the node
                // without ever being tried.
                update_whole_node(node);
                match node.bounds().solved() {
                    Some(score) if !path.is_empty() => {
                        return Ok((Some(node), ResultScale::of_proof(score)));
                    }
                    _ => return Err(Simulated::Blocked),
                }
            };
            if path.try_push((node, edge)).is_err() {
                return Err(Simulated::Blocked);
            }
            edge.enter();
            if let Some(score) = edge.results().bounds.solved() {
                return Ok((None, ResultScale::of_proof(-score)));
            }
            position = position.play(G::Move::from_bits(edge.mv()));
            node = match edge.claim() {
                Some(link) => tree.node(link).ok_or(Simulated::Blocked)?,
                None => match tree.find(position.key()) {
                    Some(child) => {
                        edge.link(child.at);
                        child
                    }
                    None => {
                        self.in_turns.iter_mut().for_each(InTurns::step);
                        let static_value = -i32::from(edge.prospects().value);
                        let expander = &mut self.expander;
                        let new = expander.expand(tree, &position, eval, static_value, false);
                        let Some(new) = new else {
                            edge.link(0);
                            return Err(Simulated::Full);
                        };
                        tree.publish(new);
                        edge.link(new.at);
                        return Ok((Some(new), new.minimax()));
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
        let turn = self.simulations();
        let (mut edge, mut untried) = self.select(node, is_root, turn);
        if is_root && edge.is_none() {
            // Perhaps all moves but the leaders are decided.
            (edge, untried) = self.select(node, is_root, 0);
        }
        if untried || node.is_whole() {
            return Ok(edge);
        }
        let widened = self.expander.widen(node, position, self.shared.eval);
        widened.ok_or(Simulated::Full)?;
        let (wider, _) = self.select(node, is_root, turn);
        Ok(wider.or(edge))
    }

    /// The most promising move of a node; at the root, of those that simulation
    /// number `turn` may choose.
    fn select(&self, node: TreeNode<'a>, is_root: bool, turn: u64) -> (Option<Edge<'a>>, bool) {
        if !is_root {
            return select(node, node.edges(), node.bounds().lower);
        }
        let admitted = |edge: &Edge<'_>| self.shared.root_moves.may_choose(edge.mv(), turn);
        // The root's moves may be restricted, and a move outside the restriction may
        // have proved the node's lower bound, so that bound does not count here.
        let edges = node.edges().filter(admitted);
        select(node, edges, ScoreBounds::UNKNOWN.lower)
    }
}
