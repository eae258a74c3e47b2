//! Who meets whom: the bracket of a knockout and the rounds of a Swiss tournament.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use crate::arena::tally::sorted;

/// Half points of the two engines of each meeting.
pub(super) type Scores = BTreeMap<[usize; 2], [u64; 2]>;

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

/// Returns the winner of a meeting with these points; the better seed wins a tie if
/// `ties_too`.
pub(super) fn winner([a, b]: [usize; 2], points: [u64; 2], ties_too: bool) -> Option<usize> {
    match points[0].cmp(&points[1]) {
        Ordering::Greater => Some(a),
        Ordering::Less => Some(b),
        Ordering::Equal => ties_too.then_some(a),
    }
}

/// Removes the losers of decided meetings from the bracket, and these meetings from those
/// that are open. With `ties_too`, a tie is decided as well.
pub(super) fn settle(
    slots: &mut [Option<usize>],
    open: &mut Vec<[usize; 2]>,
    points: &Scores,
    ties_too: bool,
) {
    open.retain(|&meeting| {
        let points = points.get(&meeting).copied().unwrap_or_default();
        let Some(winner) = winner(meeting, points, ties_too) else {
            return true;
        };
        let loser = meeting[0] + meeting[1] - winner;
        let lost = slots.iter_mut().filter(|slot| **slot == Some(loser));
        lost.for_each(|slot| *slot = None);
        false
    });
}

/// Joins neighbouring slots until two engines are neighbours, and returns the meetings of
/// that level; none if only one engine is left.
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
pub(super) fn swiss(order: &[usize], met: &BTreeSet<[usize; 2]>) -> Vec<[usize; 2]> {
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
