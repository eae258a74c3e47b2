//! What the rules of any game promise, whatever they are; each check is for one position.

use std::collections::HashSet;

use totemic_engine::game::{Game, Move, MoveError, Side, Standing, perft};

/// The letters of Yoxii's values, in order.
const VALUES: &[u8] = b"oiyx";

/// Checks the moves, texts, result and key of a position.
pub fn check_rules<G: Game>(position: &G) {
    check_moves(position);
    check_texts(position);
    check_end(position);
}

/// Checks that a list of moves has no repetitions, is in the documented order, and agrees
/// with counting, asking for and playing moves.
fn check_moves<G: Game>(position: &G) {
    let moves = position.moves();
    let unique: HashSet<G::Move> = moves.iter().copied().collect();
    assert_eq!(unique.len(), moves.len(), "{position}: a move twice");
    assert_eq!(position.count_moves(), moves.len() as u64, "{position}");
    assert_eq!(position.has_moves(), !moves.is_empty(), "{position}");
    assert_eq!(perft(position, 0), 1);
    assert_eq!(perft(position, 1), moves.len() as u64, "{position}");
    // Squares are ordered a1, b1, ... and come before the value.
    let order = |mv: &G::Move| {
        let text = mv.to_string().into_bytes();
        let part = |part: &[u8]| match *part {
            [file, rank] => (usize::from(rank), usize::from(file)),
            [value] => (0, VALUES.iter().take_while(|&&mark| mark != value).count()),
            _ => unreachable!("parts of one or two characters"),
        };
        text.chunks(2).map(part).collect::<Vec<_>>()
    };
    assert!(moves.is_sorted_by_key(order), "{position}: {moves:?}");
    for mv in moves {
        assert_ne!(mv.bits(), 0, "{position}: {mv}");
        assert_eq!(G::Move::from_bits(mv.bits()), mv, "{position}");
        let next = position.play(mv);
        assert_eq!(position.try_play(mv), Ok(next), "{position}: {mv}");
        assert_eq!(next.side(), position.side().other(), "{position}: {mv}");
        assert_ne!(next.key(), position.key(), "{position}: {mv}");
        let is_nearer = next.plies_left() < position.plies_left();
        assert!(is_nearer, "{position}: {mv}");
    }
}

/// Checks that texts of positions and moves are read back as what they were written for.
fn check_texts<G: Game>(position: &G) {
    let text = position.to_string();
    let back: G = text.parse().unwrap_or_else(|why| panic!("{text}: {why}"));
    assert_eq!(back, *position, "{text}");
    assert_eq!(back.key(), position.key(), "{text}");
    for mv in position.moves() {
        assert_eq!(mv.to_string().parse(), Ok(mv), "{text}");
        assert_eq!(position.read_move(&mv.to_string()), Ok(mv), "{text}");
    }
}

/// Checks that a game has a result when it is over and not before, and ends in time.
fn check_end<G: Game>(position: &G) {
    let standing = position.standing();
    let over = !position.has_moves();
    let outcome = over.then(|| standing.outcome());
    assert_eq!(position.outcome(), outcome, "{position}");
    assert!(over || position.plies_left() > 0, "{position}");
    assert!(position.plies_left() <= G::MAX_PLIES, "{position}");
    let mut numbers = standing.points.iter().chain(&standing.tie_break);
    assert!(numbers.all(|n| *n >= 0));

    let mut mirrored = standing;
    mirrored.points.reverse();
    mirrored.tie_break.reverse();
    let of = |standing: Standing, side: Side| {
        let sign = standing.outcome().sign_for(side);
        (standing.margin_for(side), sign)
    };
    for side in Side::BOTH {
        let (margin, sign) = of(standing, side);
        assert_eq!(of(standing, side.other()), (-margin, -sign), "{position}");
        assert_eq!(of(mirrored, side.other()), (margin, sign), "{position}");
        assert!(margin == 0 || sign == margin.signum(), "{position}");
    }
}

/// Checks that of all bit patterns exactly those of the listed moves are legal, and that
/// the others are refused with a reason and not played.
pub fn check_all_patterns<G: Game>(position: &G) {
    let listed: HashSet<G::Move> = position.moves().into_iter().collect();
    for bits in 0..=u16::MAX {
        let mv = G::Move::from_bits(bits);
        let legal = listed.contains(&mv);
        assert_eq!(position.is_legal(mv), legal, "{position}: {bits:#x}, {mv}");
        if legal {
            assert_ne!(bits, 0);
        } else if bits % 61 == 0 {
            match position.try_play(mv) {
                Err(MoveError::Illegal { mv: text, rule }) => {
                    assert!(position.has_moves() && !rule.to_string().is_empty());
                    assert_eq!(text, mv.to_string());
                }
                Err(MoveError::GameOver { .. }) => assert!(!position.has_moves()),
                other => panic!("{position}: {mv} gives {other:?}"),
            }
        }
    }
}

/// Walks the tree; at every node the key must be that of the same position read from its
/// text.
pub fn check_keys<G: Game>(position: &G, depth: u32) -> u64 {
    let again: G = position.to_string().parse().expect("a position");
    assert_eq!(position.key(), again.key(), "{position}");
    if depth == 0 {
        return 1;
    }
    let moves = position.moves().into_iter();
    moves
        .map(|mv| check_keys(&position.play(mv), depth - 1))
        .sum()
}
