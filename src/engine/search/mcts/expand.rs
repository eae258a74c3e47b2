//! New nodes: the static values of their moves, the order and the priors that follow
//! from these, and what is proved at once.

use std::cmp::Reverse;

use super::edge::{EdgeWords, edge_words};
use super::score_bounds::ScoreBounds;
use super::tree::{Tree, TreeNode};
use super::tuning::{REPLY, ResultScale, TEMPERATURE, WIDTH};
use crate::game::Move;
use crate::search::heuristics::by_variant_group;
use crate::search::score::Score;
use crate::search::solver::Probe;
use crate::search::{Evaluate, Searchable};

#[derive(Clone, Copy, Debug)]
struct Candidate {
    mv: u16,
    /// For the side that moves, in centipoints.
    value: i32,
    end: Option<Score>,
    /// Whether it is a variant
    /// ([`Heuristics::variant_group`](crate::search::Heuristics::variant_group)) of a better move.
    is_variant: bool,
}

pub(super) struct Expander<'a, G: Searchable> {
    probe: Probe<'a, G>,
    candidates: Vec<Candidate>,
    weights: Vec<f32>,
    seeds: Vec<EdgeWords>,
}

impl<'s, G: Searchable> Expander<'s, G> {
    pub(super) fn new(probe: Probe<'s, G>) -> Self {
        Self {
            probe,
            candidates: Vec::new(),
            weights: Vec::new(),
            seeds: Vec::new(),
        }
    }

