//! How quick the exact solver is, by one definition.
//!
//! ```text
//! cargo run --release --example solver_speed -- speed   [yoxii|hokito [N]]
//! cargo run --release --example solver_speed -- margins [yoxii|hokito [N]]
//! cargo run --release --example solver_speed -- plies   yoxii|hokito N
//! ```
//!
//! With N only every Nth position is taken by `speed` and `margins`.
//!
//! `speed` takes all positions of `tests/data/solve-hard.tsv` that a plain
//! reference needed two million nodes or more for. Each is solved for its value
//! by one thread with a fresh table of 256 MiB. Its speed-up is the time of the
//! reference, its nodes at 3.8 (Hokito) and 4.2 (Yoxii) million a second, over
//! ours; told are geometric means, over all and over three bands of reference
//! nodes. Our time is that of the processor, user and system together, because
//! the wall clock also counts what others do on the machine; the means by the
//! wall clock stand beside it.
//!
//! `margins` takes those below eight million reference nodes and tells the nodes
//! for the margin over those for the value, and what stays open after 20 s.
//!
//! `plies` takes the position N plies before the end of each of 16 games of the
//! engine, alpha-beta with 2,000 nodes a move after four random plies, with the
//! seeds 1 to 16. Each is solved for its value by one thread with a fresh table of
//! 256 MiB, and told is how many took 60 s of the processor at the most.

mod plies;

use std::time::{Duration, Instant};

use totemic::game::{Game, Hokito, Yoxii};
use totemic::search::solver::{DEFAULT_HASH_MB, Solution, Solvable, SolveLimits, Solver, Value};

/// Reference nodes from which on a position counts as hard.
const HARD: f64 = 2e6;
/// Reference nodes below which margins are asked for.
const MARGINS_BELOW: f64 = 8e6;
/// Time for a margin.
const MARGIN_TIME: Duration = Duration::from_secs(20);
/// The bands of reference nodes.
const BANDS: [(f64, f64); 3] = [(HARD, 16e6), (16e6, 64e6), (64e6, f64::INFINITY)];

/// A position, its value and the nodes of the reference.
struct Hard<G> {
    position: G,
    value: Value,
    reference: f64,
}

/// The positions of a game with so many reference nodes.
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

/// The processor's time of this process so far, in seconds; where the system
/// does not tell, the time since `begin`.
fn processor_time(begin: Instant) -> f64 {
    #[cfg(unix)]
    if let Ok(time) = nix::time::clock_gettime(nix::time::ClockId::CLOCK_PROCESS_CPUTIME_ID) {
        return Duration::from(time).as_secs_f64();
    }
    begin.elapsed().as_secs_f64()
}

/// Solves a position by one thread with a fresh table.
fn solve<G: Solvable>(hard: &Hard<G>, limits: &SolveLimits) -> Solution<G::Move> {
    let solution = Solver::new(DEFAULT_HASH_MB).solve(&hard.position, limits);
    let known = [Value::Unknown, hard.value];
    assert!(known.contains(&solution.value), "{}", hard.position);
    solution
}

fn value_only() -> SolveLimits {
    SolveLimits {
        line: false,
        ..SolveLimits::default()
    }
}

fn mean(of: impl Iterator<Item = f64>) -> (f64, usize) {
    let (sum, count) = of.fold((0.0, 0), |(sum, count), x| (sum + x.ln(), count + 1));
    ((sum / count as f64).exp(), count)
}

fn speed<G: Solvable>(nodes_per_second: f64, every: usize) {
    let begin = Instant::now();
    // Reference nodes, and three quotients: by processor, by wall, of nodes.
    let mut found: Vec<(f64, [f64; 3])> = Vec::new();
    for hard in positions::<G>(HARD, f64::INFINITY).step_by(every) {
        let before = (Instant::now(), processor_time(begin));
        let solution = solve(&hard, &value_only());
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
    for (least, below) in std::iter::once((HARD, f64::INFINITY)).chain(BANDS) {
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
    let chosen = positions::<G>(0.0, MARGINS_BELOW).step_by(every);
    let quotients = chosen.map(|hard| {
        let value = solve(&hard, &value_only()).nodes;
        let limits = SolveLimits {
            margin: true,
            time: Some(MARGIN_TIME),
            ..value_only()
        };
        let solution = solve(&hard, &limits);
        open += usize::from(solution.margin.is_none());
        let quotient = solution.nodes as f64 / value as f64;
        eprintln!(
            "{} value {value} margin {:?} {} nodes {quotient:.1}x",
            hard.position, solution.margin_bounds, solution.nodes
        );
        quotient
    });
    let (mean, count) = mean(quotients);
    println!(
        "{}: nodes for the margin over nodes for the value {mean:.2} ({count} positions, {open} open after {} s)",
        G::NAME,
        MARGIN_TIME.as_secs()
    );
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let asked = |game: &str| words.get(1).is_none_or(|name| name == game);
    let every = words.get(2).map_or(Some(1), |n| n.parse().ok());
    match (words.first().map(String::as_str), every) {
        (Some("speed"), Some(every @ 1..)) => {
            if asked(Yoxii::NAME) {
                speed::<Yoxii>(4.2e6, every);
            }
            if asked(Hokito::NAME) {
                speed::<Hokito>(3.8e6, every);
            }
        }
        (Some("margins"), Some(every @ 1..)) => {
            if asked(Yoxii::NAME) {
                margins::<Yoxii>(every);
            }
            if asked(Hokito::NAME) {
                margins::<Hokito>(every);
            }
        }
        (Some("plies"), Some(before_end @ 1..)) if words.len() == 3 => match words[1].as_str() {
            Yoxii::NAME => plies::plies::<Yoxii>(before_end),
            _ => plies::plies::<Hokito>(before_end),
        },
        _ => {
            eprintln!(
                "expected 'speed' or 'margins', 'yoxii' or 'hokito' behind it for one game, and a number N for every Nth position; or 'plies', a game and a number of plies"
            );
            std::process::exit(2);
        }
    }
}
