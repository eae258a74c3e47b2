//! The whole engine's answer: proved where that is quick enough, else searched.
//!
//! Near the end of a game the exact solver is asked before alpha-beta. It gets
//! a share of the time only, and only where it can be expected to finish
//! within it; what it has proved stays in its table, so the next move of the
//! same game starts from there.

use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use super::limits::{Control, Limits, Plan, TimeLimit};
use super::score::{Bound, Score};
use super::solver::{Solution, Solvable, SolveLimits, Solver, Value};
use super::{Evaluate, Info, Report, Table, mcts, search};
use crate::game::Game;

/// Most plies left with which the solver is tried, by the time that it would
/// get: in positions from the engine's own games of either kind, it then
/// answers in time about two times out of three.
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
/// Time that the solver gets where nothing limits the search.
const PATIENCE: Duration = Duration::from_secs(1);
/// Part of the longest time for a move that the solver may take in vain.
const SHARE: f64 = 0.4;
/// Nodes of the search before the solver is asked, for each millisecond that
/// it gets: some two parts in a hundred of its time.
const GLANCE: u128 = 50;
/// Most nodes of that search.
const LONGEST_GLANCE: u128 = 50_000;

/// Centipoints that a move has to seem to give away to be chosen less often by
/// a factor of e.
const CARE: f64 = 50.0;

/// Who searches where the solver does not answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Searcher {
    /// Principal variation alpha-beta: [`search`].
    #[default]
    AlphaBeta,
    /// Monte-Carlo tree search: [`mcts::search`].
    Mcts,
}

impl Searcher {
    /// All searchers, the default first.
    pub const ALL: [Self; 2] = [Self::AlphaBeta, Self::Mcts];

    /// The name in the protocol.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::AlphaBeta => "alphabeta",
            Self::Mcts => "mcts",
        }
    }

    /// The searcher of a name, without regard to case.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|searcher| searcher.name().eq_ignore_ascii_case(name))
    }
}

/// What a searcher keeps from one search to the next.
enum Kept {
    Table(Table),
    Tree(mcts::Tree),
}

/// What an engine keeps from one move to the next: positions searched,
/// positions proved, and the threads that do both.
pub struct Memory<G: Solvable> {
    kept: Kept,
    solver: Solver<G>,
}

impl<G: Solvable> std::fmt::Debug for Memory<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Memory").finish_non_exhaustive()
    }
}

impl<G: Solvable> Memory<G> {
    /// An empty memory of at most `megabytes` MiB in all, a quarter of it for
    /// proofs; `None` where there is not so much.
    #[must_use]
    pub fn try_new(megabytes: usize, searcher: Searcher) -> Option<Self> {
        let proofs = megabytes / 4;
        // What can be had as a table can be had as a tree.
        let table = Table::try_new(megabytes - proofs)?;
        Some(Self {
            kept: match searcher {
                Searcher::AlphaBeta => Kept::Table(table),
                Searcher::Mcts => {
                    drop(table);
                    Kept::Tree(mcts::Tree::new((megabytes - proofs).max(1)))
                }
            },
            solver: Solver::new(proofs.max(1)),
        })
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        match &mut self.kept {
            Kept::Table(table) => table.clear(),
            Kept::Tree(tree) => tree.reset(),
        }
        self.solver.clear();
    }

    /// Takes possession of the tables' memory, which a search would otherwise
    /// have to wait for; no longer than to a deadline.
    pub(crate) fn warm_up(&mut self, deadline: Instant) {
        if let Kept::Table(table) = &mut self.kept {
            table.warm_up(deadline);
        }
        self.solver.warm_up(deadline);
    }

    /// The chosen searcher's answer, without the solver.
    fn search<E: Evaluate<G>>(
        &mut self,
        position: &G,
        limits: &Limits<G::Move>,
        threads: NonZeroUsize,
        eval: &E,
        control: &Control,
        on_info: impl FnMut(&Info<G::Move>),
    ) -> Report<G::Move> {
        let crew = self.solver.crew(threads.get());
        match &mut self.kept {
            Kept::Table(table) => search(position, limits, crew, table, eval, control, on_info),
            Kept::Tree(tree) => mcts::search(position, limits, crew, tree, eval, control, on_info),
        }
    }
}

