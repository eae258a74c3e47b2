//! Odds in words and numbers.
//!
//! | expected points of the better side | in words |
//! | --- | --- |
//! | below 0.55 | about even |
//! | below 0.65 | slightly better |
//! | below 0.80 | clearly better |
//! | below 0.95 | close to winning |
//! | from 0.95 | all but won |
//!
//! A win counts as one point, a draw as a half. What is proved is stated as a
//! fact, not as odds.

use serde::Serialize;

use crate::game::{Game, Side};
use crate::search::{Bound, Evaluate, Info, Odds};

/// How much better a side stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Advantage {
    /// Hardly.
    Even,
    /// Slightly better.
    Slight,
    /// Clearly better.
    Clear,
    /// Close to winning.
    Close,
    /// All but won.
    Won,
}

impl Advantage {
    /// From which expected points on, from 0.5 to 1, the better side is that
    /// far ahead; the farthest first.
    pub const STEPS: [(f64, Self); 5] = [
        (0.95, Self::Won),
        (0.80, Self::Close),
        (0.65, Self::Clear),
        (0.55, Self::Slight),
        (0.50, Self::Even),
    ];

    /// The advantage of a side that expects `points`, from 0.5 to 1.
    #[must_use]
    pub fn of(points: f64) -> Self {
        let step = Self::STEPS.iter().find(|(least, _)| points >= *least);
        step.map_or(Self::Even, |&(_, advantage)| advantage)
    }

    /// The advantage in words, behind the name of the better side.
    const fn words(self) -> Option<&'static str> {
        match self {
            Self::Even => None,
            Self::Slight => Some("is slightly better"),
            Self::Clear => Some("is clearly better"),
            Self::Close => Some("is close to winning"),
            Self::Won => Some("has all but won"),
        }
    }
}

/// Who stands better and by how much: `White is slightly better`.
#[must_use]
pub fn verdict<G: Game>(side: Side, odds: Odds) -> String {
    let points = odds.points();
    let (better, points) = if points >= 0.5 {
        (side, points)
    } else {
        (side.other(), 1.0 - points)
    };
    let name = G::SIDE_NAMES[better.index()];
    match Advantage::of(points).words() {
        Some(words) => format!("{name} {words}"),
        None => "about even".to_owned(),
    }
}

/// Odds of a side in numbers: `White wins 62, draws 3, loses 35 of 100`.
#[must_use]
pub fn numbers<G: Game>(side: Side, odds: Odds) -> String {
    // Two rounded, so that the three add up; only a proof is 0 or 100.
    let [win, loss] = [odds.win, odds.loss].map(|mille| match mille {
        0 | 1000.. => mille.min(1000) / 10,
        _ => ((mille + 5) / 10).clamp(1, 99),
    });
    let loss = loss.min(100 - win);
    let draw = 100 - win - loss;
    let name = G::SIDE_NAMES[side.index()];
    format!("{name} wins {win}, draws {draw}, loses {loss} of 100")
}

/// What a search says of a position in which `side` moves: a proof as a fact,
/// else the verdict and the numbers.
#[must_use]
pub fn found<G: Game, E: Evaluate<G>>(eval: &E, position: &G, info: &Info<G::Move>) -> String {
    let side = position.side();
    let won = |by: Side, plies: i32| {
        let name = G::SIDE_NAMES[by.index()];
        match info.bound {
            Bound::Exact => format!("{name} wins, proved, {}", within(plies)),
            // How soon is a bound only, and on the other side.
            Bound::Lower | Bound::Upper => format!("{name} wins, proved"),
        }
    };
    match info.score.mate_plies() {
        Some(plies) if plies >= 0 => won(side, plies),
        Some(plies) => won(side.other(), -plies),
        None if info.proven => "a draw, proved".to_owned(),
        None => {
            let odds = info.odds(position, eval);
            format!(
                "{} ({})",
                verdict::<G>(side, odds),
                numbers::<G>(side, odds)
            )
        }
    }
}

/// What a search says of a line, in a few words: the expected points of the side
/// to move and the verdict, or the proof.
#[must_use]
pub fn chances<G: Game, E: Evaluate<G>>(eval: &E, position: &G, info: &Info<G::Move>) -> String {
    if info.proven || info.score.is_decisive() {
        return found(eval, position, info);
    }
    let odds = info.odds(position, eval);
    let percent = 100.0 * odds.points();
    let words = verdict::<G>(position.side(), odds);
    let name = position.side_name();
    format!("{name} {percent:.0} %, {words}")
}

/// How soon a game ends at the latest.
fn within(plies: i32) -> String {
    match plies {
        0 => "now".to_owned(),
        1 => "with the next move".to_owned(),
        plies => format!("within {plies} plies"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Hokito, Yoxii};

    const fn odds(win: u32, draw: u32) -> Odds {
        let loss = 1000 - win - draw;
        Odds { win, draw, loss }
    }

    #[test]
    fn words_follow_the_expected_points() {
        for (odds, words) in [
            (odds(500, 0), "about even"),
            (odds(540, 0), "about even"),
            (odds(550, 0), "White is slightly better"),
            (odds(400, 20), "Red is slightly better"),
            (odds(700, 0), "White is clearly better"),
            (odds(100, 0), "Red is close to winning"),
            (odds(1000, 0), "White has all but won"),
        ] {
            assert_eq!(verdict::<Yoxii>(Side::First, odds), words);
        }
        assert_eq!(
            verdict::<Hokito>(Side::Second, odds(700, 0)),
            "White is clearly better"
        );
    }
}
