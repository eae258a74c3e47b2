//! The exact solver's part of an answer: when it is asked, for how long, and
//! what is made of a proof.

use std::num::NonZeroUsize;
use std::time::Duration;

use crate::search::Instant;

use super::level;
use super::limits::{Control, Limits, TimeLimit, TimePlan};
use super::memory::Memory;
use super::score::{Bound, Score};
use super::solver::{Solution, SolveLimits, Value};
use super::{Evaluate, Info, Report, Searchable};
use crate::game::Game;

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
/// Time that the solver gets if nothing limits the search.
const PATIENCE: Duration = Duration::from_secs(1);
/// Most plies left with which a proof is looked for before anything else.
const AT_ONCE: u32 = 14;
/// Nodes for that: about a millisecond.
const AT_ONCE_NODES: u64 = 1 << 11;
/// Part of a move's longest time that the solver may use without finding a proof.
const SHARE: f64 = 0.4;
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

/// A question to the engine, and the solver's part of the answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Endgame<'a, G: Searchable> {
    pub(super) position: &'a G,
    pub(super) limits: &'a Limits<G::Move>,
    pub(super) threads: NonZeroUsize,
    pub(super) control: &'a Control,
    pub(super) begin: Instant,
}

impl<G: Searchable> Endgame<'_, G> {
    pub(super) fn search<E: Evaluate<G>>(
        &self,
        memory: &mut Memory<G>,
        limits: &Limits<G::Move>,
        eval: &E,
        on_info: &mut dyn FnMut(&Info<G::Move>),
    ) -> Report<G::Move> {
        memory.search(
            self.position,
            limits,
            self.threads,
            eval,
            self.control,
            on_info,
        )
    }

    pub(super) fn preview(&self, budget: Duration) -> Limits<G::Move> {
        let nodes = (PREVIEW * budget.as_millis()).clamp(PREVIEW, LONGEST_PREVIEW);
        Limits {
            // The threads divide them among themselves.
            nodes: Some(nodes as u64 * self.threads.get() as u64),
            mate: None,
            infinite: false,
            ponder: false,
            ..self.limits.clone()
        }
    }

    /// The best lines with their proven values, best first, if they are found
    /// in time and in less than `nodes` nodes.
    pub(super) fn prove(
        &self,
        memory: &mut Memory<G>,
        budget: Duration,
        mut nodes: Option<u64>,
    ) -> Option<Vec<Info<G::Move>>> {
        let mut ask = |position: &G| {
            let limits = SolveLimits {
                nodes,
                ..self.solve_limits(budget, false)
            };
            let solution = memory.prove(position, &limits);
            nodes = nodes.map(|nodes| nodes.saturating_sub(solution.nodes));
            (solution.value != Value::Unknown).then_some(solution)
        };
        let lines = match self.wants_one_line() {
            true => vec![self.own_line(&ask(self.position)?)?],
            false => self.prove_moves(ask)?,
        };
        (nodes != Some(0)).then_some(lines)
    }

    /// Like [`Endgame::prove`], but only if it takes next to no time.
    pub(super) fn prove_at_once(
        &self,
        memory: &mut Memory<G>,
        budget: Duration,
    ) -> Option<Vec<Info<G::Move>>> {
        let is_late = self.position.plies_left() <= AT_ONCE;
        is_late.then(|| self.prove(memory, budget, Some(AT_ONCE_NODES)))?
    }

    /// The proved lines of a position whose search ended without a proof although it
    /// reached the greatest depth that makes sense, or the depth asked for if no game
    /// lasts longer: a search that leaves moves out proves no draw. The search's own
    /// move stays the best if it keeps the value.
    pub(super) fn prove_searched(
        &self,
        memory: &mut Memory<G>,
        found: &[Info<G::Move>],
        nodes: u64,
    ) -> Option<Vec<Info<G::Move>>> {
        let best = found.first()?;
        let is_open = found.iter().any(|line| !line.score.is_decisive());
        let longest = self.position.plies_left();
        let asked = self.limits.depth.filter(|&depth| depth >= longest);
        let deepest = self.limits.deepest(self.position);
        let is_whole = best.depth >= asked.map_or(deepest, |depth| depth.min(deepest));
        if !is_open || !is_whole || self.control.is_stopped() {
            return None;
        }
        let plan = TimePlan::new(self.limits, 1);
        let budget = plan.hard.unwrap_or(Duration::MAX);
        let most = match self.limits.nodes {
            Some(limit) => limit.saturating_sub(nodes),
            None => nodes.max(AT_ONCE_NODES),
        };
        let mut lines = self.prove(memory, budget, Some(most))?;
        let own_move = best.pv.first().filter(|_| self.wants_one_line());
        if let Some(&mv) = own_move.filter(|&mv| lines[0].pv.first() != Some(mv)) {
            let left = most.saturating_sub(lines[0].nodes);
            let limits = Limits {
                search_moves: vec![mv],
                ..self.limits.clone()
            };
            let of_move = Endgame {
                limits: &limits,
                ..*self
            };
            let own = of_move.prove(memory, budget, Some(left));
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
    pub(super) fn choice<E: Evaluate<G>>(
        &self,
        memory: &mut Memory<G>,
        eval: &E,
        best: &Info<G::Move>,
        budget: Duration,
    ) -> Option<Vec<G::Move>> {
        if best.score.is_win() || self.limits.mate.is_some() {
            return None;
        }
        let moves = self.traps(memory, eval, best.score, budget);
        let proved = best.pv.first();
        let has_choice = best.score.is_loss() || moves.iter().any(|mv| Some(mv) != proved);
        has_choice.then_some(moves)
    }

    /// If several moves keep a proved draw, or all moves lose: those after which the
    /// opponent is likeliest to go wrong, and those that there was no time to
    /// examine. Empty if no opponent waits for an answer.
    fn traps<E: Evaluate<G>>(
        &self,
        memory: &mut Memory<G>,
        eval: &E,
        value: Score,
        budget: Duration,
    ) -> Vec<G::Move> {
        if self.limits.time == TimeLimit::None || !self.wants_one_line() {
            return Vec::new();
        }
        let moves = if value.is_loss() {
            self.position.moves().into_iter().collect()
        } else {
            self.solve(memory, self.position, budget).best
        };
        if moves.len() < 2 {
            return moves;
        }
        let mut children: Vec<(G::Move, G)> = moves
            .into_iter()
            .map(|mv| (mv, self.position.play(mv)))
            .collect();
        children.sort_by_cached_key(|(_, next)| eval.evaluate(next));
        let chances: Vec<(G::Move, Option<f64>)> = children
            .into_iter()
            .map(|(mv, next)| {
                // Even a question that gets no time takes some, and there may
                // be hundreds of moves.
                if self.begin.elapsed() >= budget {
                    return (mv, None);
                }
                let solution = self.solve(memory, &next, budget);
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

    fn wants_one_line(&self) -> bool {
        self.limits.lines() == 1 && self.limits.search_moves.is_empty()
    }

    /// The solver's answer within the budget: all moves that keep the value.
    fn solve(&self, memory: &mut Memory<G>, position: &G, budget: Duration) -> Solution<G::Move> {
        memory.prove(position, &self.solve_limits(budget, true))
    }

    fn solve_limits(&self, budget: Duration, all_best: bool) -> SolveLimits {
        SolveLimits {
            all_best,
            line: !all_best,
            threads: self.threads.get(),
            time: Some(budget.saturating_sub(self.begin.elapsed())),
            stop: self.control.stop.clone(),
            ..SolveLimits::default()
        }
    }

    /// Like [`Endgame::prove`], for several lines or chosen moves: each move is
    /// worth the opposite of the position after it.
    fn prove_moves(
        &self,
        mut ask: impl FnMut(&G) -> Option<Solution<G::Move>>,
    ) -> Option<Vec<Info<G::Move>>> {
        let mut nodes = 0;
        let mut found = Vec::new();
        for mv in self.limits.root_moves(self.position) {
            let solution = ask(&self.position.play(mv))?;
            nodes += solution.nodes;
            found.push((mv, solution));
        }
        found.sort_by_key(|(_, solution)| solution.value.sign());
        let best = found.into_iter().take(self.limits.lines()).enumerate();
        let lines = best.map(|(rank, (mv, solution))| {
            let pv = std::iter::once(mv).chain(solution.pv.iter().copied());
            self.line(rank + 1, &solution, -1, pv.collect(), nodes)
        });
        Some(lines.collect())
    }

    /// The line of the position's own solution; `None` if the time sufficed for
    /// the value, but not for a move that keeps it.
    fn own_line(&self, solution: &Solution<G::Move>) -> Option<Info<G::Move>> {
        let pv = match (&solution.pv[..], &solution.best[..]) {
            ([], []) => return None,
            ([], [best, ..]) => vec![*best],
            (pv, _) => pv.to_vec(),
        };
        Some(self.line(1, solution, 1, pv, solution.nodes))
    }

    /// A line with a proven value; `sign` is -1 if the solution is for the
    /// opponent.
    fn line(
        &self,
        rank: usize,
        solution: &Solution<G::Move>,
        sign: i32,
        pv: Vec<G::Move>,
        nodes: u64,
    ) -> Info<G::Move> {
        let plies = self.position.plies_left();
        let score = Score::of_sign(solution.value.sign().unwrap_or(0) * sign, plies as usize);
        Info {
            depth: plies,
            seldepth: plies,
            multipv: rank,
            score,
            bound: Bound::Exact,
            proven: true,
            nodes,
            time: self.begin.elapsed(),
            hashfull: 0,
            pv,
        }
    }

    /// Time that the solver may use; `None` if it is not to be asked. Limits of
    /// depth and nodes are for the search alone, and far from the end the solver
    /// would hardly finish; with `mate`, a proof is all that is wanted.
    pub(super) fn budget(&self) -> Option<Duration> {
        let limits = self.limits;
        let left = self.position.plies_left();
        if !self.position.has_moves() || limits.nodes.is_some() {
            return None;
        }
        let plan = TimePlan::new(limits, left);
        if let Some(mate) = limits.mate {
            let may = left <= mate && limits.depth.is_none_or(|depth| left <= depth);
            return may.then_some(plan.hard.unwrap_or(Duration::MAX));
        }
        let share = plan.hard.map(|hard| hard.mul_f64(SHARE));
        // On a clock, a vain attempt must not cost the time of several moves.
        let share = share.map(|share| plan.soft.map_or(share, |soft| share.min(soft)));
        let budget = share.unwrap_or(PATIENCE);
        let horizon = HORIZONS.iter().rev().find(|(time, _)| budget >= *time);
        let near = horizon.is_some_and(|&(_, most)| left <= most);
        (near && limits.depth.is_none()).then_some(budget)
    }

    /// The limits of the search that follows: among the moves of `choice`, if there
    /// are any.
    pub(super) fn rest(&self, choice: Vec<G::Move>) -> Limits<G::Move> {
        // The engine's clock stands still while it ponders.
        let used = if self.limits.ponder {
            Duration::ZERO
        } else {
            self.begin.elapsed()
        };
        let time = match self.limits.time {
            TimeLimit::None => TimeLimit::None,
            TimeLimit::MoveTime(time) => TimeLimit::MoveTime(time.saturating_sub(used)),
            TimeLimit::Clock(mut clock) => {
                clock.left = clock.left.saturating_sub(used);
                TimeLimit::Clock(clock)
            }
        };
        let search_moves = if choice.is_empty() {
            self.limits.search_moves.clone()
        } else {
            choice
        };
        Limits {
            time,
            search_moves,
            ..self.limits.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::solver::solve;
    use super::*;
    use crate::game::{Game, Yoxii};

    #[test]
    fn a_value_without_a_move_is_no_answer() {
        let text = "3/IIy1o/yOO1I*1/o1Yy3/yoiiIX1/IXoyO/3 w";
        let position: Yoxii = text.parse().expect("a position");
        let endgame = Endgame {
            position: &position,
            limits: &Limits::default(),
            threads: NonZeroUsize::MIN,
            control: &Control::default(),
            begin: Instant::now(),
        };
        let solution = solve(&position, &SolveLimits::default());
        let best = solution.best[0];
        let without_line = Solution {
            pv: Vec::new(),
            ..solution.clone()
        };
        let line = endgame.own_line(&without_line).expect("a best move");
        assert_eq!(line.pv, [best]);
        assert!(line.score.is_win() && position.is_legal(best));
        let without_move = Solution {
            best: Vec::new(),
            ..without_line
        };
        assert_eq!(endgame.own_line(&without_move), None);
    }
}
