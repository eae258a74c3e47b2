//! How many plies before the end games are solved.

use totemic_engine::game::{Layout, Rng};
use totemic_engine::search::alphabeta::{self, Table};
use totemic_engine::search::solver::Value;
use totemic_engine::search::{Limits, Request, Searchable, ThreadPool};
use totemic_engine::stop::Stop;

use super::{solve_in_time, value_only};

/// Number of games; their seeds are 1, 2 and so on.
const GAMES: u64 = 16;
/// Processor time for a position, in seconds.
const MAX_SECONDS: f64 = 60.0;

/// Prints how many positions this many plies before the end of a game are solved in time.
pub(super) fn plies<G: Searchable>(before_end: usize) {
    let (mut solved, mut asked) = (0, 0);
    for seed in 1..=GAMES {
        let positions = play::<G>(seed);
        let Some(at) = positions.len().checked_sub(before_end) else {
            eprintln!("the game of seed {seed} has {} plies", positions.len());
            continue;
        };
        let (solution, time) = solve_in_time(&positions[at], value_only(), MAX_SECONDS);
        asked += 1;
        solved += u64::from(solution.value != Value::Unknown);
        eprintln!(
            "{} {} {} nodes {time:.1} s",
            positions[at], solution.value, solution.nodes
        );
    }
    println!(
        "{}: {solved} of {asked} positions {before_end} plies before the end solved within {MAX_SECONDS} s; {} games are shorter",
        G::NAME,
        GAMES - asked
    );
}

/// Random plies at the beginning of a game, so that the games differ.
const RANDOM_PLIES: u32 = 4;
/// Nodes of the players' searches, and the size of their table in MiB.
const PLAYER_NODES: u64 = 2_000;
const PLAYER_HASH_MB: usize = 16;

/// Plays a game of the engine against itself; returns the positions with a move to make.
fn play<G: Searchable>(seed: u64) -> Vec<G> {
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
            let report = alphabeta::search(&request, &pool, &mut table, &evaluation, ());
            report.best.expect("there are moves")
        };
        positions.push(position);
        position = position.play(mv);
    }
    positions
}
