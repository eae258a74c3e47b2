//! Tables for people to read.

use std::fmt::Write as _;

use super::rating::{self, Ratings};
use super::runner::{MatchEnd, remedy};
use super::schedule::standings::Standings;
use super::settings::MatchSettings;
use super::sprt::{Sprt, Verdict};
use super::stats::{EloEstimate, MIN_PAIRS, Wdl};
use super::tally::{Meeting, Tally, sorted};
use totemic_engine::text::{self, number_of};

/// Formats a number with one decimal and a sign, but zero without a sign.
fn elo(value: f64) -> String {
    match value.abs() < 0.05 {
        true => "0.0".to_owned(),
        false => format!("{value:+.1}"),
    }
}

/// A table whose first column is aligned to the left; `|` separates the titles.
fn table(titles: &str, rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let titles = titles.split('|').map(str::to_owned).collect();
    let rows: Vec<Vec<String>> = std::iter::once(titles).chain(rows).collect();
    text::table(&rows, 1)
}

fn percent(part: f64, whole: f64) -> String {
    match whole > 0.0 {
        true => format!("{:.1} %", 100.0 * part / whole),
        false => "-".to_owned(),
    }
}

/// Formats a probability with four decimals; one that is small but not zero is not shown
/// as zero.
fn p_value(p: f64) -> String {
    match p < 1e-4 {
        true => "< 0.0001".to_owned(),
        false => format!("{p:.4}"),
    }
}

/// `+W =D -L`.
fn wdl(wdl: &Wdl) -> String {
    format!("+{} ={} -{}", wdl.wins, wdl.draws, wdl.losses)
}

/// Formats Elo, its interval, normalized Elo and the likelihood of superiority in one
/// line.
pub(crate) fn estimate_line(estimate: &EloEstimate) -> String {
    format!(
        "Elo {} [{}, {}] logistic, {} +- {:.1} normalized, LOS {:.1} %",
        elo(estimate.elo),
        elo(estimate.elo_low),
        elo(estimate.elo_high),
        elo(estimate.normalized),
        estimate.normalized_error,
        100.0 * estimate.los
    )
}

pub(crate) fn sprt_line(sprt: &Sprt, llr: f64) -> String {
    let (lower, upper) = sprt.bounds();
    let verdict = match sprt.verdict(llr) {
        Verdict::Continue => "undecided".to_owned(),
        Verdict::AcceptH0 => format!("H0 accepted: not {} Elo stronger", sprt.elo1),
        Verdict::AcceptH1 => format!("H1 accepted: more than {} Elo stronger", sprt.elo0),
    };
    format!(
        "SPRT [{}, {}] {}: LLR {llr:.2} in ({lower:.2}, {upper:.2}), {verdict}",
        sprt.elo0, sprt.elo1, sprt.model
    )
}

/// The score of two engines against each other, from the view of the first, and the pairs of
/// games by their points, from 0 to 2.
pub(crate) fn meeting_lines(
    settings: &MatchSettings,
    engines: [usize; 2],
    meeting: &Meeting,
) -> Vec<String> {
    let names = engines.map(|engine| &settings.engines[engine].name);
    let score = meeting.wdl();
    let (games, points) = (score.games(), score.points());
    let cells = meeting.pairs.0.map(|n| n.to_string()).join(", ");
    let mut lines = vec![
        format!(
            "{} - {}: {} in {}, {} ({})",
            names[0],
            names[1],
            wdl(&score),
            number_of(games, "game"),
            number_of(points, "point"),
            percent(points, games as f64),
        ),
        format!("pairs with 0, 1/2, 1, 3/2, 2 points: {cells}"),
    ];
    if meeting.repeats > 0 {
        let of = meeting.repeats + meeting.pairs.pairs();
        lines.push(format!(
            "{} of {of} pairs repeat an earlier game move by move and do not count: give {}",
            meeting.repeats,
            remedy(&settings.openings)
        ));
    }
    if let Some(estimate) = meeting.pairs.estimate() {
        lines.push(estimate_line(&estimate));
    }
    if let Some(sprt) = settings.sprt_of(engines) {
        lines.push(sprt_line(sprt, sprt.llr_of_pairs(&meeting.pairs)));
    }
    if let Some(test) = meeting.margins.test() {
        lines.push(format!(
            "margin {:+.2} points a game, standard error {:.2}, over {} pairs: t {:.2}, p {}",
            test.mean,
            test.error,
            meeting.margins.pairs,
            test.t,
            p_value(test.p_value)
        ));
    }
    lines
}

