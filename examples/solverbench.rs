//! Scratch bench.
use std::time::{Duration, Instant};
use totemic::game::{Hokito, Yoxii};
use totemic::search::solver::{Solvable, SolveLimits, Solver};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let which = args[1].as_str();
    let count: usize = args[2].parse().unwrap();
    let limit: f64 = args.get(3).map_or(20.0, |a| a.parse().unwrap());
    let mb: usize = args.get(4).map_or(1024, |a| a.parse().unwrap());
    let text = std::fs::read_to_string("tests/data/solve-hard.tsv").unwrap();
    let mut cases: Vec<(String, String, i32, f64)> = text
        .lines()
        .map(|l| {
            let f: Vec<&str> = l.split('\t').collect();
            let v = match f[2] {
                "win" => 1,
                "draw" => 0,
                _ => -1,
            };
            (f[0].to_owned(), f[1].to_owned(), v, f[3].parse().unwrap())
        })
        .collect();
    cases.sort_by(|a, b| a.3.total_cmp(&b.3));
    let threads: usize = std::env::var("THREADS").map_or(1, |s| s.parse().unwrap());
    let mut ysolver = Solver::<Yoxii>::new(if which == "hokito" { 1 } else { mb });
    let mut hsolver = Solver::<Hokito>::new(if which == "yoxii" { 1 } else { mb });
    let verbose = args.get(5).is_some();
    for game in ["yoxii", "hokito"] {
        if which != "both" && which != game {
            continue;
        }
        let (mut logt, mut logn, mut n, mut total, mut nodes_all, mut bad) =
            (0.0, 0.0, 0, 0.0, 0u64, 0);
        let mut unsolved = 0;
        for (i, c) in cases.iter().filter(|c| c.0 == game).take(count).enumerate() {
            let (v, nodes, t) = if game == "yoxii" {
                run::<Yoxii>(&c.1, &mut ysolver, limit, threads)
            } else {
                run::<Hokito>(&c.1, &mut hsolver, limit, threads)
            };
            let reference = c.3 / 3.5e6;
            if verbose {
                println!(
                    "{i} {} ref {:.0} nodes {nodes} {:.3}s speedup {:.1} noderatio {:.1}",
                    c.1,
                    c.3,
                    t,
                    reference / t,
                    c.3 / nodes as f64
                );
            }
            match v {
                Some(v) if v != c.2 => {
                    bad += 1;
                    println!("WRONG {} {v} {}", c.1, c.2);
                }
                None => {
                    unsolved += 1;
                }
                _ => {}
            }
            logt += (reference / t).ln();
            logn += (c.3 / nodes as f64).ln();
            n += 1;
            total += t;
            nodes_all += nodes;
        }
        println!(
            "{game}: n {n} wrong {bad} unsolved {unsolved}  geo speedup {:.2}  geo node ratio {:.2}  total {total:.1}s  {:.2} Mn/s",
            (logt / n as f64).exp(),
            (logn / n as f64).exp(),
            nodes_all as f64 / total / 1e6
        );
    }
}

fn run<G: Solvable>(
    text: &str,
    solver: &mut Solver<G>,
    limit: f64,
    threads: usize,
) -> (Option<i32>, u64, f64) {
    let p: G = text.parse().unwrap_or_else(|_| panic!("{text}"));
    if std::env::var("KEEP").is_err() {
        solver.clear();
    }
    let limits = SolveLimits {
        time: Some(Duration::from_secs_f64(limit)),
        line: std::env::var("LINE").is_ok(),
        margin: std::env::var("MARGIN").is_ok(),
        threads,
        ..SolveLimits::default()
    };
    let begin = Instant::now();
    let cpu = cpu_seconds();
    let solution = solver.solve(&p, &limits);
    let t = if threads == 1 {
        (cpu_seconds() - cpu).max(1e-5)
    } else {
        begin.elapsed().as_secs_f64()
    };
    (solution.value.sign(), solution.nodes, t)
}

fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    text.split(' ').next().unwrap().parse::<f64>().unwrap() / 1e9
}
