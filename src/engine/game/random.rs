//! Random setups and games that anybody can reproduce from the seed.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng};

use super::Game;

/// How a random start of Hokito spreads the pawns.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Layout {
    /// Each side at random on its own half.
    #[default]
    Halves,
    /// All pawns at random over the whole board.
    Scattered,
}

impl Layout {
    /// [`Scattered`](Self::Scattered) or [`Halves`](Self::Halves).
    pub const fn of(is_scattered: bool) -> Self {
        match is_scattered {
            true => Self::Scattered,
            false => Self::Halves,
        }
    }
}

/// A reproducible source of random numbers.
///
/// The generator is xoshiro256++ (Blackman and Vigna, 2019), its state filled
/// from the 64 bit seed by SplitMix64, as its authors recommend. Everything
/// random is made from one primitive: a number below `n` is the high word of the
/// 128 bit product of the next output and `n` (Lemire, 2019, without the
/// rejection step; the bias is below `n / 2^64`). A shuffle is Fisher and
/// Yates' from the last index down: for `i` from `len - 1` to 1, swap `i` with
/// a number below `i + 1`. A random start of Hokito takes each side's pawns in
/// the order 1, 1, 1, 1, 1, 1, 2, ... 3, White's before Black's. With
/// [`Layout::Halves`], White's are shuffled and then Black's; with
/// [`Layout::Scattered`], all 36 at once. Then they are put on the squares
/// a1, b1, ... f6 in turn. A random move is the one whose index is a number below
/// the number of moves, in the order of [`Game::moves`]: in Yoxii by square of the
/// totem, square of the piece and value, in Hokito by square of departure and
/// of arrival; squares run a1, b1, ... a2, b2, ...
#[derive(Clone, Debug)]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    /// Starts the stream of a seed.
    pub fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// The next 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number from 0 to `n - 1`; 0 if `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next_u64()) * n as u128) >> 64) as usize
    }

    /// Puts the elements in random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            let j = self.below(i + 1);
            items.swap(i, j);
        }
    }
}

/// Plays up to `plies` random moves; stops early when the game is over.
/// Returns the moves and the last position.
pub fn random_game<G: Game>(start: G, plies: u32, rng: &mut Rng) -> (Vec<G::Move>, G) {
    let mut position = start;
    let mut played = Vec::new();
    for _ in 0..plies {
        let moves = position.moves();
        if moves.is_empty() {
            break;
        }
        let mv = moves[rng.below(moves.len())];
        played.push(mv);
        position = position.play(mv);
    }
    (played, position)
}

/// A random start, exactly `plies` random moves, and the position after them, which is
/// not over.
///
/// # Errors
/// If a hundred games ended earlier.
pub fn random_opening<G: Game>(
    layout: Layout,
    plies: u32,
    rng: &mut Rng,
) -> Result<(G, Vec<G::Move>, G), String> {
    let opening = (0..100).find_map(|_| {
        let start = G::random_start(layout, rng);
        let (played, last) = random_game(start, plies, rng);
        (played.len() == plies as usize && last.has_moves()).then_some((start, played, last))
    });
    opening.ok_or_else(|| {
        let game = G::NAME;
        format!(
            "no random game of {game} was still going on after {plies} plies in a hundred tries"
        )
    })
}

/// The last position of a [`random_opening`]; `None` if there is none.
pub fn random_position<G: Game>(layout: Layout, plies: u32, rng: &mut Rng) -> Option<G> {
    let (.., last) = random_opening(layout, plies, rng).ok()?;
    Some(last)
}

/// Random positions after each of these numbers of plies, without those after which no game was
/// still going on.
#[cfg(test)]
pub(crate) fn random_positions<G: Game>(
    seed: u64,
    plies: impl Iterator<Item = u32>,
) -> impl Iterator<Item = G> {
    let mut rng = Rng::new(seed);
    plies.filter_map(move |plies| random_position(Layout::Halves, plies, &mut rng))
}
