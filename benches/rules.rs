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

fn count_naively<N: Naive>(bencher: Bencher, position: impl Game, depth: u32) {
    let slow = N::parse(&position.to_string()).expect("a position");
    bencher
        .counter(ItemsCount::new(perft(&position, depth)))
        .bench_local(|| naive::perft(black_box(&slow), depth));
}

/// At depth 3 from the start and from a middle game. What counts is the ratio of `fast`
/// to `naive` in items per second.
mod yoxii {
    use super::*;

    #[divan::bench(sample_count = 20)]
    fn fast_start(bencher: Bencher) {
        count(bencher, Yoxii::start(), 3);
    }

    #[divan::bench(sample_count = 3, sample_size = 1)]
    fn naive_start(bencher: Bencher) {
        count_naively::<naive::yoxii::Yoxii>(bencher, Yoxii::start(), 3);
    }

    #[divan::bench(sample_count = 20)]
    fn fast_middle(bencher: Bencher) {
        count(bencher, middle::<Yoxii>(), 3);
    }

    #[divan::bench(sample_count = 3, sample_size = 1)]
    fn naive_middle(bencher: Bencher) {
        count_naively::<naive::yoxii::Yoxii>(bencher, middle::<Yoxii>(), 3);
    }

    #[divan::bench(sample_count = 3, sample_size = 1)]
    fn deep_start(bencher: Bencher) {
        count(bencher, Yoxii::start(), 4);
    }
}

/// The same for Hokito, but from the middle game at depth 4.
mod hokito {
    use super::*;

    #[divan::bench(sample_count = 20)]
    fn fast_start(bencher: Bencher) {
        count(bencher, Hokito::start(), 3);
    }

    #[divan::bench(sample_count = 3, sample_size = 1)]
    fn naive_start(bencher: Bencher) {
        count_naively::<naive::hokito::Hokito>(bencher, Hokito::start(), 3);
    }

    #[divan::bench(sample_count = 20)]
    fn fast_middle(bencher: Bencher) {
        count(bencher, middle::<Hokito>(), 4);
    }

    #[divan::bench(sample_count = 3, sample_size = 1)]
    fn naive_middle(bencher: Bencher) {
        count_naively::<naive::hokito::Hokito>(bencher, middle::<Hokito>(), 4);
    }

    #[divan::bench(sample_count = 3, sample_size = 1)]
    fn deep_start(bencher: Bencher) {
        count(bencher, Hokito::start(), 4);
    }
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
    let keys = || {
        moves
            .iter()
            .fold(0, |key, &mv| key ^ position.play(mv).key())
    };
    bencher
        .counter(ItemsCount::new(moves.len()))
        .bench_local(keys);
}
