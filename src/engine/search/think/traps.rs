//! Which of the moves that a proof leaves is the hardest for the opponent.

use super::Thinker;
use super::trials::wants_one_pv;
use crate::game::Game;
use crate::search::level;
use crate::search::score::Score;
use crate::search::solver::{Solution, SolveRequest};
use crate::search::{Evaluate, Info, Searchable};
use crate::stop::Stop;

/// A move that seems to give this much away is chosen less often by a factor of e, in
/// centipoints.
const TEMPERATURE: f64 = 50.0;

/// How likely a player who knows only the static values of the moves is to go wrong,
/// if all moves but those in `sound` are errors. The player chooses a move with a
/// probability that falls exponentially with what the move seems to give away.
fn chance_of_error<G: Game, E: Evaluate<G>>(position: &G, eval: &E, sound: &[G::Move]) -> f64 {
    let moves = position.moves();
    let mut child_value = eval.child_values(position);
    let values: Vec<i32> = moves.iter().map(|&mv| child_value(mv, None)).collect();
    let best = values.iter().copied().min().unwrap_or(0);
    let losses: Vec<f64> = values.iter().map(|v| f64::from(v - best)).collect();
    let (mut right, mut all) = (0.0, 0.0);
    for (mv, weight) in moves.iter().zip(level::likelihoods(&losses, TEMPERATURE)) {
        all += weight;
        if sound.contains(mv) {
            right += weight;
        }
    }
    if all > 0.0 { 1.0 - right / all } else { 0.0 }
}

impl<G: Searchable, E: Evaluate<G>> Thinker<'_, G, E> {
    /// The moves among which a search is to choose although `best` is proved; an
    /// empty list stands for all moves. `None` if the proof is the answer.
    pub(super) fn open_moves(&mut self, best: &Info<G::Move>) -> Option<Vec<G::Move>> {
        if best.score.is_win() || self.request.limits.mate.is_some() {
            return None;
        }
        let moves = self.traps(best.score);
        let proved = best.pv.first();
        let has_choice = best.score.is_loss() || moves.iter().any(|mv| Some(mv) != proved);
        has_choice.then_some(moves)
    }

    /// If several moves keep a proved draw, or all moves lose: those after which the
    /// opponent is likeliest to go wrong, and those that there was no time to
    /// examine. Empty without a clock, with a limit of nodes, or if several or chosen moves
    /// are asked for.
    fn traps(&mut self, value: Score) -> Vec<G::Move> {
        let (position, eval) = (&self.request.position, self.eval);
        let limits = &self.request.limits;
        let is_free = limits.is_timed() && limits.nodes.is_none();
        if !is_free || !wants_one_pv(limits) {
            return Vec::new();
        }
        let timer = &self.request.timer;
        let stop = timer.stop.within(timer.time_for_traps());
        let moves = if value.is_loss() {
            position.moves().into_iter().collect()
        } else {
            self.moves_that_keep(position, &stop).best
        };
        if moves.len() < 2 {
            return moves;
        }
        let children = moves.into_iter().map(|mv| (mv, position.play(mv)));
        let mut children: Vec<(G::Move, G)> = children.collect();
        children.sort_by_cached_key(|(_, next)| eval.evaluate(next));
        let chances: Vec<(G::Move, Option<f64>)> = children
            .into_iter()
            .map(|(mv, next)| {
                // Even a question that gets no time takes some, and there may
                // be hundreds of moves.
                if stop.is_stopped() {
                    return (mv, None);
                }
                let solution = self.moves_that_keep(&next, &stop);
                let chance = || chance_of_error(&next, eval, &solution.best);
                (mv, solution.best_complete.then(chance))
            })
            .collect();
        let most = chances.iter().filter_map(|&(_, chance)| chance);
        let most = most.fold(0.0, f64::max);
        let is_left = |chance: Option<f64>| chance.is_none_or(|chance| chance >= most);
        let left = chances.into_iter().filter(|&(_, chance)| is_left(chance));
        left.map(|(mv, _)| mv).collect()
    }

    /// The solver's answer until the stop: all moves that keep the value.
    fn moves_that_keep(&mut self, position: &G, stop: &Stop) -> Solution<G::Move> {
        let request = SolveRequest {
            all_best: true,
            pv: false,
            threads: self.pool.size(),
            stop: stop.clone(),
            ..SolveRequest::default()
        };
        self.run_solver(position, &request)
    }
}
