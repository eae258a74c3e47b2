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
    // The score of each meeting, the number of its replays, and the winner of the last of
    // them.
    type Score = ([u64; 2], u32, Option<usize>);
    type Met = BTreeMap<[usize; 2], Score>;
    let mut rounds: Vec<Met> = Vec::new();
    for scores in stages.iter().filter(|scores| !scores.is_empty()) {
        let replays = |round: &Met| scores.keys().any(|key| round.contains_key(key));
        if !rounds.last().is_some_and(replays) {
            rounds.push(Met::new());
        }
        let Some(round) = rounds.last_mut() else {
            continue;
        };
        for (&engines, &[a, b]) in scores {
            let met = round.entry(engines);
            let (score, replays, winner) =
                met.and_modify(|(_, replays, _)| *replays += 1).or_default();
            *score = [score[0] + a, score[1] + b];
            *winner = pairing::winner(engines, [a, b], *replays >= REPLAYS);
        }
    }
    let last = rounds.len().saturating_sub(1);
    let encounters = |(number, round): (usize, Met)| {
        let encounter = |(engines, (score, replays, winner)): ([usize; 2], Score)| Encounter {
            engines: engines.map(name),
            points: score.map(points),
            replays,
            // The winner of a running stage is not known yet.
            winner: winner.filter(|_| complete || number < last).map(name),
        };
        round.into_iter().map(encounter).collect()
    };
    rounds.into_iter().enumerate().map(encounters).collect()
}
