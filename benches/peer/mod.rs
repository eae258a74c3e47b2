//! Our rules and our hand-written evaluation for the crate `minimax`: a peer to compare
//! with, over the same positions and with the same values at the leaves.

use std::marker::PhantomData;

use minimax::{Evaluation, Winner};
use totemic_engine::game::{Game, Move, Outcome, Side};
use totemic_engine::search::{Evaluate, Learnable};

/// The rules of `G` in the form that `minimax` asks for.
#[derive(Clone, Copy, Debug)]
pub struct Rules<G>(PhantomData<G>);

/// Returns the result for the side to move, as the crate names it.
fn winner(outcome: Outcome, to_move: Side) -> Winner {
    match outcome.sign_for(to_move) {
        1 => Winner::PlayerToMove,
        0 => Winner::Draw,
        _ => Winner::PlayerJustMoved,
    }
}

impl<G: Game> minimax::Game for Rules<G> {
    type S = G;
    type M = G::Move;

    fn generate_moves(position: &G, moves: &mut Vec<G::Move>) -> Option<Winner> {
        let found = position.moves();
        if found.is_empty() {
            return Some(winner(position.standing().outcome(), position.side()));
        }
        moves.extend(found);
        None
    }

    fn apply(position: &mut G, mv: G::Move) -> Option<G> {
        Some(position.play(mv))
    }

    fn get_winner(position: &G) -> Option<Winner> {
        position
            .outcome()
            .map(|outcome| winner(outcome, position.side()))
    }

    fn zobrist_hash(position: &G) -> u64 {
        position.key()
    }

    fn notation(_: &G, mv: G::Move) -> Option<String> {
        Some(mv.to_string())
    }

    fn table_index(mv: G::Move) -> u16 {
        mv.bits()
    }

    fn max_table_index() -> u16 {
        // The packed moves of both games fit into 14 bits.
        (1 << 14) - 1
    }
}

/// The evaluation written by hand, in the form that `minimax` asks for. The learned one
/// cannot be used here: it has tables, but a type has to say everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Values<G>(PhantomData<G>);

impl<G> Values<G> {
    /// The evaluation of the game.
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<G: Learnable> minimax::Evaluator for Values<G> {
    type G = Rules<G>;

    fn evaluate(&self, position: &G) -> Evaluation {
        // This is far below the crate's value of a win.
        G::classic().evaluate(position).clamp(-20_000, 20_000) as Evaluation
    }
}
