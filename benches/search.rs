//! Speed of the search: nodes per second at a fixed depth, and the time that the crate
//! `minimax` takes to the same depth over the same rules, with the same evaluation and a
//! table of the same size.
//!
//! `cargo bench -p totemic-benches --bench search`

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use minimax::{IterativeOptions, IterativeSearch, Negamax, Strategy};
use totemic_engine::game::{Hokito, Layout, Rng, Yoxii, random_position};
use totemic_engine::search::alphabeta::{self, Table};
use totemic_engine::search::{Learnable, Limits, Report, Request, Searchable, ThreadPool};
use totemic_engine::stop::Stop;

#[path = "peer/mod.rs"]
mod peer;

use peer::Values;

fn main() {
    divan::main();
}

/// Size of the table of both searches, in MiB.
const MEGABYTES: usize = 16;

/// Returns positions that are the same in every run: the start and two middle games.
fn positions<G: Searchable>() -> [G; 3] {
    let mut rng = Rng::new(7);
    let mut after = |plies| random_position(Layout::Halves, plies, &mut rng);
    [
        G::start(),
        after(8).expect("a game that goes on"),
        after(16).expect("a game that goes on"),
    ]
}

fn think<G: Searchable>(position: &G, depth: u32) -> Report<G::Move> {
    let request = Request::new(position, &Limits::depth(depth), &Stop::new());
    let (pool, mut table) = (ThreadPool::new(1), Table::new(MEGABYTES));
    alphabeta::search(&request, &pool, &mut table, &G::Evaluation::default(), ())
}

/// The depths that `minimax` reaches in a second or two.
const DEPTHS: [u32; 3] = [2, 3, 4];

/// The engine; the items are nodes.
#[divan::bench(types = [Yoxii, Hokito], args = DEPTHS, sample_count = 3, sample_size = 1)]
fn engine<G: Searchable>(bencher: Bencher, depth: u32) {
    let positions = positions::<G>();
    let nodes: u64 = positions.iter().map(|p| think(p, depth).nodes).sum();
    bencher.counter(ItemsCount::new(nodes)).bench_local(|| {
        positions
            .each_ref()
            .map(|p| think(black_box(p), depth).best)
    });
}

/// The engine one ply deeper, where the table and the order of moves pay.
#[divan::bench(types = [Yoxii, Hokito], args = [5], sample_count = 1, sample_size = 1)]
fn engine_deep<G: Searchable>(bencher: Bencher, depth: u32) {
    engine::<G>(bencher, depth);
}

/// Iterative deepening with a table, once with the crate's default options and once with
/// the options that suit it best here.
#[divan::bench(types = [Yoxii, Hokito], args = DEPTHS, sample_count = 2, sample_size = 1)]
fn peer_iterative<G: Searchable + Learnable>(bencher: Bencher, depth: u32) {
    let options = IterativeOptions::new().with_table_byte_size(MEGABYTES << 20);
    iterate::<G>(bencher, depth, options);
}

#[divan::bench(types = [Yoxii, Hokito], args = DEPTHS, sample_count = 2, sample_size = 1)]
fn peer_iterative_with_history<G: Searchable + Learnable>(bencher: Bencher, depth: u32) {
    let options = IterativeOptions::new()
        .with_table_byte_size(MEGABYTES << 20)
        .with_countermoves()
        .with_countermove_history();
    iterate::<G>(bencher, depth, options);
}

fn iterate<G: Searchable + Learnable>(bencher: Bencher, depth: u32, options: IterativeOptions) {
    let positions = positions::<G>();
    bencher.bench_local(|| {
        positions.each_ref().map(|position| {
            let mut search = IterativeSearch::new(Values::<G>::new(), options);
            search.set_max_depth(depth as u8);
            search.choose_move(black_box(position))
        })
    });
}

/// Plain alpha-beta without a table.
#[divan::bench(types = [Yoxii, Hokito], args = [2, 3], sample_count = 2, sample_size = 1)]
fn peer_negamax<G: Searchable + Learnable>(bencher: Bencher, depth: u32) {
    let positions = positions::<G>();
    bencher.bench_local(|| {
        positions.each_ref().map(|position| {
            Negamax::new(Values::<G>::new(), depth as u8).choose_move(black_box(position))
        })
    });
}
