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

use std::collections::BTreeMap;

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
pub trait Naive: Clone + std::fmt::Debug {
    /// The text of the position in which a game begins (Hokito: the one fixed arrangement).
    const START: &'static str;
    /// Reads the position in a text; `None` if the text is refused.
    fn parse(text: &str) -> Option<Self>;
    /// Returns the canonical text of the position.
    fn text(&self) -> String;
    fn to_move(&self) -> Side;
    /// Returns the position after each legal move, by the text of the move; none if the
    /// game is over.
    fn moves(&self) -> BTreeMap<String, Self>;
    /// Returns `None` while the game goes on; otherwise the first player's margin (Yoxii:
    /// difference of the adjacent sums; Hokito: difference of the scores) and the sign of
    /// the result for the first player (1, 0, -1).
    fn result(&self) -> Option<(i32, i32)>;

    /// Returns the texts of all legal moves, sorted.
    fn legal_moves(&self) -> Vec<String> {
        self.moves().into_keys().collect()
    }

    /// Returns the position after the legal move with a text. Panics if the move is
    /// illegal.
    fn play(&self, mv: &str) -> Self {
        let found = self.moves().remove(mv);
        found.unwrap_or_else(|| panic!("{mv:?} is illegal in {self:?}"))
    }
}

/// "Perft (number of move sequences of exactly that length; a finished game has no moves)."
pub fn perft<G: Naive>(position: &G, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.moves().len() as u64,
        _ => (position.moves().values())
            .map(|next| perft(next, depth - 1))
            .sum(),
    }
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
        None => (position.moves().values())
            .map(|next| -negamax(next, worth))
            .max()
            .expect("a game that goes on has a legal move"),
    }
}

/// "file letter and rank digit, `d4`".
fn square_name((file, rank): Square) -> String {
    format!("{}{}", char::from(b'a' + file as u8), rank + 1)
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
    let side = letters.iter().position(|known| *known == letter)?;
    let side = [Side::First, Side::Second][side];
    (ranks.len() == count).then_some((ranks, side))
}

/// Writes the squares of a rank, of which the empty ones are `None`: what `run` says of each of
/// the longest possible runs of empty squares, and the others as they are.
fn write_rank(squares: &[Option<String>], run: impl Fn(usize) -> String) -> Vec<String> {
    let parts = squares.chunk_by(|one, next| one.is_none() && next.is_none());
    let write = |part: &[Option<String>]| part[0].clone().unwrap_or_else(|| run(part.len()));
    parts.map(write).collect()
}
