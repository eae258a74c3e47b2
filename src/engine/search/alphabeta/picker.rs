//! The order in which moves are tried.

use arrayvec::ArrayVec;

use super::history::History;
use crate::game::{Game, MAX_MOVES, Move};
use crate::search::heuristics::by_variant_group;
use crate::search::{Heuristics, Tuning};

/// How many moves of one node can wait until other threads are done with them.
const MAX_DEFERRED: usize = 32;

/// A move and what is known about it before it is searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScoredMove<M> {
    pub(super) mv: M,
    /// Static value of the position after the move for the mover, if the picker
    /// needed it.
    pub(super) mover_eval: Option<i32>,
    /// How many moves came before it when it was deferred, if it was.
    pub(super) deferred_at: Option<u8>,
    pub(super) is_variant: bool,
}

impl<M> ScoredMove<M> {
    fn unknown(mv: M) -> Self {
        Self {
            mv,
            mover_eval: None,
            deferred_at: None,
            is_variant: false,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// The table's move comes before any other is generated.
    Table,
    /// The others are not listed yet.
    Unlisted,
    /// The likeliest variants of each group are listed.
    Likeliest,
    /// All moves are listed.
    Whole,
}

/// The moves of a node, handed out best first: the table's move before the others
/// are even generated; these by the static value after each move (except at the
/// last ply, where the search computes that anyway) and by history; then the
/// deferred moves; and last, if all are wanted, the less likely variants
/// ([`Heuristics::variant_group`]).
pub(super) struct Picker<'a, G: Game> {
    position: &'a G,
    depth: i32,
    tuning: &'a Tuning,
    history: &'a History,
    table_move: Option<G::Move>,
    stage: Stage,
    moves: ArrayVec<ScoredMove<G::Move>, MAX_MOVES>,
    /// The [`key`] of each, or [`TAKEN`]. Kept apart from the moves, because the
    /// processor compares several plain numbers at a time to find the greatest.
    keys: ArrayVec<i32, MAX_MOVES>,
    tried: ArrayVec<u16, MAX_MOVES>,
    deferred: ArrayVec<(ScoredMove<G::Move>, u16), MAX_DEFERRED>,
    next_deferred: usize,
}

impl<'a, G: Heuristics> Picker<'a, G> {
    /// The moves of a position that is searched `depth` plies deep; the table's
    /// move may be 0 or belong to another position.
    pub(super) fn new(
        position: &'a G,
        table_move: u16,
        depth: i32,
        tuning: &'a Tuning,
        history: &'a History,
    ) -> Self {
        let unpacked = Some(G::Move::from_bits(table_move));
        let table_move = unpacked.filter(|&mv| table_move != 0 && position.is_legal(mv));
        Self {
            position,
            depth,
            tuning,
            history,
            table_move,
            stage: match table_move {
                Some(_) => Stage::Table,
                None => Stage::Unlisted,
            },
            moves: ArrayVec::new(),
            keys: ArrayVec::new(),
            tried: ArrayVec::new(),
            deferred: ArrayVec::new(),
            next_deferred: 0,
        }
    }

    /// The next best move; the less likely variants come only if `wants_all`.
    pub(super) fn next(
        &mut self,
        child_values: &mut impl FnMut(G::Move, Option<&G>) -> i32,
        wants_all: bool,
    ) -> Option<ScoredMove<G::Move>> {
        if self.stage == Stage::Table {
            self.stage = Stage::Unlisted;
            return self.table_move.map(ScoredMove::unknown);
        }
        if self.stage == Stage::Unlisted {
            self.stage = self.list_likeliest(child_values);
        }
        let next = self.next_listed();
        if next.is_some() || !wants_all || self.stage == Stage::Whole {
            return next;
        }
        self.stage = Stage::Whole;
        self.list_rest(child_values);
        self.next_listed()
    }

    fn next_listed(&mut self) -> Option<ScoredMove<G::Move>> {
        let best = self.keys.iter().fold(TAKEN, |best, &key| best.max(key));
        if best != TAKEN {
            let index = index_of(best);
            self.keys[index] = TAKEN;
            self.tried.push(index as u16);
            let scored = self.moves[index];
            self.note_variants(index);
            return Some(scored);
        }
        let &(waiting, index) = self.deferred.get(self.next_deferred)?;
        self.next_deferred += 1;
        self.tried.push(index);
        Some(waiting)
    }

    /// Marks the neighbours of a listed move that belong to the same group.
    fn note_variants(&mut self, index: usize) {
        let group = G::variant_group(self.moves[index].mv);
        let is_variant = |scored: &&mut ScoredMove<G::Move>| G::variant_group(scored.mv) == group;
        let (before, from_here) = self.moves.split_at_mut(index);
        let before = before.iter_mut().rev().take_while(is_variant);
        let after = from_here.iter_mut().skip(1).take_while(is_variant);
        for scored in before.chain(after) {
            scored.is_variant = true;
        }
    }

    /// Prunes the moves after which the position is known to be worth no more than
    /// `most`, including the one handed out last.
    pub(super) fn prune(&mut self, most: i32) {
        // It was not tried, so it must not be penalised.
        self.tried.pop();
        for (key, scored) in self.keys.iter_mut().zip(&self.moves) {
            if scored.mover_eval.is_some_and(|eval| eval <= most) {
                *key = TAKEN;
            }
        }
    }

