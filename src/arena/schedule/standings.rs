//! The standings of tournaments: the bracket of a knockout and the table of a Swiss
//! tournament.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::Serialize;

use super::pairing::{self, Scores};
use super::{Next, Pairings, REPLAYS, Schedule};
use crate::arena::settings::MatchSettings;
use crate::arena::tally::PlayedGames;
use crate::shard::Shard;

#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum Standings {
    Knockout {
        /// The meetings of each round; the final comes last.
        rounds: Vec<Vec<Encounter>>,
        winner: Option<String>,
    },
    /// The rows of the table, the best first.
    Swiss(Vec<TableRow>),
}

#[derive(Serialize)]
pub(crate) struct Encounter {
    /// The better seed first.
    pub engines: [String; 2],
    /// Points of each engine, including those from replays of ties.
    pub points: [f64; 2],
    pub replays: u32,
    pub winner: Option<String>,
}

/// An engine's place in a Swiss tournament.
#[derive(Serialize)]
pub(crate) struct TableRow {
    pub name: String,
    /// Points, including those of byes.
    pub points: f64,
    /// Points of all its opponents, added up.
    pub buchholz: f64,
    /// Rounds in which it had no opponent; each counts as won.
    pub byes: usize,
}

impl Standings {
    /// Computes the standings that the known games led to; `None` for a format without
    /// standings.
    pub(crate) fn of(settings: &MatchSettings, games: &PlayedGames) -> Option<Self> {
        if !settings.format.is_adaptive() {
            return None;
        }
        let mut schedule = Schedule::new(settings, Shard::WHOLE, games.clone());
        let complete = loop {
            match schedule.next_game() {
                Next::Game(_) => {}
                next => break next == Next::Done,
            }
        };
        let name = |engine: usize| settings.engines[engine].name.clone();
        match &schedule.pairings {
            Pairings::Fixed { .. } => None,
            Pairings::Knockout { slots, .. } => {
                let winner = slots.iter().flatten().next().filter(|_| complete);
                Some(Self::Knockout {
                    rounds: rounds(&schedule.scores, complete, &name),
                    winner: winner.copied().map(name),
                })
            }
            Pairings::Swiss { met, byes } => {
                let own = &schedule.points;
                let buchholz = |engine: usize| {
                    let meetings = met.iter().filter(|meeting| meeting.contains(&engine));
                    meetings.map(|[a, b]| own[a + b - engine]).sum()
                };
                let engines = (0..own.len()).map(|engine| (own[engine], buchholz(engine), engine));
                let mut table: Vec<(u64, u64, usize)> = engines.collect();
                table.sort_by_key(|&(own, others, engine)| (Reverse((own, others)), engine));
                let row = |(own, others, engine)| TableRow {
                    name: name(engine),
                    points: points(own),
                    buchholz: points(others),
                    byes: byes.iter().filter(|&&it| it == engine).count(),
                };
                Some(Self::Swiss(table.into_iter().map(row).collect()))
            }
        }
    }
}

fn points(half_points: u64) -> f64 {
    half_points as f64 / 2.0
}

/// Joins the replays of ties with the rounds that they belong to.
fn rounds(
    stages: &[Scores],
    complete: bool,
    name: &impl Fn(usize) -> String,
) -> Vec<Vec<Encounter>> {
    let mut rounds: Vec<BTreeMap<[usize; 2], Encounter>> = Vec::new();
    for scores in stages.iter().filter(|scores| !scores.is_empty()) {
        let is_replay = (rounds.last())
            .is_some_and(|round| scores.keys().any(|meeting| round.contains_key(meeting)));
        if !is_replay {
            rounds.push(BTreeMap::new());
        }
        let Some(round) = rounds.last_mut() else {
            continue;
        };
        for (&meeting, &score) in scores {
            let met = (round.entry(meeting))
                .and_modify(|met| met.replays += 1)
                .or_insert_with(|| Encounter {
                    engines: meeting.map(name),
                    points: [0.0; 2],
                    replays: 0,
                    winner: None,
                });
            for (sum, own) in met.points.iter_mut().zip(score) {
                *sum += points(own);
            }
            let ties_too = met.replays >= REPLAYS;
            met.winner = pairing::winner(meeting, score, ties_too).map(name);
        }
    }
    // The winners of a running stage are not known yet.
    if !complete && let Some(round) = rounds.last_mut() {
        round.values_mut().for_each(|met| met.winner = None);
    }
    let encounters = |round: BTreeMap<_, Encounter>| round.into_values().collect();
    rounds.into_iter().map(encounters).collect()
}
