//! Hokito in the words of the rules.

use super::{Naive, board_and_side, sorted_texts, square_name};

/// "Each side, Black and White".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    Black,
    White,
}

impl Colour {
    /// The other colour.
    fn opponent(self) -> Colour {
        match self {
            Colour::Black => Colour::White,
            Colour::White => Colour::Black,
        }
    }

    /// "colour `b` or `w`".
    fn letter(self) -> char {
        match self {
            Colour::Black => 'b',
            Colour::White => 'w',
        }
    }
}

/// What stands on an occupied square: "Only the top pawn's colour and value and the height of a
/// stack ever matter again." A single pawn has height 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pile {
    pub colour: Colour,
    pub value: u32,
    pub height: u32,
}

impl Pile {
    /// "one stack (two or more pawns)".
    fn is_stack(self) -> bool {
        self.height >= 2
    }
}

/// File and rank, both 0 to 5 when on the board.
type Square = (i32, i32);

/// "A step goes orthogonally".
const DIRECTIONS: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];

/// The fixed arrangement that the rules call `startpos`.
const START: &str = "b1,b2,b3,b1,b2,b3/b2,b3,b1,b2,b3,b1/b3,b1,b2,b3,b1,b2/w2,w1,w3,w2,w1,w3/w1,w3,w2,w1,w3,w2/w3,w2,w1,w3,w2,w1 b";

/// "6x6, files a-f, ranks 1-6."
fn exists((file, rank): Square) -> bool {
    (0..6).contains(&file) && (0..6).contains(&rank)
}

/// All squares of the board.
fn all_squares() -> Vec<Square> {
    let mut squares = Vec::new();
    for rank in 0..6 {
        for file in 0..6 {
            squares.push((file, rank));
        }
    }
    squares
}

/// "from and to, `a4c6`."
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Move {
    from: Square,
    to: Square,
}

impl Move {
    /// The move's text.
    fn text(self) -> String {
        let mut text = square_name(self.from.0, self.from.1);
        text.push_str(&square_name(self.to.0, self.to.1));
        text
    }
}

/// A position of Hokito.
#[derive(Clone, Debug, PartialEq)]
pub struct Hokito {
    /// `piles[rank][file]`.
    piles: [[Option<Pile>; 6]; 6],
    to_move: Colour,
}

impl Hokito {
    /// What stands on a square of the board.
    fn pile_on(&self, (file, rank): Square) -> Option<Pile> {
        self.piles[rank as usize][file as usize]
    }

    /// All piles on the board.
    fn all_piles(&self) -> Vec<Pile> {
        all_squares()
            .into_iter()
            .filter_map(|square| self.pile_on(square))
            .collect()
    }

