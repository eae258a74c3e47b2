//! Perft: the number of move sequences of an exact length.

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