/// Answers as [`search`] does, with proven values where the solver finds them
/// in a part of the time.
pub fn think<G: Solvable, E: Evaluate<G>>(
    position: &G,
    limits: &Limits<G::Move>,
    threads: NonZeroUsize,
    memory: &mut Memory<G>,
    eval: &E,
    control: &Control,
    mut on_info: impl FnMut(&Info<G::Move>),
) -> Report<G::Move> {
    if !limits.level.is_full() && limits.mate.is_none() {
        return think_weaker(position, limits, threads, memory, eval, control, on_info);
    }
    let begin = Instant::now();
    let endgame = Endgame {
        position,
        limits,
        threads,
        control,
        begin,
    };
    let budget = endgame.budget();
    // So that somebody who waits sees something, and that there is a move
    // worth playing if the solver is stopped.
    let glance = budget.map(|budget| {
        let quick = endgame.glance(budget);
        memory.search(position, &quick, threads, eval, control, &mut on_info)
    });
    let proved = budget.and_then(|budget| endgame.prove(&mut memory.solver, budget));
    let (mut told, mut spent_nodes) = (0, 0);
    if let Some(glance) = glance {
        if proved.is_none() && control.is_stopped() {
            limits.linger(control);
            return Report {
                time: begin.elapsed(),
                ..glance
            };
        }
        told = glance.lines.first().map_or(0, |line| line.depth);
        spent_nodes = glance.nodes;
    }
    let value = proved
        .as_ref()
        .and_then(|lines| lines.first())
        .map(|line| line.score);
    let choice = match (value, budget) {
        (Some(value), Some(budget)) => endgame.choice(&mut memory.solver, eval, value, budget),
        _ => Vec::new(),
    };
    let has_choice = value.is_some_and(Score::is_loss) || choice.len() > 1;
    if let Some(mut lines) = proved.filter(|_| !has_choice) {
        for line in &mut lines {
            line.nodes += spent_nodes;
            on_info(line);
        }
        limits.linger(control);
        let nodes = lines[0].nodes;
        return Report::of_lines(lines, nodes, begin.elapsed());
    }
    let mut rest = endgame.rest();
    rest.search_moves.extend(choice);
    let spent = begin.elapsed();
    let mend = |info: &Info<G::Move>| {
        let mut info = info.clone();
        info.time += spent;
        info.nodes += spent_nodes;
        if let Some(value) = value
            && !(value.is_loss() && info.score.is_loss())
        {
            info.score = value;
            info.bound = Bound::Exact;
            info.proven = true;
        }
        info
    };
    let mut silent = true;
    let tell = |info: &Info<G::Move>| {
        if value.is_some() || info.depth > told {
            silent = false;
            on_info(&mend(info));
        }
    };
    let mut report = memory.search(position, &rest, threads, eval, control, tell);
    report.lines = report.lines.iter().map(mend).collect();
    report.nodes += spent_nodes;
    report.time = begin.elapsed();
    if silent && told > 0 {
        // The answer is always a line that was told.
        report.lines.iter().for_each(on_info);
    }
    report
}

/// Answers as a weaker player: from many lines of a shallow search the level
/// chooses the one to play. That line is the last that `on_info` hears of.
fn think_weaker<G: Solvable, E: Evaluate<G>>(
    position: &G,
    limits: &Limits<G::Move>,
    threads: NonZeroUsize,
    memory: &mut Memory<G>,
    eval: &E,
    control: &Control,
    mut on_info: impl FnMut(&Info<G::Move>),
) -> Report<G::Move> {
    let level = limits.level;
    let depth = level.depth();
    let wide = Limits {
        depth: Some(limits.depth.map_or(depth, |asked| asked.min(depth))),
        multi_pv: limits.multi_pv.max(level.lines()),
        ..limits.clone()
    };
    let mut report = memory.search(position, &wide, threads, eval, control, |info| {
        if info.multipv <= limits.multi_pv {
            on_info(info);
        }
    });
    let points: Vec<f64> = report
        .lines
        .iter()
        .map(|info| eval.odds(position, info.score).points())
        .collect();
    if let Some(played) = report.lines.get(level.choose(&points)).cloned() {
        let played = Info {
            multipv: 1,
            ..played
        };
        on_info(&played);
        report = Report::of_lines(vec![played], report.nodes, report.time);
    }
    report
}

