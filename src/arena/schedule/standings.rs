//! How a tournament stands whose pairings depend on results: the bracket of a
//! knockout, the table of a Swiss tournament.

use std::collections::BTreeMap;

use super::{Known, Next, Pairings, REPLAYS, Schedule, known};
use crate::arena::settings::{MatchSettings, Shard};
use crate::record::GameRecord;

/// Where everybody stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Standings {
    /// A knockout.
    Knockout {
        /// The meetings of each round, the final last.
        rounds: Vec<Vec<Encounter>>,
        /// Who won, once all is played.
        winner: Option<usize>,
    },
    /// A Swiss tournament: the best first.
    Swiss(Vec<TableRow>),
}

/// A meeting of a knockout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Encounter {
    /// The better seed and the other.
    pub engines: [usize; 2],
    /// Half points of each, replays of ties included.
    pub half_points: [u64; 2],
    /// How often a tie was replayed.
    pub replays: u32,
    /// Who goes on, once that is known.
    pub winner: Option<usize>,
}

/// An engine's place in a Swiss tournament.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableRow {
    /// The engine.
    pub engine: usize,
    /// Its half points, those of byes included.
    pub half_points: u64,
    /// Half points of all its opponents together (Buchholz).
    pub buchholz: u64,
    /// Rounds in which it had no opponent, which count as won.
    pub byes: u32,
}

impl Standings {
    /// Those that games have led to; `None` for a format that has none.
    #[must_use]
    pub fn of<'a>(
        settings: &MatchSettings,
        games: impl IntoIterator<Item = &'a GameRecord>,
    ) -> Option<Self> {
        if !settings.format.is_adaptive() {
            return None;
        }
        let played = known(games);
        let mut schedule = Schedule::new(settings, Shard::WHOLE, Known::new());
        let next = loop {
            match schedule.next_game() {
                Next::Game(job) => {
                    if let Some(&played) = played.get(&job.id) {
                        schedule.finished(&job, played);
                    }
                }
                next => break next,
            }
        };
        schedule.standings(next == Next::Done)
    }
}

/// Half points of each meeting of a stage.
pub(super) type Scores = BTreeMap<[usize; 2], [u64; 2]>;

impl Schedule {
    fn standings(&self, complete: bool) -> Option<Standings> {
        match &self.pairings {
            Pairings::Fixed { .. } => None,
            Pairings::Knockout { slots, .. } => {
                let stages = self.past_stages.iter().chain([&self.stage_points]);
                Some(Standings::Knockout {
                    rounds: rounds(stages, complete),
                    winner: slots.iter().flatten().next().copied().filter(|_| complete),
                })
            }
            Pairings::Swiss { met, byes } => {
                let mut table: Vec<TableRow> = (0..self.engines)
                    .map(|engine| TableRow {
                        engine,
                        half_points: self.points[engine],
                        buchholz: (met.iter())
                            .filter(|meeting| meeting.contains(&engine))
                            .map(|[a, b]| self.points[a + b - engine])
                            .sum(),
                        byes: u32::from(byes.contains(&engine)),
                    })
                    .collect();
                table.sort_by_key(|one| {
                    use std::cmp::Reverse;
                    (Reverse(one.half_points), Reverse(one.buchholz), one.engine)
                });
                Some(Standings::Swiss(table))
            }
        }
    }
}

/// Joins the replays of ties to the rounds that they belong to.
fn rounds<'a>(stages: impl Iterator<Item = &'a Scores>, complete: bool) -> Vec<Vec<Encounter>> {
    let mut rounds: Vec<Vec<Encounter>> = Vec::new();
    for scores in stages.filter(|scores| !scores.is_empty()) {
        let again = |round: &Vec<Encounter>| {
            round
                .iter()
                .any(|known| scores.contains_key(&known.engines))
        };
        match rounds.last_mut().filter(|round| again(round)) {
            Some(round) => {
                for known in round.iter_mut() {
                    if let Some(&points) = scores.get(&known.engines) {
                        known.replays += 1;
                        known.half_points[0] += points[0];
                        known.half_points[1] += points[1];
                        known.winner = winner(known.engines, points, known.replays);
                    }
                }
            }
            None => rounds.push(
                (scores.iter())
                    .map(|(&engines, &half_points)| Encounter {
                        engines,
                        half_points,
                        replays: 0,
                        winner: winner(engines, half_points, 0),
                    })
                    .collect(),
            ),
        }
    }
    // A stage that is being played decides nothing yet.
    if !complete && let Some(round) = rounds.last_mut() {
        for meeting in round {
            meeting.winner = None;
        }
    }
    rounds
}

/// Who wins a meeting that ended so: a tie after all replays goes to the
/// better seed.
fn winner(engines: [usize; 2], points: [u64; 2], replays: u32) -> Option<usize> {
    match points[0].cmp(&points[1]) {
        std::cmp::Ordering::Greater => Some(engines[0]),
        std::cmp::Ordering::Less => Some(engines[1]),
        std::cmp::Ordering::Equal => (replays >= REPLAYS).then_some(engines[0]),
    }
}
