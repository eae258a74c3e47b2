//! How well the engines played, by the solver.

use super::adjudicate::ExactValue;
use totemic_engine::game::{Game, Side};
use totemic_games::record::Accuracy;

/// Returns what each side gave away. Compares the margins before and after each move,
/// backwards from a proven position, as long as `prove` finds them. `positions` are
/// those of the game since the engines took over; the last one is proven.
pub(crate) fn accuracy<G: Game>(
    prove: impl Fn(&G) -> Option<ExactValue>,
    positions: &[G],
    proof: ExactValue,
) -> [Accuracy; 2] {
    let mut accuracy = [Accuracy::default(); 2];
    let with_margin = |value: ExactValue| Some((value.outcome, value.margin?));
    let mut earlier = positions.iter().rev();
    let last = earlier.next();
    let proved = || prove(last?).and_then(with_margin);
    let Some((mut outcome, mut margin)) = with_margin(proof).or_else(proved) else {
        return accuracy;
    };
    for position in earlier {
        let Some((best_outcome, best_margin)) = prove(position).and_then(with_margin) else {
            break;
        };
        let side = position.side();
        let of_mover = &mut accuracy[side.index()];
        let sign = if side == Side::First { 1 } else { -1 };
        of_mover.judged += 1;
        of_mover.lost_points += (sign * (best_margin - margin)).max(0);
        of_mover.blunders += u32::from(outcome.sign_for(side) < best_outcome.sign_for(side));
        (outcome, margin) = (best_outcome, best_margin);
    }
    accuracy
}
