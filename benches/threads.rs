//! How much sooner several threads reach a depth than one.
//!
//! ```text
//! cargo run --release --features measure --example threads -- clock|turns yoxii|hokito NODES N,N,... [POSITIONS]
//! ```
//!
//! Takes the first POSITIONS of `tests/data/openings`, or 24, each to the first depth for
//! which one thread visits at least NODES nodes from an empty table, and then to the same
//! depth with each number N of threads. Prints geometric means, with standard errors.
//!
//! `clock` prints how much sooner the threads are done than one, their nodes a second
//! against its, and the nodes that all visit against its. It wants an idle machine with a
//! processor for each thread. 1,000,000 NODES are about a second.
//!
//! With `turns` one thread at a time works, the one that has visited the fewest nodes: so
//! the threads visit as many nodes as they would with a processor each, on any machine. N
//! divided by that is how much sooner they would be done if no processor slowed another.

#[path = "solver/words.rs"]
mod words;

use totemic::game::{Hokito, Yoxii};
use totemic::search::{Limits, Report, Request, Searchable, Stop, Table, ThreadPool, search};
use words::{number, refuse};

/// Size of the table in MiB.
const HASH_MB: usize = 64;
const LEAST_DEPTH: u32 = 8;

fn reach<G: Searchable>(position: &G, depth: u32, pool: &ThreadPool) -> Report<G::Move> {
    let (limits, stop) = (Limits::depth(depth), Stop::new());
    let (request, eval) = (
        Request::new(position, &limits, &stop),
        G::Evaluation::default(),
    );
    search(&request, pool, &mut Table::new(HASH_MB), &eval, ())
}

/// A geometric mean, with its standard error.
fn mean(ratios: impl Iterator<Item = f64>) -> String {
    let logs: Vec<f64> = ratios.map(f64::ln).collect();
    let count = logs.len() as f64;
    let mean = logs.iter().sum::<f64>() / count;
    let squares: f64 = logs.iter().map(|log| (log - mean).powi(2)).sum();
    format!(
        "{:.2} ({:.0} %)",
        mean.exp(),
        100.0 * squares.sqrt() / count
    )
}

fn measure<G: Searchable>(
    text: &str,
    takes_turns: bool,
    nodes: u64,
    threads: &[usize],
    most: usize,
) {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let positions = lines
        .take(most)
        .map(|line| line.parse().expect("an opening"));
    let one = ThreadPool::new(1);
    let alone = |position: G| {
        let reports = (LEAST_DEPTH..).map(|depth| (depth, reach(&position, depth, &one)));
        let (depth, report) = reports
            .into_iter()
            .find(|(_, report)| report.nodes >= nodes)?;
        Some((position, depth, report))
    };
    let alone: Vec<_> = positions.filter_map(alone).collect();
    for &count in threads {
        let pool = match takes_turns {
            true => ThreadPool::in_turns(count),
            false => ThreadPool::new(count),
        };
        let all = alone
            .iter()
            .map(|(position, depth, one)| (one, reach(position, *depth, &pool)));
        let all: Vec<_> = all.collect();
        let nodes = || {
            all.iter()
                .map(|(one, all)| all.nodes as f64 / one.nodes as f64)
        };
        let times = || {
            all.iter()
                .map(|(one, all)| one.time.as_secs_f64() / all.time.as_secs_f64())
        };
        print!("{count} threads: nodes {}", mean(nodes()));
        if !takes_turns {
            let speeds = nodes().zip(times()).map(|(nodes, sooner)| nodes * sooner);
            print!(
                ", nodes a second {}, sooner {}",
                mean(speeds),
                mean(times())
            );
        }
        println!();
    }
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (way, game, nodes, threads, most) = match words[..] {
        [way, game, nodes, threads] => (way, game, nodes, threads, "24"),
        [way, game, nodes, threads, most] => (way, game, nodes, threads, most),
        _ => refuse("threads clock|turns yoxii|hokito NODES N,N,... [POSITIONS]"),
    };
    let takes_turns = match way {
        "clock" => false,
        "turns" => true,
        _ => refuse(&format!("'{way}' is neither 'clock' nor 'turns'")),
    };
    let (nodes, most) = (
        u64::from(number::<u32>(nodes)),
        usize::from(number::<u16>(most)),
    );
    let threads: Vec<usize> = threads
        .split(',')
        .map(|n| usize::from(number::<u16>(n)))
        .collect();
    let [yoxii, hokito] = [
        include_str!("../tests/data/openings/yoxii.txt"),
        include_str!("../tests/data/openings/hokito.txt"),
    ];
    match game {
        "yoxii" => measure::<Yoxii>(yoxii, takes_turns, nodes, &threads, most),
        "hokito" => measure::<Hokito>(hokito, takes_turns, nodes, &threads, most),
        _ => refuse(&format!("'{game}' is neither 'yoxii' nor 'hokito'")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use totemic::game::Game;

    #[test]
    fn threads_that_take_turns_repeat_themselves() {
        let [one, four, again] = [1, 4, 4].map(|threads| {
            let pool = ThreadPool::in_turns(threads);
            reach(&Hokito::start(), 5, &pool).nodes
        });
        let alone = reach(&Hokito::start(), 5, &ThreadPool::new(1)).nodes;
        assert_eq!(one, alone);
        assert_eq!(four, again);
        assert_ne!(one, four);
    }
}
