//! Speed of the rules: perft in bulk, lists of moves, and the naive twin at the same
//! positions, so that one run shows how many times faster the engine is.
//!
//! `cargo bench -p totemic-benches --bench rules`

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use totemic_engine::game::{Game, Hokito, Layout, Rng, Yoxii, perft, random_position};

#[path = "../tests/naive/mod.rs"]
mod naive;

use naive::Naive;

fn main() {
    divan::main();
}

/// Returns a position in the middle of a game, the same in every run.
fn middle<G: Game>() -> G {
    random_position(Layout::Halves, 12, &mut Rng::new(1)).expect("a game that goes on")
}

/// Measures the speed; the items are the move sequences of the whole depth.
fn count<G: Game>(bencher: Bencher, position: G, depth: u32) {
    bencher
        .counter(ItemsCount::new(perft(&position, depth)))
        .bench_local(|| perft(black_box(&position), depth));
}

fn count_naively<G: Measured>(bencher: Bencher, position: G, depth: u32) {
    let slow = G::Twin::parse(&position.to_string()).expect("a position");
    bencher
        .counter(ItemsCount::new(perft(&position, depth)))
        .bench_local(|| naive::perft(black_box(&slow), depth));
}

trait Measured: Game {
    type Twin: Naive;
    /// The depth from a middle game.
    const DEPTH: u32;
}

impl Measured for Yoxii {
    type Twin = naive::yoxii::Yoxii;
    const DEPTH: u32 = 3;
}

impl Measured for Hokito {
    type Twin = naive::hokito::Hokito;
    const DEPTH: u32 = 4;
}

/// From the start and from a middle game. What counts is the ratio of `fast` to `naive` in
/// items per second.
#[divan::bench(types = [Yoxii, Hokito], sample_count = 20)]
fn fast_start<G: Game>(bencher: Bencher) {
    count(bencher, G::start(), 3);
}

#[divan::bench(types = [Yoxii, Hokito], sample_count = 3, sample_size = 1)]
fn naive_start<G: Measured>(bencher: Bencher) {
    count_naively(bencher, G::start(), 3);
}

#[divan::bench(types = [Yoxii, Hokito], sample_count = 20)]
fn fast_middle<G: Measured>(bencher: Bencher) {
    count(bencher, middle::<G>(), G::DEPTH);
}

#[divan::bench(types = [Yoxii, Hokito], sample_count = 3, sample_size = 1)]
fn naive_middle<G: Measured>(bencher: Bencher) {
    count_naively(bencher, middle::<G>(), G::DEPTH);
}

#[divan::bench(types = [Yoxii, Hokito], sample_count = 3, sample_size = 1)]
fn deep_start<G: Game>(bencher: Bencher) {
    count(bencher, G::start(), 4);
}

/// The operations that a search consists of, on the middle game.
#[divan::bench(types = [Yoxii, Hokito])]
fn list_moves<G: Game>(bencher: Bencher) {
    let position = middle::<G>();
    bencher
        .counter(ItemsCount::new(position.moves().len()))
        .bench_local(|| black_box(&position).moves());
}

#[divan::bench(types = [Yoxii, Hokito])]
fn count_moves<G: Game>(bencher: Bencher) {
    let position = middle::<G>();
    bencher.bench_local(|| black_box(&position).count_moves());
}

#[divan::bench(types = [Yoxii, Hokito])]
fn ask_for_moves<G: Game>(bencher: Bencher) {
    let position = middle::<G>();
    bencher.bench_local(|| black_box(&position).has_moves());
}

#[divan::bench(types = [Yoxii, Hokito])]
fn play_all_moves<G: Game>(bencher: Bencher) {
    let position = middle::<G>();
    let moves = position.moves();
    let add = |key, &mv: &G::Move| key ^ position.play(mv).key();
    let keys = || moves.iter().fold(0, add);
    bencher
        .counter(ItemsCount::new(moves.len()))
        .bench_local(keys);
}
