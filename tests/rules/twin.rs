//! The engine's rules against the naive ones, which somebody else wrote from the rules
//! alone: on thousands of random games, on positions that no game leads to, and on valid
//! and invalid texts.

use crate::naive::{self, Naive};
use crate::support::{Tested, any_start};
use totemic_engine::game::{Game, Hokito, Rng, Side, Yoxii, perft};

/// A game with a naive implementation beside that of the engine.
pub trait Twin: Game {
    type Naive: Naive;
}

impl Twin for Yoxii {
    type Naive = naive::yoxii::Yoxii;
}

impl Twin for Hokito {
    type Naive = naive::hokito::Hokito;
}

/// Returns the naive position of a text, which must be valid, or of `startpos`.
pub fn naive_position<G: Twin>(text: &str) -> G::Naive {
    let text = match text {
        "startpos" => G::Naive::START,
        _ => text,
    };
    Naive::parse(text).unwrap_or_else(|| panic!("{text:?} is refused"))
}

/// Checks that both agree about a position: text, side, moves, result and margin. Returns
/// the moves.
pub fn compare<G: Twin>(fast: &G, slow: &G::Naive) -> Vec<String> {
    let text = slow.text();
    assert_eq!(fast.to_string(), text);
    let first_moves = fast.side() == Side::First;
    assert_eq!(first_moves, slow.to_move() == naive::Side::First, "{text}");
    let mut moves: Vec<String> = fast.moves().iter().map(ToString::to_string).collect();
    moves.sort();
    assert_eq!(moves, slow.legal_moves(), "{text}");
    let standing = fast.standing();
    let result = fast.outcome().map(|outcome| {
        assert_eq!(outcome, standing.outcome(), "{text}");
        let first = Side::First;
        (standing.margin_for(first), outcome.sign_for(first))
    });
    assert_eq!(result, slow.result(), "{text}");
    moves
}

/// Plays a random game in both, comparing every position. Returns the number of plies.
fn follow<G: Twin>(start: G, rng: &mut Rng) -> usize {
    let mut fast = start;
    let mut slow = naive_position::<G>(&start.to_string());
    for ply in 0.. {
        let moves = compare(&fast, &slow);
        if moves.is_empty() {
            return ply;
        }
        if rng.below(100) == 0 {
            assert_eq!(perft(&fast, 2), naive::perft(&slow, 2), "{fast}");
        }
        let text = &moves[rng.below(moves.len())];
        let mv = fast.read_move(text).expect("a legal move");
        fast = fast.play(mv);
        slow = slow.play(text);
    }
    unreachable!("every game ends")
}

fn random_games<G: Twin>(seed: u64, games: usize) {
    let mut rng = Rng::new(seed);
    let longest = (0..games)
        .map(|_| follow(any_start::<G>(&mut rng), &mut rng))
        .max();
    assert!(longest > Some(25), "random games are long: {longest:?}");
}

#[test]
fn random_games_of_both_games() {
    random_games::<Yoxii>(1, 400);
    random_games::<Hokito>(2, 1200);
}

/// Plays to its end a game from each of many boards with pieces anywhere, odd heights and
/// odd reserves.
fn thrown_positions<G: Twin + Tested>(seed: u64, positions: usize) {
    let mut rng = Rng::new(seed);
    let mut finished = 0;
    for _ in 0..positions {
        finished += usize::from(follow(G::thrown(&mut rng), &mut rng) == 0);
    }
    assert!((1..positions).contains(&finished), "{finished} finished");
}

#[test]
fn thrown_positions_of_both_games() {
    thrown_positions::<Yoxii>(3, 800);
    thrown_positions::<Hokito>(4, 2400);
}

/// Checks that both accept a text or both refuse it, and that they read the same
/// position. The engine is lenient in one point: any white space may separate the fields.
/// Returns whether they accept it.
fn same_reading<G: Twin>(text: &str) -> bool {
    let one_blank = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let fast = text.parse::<G>();
    match (&fast, G::Naive::parse(&one_blank)) {
        (Ok(fast), Some(slow)) => {
            compare(fast, &slow);
        }
        (Err(_), None) => {}
        (fast, slow) => panic!("{text:?}: {fast:?} against {slow:?}"),
    }
    fast.is_ok()
}

fn mutated(text: &str, rng: &mut Rng) -> String {
    const LETTERS: &[u8] = b"oiyxOIYX*123456789012/, :bwrxbw  \t\r\nz-+";
    let mut bytes = text.as_bytes().to_vec();
    let at = rng.below(bytes.len());
    let other = rng.below(bytes.len());
    let letter = LETTERS[rng.below(LETTERS.len())];
    match rng.below(6) {
        0 => bytes.insert(at, letter),
        1 => bytes[at] = letter,
        2 => {
            bytes.remove(at);
        }
        3 => bytes.swap(at, other),
        4 => bytes.insert(at, bytes[other]),
        _ => bytes.truncate(at),
    }
    String::from_utf8(bytes).expect("ASCII")
}

fn mutated_texts<G: Twin + Tested>(seed: u64) {
    let mut rng = Rng::new(seed);
    let (mut accepted, mut refused) = (0, 0);
    for _ in 0..3000 {
        let mut text = G::thrown(&mut rng).to_string();
        assert!(same_reading::<G>(&text), "{text}");
        for _ in 0..6 {
            let next = mutated(&text, &mut rng);
            let ok = same_reading::<G>(&next);
            *if ok { &mut accepted } else { &mut refused } += 1;
            // From a valid text most changes lead to one that is just barely invalid; now
            // and then two changes come together.
            if ok || (rng.below(4) == 0 && !next.is_empty()) {
                text = next;
            }
        }
    }
    assert!(accepted > 300 && refused > 5000, "{accepted}, {refused}");
}

#[test]
fn mutated_texts_of_both_games() {
    mutated_texts::<Yoxii>(5);
    mutated_texts::<Hokito>(6);
}
