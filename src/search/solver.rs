//! The exact solver: the value of a position, proved.

mod hokito;
mod node;
mod table;
mod worker;
mod yoxii;

use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::{Duration, Instant};

pub use node::{Choice, Expansion, Key, NO_BOUND, Node, Solvable};
pub use table::{Proof, Table};
use worker::{Brake, Worker};

/// Bench helper until the API stands.
pub fn quick<G: Solvable>(
    position: &G,
    table: &Table,
    max_nodes: u64,
    limit: Duration,
) -> (Option<i32>, u64) {
    let stop = AtomicBool::new(false);
    let brake = Brake {
        stop: &stop,
        deadline: Some(Instant::now() + limit),
        max_nodes,
        nodes: AtomicU64::new(0),
        halt: AtomicBool::new(false),
    };
    let mut worker = Worker::<G::Node>::new(table, &brake);
    let node = position.node();
    let mut ask = |goal| worker.search(&node, goal);
    let value = (|| {
        Some(if ask(0)? < 0 {
            -1
        } else if ask(1)? >= 1 {
            1
        } else {
            0
        })
    })();
    worker.finish();
    (value, worker.nodes)
}
