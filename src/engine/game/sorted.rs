//! The moves of a position in the order of their texts.

use std::fmt::Write;

use arrayvec::ArrayString;

use super::Game;

/// The legal moves with their texts, which have at most eight bytes, in the order of these.
pub fn sorted_moves<G: Game>(position: &G) -> Vec<(ArrayString<8>, G::Move)> {
    let keyed = |mv: &G::Move| {
        let mut text = ArrayString::new();
        let _ = write!(text, "{mv}");
        // Numbers compare much faster than texts.
        let mut bytes = [0; 8];
        bytes[..text.len()].copy_from_slice(text.as_bytes());
        (u64::from_be_bytes(bytes), (text, *mv))
    };
    let mut moves: Vec<_> = position.moves().iter().map(keyed).collect();
    moves.sort_unstable_by_key(|(key, _)| *key);
    moves.into_iter().map(|(_, mv)| mv).collect()
}
