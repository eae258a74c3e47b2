//! Yoxii in the words of the rules.

use std::collections::BTreeMap;
use std::ops::Range;

use super::{Naive, Side, Square, grid, ranks_and_side, square_name, write_rank};

/// A piece on the board; its value is 1, 2, 3 or 4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    pub owner: Side,
    pub value: usize,
}

/// "Value letters are the marks on the pieces: `o` = 1, `i` = 2, `y` = 3, `x` = 4."
const LETTERS: [char; 4] = ['o', 'i', 'y', 'x'];

/// "five of value 1, five of value 2, five of value 3, three of value 4".
const OWNED: [usize; 4] = [5, 5, 5, 3];

/// "a blank and the side to move, `w` or `r`".
const SIDES: [&str; 2] = ["w", "r"];

/// "each of the eight directions".
fn directions() -> impl Iterator<Item = (i32, i32)> {
    grid(3)
        .map(|(df, dr)| (df - 1, dr - 1))
        .filter(|&way| way != (0, 0))
}

/// "the ranks hold 3, 5, 7, 7, 7, 5, 3 squares": the files of each rank, rank 1 first, as drawn.
const FILES_OF_RANK: [Range<i32>; 7] = [2..5, 1..6, 0..7, 0..7, 0..7, 1..6, 2..5];

/// Whether the square belongs to the board: "37 squares: a 7x7 grid without three squares in each
/// corner".
fn exists((file, rank): Square) -> bool {
    (0..7).contains(&rank) && FILES_OF_RANK[rank as usize].contains(&file)
}

/// All squares of the board.
fn all_squares() -> impl Iterator<Item = Square> {
    grid(7).filter(|&square| exists(square))
}

/// The squares of one rank, "only the squares that exist, left to right".
fn squares_of_rank(rank: i32) -> impl Iterator<Item = Square> {
    all_squares().filter(move |square| square.1 == rank)
}

/// The squares adjacent to a square: "A square off the board counts for nobody".
fn adjacent_squares((file, rank): Square) -> impl Iterator<Item = Square> {
    let squares = directions().map(move |(df, dr)| (file + df, rank + dr));
    squares.filter(|&square| exists(square))
}

/// A position of Yoxii.
#[derive(Clone, Debug)]
pub struct Yoxii {
    /// `pieces[rank][file]`; squares that do not exist stay empty.
    pieces: [[Option<Piece>; 7]; 7],
    totem: Square,
    to_move: Side,
}

impl Yoxii {
    /// Returns the piece on a square of the board.
    fn piece_on(&self, (file, rank): Square) -> Option<Piece> {
        self.pieces[rank as usize][file as usize]
    }

    /// A free square is on the board and holds neither a piece nor the totem.
    fn is_free(&self, square: Square) -> bool {
        exists(square) && self.piece_on(square).is_none() && square != self.totem
    }

    /// Whether a piece of this side stands on the square.
    fn holds_piece_of(&self, square: Square, side: Side) -> bool {
        let owns = |piece: Piece| piece.owner == side;
        exists(square) && self.piece_on(square).is_some_and(owns)
    }

    /// Returns how many pieces of this side and of each value are on the board.
    fn on_board(&self, side: Side) -> [usize; 4] {
        [1, 2, 3, 4].map(|value| {
            let piece = Some(Piece { owner: side, value });
            let squares = all_squares().filter(|&square| self.piece_on(square) == piece);
            squares.count()
        })
    }

    /// The mover's values "still in reserve".
    fn values_in_reserve(&self) -> Vec<usize> {
        let on_board = self.on_board(self.to_move);
        let is_left = |value: &usize| on_board[value - 1] < OWNED[value - 1];
        (1..=4).filter(is_left).collect()
    }

    /// "in each of the eight directions there is at most one destination."
    fn totem_destinations(&self) -> Vec<Square> {
        directions()
            .filter_map(|way| self.totem_destination(way))
            .collect()
    }

    /// "If the adjacent square is free, that one. If it holds a piece of the mover, the totem runs
    /// over the unbroken line of the mover's own pieces to the first square beyond it, which must
    /// be free. An opposing piece or the board's edge stops the line: no move there."
    fn totem_destination(&self, (df, dr): (i32, i32)) -> Option<Square> {
        let mut square = (self.totem.0 + df, self.totem.1 + dr);
        while self.holds_piece_of(square, self.to_move) {
            square = (square.0 + df, square.1 + dr);
        }
        self.is_free(square).then_some(square)
    }

    /// With the totem already moved: "on a free square adjacent to the totem's new square (the
    /// square that the totem has just left counts as free). Only if none is free (this needs a
    /// jump), on any free square of the board."
    fn placement_squares(&self) -> Vec<Square> {
        let is_free = |square: &Square| self.is_free(*square);
        let free_adjacent: Vec<Square> = adjacent_squares(self.totem).filter(is_free).collect();
        if !free_adjacent.is_empty() {
            return free_adjacent;
        }
        all_squares().filter(is_free).collect()
    }

