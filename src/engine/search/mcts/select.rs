//! Selection: the edge of a node that the next simulation takes.

use super::edge::{BUSY, Edge, Results};
use super::score_bounds::ScoreBounds;
use super::tree::TreeNode;
use super::tuning::{EXPLORATION, ResultScale, URGENCY, URGENCY_STATIC};
use crate::search::score::Score;

/// Of some edges of a node, the most promising one that can still raise the node
/// above `floor`, and whether an untried one was among them.
pub(super) fn select<'a>(
    node: TreeNode<'a>,
    edges: impl Iterator<Item = Edge<'a>>,
    floor: Score,
) -> (Option<Edge<'a>>, bool) {
    let puct = Puct::of(node);
    let mut selected = None;
    let mut has_untried = false;
    let mut most = f32::NEG_INFINITY;
    let mut tried = 0.0;
    for edge in edges {
        let results = edge.results();
        if !can_matter(results.bounds, floor) {
            continue;
        }
        if edge.child() == BUSY {
            // Another thread is making this node.
            has_untried = true;
            continue;
        }
        let prospects = edge.prospects();
        let (visits, threads) = (edge.visits(), prospects.threads);
        let prior = f32::from(prospects.prior) / 65_535.0;
        let exploitation = if visits == 0 {
            puct.first_play(prospects.value, tried)
        } else {
            tried += prior;
            mean(results, visits, threads)
        };
        let promise = exploitation + puct.exploration(prior, visits, threads);
        if promise > most {
            most = promise;
            selected = Some(edge);
        }
        if visits == 0 && threads == 0 {
            // Untried edges take their turns in order.
            has_untried = true;
            break;
        }
    }
    (selected, has_untried)
}

/// Whether an edge's result can still matter: not if it is a proven win or loss, nor
/// if it is undecided but cannot raise the node above what is certain.
fn can_matter(bounds: ScoreBounds, floor: Score) -> bool {
    let ScoreBounds { lower, upper } = bounds;
    let is_out = || upper.is_loss() || lower.is_win() || upper <= floor && lower < upper;
    bounds == ScoreBounds::UNKNOWN || !is_out()
}

/// The mean result of an edge that was tried, from -1 to 1: no worse or no better than
/// a draw where that is proven. Simulations under way count as losses (virtual loss,
/// Chaslot et al. 2008).
fn mean(results: Results, visits: u32, threads: u16) -> f32 {
    let mut mean = ResultScale::fraction(results.mean);
    if threads > 0 {
        mean = (mean * visits as f32 - f32::from(threads)) / going(visits, threads);
    }
    let ScoreBounds { lower, upper } = results.bounds;
    if lower == Score::ZERO {
        mean = mean.max(0.0);
    }
    if upper == Score::ZERO {
        mean = mean.min(0.0);
    }
    mean
}

fn going(visits: u32, threads: u16) -> f32 {
    visits as f32 + f32::from(threads)
}

/// The value of an edge by PUCT (Rosin 2011, in the form of Silver et al. 2017).
struct Puct<'a> {
    node: TreeNode<'a>,
    exploration: f32,
    parent: f32,
}

impl<'a> Puct<'a> {
    #[inline]
    fn of(node: TreeNode<'a>) -> Self {
        Self {
            node,
            exploration: EXPLORATION * (node.visits() as f32).sqrt(),
            parent: ResultScale::fraction(node.mean()),
        }
    }

    fn exploration(&self, prior: f32, visits: u32, threads: u16) -> f32 {
        self.exploration * prior / (1.0 + going(visits, threads))
    }

    /// The value assumed for an untried move (first-play urgency): less than its
    /// parent's, by the priors already tried and by how far its static value is
    /// below that of the first move.
    fn first_play(&self, value: i16, tried: f32) -> f32 {
        let first = self.node.edges().next();
        let first = first.map_or(0.0, |edge| self.result(edge.prospects().value));
        let distance = first - self.result(value);
        self.parent - URGENCY * f32::sqrt(tried) - URGENCY_STATIC * distance
    }

    fn result(&self, value: i16) -> f32 {
        ResultScale::fraction(self.node.tree.result_scale.result(value.into()))
    }
}
