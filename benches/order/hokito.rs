//! Features of a move of Hokito that may say whether to try it early.

use totemic_engine::game::{Cell, Cells, Game, Hokito, HokitoMove};

use super::Ordered;

/// Returns what a move of the tower on `from` adds to the margin of the side that owns
/// it.
fn gain(position: &Hokito, from: Cell, to: Cell) -> i32 {
    let [from_value, to_value] = [from, to].map(|cell| i32::from(position.value(cell)));
    let sides = [from, to].map(|cell| position.tower(cell).map(|tower| tower.side));
    let covered = if sides[0] == sides[1] {
        -to_value
    } else {
        to_value
    };
    (from_value + covered) * i32::from(position.height(to))
}

/// Returns the moves that some towers could make: from where, and to where.
fn moves_of(position: &Hokito, towers: Cells) -> Vec<(Cell, Cell)> {
    let reach = position.reaches(towers);
    let moves =
        (towers.into_iter()).flat_map(|from| reach(from).into_iter().map(move |to| (from, to)));
    moves.collect()
}

impl Ordered for Hokito {
    const FEATURES: &'static [&'static str] = &[
        "replies",
        "movers",
        "bases",
        "risk",
        "height",
        "capture",
        "gain",
        "best",
        "gains",
        "own_moves",
        "own_best",
        "short",
    ];
    const TODAY: &'static [i32] = &[16, 24, -12, 3, 1, -32, -1];
    const SETS: [u32; 3] = [0, 9, 12];
    const DEEPEST: usize = 10;

    fn features(&self, mv: HokitoMove, goal: i32) -> Vec<i32> {
        let (side, opponent) = (self.side(), self.side().other());
        let after = self.play(mv);
        let (own, opp) = (after.topped_by(side), after.topped_by(opponent));
        let replies = moves_of(&after, opp);
        let next = moves_of(&after, own);
        let ends = (replies.iter()).fold(Cells::EMPTY, |all, &(_, to)| all | Cells::of(to));
        let movers = (replies.iter()).fold(Cells::EMPTY, |all, &(from, _)| all | Cells::of(from));
        let gains = |moves: &[(Cell, Cell)]| -> Vec<i32> {
            moves
                .iter()
                .map(|&(from, to)| gain(&after, from, to))
                .collect()
        };
        let (their_gains, own_gains) = (gains(&replies), gains(&next));
        let best = their_gains.iter().copied().max().unwrap_or(0);
        let own_best = own_gains.iter().copied().max().unwrap_or(0);
        let margin = after.standing().margin_for(side);
        let risk = (ends & own)
            .into_iter()
            .map(|cell| i32::from(after.height(cell)));
        vec![
            replies.len() as i32,
            movers.len() as i32,
            (ends & opp).len() as i32,
            risk.max().unwrap_or(0),
            i32::from(self.height(mv.to())),
            i32::from(self.topped_by(opponent).has(mv.to())),
            margin - self.standing().margin_for(side),
            best,
            their_gains.iter().sum(),
            next.len() as i32,
            own_best,
            (goal - margin - own_best + best).max(0),
        ]
    }
}