    /// "Move one single pawn of your colour, or one stack (two or more pawns) whose top pawn is
    /// yours." "Two routes to the same square are the same move."
    fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for from in all_squares() {
            match self.pile_on(from) {
                Some(pile) if pile.colour == self.to_move => {
                    for to in self.destinations(from, pile) {
                        let found = Move { from, to };
                        if !moves.contains(&found) {
                            moves.push(found);
                        }
                    }
                }
                _ => {}
            }
        }
        moves
    }

    /// "It makes exactly as many steps as the top pawn's value (1, 2 or 3)." "The last step
    /// decides: a single must end on a single, a stack on a stack, of either colour."
    fn destinations(&self, from: Square, mover: Pile) -> Vec<Square> {
        let mut ends = Vec::new();
        self.walk(from, mover.value, None, &[from], &mut ends);
        ends.retain(|&end| {
            self.pile_on(end)
                .is_some_and(|target| target.is_stack() == mover.is_stack())
        });
        ends
    }

    /// Walks every route of `steps_left` more steps from the square where the mover stands now and
    /// notes where the routes end. "Between steps it may go straight on or turn by a right angle,
    /// on the occupied square where it stands; it may not reverse, and no square is passed twice in
    /// one turn." "What stands on the squares between, single or stack, of either colour, does not
    /// matter."
    fn walk(
        &self,
        here: Square,
        steps_left: u32,
        came_in: Option<(i32, i32)>,
        passed: &[Square],
        ends: &mut Vec<Square>,
    ) {
        if steps_left == 0 {
            ends.push(here);
            return;
        }
        for direction in DIRECTIONS {
            let reverses = came_in == Some((-direction.0, -direction.1));
            if reverses {
                continue;
            }
            if let Some(way) = self.step(here, direction) {
                if way.iter().any(|square| passed.contains(square)) {
                    continue;
                }
                let there = way[way.len() - 1];
                let passed_then = [passed, &way].concat();
                self.walk(there, steps_left - 1, Some(direction), &passed_then, ends);
            }
        }
    }

    /// "A step goes orthogonally to the next occupied square in that direction, over any number of
    /// empty squares, which count for nothing." The squares of the step, the occupied one last;
    /// None if there is no occupied square in that direction.
    fn step(&self, here: Square, (df, dr): (i32, i32)) -> Option<Vec<Square>> {
        let mut way = Vec::new();
        let mut square = (here.0 + df, here.1 + dr);
        while exists(square) {
            way.push(square);
            if self.pile_on(square).is_some() {
                return Some(way);
            }
            square = (square.0 + df, square.1 + dr);
        }
        None
    }

    /// "Each side scores, for every square it tops, value of the top pawn x height."
    fn score(&self, colour: Colour) -> i32 {
        self.all_piles()
            .into_iter()
            .filter(|pile| pile.colour == colour)
            .map(|pile| (pile.value * pile.height) as i32)
            .sum()
    }

    /// "heights add up to at most 36, no more than six tops of one colour and value."
    fn check_counts(&self) -> Result<(), String> {
        let pawns: u32 = self.all_piles().iter().map(|pile| pile.height).sum();
        if pawns > 36 {
            return Err(format!("the heights add up to {pawns}, more than 36"));
        }
        for colour in [Colour::Black, Colour::White] {
            for value in 1..=3 {
                let tops = self
                    .all_piles()
                    .iter()
                    .filter(|pile| pile.colour == colour && pile.value == value)
                    .count();
                if tops > 6 {
                    return Err(format!(
                        "{tops} tops are {colour:?} pawns of value {value}, more than six"
                    ));
                }
            }
        }
        Ok(())
    }
}

/// What one item of a rank says: a run of empty squares, or a pile.
enum Item {
    Empty(u32),
    Pile(Pile),
}

/// A number of one or two digits without a leading zero (nothing larger fits on the board).
fn number(text: &str) -> Option<u32> {
    let is_plain = (1..=2).contains(&text.len())
        && text.chars().all(|c| c.is_ascii_digit())
        && !text.starts_with('0');
    if is_plain { text.parse().ok() } else { None }
}

/// "`x` an empty square, `x4` a run of four; else colour `b` or `w`, value, and for a stack `:` and
/// its height: `b3`, `w2:5`." "a stack (two or more pawns)".
fn parse_item(text: &str) -> Result<Item, String> {
    if text == "x" {
        return Ok(Item::Empty(1));
    }
    if let Some(run) = text.strip_prefix('x') {
        let run = number(run).ok_or_else(|| format!("{text:?} is not a run of empty squares"))?;
        return Ok(Item::Empty(run));
    }
    let (top, height) = match text.split_once(':') {
        None => (text, 1),
        Some((top, height)) => match number(height) {
            Some(height) if height >= 2 => (top, height),
            _ => return Err(format!("the height of {text:?} is not a number from 2 up")),
        },
    };
    let (colour, value) = match top {
        "b1" => (Colour::Black, 1),
        "b2" => (Colour::Black, 2),
        "b3" => (Colour::Black, 3),
        "w1" => (Colour::White, 1),
        "w2" => (Colour::White, 2),
        "w3" => (Colour::White, 3),
        _ => return Err(format!("{text:?} is neither empty nor a pawn nor a stack")),
    };
    Ok(Item::Pile(Pile {
        colour,
        value,
        height,
    }))
}

