//! The lines that the tree has found.

use std::cmp::Reverse;

use super::bounds::Bounds;
use super::edge::Edge;
use super::root_moves::RootMoves;
use super::tree::{Tree, TreeNode};
use super::tuning::Squash;
use crate::game::{Game, Move};
use crate::search::score::Score;

#[derive(Clone, Debug)]
pub(super) struct RootLine<M> {
    pub(super) score: Score,
    /// Whether the score is proved; for the best line, also as the root's value.
    pub(super) proven: bool,
    pub(super) line: Vec<M>,
}

#[derive(Debug)]
pub(super) struct Summary<M> {
    pub(super) lines: Vec<RootLine<M>>,
    pub(super) choices: usize,
    /// Whether more simulations could not change any line.
    pub(super) is_decided: bool,
}

/// The best lines of a root, at most `count`; none when it has no moves.
pub(super) fn summary<G: Game>(
    tree: &Tree,
    root: TreeNode<'_>,
    position: &G,
    root_moves: &RootMoves,
    count: usize,
) -> Summary<G::Move> {
    let mut edges: Vec<Edge<'_>> = root
        .edges()
        .filter(|edge| root_moves.allows(edge.mv()))
        .collect();
    let count = count.min(edges.len());
    let choices = edges.len();
    // Other threads tighten bounds all the time. Whether all is settled is read first, so
    // that whatever is read later is at least as settled.
    let is_decided = is_decided(&edges, count);
    let sure = floor(edges.iter().copied());
    let is_best_possible = edges.iter().all(|edge| edge.results().bounds.upper <= sure);
    // Cached, for the same reason.
    edges.sort_by_cached_key(|&edge| Reverse(rank(tree, edge, sure)));
    edges.truncate(count);
    // The lines are ordered by their scores, but the move that was found best stays
    // in front.
    if let Some((_, others)) = edges.split_first_mut() {
        others.sort_by_cached_key(|&edge| Reverse(value(tree, edge).0));
    }
    let lines = edges
        .into_iter()
        .enumerate()
        .map(|(rank, edge)| {
            let (score, is_solved) = value(tree, edge);
            // A draw is the value of the root only if no other move can win.
            let is_value = rank > 0 || score.is_decisive() || is_best_possible;
            RootLine {
                score,
                proven: is_solved && is_value,
                line: line(tree, edge, position),
            }
        })
        .collect();
    Summary {
        lines,
        choices,
        is_decided,
    }
}

/// The order of preference: sooner wins, then more visits, and last later losses.
/// Where at least a draw is certain (`floor`), a move that is not and whose value is
/// no better than a draw comes after it, however often it was visited.
fn rank(tree: &Tree, edge: Edge<'_>, floor: Score) -> (Score, u32, i16, i16) {
    let Bounds { lower, upper } = edge.results().bounds;
    let class = if lower.is_win() {
        lower
    } else if upper.is_loss() {
        upper
    } else if floor >= Score::ZERO && lower < Score::ZERO && value(tree, edge).0 <= Score::ZERO {
        Score::ZERO.next_down()
    } else {
        Score::ZERO
    };
    (
        class,
        edge.visits().0,
        edge.results().best,
        edge.prospects().0,
    )
}

/// The best lower bound of some edges.
fn floor<'a>(edges: impl Iterator<Item = Edge<'a>>) -> Score {
    let lower = edges.map(|edge| edge.results().bounds.lower).max();
    lower.unwrap_or(Bounds::UNKNOWN.lower)
}

/// The value of an edge for the side that moves, and whether it is proved: both from one
/// read, as other threads go on.
fn value(tree: &Tree, edge: Edge<'_>) -> (Score, bool) {
    let results = edge.results();
    if let Some(score) = results.bounds.solved() {
        return (score, true);
    }
    if edge.visits().0 == 0 {
        return (Score::estimate(edge.prospects().0.into()), false);
    }
    let mean = f32::from(results.mean) / f32::from(Squash::ONE);
    let centipoints = tree.squash.centipoints(mean);
    let Bounds { lower, upper } = results.bounds;
    let mut score = Score::estimate(centipoints);
    if lower == Score::ZERO {
        score = score.max(lower);
    }
    if upper == Score::ZERO {
        score = score.min(upper);
    }
    (score, false)
}

fn line<G: Game>(tree: &Tree, edge: Edge<'_>, position: &G) -> Vec<G::Move> {
    let mut line = Vec::new();
    let mut position = *position;
    let mut next = Some(edge);
    while let Some(edge) = next {
        let mv = G::Move::from_bits(edge.mv());
        // Two positions with one key may share a node.
        if !position.is_legal(mv) {
            break;
        }
        line.push(mv);
        position = position.play(mv);
        next = tree.child(edge).and_then(|child| best_edge(tree, child));
    }
    line
}

fn best_edge<'a>(tree: &Tree, node: TreeNode<'a>) -> Option<Edge<'a>> {
    let sure = floor(node.edges());
    let tried = |edge: &Edge<'_>| edge.visits().0 > 0 || edge.results().bounds.solved().is_some();
    let tried = node.edges().filter(tried);
    tried.max_by_key(|&edge| (rank(tree, edge, sure), Reverse(edge.mv())))
}

/// Whether nothing that is still unknown can change the first `count` moves.
fn is_decided(edges: &[Edge<'_>], count: usize) -> bool {
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
