//! Results for programs: one JSON object.

use serde_json::{Map, Value, json};

use super::rating;
use super::runner::Ended;
use super::schedule::standings::Standings;
use super::settings::MatchSettings;
use super::sprt::{Sprt, Verdict};
use super::stats::{EloEstimate, Pentanomial, Wdl};
use super::tally::{EngineTally, FEWEST_PAIRS, Meeting, Tally};
use crate::record::GameRecord;

/// Everything there is to say about a set of games; `ended` for a match that
/// was played just now. Elo is `null` where too few pairs say nothing.
#[must_use]
pub fn matched<'a>(
    settings: &MatchSettings,
    tally: &Tally,
    games: impl IntoIterator<Item = &'a GameRecord> + Clone,
    ended: Option<Ended>,
) -> Value {
    let ratings = rating::of_match(tally, games.clone());
    let enough = |games: u64| games >= 2 * FEWEST_PAIRS;
    let engines: Vec<Value> = (settings.engines.iter().zip(&tally.engines).enumerate())
        .map(|(index, (spec, own))| {
            let told = enough(own.wdl.games());
            let mut found = engine(own);
            found.insert("name".to_owned(), json!(spec.name));
            found.insert("elo".to_owned(), json!(ratings.elo[index].filter(|_| told)));
            let error = Some(ratings.error[index]).filter(|_| told);
            found.insert("elo_error".to_owned(), json!(error));
            Value::Object(found)
        })
        .collect();
    let name = |engine: usize| settings.engines[engine].name.as_str();
    let meetings: Vec<Value> = (tally.meetings.iter())
        .map(|(&[a, b], found)| {
            let sprt = settings.sprt.as_ref().filter(|_| [a, b] == [0, 1]);
            meeting([name(a), name(b)], found, sprt)
        })
        .collect();
    let mut out = json!({
        "game": settings.game,
        "seed": settings.seed,
        "games": tally.games,
        "repeated_games": tally.repeats(),
        "void_games": tally.voids,
        "engines": engines,
        "meetings": meetings,
        "first_mover": tally.first_mover,
        "ends": tally.reasons,
    });
    if let Some(standings) = Standings::of(settings, games) {
        out["standings"] = self::standings(&standings, &name);
    }
    if let Some(ended) = ended {
        out["ended"] = json!(match ended {
            Ended::Complete => "complete",
            Ended::Decided(_) => "decided",
            Ended::Stopped => "stopped",
            Ended::Exhausted => "exhausted",
        });
    }
    out
}

fn engine(own: &EngineTally) -> Map<String, Value> {
    let value = json!({
        "games": own.wdl.games(),
        "wins": own.wdl.wins,
        "draws": own.wdl.draws,
        "losses": own.wdl.losses,
        "points": own.wdl.points(),
        "lost_on_time": own.time_losses,
        "lost_by_illegal_moves": own.illegal,
        "lost_by_crashes": own.crashes,
        "mean_depth": own.mean_depth(),
        "nodes_per_second": own.nodes_per_second(),
        "ms_per_move": own.mean_time_ms(),
        "slowest_ms": own.slowest_ms,
        "clock_left_ms": own.mean_clock_ms(),
        "accuracy": own.accuracy,
    });
    match value {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

/// What two engines scored, from the first one's view.
#[must_use]
pub fn meeting(names: [&str; 2], found: &Meeting, test: Option<&Sprt>) -> Value {
    let mut out = json!({
        "engines": names,
        "games": found.wdl.games(),
        "wins": found.wdl.wins,
        "draws": found.wdl.draws,
        "losses": found.wdl.losses,
        "points": found.wdl.points(),
        "pairs": found.pairs,
        "repeated_pairs": found.repeats,
        "strength": found.estimate().as_ref().map(strength),
    });
    if let Some(test) = test {
        out["sprt"] = sprt(test, test.llr_of_pairs(&found.pairs));
    }
    if let Some(margin) = found.margins.test() {
        out["margin"] = json!({
            "mean": margin.mean,
            "error": margin.error,
            "pairs": found.margins.pairs,
            "t": margin.t,
            "p": margin.p_value,
        });
    }
    out
}

/// A sequential test of single games.
#[must_use]
pub fn sprt_of_games(games: &Wdl, test: &Sprt) -> Value {
    json!({
        "games": games.games(),
        "wins": games.wins,
        "draws": games.draws,
        "losses": games.losses,
        "strength": games.estimate().as_ref().map(strength),
        "sprt": sprt(test, test.llr_of_games(games)),
    })
}

/// A sequential test of pairs.
#[must_use]
pub fn sprt_of_pairs(pairs: &Pentanomial, test: &Sprt) -> Value {
    json!({
        "games": 2 * pairs.pairs(),
        "pairs": pairs,
        "strength": pairs.estimate().as_ref().map(strength),
        "sprt": sprt(test, test.llr_of_pairs(pairs)),
    })
}

fn sprt(test: &Sprt, llr: f64) -> Value {
    let (lower, upper) = test.bounds();
    json!({
        "elo0": test.elo0,
        "elo1": test.elo1,
        "alpha": test.alpha,
        "beta": test.beta,
        "model": test.model,
        "llr": llr,
        "lower": lower,
        "upper": upper,
        "verdict": match test.verdict(llr) {
            Verdict::Continue => "undecided",
            Verdict::AcceptH0 => "H0",
            Verdict::AcceptH1 => "H1",
        },
    })
}

/// Infinite values are `null`, as JSON has no other.
fn strength(estimate: &EloEstimate) -> Value {
    json!({
        "elo": estimate.elo,
        "elo_low": estimate.elo_low,
        "elo_high": estimate.elo_high,
        "normalized_elo": estimate.normalized,
        "normalized_elo_error": estimate.normalized_error,
        "los": estimate.los,
    })
}

fn points(half_points: u64) -> f64 {
    half_points as f64 / 2.0
}

fn standings<'n>(standings: &Standings, name: &impl Fn(usize) -> &'n str) -> Value {
    match standings {
        Standings::Swiss(table) => {
            let row = |one: &super::schedule::standings::TableRow| {
                json!({
                    "name": name(one.engine),
                    "points": points(one.half_points),
                    "buchholz": points(one.buchholz),
                    "byes": one.byes,
                })
            };
            json!(table.iter().map(row).collect::<Vec<_>>())
        }
        Standings::Knockout { rounds, winner } => {
            let one = |met: &super::schedule::standings::Encounter| {
                json!({
                    "engines": met.engines.map(name),
                    "points": met.half_points.map(points),
                    "replays": met.replays,
                    "winner": met.winner.map(name),
                })
            };
            let round = |round: &Vec<_>| round.iter().map(one).collect::<Vec<_>>();
            json!({
                "rounds": rounds.iter().map(round).collect::<Vec<_>>(),
                "winner": winner.map(name),
            })
        }
    }
}
