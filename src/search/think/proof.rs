//! The exact solver's part of an answer: when it is asked, for how long, and
//! what is made of a proof.

use std::time::Duration;

use super::Thought;
use crate::game::Game;
use crate::search::level;
use crate::search::request::{Handler, Limits, Request};
use crate::search::score::{Bound, Score};
use crate::search::solver::{Solution, SolveLimits, Value};
use crate::search::time::TimeLimit;
use crate::search::{Evaluate, Info, Searchable};

/// The most plies left with which the solver is tried, by the time that it would
/// get. In positions from the engine's own games, of both games, it then answers in
/// time about two times out of three.
const HORIZONS: [(Duration, u32); 10] = [
    (Duration::ZERO, 14),
    (Duration::from_millis(2), 16),
    (Duration::from_millis(8), 17),
    (Duration::from_millis(15), 18),
    (Duration::from_millis(20), 19),
    (Duration::from_millis(35), 20),
    (Duration::from_millis(200), 21),
    (Duration::from_millis(500), 22),
    (Duration::from_secs(2), 23),
    (Duration::from_secs(6), 24),
];
/// Most plies left with which a proof is looked for before anything else.
const AT_ONCE: u32 = 14;
/// Nodes for that: about a millisecond.
const AT_ONCE_NODES: u64 = 1 << 11;
/// Nodes of the preview for each millisecond that the solver gets: some 2 % of
/// its time.
const PREVIEW: u128 = 50;
const LONGEST_PREVIEW: u128 = 50_000;

/// A move that seems to give this much away is chosen less often by a factor of e;
/// in parts of [`Evaluate::scale`].
const CARE: f64 = 0.5;

/// How likely a player who knows only the static values of the moves is to go wrong,
/// if all moves but those in `kept` are errors. The player chooses a move with a
/// probability that falls exponentially with what the move seems to give away.
fn chance_of_error<G: Game, E: Evaluate<G>>(position: &G, eval: &E, kept: &[G::Move]) -> f64 {
    let moves = position.moves();
    let mut child_value = eval.child_values(position);
    let values: Vec<i32> = moves.iter().map(|&mv| child_value(mv, None)).collect();
    let best = values.iter().copied().min().unwrap_or(0);
    let losses: Vec<f64> = values.iter().map(|v| f64::from(v - best)).collect();
    let care = CARE * f64::from(eval.scale());
    let (mut right, mut all) = (0.0, 0.0);
    for (mv, weight) in moves.iter().zip(level::weights(&losses, care)) {
        all += weight;
        if kept.contains(mv) {
            right += weight;
        }
    }
    if all > 0.0 { 1.0 - right / all } else { 0.0 }
}

