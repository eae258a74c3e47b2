//! Perft: the number of move sequences of an exact length.

use super::Game;

/// Number of sequences of `depth` moves; a finished game has none. The last
/// ply is counted without making a list.
pub fn perft<G: Game>(position: &G, depth: u32) -> u64 {
    perft_until(position, depth, &|| false).unwrap_or_default()
}

/// Like [`perft`], but `None` soon after `is_stopped` has returned true.
#[inline(never)]
pub fn perft_until<G: Game>(
    position: &G,
    depth: u32,
    is_stopped: &dyn Fn() -> bool,
) -> Option<u64> {
    let count = |mv| perft_until(&position.play(mv), depth - 1, is_stopped);
    match depth {
        0 => Some(1),
        1 => Some(position.count_moves()),
        _ if is_stopped() => None,
        _ => position.moves().into_iter().map(count).sum(),
    }
}
