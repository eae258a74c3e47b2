//! The standings of tournaments: the bracket of a knockout and the table of a Swiss
//! tournament.

use std::cmp::Reverse;

use serde::Serialize;

use super::pairing::{MeetingScore, Round};
use super::{Next, Pairings, Schedule};
use crate::arena::settings::MatchSettings;
use crate::arena::tally::Results;
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
    /// In their order in the list.
    pub engines: [String; 2],
    /// Points of each engine, including those from replays of ties.
    pub points: [f64; 2],
    pub replays: u64,
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
    /// Computes the standings that the known results led to; `None` for a format without
    /// standings.
    pub(crate) fn of(settings: &MatchSettings, results: &Results) -> Option<Self> {
        if !settings.format.is_adaptive() {
            return None;
        }
        let mut schedule = Schedule::new(settings, Shard::WHOLE, results.clone());
        let complete = loop {
            match schedule.next_game() {
                Next::Game(_) => {}
                next => break next == Next::Done,
            }
        };
        let name = |engine: usize| settings.engines[engine].name.clone();
        match &schedule.pairings {
            Pairings::Fixed { .. } => None,
            Pairings::Knockout { slots, rounds } => {
                let encounter = |(&engines, score): (&[usize; 2], &MeetingScore)| Encounter {
                    engines: engines.map(name),
                    points: score.half_points.map(in_points),
                    replays: score.pairs.saturating_sub(settings.pairs),
                    winner: score.winner.map(name),
                };
                let begun = |round: &Round| {
                    let meetings = round.iter().filter(|(_, score)| score.pairs > 0);
                    Vec::from_iter(meetings.map(encounter))
                };
                let mut rounds = Vec::from_iter(rounds.iter().map(begun));
                rounds.retain(|round| !round.is_empty());
                // The winners of a running round are not known yet.
                if !complete && let Some(round) = rounds.last_mut() {
                    round.iter_mut().for_each(|met| met.winner = None);
                }
                let winner = slots.iter().flatten().next().filter(|_| complete);
                let winner = winner.copied().map(name);
                Some(Self::Knockout { rounds, winner })
            }
            Pairings::Swiss {
                met,
                byes,
                half_points: own,
            } => {
                let buchholz = |engine: usize| {
                    let meetings = met.iter().filter(|meeting| meeting.contains(&engine));
                    meetings.map(|[a, b]| own[a + b - engine]).sum()
                };
                let engines = (0..own.len()).map(|engine| (own[engine], buchholz(engine), engine));
                let mut table: Vec<(u64, u64, usize)> = engines.collect();
                table.sort_by_key(|&(own, others, engine)| (Reverse((own, others)), engine));
                let row = |(own, others, engine)| TableRow {
                    name: name(engine),
                    points: in_points(own),
                    buchholz: in_points(others),
                    byes: byes.iter().filter(|&&it| it == engine).count(),
                };
                Some(Self::Swiss(table.into_iter().map(row).collect()))
            }
        }
    }
}

fn in_points(half_points: u64) -> f64 {
    half_points as f64 / 2.0
}
