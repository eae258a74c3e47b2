//! A deliberately naive second implementation of Yoxii and Hokito, written from the rules alone.
//!
//! Plain arrays, literal walking, no cleverness: with it, a misreading of the rules goes
//! unnoticed only if it is made twice, independently. Sentences in quotation marks are
//! quoted from the rules.

#![allow(
    dead_code,
    reason = "compiled into several test programs, each of which uses its own part"
)]

pub mod hokito;
pub mod yoxii;

/// File and rank, both counted from 0.
type Square = (i32, i32);

/// "Player one (`p1`) is the side that moves first: White in Yoxii, Black in Hokito."
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    First,
    Second,
}

impl Side {
    fn opponent(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }
}

/// What the two games have in common.
pub trait Naive: Clone + PartialEq + std::fmt::Debug + Sized {
    type Move;
    /// Reads the position in a text; `None` if the text is refused.
    fn parse(text: &str) -> Option<Self>;
    /// Returns the position in which a game begins (Hokito: the one fixed arrangement).
    fn start() -> Self;
    /// Returns the canonical text of the position.
    fn text(&self) -> String;
    fn to_move(&self) -> Side;
    /// Returns all legal moves with their texts, perhaps some of them twice; none if the
    /// game is over.
    fn moves(&self) -> Vec<(String, Self::Move)>;
    /// Returns the position after a legal move.
    fn after(&self, mv: Self::Move) -> Self;
    /// Returns `None` while the game goes on; otherwise the first player's margin (Yoxii:
    /// difference of the adjacent sums; Hokito: difference of the scores) and the sign of
    /// the result for the first player (1, 0, -1).
    fn result(&self) -> Option<(i32, i32)>;

    /// Returns the texts of all legal moves, sorted, each once.
    fn legal_moves(&self) -> Vec<String> {
        let mut texts: Vec<String> = self.moves().into_iter().map(|(text, _)| text).collect();
        texts.sort();
        texts.dedup();
        texts
    }

    /// Returns the position after the legal move with a text. Panics if the move is
    /// illegal.
    fn play(&self, mv: &str) -> Self {
        let found = self.moves().into_iter().find(|(text, _)| text == mv);
        let (_, found) = found.unwrap_or_else(|| panic!("{mv:?} is illegal in {self:?}"));
        self.after(found)
    }
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

/// Plain negamax over the signs of the results: 1 is a win, 0 a draw, -1 a loss.
pub fn best_sign<G: Naive>(position: &G) -> i32 {
    negamax(position, &|(_margin, sign)| sign)
}

/// Plain negamax over the final margins: the best that can be forced. A tie-break does not
/// matter here.
pub fn best_margin<G: Naive>(position: &G) -> i32 {
    negamax(position, &|(margin, _sign)| margin)
}

/// Searches the whole tree without pruning or memory. Returns the best that the side to
/// move can get, where `worth` reads the value from the first player's result.
fn negamax<G: Naive>(position: &G, worth: &dyn Fn((i32, i32)) -> i32) -> i32 {
    match position.result() {
        Some(result) if position.to_move() == Side::First => worth(result),
        Some(result) => -worth(result),
        None => position
            .legal_moves()
            .iter()
            .map(|mv| -negamax(&position.play(mv), worth))
            .max()
            .expect("a game that goes on has a legal move"),
    }
}

/// "file letter and rank digit, `d4`".
fn square_name((file, rank): Square) -> String {
    let letter = ['a', 'b', 'c', 'd', 'e', 'f', 'g'][file as usize];
    let digit = ['1', '2', '3', '4', '5', '6', '7'][rank as usize];
    String::from_iter([letter, digit])
}

/// Returns all squares of a grid with `size` files and ranks, rank by rank.
fn grid(size: i32) -> impl Iterator<Item = Square> {
    (0..size).flat_map(move |rank| (0..size).map(move |file| (file, rank)))
}

/// Splits a position's text at the one blank between the board, which has `count` ranks,
/// and the side to move; `letters` are those of the first and the second player.
fn ranks_and_side<'a>(
    text: &'a str,
    count: usize,
    letters: [&str; 2],
) -> Option<(Vec<&'a str>, Side)> {
    let parts: Vec<&str> = text.split(' ').collect();
    let [board, letter] = parts[..] else {
        return None;
    };
    let ranks: Vec<&str> = board.split('/').collect();
    let side = match letters.iter().position(|known| *known == letter)? {
        0 => Side::First,
        _ => Side::Second,
    };
    (ranks.len() == count).then_some((ranks, side))
}