    /// How many moves come before this one in the order, if `searched` moves have been
    /// searched.
    pub(super) fn moves_before(&self, scored: &ScoredMove<G::Move>, searched: usize) -> usize {
        let waiting = self.deferred.len() - self.next_deferred;
        let here = searched + waiting;
        scored.deferred_at.map_or(here, usize::from)
    }

    /// Defers the move handed out last until all others have been handed out; returns
    /// false if it was deferred before or too many moves are. `before` moves come
    /// before it.
    pub(super) fn defer(&mut self, scored: ScoredMove<G::Move>, before: usize) -> bool {
        if scored.deferred_at.is_some() || self.deferred.is_full() {
            return false;
        }
        let Some(index) = self.tried.pop() else {
            return false;
        };
        let deferred_at = Some(before.min(u8::MAX.into()) as u8);
        let waiting = ScoredMove {
            deferred_at,
            ..scored
        };
        self.deferred.push((waiting, index));
        true
    }

    /// Lists the likeliest variants: one of each group, and one more for every
    /// [`Tuning::plies_per_variant`] plies of depth. Returns the stage that follows.
    fn list_likeliest(
        &mut self,
        child_values: &mut impl FnMut(G::Move, Option<&G>) -> i32,
    ) -> Stage {
        let most = 1 + (self.depth / self.tuning.plies_per_variant) as usize;
        let of_table_move = self.table_move.map(G::variant_group);
        let moves = self.position.moves();
        for variants in by_variant_group::<G>(&moves) {
            let has_table_move = of_table_move == Some(G::variant_group(variants[0]));
            let wanted = most - usize::from(has_table_move);
            if wanted == 0 {
                continue;
            }
            let first = self.moves.len();
            for &mv in variants {
                if Some(mv) == self.table_move {
                    continue;
                }
                let (score, mut scored) = self.score(mv, child_values);
                scored.is_variant = has_table_move;
                let index = self.moves.len();
                if index - first < wanted {
                    self.add(score, scored);
                } else if let Some(worst) = (first..index).min_by_key(|&at| self.keys[at])
                    && key(score, worst) > self.keys[worst]
                {
                    self.keys[worst] = key(score, worst);
                    self.moves[worst] = scored;
                }
            }
        }
        let listed = self.moves.len() + usize::from(self.table_move.is_some());
        if listed == moves.len() {
            Stage::Whole
        } else {
            Stage::Likeliest
        }
    }

    fn list_rest(&mut self, child_values: &mut impl FnMut(G::Move, Option<&G>) -> i32) {
        let listed = self.moves.len();
        for &mv in &self.position.moves() {
            let is_listed = self.moves[..listed].iter().any(|scored| scored.mv == mv);
            if is_listed || Some(mv) == self.table_move {
                continue;
            }
            let (score, mut scored) = self.score(mv, child_values);
            scored.is_variant = true;
            self.add(score, scored);
        }
    }

    fn add(&mut self, score: i32, scored: ScoredMove<G::Move>) {
        self.keys.push(key(score, self.moves.len()));
        self.moves.push(scored);
    }

    fn score(
        &self,
        mv: G::Move,
        child_values: &mut impl FnMut(G::Move, Option<&G>) -> i32,
    ) -> (i32, ScoredMove<G::Move>) {
        let seen = self.history.of(self.position, mv).get();
        let mover_eval = (self.depth > 1).then(|| -child_values(mv, None));
        let score = mover_eval.map_or(seen, |eval| eval + seen * self.tuning.history_weight / 1024);
        let scored = ScoredMove {
            mover_eval,
            ..ScoredMove::unknown(mv)
        };
        (score, scored)
    }

    pub(super) fn tried_moves(&self) -> impl Iterator<Item = G::Move> {
        let tried = self.tried.iter();
        tried.map(|&index| self.moves[usize::from(index)].mv)
    }
}

const INDEX_BITS: u32 = 10;
const LAST_INDEX: i32 = (1 << INDEX_BITS) - 1;
const _: () = assert!(MAX_MOVES <= 1 << INDEX_BITS);
const SCORE_MAX: i32 = (i32::MAX >> INDEX_BITS) - 1;
/// Less than any key: the move was handed out or left out.
const TAKEN: i32 = i32::MIN;

/// A move's score, and in the lower bits its index counted from the end, so that the
/// greatest key is that of the first among equally scored moves.
#[inline]
fn key(score: i32, index: usize) -> i32 {
    score.clamp(-SCORE_MAX, SCORE_MAX) << INDEX_BITS | (LAST_INDEX - index as i32)
}

fn index_of(key: i32) -> usize {
    (LAST_INDEX - (key & LAST_INDEX)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_greatest_key_is_the_first_of_the_best() {
        let last = MAX_MOVES - 1;
        let scores = [(-9, 0), (4, 1), (4, last), (i32::MIN, 2), (3, 3)];
        let keys = scores.map(|(score, index)| key(score, index));
        let best = keys.into_iter().max();
        assert_eq!(best.map(index_of), Some(1));
        for (score, index) in scores {
            assert_eq!(index_of(key(score, index)), index);
            assert!(key(score, index) > TAKEN);
        }
        assert!(key(i32::MAX, last) > key(SCORE_MAX - 1, 0));
    }
}
