//! Odds in words and numbers. What is proved is stated as a fact, not as odds.

use serde::Serialize;

use totemic_engine::game::{Game, Side};
use totemic_engine::search::{Bound, Evaluate, Info, Odds};

/// How much better a side stands; [`Self::STEPS`] has the limits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Advantage {
    Even,
    Slight,
    Clear,
    /// Pages already know it as `close`.
    #[serde(rename = "close")]
    Great,
    /// All but won: no proof says so.
    Won,
}

impl Advantage {
    /// The least expected points, from 0.5 to 1, of each advantage; the greatest first.
    pub(crate) const STEPS: [(f64, Self); 5] = [
        (0.95, Self::Won),
        (0.80, Self::Great),
        (0.65, Self::Clear),
        (0.55, Self::Slight),
        (0.50, Self::Even),
    ];

    /// The advantage of a side that expects `points`, from 0.5 to 1.
    pub(crate) fn of(points: f64) -> Self {
        let step = Self::STEPS.iter().find(|(least, _)| points >= *least);
        step.map_or(Self::Even, |&(_, advantage)| advantage)
    }
}

/// The side that stands better, and its expected points.
pub(crate) fn better_side(side: Side, points: f64) -> (Side, f64) {
    match points >= 0.5 {
        true => (side, points),
        false => (side.other(), 1.0 - points),
    }
}

/// Who stands better and by how much: `White is slightly better`.
fn who_is_better<G: Game>(side: Side, odds: Odds) -> String {
    let (better, points) = better_side(side, odds.expected_points());
    let words = match Advantage::of(points) {
        Advantage::Even => return "about even".to_owned(),
        Advantage::Slight => "is slightly better",
        Advantage::Clear => "is clearly better",
        Advantage::Great => "is much better",
        Advantage::Won => "has all but won",
    };
    format!("{} {words}", G::SIDE_NAMES[better.index()])
}

/// Odds of a side in numbers: `White wins 62, draws 3, loses 35 of 100`.
fn numbers<G: Game>(side: Side, odds: Odds) -> String {
    // Two are rounded, so that the three add up to 100; only a proof is 0 or 100.
    let [win, loss] = [odds.win, odds.loss].map(|mille| match mille {
        0 | 1000.. => mille.min(1000) / 10,
        _ => ((mille + 5) / 10).clamp(1, 99),
    });
    let loss = loss.min(100 - win);
    let draw = 100 - win - loss;
    let name = G::SIDE_NAMES[side.index()];
    format!("{name} wins {win}, draws {draw}, loses {loss} of 100")
}

/// The result of a search: a proof, or who stands better and the odds.
pub fn result<G: Game, E: Evaluate<G>>(eval: &E, position: &G, info: &Info<G::Move>) -> String {
    let side = position.side();
    match info.score.mate_plies() {
        Some(plies) => {
            let winner = if plies >= 0 { side } else { side.other() };
            let name = G::SIDE_NAMES[winner.index()];
            match (info.bound, plies.abs()) {
                // The number of plies is only a bound, and on the other side.
                (Bound::Lower | Bound::Upper, _) => format!("{name} wins (proved)"),
                (Bound::Exact, 0) => format!("{name} has won (proved)"),
                (Bound::Exact, 1) => format!("{name} wins with the next move (proved)"),
                (Bound::Exact, plies) => {
                    format!("{name} wins in at most {plies} more turns (proved)")
                }
            }
        }
        None if info.proven => "a draw (proved)".to_owned(),
        None => {
            let odds = info.odds(position, eval);
            let (words, numbers) = (who_is_better::<G>(side, odds), numbers::<G>(side, odds));
            format!("{words} ({numbers})")
        }
    }
}

/// A proof, or the expected points of the side to move and who stands better.
pub fn chances<G: Game, E: Evaluate<G>>(eval: &E, position: &G, info: &Info<G::Move>) -> String {
    if info.proven || info.score.is_decisive() {
        return result(eval, position, info);
    }
    let odds = info.odds(position, eval);
    let percent = 100.0 * odds.expected_points();
    let words = who_is_better::<G>(position.side(), odds);
    format!("{} {percent:.0} %, {words}", position.side_name())
}

#[cfg(test)]
mod tests {
    use super::*;
    use totemic_engine::game::Yoxii;

    #[test]
    fn words_follow_the_expected_points() {
        for (win, draw, words) in [
            (540, 0, "about even"),
            (550, 0, "White is slightly better"),
            (400, 20, "Red is slightly better"),
            (700, 0, "White is clearly better"),
            (100, 0, "Red is much better"),
            (1000, 0, "White has all but won"),
        ] {
            let loss = 1000 - win - draw;
            assert_eq!(
                who_is_better::<Yoxii>(Side::First, Odds { win, draw, loss }),
                words
            );
        }
    }
}