impl<G: Searchable, E: Evaluate<G>, H: Handler<G::Move>> Thought<'_, G, E, H> {
    /// The short search before the solver gets this much time.
    pub(super) fn preview(&self, budget: Duration) -> Request<G> {
        let nodes = (PREVIEW * budget.as_millis()).clamp(PREVIEW, LONGEST_PREVIEW);
        self.request.with(Limits {
            // The threads divide them among themselves.
            nodes: Some(nodes as u64 * self.memory.threads() as u64),
            mate: None,
            ..self.request.limits.clone()
        })
    }

    /// The best lines of the moves that the limits allow, with their proven values, best
    /// first, if they are found in time and in less than `nodes` nodes.
    pub(super) fn prove(
        &mut self,
        limits: &Limits<G::Move>,
        budget: Duration,
        mut nodes: Option<u64>,
    ) -> Option<Vec<Info<G::Move>>> {
        let request = self.request;
        let mut ask = |position: &G| {
            let limits = SolveLimits {
                nodes,
                ..self.solve_limits(budget, false)
            };
            let solution = self.memory.prove(position, limits);
            nodes = nodes.map(|nodes| nodes.saturating_sub(solution.nodes));
            (solution.value != Value::Unknown).then_some(solution)
        };
        let lines = match wants_one_line(limits) {
            true => vec![own_line(request, &ask(&request.position)?)?],
            false => proved_moves(request, limits, ask)?,
        };
        (nodes != Some(0)).then_some(lines)
    }

    /// Like [`Thought::prove`], but only if it takes next to no time.
    pub(super) fn prove_at_once(&mut self, budget: Duration) -> Option<Vec<Info<G::Move>>> {
        let is_late = self.request.position.plies_left() <= AT_ONCE;
        is_late.then(|| self.prove(&self.request.limits, budget, Some(AT_ONCE_NODES)))?
    }

    /// The proved lines of a position whose search ended without a proof although it
    /// reached the greatest depth that makes sense, or the depth asked for if no game
    /// lasts longer: a search that leaves moves out proves no draw. The search's own
    /// move stays the best if it keeps the value.
    pub(super) fn prove_searched(
        &mut self,
        found: &[Info<G::Move>],
        nodes: u64,
    ) -> Option<Vec<Info<G::Move>>> {
        let Request {
            position,
            limits,
            timer,
        } = self.request;
        let best = found.first()?;
        let is_open = found.iter().any(|line| !line.score.is_decisive());
        let longest = position.plies_left();
        let asked = limits.depth.filter(|&depth| depth >= longest);
        let deepest = self.request.deepest();
        let is_whole = best.depth >= asked.map_or(deepest, |depth| depth.min(deepest));
        if !is_open || !is_whole || timer.stop.is_stopped() {
            return None;
        }
        let budget = timer.longest();
        let most = match limits.nodes {
            Some(limit) => limit.saturating_sub(nodes),
            None => nodes.max(AT_ONCE_NODES),
        };
        let mut lines = self.prove(limits, budget, Some(most))?;
        let own_move = best.pv.first().filter(|_| wants_one_line(limits));
        if let Some(&mv) = own_move.filter(|&mv| lines[0].pv.first() != Some(mv)) {
            let left = most.saturating_sub(lines[0].nodes);
            let of_move = Limits {
                search_moves: vec![mv],
                ..limits.clone()
            };
            let own = self.prove(&of_move, budget, Some(left));
            let is_as_good = |own: &Info<G::Move>| own.score == lines[0].score;
            if let Some(own) = own.filter(|own| is_as_good(&own[0])) {
                let before = lines[0].nodes;
                lines = own;
                lines[0].nodes += before;
            }
        }
        for line in &mut lines {
            line.depth = best.depth;
        }
        Some(lines)
    }

    /// The moves among which a search is to choose although `best` is proved; an
    /// empty list stands for all moves. `None` if the proof is the answer.
    pub(super) fn choice(
        &mut self,
        best: &Info<G::Move>,
        budget: Duration,
    ) -> Option<Vec<G::Move>> {
        if best.score.is_win() || self.request.limits.mate.is_some() {
            return None;
        }
        let moves = self.traps(best.score, budget);
        let proved = best.pv.first();
        let has_choice = best.score.is_loss() || moves.iter().any(|mv| Some(mv) != proved);
        has_choice.then_some(moves)
    }

    /// If several moves keep a proved draw, or all moves lose: those after which the
    /// opponent is likeliest to go wrong, and those that there was no time to
    /// examine. Empty if no opponent waits for an answer.
    fn traps(&mut self, value: Score, budget: Duration) -> Vec<G::Move> {
        let (position, eval) = (&self.request.position, self.eval);
        let limits = &self.request.limits;
        if limits.time == TimeLimit::None || !wants_one_line(limits) {
            return Vec::new();
        }
        let moves = if value.is_loss() {
            position.moves().into_iter().collect()
        } else {
            self.solve(position, budget).best
        };
        if moves.len() < 2 {
            return moves;
        }
        let mut children: Vec<(G::Move, G)> = moves
            .into_iter()
            .map(|mv| (mv, position.play(mv)))
            .collect();
        children.sort_by_cached_key(|(_, next)| eval.evaluate(next));
        let chances: Vec<(G::Move, Option<f64>)> = children
            .into_iter()
            .map(|(mv, next)| {
                // Even a question that gets no time takes some, and there may
                // be hundreds of moves.
                if self.request.timer.elapsed() >= budget {
                    return (mv, None);
                }
                let solution = self.solve(&next, budget);
                let chance = solution
                    .best_complete
                    .then(|| chance_of_error(&next, eval, &solution.best));
                (mv, chance)
            })
            .collect();
        let most = chances.iter().filter_map(|&(_, chance)| chance);
        let most = most.fold(0.0, f64::max);
        let is_left = |chance: Option<f64>| chance.is_none_or(|chance| chance >= most);
        let left = chances.into_iter().filter(|&(_, chance)| is_left(chance));
        left.map(|(mv, _)| mv).collect()
    }

    /// Time that the solver may use; `None` if it is not to be asked. Limits of
    /// depth and nodes are for the search alone, and far from the end the solver
    /// would hardly finish; with `mate`, a proof is all that is wanted.
    pub(super) fn budget(&self) -> Option<Duration> {
        let Request {
            position,
            limits,
            timer,
        } = self.request;
        let left = position.plies_left();
        if !position.has_moves() || limits.nodes.is_some() {
            return None;
        }
        if let Some(mate) = limits.mate {
            let may = left <= mate && limits.depth.is_none_or(|depth| left <= depth);
            return may.then_some(timer.longest());
        }
        let budget = timer.solver_share();
        let horizon = HORIZONS.iter().rev().find(|(time, _)| budget >= *time);
        let near = horizon.is_some_and(|&(_, most)| left <= most);
        (near && limits.depth.is_none()).then_some(budget)
    }

    /// The solver's answer within the budget: all moves that keep the value.
    fn solve(&mut self, position: &G, budget: Duration) -> Solution<G::Move> {
        let limits = self.solve_limits(budget, true);
        self.memory.prove(position, limits)
    }

    fn solve_limits(&self, budget: Duration, all_best: bool) -> SolveLimits {
        let timer = &self.request.timer;
        SolveLimits {
            all_best,
            line: !all_best,
            time: Some(budget.saturating_sub(timer.elapsed())),
            stop: timer.stop.clone(),
            ..SolveLimits::default()
        }
    }
}

