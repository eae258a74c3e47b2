//! Random starts and games are the same everywhere. The algorithm is written a second
//! time here from its description, over the naive rules, which shows that the description
//! is enough.

use crate::naive::{self, Naive};
use crate::support::rows;
use totemic_engine::game::{Hokito, Layout, Rng, Yoxii, random_position};

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

    /// Returns the text of a random start of Hokito.
    fn hokito(&mut self, scattered: bool) -> String {
        let pawns = |colour| (0..18).map(move |i| format!("{colour}{}", i / 6 + 1));
        let mut squares: Vec<String> = pawns('w').chain(pawns('b')).collect();
        if scattered {
            self.shuffle(&mut squares);
        } else {
            self.shuffle(&mut squares[..18]);
            self.shuffle(&mut squares[18..]);
        }
        let ranks: Vec<String> = squares.chunks(6).rev().map(|rank| rank.join(",")).collect();
        format!("{} b", ranks.join("/"))
    }

    /// Returns the text after `plies` random plies; `None` if the game is over by then.
    fn play<N: Naive>(&mut self, start: &str, plies: u32) -> Option<String> {
        let mut position = N::parse(start).expect("a position");
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

    /// Returns what [`random_position`] gives for the names of a game and a layout.
    fn position(&mut self, game: &str, layout: &str, plies: u32) -> Option<String> {
        (0..100).find_map(|_| match game {
            "yoxii" => self.play::<naive::yoxii::Yoxii>("3/5/7/3*3/7/5/3 w", plies),
            _ => {
                let start = self.hokito(layout == "scattered");
                self.play::<naive::hokito::Hokito>(&start, plies)
            }
        })
    }
}

/// Returns what the engine gives for the names of a game and a layout.
fn engine_position(game: &str, layout: &str, plies: u32, rng: &mut Rng) -> Option<String> {
    let layout = Layout::of(layout == "scattered");
    match game {
        "yoxii" => random_position::<Yoxii>(layout, plies, rng).map(|p| p.to_string()),
        _ => random_position::<Hokito>(layout, plies, rng).map(|p| p.to_string()),
    }
}

#[test]
fn seeds_give_the_positions_on_file() {
    let rows = rows("random.tsv");
    assert!(rows.len() >= 20);
    for row in rows {
        let [game, layout, seed, plies, wanted] = &row[..] else {
            panic!("five columns: {row:?}");
        };
        let seed = seed.parse().expect("a seed");
        let plies = plies.parse().expect("a number of plies");
        let found = engine_position(game, layout, plies, &mut Rng::new(seed));
        assert_eq!(found.as_ref(), Some(wanted), "{row:?}");
        let again = Generator::new(seed).position(game, layout, plies);
        assert_eq!(again.as_ref(), Some(wanted), "{row:?}");
    }
}

#[test]
fn the_described_algorithm_gives_the_same_stream_of_positions() {
    for seed in [0, 1, 7, 0xdead_beef, u64::MAX] {
        let (mut rng, mut own) = (Rng::new(seed), Generator::new(seed));
        for round in 0..30 {
            let game = ["yoxii", "hokito"][round % 2];
            let layout = ["halves", "halves", "halves", "scattered"][round % 4];
            let plies = 5 * (round % 6) as u32;
            assert_eq!(
                engine_position(game, layout, plies, &mut rng),
                own.position(game, layout, plies),
                "seed {seed}, round {round}"
            );
        }
        for n in [1, 2, 3, 36, 1000, usize::MAX] {
            assert_eq!(rng.below(n), own.below(n));
        }
        assert_eq!(rng.next_u64(), own.next());
        assert_eq!(rng.below(0), 0);
    }
}
