//! The whole engine's answer: proved where that is quick enough, else searched.
//!
//! Near the end of a game the exact solver is asked before alpha-beta. It gets
//! a share of the time only, and only where it can be expected to finish
//! within it; what it has proved stays in its table, so the next move of the
//! same game starts from there.

use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

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
    /// proofs, which get one MiB at least; `None` where there is not so much for
    /// the rest. The proofs take the greatest power of two that fits.
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
    let Some(budget) = endgame.budget() else {
        return memory.search(position, limits, threads, eval, control, on_info);
    };
    // So that somebody who waits sees something, and that there is a move
    // worth playing if the solver is stopped.
    let quick = endgame.glance(budget);
    let glance = memory.search(position, &quick, threads, eval, control, &mut on_info);
    if glance.lines.iter().all(|line| line.score.is_win()) {
        // The solver could only tell by when the game is over at the latest.
        limits.linger(control);
        return Report::of_lines(glance.lines, glance.nodes, begin.elapsed());
    }
    let proved = endgame.prove(&mut memory.solver, budget);
    let (value, choice, fallback) = match proved {
        None if control.is_stopped() => {
            limits.linger(control);
            return Report::of_lines(glance.lines, glance.nodes, begin.elapsed());
        }
        None => (None, Vec::new(), glance.lines),
        Some(mut lines) => {
            lines.iter_mut().for_each(|line| line.nodes += glance.nodes);
            let best = &lines[0];
            let Some(choice) = endgame.choice(&mut memory.solver, eval, best, budget) else {
                lines.iter().for_each(on_info);
                limits.linger(control);
                let nodes = best.nodes;
                return Report::of_lines(lines, nodes, begin.elapsed());
            };
            (Some(best.score), choice, lines)
        }
    };
    let mut rest = endgame.rest();
    rest.search_moves.extend(choice);
    let sequel = Sequel {
        spent: begin.elapsed(),
        nodes: glance.nodes,
        value,
    };
    // What the glance has told is no news, unless it is proved by now.
    let told = fallback.first().filter(|_| value.is_none());
    let told = told.map_or(0, |line| line.depth);
    let mut is_news = false;
    let report = memory.search(position, &rest, threads, eval, control, |info| {
        if info.depth > told {
            is_news = true;
            on_info(&sequel.put_right(info));
        }
    });
    let nodes = report.nodes + glance.nodes;
    let depth = report.lines.first().map_or(0, |line| line.depth);
    // The answer is always a line that was told, if any was finished.
    let (lines, is_told) = if depth > 0 && depth >= told {
        let lines = report.lines.iter();
        (lines.map(|line| sequel.put_right(line)).collect(), is_news)
    } else {
        (fallback, value.is_none())
    };
    if !is_told {
        lines.iter().for_each(on_info);
    }
    Report::of_lines(lines, nodes, begin.elapsed())
}

/// A search after what was found before it.
struct Sequel {
    /// Time before it.
    spent: Duration,
    /// Nodes before it.
    nodes: u64,
    /// The value of the position, where it is proved.
    value: Option<Score>,
}

impl Sequel {
    /// A line of the search with what is known besides.
    fn put_right<M: Copy>(&self, info: &Info<M>) -> Info<M> {
        let mut info = Info {
            time: info.time + self.spent,
            nodes: info.nodes + self.nodes,
            ..info.clone()
        };
        // A loss that the search has proved may be nearer than the end.
        if let Some(value) = self.value
            && !(value.is_loss() && info.score.is_loss())
        {
            (info.score, info.bound, info.proven) = (value, Bound::Exact, true);
        }
        info
    }
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
        if played.depth > 0 {
            on_info(&played);
        }
        report = Report::of_lines(vec![played], report.nodes, report.time);
    }
    report
}