pub(crate) fn games_line(tally: &Tally) -> String {
    let first_mover = tally.first_mover();
    let counted = first_mover.games() as f64;
    let mut line = format!(
        "draws {}, first mover {} ({})",
        percent(first_mover.draws as f64, counted),
        percent(first_mover.points(), counted),
        wdl(&first_mover),
    );
    let games = tally.games as f64;
    if games > 0.0 {
        let _ = write!(
            line,
            ", {:.1} plies and {:.0} ms a game, {} of it in the runner",
            tally.plies as f64 / games,
            tally.total_ms / games,
            percent(tally.overhead_ms, tally.total_ms)
        );
    }
    line
}

/// Faults, times and searches of the engines, one line for each. `s left` are the seconds on
/// its clock at the end of a game. Fits 80 columns.
pub(crate) fn engine_table(settings: &MatchSettings, tally: &Tally) -> String {
    let or_dash = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.1}"));
    let rows = (0..).zip(&settings.engines).map(|(index, spec)| {
        let engine = &tally.engines[index];
        vec![
            spec.name.clone(),
            wdl(&tally.wdl(index)),
            engine.time_losses.to_string(),
            engine.illegal.to_string(),
            engine.crashes.to_string(),
            or_dash(engine.depth.get()),
            or_dash(engine.nodes_per_ms.get()),
            or_dash(engine.ms_per_move.get()),
            format!("{:.1}", engine.slowest_ms),
            or_dash(engine.clock_left_ms.get().map(|ms| ms / 1000.0)),
        ]
    });
    let titles = "engine|+W =D -L|time|illegal|crash|depth|knps|ms/move|max ms|s left";
    table(titles, rows)
}

/// What the engines gave away, if the solver judged their moves.
fn accuracy_table(settings: &MatchSettings, tally: &Tally) -> Option<String> {
    settings.adjudication.solver_ms?;
    let rows = (settings.engines.iter().zip(&tally.engines)).map(|(spec, engine)| {
        let accuracy = engine.accuracy;
        let each = f64::from(accuracy.lost_points) / f64::from(accuracy.judged.max(1));
        vec![
            spec.name.clone(),
            accuracy.judged.to_string(),
            accuracy.lost_points.to_string(),
            format!("{each:.3}"),
            accuracy.blunders.to_string(),
        ]
    });
    let titles = "accuracy|moves judged|points lost|a move|blunders";
    Some(table(titles, rows))
}

/// The scores of all meetings, in the order of the ratings.
fn cross_table(settings: &MatchSettings, tally: &Tally, ratings: &Ratings) -> String {
    let order = order(ratings);
    let mut titles = "engine|rating|+-|points|games".to_owned();
    let mut rows = Vec::new();
    for (rank, &engine) in (1..).zip(&order) {
        let _ = write!(titles, "|{rank}");
        let own = tally.wdl(engine);
        let rating = ratings.of_engine(engine, own.games());
        let or_dash = |text: Option<String>| text.unwrap_or("-".to_owned());
        let mut cells = vec![
            format!("{rank} {}", settings.engines[engine].name),
            or_dash(rating.map(|rating| elo(rating.elo))),
            or_dash(rating.map(|rating| format!("{:.1}", rating.error))),
            own.points().to_string(),
            own.games().to_string(),
        ];
        cells.extend(order.iter().map(|&other| against(tally, engine, other)));
        rows.push(cells);
    }
    table(&titles, rows)
}

fn against(tally: &Tally, engine: usize, other: usize) -> String {
    let Some(meeting) = tally.meetings.get(&sorted([engine, other])) else {
        return ".".to_owned();
    };
    let score = match engine < other {
        true => meeting.wdl(),
        false => meeting.wdl().reversed(),
    };
    format!("{}/{}", score.points(), score.games())
}

fn order(ratings: &Ratings) -> Vec<usize> {
    let mut order: Vec<usize> = (0..ratings.engines.len()).collect();
    let value = |engine: usize| ratings.engines[engine].map_or(f64::NEG_INFINITY, |it| it.elo);
    order.sort_by(|&a, &b| value(b).total_cmp(&value(a)).then(a.cmp(&b)));
    order
}

