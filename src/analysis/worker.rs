//! A worker: engines that keep their tables, and the answers that they give.

use std::time::Duration;

use rustc_hash::FxHashMap;
use serde_json::{Value as Json, json};

use super::request::Job;
use super::{Options, json as found};
use totemic_engine::engine::Engine;
use totemic_engine::game::{AnyPosition, Hokito, Outcome, Side, Yoxii};
use totemic_engine::search::solver::{Solvable, SolveLimits};
use totemic_engine::search::{Evaluate, Limits, Report, Score, Searchable, TimeLimit};

/// An [`Analyst`] for each game, made when it is first needed.
pub(super) struct Worker {
    yoxii: Option<Analyst<Yoxii>>,
    hokito: Option<Analyst<Hokito>>,
    hash_mb: usize,
}

impl Worker {
    pub(super) fn new(options: &Options) -> Self {
        Self {
            yoxii: None,
            hokito: None,
            hash_mb: (options.hash_mb / options.threads.get()).max(1),
        }
    }

    /// Returns the answer to a job; `None` if the search failed.
    pub(super) fn analyse(&mut self, job: &Job) -> Option<Json> {
        let mb = self.hash_mb;
        match job.position {
            AnyPosition::Yoxii(position) => (self.yoxii)
                .get_or_insert_with(|| Analyst::new(mb))
                .analyse(&position, job),
            AnyPosition::Hokito(position) => (self.hokito)
                .get_or_insert_with(|| Analyst::new(mb))
                .analyse(&position, job),
        }
    }
}

struct Analyst<G: Searchable + Solvable> {
    engine: Engine<G>,
}

/// The sign of a move's result and, if it is proved, the margin at the end of the game.
type Proved = (i32, Option<i32>);

impl<G: Searchable + Solvable> Analyst<G> {
    /// Makes an analyst with tables of this size, halved until they fit into memory.
    fn new(mut megabytes: usize) -> Self {
        let mut engine = Engine::new();
        while engine.set_hash(megabytes.max(1)).is_err() && megabytes > 1 {
            megabytes /= 2;
        }
        Self { engine }
    }

    fn analyse(&mut self, position: &G, job: &Job) -> Option<Json> {
        let mut answer = job.answer(json!({
            "game": G::NAME,
            "position": position.to_string(),
            "side": position.side().word(),
            "bestmove": null,
            "nodes": 0,
            "time_ms": 0,
            "lines": [],
        }));
        if let Some(outcome) = position.outcome() {
            answer["result"] = outcome.word().into();
            answer["points"] = points(outcome, position.side()).into();
            return Some(answer);
        }
        let request = &*job.request;
        let bounds = request.bounds;
        self.engine.set_position(*position);
        let limits = Limits {
            depth: bounds.depth,
            nodes: bounds.nodes,
            time: (bounds.move_time).map_or(TimeLimit::None, TimeLimit::MoveTime),
            multi_pv: match request.moves_values {
                true => position.count_moves() as usize,
                false => request.multi_pv,
            },
            ..Limits::default()
        };
        let report = (self.engine).search_until(limits, &request.cancel, ());
        let eval = self.engine.evaluation();
        answer["bestmove"] = report.best.map(|best| best.to_string()).into();
        answer["nodes"] = report.nodes.into();
        answer["time_ms"] = (report.time.as_millis() as u64).into();
        let lines = report.lines.iter().take(request.multi_pv);
        answer["lines"] = lines
            .map(|info| found::line(info, info.odds(position, eval)))
            .collect();
        if let Some(best) = report.lines.first() {
            let odds = best.odds(position, eval);
            answer["depth"] = best.depth.into();
            answer["points"] = odds.points().into();
            answer["odds"] = found::odds(odds);
        }
        if request.moves_values {
            answer["moves"] = self.values(position, job, &report);
        }
        Some(answer)
    }

    /// Returns all moves, best first. A move is proved if the solver finishes within the
    /// bounds of the search; otherwise its value is that of the search, or else of the
    /// static evaluation.
    fn values(&mut self, position: &G, job: &Job, report: &Report<G::Move>) -> Json {
        let proved = self.prove(job);
        let eval = self.engine.evaluation();
        let searched: FxHashMap<G::Move, _> = (report.lines.iter())
            .filter_map(|info| Some((*info.pv.first()?, info)))
            .collect();
        let value = |&mv: &G::Move| {
            let next = position.play(mv);
            let (mut points, depth, mut proven) = match (searched.get(&mv), next.outcome()) {
                (Some(info), _) => (info.odds(position, eval).points(), info.depth, info.proven),
                (None, Some(outcome)) => (points(outcome, position.side()), 0, true),
                (None, None) => {
                    let score = Score::estimate(-eval.evaluate(&next));
                    (eval.odds(position, score).points(), 0, false)
                }
            };
            let mut margin = None;
            if let Some(&(sign, by)) = proved.get(&mv) {
                (points, proven, margin) = (f64::from(sign + 1) / 2.0, true, by);
            }
            let mv = mv.to_string();
            let mut value = json!({"move": mv, "points": points, "depth": depth, "proven": proven});
            if proven {
                value["value"] = ["loss", "draw", "win"][(points * 2.0).round() as usize].into();
            }
            if let Some(margin) = margin {
                value["margin"] = margin.into();
            }
            (points, margin, value)
        };
        let mut values: Vec<_> = position.moves().iter().map(value).collect();
        values.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| b.1.cmp(&a.1)));
        values.into_iter().map(|(_, _, value)| value).collect()
    }

    /// Returns the moves whose result is proved.
    fn prove(&mut self, job: &Job) -> FxHashMap<G::Move, Proved> {
        let bounds = job.request.bounds;
        let limits = SolveLimits {
            all_moves: true,
            margin: true,
            line: false,
            nodes: bounds.nodes,
            // A depth does not limit the time of a proof.
            time: (bounds.move_time)
                .or_else(|| bounds.nodes.is_none().then_some(Duration::from_secs(1))),
            stop: job.request.cancel.clone(),
            ..SolveLimits::default()
        };
        let solution = self.engine.solve(limits);
        (solution.moves.iter())
            .filter_map(|it| Some((it.mv, (it.value.sign()?, it.margin))))
            .collect()
    }
}

/// Returns the points of a side: 1 for a win, a half for a draw.
fn points(outcome: Outcome, side: Side) -> f64 {
    f64::from(outcome.sign_for(side) + 1) / 2.0
}
