//! Who meets whom: the bracket of a knockout and the rounds of a Swiss tournament.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use crate::arena::tally::sorted;

/// Ties of a knockout are replayed this many times; then the engine that comes first in the list
/// goes on.
pub(super) const REPLAYS: u64 = 5;

/// The meetings of a round of a knockout.
pub(super) type Round = BTreeMap<[usize; 2], MeetingScore>;

/// The score of a meeting of a knockout, with all replays.
#[derive(Debug, Default)]
pub(super) struct MeetingScore {
    /// Number of complete pairs.
    pub(super) pairs: u64,
    /// By engine.
    pub(super) half_points: [u64; 2],
    /// Those since the last tie.
    latest_half_points: [u64; 2],
    pub(super) winner: Option<usize>,
}

impl MeetingScore {
    /// Adds a pair. Its half points count only if both games are new, because a repeat must not
    /// decide a tie.
    pub(super) fn add(&mut self, of_pair: [u64; 2], is_new: bool) {
        self.pairs += 1;
        if is_new {
            for engine in [0, 1] {
                self.half_points[engine] += of_pair[engine];
                self.latest_half_points[engine] += of_pair[engine];
            }
        }
    }
}

/// Returns the seeds in the order of a bracket: the best two can meet only in the final,
/// and the best get the byes.
pub(super) fn bracket(engines: usize) -> Vec<Option<usize>> {
    let mut order = vec![0usize];
    while order.len() < engines {
        let size = order.len() * 2;
        let both = order.iter().flat_map(|&seed| [seed, size - 1 - seed]);
        order = both.collect();
    }
    let slots = order.into_iter();
    slots.map(|seed| (seed < engines).then_some(seed)).collect()
}

/// Notes the winners of a round in which all games are played, and removes the losers from the
/// bracket. A tie stays open until it was replayed often enough, after the first `pairs`.
pub(super) fn settle(slots: &mut [Option<usize>], round: &mut Round, pairs: u64) {
    for (&[a, b], score) in round.iter_mut().filter(|(_, it)| it.winner.is_none()) {
        let latest = std::mem::take(&mut score.latest_half_points);
        let winner = match latest[0].cmp(&latest[1]) {
            Ordering::Equal if score.pairs < pairs + REPLAYS => continue,
            // After as many replays, the one that comes first in the list goes on.
            Ordering::Equal | Ordering::Greater => a,
            Ordering::Less => b,
        };
        score.winner = Some(winner);
        let loser = a + b - winner;
        let lost = slots.iter_mut().filter(|slot| **slot == Some(loser));
        lost.for_each(|slot| *slot = None);
    }
}

/// Joins neighbouring slots until two engines are neighbours, and returns the meetings of
/// that level, in the order of the bracket; none if only one engine is left.
pub(super) fn next_level(slots: &mut Vec<Option<usize>>) -> Vec<[usize; 2]> {
    while slots.len() > 1 {
        let meetings: Vec<[usize; 2]> = (slots.chunks(2))
            .filter_map(|slots| match slots {
                [Some(a), Some(b)] => Some(sorted([*a, *b])),
                _ => None,
            })
            .collect();
        if !meetings.is_empty() {
            return meetings;
        }
        *slots = (slots.chunks(2))
            .map(|two| two[0].or(*two.get(1)?))
            .collect();
    }
    Vec::new()
}

/// Pairs neighbours in the table that have not met; if that is impossible, it pairs
/// neighbours even if they have met.
pub(super) fn swiss_meetings(order: &[usize], met: &BTreeSet<[usize; 2]>) -> Vec<[usize; 2]> {
    let mut steps = 100_000;
    let mut chosen = Vec::new();
    if !pair_up(order, met, &mut chosen, &mut steps) {
        let neighbours = order.chunks_exact(2);
        chosen = neighbours.map(|two| sorted([two[0], two[1]])).collect();
    }
    chosen
}

/// Searches depth-first, in table order, for a pairing without repetition.
fn pair_up(
    order: &[usize],
    met: &BTreeSet<[usize; 2]>,
    chosen: &mut Vec<[usize; 2]>,
    steps: &mut u32,
) -> bool {
    let Some((&first, rest)) = order.split_first() else {
        return true;
    };
    for (index, &other) in rest.iter().enumerate() {
        if *steps == 0 {
            return false;
        }
        *steps -= 1;
        let meeting = sorted([first, other]);
        if met.contains(&meeting) {
            continue;
        }
        let mut left = rest.to_vec();
        left.remove(index);
        chosen.push(meeting);
        if pair_up(&left, met, chosen, steps) {
            return true;
        }
        chosen.pop();
    }
    false
}
