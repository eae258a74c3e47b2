//! One simulation: down the tree by PUCT, a new node, and back up.

use std::sync::atomic::AtomicU16;
use std::sync::atomic::Ordering::Relaxed;

use arrayvec::ArrayVec;

use super::bounds::Bounds;
use super::edge::{Claim, Edge};
use super::expand::Expander;
use super::tree::{Node, Tree};
use super::tuning::Squash;
use crate::game::Move;
use crate::search::score::{MAX_PLY, Score};
use crate::search::{Evaluate, Searchable};

/// How a simulation went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// It added its result to the tree.
    Done,
    /// Other threads were everywhere it wanted to go, or nothing is left to
    /// find out.
    Blocked,
    /// The arena is full.
    Full,
}

/// The moves of the root that a simulation may choose.
#[derive(Debug)]
pub(super) struct RootMoves {
    /// Packed moves; empty: all.
    pub(super) wanted: Vec<u16>,
    /// The best moves so far but the last wanted line's. Every other
    /// simulation leaves some of them out, so that all lines wanted get their
    /// share.
    pub(super) leaders: Vec<AtomicU16>,
}

impl RootMoves {
    pub(super) fn allows(&self, mv: u16) -> bool {
        self.wanted.is_empty() || self.wanted.contains(&mv)
    }

    /// Whether simulation number `turn` may choose a move.
    fn admits(&self, mv: u16, turn: u64) -> bool {
        let left_out = turn % (self.leaders.len() as u64 + 1);
        let mut leaders = self.leaders.iter().take(left_out as usize);
        self.allows(mv) && !leaders.any(|leader| leader.load(Relaxed) == mv)
    }
}

/// One thread's way through the tree.
pub(super) struct Walker<'a, G: Searchable, E> {
    pub(super) tree: &'a Tree,
    pub(super) eval: &'a E,
    pub(super) root_moves: &'a RootMoves,
    pub(super) expander: Expander<'a, G>,
    /// Simulations done.
    pub(super) simulations: u64,
    /// Sum of their lengths in plies.
    pub(super) plies: u64,
    /// Length of the longest.
    pub(super) seldepth: usize,
}

impl<G: Searchable, E> Drop for Walker<'_, G, E> {
    fn drop(&mut self) {
        self.expander.settle(self.tree);
    }
}

/// A simulation's way down.
type Path<'a> = ArrayVec<(Node<'a>, Edge<'a>), MAX_PLY>;

impl<'a, G: Searchable, E: Evaluate<G>> Walker<'a, G, E> {
    /// One simulation from the root.
    pub(super) fn simulate(&mut self, root: Node<'a>, position: &G) -> Step {
        let mut path = Path::new();
        let step = self.descend(root, *position, &mut path);
        let (child, value) = match step {
            Ok(end) => end,
            Err(step) => {
                path.iter().for_each(|(_, edge)| edge.leave());
                return step;
            }
        };
        self.simulations += 1;
        self.plies += path.len() as u64;
        self.seldepth = self.seldepth.max(path.len());
        back_up(&path, child, value);
        Step::Done
    }

    /// Goes down to a new node or a proven one, and tells it (a finished game
    /// has none) and its value for the side to move there.
    fn descend(
        &mut self,
        root: Node<'a>,
        mut position: G,
        path: &mut Path<'a>,
    ) -> Result<(Option<Node<'a>>, i16), Step> {
        let mut node = root;
        loop {
            if !path.is_empty()
                && let Some(score) = node.bounds().solved()
            {
                return Ok((Some(node), Squash::of_proof(score)));
            }
            let Some(edge) = self.choose(node, path.is_empty(), &position)? else {
                // Edges that a block has from the start may decide its node
                // without ever being tried.
                conclude_whole(node);
                match node.bounds().solved() {
                    Some(score) if !path.is_empty() => {
                        return Ok((Some(node), Squash::of_proof(score)));
                    }
                    _ => return Err(Step::Blocked),
                }
            };
            if path.try_push((node, edge)).is_err() {
                return Err(Step::Blocked);
            }
            edge.enter();
            if let Some(score) = edge.results().bounds.solved() {
                return Ok((None, Squash::of_proof(-score)));
            }
            position = position.play(G::Move::from_bits(edge.mv()));
            node = match edge.claim(self.tree) {
                Claim::Node(child) => child,
                Claim::Taken => return Err(Step::Blocked),
                Claim::Mine => match self.tree.find(position.key()) {
                    Some(known) => {
                        edge.link(known.at);
                        known
                    }
                    None => {
                        let own = -i32::from(edge.prospects().0);
                        let new = self
                            .expander
                            .expand(self.tree, &position, self.eval, own, false);
                        let Some(new) = new else {
                            edge.release();
                            return Err(Step::Full);
                        };
                        self.tree.publish(new);
                        edge.link(new.at);
                        return Ok((Some(new), new.best()));
                    }
                },
            };
        }
    }

