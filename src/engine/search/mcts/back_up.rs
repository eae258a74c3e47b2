//! Back-up: what a simulation found and proved is carried up its path.

use arrayvec::ArrayVec;

use super::edge::Edge;
use super::score_bounds::ScoreBounds;
use super::tree::TreeNode;
use super::tuning::ResultScale;
use crate::search::score::{MAX_PLY, Score};

pub(super) type Path<'a> = ArrayVec<(TreeNode<'a>, Edge<'a>), MAX_PLY>;

/// Carries a result, from the view of the side to move at the end of the path,
/// and what it proves up to the root.
pub(super) fn back_up(path: &Path<'_>, child: Option<TreeNode<'_>>, value: i16) {
    let mut below = child;
    let mut value = value;
    for &(node, edge) in path.iter().rev() {
        value = -value;
        let old = edge.results();
        let was_tried = edge.visits() > 0;
        edge.update(below.map(TreeNode::results));
        edge.leave();
        if let Some(score) = update_node(node, edge, was_tried.then_some(old.minimax)) {
            value = ResultScale::of_proof(score);
        }
        node.add(value);
        below = Some(node);
    }
}

/// Updates a node's minimax value and bounds after one of its edges has changed;
/// returns its score if that is now proven.
fn update_node(node: TreeNode<'_>, edge: Edge<'_>, old_minimax: Option<i16>) -> Option<Score> {
    let results = edge.results();
    let before = node.bounds();
    let mut bounds = ScoreBounds {
        lower: results.bounds.lower.max(before.lower),
        ..before
    };
    let minimax = node.minimax();
    // Until a move has been tried, the node has its static value.
    let is_first = node.visits() <= 1;
    let is_limited = results.bounds.upper <= Score::ZERO;
    let has_fallen = results.minimax < minimax && old_minimax == Some(minimax);
    let new_minimax = if is_limited || is_first || has_fallen {
        // Asked first: moves that join meanwhile are not in the summary.
        let is_whole = node.is_whole();
        let summary = EdgeSummary::of(node);
        if is_whole {
            bounds.upper = bounds.upper.min(summary.bounds.upper);
        }
        summary.minimax.unwrap_or(minimax)
    } else {
        minimax.max(results.minimax)
    };
    let solved = bounds.solved();
    node.tighten(solved.map_or(new_minimax, ResultScale::of_proof), bounds);
    solved
}

/// Concludes from the edges of a node whether it is solved, once they are all there.
pub(super) fn update_whole_node(node: TreeNode<'_>) {
    if !node.is_whole() {
        return;
    }
    let EdgeSummary { minimax, bounds } = EdgeSummary::of(node);
    let minimax = bounds.solved().map(ResultScale::of_proof).or(minimax);
    node.tighten(minimax.unwrap_or(node.minimax()), bounds);
}

struct EdgeSummary {
    /// Best minimax value of the edges that were tried or are decided and do not
    /// lose; without any, the static value of the first other edge.
    minimax: Option<i16>,
    bounds: ScoreBounds,
}

impl EdgeSummary {
    fn of(node: TreeNode<'_>) -> Self {
        let mut minimax = None;
        let mut bounds = ScoreBounds::exactly(Score::loss_in(0));
        let mut reserve = None;
        for edge in node.edges() {
            let results = edge.results();
            bounds.lower = bounds.lower.max(results.bounds.lower);
            bounds.upper = bounds.upper.max(results.bounds.upper);
            if results.bounds.upper.is_loss() {
                continue;
            }
            let has_result = edge.visits() > 0 || results.bounds.solved().is_some();
            if has_result {
                minimax = minimax.max(Some(results.minimax));
            } else if reserve.is_none() {
                reserve = Some(node.tree.result_scale.result(edge.prospects().value.into()));
            }
        }
        Self {
            minimax: minimax.or(reserve),
            bounds,
        }
    }
}
