//! The order in which moves are tried.

use crate::game::{Game, MAX_MOVES, Move};

use super::Evaluate;

/// Bits of a packed move that tell moves apart in both games.
const MOVE_BITS: usize = 14;
/// Largest size of a history value.
const HISTORY_MAX: i32 = 8192;

/// How often a move refuted the opponent's last one, for each side.
#[derive(Clone, Debug)]
pub(super) struct History(Vec<i16>);

impl History {
    pub(super) fn new() -> Self {
        Self(vec![0; 2 << MOVE_BITS])
    }

    fn index<G: Game>(position: &G, mv: G::Move) -> usize {
        position.side().index() << MOVE_BITS | usize::from(mv.bits()) & ((1 << MOVE_BITS) - 1)
    }

    pub(super) fn of<G: Game>(&self, position: &G, mv: G::Move) -> i32 {
        self.0[Self::index(position, mv)].into()
    }

    /// Moves a value towards its limit, the slower the nearer it is.
    fn add<G: Game>(&mut self, position: &G, mv: G::Move, bonus: i32) {
        let value = &mut self.0[Self::index(position, mv)];
        let old = i32::from(*value);
        *value = (old + bonus - old * bonus.abs() / HISTORY_MAX) as i16;
    }

    /// Rewards a move that cut off, and blames those tried before it.
    pub(super) fn reward<G: Game>(
        &mut self,
        position: &G,
        cutter: G::Move,
        tried: &[G::Move],
        depth: i32,
    ) {
        let bonus = (16 * depth * depth).min(1600);
        self.add(position, cutter, bonus);
        for &mv in tried {
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
/// the last ply, where the search finds that out anyway) and by history.
pub(super) struct Picker<'a, G: Game, E> {
    position: &'a G,
    eval: &'a E,
    depth: i32,
    table_move: Option<G::Move>,
    stage: Stage,
    moves: arrayvec::ArrayVec<Ranked<G::Move>, MAX_MOVES>,
    next: usize,
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
            moves: arrayvec::ArrayVec::new(),
            next: 0,
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
        let found = *rest.get(best)?;
        rest.swap(0, best);
        self.next += 1;
        Some(found)
    }

    fn list(&mut self, history: &History) {
        let (position, eval, depth) = (self.position, self.eval, self.depth);
        let rank = |mv: G::Move| {
            let seen = history.of(position, mv);
            let value = (depth > 1).then(|| -eval.evaluate(&position.play(mv)));
            let rank = value.map_or(seen, |value| value + seen / 64);
            Ranked { mv, rank, value }
        };
        let table_move = self.table_move;
        let moves = position.moves().into_iter();
        let others = moves.filter(|&mv| Some(mv) != table_move);
        self.moves = others.map(rank).collect();
    }

    /// The listed moves handed out so far, but the last.
    pub(super) fn before_last(&self) -> impl Iterator<Item = G::Move> {
        let end = self.next.saturating_sub(1);
        self.moves[..end].iter().map(|ranked| ranked.mv)
    }
}