/// How likely somebody is to go wrong who knows no more of his moves than their
/// static values, where only the moves `kept` are not an error: he chooses a
/// move with a probability that falls exponentially with what it seems to give
/// away.
fn chance_of_error<G: Game, E: Evaluate<G>>(position: &G, eval: &E, kept: &[G::Move]) -> f64 {
    let moves = position.moves();
    let values: Vec<i32> = moves
        .iter()
        .map(|&mv| eval.evaluate(&position.play(mv)))
        .collect();
    let best = values.iter().copied().min().unwrap_or(0);
    let (mut right, mut all) = (0.0, 0.0);
    for (mv, value) in moves.iter().zip(values) {
        let weight = (f64::from(best - value) / CARE).exp();
        all += weight;
        if kept.contains(mv) {
            right += weight;
        }
    }
    if all > 0.0 { 1.0 - right / all } else { 0.0 }
}

/// The solver's part of an answer.
struct Endgame<'a, G: Solvable> {
    position: &'a G,
    limits: &'a Limits<G::Move>,
    threads: NonZeroUsize,
    control: &'a Control,
    begin: Instant,
}

impl<G: Solvable> Endgame<'_, G> {
    /// The limits of a short search before the solver is asked.
    fn glance(&self, budget: Duration) -> Limits<G::Move> {
        let nodes = (GLANCE * budget.as_millis()).clamp(GLANCE, LONGEST_GLANCE);
        Limits {
            nodes: Some(nodes as u64),
            mate: None,
            infinite: false,
            ponder: false,
            ..self.limits.clone()
        }
    }

    /// The best lines with their proven values, best first, if they are found
    /// in time.
    fn prove(&self, solver: &mut Solver<G>, budget: Duration) -> Option<Vec<Info<G::Move>>> {
        let ask = |solver: &mut Solver<G>, position: &G| {
            let solution = self.solve(solver, position, budget, false);
            (solution.value != Value::Unknown).then_some(solution)
        };
        if self.wants_one_line() {
            let solution = ask(solver, self.position)?;
            return Some(vec![self.own_line(&solution)?]);
        }
        self.prove_moves(|position| ask(solver, position))
    }

    /// The moves to choose from where several keep a proved draw or all lose:
    /// those after which the opponent is likeliest to go wrong, and those of
    /// which the time did not tell. None where no opponent waits for an
    /// answer.
    fn choice<E: Evaluate<G>>(
        &self,
        solver: &mut Solver<G>,
        eval: &E,
        value: Score,
        budget: Duration,
    ) -> Vec<G::Move> {
        let in_a_game = self.limits.time != TimeLimit::None && self.limits.mate.is_none();
        if !in_a_game || !self.wants_one_line() || value.is_win() {
            return Vec::new();
        }
        let mut moves = if value.is_loss() {
            self.position.moves().into_iter().collect()
        } else {
            self.solve(solver, self.position, budget, true).best
        };
        if moves.len() < 2 {
            return moves;
        }
        moves.sort_by_cached_key(|&mv| eval.evaluate(&self.position.play(mv)));
        let chances: Vec<Option<f64>> = moves
            .iter()
            .map(|&mv| {
                let next = self.position.play(mv);
                let solution = self.solve(solver, &next, budget, true);
                solution
                    .best_complete
                    .then(|| chance_of_error(&next, eval, &solution.best))
            })
            .collect();
        let most = chances.iter().flatten().copied().fold(0.0, f64::max);
        let mut chances = chances.iter();
        moves.retain(|_| chances.next().is_some_and(|c| c.is_none_or(|c| c >= most)));
        moves
    }

    /// Whether all that is asked for is the best line.
    fn wants_one_line(&self) -> bool {
        self.limits.multi_pv == 1 && self.limits.search_moves.is_empty()
    }

    /// The solver's answer within the budget, or within any time where the
    /// proof was asked for.
    fn solve(
        &self,
        solver: &mut Solver<G>,
        position: &G,
        budget: Duration,
        all_best: bool,
    ) -> Solution<G::Move> {
        let time = budget.saturating_sub(self.begin.elapsed());
        let limits = SolveLimits {
            all_best,
            line: !all_best,
            threads: self.threads.get(),
            time: (!self.is_asked()).then_some(time),
            stop: Some(self.control.stop_flag()),
            ..SolveLimits::default()
        };
        solver.solve(position, &limits)
    }

    /// As [`Endgame::prove`], for several lines or chosen moves: each move is
    /// worth the opposite of what it leaves.
    fn prove_moves(
        &self,
        mut ask: impl FnMut(&G) -> Option<Solution<G::Move>>,
    ) -> Option<Vec<Info<G::Move>>> {
        let wanted = &self.limits.search_moves;
        let mut nodes = 0;
        let mut found = Vec::new();
        for mv in self.position.moves() {
            if !wanted.is_empty() && !wanted.contains(&mv) {
                continue;
            }
            let solution = ask(&self.position.play(mv))?;
            nodes += solution.nodes;
            found.push((mv, solution));
        }
        found.sort_by_key(|(_, solution)| solution.value.sign());
        let best = found.into_iter().take(self.limits.multi_pv).enumerate();
        let lines = best.map(|(rank, (mv, solution))| {
            let pv = std::iter::once(mv).chain(solution.pv.iter().copied());
            self.line(rank + 1, &solution, -1, pv.collect(), nodes)
        });
        Some(lines.collect())
    }

    /// The line of the position's own solution; `None` where the time sufficed
    /// for the value, but not for a move that keeps it.
    fn own_line(&self, solution: &Solution<G::Move>) -> Option<Info<G::Move>> {
        let pv = match (&solution.pv[..], &solution.best[..]) {
            ([], []) => return None,
            ([], [best, ..]) => vec![*best],
            (pv, _) => pv.to_vec(),
        };
        Some(self.line(1, solution, 1, pv, solution.nodes))
    }

    /// A line of a proven value; `sign` is -1 where the solution is the
    /// opponent's.
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

    /// Whether the proof is what was asked for, whatever it takes.
    fn is_asked(&self) -> bool {
        matches!(self.limits.mate, Some(mate) if self.position.plies_left() <= mate)
    }

    /// Time that the solver may use; `None` where it is not to be asked:
    /// depths and nodes are the measures of the search alone, and far from the
    /// end it would hardly finish.
    fn budget(&self) -> Option<Duration> {
        let limits = self.limits;
        if !self.position.has_moves() {
            return None;
        }
        if limits.nodes.is_some() || (limits.depth.is_some() && limits.mate.is_none()) {
            return None;
        }
        let own_moves = self.position.plies_left().div_ceil(2);
        let plan = Plan::new(limits.time, limits.overhead, own_moves);
        let share = plan.hard.map(|hard| hard.mul_f64(SHARE));
        // On a clock, a move in vain must not cost the time of several.
        let share = share.map(|share| plan.soft.map_or(share, |soft| share.min(soft)));
        let budget = share.unwrap_or(PATIENCE);
        let horizon = HORIZONS.iter().rev().find(|(time, _)| budget >= *time);
        let near = horizon.is_some_and(|&(_, most)| self.position.plies_left() <= most);
        let may = if limits.mate.is_some() {
            self.is_asked()
        } else {
            near
        };
        may.then_some(budget)
    }

    /// The limits of the search that follows an attempt in vain.
    fn rest(&self) -> Limits<G::Move> {
        // The own clock stands while the engine ponders.
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
        Limits {
            time,
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
