//! What a page has to know about a position.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use crate::final_score::{Count, counted};
use crate::record::fault::Fault;
use totemic_engine::game::{AnyPosition, Cell, Hokito, Layout, Outcome, Rng, Side, sorted_moves};

/// The facts about the position after some moves.
pub(super) fn after<G: Count + Into<AnyPosition>>(
    fen: &str,
    moves: &[String],
) -> Result<Json, Fault> {
    let mut position = G::read_position(fen)?;
    let mut last_route = Vec::new();
    let mut stacks = Stacks::of(position.into());
    for (index, text) in moves.iter().enumerate() {
        let mv = (position.read_move(text)).map_err(|why| Fault::in_move(index, why))?;
        last_route = position.route(mv);
        stacks.follow(&last_route);
        position = position.play(mv);
    }
    Ok(facts(position, &last_route, stacks))
}

/// The facts about a random start.
pub(super) fn at_random<G: Count + Into<AnyPosition>>(scattered: bool, seed: u64) -> Json {
    let start = G::random_start(Layout::of(scattered), &mut Rng::new(seed));
    facts(start, &[], Stacks::of(start.into()))
}

/// Pairs are for the first and the second side.
fn facts<G: Count + Into<AnyPosition>>(position: G, last_route: &[Cell], stacks: Stacks) -> Json {
    let (moves, routes): (Vec<_>, Vec<_>) = sorted_moves(&position)
        .into_iter()
        .map(|(text, mv)| (text.to_string(), position.route(mv)))
        .unzip();
    let (tallest, reserves) = match position.into() {
        AnyPosition::Yoxii(yoxii) => (None, Some(Side::BOTH.map(|side| yoxii.reserve(side)))),
        AnyPosition::Hokito(_) => (Some(Hokito::PAWNS), None),
    };
    let standing = position.standing();
    json!({
        "fen": position.to_string(),
        "side": position.side(),
        // Sorted by their texts; if there are none, the game is over.
        "moves": moves,
        // The squares that each of the moves passes, including its first and last square.
        "routes": routes,
        // Those of the previous move; empty if there is none.
        "last_route": last_route,
        "score": standing.points,
        // The squares that give these points, those with the most points first.
        "counted": Side::BOTH.map(|side| counted(&position, side)),
        // The stacks of two or more pawns, with what the moves tell about the lower pawns.
        "stacks": stacks.list(),
        // The greatest number of pawns in a stack, in games with stacks.
        "tallest": tallest,
        // Number of pieces of each value that a side still holds, in games with a reserve.
        "reserves": reserves,
        // `p1win`, `p2win` or `draw`; `none` while the game goes on.
        "result": Outcome::result_word(position.outcome()),
        // What decided a game that is over: `points`, `pieces` if the points are equal, or
        // `nothing` for a draw.
        "decision": decision(&position),
        // The numbers of pieces that decide if the points are equal.
        "pieces": standing.tie_break,
    })
}

/// What decided a game that is over.
fn decision<G: Count>(position: &G) -> Option<&'static str> {
    let [first, second] = position.standing().points;
    Some(match position.outcome()? {
        Outcome::Draw => "nothing",
        Outcome::Win(_) if first == second => "pieces",
        Outcome::Win(_) => "points",
    })
}

/// The sides of the pawns on each square, from the bottom to the top. A pawn that lay below
/// the top of a stack in the first position is `None`, because nobody knows its side; no rule
/// depends on it.
struct Stacks(BTreeMap<Cell, Vec<Option<Side>>>);

impl Stacks {
    fn of(position: AnyPosition) -> Self {
        let AnyPosition::Hokito(position) = position else {
            return Self(BTreeMap::new());
        };
        let towers = Side::BOTH.map(|side| (side, position.topped_by(side)));
        let towers = towers.into_iter().flat_map(|(side, cells)| {
            cells.into_iter().map(move |cell| {
                let mut pawns = vec![None; usize::from(position.height(cell).saturating_sub(1))];
                pawns.push(Some(side));
                (cell, pawns)
            })
        });
        Self(towers.collect())
    }

    /// Follows a move along the squares of its route.
    fn follow(&mut self, route: &[Cell]) {
        let [from, .., to] = route else { return };
        if let Some(moved) = self.0.remove(from) {
            self.0.entry(*to).or_default().extend(moved);
        }
    }

    fn list(self) -> Vec<Json> {
        let stacks = self.0.into_iter().filter(|(_, pawns)| pawns.len() > 1);
        let shown = |(square, pawns)| json!({"square": square, "pawns": pawns});
        stacks.map(shown).collect()
    }
}
