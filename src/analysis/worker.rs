//! A worker: engines that keep their tables, and the answers that they give.

use rustc_hash::FxHashMap;
use serde_json::{Value as Json, json};

use super::request::Job;
use super::{Options, info_json};
use totemic_engine::engine::Engine;
use totemic_engine::game::{AnyPosition, Hokito, Yoxii};
use totemic_engine::search::solver::{MoveValue, SolveRequest, Value};
use totemic_engine::search::{Evaluate, Limits, Report, Score, Searchable};

/// An engine for each game, made when it is first needed.
pub(super) struct Worker {
    yoxii: Option<Engine<Yoxii>>,
    hokito: Option<Engine<Hokito>>,
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

    pub(super) fn analyse(&mut self, job: &Job) -> Json {
        let mb = self.hash_mb;
        match job.position {
            AnyPosition::Yoxii(position) => {
                let engine = self.yoxii.get_or_insert_with(|| engine_with_tables(mb));
                analyse(engine, &position, job)
            }
            AnyPosition::Hokito(position) => {
                let engine = self.hokito.get_or_insert_with(|| engine_with_tables(mb));
                analyse(engine, &position, job)
            }
        }
    }
}

/// An engine with tables of this size, halved until they fit into memory.
fn engine_with_tables<G: Searchable>(mut megabytes: usize) -> Engine<G> {
    let mut engine = Engine::new();
    while engine.set_hash(megabytes).is_err() && megabytes > 1 {
        megabytes /= 2;
    }
    engine
}

fn analyse<G: Searchable>(engine: &mut Engine<G>, position: &G, job: &Job) -> Json {
    let mut answer = job.answer(json!({
        "game": G::NAME,
        "position": position.to_string(),
        "side": position.side(),
        "bestmove": null,
        "nodes": 0,
        "time_ms": 0,
        "lines": [],
    }));
    if let Some(outcome) = position.outcome() {
        answer["result"] = outcome.word().into();
        answer["points"] = outcome.points(position.side()).into();
        return answer;
    }
    let request = &*job.request;
    engine.set_position(*position);
    let limits = Limits {
        multi_pv: match request.moves_values {
            true => position.count_moves() as usize,
            false => request.multi_pv,
        },
        ..request.limits.into()
    };
    let report = engine.search_until(limits, &request.cancel, ());
    let eval = engine.evaluation();
    answer["bestmove"] = report.best.map(|best| best.to_string()).into();
    answer["nodes"] = report.nodes.into();
    answer["time_ms"] = (report.time.as_millis() as u64).into();
    let infos = report.infos.iter().take(request.multi_pv);
    answer["lines"] = infos
        .map(|info| info_json(info, info.odds(position, eval)))
        .collect();
    if let Some(best) = report.infos.first() {
        let odds = best.odds(position, eval);
        answer["depth"] = best.depth.into();
        answer["points"] = odds.expected_points().into();
        answer["odds"] = json!(odds);
    }
    if request.moves_values {
        answer["moves"] = move_values(engine, position, job, &report);
    }
    answer
}

/// Returns all moves, best first. A move is proved if the solver finishes within the
/// bounds of the search; otherwise its value is that of the search, or else of the
/// static evaluation.
fn move_values<G: Searchable>(
    engine: &mut Engine<G>,
    position: &G,
    job: &Job,
    report: &Report<G::Move>,
) -> Json {
    let solved = solve(engine, job);
    let eval = engine.evaluation();
    let searched: FxHashMap<G::Move, _> = (report.infos.iter())
        .filter_map(|info| Some((*info.pv.first()?, info)))
        .collect();
    let value = |&mv: &G::Move| {
        let next = position.play(mv);
        let (info, solved) = (searched.get(&mv), solved.get(&mv));
        let of_solver = solved.and_then(|it| it.value.sign());
        let of_search = info.filter(|it| it.proven).map(|it| it.score.sign());
        let of_rules = || Some(next.outcome()?.sign_for(position.side()));
        let sign = of_solver.or(of_search).or_else(of_rules);
        let expected = || match info {
            Some(info) => info.odds(position, eval),
            None => eval.odds(position, Score::estimate(-eval.evaluate(&next))),
        };
        let points = sign.map_or_else(
            || expected().expected_points(),
            |sign| f64::from(sign + 1) / 2.0,
        );
        let mut value = json!({
            "move": mv.to_string(),
            "points": points,
            "depth": info.map_or(0, |info| info.depth),
            "proven": sign.is_some(),
        });
        if let Some(sign) = sign {
            value["value"] = Value::of_sign(sign).name().into();
        }
        let margin = of_solver.and(solved.and_then(|it| it.margin));
        if let Some(margin) = margin {
            value["margin"] = margin.into();
        }
        (points, margin, value)
    };
    let mut values: Vec<_> = position.moves().iter().map(value).collect();
    values.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| b.1.cmp(&a.1)));
    values.into_iter().map(|(_, _, value)| value).collect()
}

/// Returns what the solver finds out about each move within the bounds of the search.
fn solve<G: Searchable>(
    engine: &mut Engine<G>,
    job: &Job,
) -> FxHashMap<G::Move, MoveValue<G::Move>> {
    let limits = job.request.limits;
    let request = SolveRequest {
        all_moves: true,
        margin: true,
        pv: false,
        nodes: limits.nodes,
        time: limits.proof_time(),
        stop: job.request.cancel.clone(),
        ..SolveRequest::default()
    };
    let moves = engine.solve(request).moves.into_iter();
    moves.map(|it| (it.mv, it)).collect()
}
