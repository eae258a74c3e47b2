//! How often a search throws a proved result away, and why.
//!
//! `cargo run --release -p totemic-benches --bin blunders -- yoxii|hokito NODES,NODES,... [odd|even]`
//!
//! Takes the positions of `tests/data/decided.tsv`, or every other one of them: tune on one
//! half and look at the other at the end. All were solved, and at least one move of each is
//! wrong. Each is searched by one thread with empty tables for each number of NODES, as `go
//! nodes` does. A search that proves its move itself does not count.
//!
//! A row for each position says `kept`, `lost` or `proved` for each number of nodes, so that
//! two versions can be compared by McNemar's test. Where the result is lost there is a cause:
//!
//! | cause | what it means |
//! | --- | --- |
//! | unseen | searched alone to the same depth, a right move scores more than the chosen one: the search had ordered it so late that it reduced or pruned it |
//! | horizon | with ten times the nodes, the search chooses a right move |
//! | evaluation | it chooses a wrong one even then |

#[path = "solver/words.rs"]
mod words;

use std::collections::BTreeMap;

use totemic_engine::engine::Engine;
use totemic_engine::game::{Game, with_game};
use totemic_engine::search::{Limits, Report, Score, Searchable};
use words::{game, number, refuse};

/// Size of the tables in MiB.
const HASH_MB: usize = 64;
/// More nodes, to see whether depth is all that was missing.
const DEEPER_FACTOR: u64 = 10;

struct Decided<G: Game> {
    position: G,
    plies: u32,
    best: Vec<G::Move>,
}

fn positions<G: Game>(half: Option<usize>) -> Vec<Decided<G>> {
    let rows = include_str!("../tests/data/decided.tsv").lines();
    let rows = rows.map(|row| row.split('\t').collect::<Vec<_>>());
    let rows = rows.filter(|fields| fields[0] == G::NAME).enumerate();
    let rows = rows.filter(|(at, _)| half.is_none_or(|half| at % 2 == half));
    let read = |fields: Vec<&str>| {
        let position: G = fields[1].parse().unwrap_or_else(|why| panic!("{why}"));
        let moves = fields[3].split(' ');
        let best = moves.map(|mv| position.read_move(mv).unwrap_or_else(|why| panic!("{why}")));
        Decided {
            position,
            plies: position.plies_left(),
            best: best.collect(),
        }
    };
    rows.map(|(_, fields)| read(fields)).collect()
}

fn think<G: Searchable>(position: &G, limits: Limits<G::Move>) -> Report<G::Move> {
    let mut engine = Engine::<G, G::Evaluation>::new();
    engine.set_hash(HASH_MB).expect("memory for the tables");
    engine.set_position(*position);
    engine.search(limits)
}

/// Why a search has chosen a move that throws the result away.
fn cause<G: Searchable>(
    decided: &Decided<G>,
    report: &Report<G::Move>,
    nodes: u64,
) -> &'static str {
    let (position, depth) = (&decided.position, report.infos[0].depth);
    let score = |search_moves: Vec<G::Move>| -> Score {
        let limits = Limits {
            search_moves,
            ..Limits::depth(depth)
        };
        think(position, limits).infos[0].score
    };
    if score(decided.best.clone()) > score(report.best.into_iter().collect()) {
        return "unseen";
    }
    let deeper = think(position, Limits::nodes(DEEPER_FACTOR * nodes)).best;
    match deeper.is_some_and(|mv| decided.best.contains(&mv)) {
        true => "horizon",
        false => "evaluation",
    }
}

fn count<G: Searchable>(nodes: &[u64], half: Option<usize>) {
    // By nodes and cause.
    let mut counts: BTreeMap<(u64, &str), u32> = BTreeMap::new();
    for decided in positions::<G>(half) {
        let mut row = decided.plies.to_string();
        for &nodes in nodes {
            let report = think(&decided.position, Limits::nodes(nodes));
            let mv = report.best.expect("a move");
            let fate = match decided.best.contains(&mv) {
                _ if report.infos[0].proven => "proved",
                true => "kept",
                false => "lost",
            };
            *counts.entry((nodes, fate)).or_default() += 1;
            row += &format!("\t{fate}");
            if fate == "lost" {
                let cause = cause(&decided, &report, nodes);
                *counts.entry((nodes, cause)).or_default() += 1;
                row += &format!(": {cause}");
            }
        }
        println!("{row}\t{}", decided.position);
    }
    for &nodes in nodes {
        let of = |name| counts.get(&(nodes, name)).copied().unwrap_or_default();
        let (kept, lost) = (of("kept"), of("lost"));
        println!(
            "{nodes} nodes: {lost} of {} lost ({:.1} %): {} unseen, {} horizon, {} evaluation; {} proved",
            kept + lost,
            100.0 * f64::from(lost) / f64::from((kept + lost).max(1)),
            of("unseen"),
            of("horizon"),
            of("evaluation"),
            of("proved"),
        );
    }
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (name, nodes, half) = match words[..] {
        [name, nodes] => (name, nodes, None),
        [name, nodes, "odd"] => (name, nodes, Some(0)),
        [name, nodes, "even"] => (name, nodes, Some(1)),
        _ => refuse("blunders yoxii|hokito NODES,NODES,... [odd|even]"),
    };
    let nodes = nodes.split(',').map(|it| number::<u32>(it).into());
    let nodes: Vec<u64> = nodes.collect();
    with_game!(game(name), G => count::<G>(&nodes, half));
}
