//! Random starts and games are the same everywhere. The algorithm is written a second
//! time here from its description, over the naive rules, which shows that the description
//! is enough.

use crate::naive::Naive;
use crate::support::{by_name, rows};
use crate::twin::Twin;
use totemic_engine::game::{Layout, Rng, random_position};

/// xoshiro256++ with its state filled by SplitMix64.
struct Generator([u64; 4]);

impl Generator {
    fn new(seed: u64) -> Self {
        let mut counter = seed;
        Self([(); 4].map(|()| {
            counter = counter.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let z = (counter ^ (counter >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        }))
    }

    fn next(&mut self) -> u64 {
        let [a, b, c, d] = self.0;
        let result = a.wrapping_add(d).rotate_left(23).wrapping_add(a);
        let (c, d) = (c ^ a, d ^ b);
        self.0 = [a ^ d, b ^ c, c ^ (b << 17), d.rotate_left(45)];
        result
    }

    fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            let j = self.below(i + 1);
            items.swap(i, j);
        }
    }

    /// Returns the text of a random start.
    fn start<G: Twin>(&mut self, layout: Layout) -> String {
        if G::NAME == "yoxii" {
            return G::Naive::START.to_owned();
        }
        let pawns = |colour| (0..18).map(move |i| format!("{colour}{}", i / 6 + 1));
        let mut squares: Vec<String> = pawns('w').chain(pawns('b')).collect();
        match layout {
            Layout::Halves => {
                self.shuffle(&mut squares[..18]);
                self.shuffle(&mut squares[18..]);
            }
            Layout::Scattered => self.shuffle(&mut squares),
        }
        let ranks: Vec<String> = squares.chunks(6).rev().map(|rank| rank.join(",")).collect();
        format!("{} b", ranks.join("/"))
    }

    /// Returns the text after `plies` random plies; `None` if the game is over by then.
    fn play<G: Twin>(&mut self, layout: Layout, plies: u32) -> Option<String> {
        let mut position = G::Naive::parse(&self.start::<G>(layout)).expect("a position");
        for _ in 0..plies {
            let mut moves = position.legal_moves();
            moves.sort_by_key(|mv| {
                let mv = mv.as_bytes();
                let value = mv.get(4).map(|mark| b"oiyx".iter().position(|m| m == mark));
                (mv[1], mv[0], mv[3], mv[2], value)
            });
            if moves.is_empty() {
                return None;
            }
            position = position.play(&moves[self.below(moves.len())]);
        }
        position.result().is_none().then(|| position.text())
    }
}

/// Checks that the engine's position is the described one, and returns it.
fn position<G: Twin>(
    layout: Layout,
    plies: u32,
    rng: &mut Rng,
    own: &mut Generator,
) -> Option<String> {
    let found = random_position::<G>(layout, plies, rng).map(|found| found.to_string());
    let described = (0..100).find_map(|_| own.play::<G>(layout, plies));
    assert_eq!(found, described, "{layout:?}, {plies} plies");
    found
}

#[test]
fn seeds_give_the_positions_on_file() {
    let rows = rows("random.tsv");
    assert!(rows.len() >= 20);
    for row in rows {
        let [game, layout, seed, plies, wanted] = &row[..] else {
            panic!("five columns: {row:?}");
        };
        let layout = Layout::of(layout == "scattered");
        let plies = plies.parse().expect("a number of plies");
        let seed = seed.parse().expect("a seed");
        let (rng, own) = (&mut Rng::new(seed), &mut Generator::new(seed));
        let found = by_name!(*game, position(layout, plies, rng, own));
        assert_eq!(found.as_ref(), Some(wanted), "{row:?}");
    }
}

#[test]
fn the_described_algorithm_gives_the_same_stream_of_positions() {
    for seed in [0, 1, 7, 0xdead_beef, u64::MAX] {
        let (rng, own) = (&mut Rng::new(seed), &mut Generator::new(seed));
        for round in 0..30 {
            let layout = Layout::of(round % 4 == 3);
            let plies = 5 * (round % 6) as u32;
            by_name!(
                ["yoxii", "hokito"][round % 2],
                position(layout, plies, rng, own)
            );
        }
        for n in [1, 2, 3, 36, 1000, usize::MAX] {
            assert_eq!(rng.below(n), own.below(n));
        }
        assert_eq!(rng.next_u64(), own.next());
        assert_eq!(rng.below(0), 0);
    }
}
