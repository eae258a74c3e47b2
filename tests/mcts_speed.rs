//! Figures, not promises: `cargo test --release --test mcts_speed -- --ignored
//! --nocapture`.

use std::time::Duration;

use totemic::game::{Hokito, Layout, Rng, Yoxii, random_position};
use totemic::search::{Control, Crew, Limits, Searchable, mcts, nodes_per_second};

/// Processor time of this process in seconds, 0 where the system does not tell.
fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = text.rsplit(')').next().unwrap_or_default();
    let fields = after_name.split_whitespace().skip(11).take(2);
    fields
        .filter_map(|ticks| ticks.parse::<f64>().ok())
        .sum::<f64>()
        / 100.0
}

fn measure<G: Searchable>(threads: usize) {
    let crew = Crew::new(threads);
    let mut rng = Rng::new(7);
    let cpu = cpu_seconds();
    let (mut simulations, mut evaluations, mut time) = (0, 0, Duration::ZERO);
    for plies in [0, 4, 8, 12] {
        let position: G =
            random_position(Layout::Halves, plies, &mut rng).expect("games last longer");
        let tree = mcts::Tree::new(64);
        let limits = Limits::move_time(Duration::from_millis(1000));
        let control = Control::default();
        let report = mcts::search(
            &position,
            &limits,
            &crew,
            &tree,
            &G::Evaluation::default(),
            &control,
            |_| {},
        );
        simulations += report.nodes;
        evaluations += tree.evaluations();
        time += report.time;
    }
    println!(
        "{} {threads} threads: {} simulations/s, {} evaluations/s, \
         {:.0} simulations per second of processor time",
        G::NAME,
        nodes_per_second(simulations, time),
        nodes_per_second(evaluations, time),
        simulations as f64 / (cpu_seconds() - cpu).max(0.01),
    );
}

#[test]
#[ignore = "takes some seconds and depends on the machine"]
fn speed() {
    for threads in [1, 2] {
        measure::<Yoxii>(threads);
        measure::<Hokito>(threads);
    }
}
