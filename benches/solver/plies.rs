//! How many plies before the end games are solved.

use totemic_engine::search::Searchable;
use totemic_engine::search::solver::{Solvable, Value};

use super::games::play;
use super::{solve_in_time, value_only};

/// Number of games; their seeds are 1, 2 and so on.
const GAMES: u64 = 16;
/// Processor time for a position, in seconds.
const TIME: f64 = 60.0;

/// Prints how many positions this many plies before the end of a game are solved in time.
pub(super) fn plies<G: Searchable + Solvable>(before_end: usize) {
    let (mut solved, mut asked) = (0, 0);
    for seed in 1..=GAMES {
        let positions = play::<G>(seed);
        let Some(at) = positions.len().checked_sub(before_end) else {
            eprintln!("the game of seed {seed} has {} plies", positions.len());
            continue;
        };
        let (solution, time) = solve_in_time(&positions[at], value_only(), TIME);
        asked += 1;
        solved += u64::from(solution.value != Value::Unknown);
        eprintln!(
            "{} {} {} nodes {time:.1} s",
            positions[at], solution.value, solution.nodes
        );
    }
    println!(
        "{}: {solved} of {asked} positions {before_end} plies before the end solved within {TIME} s; {} games are shorter",
        G::NAME,
        GAMES - asked
    );
}
