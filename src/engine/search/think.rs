//! The answer of the whole engine: proved if that is quick enough, else searched.
//!
//! While the search goes on, its main thread asks the exact solver again and again, with
//! twice the nodes each time, and the other threads help. The nearer the end of the game,
//! the larger is the solver's share of the nodes. What it has proved stays in its table for
//! the next move of the game.

mod memory;
mod reporter;
mod searcher;
mod traps;
mod trials;

use std::time::Duration;

pub use memory::Memory;
pub use searcher::Searcher;

use super::limits::Limits;
use super::request::{Handler, Request};
use super::score::Bound;
use super::solver::ProofMemory;
use super::{Evaluate, Info, Report, Searchable, ThreadPool};
use memory::SearchMemory;
use reporter::{Proof, Reporter};
use trials::Trials;

/// Answers as [`alphabeta::search`](super::alphabeta::search()) does, with proven values if
/// the solver finds them in its share of the time.
///
/// The last infos that `handler` gets are those of the answer. A proved one is
/// reported again only when its move or its value changes, or along with others of its
/// depth.
#[inline(never)]
pub fn think<G: Searchable, E: Evaluate<G>>(
    request: &Request<G>,
    memory: &mut Memory<G>,
    eval: &E,
    handler: &mut dyn Handler<G::Move>,
) -> Report<G::Move> {
    let Memory {
        search,
        proof_memory,
        pool,
        ..
    } = memory;
    let mut thinker = Thinker {
        request,
        eval,
        proof_memory,
        pool,
        reporter: Reporter::new(request, handler),
        trials: Trials::of(request, pool.size(), search.solver_speed()),
    };
    let limits = &request.limits;
    let report = match limits.level.is_full() || limits.mate.is_some() {
        true => thinker.answer(search),
        false => thinker.weaker_answer(search),
    };
    let time = request.timer.elapsed();
    let (infos, nodes) = thinker.reporter.finish(report.infos, report.nodes, time);
    request.wait_until_due();
    Report::new(infos, nodes, time)
}

/// Reports the infos of a search, and asks the solver in between.
struct Thinker<'a, G: Searchable, E> {
    request: &'a Request<G>,
    eval: &'a E,
    proof_memory: &'a mut ProofMemory,
    pool: &'a ThreadPool,
    reporter: Reporter<'a, G>,
    trials: Trials<G::Move>,
}

impl<G: Searchable, E: Evaluate<G>> Thinker<'_, G, E> {
    /// The best answer: a search, which ends when the solver has found the answer in
    /// between, and then another one among the moves that the proof leaves.
    fn answer(&mut self, memory: &mut SearchMemory) -> Report<G::Move> {
        let (request, pool, eval) = (self.request, self.pool, self.eval);
        let limits = &request.limits;
        let searched = memory.search(request, pool, eval, self);
        let proved = self.trials.proved.take();
        let proved = proved.or_else(|| self.prove_searched(&searched.infos, searched.nodes));
        let Some(infos) = proved else {
            return searched;
        };
        let infos = self.prefer_searched_draw(infos, &searched.infos, searched.nodes);
        self.reporter.next_stage(searched.nodes);
        let best = &infos[0];
        let may_search = request.nodes_left() > 0;
        let Some(open) = self.open_moves(best).filter(|_| may_search) else {
            return Report::new(infos, 0, Duration::ZERO);
        };
        let all = request.position.count_moves() as usize;
        let is_partial = !open.is_empty() && open.len() < all;
        self.reporter.proof = Some(Proof {
            position: request.position,
            value: best.score,
            is_partial,
        });
        let chosen = request.with(Limits {
            search_moves: match open.is_empty() {
                true => limits.search_moves.clone(),
                false => open,
            },
            ..limits.clone()
        });
        // The solver has said what it can.
        memory.search(&chosen, pool, eval, &mut self.reporter)
    }

    /// The answer of a weaker player: the level chooses among many moves of a shallow
    /// search, anew at each depth, and reports its choice as the best.
    fn weaker_answer(&mut self, memory: &mut SearchMemory) -> Report<G::Move> {
        let (request, eval, reporter) = (self.request, self.eval, &mut self.reporter);
        let limits = &request.limits;
        let depth = limits.level.depth();
        let wide = request.with(Limits {
            depth: Some(limits.depth.map_or(depth, |wanted| wanted.min(depth))),
            multi_pv: limits.multi_pv.max(limits.level.multi_pv()),
            ..limits.clone()
        });
        let mut infos: Vec<Info<G::Move>> = Vec::new();
        let mut on_info = |info: &Info<G::Move>| {
            if info.multipv == 1 {
                let last = std::mem::take(&mut infos);
                if last.first().is_some_and(|last| last.depth < info.depth) {
                    let chosen = choose_by_level(request, eval, last);
                    chosen.iter().for_each(|info| reporter.report(info));
                }
            }
            if info.bound == Bound::Exact {
                infos.push(info.clone());
            }
        };
        let report = memory.search(&wide, self.pool, eval, &mut on_info);
        Report {
            infos: choose_by_level(request, eval, report.infos),
            ..report
        }
    }
}

/// As many infos of a depth as are asked for, first that of the move that the level of play
/// chooses.
fn choose_by_level<G: Searchable, E: Evaluate<G>>(
    request: &Request<G>,
    eval: &E,
    mut infos: Vec<Info<G::Move>>,
) -> Vec<Info<G::Move>> {
    let odds = |info: &Info<G::Move>| info.odds(&request.position, eval);
    let points = infos.iter().map(|info| odds(info).expected_points());
    let points: Vec<f64> = points.collect();
    let choice = request.limits.level.choose(&points, &G::LEVEL_LOSSES);
    if choice > 0 && choice < infos.len() {
        let played = &mut infos[choice];
        if played.score.is_loss() {
            // Another move may lose later, or not at all.
            (played.bound, played.proven) = (Bound::Lower, false);
        }
        infos[..=choice].rotate_right(1);
    }
    infos.truncate(request.limits.multi_pv.max(1));
    for (rank, info) in infos.iter_mut().enumerate() {
        info.multipv = rank + 1;
    }
    infos
}
