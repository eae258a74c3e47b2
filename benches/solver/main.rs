//! How fast the exact solver is, by one definition.
//!
//! ```text
//! cargo run --release -p totemic-benches --bin solver_speed -- speed   [yoxii|hokito [N [MIB]]]
//! cargo run --release -p totemic-benches --bin solver_speed -- margins [yoxii|hokito [N]]
//! cargo run --release -p totemic-benches --bin solver_speed -- plies   yoxii|hokito N
//! ```
//!
//! With N, `speed` and `margins` take only every Nth position.
//!
//! `speed` takes all positions of `tests/data/solve-hard.tsv` for which a plain reference
//! needed two million nodes or more. Each is solved for its value by one thread with a
//! fresh table of 256 MiB, or of MIB. The speed-up is the time of the reference, its
//! nodes at 3.8 (Hokito) and 4.2 (Yoxii) million a second, divided by our time. It prints
//! geometric means, over all positions and over three bands of reference nodes. Our time
//! is processor time, user and system together, because the wall clock also counts what
//! others do on the machine; the means by the wall clock are printed beside it.
//!
//! `margins` takes the positions below eight million reference nodes. It prints the nodes
//! for the margin relative to those for the value, for the positions that are solved
//! within 20 s of processor time, and how many are not.
//!
//! `plies` takes the position N plies before the end of each of 16 games of the engine,
//! which searches 2,000 nodes a move by alpha-beta after four random plies, with the
//! seeds 1 to 16. Each is solved for its value by one thread with a fresh table of 256
//! MiB. It prints how many took at most 60 s of processor time. Games that are shorter
//! than N plies do not count.

mod plies;
mod words;

use std::time::{Duration, Instant};

use totemic_engine::game::{Game, GameKind, with_game};
use totemic_engine::search::solver::{
    DEFAULT_HASH_MB, Solution, Solvable, SolveRequest, Solver, Value,
};
use totemic_engine::stop::Stop;
use words::{game, number, refuse};

/// A position with at least this many reference nodes counts as hard.
const HARD_NODES: f64 = 2e6;
/// Margins are asked for below this many reference nodes.
const MAX_MARGIN_NODES: f64 = 8e6;
/// Processor time for a margin, in seconds.
const MAX_MARGIN_SECONDS: f64 = 20.0;
/// How often the processor time is looked at.
const LOOK_PERIOD: Duration = Duration::from_millis(20);
/// The bands of reference nodes.
const BANDS: [(f64, f64); 3] = [(HARD_NODES, 16e6), (16e6, 64e6), (64e6, f64::INFINITY)];

/// A position, its value and the nodes of the reference.
struct Hard<G> {
    position: G,
    value: Value,
    reference: f64,
}

/// Returns the positions of a game with reference nodes in this range.
fn positions<G: Game>(least: f64, below: f64) -> impl Iterator<Item = Hard<G>> {
    include_str!("../../tests/data/solve-hard.tsv")
        .lines()
        .map(|line| line.split('\t').collect::<Vec<_>>())
        .filter(|fields| fields[0] == G::NAME)
        .map(|fields| Hard {
            position: fields[1].parse().unwrap_or_else(|why| panic!("{why}")),
            value: Value::named(fields[2]).expect("a value"),
            reference: fields[3].parse().expect("a number of nodes"),
        })
        .filter(move |hard| (least..below).contains(&hard.reference))
}

/// Returns the processor time of this process so far, in seconds. If the system does not
/// tell, it is the time since `begin`.
fn processor_time(begin: Instant) -> f64 {
    #[cfg(unix)]
    if let Ok(time) = nix::time::clock_gettime(nix::time::ClockId::CLOCK_PROCESS_CPUTIME_ID) {
        return Duration::from(time).as_secs_f64();
    }
    begin.elapsed().as_secs_f64()
}

/// Solves a position by one thread with a fresh table, until the processor time is used
/// up. Returns how many seconds it took, too.
fn solve_in_time<G: Solvable>(
    position: &G,
    request: SolveRequest,
    seconds: f64,
) -> (Solution<G::Move>, f64) {
    let stop = Stop::new();
    let request = SolveRequest {
        stop: stop.clone(),
        ..request
    };
    let begin = Instant::now();
    let before = processor_time(begin);
    let is_done = Stop::new();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !is_done.wait_until_ending(LOOK_PERIOD) {
                if processor_time(begin) - before > seconds {
                    stop.now();
                }
            }
        });
        let _done = is_done.end_on_drop();
        let solution = Solver::new(DEFAULT_HASH_MB).solve(position, &request);
        (solution, processor_time(begin) - before)
    })
}

