//! Games of the engine against itself, whose positions are measured.

use totemic_engine::game::{Layout, Rng};
use totemic_engine::search::{Limits, Request, Searchable, Stop, Table, ThreadPool, search};

/// Random plies at the beginning of a game, so that the games differ.
const RANDOM_PLIES: u32 = 4;
/// Nodes of the players' searches, and the size of their table in MiB.
const PLAYER_NODES: u64 = 2_000;
const PLAYER_HASH_MB: usize = 16;

/// Plays a game of the engine against itself; returns the positions with a move to make.
pub(super) fn play<G: Searchable>(seed: u64) -> Vec<G> {
    let mut rng = Rng::new(seed);
    let mut table = Table::new(PLAYER_HASH_MB);
    let (pool, evaluation) = (ThreadPool::new(1), G::Evaluation::default());
    let mut position = G::random_start(Layout::Halves, &mut rng);
    let mut positions = Vec::new();
    while position.has_moves() {
        let moves = position.moves();
        let mv = if (positions.len() as u32) < RANDOM_PLIES {
            moves[rng.below(moves.len())]
        } else {
            let request = Request::new(&position, &Limits::nodes(PLAYER_NODES), &Stop::new());
            let report = search(&request, &pool, &mut table, &evaluation, ());
            report.best.expect("there are moves")
        };
        positions.push(position);
        position = position.play(mv);
    }
    positions
}
