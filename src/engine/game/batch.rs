//! Many games at once, for programs that learn.

use std::num::NonZeroUsize;
use std::thread::{available_parallelism, scope};

use super::{Encode, fill_mask, fill_planes, legal_move, planes_shape};

/// With fewer games for each thread, a single thread is done sooner.
const GAMES_PER_THREAD: usize = 256;

/// Positions of many games, with their planes and actions as the sides to move see them.
///
/// ```
/// use totemic_engine::game::{Encode, GameBatch, Hokito};
///
/// let mut games = GameBatch::<Hokito>::new(64);
/// let first = games.mask().iter().position(|&is_legal| is_legal == 1);
/// games.step(&[first.unwrap() as i64; 64])?;
/// assert_eq!(games.mask().len(), 64 * Hokito::ACTIONS);
/// # Ok::<(), usize>(())
/// ```
pub struct GameBatch<G> {
    positions: Vec<G>,
    planes: Vec<u8>,
    mask: Vec<u8>,
}

/// The number of bytes in the planes of a position.
const fn size<G: Encode>() -> usize {
    let [planes, ranks, files] = planes_shape::<G>();
    planes * ranks * files
}

fn show<G: Encode>(position: &G, planes: &mut [u8], mask: &mut [u8]) {
    fill_planes(position, position.side(), planes);
    fill_mask(position, mask);
}

impl<G: Encode> GameBatch<G> {
    /// This many games, each at its start.
    pub fn new(count: usize) -> Self {
        let mut planes = vec![0; size::<G>()];
        let mut mask = vec![0; G::ACTIONS];
        show(&G::start(), &mut planes, &mut mask);
        Self {
            positions: vec![G::start(); count],
            planes: planes.repeat(count),
            mask: mask.repeat(count),
        }
    }

    /// The position of each game.
    pub fn positions(&self) -> &[G] {
        &self.positions
    }

    /// The planes of each game, one game after the other: see [`planes`](super::planes).
    pub fn planes(&self) -> &[u8] {
        &self.planes
    }

    /// [`Encode::ACTIONS`] bytes for each game: see [`fill_mask`].
    pub fn mask(&self) -> &[u8] {
        &self.mask
    }

    /// Sets the position of a game.
    ///
    /// # Panics
    /// When there is no game with this number.
    pub fn set(&mut self, number: usize, position: G) {
        let planes = &mut self.planes[number * size::<G>()..][..size::<G>()];
        let mask = &mut self.mask[number * G::ACTIONS..][..G::ACTIONS];
        show(&position, planes, mask);
        self.positions[number] = position;
    }

    /// Plays an action in each game, many games on several threads.
    ///
    /// # Errors
    /// The number of the first game whose action is illegal or missing: then nothing is played.
    pub fn step(&mut self, actions: &[i64]) -> Result<(), usize> {
        let count = self.positions.len();
        let read = |(number, position)| {
            let action: &i64 = actions.get(number).ok_or(number)?;
            let action = usize::try_from(*action).map_err(|_| number)?;
            legal_move(position, action).ok_or(number)
        };
        let moves: Result<Vec<_>, _> = self.positions.iter().enumerate().map(read).collect();
        let moves = moves?;
        // Counting the processors takes some 20 system calls.
        let most = || available_parallelism().map_or(1, NonZeroUsize::get);
        let threads = match count / GAMES_PER_THREAD {
            0 | 1 => 1,
            wanted => wanted.min(most()),
        };
        let part = count.div_ceil(threads).max(1);
        let positions = self.positions.chunks_mut(part).zip(moves.chunks(part));
        let planes = self.planes.chunks_mut(part * size::<G>());
        let parts = positions.zip(planes.zip(self.mask.chunks_mut(part * G::ACTIONS)));
        scope(|scope| {
            for ((positions, moves), (planes, mask)) in parts {
                let mut play = move || {
                    let planes = planes.chunks_mut(size::<G>());
                    let seen = planes.zip(mask.chunks_mut(G::ACTIONS));
                    let games = positions.iter_mut().zip(moves).zip(seen);
                    for ((position, &mv), (planes, mask)) in games {
                        *position = position.play(mv);
                        show(position, planes, mask);
                    }
                };
                match part < count {
                    true => drop(scope.spawn(play)),
                    false => play(),
                }
            }
        });
        Ok(())
    }
}
