//! A player who looks one ply ahead and counts the points on the board: the yardstick of
//! levels and puzzles.

use super::{Game, MoveList};

/// More than all points on a board.
const END_VALUE: i32 = 100_000;

/// What a move is worth to a player who looks no further: the points by which the mover
/// leads on the board after it. A move that ends the game is worth more than any other if
/// it wins, less if it loses, and 0 if it draws.
///
/// ```
/// use totemic_engine::game::{Game, Yoxii, greedy_value};
///
/// let start = Yoxii::start();
/// let mv = start.read_move("c5b6y")?;
/// assert_eq!(greedy_value(&start, mv), 3);
/// # Ok::<(), totemic_engine::game::MoveError>(())
/// ```
pub fn greedy_value<G: Game>(position: &G, mv: G::Move) -> i32 {
    let (side, next) = (position.side(), position.play(mv));
    match next.outcome() {
        Some(outcome) => END_VALUE * outcome.sign_for(side),
        None => next.standing().margin_for(side),
    }
}

/// The moves that a player may choose who looks no further: those with the highest
/// [`greedy_value`].
pub fn greedy_moves<G: Game>(position: &G) -> MoveList<G::Move> {
    let mut moves = position.moves();
    let best = moves.iter().map(|&mv| greedy_value(position, mv)).max();
    moves.retain(|mv| Some(greedy_value(position, *mv)) == best);
    moves
}
