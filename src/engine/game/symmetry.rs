//! Positions that are each other's images under the symmetries of a square board.

use std::hash::{BuildHasher, Hash};

use rustc_hash::FxBuildHasher;

use super::zobrist::splitmix64;
use super::{Cell, Game};

const SYMMETRIES: usize = 8;

/// A number that is the same for a position and all its images under the eight
/// symmetries of the square, whatever these mean for the game, and hardly ever the same
/// for others. It is made from what stands on the squares and the side to move.
///
/// ```
/// use totemic_engine::game::{Game, Yoxii, canonical_key};
///
/// let start = Yoxii::start();
/// let after = |mv| start.read_move(mv).map(|mv| canonical_key(&start.play(mv)));
/// assert_eq!(after("c5b6y")?, after("e3f2y")?);
/// assert_ne!(after("c5b6y")?, after("c5b6x")?);
/// # Ok::<(), totemic_engine::game::MoveError>(())
/// ```
pub fn canonical_key<G: Game>(position: &G) -> u64 {
    let piece = |cell| {
        let glyph = position.glyph(cell)?;
        Some((cell, hash_of((glyph.text, glyph.side))))
    };
    let pieces: Vec<(Cell, u64)> = G::BOARD.into_iter().filter_map(piece).collect();
    let key = |symmetry: usize| {
        let image = |&(cell, piece)| hash_of((image(cell, symmetry, G::SIZE - 1), piece));
        let images = pieces.iter().map(image);
        // A sum does not depend on the order of the squares.
        images.fold(0, u64::wrapping_add)
    };
    let least = (0..SYMMETRIES).map(key).min().unwrap_or(0);
    hash_of((least, position.side()))
}

/// File and rank of a square's image, on a board whose last file is `edge`.
fn image(cell: Cell, symmetry: usize, edge: u8) -> (u8, u8) {
    let flipped = |coordinate: u8, bit: usize| match symmetry & bit {
        0 => coordinate,
        _ => edge - coordinate,
    };
    let (file, rank) = (flipped(cell.file(), 1), flipped(cell.rank(), 2));
    match symmetry & 4 {
        0 => (file, rank),
        _ => (rank, file),
    }
}

fn hash_of(value: impl Hash) -> u64 {
    // Hashes whose sum has to tell positions apart must be random.
    splitmix64(FxBuildHasher.hash_one(value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Hokito, Yoxii};

    #[test]
    fn images_have_one_key_and_others_do_not() {
        let key = |text: &str| canonical_key(&text.parse::<Yoxii>().expect("a position"));
        let some = key("3/Y4/2*4/7/7/5/3 r");
        for image in [
            "3/4Y/4*2/7/7/5/3 r",
            "3/5/7/7/2*4/Y4/3 r",
            "3/5/7/7/4*2/4Y/3 r",
        ] {
            assert_eq!(key(image), some, "{image}");
        }
        for other in ["3/X4/2*4/7/7/5/3 r", "3/1Y3/2*4/7/7/5/3 r"] {
            assert_ne!(key(other), some, "{other}");
        }
        let key = |text: &str| canonical_key(&text.parse::<Hokito>().expect("a position"));
        let image = key("x2,b1,x,w2:3,x/x6/x6/x6/x6/x6 b");
        assert_eq!(key("x6/w2:3,x5/x6/b1,x5/x6/x6 b"), image);
        assert_ne!(key("x2,b1,x,w2:3,x/x6/x6/x6/x6/x6 w"), image);
    }
}
