//! How well a side played.

use super::{Mark, Review};
use totemic_engine::game::{Game, Side};

/// The sum of a side's judged moves.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct SideAccuracy {
    /// Number of judged moves.
    pub moves: u32,
    /// Number of those at which something could be lost: there was a choice, and the game
    /// was not lost already.
    pub open_moves: u32,
    /// Expected points that all of them gave away (a win is one point).
    pub lost: f64,
    /// Number of moves for which it is proved how many points on the board they gave
    /// away.
    pub proved_moves: u32,
    /// Points on the board that these moves gave away.
    pub proved_points: i32,
    /// Number of moves with each mark, in the order of [`Mark::ALL`].
    pub marks: [u32; Mark::ALL.len()],
}

impl<G: Game> Review<G> {
    /// Sums up how well a side played.
    pub fn accuracy(&self, side: Side) -> SideAccuracy {
        let mut sum = SideAccuracy::default();
        for judged in self.moves.iter().filter(|judged| judged.side == side) {
            sum.moves += 1;
            sum.open_moves += u32::from(judged.is_open());
            sum.lost += judged.loss();
            if let Some(points) = judged.proved_loss {
                sum.proved_moves += 1;
                sum.proved_points += points;
            }
            sum.marks[judged.mark as usize] += 1;
        }
        sum
    }
}

impl SideAccuracy {
    /// Returns the expected points given away per move at which something could be lost;
    /// `None` without such a move.
    pub(super) fn loss_per_move(&self) -> Option<f64> {
        (self.open_moves > 0).then(|| self.lost / f64::from(self.open_moves))
    }

    /// Returns the points on the board given away per proved move; `None` without such a
    /// move.
    pub(super) fn proved_loss_per_move(&self) -> Option<f64> {
        let moves = f64::from(self.proved_moves);
        (self.proved_moves > 0).then(|| f64::from(self.proved_points) / moves)
    }

    /// Names how many moves have each of these marks: `1 blunder, 2 inaccuracies`.
    pub(super) fn counts(&self, marks: impl IntoIterator<Item = Mark>) -> String {
        let counts = marks.into_iter().filter_map(|mark| {
            let count = self.marks[mark as usize];
            (count > 0).then(|| mark.counted(count))
        });
        counts.collect::<Vec<_>>().join(", ")
    }
}