    /// Makes the node of a position, which cannot yet be found by its key: with the
    /// most promising moves, one of each group, or, if `whole`, with all moves;
    /// without any if the exact solver finds the result. `static_value` is that of the
    /// side to move. `None` if the arena is full.
    pub(super) fn expand<'a, E: Evaluate<G>>(
        &mut self,
        tree: &'a Tree,
        position: &G,
        eval: &E,
        static_value: i32,
        whole: bool,
    ) -> Option<TreeNode<'a>> {
        if !whole && let Some(score) = self.probe_solver(position) {
            let value = ResultScale::of_proof(score);
            let bounds = ScoreBounds::from_upper_bound(score);
            return tree.add_node(position.key(), value, bounds, &[], false);
        }
        let whole = self.prepare(position, eval, whole);
        let (value, bounds) = self.verdict(tree, static_value, whole);
        tree.add_node(position.key(), value, bounds, &self.seeds, whole)
    }

    /// Gives a node the edges that it lacks. `None` if the arena is full.
    pub(super) fn widen<E: Evaluate<G>>(
        &mut self,
        node: TreeNode<'_>,
        position: &G,
        eval: &E,
    ) -> Option<()> {
        if !node.claim_growth() {
            return Some(());
        }
        self.prepare(position, eval, true);
        let grown = node.add_missing_edges(&mut self.seeds);
        if grown.is_none() {
            node.give_up();
        }
        grown
    }

    fn probe_solver(&mut self, position: &G) -> Option<Score> {
        let left = position.plies_left();
        if left > G::PROBE_PLIES {
            return None;
        }
        let sign = self.probe.sign(position)?;
        Some(Score::of_sign(sign, left as usize))
    }

    /// Values and orders the moves; returns whether all of them were kept.
    fn prepare<E: Evaluate<G>>(&mut self, position: &G, eval: &E, whole: bool) -> bool {
        let is_won = self.value_moves(position, eval, whole);
        let count = self.candidates.len();
        if !whole {
            self.candidates.retain(|it| !it.is_variant);
        }
        let has_all = self.candidates.len() == count && !is_won;
        let whole = whole || has_all && count <= WIDTH;
        // Variants come after all others, however good they look.
        let order = |it: &Candidate| (it.is_variant, Reverse(it.value), it.mv);
        let spread = spread(&self.candidates);
        if !whole && self.candidates.len() > WIDTH {
            self.candidates.select_nth_unstable_by_key(WIDTH - 1, order);
            self.candidates.truncate(WIDTH);
        }
        self.candidates.sort_unstable_by_key(order);
        self.seed(TEMPERATURE * spread);
        whole
    }

    /// Values the moves; unless `whole`, only until one wins, which is then the
    /// only one. Returns whether one wins.
    fn value_moves<E: Evaluate<G>>(&mut self, position: &G, eval: &E, whole: bool) -> bool {
        self.candidates.clear();
        let side = position.side();
        let moves = position.moves();
        let mut is_won = false;
        let mut child_value = eval.child_values(position);
        for variants in by_variant_group::<G>(&moves) {
            let next = position.play(variants[0]);
            let goes_on = next.has_moves();
            let first = self.candidates.len();
            for (at, &mv) in variants.iter().enumerate() {
                let (value, end) = if goes_on {
                    (-child_value(mv, (at == 0).then_some(&next)), None)
                } else {
                    let last = position.play(mv);
                    let sign = last.standing().outcome().sign_for(side);
                    is_won |= sign > 0;
                    (sign * Score::MAX_ESTIMATE, Some(Score::of_sign(sign, 1)))
                };
                let limit = Score::MAX_ESTIMATE;
                let candidate = Candidate {
                    mv: mv.bits(),
                    value: value.clamp(-limit, limit),
                    end,
                    is_variant: false,
                };
                if is_won && !whole {
                    // Nothing can be better than winning at once.
                    self.candidates.clear();
                    self.candidates.push(candidate);
                    return true;
                }
                self.candidates.push(candidate);
            }
            mark_variants(&mut self.candidates[first..]);
        }
        is_won
    }

    /// Turns the candidates into edges. Priors are a softmax of the static
    /// values.
    fn seed(&mut self, temperature: f32) {
        let undecided = |it: &&Candidate| it.end.is_none();
        let best = self.candidates.iter().find(undecided);
        let best = best.map_or(0, |it| it.value);
        self.weights.clear();
        self.weights.extend(self.candidates.iter().map(|candidate| {
            let distance = (best - candidate.value).max(0) as f32;
            (-distance / temperature).exp()
        }));
        let sum: f32 = self.weights.iter().sum();
        self.seeds.clear();
        let pairs = self.candidates.iter().zip(&self.weights);
        self.seeds.extend(pairs.map(|(candidate, weight)| {
            let prior = (weight / sum * 65_535.0) as u16;
            let bounds = (candidate.end).map_or(ScoreBounds::UNKNOWN, ScoreBounds::exactly);
            edge_words(candidate.mv, candidate.value as i16, prior, bounds)
        }));
    }

    fn verdict(&self, tree: &Tree, static_value: i32, whole: bool) -> (i16, ScoreBounds) {
        let ends = self.candidates.iter().map(|it| it.end);
        let best_end = ends.clone().flatten().max();
        let lower = best_end.unwrap_or(ScoreBounds::UNKNOWN.lower);
        let all_known = whole && ends.clone().all(|end| end.is_some());
        let upper = best_end.filter(|best| all_known || best.is_win());
        let upper = upper.unwrap_or(ScoreBounds::UNKNOWN.upper);
        let bounds = ScoreBounds { lower, upper };
        if let Some(score) = bounds.solved() {
            return (ResultScale::of_proof(score), bounds);
        }
        // The best candidate comes first, whether or not it ends the game.
        let reply = self.candidates.first().map_or(static_value, |it| it.value);
        let value = static_value as f32 * (1.0 - REPLY) + reply as f32 * REPLY;
        (tree.result_scale.result(value as i32), bounds)
    }
}

fn mark_variants(variants: &mut [Candidate]) {
    let best = (0..variants.len()).min_by_key(|&at| Reverse(variants[at].value));
    for (at, candidate) in variants.iter_mut().enumerate() {
        candidate.is_variant = Some(at) != best;
    }
}

/// Standard deviation of the values of the moves that do not end the game, in
/// centipoints, at least 10.
fn spread(candidates: &[Candidate]) -> f32 {
    let values = || {
        let undecided = candidates.iter().filter(|it| it.end.is_none());
        undecided.map(|it| i64::from(it.value))
    };
    let count = values().count().max(1) as i64;
    let mean = values().sum::<i64>() / count;
    let squares: i64 = values().map(|value| (value - mean).pow(2)).sum();
    ((squares / count) as f32).sqrt().max(10.0)
}
