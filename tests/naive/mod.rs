//! A deliberately naive second implementation of Yoxii and Hokito, written from the rules alone.
//!
//! Plain arrays, literal walking, no cleverness: it exists so that a misreading of the rules in the
//! fast engine has to be made twice, independently, to go unnoticed. Sentences in quotation marks
//! are quotations from them.

#![allow(
    dead_code,
    reason = "compiled into several test programs, each of which uses its own part"
)]

pub mod hokito;
pub mod yoxii;

/// The common face of the two games.
pub trait Naive: Clone + PartialEq + std::fmt::Debug + Sized {
    /// The position of a text, or a sentence that says why the text is refused.
    fn parse(text: &str) -> Result<Self, String>;
    /// The position in which a game begins (Hokito: the one fixed arrangement).
    fn start() -> Self;
    /// The canonical text of the position.
    fn text(&self) -> String;
    /// "Player one (`p1`) is the side that moves first: White in Yoxii, Black in Hokito."
    fn first_player_to_move(&self) -> bool;
    /// All legal moves in the notation of the rules, sorted, without duplicates; none when the
    /// game is over.
    fn legal_moves(&self) -> Vec<String>;
    /// The position after a legal move. Panics on an illegal one.
    fn play(&self, mv: &str) -> Self;
    /// None while the game goes on; otherwise the first player's margin (Yoxii: difference of the
    /// adjacent sums; Hokito: difference of the scores) and the sign of the result for the first
    /// player (1, 0, -1).
    fn result(&self) -> Option<(i32, i32)>;
}

/// "Perft (number of move sequences of exactly that length; a finished game has no moves)."
pub fn perft<G: Naive>(position: &G, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = position.legal_moves();
    if depth == 1 {
        return moves.len() as u64;
    }
    moves
        .iter()
        .map(|mv| perft(&position.play(mv), depth - 1))
        .sum()
}

/// The exact value (1 win, 0 draw, -1 loss) and, by a search of its own, the best final margin
/// that the side to move can force; both from the point of view of the side to move.
pub fn minimax<G: Naive>(position: &G) -> (i32, i32) {
    (best_sign(position), best_margin(position))
}

/// Plain negamax over the signs of the results.
pub fn best_sign<G: Naive>(position: &G) -> i32 {
    negamax(position, &|(_margin, sign)| sign)
}

/// Plain negamax over the final margins; what breaks a tie of the margins does not matter here.
pub fn best_margin<G: Naive>(position: &G) -> i32 {
    negamax(position, &|(margin, _sign)| margin)
}

/// The whole tree, no pruning, no memory: the best that the side to move can get of what `worth`
/// reads off the first player's result.
fn negamax<G: Naive>(position: &G, worth: &dyn Fn((i32, i32)) -> i32) -> i32 {
    match position.result() {
        Some(result) if position.first_player_to_move() => worth(result),
        Some(result) => -worth(result),
        None => position
            .legal_moves()
            .iter()
            .map(|mv| -negamax(&position.play(mv), worth))
            .max()
            .expect("a game that goes on has a legal move"),
    }
}

/// "file letter and rank digit, `d4`": the name of the square (file, rank), both counted from 0.
fn square_name(file: i32, rank: i32) -> String {
    let letter = ['a', 'b', 'c', 'd', 'e', 'f', 'g'][file as usize];
    let digit = ['1', '2', '3', '4', '5', '6', '7'][rank as usize];
    String::from_iter([letter, digit])
}

/// Texts of moves, sorted, each once.
fn sorted_texts(moves: impl Iterator<Item = String>) -> Vec<String> {
    let mut texts: Vec<String> = moves.collect();
    texts.sort();
    texts.dedup();
    texts
}

/// Splits a position's text at the one blank between the board and the side to move.
fn board_and_side(text: &str) -> Result<(&str, &str), String> {
    let parts: Vec<&str> = text.split(' ').collect();
    match parts[..] {
        [board, side] => Ok((board, side)),
        _ => Err(format!(
            "a position is a board, one blank and the side to move, not {text:?}"
        )),
    }
}
