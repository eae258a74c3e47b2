//! The best moves that the tree has found.

use std::cmp::Reverse;

use super::edge::Edge;
use super::score_bounds::ScoreBounds;
use super::shared::Shared;
use super::tree::{Tree, TreeNode};
use super::tuning::ResultScale;
use crate::game::{Game, Move};
use crate::search::score::{Bound, Score};
use crate::search::{Evaluate, Info, Searchable};

pub(super) struct Summary<M> {
    pub(super) infos: Vec<Info<M>>,
    pub(super) choices: usize,
    /// Whether more simulations could not change any info.
    pub(super) is_final: bool,
}

impl<G: Searchable, E: Evaluate<G>> Shared<'_, G, E> {
    /// The infos of the best moves of a root, with this depth; none when it has no moves.
    pub(super) fn summary(&self, root: TreeNode<'_>, depth: u32) -> Summary<G::Move> {
        let (tree, root_moves) = (self.tree, &self.root_moves);
        let allowed = |edge: &Edge<'_>| root_moves.is_wanted(edge.mv());
        let mut edges: Vec<Edge<'_>> = root.edges().filter(allowed).collect();
        let choices = edges.len();
        let count = choices.min(root_moves.leaders.len() + 1);
        // Other threads tighten bounds all the time. Whether all is settled is read first, so
        // that whatever is read later is at least as settled.
        let is_final = is_final(&edges, count);
        let sure = floor(edges.iter().copied());
        let is_best_possible = edges.iter().all(|edge| edge.results().bounds.upper <= sure);
        // Cached, for the same reason.
        edges.sort_by_cached_key(|&edge| Reverse(preference(edge, sure)));
        edges.truncate(count);
        // The moves are ordered by their scores, but the move that was found best stays
        // in front.
        if let Some((_, others)) = edges.split_first_mut() {
            others.sort_by_cached_key(|&edge| Reverse(value(edge).0));
        }
        let info = |(multipv, edge)| {
            let (score, is_solved) = value(edge);
            // A draw is the value of the root only if no other move can win.
            let is_value = multipv > 1 || score.is_decisive() || is_best_possible;
            Info {
                depth,
                seldepth: self.seldepth().max(1),
                multipv,
                score,
                bound: Bound::Exact,
                proven: is_solved && is_value,
                nodes: self.simulations(),
                time: self.request.timer.elapsed(),
                hashfull: tree.per_mille_used(),
                pv: pv(tree, edge, &self.request.position),
            }
        };
        Summary {
            infos: (1..).zip(edges).map(info).collect(),
            choices,
            is_final,
        }
    }
}

/// The order of preference: sooner wins, then more visits, and last later losses.
/// Where at least a draw is certain (`floor`), a move that is not and whose value is
/// no better than a draw comes after it, however often it was visited.
fn preference(edge: Edge<'_>, floor: Score) -> (Score, u32, i16, i16) {
    let results = edge.results();
    let ScoreBounds { lower, upper } = results.bounds;
    let class = if lower.is_win() {
        lower
    } else if upper.is_loss() {
        upper
    } else if floor >= Score::ZERO && lower < Score::ZERO && value(edge).0 <= Score::ZERO {
        Score::ZERO.next_down()
    } else {
        Score::ZERO
    };
    let static_value = edge.prospects().value;
    (class, edge.visits(), results.minimax, static_value)
}

/// The best lower bound of some edges.
fn floor<'a>(edges: impl Iterator<Item = Edge<'a>>) -> Score {
    let lower = edges.map(|edge| edge.results().bounds.lower).max();
    lower.unwrap_or(ScoreBounds::UNKNOWN.lower)
}

/// The value of an edge for the side that moves, and whether it is proved: both from one
/// read, as other threads go on.
fn value(edge: Edge<'_>) -> (Score, bool) {
    let results = edge.results();
    if let Some(score) = results.bounds.solved() {
        return (score, true);
    }
    if edge.visits() == 0 {
        return (Score::estimate(edge.prospects().value.into()), false);
    }
    let score = Score::estimate(ResultScale::centipoints(results.mean));
    // What is bounded on both sides is solved.
    let score = match results.bounds {
        ScoreBounds { lower, .. } if lower == Score::ZERO => score.max(lower),
        ScoreBounds { upper, .. } if upper == Score::ZERO => score.min(upper),
        _ => score,
    };
    (score, false)
}

fn pv<G: Game>(tree: &Tree, edge: Edge<'_>, position: &G) -> Vec<G::Move> {
    let mut pv = Vec::new();
    let mut position = *position;
    let mut next = Some(edge);
    while let Some(edge) = next {
        let mv = G::Move::from_bits(edge.mv());
        // Two positions with one key may share a node.
        if !position.is_legal(mv) {
            break;
        }
        pv.push(mv);
        position = position.play(mv);
        next = tree.child(edge).and_then(best_edge);
    }
    pv
}

fn best_edge(node: TreeNode<'_>) -> Option<Edge<'_>> {
    let sure = floor(node.edges());
    let tried = |edge: &Edge<'_>| edge.visits() > 0 || edge.results().bounds.solved().is_some();
    let tried = node.edges().filter(tried);
    tried.max_by_key(|&edge| (preference(edge, sure), Reverse(edge.mv())))
}

/// Whether nothing that is still unknown can change the first `count` moves.
fn is_final(edges: &[Edge<'_>], count: usize) -> bool {
    let bounds = |edge: &Edge<'_>| edge.results().bounds;
    let wins = edges.iter().filter(|edge| bounds(edge).lower.is_win());
    if wins.count() >= count {
        return true;
    }
    let floor = floor(edges.iter().copied());
    edges.iter().all(|edge| {
        let bounds = bounds(edge);
        bounds.solved().is_some() || count == 1 && bounds.upper <= floor
    })
}
