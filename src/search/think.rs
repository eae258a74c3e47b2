//! The whole engine's answer: proved where that is quick enough, else searched.
//!
//! Near the end of a game the exact solver is asked before alpha-beta. It gets
//! a share of the time only, and only where it can be expected to finish
//! within it; what it has proved stays in its table, so the next move of the
//! same game starts from there.

use std::num::NonZeroUsize;
use std::time::Instant;

use super::endgame::Endgame;
use super::limits::{Control, Limits};
use super::score::{Bound, Score};
use super::solver::{Solvable, Solver};
use super::{Evaluate, Info, Report, Table, mcts, search};

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
    let best = proved.as_ref().and_then(|lines| lines.first());
    let value = best.map(|line| line.score);
    let proved_move = best.and_then(|line| line.pv.first().copied());
    let choice = match (value, budget) {
        (Some(value), Some(budget)) => endgame.choice(&mut memory.solver, eval, value, budget),
        _ => Vec::new(),
    };
    let is_lost = value.is_some_and(Score::is_loss);
    let has_choice = is_lost || choice.iter().any(|&mv| Some(mv) != proved_move);
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