impl Naive for Hokito {
    /// "ranks 6 to 1 separated by `/`, squares separated by `,`; ... Then a blank and the side to
    /// move, `b` or `w`."
    fn parse(text: &str) -> Result<Self, String> {
        let (board, side) = board_and_side(text)?;
        let to_move = match side {
            "b" => Colour::Black,
            "w" => Colour::White,
            _ => return Err(format!("the side to move is b or w, not {side:?}")),
        };
        let ranks: Vec<&str> = board.split('/').collect();
        if ranks.len() != 6 {
            return Err(format!("the board has 6 ranks, not {}", ranks.len()));
        }
        let mut position = Hokito {
            piles: [[None; 6]; 6],
            to_move,
        };
        for (rank, rank_text) in (0..6).rev().zip(ranks) {
            let mut contents = Vec::new();
            for item in rank_text.split(',') {
                match parse_item(item)? {
                    Item::Empty(run) => {
                        for _ in 0..run {
                            contents.push(None);
                        }
                    }
                    Item::Pile(pile) => contents.push(Some(pile)),
                }
            }
            if contents.len() != 6 {
                return Err(format!(
                    "rank {} has {} squares instead of 6: {rank_text:?}",
                    rank + 1,
                    contents.len()
                ));
            }
            for (file, content) in contents.into_iter().enumerate() {
                position.piles[rank][file] = content;
            }
        }
        position.check_counts()?;
        Ok(position)
    }

    /// "Hokito start (`startpos`, one fixed arrangement, White the point reflection of Black)".
    fn start() -> Self {
        Hokito::parse(START).expect("the start position is valid")
    }

    /// The notation of `parse`, runs of empty squares as long as possible.
    fn text(&self) -> String {
        let mut ranks = Vec::new();
        for rank in (0..6).rev() {
            let mut items: Vec<String> = Vec::new();
            let mut run = 0;
            for file in 0..6 {
                match self.pile_on((file, rank)) {
                    None => run += 1,
                    Some(pile) => {
                        push_run(&mut items, run);
                        run = 0;
                        let top = format!("{}{}", pile.colour.letter(), pile.value);
                        items.push(if pile.is_stack() {
                            format!("{top}:{}", pile.height)
                        } else {
                            top
                        });
                    }
                }
            }
            push_run(&mut items, run);
            ranks.push(items.join(","));
        }
        format!("{} {}", ranks.join("/"), self.to_move.letter())
    }

    /// "Black moves first."
    fn first_player_to_move(&self) -> bool {
        self.to_move == Colour::Black
    }

    /// The texts of all moves.
    fn legal_moves(&self) -> Vec<String> {
        sorted_texts(self.moves().into_iter().map(Move::text))
    }

    /// "The mover goes on top of what it lands on; the whole pile is one stack from then on and is
    /// never split."
    fn play(&self, mv: &str) -> Self {
        let chosen = self
            .moves()
            .into_iter()
            .find(|candidate| candidate.text() == mv)
            .unwrap_or_else(|| panic!("{mv:?} is not legal in {:?}", self.text()));
        let mover = self.pile_on(chosen.from).expect("a move starts on a pile");
        let target = self.pile_on(chosen.to).expect("a move ends on a pile");
        let mut next = self.clone();
        next.piles[chosen.from.1 as usize][chosen.from.0 as usize] = None;
        next.piles[chosen.to.1 as usize][chosen.to.0 as usize] = Some(Pile {
            colour: mover.colour,
            value: mover.value,
            height: mover.height + target.height,
        });
        next.to_move = self.to_move.opponent();
        next
    }

    /// "The side to move has no legal move." "Higher score wins, equal is a draw."
    fn result(&self) -> Option<(i32, i32)> {
        if !self.moves().is_empty() {
            return None;
        }
        let margin = self.score(Colour::Black) - self.score(Colour::White);
        Some((margin, margin.signum()))
    }
}

/// Appends a run of empty squares to the items of a rank: nothing, `x` or `x` and its length.
fn push_run(items: &mut Vec<String>, run: u32) {
    match run {
        0 => {}
        1 => items.push("x".to_string()),
        _ => items.push(format!("x{run}")),
    }
}
