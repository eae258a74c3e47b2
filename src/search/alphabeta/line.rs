//! Lines of moves.

use arrayvec::ArrayVec;

use crate::game::Move;
use crate::search::score::MAX_PLY;

pub(super) type Line<M> = ArrayVec<M, MAX_PLY>;

/// Makes `line` the move and what follows it.
pub(super) fn extend<M: Move>(line: &mut Line<M>, mv: M, below: &Line<M>) {
    line.clear();
    line.push(mv);
    line.extend(below.iter().copied().take(MAX_PLY - 1));
}
