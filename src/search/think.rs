//! The answer of the whole engine: proved if that is quick enough, else searched.
//!
//! Near the end of a game the exact solver comes before the search. It gets only a
//! share of the time, and only if it is likely to finish within it; what it has
//! proved stays in its table for the next move of the game.

mod memory;
mod proof;
mod reporter;

pub use memory::{Memory, Searcher};

use super::request::{Handler, Limits, Request};
use super::score::Bound;
use super::{Evaluate, Info, Report, Searchable};
use reporter::{Proof, Reporter};

/// Answers as [`search`](super::search()) does, with proven values if the solver
/// finds them in its share of the time.
///
/// The last lines that `handler` gets are those of the answer. A proved line is
/// reported again only when its move or its value changes, or along with others of its
/// depth.
pub fn think<G: Searchable, E: Evaluate<G>>(
    request: &Request<G>,
    memory: &mut Memory<G>,
    eval: &E,
    handler: impl Handler<G::Move>,
) -> Report<G::Move> {
    let mut thought = Thought {
        request,
        memory,
        eval,
        reporter: Reporter::new(handler),
    };
    let limits = &request.limits;
    let found = match limits.level.is_full() || limits.mate.is_some() {
        true => thought.answer(),
        false => thought.weaker_answer(),
    };
    let time = request.timer.elapsed();
    let (lines, nodes) = thought.reporter.finish(found.lines, found.nodes, time);
    request.hold_answer();
    Report::of_lines(lines, nodes, time)
}

struct Thought<'a, G: Searchable, E, H> {
    request: &'a Request<G>,
    memory: &'a mut Memory<G>,
    eval: &'a E,
    reporter: Reporter<G::Move, H>,
}

struct Stage<M> {
    lines: Vec<Info<M>>,
    nodes: u64,
}

impl<M> Stage<M> {
    fn before(lines: Vec<Info<M>>) -> Self {
        Self { lines, nodes: 0 }
    }

    fn proved(lines: Vec<Info<M>>) -> Self {
        let nodes = lines[0].nodes;
        Self { lines, nodes }
    }
}

impl<G: Searchable, E: Evaluate<G>, H: Handler<G::Move>> Thought<'_, G, E, H> {
    /// The best answer, in stages: a proof that takes no time, a preview, a proof
    /// in a share of the time, and a search, among all moves or among those that
    /// the proof leaves.
    fn answer(&mut self) -> Stage<G::Move> {
        let request = self.request;
        let Some(budget) = self.budget() else {
            let found = self.search(request);
            let Some(lines) = self.prove_searched(&found.lines, found.nodes) else {
                return found;
            };
            self.reporter.next_stage(found.nodes);
            return Stage::proved(lines);
        };
        let mut proved = self.prove_at_once(budget);
        let mut preview = Vec::new();
        if proved.is_none() {
            // Whoever waits sees something meanwhile, and there is a move worth
            // playing if the solver is stopped.
            let found = self.search(&self.preview(budget));
            self.reporter.next_stage(found.nodes);
            if found.lines.iter().all(|line| line.score.is_win()) {
                // The solver could only add an upper bound on the length of the game.
                return Stage::before(found.lines);
            }
            preview = found.lines;
            proved = self.prove(&request.limits, budget, None);
        }
        let Some(lines) = proved else {
            if request.timer.stop.is_stopped() {
                return Stage::before(preview);
            }
            request.timer.was_in_vain();
            return self.search(request);
        };
        let best = &lines[0];
        let Some(choice) = self.choice(best, budget) else {
            return Stage::proved(lines);
        };
        let all_moves = request.position.moves();
        self.reporter.proof = Some(Proof {
            value: best.score,
            is_partial: !choice.is_empty() && choice.len() < all_moves.len(),
        });
        self.reporter.next_stage(best.nodes);
        request.timer.was_in_vain();
        match choice.is_empty() {
            true => self.search(request),
            false => self.search(&request.with(Limits {
                search_moves: choice,
                ..request.limits.clone()
            })),
        }
    }

    /// The searcher's answer; its lines are reported as they are found.
    fn search(&mut self, request: &Request<G>) -> Stage<G::Move> {
        let report = (self.memory).search(request, self.eval, &mut self.reporter);
        let lines = report.lines.into_iter();
        Stage {
            lines: match self.reporter.proof {
                Some(proof) => lines.map(|info| proof.settle(info)).collect(),
                None => lines.collect(),
            },
            nodes: report.nodes,
        }
    }

    /// The answer of a weaker player: the level chooses among many lines of a shallow
    /// search, anew at each depth, and reports its choice as the best line.
    fn weaker_answer(&mut self) -> Stage<G::Move> {
        let (request, eval, reporter) = (self.request, self.eval, &mut self.reporter);
        let limits = &request.limits;
        let depth = limits.level.depth();
        let wide = request.with(Limits {
            depth: Some(limits.depth.map_or(depth, |asked| asked.min(depth))),
            multi_pv: limits.lines().max(limits.level.lines()),
            ..limits.clone()
        });
        let mut lines: Vec<Info<G::Move>> = Vec::new();
        let report = (self.memory).search(&wide, eval, &mut |info: &Info<G::Move>| {
            if info.multipv == 1 {
                let last = std::mem::take(&mut lines);
                if last.first().is_some_and(|last| last.depth < info.depth) {
                    let chosen = with_choice(request, eval, last);
                    chosen.iter().for_each(|info| reporter.line(info));
                }
            }
            if info.bound == Bound::Exact {
                lines.push(info.clone());
            }
        });
        Stage {
            lines: with_choice(request, eval, report.lines),
            nodes: report.nodes,
        }
    }
}

/// As many lines of a depth as are asked for, first the one that the level of play
/// chooses.
fn with_choice<G: Searchable, E: Evaluate<G>>(
    request: &Request<G>,
    eval: &E,
    mut lines: Vec<Info<G::Move>>,
) -> Vec<Info<G::Move>> {
    let odds = |info: &Info<G::Move>| info.odds(&request.position, eval);
    let points: Vec<f64> = lines.iter().map(|info| odds(info).points()).collect();
    let choice = request.limits.level.choose(&points, G::BEGINNERS_LOSS);
    if choice > 0 && choice < lines.len() {
        let played = &mut lines[choice];
        if played.score.is_loss() {
            // Another move may lose later, or not at all.
            (played.bound, played.proven) = (Bound::Lower, false);
        }
        lines[..=choice].rotate_right(1);
    }
    lines.truncate(request.limits.lines());
    for (rank, line) in lines.iter_mut().enumerate() {
        line.multipv = rank + 1;
    }
    lines
}
