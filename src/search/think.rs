//! The answer of the whole engine: proved if that is quick enough, else searched.
//!
//! Near the end of a game the exact solver comes before the search. It gets only a
//! share of the time, and only if it is likely to finish within it; what it has
//! proved stays in its table for the next move of the game.

use crate::search::Instant;
use std::num::NonZeroUsize;

use super::endgame::Endgame;
use super::limits::{Control, Limits};
use super::memory::Memory;
use super::reporter::Reporter;
use super::score::Bound;
use super::{Evaluate, Info, Report, Searchable};

/// Answers as [`search`](super::search()) does, with proven values if the solver
/// finds them in its share of the time.
///
/// The last lines that `on_info` gets are those of the answer. A proved line is
/// reported again only when its move or its value changes, or along with others of its
/// depth.
pub fn think<G: Searchable, E: Evaluate<G>>(
    position: &G,
    limits: &Limits<G::Move>,
    threads: NonZeroUsize,
    memory: &mut Memory<G>,
    eval: &E,
    control: &Control,
    on_info: impl FnMut(&Info<G::Move>),
) -> Report<G::Move> {
    let begin = Instant::now();
    let mut thought = Thought {
        endgame: Endgame {
            position,
            limits,
            threads,
            control,
            begin,
        },
        memory,
        eval,
        reporter: Reporter::new(begin, on_info),
    };
    let found = if limits.level.is_full() || limits.mate.is_some() {
        thought.answer()
    } else {
        thought.weaker_answer()
    };
    let (lines, nodes) = thought.reporter.finish(found.lines, found.nodes);
    let report = Report::of_lines(lines, nodes, begin.elapsed());
    limits.hold_answer(control);
    report
}

struct Thought<'a, G: Searchable, E, F> {
    endgame: Endgame<'a, G>,
    memory: &'a mut Memory<G>,
    eval: &'a E,
    reporter: Reporter<G::Move, F>,
}

struct Stage<M> {
    lines: Vec<Info<M>>,
    nodes: u64,
}

impl<M> Stage<M> {
    fn before(lines: Vec<Info<M>>) -> Self {
        Self { lines, nodes: 0 }
    }
}

impl<G: Searchable, E: Evaluate<G>, F: FnMut(&Info<G::Move>)> Thought<'_, G, E, F> {
    /// The best answer, in stages: a proof that takes no time, a preview, a proof
    /// in a share of the time, and a search, among all moves or among those that
    /// the proof leaves.
    fn answer(&mut self) -> Stage<G::Move> {
        let endgame = self.endgame;
        let Some(budget) = endgame.budget() else {
            let found = self.search(endgame.limits, |info| info);
            let proved = endgame.prove_searched(self.memory, &found.lines, found.nodes);
            let Some(lines) = proved else {
                return found;
            };
            self.reporter.next_stage(found.nodes);
            let nodes = lines[0].nodes;
            return Stage { lines, nodes };
        };
        let mut proved = endgame.prove_at_once(self.memory, budget);
        let mut preview = Vec::new();
        if proved.is_none() {
            // Whoever waits sees something meanwhile, and there is a move worth
            // playing if the solver is stopped.
            let found = self.search(&endgame.preview(budget), |info| info);
            self.reporter.next_stage(found.nodes);
            if found.lines.iter().all(|line| line.score.is_win()) {
                // The solver could only add an upper bound on the length of the game.
                return Stage::before(found.lines);
            }
            preview = found.lines;
            proved = endgame.prove(self.memory, budget, None);
        }
        let Some(lines) = proved else {
            if endgame.control.is_stopped() {
                return Stage::before(preview);
            }
            return self.search(&endgame.rest(Vec::new()), |info| info);
        };
        let best = &lines[0];
        let Some(choice) = endgame.choice(self.memory, self.eval, best, budget) else {
            let nodes = best.nodes;
            return Stage { lines, nodes };
        };
        let value = best.score;
        let is_partial = !choice.is_empty() && choice.len() < endgame.position.moves().len();
        self.reporter.next_stage(best.nodes);
        self.search(&endgame.rest(choice), |mut info| {
            let is_nearer = value.is_loss() && info.score < value && info.score.is_loss();
            (info.score, info.bound) = match info.bound {
                bound if is_nearer && !is_partial => (info.score, bound),
                // A move that is not searched may make the game last longer.
                Bound::Exact if is_nearer => (info.score, Bound::Lower),
                _ => (value, Bound::Exact),
            };
            info.proven = true;
            info
        })
    }

    /// The searcher's answer; `look_over` changes its lines before they are reported.
    fn search(
        &mut self,
        limits: &Limits<G::Move>,
        look_over: impl Fn(Info<G::Move>) -> Info<G::Move>,
    ) -> Stage<G::Move> {
        let reporter = &mut self.reporter;
        let report = (self.endgame).search(self.memory, limits, self.eval, &mut |info| {
            reporter.line(look_over(info.clone()));
        });
        Stage {
            lines: report.lines.into_iter().map(look_over).collect(),
            nodes: report.nodes,
        }
    }

    /// The answer of a weaker player: the level chooses among many lines of a shallow
    /// search, anew at each depth, and reports its choice as the best line.
    fn weaker_answer(&mut self) -> Stage<G::Move> {
        let Endgame {
            position, limits, ..
        } = self.endgame;
        let (eval, reporter) = (self.eval, &mut self.reporter);
        let depth = limits.level.depth();
        let wide = Limits {
            depth: Some(limits.depth.map_or(depth, |asked| asked.min(depth))),
            multi_pv: limits.lines().max(limits.level.lines()),
            ..limits.clone()
        };
        let mut lines: Vec<Info<G::Move>> = Vec::new();
        let report = (self.endgame).search(self.memory, &wide, eval, &mut |info| {
            if info.multipv == 1 {
                let last = std::mem::take(&mut lines);
                if last.first().is_some_and(|last| last.depth < info.depth) {
                    let chosen = with_choice(position, limits, eval, last);
                    chosen.into_iter().for_each(|info| reporter.line(info));
                }
            }
            if info.bound == Bound::Exact {
                lines.push(info.clone());
            }
        });
        Stage {
            lines: with_choice(position, limits, eval, report.lines),
            nodes: report.nodes,
        }
    }
}

/// As many lines of a depth as are asked for, first the one that the level of play
/// chooses.
fn with_choice<G: Searchable, E: Evaluate<G>>(
    position: &G,
    limits: &Limits<G::Move>,
    eval: &E,
    mut lines: Vec<Info<G::Move>>,
) -> Vec<Info<G::Move>> {
    let odds = |info: &Info<G::Move>| info.odds(position, eval);
    let points: Vec<f64> = lines.iter().map(|info| odds(info).points()).collect();
    let choice = limits.level.choose(&points, G::BEGINNERS_LOSS);
    if choice > 0 && choice < lines.len() {
        let played = &mut lines[choice];
        if played.score.is_loss() {
            // Another move may lose later, or not at all.
            (played.bound, played.proven) = (Bound::Lower, false);
        }
        lines[..=choice].rotate_right(1);
    }
    lines.truncate(limits.lines());
    for (rank, line) in lines.iter_mut().enumerate() {
        line.multipv = rank + 1;
    }
    lines
}