impl<G: Solvable> Hard<G> {
    /// Solves the position for its value by one thread with a fresh table of `hash_mb`
    /// MiB.
    fn solve(&self, hash_mb: usize) -> Solution<G::Move> {
        let solution = Solver::new(hash_mb).solve(&self.position, &value_only());
        assert_eq!(solution.value, self.value, "{}", self.position);
        solution
    }
}

fn value_only() -> SolveRequest {
    SolveRequest {
        pv: false,
        ..SolveRequest::default()
    }
}

fn mean(of: impl Iterator<Item = f64>) -> (f64, usize) {
    let (sum, count) = of.fold((0.0, 0), |(sum, count), x| (sum + x.ln(), count + 1));
    ((sum / count as f64).exp(), count)
}

fn speed<G: Solvable>(every: usize, hash_mb: usize) {
    // Those of the reference.
    let nodes_per_second = if G::NAME == "yoxii" { 4.2e6 } else { 3.8e6 };
    let begin = Instant::now();
    // The reference nodes, and three quotients: by processor time, by wall clock and by
    // nodes.
    let mut found: Vec<(f64, [f64; 3])> = Vec::new();
    for hard in positions::<G>(HARD_NODES, f64::INFINITY).step_by(every) {
        let before = (Instant::now(), processor_time(begin));
        let solution = hard.solve(hash_mb);
        let processor = processor_time(begin) - before.1;
        let wall = before.0.elapsed().as_secs_f64();
        let reference = hard.reference / nodes_per_second;
        let quotients = [
            reference / processor.max(1e-6),
            reference / wall.max(1e-6),
            hard.reference / solution.nodes as f64,
        ];
        eprintln!(
            "{} {} nodes {:.3} s {:.1}x",
            hard.position, solution.nodes, processor, quotients[0]
        );
        found.push((hard.reference, quotients));
    }
    println!(
        "{:7} {:>17} {:>9} {:>10} {:>8} {:>8}",
        "game", "reference nodes", "positions", "processor", "wall", "nodes"
    );
    for (least, below) in std::iter::once((HARD_NODES, f64::INFINITY)).chain(BANDS) {
        let of = |i: usize| {
            let band = found.iter().filter(|one| (least..below).contains(&one.0));
            mean(band.map(|one| one.1[i]))
        };
        let band = match below.is_finite() {
            true => format!("{:.0} to {:.0} M", least / 1e6, below / 1e6),
            false => format!("from {:.0} M", least / 1e6),
        };
        let ((processor, count), (wall, _), (nodes, _)) = (of(0), of(1), of(2));
        println!(
            "{:7} {band:>17} {count:>9} {processor:>9.1}x {wall:>7.1}x {nodes:>7.1}x",
            G::NAME
        );
    }
}

fn margins<G: Solvable>(every: usize) {
    let mut open = 0;
    let chosen = positions::<G>(0.0, MAX_MARGIN_NODES).step_by(every);
    let quotients = chosen.filter_map(|hard| {
        let value = hard.solve(DEFAULT_HASH_MB).nodes;
        let request = SolveRequest {
            margin: true,
            ..value_only()
        };
        let (solution, time) = solve_in_time(&hard.position, request, MAX_MARGIN_SECONDS);
        let known = [Value::Unknown, hard.value];
        assert!(known.contains(&solution.value), "{}", hard.position);
        let quotient = solution.nodes as f64 / value as f64;
        eprintln!(
            "{} value {value} margin {:?} {} nodes {quotient:.1}x {time:.1} s",
            hard.position, solution.margin_bounds, solution.nodes
        );
        let is_open = solution.margin.is_none();
        open += usize::from(is_open);
        (!is_open).then_some(quotient)
    });
    let (mean, count) = mean(quotients);
    println!(
        "{}: nodes for the margin over nodes for the value {mean:.2} ({count} positions solved, {open} open after {MAX_MARGIN_SECONDS} s)",
        G::NAME,
    );
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let kinds = match words.get(1) {
        None => GameKind::ALL.to_vec(),
        Some(name) => vec![game(name)],
    };
    let every = words.get(2).map_or(1, |text| number(text));
    let hash_mb = words.get(3).map_or(DEFAULT_HASH_MB, |text| number(text));
    for kind in kinds {
        match words[..] {
            ["speed", ..] if words.len() <= 4 => {
                with_game!(kind, G => speed::<G>(every, hash_mb));
            }
            ["margins", ..] if words.len() <= 3 => with_game!(kind, G => margins::<G>(every)),
            ["plies", _, _] => with_game!(kind, G => plies::plies::<G>(every)),
            _ => refuse(
                "expected 'speed' or 'margins', 'yoxii' or 'hokito' after it for one game, and a number N for every Nth position, with 'speed' also the table's MiB; or 'plies', a game and a number of plies",
            ),
        }
    }
}