/// The bracket of a knockout with its winner, or the table of a Swiss tournament.
fn standings_table(standings: &Standings) -> String {
    match standings {
        Standings::Swiss(rows) => {
            let rows = (1..).zip(rows).map(|(rank, one)| {
                vec![
                    format!("{rank} {}", one.name),
                    one.points.to_string(),
                    one.buchholz.to_string(),
                    one.byes.to_string(),
                ]
            });
            table("engine|points|Buchholz|byes", rows)
        }
        Standings::Knockout { rounds, winner } => {
            let mut out = String::new();
            for (number, round) in (1..).zip(rounds) {
                for met in round {
                    let ([a, b], [of_a, of_b]) = (&met.engines, met.points);
                    let _ = write!(out, "round {number}: {a} {of_a} - {of_b} {b}");
                    if met.replays > 0 {
                        let _ = write!(out, ", {}", number_of(met.replays, "replay"));
                    }
                    if let Some(winner) = &met.winner {
                        let _ = write!(out, ": {winner} goes on");
                    }
                    out.push('\n');
                }
            }
            if let Some(winner) = winner {
                let _ = writeln!(out, "winner: {winner}");
            }
            out
        }
    }
}

/// What the ratings say beyond the cross table, and how far they may be trusted.
fn notes(tally: &Tally, ratings: &Ratings) -> String {
    let mut notes = String::new();
    let is_enough = tally.first_mover().games() >= 2 * MIN_PAIRS;
    if is_enough {
        let _ = writeln!(
            notes,
            "first mover's advantage {} +- {:.1} Elo; +- is the 95 % margin, computed from pairs",
            elo(ratings.first_mover.elo),
            ratings.first_mover.error
        );
    } else {
        notes.push_str("too few pairs to estimate Elo\n");
    }
    let mut all = ratings.engines.iter().enumerate();
    if all.any(|(engine, rating)| rating.is_none() && tally.wdl(engine).games() > 0) {
        notes += "Elo compares only engines that games connect, directly or through others\n";
    }
    if ratings.padded && is_enough {
        notes +=
            "the results leave a rating without bound: a drawn pair was added to each meeting\n";
    }
    notes
}

/// How often games ended for each reason, and how many were void.
fn ends(tally: &Tally) -> String {
    let reasons = tally.reasons.iter();
    let reasons: Vec<_> = reasons.map(|(reason, n)| format!("{reason} {n}")).collect();
    let mut out = format!("ends: {}\n", reasons.join(", "));
    for (reason, n) in &tally.voids {
        let _ = writeln!(out, "{} void: {reason}", number_of(*n, "game"));
    }
    out
}

/// The results of games, in paragraphs.
pub(crate) fn of_games(settings: &MatchSettings, tally: &Tally) -> String {
    let ratings = rating::of_match(tally);
    let standings = Standings::of(settings, &tally.results);
    let meetings = tally.meetings.iter();
    let mut scores: Vec<String> = meetings
        .flat_map(|(&engines, meeting)| meeting_lines(settings, engines, meeting))
        .collect();
    scores.push(games_line(tally));
    let rows = settings.engines.iter().zip(&tally.engines);
    let rows = rows.flat_map(|(spec, engine)| {
        let row = |program: &String| vec![spec.name.clone(), program.clone()];
        engine.programs.iter().map(row)
    });
    let paragraphs = [
        standings.map(|standings| standings_table(&standings)),
        Some(cross_table(settings, tally, &ratings) + &notes(tally, &ratings)),
        Some(scores.join("\n") + "\n"),
        Some(engine_table(settings, tally)),
        accuracy_table(settings, tally),
        Some(table("engine|program", rows)),
        Some(ends(tally)),
    ];
    Vec::from_iter(paragraphs.into_iter().flatten()).join("\n")
}

pub(crate) fn ended_line(ended: Option<MatchEnd>, games: u64) -> String {
    let games = number_of(games, "game");
    let Some(ended) = ended else {
        return format!("failed after {games}");
    };
    match ended {
        MatchEnd::Complete => format!("finished: {games}"),
        MatchEnd::Decided(Verdict::AcceptH1) => format!("finished: H1 accepted after {games}"),
        MatchEnd::Decided(_) => format!("finished: H0 accepted after {games}"),
        MatchEnd::Stopped => format!("stopped after {games}"),
        MatchEnd::Exhausted => {
            format!("finished: {games}; more would repeat games that were played")
        }
    }
}
