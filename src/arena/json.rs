//! Results for programs, as one JSON object.

use serde_json::{Value as Json, json};

use super::rating::{self, Ratings};
use super::runner::MatchEnd;
use super::schedule::standings::Standings;
use super::settings::MatchSettings;
use super::sprt::Sprt;
use super::stats::{EloEstimate, Wdl};
use super::tally::{Meeting, Tally};

/// The results of games. Elo is `null` if there are too few pairs. Infinite values,
/// which JSON does not have, are `null` too.
pub(crate) fn of_games(settings: &MatchSettings, tally: &Tally) -> Json {
    let ratings = rating::of_match(tally);
    let engines: Vec<Json> = (0..settings.engines.len())
        .map(|index| engine(settings, tally, index, &ratings))
        .collect();
    let meetings: Vec<Json> = (tally.meetings.iter())
        .map(|(&engines, score)| meeting(settings, engines, score))
        .collect();
    let mut out = json!({
        "game": settings.game,
        "seed": settings.seed,
        "games": tally.games,
        "repeated_games": tally.repeats(),
        "void_games": tally.voids,
        "engines": engines,
        "meetings": meetings,
        "first_mover": tally.first_mover(),
        "ends": tally.reasons,
    });
    if let Some(standings) = Standings::of(settings, &tally.results) {
        out["standings"] = json!(standings);
    }
    out
}

fn engine(settings: &MatchSettings, tally: &Tally, index: usize, ratings: &Ratings) -> Json {
    let (own, wdl) = (&tally.engines[index], tally.wdl(index));
    let rating = ratings.of_engine(index, wdl.games());
    let details = json!({
        "lost_on_time": own.time_losses,
        "lost_by_illegal_moves": own.illegal,
        "lost_by_crashes": own.crashes,
        "mean_depth": own.depth.get(),
        "nodes_per_second": own.nodes_per_ms.get().map(|nodes| nodes * 1e3),
        "ms_per_move": own.ms_per_move.get(),
        "slowest_ms": own.slowest_ms,
        "clock_left_ms": own.clock_left_ms.get(),
        "accuracy": own.accuracy,
        "name": settings.engines[index].name,
        "programs": own.programs,
        "elo": rating.map(|rating| rating.elo),
        "elo_error": rating.map(|rating| rating.error),
    });
    merged(results(&wdl), details)
}

/// The results of a match, and how it ended; `None` if it failed.
pub(crate) fn of_match(settings: &MatchSettings, tally: &Tally, ended: Option<MatchEnd>) -> Json {
    let ended = ended.map_or("failed".into(), |ended| json!(ended));
    merged(of_games(settings, tally), json!({ "ended": ended }))
}

/// Adds the fields of the second object to the first.
fn merged(mut to: Json, from: Json) -> Json {
    if let (Json::Object(to), Json::Object(from)) = (&mut to, from) {
        to.extend(from);
    }
    to
}

fn results(wdl: &Wdl) -> Json {
    let sums = json!({"games": wdl.games(), "points": wdl.points()});
    merged(sums, json!(wdl))
}

/// The score of two engines, from the first one's view.
pub(crate) fn meeting(settings: &MatchSettings, engines: [usize; 2], score: &Meeting) -> Json {
    let names = engines.map(|engine| &settings.engines[engine].name);
    let pairs = json!({"engines": names, "pairs": score.pairs, "repeated_pairs": score.repeats});
    let mut out = merged(pairs, results(&score.wdl()));
    out["strength"] = json!(score.pairs.estimate());
    if let Some(test) = settings.sprt_of(engines) {
        out["sprt"] = sprt(test, test.llr_of_pairs(&score.pairs));
    }
    if let Some(margin) = score.margins.test() {
        out["margin"] = merged(json!(margin), json!({"pairs": score.margins.pairs}));
    }
    out
}

/// A sequential test of `counts`, with the strength that they show.
pub(crate) fn tested(counts: Json, strength: Option<EloEstimate>, test: &Sprt, llr: f64) -> Json {
    let found = json!({"strength": strength, "sprt": sprt(test, llr)});
    merged(counts, found)
}

fn sprt(test: &Sprt, llr: f64) -> Json {
    let (lower, upper) = test.bounds();
    let verdict = test.verdict(llr);
    let state = json!({"llr": llr, "lower": lower, "upper": upper, "verdict": verdict});
    merged(json!(test), state)
}
