//! The moves of the root from which simulations choose.

use std::sync::atomic::AtomicU16;
use std::sync::atomic::Ordering::Relaxed;

use crate::game::{Game, Move};
use crate::search::request::Request;

pub(super) struct RootMoves {
    /// Packed moves; an empty list stands for all.
    wanted: Vec<u16>,
    /// The best moves so far, one fewer than the pvs wanted. Simulations leave
    /// out none, one, two and so on of them in turn, so that all pvs wanted get
    /// their share.
    pub(super) leaders: Vec<AtomicU16>,
}

impl RootMoves {
    pub(super) fn new<G: Game>(request: &Request<G>) -> Self {
        let (moves, limits) = (request.moves(), &request.limits);
        let multi_pv = limits.multi_pv.min(moves.len()).max(1);
        let some = if limits.search_moves.is_empty() {
            &[][..]
        } else {
            &moves
        };
        Self {
            wanted: some.iter().map(|mv| mv.bits()).collect(),
            leaders: (1..multi_pv).map(|_| AtomicU16::new(0)).collect(),
        }
    }

    pub(super) fn is_wanted(&self, mv: u16) -> bool {
        self.wanted.is_empty() || self.wanted.contains(&mv)
    }

    /// Whether the simulation with this number may choose a move.
    #[inline]
    pub(super) fn may_choose(&self, mv: u16, turn: u64) -> bool {
        let left_out = turn % (self.leaders.len() as u64 + 1);
        let mut leaders = self.leaders.iter().take(left_out as usize);
        self.is_wanted(mv) && !leaders.any(|leader| leader.load(Relaxed) == mv)
    }
}
