//! Perft: the number of move sequences of an exact length.

use rayon::prelude::*;

use super::Game;

/// Number of sequences of `depth` moves; a finished game has none. The last
/// ply is counted without making a list.
#[inline(never)]
#[must_use]
pub fn perft<G: Game>(position: &G, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_moves(),
        _ => position
            .moves()
            .into_iter()
            .map(|mv| perft(&position.play(mv), depth - 1))
            .sum(),
    }
}

/// [`perft`] after each move, in the order of [`Game::moves`], on rayon's
/// current thread pool. `depth` must be at least 1; `done` is called after each move.
#[must_use]
pub fn divide<G: Game>(position: &G, depth: u32, done: impl Fn() + Sync) -> Vec<(G::Move, u64)> {
    position
        .moves()
        .par_iter()
        .map(|&mv| {
            let nodes = perft(&position.play(mv), depth.saturating_sub(1));
            done();
            (mv, nodes)
        })
        .collect()
}