    /// The pieces of one side "on the squares adjacent to the totem".
    fn adjacent_pieces(&self, side: Side) -> Vec<Piece> {
        let pieces = adjacent_squares(self.totem).filter_map(|square| self.piece_on(square));
        pieces.filter(|piece| piece.owner == side).collect()
    }

    /// "White to move needs equal numbers of pieces, Red to move one more white piece; nobody
    /// exceeds 5/5/5/3."
    fn has_right_counts(&self) -> bool {
        let [white, red] = [Side::First, Side::Second].map(|side| self.on_board(side));
        let is_owned = |counts: [usize; 4]| counts.iter().zip(OWNED).all(|(&n, owned)| n <= owned);
        let [whites, reds] = [white, red].map(|counts| counts.iter().sum::<usize>());
        let is_turn = whites == reds + usize::from(self.to_move == Side::Second);
        is_owned(white) && is_owned(red) && is_turn
    }
}

impl Naive for Yoxii {
    /// "One neutral totem starts on d4." "White moves first."
    const START: &'static str = "3/5/7/3*3/7/5/3 w";

    /// "ranks 7 to 1 separated by `/`, only the squares that exist, left to right; a digit is a run
    /// of free squares, `O I Y X` white pieces of value 1 to 4, `o i y x` red ones, `*` the totem;
    /// then a blank and the side to move, `w` or `r`."
    fn parse(text: &str) -> Option<Self> {
        let (ranks, to_move) = ranks_and_side(text, 7, SIDES)?;
        let mut pieces = [[None; 7]; 7];
        let mut totem = None;
        for (rank, rank_text) in (0..7).rev().zip(ranks) {
            let mut squares = squares_of_rank(rank);
            for c in rank_text.chars() {
                match c {
                    '0' => return None,
                    '1'..='9' => _ = squares.nth(c.to_digit(10)? as usize - 1)?,
                    '*' if totem.is_some() => return None,
                    '*' => totem = Some(squares.next()?),
                    _ => {
                        let is_its = |letter: &char| *letter == c.to_ascii_lowercase();
                        let value = LETTERS.iter().position(is_its)? + 1;
                        let owner =
                            [Side::Second, Side::First][usize::from(c.is_ascii_uppercase())];
                        let (file, rank) = squares.next()?;
                        pieces[rank as usize][file as usize] = Some(Piece { owner, value });
                    }
                }
            }
            if squares.next().is_some() {
                return None;
            }
        }
        let position = Yoxii {
            pieces,
            totem: totem?,
            to_move,
        };
        position.has_right_counts().then_some(position)
    }

    /// The notation of `parse`, with the longest possible runs of free squares.
    fn text(&self) -> String {
        let write = |square| match self.piece_on(square) {
            Some(piece) => {
                let letter = LETTERS[piece.value - 1].to_string();
                let is_white = piece.owner == Side::First;
                Some(if is_white {
                    letter.to_uppercase()
                } else {
                    letter
                })
            }
            None => (square == self.totem).then(|| "*".to_owned()),
        };
        let rank = |rank| {
            let squares: Vec<Option<String>> = squares_of_rank(rank).map(write).collect();
            write_rank(&squares, |run| run.to_string()).concat()
        };
        let ranks: Vec<String> = (0..7).rev().map(rank).collect();
        format!("{} {}", ranks.join("/"), SIDES[self.to_move as usize])
    }

    fn to_move(&self) -> Side {
        self.to_move
    }

    /// "A turn is a totem move and then a placement, both compulsory." "one own piece, of any value
    /// still in reserve". "totem's destination, square of the piece, value letter", "lower case, as
    /// a chess promotion is written: `d5e5x`".
    fn moves(&self) -> BTreeMap<String, Self> {
        let mut moves = BTreeMap::new();
        let (owner, values) = (self.to_move, self.values_in_reserve());
        for totem in self.totem_destinations() {
            let mut moved = self.clone();
            moved.totem = totem;
            for (file, rank) in moved.placement_squares() {
                for &value in &values {
                    let mut next = moved.clone();
                    next.pieces[rank as usize][file as usize] = Some(Piece { owner, value });
                    next.to_move = owner.opponent();
                    let squares = square_name(totem) + &square_name((file, rank));
                    moves.insert(format!("{squares}{}", LETTERS[value - 1]), next);
                }
            }
        }
        moves
    }

    /// "The side to move has no totem move. Each side adds the values of its own pieces on the
    /// squares adjacent to the totem. Higher sum wins; equal sums: more own pieces adjacent wins;
    /// equal again: draw."
    fn result(&self) -> Option<(i32, i32)> {
        if !self.totem_destinations().is_empty() {
            return None;
        }
        let [white, red] = [Side::First, Side::Second].map(|side| self.adjacent_pieces(side));
        let sum = |pieces: &[Piece]| pieces.iter().map(|piece| piece.value as i32).sum::<i32>();
        let margin = sum(&white) - sum(&red);
        let more = white.len() as i32 - red.len() as i32;
        let decisive = if margin != 0 { margin } else { more };
        Some((margin, decisive.signum()))
    }
}
