//! The signature of the search: how many nodes it visits on fixed positions.
//!
//! The count depends on nothing but the code, so it is the same on every machine. If it
//! changes, the search behaves differently.

use std::iter::Sum;
use std::time::Duration;

use crate::game::{Hokito, Yoxii};
use crate::host::Instant;
use crate::search::alphabeta::{self, Table};
use crate::search::{Limits, Request, Searchable, ThreadPool};
use crate::stop::Stop;

/// Size of the transposition table in MiB.
const HASH_MB: usize = 16;

/// A game with fixed positions, from a start to one close to the end.
pub trait Benched: Searchable {
    /// Texts of the positions.
    const POSITIONS: [&'static str; 6];
    /// Depth of their searches, in plies.
    const DEPTH: u32;
}

impl Benched for Yoxii {
    const DEPTH: u32 = 10;
    const POSITIONS: [&'static str; 6] = [
        "3/5/7/3*3/7/5/3 w",
        "3/5/1o*4/3Y3/1I5/5/3 r",
        "3/1y3/yOIY3/*1i4/2O1i2/5/3 w",
        "3/OyI2/1xIY3/YxIx3/1i5/X*y2/o2 w",
        "iX1/Yx3/2o1yoo/I1Y1Iy1/1yOX2I/1XyOy/*2 w",
        "1*i/OxOx1/X1I1iXi/oIOxiIO/2o1ioo/1OIIy/2Y w",
    ];
}

impl Benched for Hokito {
    const DEPTH: u32 = 12;
    const POSITIONS: [&'static str; 6] = [
        "b1,b2,b3,b1,b2,b3/b2,b3,b1,b2,b3,b1/b3,b1,b2,b3,b1,b2/w2,w1,w3,w2,w1,w3/w1,w3,w2,w1,w3,w2/w3,w2,w1,w3,w2,w1 b",
        "b3,b1,b2,b2,b3:2,b2/b3,b3,b1,x,b1,b1/b3,b2:2,x,b3,b2,x/w2,b2:2,w2:2,w1,x,w1/w2,w3,w3,w3:2,w3,w3/w3,x,w1,w1,w1,w2 w",
        "x,b1,b2,x,b1:2,b3:2/b2,w2:4,b3:2,b2,b1,x/b2,x2,b3:2,x,b3/w3,x,w2,w1:2,w3,w1/x,w3,x2,w1,w2/w1:2,b2:2,w2,w3,w2,w2 b",
        "b1,x2,b1,b2,b3:2/x2,b1:2,b2:2,b3:4,x/x,b2,x,w3:2,x2/w1,x,w2,x,w2:2,w1/x3,w2:4,w3:2,w1/w2:4,w2,x,w1,w2,w1 w",
        "b3,w2:2,b3:2,x,b3:2,b1/x,b3:6,x2,b1,b2:4/w2:2,x5/b2:2,x5/x2,w3:2,w2:6,w3,w1:2/x2,w1,x2,w3 b",
        "x,w3:2,w3:8,b3:2,x2/b2:2,x2,b2,x2/b2,x,w2:8,x3/x,w3,x2,w2:6,w3/x2,w2:2,x3/x5,b3:2 b",
    ];
}

/// What the search of the fixed positions took.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BenchResult {
    /// Number of positions visited, which is the signature.
    pub nodes: u64,
    /// How long it took.
    pub time: Duration,
}

impl Sum for BenchResult {
    fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
        parts.fold(Self::default(), |all, part| Self {
            nodes: all.nodes + part.nodes,
            time: all.time + part.time,
        })
    }
}

/// Searches the fixed positions of a game with one thread, and returns the nodes and the
/// time that it took; `on_position` gets each position with its nodes.
#[expect(clippy::expect_used, reason = "the positions are fixed")]
pub fn bench<G: Benched>(
    evaluation: &G::Evaluation,
    mut on_position: impl FnMut(&str, u64),
) -> BenchResult {
    let begin = Instant::now();
    let mut total = 0;
    for text in G::POSITIONS {
        let position: G = text.parse().expect("the fixed positions are legal");
        let request = Request::new(&position, &Limits::depth(G::DEPTH), &Stop::new());
        let (pool, mut table) = (ThreadPool::new(1), Table::new(HASH_MB));
        let report = alphabeta::search(&request, &pool, &mut table, evaluation, ());
        on_position(text, report.nodes);
        total += report.nodes;
    }
    BenchResult {
        nodes: total,
        time: begin.elapsed(),
    }
}
