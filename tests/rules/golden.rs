//! The known answers: perft numbers, move lists and whole games from an independent
//! referee, for the rules of the engine and for the naive ones.

use crate::naive::{self, Naive};
use crate::support::{by_name, position, rows};
use crate::twin::{Twin, compare, naive_position};
use totemic_engine::game::{Outcome, perft};

#[test]
fn perft_numbers() {
    fn check<G: Twin>(text: &str, wanted: &str) {
        /// Beyond this number the naive implementation takes too long.
        const NAIVE_LIMIT: u64 = 100_000;
        let fast: G = position(text);
        let slow = naive_position::<G>(text);
        for (depth, wanted) in (1..).zip(wanted.split(' ')) {
            let wanted: u64 = wanted.parse().expect("a number");
            assert_eq!(perft(&fast, depth), wanted, "{text} depth {depth}");
            if wanted <= NAIVE_LIMIT {
                assert_eq!(naive::perft(&slow, depth), wanted, "{text} depth {depth}");
            }
        }
    }
    let rows = rows("perft.tsv");
    assert_eq!(rows.len(), 48);
    for row in rows {
        by_name!(row[0], check(&row[1], &row[2]));
    }
    check::<totemic_engine::game::Yoxii>("startpos", "256 51136 8463360 1187800064");
    check::<totemic_engine::game::Hokito>("startpos", "110 11876 1155403 108503828");
}

#[test]
fn move_lists_where_the_rules_are_awkward() {
    fn check<G: Twin>(row: &[String]) {
        let [_, text, count, wanted, rule] = row else {
            panic!("five columns: {row:?}");
        };
        let fast: G = position(text);
        let moves = compare(&fast, &naive_position::<G>(text));
        assert_eq!(moves.join(" "), *wanted, "{rule}: {text}");
        assert_eq!(fast.count_moves().to_string(), *count, "{rule}: {text}");
    }
    let rows = rows("cases.tsv");
    assert_eq!(rows.len(), 26);
    for row in rows {
        by_name!(row[0], check(&row));
    }
}

#[test]
fn whole_games() {
    fn check<G: Twin>(row: &[String]) {
        let [_, start, moves, last, result] = row else {
            panic!("five columns: {row:?}");
        };
        let mut fast: G = position(start);
        let mut slow = naive_position::<G>(start);
        for text in moves.split(' ') {
            assert_eq!(fast.outcome(), None, "{text} in {row:?}");
            let mv = fast.read_move(text).expect("a legal move");
            fast = fast.play(mv);
            slow = slow.play(text);
        }
        assert_eq!(fast.to_string(), *last);
        assert_eq!(
            fast.outcome().map(Outcome::word),
            Some(&**result),
            "{row:?}"
        );
        compare(&fast, &slow);
    }
    let rows = rows("games.tsv");
    assert_eq!(rows.len(), 30);
    for row in rows {
        by_name!(row[0], check(&row));
    }
}
