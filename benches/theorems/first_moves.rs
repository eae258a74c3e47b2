//! What the first moves of Yoxii are worth: makes the openings of the book.
//!
//! ```text
//! cargo run --release -p totemic-benches --bin first_moves -- NODES > src/engine/ugi/book/yoxii.txt
//! ```
//!
//! Of first moves that a symmetry of the board maps to each other, only the first is
//! taken, which leaves 40. The position after each is searched for NODES nodes with one
//! thread and an empty table, so the file is the same on every machine. A move's value is
//! that of the last finished depth, in centipoints for the side that makes it. Its
//! uncertainty is the largest distance from that value among the depths that were
//! finished within the last seven eighths of the nodes, and the one before them. This is
//! no proof: a search that went on could say otherwise.

use std::collections::HashSet;

use totemic_engine::game::{Game, Yoxii, canonical_key};
use totemic_engine::search::alphabeta::{self, Table};
use totemic_engine::search::{Bound, Info, Limits, Request, Searchable, ThreadPool};
use totemic_engine::stop::Stop;

const HASH_MB: usize = 256;

type Move = <Yoxii as Game>::Move;

/// A first move and what a search says about it.
struct Judged {
    mv: Move,
    /// In centipoints, for the side that makes it.
    value: i32,
    uncertainty: i32,
    depth: u32,
    reply: Option<Move>,
}

fn judge(mv: Move, nodes: u64, table: &mut Table) -> Judged {
    let position = Yoxii::start().play(mv);
    let mut depths: Vec<Info<Move>> = Vec::new();
    table.clear();
    let request = Request::new(&position, &Limits::nodes(nodes), &Stop::new());
    let (pool, eval) = (
        ThreadPool::new(1),
        <Yoxii as Searchable>::Evaluation::default(),
    );
    let report = alphabeta::search(&request, &pool, table, &eval, |info: &Info<Move>| {
        if info.bound == Bound::Exact {
            depths.retain(|before| before.depth != info.depth);
            depths.push(info.clone());
        }
    });
    let value = |info: &Info<Move>| -info.score.centipoints();
    let last = depths.last().expect("one depth is finished");
    let early = depths.partition_point(|info| info.nodes < nodes / 8);
    let late = &depths[early.saturating_sub(1)..];
    let away = late.iter().map(|info| (value(info) - value(last)).abs());
    Judged {
        mv,
        value: value(last),
        uncertainty: away.max().unwrap_or(0),
        depth: last.depth,
        reply: report.best,
    }
}

fn main() {
    let nodes = std::env::args().nth(1).and_then(|text| text.parse().ok());
    let Some(nodes @ 1..) = nodes else {
        eprintln!("expected the nodes for each move");
        std::process::exit(2);
    };
    let start = Yoxii::start();
    let mut met = HashSet::new();
    let is_new = |mv: &Move| met.insert(canonical_key(&start.play(*mv)));
    let moves: Vec<Move> = start.moves().into_iter().filter(is_new).collect();
    let mut table = Table::new(HASH_MB);
    let mut judged = Vec::new();
    for mv in moves {
        let one = judge(mv, nodes, &mut table);
        eprintln!(
            "{mv} {:+} +-{} at depth {}",
            one.value, one.uncertainty, one.depth
        );
        judged.push(one);
    }
    judged.sort_by_key(|one| (-one.value, one.mv));
    println!(
        "# The first moves of Yoxii that symmetry leaves, the best first. Behind each its value for White"
    );
    println!(
        "# in centipoints with its uncertainty, the depth, and the best reply that was found, by searches of"
    );
    println!(
        "# {nodes} nodes each: `cargo run --release -p totemic-benches --bin first_moves -- {nodes}`. Estimates, no proof."
    );
    for one in judged {
        let Judged {
            mv,
            value,
            uncertainty,
            depth,
            ..
        } = one;
        let reply = one
            .reply
            .map_or(String::new(), |reply| format!(" reply {reply}"));
        println!("{mv} # value {value:+} error {uncertainty} depth {depth}{reply}");
    }
}
