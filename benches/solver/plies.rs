//! How long before the end games are solved.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use totemic::game::{Layout, Rng};
use totemic::search::solver::{DEFAULT_HASH_MB, Solution, Solvable, SolveLimits, Solver, Value};
use totemic::search::{Control, Crew, Limits, Searchable, Table, search};

use super::{processor_time, value_only};

/// Games, with the seeds 1, 2 and so on.
const GAMES: u64 = 16;
/// Random plies at the beginning of a game, so that the games differ.
const RANDOM_PLIES: u32 = 4;
/// Nodes of the players' searches, and the size of their table in MiB.
const PLAYER_NODES: u64 = 2_000;
const PLAYER_HASH_MB: usize = 16;
/// The processor's time for a position.
const TIME: f64 = 60.0;
/// How often it is looked at.
const LOOK: Duration = Duration::from_millis(20);

/// A game of the engine against itself: the positions with a move to make.
fn play<G: Searchable>(seed: u64) -> Vec<G> {
    let mut rng = Rng::new(seed);
    let mut table = Table::new(PLAYER_HASH_MB);
    let (crew, evaluation) = (Crew::new(1), G::Evaluation::default());
    let mut position = G::random_start(Layout::Halves, &mut rng);
    let mut positions = Vec::new();
    while position.has_moves() {
        let moves = position.moves();
        let mv = if (positions.len() as u32) < RANDOM_PLIES {
            moves[rng.below(moves.len())]
        } else {
            let (limits, control) = (Limits::nodes(PLAYER_NODES), Control::default());
            let report = search(
                &position,
                &limits,
                &crew,
                &mut table,
                &evaluation,
                &control,
                |_| {},
            );
            report.best.expect("there are moves")
        };
        positions.push(position);
        position = position.play(mv);
    }
    positions
}

/// Solves a position until the processor has had its time, and tells how much it took.
fn solve_in_time<G: Solvable>(position: &G) -> (Solution<G::Move>, f64) {
    let stop = Arc::new(AtomicBool::new(false));
    let limits = SolveLimits {
        stop: Some(Arc::clone(&stop)),
        ..value_only()
    };
    let begin = Instant::now();
    let before = processor_time(begin);
    let is_done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !is_done.load(Ordering::Relaxed) {
                std::thread::sleep(LOOK);
                if processor_time(begin) - before > TIME {
                    stop.store(true, Ordering::Relaxed);
                }
            }
        });
        let solution = Solver::new(DEFAULT_HASH_MB).solve(position, &limits);
        is_done.store(true, Ordering::Relaxed);
        (solution, processor_time(begin) - before)
    })
}

/// Tells how many positions so many plies before the end of a game are solved in time.
pub(super) fn plies<G: Searchable + Solvable>(before_end: usize) {
    let mut solved = 0;
    for seed in 1..=GAMES {
        let positions = play::<G>(seed);
        let at = positions.len().saturating_sub(before_end);
        let (solution, time) = solve_in_time(&positions[at]);
        solved += u64::from(solution.value != Value::Unknown);
        eprintln!(
            "{} {} {} nodes {time:.1} s",
            positions[at], solution.value, solution.nodes
        );
    }
    println!(
        "{}: {solved} of {GAMES} positions {before_end} plies before the end solved within {TIME} s",
        G::NAME
    );
}
