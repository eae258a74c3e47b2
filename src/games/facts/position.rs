//! What a page has to know about a position.

use std::cmp::Reverse;

use serde::Serialize;

use super::stacks::{Stack, Stacks};
use crate::record::fault::Fault;
use crate::review::ending::{Count, Decision, Ending};
use totemic_engine::game::{AnyPosition, Cell, Game, Hokito, Layout, Outcome, Rng, Side};

/// The facts about a position. Pairs are for the first and the second side.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Facts {
    /// The position's text.
    pub fen: String,
    /// The side to move, `p1` or `p2`.
    pub side: &'static str,
    /// The legal moves, sorted by their texts; if there are none, the game is over.
    pub moves: Vec<String>,
    /// The squares that each of `moves` passes, including its first and last square.
    pub routes: Vec<Vec<String>>,
    /// The squares that the previous move passed; empty if there is none.
    pub last_route: Vec<String>,
    /// The points of each side in this position.
    pub score: [i32; 2],
    /// The squares that give these points, those with the most points first.
    pub counted: [Vec<Counted>; 2],
    /// The stacks of two or more pawns, with what the moves tell about the lower pawns.
    pub stacks: Vec<Stack>,
    /// The greatest number of pawns in a stack, in games with stacks.
    pub tallest: Option<u32>,
    /// Number of pieces of each value that a side still holds, in games with a reserve.
    pub reserves: Option<[[u8; 4]; 2]>,
    /// `p1win`, `p2win` or `draw`; `none` while the game goes on.
    pub result: &'static str,
    /// What decided a game that is over: `points`, `pieces` if the points are equal, or
    /// `nothing` for a draw. A game is over when the side to move cannot move.
    pub decision: Option<&'static str>,
    /// The numbers of pieces that decide if the points are equal.
    pub pieces: [i32; 2],
}

/// A square that counts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Counted {
    /// Name of the square.
    pub square: String,
    /// What it is worth.
    pub points: i32,
}

/// Reads the text of a position, or `startpos`.
pub(super) fn parsed<G: Game>(fen: &str) -> Result<G, Fault> {
    match fen.trim() {
        "startpos" => Ok(G::start()),
        fen => fen.parse().map_err(|why: G::Err| why.into()),
    }
}

impl Facts {
    pub(super) fn after<G: Count + Into<AnyPosition>>(
        fen: &str,
        moves: &[String],
    ) -> Result<Self, Fault> {
        let mut position: G = parsed(fen)?;
        let mut last_route = Vec::new();
        let mut stacks = Stacks::of(position.into());
        for (index, text) in moves.iter().enumerate() {
            let mv = position.read_move(text).map_err(|why| Fault::Move {
                number: index + 1,
                of: Box::new(why.into()),
            })?;
            let route = position.route(mv);
            stacks.follow(&route);
            last_route = squares(route);
            position = position.play(mv);
        }
        Ok(Self::of(position, last_route, &stacks))
    }

    pub(super) fn at_random<G: Count + Into<AnyPosition>>(scattered: bool, seed: u64) -> Self {
        let layout = if scattered {
            Layout::Scattered
        } else {
            Layout::Halves
        };
        let start = G::random_start(layout, &mut Rng::new(seed));
        Self::of(start, Vec::new(), &Stacks::of(start.into()))
    }

    fn of<G: Count + Into<AnyPosition>>(
        position: G,
        last_route: Vec<String>,
        stacks: &Stacks,
    ) -> Self {
        let mut moves: Vec<_> = (position.moves().iter())
            .map(|&mv| (mv.to_string(), squares(position.route(mv))))
            .collect();
        moves.sort_unstable();
        let (moves, routes) = moves.into_iter().unzip();
        let standing = position.standing();
        let counted = [Side::First, Side::Second].map(|side| {
            let mut counted: Vec<_> = (position.counted(side).into_iter())
                .map(|it| Counted {
                    square: it.cell.to_string(),
                    points: it.points,
                })
                .collect();
            counted.sort_by_key(|it| Reverse(it.points));
            counted
        });
        Self {
            fen: position.to_string(),
            side: position.side().word(),
            moves,
            routes,
            last_route,
            score: standing.points,
            counted,
            stacks: stacks.list(),
            tallest: match position.into() {
                AnyPosition::Yoxii(_) => None,
                AnyPosition::Hokito(_) => Some(Hokito::PAWNS),
            },
            reserves: match position.into() {
                AnyPosition::Yoxii(it) => {
                    Some([Side::First, Side::Second].map(|side| it.reserve(side)))
                }
                AnyPosition::Hokito(_) => None,
            },
            result: position.outcome().map_or("none", Outcome::word),
            decision: Ending::of(&position).map(|end| match end.decision {
                Decision::Points => "points",
                Decision::Pieces => "pieces",
                Decision::Nothing => "nothing",
            }),
            pieces: standing.tie_break,
        }
    }
}

fn squares(route: Vec<Cell>) -> Vec<String> {
    route.iter().map(ToString::to_string).collect()
}
