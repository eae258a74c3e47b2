//! The order in which moves are tried.

use std::sync::atomic::{AtomicI16, Ordering};

use arrayvec::ArrayVec;

use super::Evaluate;
use crate::game::{Game, MAX_MOVES, Move};

/// Bits of a packed move that tell moves apart in both games.
const MOVE_BITS: usize = 14;
/// Largest size of a history value.
const HISTORY_MAX: i32 = 8192;

/// Moves that can wait in one node until other threads are done with them.
const MAX_DEFERRED: usize = 32;

/// How often a move refuted the opponent's last one, for each side. Several
/// threads may share it; an update that is lost does no harm.
#[derive(Debug)]
pub(super) struct History(Vec<AtomicI16>);

impl History {
    pub(super) fn new() -> Self {
        Self((0..2 << MOVE_BITS).map(|_| AtomicI16::new(0)).collect())
    }

    fn index<G: Game>(position: &G, mv: G::Move) -> usize {
        position.side().index() << MOVE_BITS | usize::from(mv.bits()) & ((1 << MOVE_BITS) - 1)
    }

    pub(super) fn of<G: Game>(&self, position: &G, mv: G::Move) -> i32 {
        self.0[Self::index(position, mv)]
            .load(Ordering::Relaxed)
            .into()
    }

    /// Moves a value towards its limit, the slower the nearer it is.
    fn add<G: Game>(&self, position: &G, mv: G::Move, bonus: i32) {
        let value = &self.0[Self::index(position, mv)];
        let old = i32::from(value.load(Ordering::Relaxed));
        let new = old + bonus - old * bonus.abs() / HISTORY_MAX;
        value.store(new as i16, Ordering::Relaxed);
    }

    /// Rewards a move that cut off, and blames those tried before it.
    pub(super) fn reward<G: Game>(
        &self,
        position: &G,
        cutter: G::Move,
        tried: impl Iterator<Item = G::Move>,
        depth: i32,
    ) {
        let bonus = (16 * depth * depth).min(1600);
        self.add(position, cutter, bonus);
        for mv in tried {
            self.add(position, mv, -bonus / 2);
        }
    }
}

/// A move and what is known of it before it is searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ranked<M> {
    pub(super) mv: M,
    rank: i32,
    /// Static value of the position behind the move for the mover, where the
    /// picker had a reason to ask for it.
    pub(super) value: Option<i32>,
    /// How many moves came before it when it was put off, if it was.
    pub(super) deferred_at: Option<u8>,
}

/// How far a picker has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// The table's move comes before any other is looked for.
    Table,
    /// The others are not listed yet.
    Unlisted,
    /// The others are listed and ranked.
    Listed,
}

/// The moves of a node, handed out best first: the table's before the others
/// are even generated, those by what the position behind each is worth (not at
/// the last ply, where the search finds that out anyway) and by history, at last
/// those that were put off.
pub(super) struct Picker<'a, G: Game, E> {
    position: &'a G,
    eval: &'a E,
    depth: i32,
    table_move: Option<G::Move>,
    stage: Stage,
    moves: ArrayVec<Ranked<G::Move>, MAX_MOVES>,
    next: usize,
    deferred: ArrayVec<Ranked<G::Move>, MAX_DEFERRED>,
    next_deferred: usize,
}

impl<'a, G: Game, E: Evaluate<G>> Picker<'a, G, E> {
    /// The moves of a position that is searched `depth` plies deep; the bits
    /// of the table's move may be of another position or 0.
    pub(super) fn new(position: &'a G, eval: &'a E, table_move: u16, depth: i32) -> Self {
        let known = Some(G::Move::from_bits(table_move));
        let table_move = known.filter(|&mv| table_move != 0 && position.is_legal(mv));
        Self {
            position,
            eval,
            depth,
            table_move,
            stage: match table_move {
                Some(_) => Stage::Table,
                None => Stage::Unlisted,
            },
            moves: ArrayVec::new(),
            next: 0,
            deferred: ArrayVec::new(),
            next_deferred: 0,
        }
    }

    /// The next best move.
    pub(super) fn next(&mut self, history: &History) -> Option<Ranked<G::Move>> {
        match self.stage {
            Stage::Table => {
                self.stage = Stage::Unlisted;
                return self.table_move.map(|mv| Ranked {
                    mv,
                    rank: i32::MAX,
                    value: None,
                    deferred_at: None,
                });
            }
            Stage::Unlisted => {
                self.stage = Stage::Listed;
                self.list(history);
            }
            Stage::Listed => {}
        }
        let rest = self.moves.get_mut(self.next..)?;
        // The first of equals, so that the order is the generator's.
        let mut best = 0;
        for (index, ranked) in rest.iter().enumerate() {
            if ranked.rank > rest[best].rank {
                best = index;
            }
        }
        if let Some(&found) = rest.get(best) {
            rest.swap(0, best);
            self.next += 1;
            return Some(found);
        }
        let waiting = self.deferred.get(self.next_deferred)?;
        self.next_deferred += 1;
        Some(*waiting)
    }

    /// How many moves come before one in the order, after `searched` ones.
    pub(super) fn before(&self, ranked: &Ranked<G::Move>, searched: usize) -> usize {
        let here = searched + self.deferred.len();
        ranked.deferred_at.map_or(here, usize::from)
    }

    /// Puts a move off until all others were handed out, unless it was before
    /// or too many are. `before` moves come before it.
    pub(super) fn defer(&mut self, ranked: Ranked<G::Move>, before: usize) -> bool {
        let deferred_at = Some(before.min(u8::MAX.into()) as u8);
        let waiting = Ranked {
            deferred_at,
            ..ranked
        };
        ranked.deferred_at.is_none() && self.deferred.try_push(waiting).is_ok()
    }

    fn list(&mut self, history: &History) {
        let (position, eval, depth) = (self.position, self.eval, self.depth);
        let rank = |mv: G::Move| {
            let seen = history.of(position, mv);
            let value = (depth > 1).then(|| -eval.evaluate(&position.play(mv)));
            let rank = value.map_or(seen, |value| value + seen / 64);
            Ranked {
                mv,
                rank,
                value,
                deferred_at: None,
            }
        };
        for &mv in &position.moves() {
            if Some(mv) != self.table_move {
                self.moves.push(rank(mv));
            }
        }
    }

    /// The listed moves handed out so far.
    pub(super) fn handed_out(&self) -> impl Iterator<Item = G::Move> {
        self.moves[..self.next].iter().map(|ranked| ranked.mv)
    }
}
