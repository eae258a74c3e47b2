//! How much sooner several threads reach a depth than one, and what their simulations are
//! worth.
//!
//! ```text
//! cargo run --release -p totemic-benches --bin threads -- clock|turns|mcts yoxii|hokito NODES N,N,... [POSITIONS]
//! ```
//!
//! Takes the first POSITIONS of `tests/data/openings`, or 24.
//!
//! `clock` and `turns` search each to the first depth for which one thread of alpha-beta
//! visits at least NODES nodes from an empty table, and then to the same depth with each
//! number N of threads. They print geometric means, with standard errors.
//!
//! `clock` prints how much sooner the threads are done than one, their nodes a second
//! against its, and the nodes that all visit against its. It wants an idle machine with a
//! processor for each thread. 1,000,000 NODES take up to a second.
//!
//! With `turns` one thread at a time works, the one that has visited the fewest nodes: so
//! the threads visit as many nodes as they would with a processor each, on any machine. N
//! divided by that is how much sooner they would be done if no processor slowed another.
//!
//! `mcts` lets N threads of MCTS make NODES simulations by turns, each from an empty tree:
//! all choose a leaf before the first of them values one. It compares what they find with
//! what one thread finds in 16 times as many, and so shows how many simulations of one
//! thread those of N are worth.

#[path = "solver/words.rs"]
mod words;

use totemic_engine::game::with_game;
use totemic_engine::search::alphabeta::{self, Table};
use totemic_engine::search::mcts::{self, Tree};
use totemic_engine::search::{Info, Limits, Report, Request, Searchable, ThreadPool};
use totemic_engine::stop::Stop;
use words::{game, number, refuse};

/// Size of the table in MiB.
const HASH_MB: usize = 64;
const LEAST_DEPTH: u32 = 8;

fn reach<G: Searchable>(position: &G, depth: u32, pool: &ThreadPool) -> Report<G::Move> {
    let request = Request::new(position, &Limits::depth(depth), &Stop::new());
    let (mut table, eval) = (Table::new(HASH_MB), G::Evaluation::default());
    alphabeta::search(&request, pool, &mut table, &eval, ())
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

fn positions<G: Searchable>(most: usize) -> impl Iterator<Item = G> {
    let text = match G::NAME {
        "yoxii" => include_str!("../tests/data/openings/yoxii.txt"),
        _ => include_str!("../tests/data/openings/hokito.txt"),
    };
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let lines = lines.take(most);
    lines.map(|line| line.parse().expect("an opening"))
}

fn depths<G: Searchable>(
    positions: impl Iterator<Item = G>,
    takes_turns: bool,
    nodes: u64,
    threads: &[usize],
) {
    let one = ThreadPool::new(1);
    let alone = |position: G| {
        let mut reports = (LEAST_DEPTH..).map(|depth| (depth, reach(&position, depth, &one)));
        let (depth, report) = reports.find(|(_, report)| report.nodes >= nodes)?;
        Some((position, depth, report))
    };
    let alone: Vec<_> = positions.filter_map(alone).collect();
    for &count in threads {
        let pool = match takes_turns {
            true => ThreadPool::in_turns(count),
            false => ThreadPool::new(count),
        };
        let mut all = Vec::new();
        for (position, depth, one) in &alone {
            all.push((one, reach(position, *depth, &pool)));
        }
        let visited = |report: &Report<_>| report.nodes as f64;
        let nodes = all.iter().map(|(one, all)| visited(all) / visited(one));
        let seconds = |report: &Report<_>| report.time.as_secs_f64();
        let times = all.iter().map(|(one, all)| seconds(one) / seconds(all));
        print!("{count} threads: nodes {}", mean(nodes.clone()));
        if !takes_turns {
            let pairs = nodes.zip(times.clone());
            let speeds = pairs.map(|(nodes, sooner)| nodes * sooner);
            print!(", nodes a second {}, sooner {}", mean(speeds), mean(times));
        }
        println!();
    }
}

/// The line that NODES simulations find.
fn simulate<G: Searchable>(position: &G, nodes: u64, pool: &ThreadPool) -> Info<G::Move> {
    let request = Request::new(position, &Limits::nodes(nodes), &Stop::new());
    let (mut tree, eval) = (Tree::new(HASH_MB), G::Evaluation::default());
    let mut lines = mcts::search(&request, pool, &mut tree, &eval, ()).infos;
    lines.pop().expect("an opening has moves")
}

fn simulations<G: Searchable>(positions: impl Iterator<Item = G>, nodes: u64, threads: &[usize]) {
    let one = ThreadPool::new(1);
    let well_known = positions.map(|position| (position, simulate(&position, 16 * nodes, &one)));
    let well_known: Vec<_> = well_known.collect();
    let compare = |nodes: u64, pool: &ThreadPool| {
        let count = well_known.len() as f64;
        let (mut same, mut off, mut depth) = (0.0, 0.0, 0.0);
        for (position, known) in &well_known {
            let found = simulate(position, nodes, pool);
            same += f64::from(u8::from(found.pv.first() == known.pv.first())) / count;
            let error = found.score.centipoints() - known.score.centipoints();
            off += f64::from(error.abs()) / count;
            depth += f64::from(found.depth) / count;
        }
        println!(
            "{} threads, {nodes} simulations: the same move {:.0} %, score {off:.1} centipoints off, depth {depth:.2}",
            pool.size(),
            100.0 * same,
        );
    };
    for part in [4, 2, 1] {
        compare(nodes / part, &one);
    }
    for &count in threads {
        compare(nodes, &ThreadPool::in_turns(count));
    }
}

fn measure<G: Searchable>(way: &str, nodes: u64, threads: &[usize], most: usize) {
    let positions = positions::<G>(most);
    match way {
        "clock" => depths(positions, false, nodes, threads),
        "turns" => depths(positions, true, nodes, threads),
        "mcts" => simulations(positions, nodes, threads),
        _ => refuse(&format!(
            "'{way}' is neither 'clock' nor 'turns' nor 'mcts'"
        )),
    }
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (way, name, nodes, threads, most) = match words[..] {
        [way, name, nodes, threads] => (way, name, nodes, threads, "24"),
        [way, name, nodes, threads, most] => (way, name, nodes, threads, most),
        _ => refuse("threads clock|turns|mcts yoxii|hokito NODES N,N,... [POSITIONS]"),
    };
    let count = |word: &str| usize::from(number::<u16>(word));
    let threads: Vec<usize> = threads.split(',').map(count).collect();
    let nodes = u64::from(number::<u32>(nodes));
    with_game!(game(name), G => measure::<G>(way, nodes, &threads, count(most)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use totemic_engine::game::{Game, Hokito};

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

        let [four, again, eight] = [4, 4, 8].map(|threads| {
            let found = simulate(&Hokito::start(), 300, &ThreadPool::in_turns(threads));
            (found.score, found.depth, found.pv, found.nodes)
        });
        assert_eq!(four, again);
        assert_ne!(four, eight);
    }
}