    /// The most promising move of a node, if one can still matter; widens the node when all the moves
    /// that it holds were tried.
    fn choose(
        &mut self,
        node: Node<'a>,
        is_root: bool,
        position: &G,
    ) -> Result<Option<Edge<'a>>, Step> {
        let mut found = self.most_promising(node, is_root, self.simulations);
        if is_root && found.edge.is_none() {
            // All but the leaders may be decided.
            found = self.most_promising(node, is_root, 0);
        }
        if found.untried || node.is_whole() {
            return Ok(found.edge);
        }
        match self.expander.widen(node, position, self.eval) {
            Some(()) => {
                let wider = self.most_promising(node, is_root, self.simulations).edge;
                Ok(wider.or(found.edge))
            }
            None => Err(Step::Full),
        }
    }

    /// PUCT (Rosin 2011, in the form of Silver et al. 2017) over the edges
    /// that can still matter.
    fn most_promising(&self, node: Node<'a>, is_root: bool, turn: u64) -> Choice<'a> {
        let tuning = &self.tree.tuning;
        let one = f32::from(Squash::ONE);
        let exploration = tuning.exploration * (node.visits() as f32).sqrt();
        let parent = f32::from(node.mean()) / one;
        // Searched for the root's own sake, its moves may be restricted.
        let floor = if is_root {
            Bounds::UNKNOWN.lower
        } else {
            node.bounds().lower
        };
        let mut choice = Choice {
            edge: None,
            untried: false,
        };
        let mut most = f32::NEG_INFINITY;
        let mut tried = 0.0;
        let result_of = |edge: Edge<'_>| {
            let value = edge.prospects().0;
            f32::from(self.tree.squash.result(value.into())) / one
        };
        for edge in node.edges() {
            if is_root && !self.root_moves.admits(edge.mv(), turn) {
                continue;
            }
            let results = edge.results();
            let Bounds { lower, upper } = results.bounds;
            let is_open = results.bounds == Bounds::UNKNOWN;
            let is_out = || upper.is_loss() || lower.is_win() || upper <= floor && lower < upper;
            if !is_open && is_out() {
                continue;
            }
            let (visits, busy) = edge.visits();
            if busy {
                // Another thread makes this node now.
                choice.untried = true;
                continue;
            }
            let (_, prior, threads) = edge.prospects();
            let prior = f32::from(prior) / 65_535.0;
            let going = visits as f32 + f32::from(threads);
            let is_new = visits == 0 && threads == 0;
            let promise = if visits == 0 {
                let first = node.edges().next().map_or(0.0, result_of);
                let distance = first - result_of(edge);
                parent - tuning.urgency * f32::sqrt(tried) - tuning.urgency_static * distance
            } else {
                tried += prior;
                let mean = f32::from(results.mean) / one;
                let best = f32::from(results.best) / one;
                let mut mixed = mean + tuning.minimax * (best - mean);
                if threads > 0 {
                    // Threads on their way count as losses (virtual loss).
                    mixed = (mixed * visits as f32 - f32::from(threads)) / going;
                }
                if lower == Score::ZERO {
                    mixed = mixed.max(0.0);
                }
                if upper == Score::ZERO {
                    mixed = mixed.min(0.0);
                }
                mixed
            };
            let promise = promise + exploration * prior / (1.0 + going);
            if promise > most {
                most = promise;
                choice.edge = Some(edge);
            }
            if is_new {
                // The untried ones have their turns in order.
                choice.untried = true;
                break;
            }
        }
        choice
    }
}

/// An edge chosen, and whether an untried one was among the candidates.
struct Choice<'a> {
    edge: Option<Edge<'a>>,
    untried: bool,
}

/// Brings a result, from the view of the side to move at the end of the path,
/// and what it proves up to the root.
fn back_up(path: &Path<'_>, child: Option<Node<'_>>, value: i16) {
    let mut below = child;
    let mut value = value;
    for &(node, edge) in path.iter().rev() {
        value = -value;
        let old = edge.results();
        let was_tried = edge.visits().0 > 0;
        edge.update(below);
        edge.leave();
        if let Some(score) = conclude(node, edge, was_tried.then_some(old.best)) {
            value = Squash::of_proof(score);
        }
        node.add(value);
        below = Some(node);
    }
}

/// Renews a node's minimax value and bounds after one of its edges changed;
/// tells the score if it is now proven.
fn conclude(node: Node<'_>, edge: Edge<'_>, old_best: Option<i16>) -> Option<Score> {
    let results = edge.results();
    let before = node.bounds();
    let mut bounds = Bounds {
        lower: results.bounds.lower.max(before.lower),
        ..before
    };
    let best = node.best();
    // Until a move was tried, the node's value was its static one.
    let is_first = node.visits() <= 1;
    let is_limited = results.bounds.upper <= Score::ZERO;
    let new_best = if is_limited || is_first || (results.best < best && old_best == Some(best)) {
        let outlook = Outlook::of(node);
        if node.is_whole() {
            bounds.upper = bounds.upper.min(outlook.upper);
        }
        outlook.best.unwrap_or(best)
    } else {
        best.max(results.best)
    };
    let solved = bounds.solved();
    node.conclude(solved.map_or(new_best, Squash::of_proof), bounds);
    solved
}

/// Renews the bounds of a node from all its edges.
fn conclude_whole(node: Node<'_>) {
    if !node.is_whole() {
        return;
    }
    let Outlook { best, lower, upper } = Outlook::of(node);
    let bounds = Bounds { lower, upper };
    let best = bounds.solved().map(Squash::of_proof).or(best);
    node.conclude(best.unwrap_or(node.best()), bounds);
}

/// What all edges of a node say together.
struct Outlook {
    /// Best minimax value of the edges tried or ended; of the first untried
    /// one when all of these lose.
    best: Option<i16>,
    lower: Score,
    upper: Score,
}

impl Outlook {
    fn of(node: Node<'_>) -> Self {
        let mut best = None;
        let mut lower = Score::loss_in(0);
        let mut upper = Score::loss_in(0);
        let mut reserve = None;
        for edge in node.edges() {
            let results = edge.results();
            lower = lower.max(results.bounds.lower);
            upper = upper.max(results.bounds.upper);
            if results.bounds.upper.is_loss() {
                continue;
            }
            let known = edge.visits().0 > 0 || results.bounds.solved().is_some();
            if known {
                best = best.max(Some(results.best));
            } else if reserve.is_none() {
                reserve = Some(node.tree.squash.result(edge.prospects().0.into()));
            }
        }
        Self {
            best: best.or(reserve),
            lower,
            upper,
        }
    }
}
