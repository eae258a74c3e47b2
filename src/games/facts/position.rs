//! What a page has to know about a position.

use serde::Serialize;

use super::stacks::{Stack, Stacks};
use crate::record::fault::Fault;
use crate::review::final_score::{Count, Counted, Decision, FinalScore};
use totemic_engine::game::{AnyPosition, Cell, Hokito, Layout, Outcome, Rng, Side, sorted_moves};

/// The facts about a position. Pairs are for the first and the second side.
#[derive(Serialize)]
pub(super) struct Facts {
    /// The position's text.
    fen: String,
    /// The side to move, `p1` or `p2`.
    side: Side,
    /// The legal moves, sorted by their texts; if there are none, the game is over.
    moves: Vec<String>,
    /// The squares that each of `moves` passes, including its first and last square.
    routes: Vec<Vec<Cell>>,
    /// The squares that the previous move passed; empty if there is none.
    last_route: Vec<Cell>,
    /// The points of each side in this position.
    score: [i32; 2],
    /// The squares that give these points, those with the most points first.
    counted: [Vec<Counted>; 2],
    /// The stacks of two or more pawns, with what the moves tell about the lower pawns.
    stacks: Vec<Stack>,
    /// The greatest number of pawns in a stack, in games with stacks.
    tallest: Option<u32>,
    /// Number of pieces of each value that a side still holds, in games with a reserve.
    reserves: Option<[[u8; 4]; 2]>,
    /// `p1win`, `p2win` or `draw`; `none` while the game goes on.
    result: &'static str,
    /// What decided a game that is over: `points`, `pieces` if the points are equal, or
    /// `nothing` for a draw. A game is over when the side to move cannot move.
    decision: Option<Decision>,
    /// The numbers of pieces that decide if the points are equal.
    pieces: [i32; 2],
}

impl Facts {
    pub(super) fn after<G: Count + Into<AnyPosition>>(
        fen: &str,
        moves: &[String],
    ) -> Result<Self, Fault> {
        let mut position = G::read_position(fen)?;
        let mut last_route = Vec::new();
        let mut stacks = Stacks::of(position.into());
        for (index, text) in moves.iter().enumerate() {
            let mv = (position.read_move(text)).map_err(|why| Fault::in_move(index, why))?;
            last_route = position.route(mv);
            stacks.follow(&last_route);
            position = position.play(mv);
        }
        Ok(Self::of(position, last_route, stacks))
    }

    pub(super) fn at_random<G: Count + Into<AnyPosition>>(scattered: bool, seed: u64) -> Self {
        let layout = Layout::of(scattered);
        let start = G::random_start(layout, &mut Rng::new(seed));
        Self::of(start, Vec::new(), Stacks::of(start.into()))
    }

    fn of<G: Count + Into<AnyPosition>>(
        position: G,
        last_route: Vec<Cell>,
        stacks: Stacks,
    ) -> Self {
        let moves = sorted_moves(&position).into_iter();
        let (moves, routes) = moves
            .map(|(text, mv)| (text.to_string(), position.route(mv)))
            .unzip();
        let (tallest, reserves) = match position.into() {
            AnyPosition::Yoxii(yoxii) => (None, Some(Side::BOTH.map(|side| yoxii.reserve(side)))),
            AnyPosition::Hokito(_) => (Some(Hokito::PAWNS), None),
        };
        let standing = position.standing();
        Self {
            fen: position.to_string(),
            side: position.side(),
            moves,
            routes,
            last_route,
            score: standing.points,
            counted: Side::BOTH.map(|side| position.counted(side)),
            stacks: stacks.list(),
            tallest,
            reserves,
            result: Outcome::word_of(position.outcome()),
            decision: FinalScore::of(&position).map(|end| end.decision),
            pieces: standing.tie_break,
        }
    }
}