fn wants_one_line<M>(limits: &Limits<M>) -> bool {
    limits.lines() == 1 && limits.search_moves.is_empty()
}

/// The lines of several or chosen moves: each is worth the opposite of the position after
/// it.
fn proved_moves<G: Searchable>(
    request: &Request<G>,
    limits: &Limits<G::Move>,
    mut ask: impl FnMut(&G) -> Option<Solution<G::Move>>,
) -> Option<Vec<Info<G::Move>>> {
    let mut nodes = 0;
    let mut found = Vec::new();
    for mv in limits.root_moves(&request.position) {
        let solution = ask(&request.position.play(mv))?;
        nodes += solution.nodes;
        found.push((mv, solution));
    }
    found.sort_by_key(|(_, solution)| solution.value.sign());
    let best = found.into_iter().take(limits.lines()).enumerate();
    let lines = best.map(|(rank, (mv, solution))| {
        let pv = std::iter::once(mv).chain(solution.pv.iter().copied());
        line(request, rank + 1, &solution, -1, pv.collect(), nodes)
    });
    Some(lines.collect())
}

/// The line of the position's own solution; `None` if the time sufficed for the value,
/// but not for a move that keeps it.
fn own_line<G: Searchable>(
    request: &Request<G>,
    solution: &Solution<G::Move>,
) -> Option<Info<G::Move>> {
    let pv = match (&solution.pv[..], &solution.best[..]) {
        ([], []) => return None,
        ([], [best, ..]) => vec![*best],
        (pv, _) => pv.to_vec(),
    };
    Some(line(request, 1, solution, 1, pv, solution.nodes))
}

/// A line with a proven value; `sign` is -1 if the solution is for the opponent.
fn line<G: Searchable>(
    request: &Request<G>,
    rank: usize,
    solution: &Solution<G::Move>,
    sign: i32,
    pv: Vec<G::Move>,
    nodes: u64,
) -> Info<G::Move> {
    let plies = request.position.plies_left();
    let score = Score::of_sign(solution.value.sign().unwrap_or(0) * sign, plies as usize);
    Info {
        depth: plies,
        seldepth: plies,
        multipv: rank,
        score,
        bound: Bound::Exact,
        proven: true,
        nodes,
        time: request.timer.elapsed(),
        hashfull: 0,
        pv,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Yoxii};
    use crate::search::Stop;
    use crate::search::solver::solve;

    #[test]
    fn a_value_without_a_move_is_no_answer() {
        let text = "3/IIy1o/yOO1I*1/o1Yy3/yoiiIX1/IXoyO/3 w";
        let position: Yoxii = text.parse().expect("a position");
        let request = Request::new(&position, &Limits::default(), &Stop::new());
        let solution = solve(&position, &SolveLimits::default());
        let best = solution.best[0];
        let without_line = Solution {
            pv: Vec::new(),
            ..solution.clone()
        };
        let line = own_line(&request, &without_line).expect("a best move");
        assert_eq!(line.pv, [best]);
        assert!(line.score.is_win() && position.is_legal(best));
        let without_move = Solution {
            best: Vec::new(),
            ..without_line
        };
        assert_eq!(own_line(&request, &without_move), None);
    }
}
