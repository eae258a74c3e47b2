//! What holds in every position of every game, whatever its rules: one suite, run on the
//! known answers, on starts, on random games and on boards that no game leads to.

use crate::support::conformance::{check_all_patterns, check_keys, check_rules};
use crate::support::{self, Tested, any_start, by_name, golden, rows};
use proptest::prelude::*;
use std::collections::BTreeSet;
use totemic_engine::game::{
    Cell, Encode, Game, Hokito, Rng, Side, Yoxii, action_of, perft, planes,
};

/// Checks everything except what needs all 65,536 bit patterns.
fn check<G: Tested + Encode>(position: &G) {
    check_rules(position);
    check_symmetries(position);
    check_encoding(position);
}

/// Each move has its own action, and a position turned by 180 degrees with the colours
/// exchanged looks the same to the other side.
fn check_encoding<G: Tested + Encode>(position: &G) {
    let actions = |position: &G| -> BTreeSet<usize> {
        let moves = position.moves().into_iter();
        moves
            .map(|mv| action_of::<G>(mv, position.side()))
            .collect()
    };
    let own = actions(position);
    assert_eq!(own.len(), position.moves().len(), "{position}");
    assert!(own.iter().all(|&action| action < G::ACTIONS), "{position}");
    let turn = |cell: Cell| Cell::at(G::SIZE - 1 - cell.file(), G::SIZE - 1 - cell.rank());
    if let Some(image) = position.mapped(turn, true) {
        assert_eq!(actions(&image), own, "{position}");
        for side in Side::BOTH {
            let seen = planes(&image, side.other());
            assert_eq!(seen, planes(position, side), "{position}");
        }
    }
}

/// Returns the eight ways to map a board of this size onto itself.
fn symmetries(size: u8) -> [impl Fn(Cell) -> Cell; 8] {
    std::array::from_fn(|way| {
        move |cell: Cell| {
            let turn = |x: u8, back: bool| if back { size - 1 - x } else { x };
            let file = turn(cell.file(), way & 1 != 0);
            let rank = turn(cell.rank(), way & 2 != 0);
            match way & 4 {
                0 => Cell::at(file, rank),
                _ => Cell::at(rank, file),
            }
        }
    })
}

/// A board seen from another side has the same moves and the same result. So does a board
/// with the colours exchanged, if the rules allow it: in Yoxii they never do, because the
/// number of pieces says who is to move.
fn check_symmetries<G: Tested>(position: &G) {
    let moves = position.moves();
    for map in symmetries(G::SIZE) {
        for swap in [false, true] {
            let Some(image) = position.mapped(&map, swap) else {
                assert!(swap && G::NAME == "yoxii", "{position}");
                continue;
            };
            let mut wanted: Vec<G::Move> =
                moves.iter().map(|&mv| G::mapped_move(mv, &map)).collect();
            let mut found = image.moves().to_vec();
            wanted.sort();
            found.sort();
            assert_eq!(found, wanted, "{position} as {image}");
            let mut standing = image.standing();
            if swap {
                standing.points.swap(0, 1);
                standing.tie_break.swap(0, 1);
            }
            assert_eq!(standing, position.standing(), "{position}");
            assert_eq!(image.side() == position.side(), !swap, "{position}");
        }
    }
}

fn known_positions<G: Tested + Encode>() {
    let positions = golden::<G>();
    assert!(positions.len() > 50);
    for (at, position) in positions.into_iter().enumerate() {
        check(&position);
        if at % 3 == 0 {
            check_all_patterns(&position);
        }
        let depth = support::depth_within(&position, 5_000);
        let nodes = check_keys(&position, depth);
        assert_eq!(nodes, perft(&position, depth), "{position}");
    }
    check(&G::start());
    check_all_patterns(&G::start());
    assert_eq!(check_keys(&G::start(), 2), perft(&G::start(), 2));
}

#[test]
fn known_positions_of_both_games() {
    known_positions::<Yoxii>();
    known_positions::<Hokito>();
}

/// Checks every position of random games; each text has its own key.
fn random_games<G: Tested + Encode>(seed: u64, games: usize) {
    let mut rng = Rng::new(seed);
    let mut keys = std::collections::HashMap::new();
    for _ in 0..games {
        let mut position: G = any_start(&mut rng);
        for plies_left in (0..=position.plies_left()).rev() {
            check(&position);
            assert!(position.plies_left() <= plies_left, "{position}");
            let text = position.to_string();
            let known = keys.entry(position.key()).or_insert(text.clone());
            assert_eq!(*known, text, "one key for two positions");
            let moves = position.moves();
            if moves.is_empty() {
                break;
            }
            position = position.play(moves[rng.below(moves.len())]);
        }
        assert!(!position.has_moves(), "{position}");
        check_all_patterns(&position);
    }
}

#[test]
fn random_games_of_both_games() {
    random_games::<Yoxii>(11, 60);
    random_games::<Hokito>(12, 60);
}

#[test]
fn a_move_that_cannot_be_played_is_refused_by_name() {
    fn refused<G: Game>(text: &str, mv: &str) -> String {
        let position: G = support::position(text);
        position.read_move(mv).expect_err("refused").to_string()
    }
    for row in rows("illegal.tsv") {
        let found = by_name!(row[0], refused(&row[1], &row[2]));
        assert_eq!(found, row[3], "{row:?}");
    }
}

fn check_thrown<G: Tested + Encode>(seed: u64) {
    let position = G::thrown(&mut Rng::new(seed));
    check(&position);
    if seed.is_multiple_of(7) {
        check_all_patterns(&position);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn thrown_positions(seed: u64) {
        check_thrown::<Yoxii>(seed);
        check_thrown::<Hokito>(seed);
    }

    #[test]
    fn no_text_makes_the_reader_of_moves_panic(text in "\\PC{0,8}") {
        prop_assert!(Yoxii::start().read_move(&text).is_err() || text.len() == 5);
        prop_assert!(Hokito::start().read_move(&text).is_err() || text.len() == 4);
    }
}
