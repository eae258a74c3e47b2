//! Hokito in the words of the rules.

use std::collections::BTreeMap;

use super::{Naive, Side, Square, grid, ranks_and_side, square_name, write_rank};

/// "colour `b` or `w`".
const LETTERS: [&str; 2] = ["b", "w"];

/// What stands on an occupied square: "Only the top pawn's colour and value and the height of a
/// stack ever matter again." A single pawn has height 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pile {
    pub colour: Side,
    pub value: u32,
    pub height: u32,
}

impl Pile {
    /// "one stack (two or more pawns)".
    fn is_stack(self) -> bool {
        self.height >= 2
    }
}

/// "A step goes orthogonally".
const DIRECTIONS: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];

/// "6x6, files a-f, ranks 1-6."
fn exists((file, rank): Square) -> bool {
    (0..6).contains(&file) && (0..6).contains(&rank)
}

/// A position of Hokito.
#[derive(Clone, Debug)]
pub struct Hokito {
    /// `piles[rank][file]`.
    piles: [[Option<Pile>; 6]; 6],
    to_move: Side,
}

impl Hokito {
    /// Returns what stands on a square of the board.
    fn pile_on(&self, (file, rank): Square) -> Option<Pile> {
        self.piles[rank as usize][file as usize]
    }

    /// Returns all piles on the board.
    fn all_piles(&self) -> Vec<Pile> {
        grid(6).filter_map(|square| self.pile_on(square)).collect()
    }

    /// "It makes exactly as many steps as the top pawn's value (1, 2 or 3)." "The last step
    /// decides: a single must end on a single, a stack on a stack, of either colour." With each
    /// destination what stands there.
    fn destinations(&self, from: Square, mover: Pile) -> Vec<(Square, Pile)> {
        let mut ends = Vec::new();
        self.walk(from, mover.value, None, &[from], &mut ends);
        let piles = ends
            .into_iter()
            .filter_map(|to| Some((to, self.pile_on(to)?)));
        piles
            .filter(|(_, target)| target.is_stack() == mover.is_stack())
            .collect()
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
            if came_in == Some((-direction.0, -direction.1)) {
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
    fn score(&self, colour: Side) -> i32 {
        let piles = self.all_piles().into_iter();
        let own = piles.filter(|pile| pile.colour == colour);
        own.map(|pile| (pile.value * pile.height) as i32).sum()
    }

    /// "heights add up to at most 36, no more than six tops of one colour and value."
    fn has_right_counts(&self) -> bool {
        let count = |colour, value| {
            let piles = self.all_piles().into_iter();
            let tops = piles.filter(|pile| (pile.colour, pile.value) == (colour, value));
            tops.count()
        };
        let is_few = |colour| (1..=3).all(|value| count(colour, value) <= 6);
        let pawns: u32 = self.all_piles().iter().map(|pile| pile.height).sum();
        pawns <= 36 && is_few(Side::First) && is_few(Side::Second)
    }
}

/// A number of one or two digits without a leading zero (nothing larger fits on the board).
fn number(text: &str) -> Option<u32> {
    let is_plain = (1..=2).contains(&text.len())
        && text.chars().all(|c| c.is_ascii_digit())
        && !text.starts_with('0');
    if is_plain { text.parse().ok() } else { None }
}

/// "`x` an empty square, `x4` a run of four; else colour `b` or `w`, value, and for a stack `:` and
/// its height: `b3`, `w2:5`." "a stack (two or more pawns)". What stands on each square.
fn parse_item(text: &str) -> Option<Vec<Option<Pile>>> {
    if let Some(run) = text.strip_prefix('x') {
        let run = if run.is_empty() { Some(1) } else { number(run) };
        return Some(vec![None; run? as usize]);
    }
    let (top, height) = match text.split_once(':') {
        None => (text, 1),
        Some((top, height)) => (top, number(height).filter(|&height| height >= 2)?),
    };
    let tops = ["b1", "b2", "b3", "w1", "w2", "w3"];
    let top = tops.iter().position(|&known| known == top)?;
    Some(vec![Some(Pile {
        colour: [Side::First, Side::Second][top / 3],
        value: top as u32 % 3 + 1,
        height,
    })])
}

impl Naive for Hokito {
    /// "Hokito start (`startpos`, one fixed arrangement, White the point reflection of Black)".
    const START: &'static str = "b1,b2,b3,b1,b2,b3/b2,b3,b1,b2,b3,b1/b3,b1,b2,b3,b1,b2/\
                                 w2,w1,w3,w2,w1,w3/w1,w3,w2,w1,w3,w2/w3,w2,w1,w3,w2,w1 b";

    /// "ranks 6 to 1 separated by `/`, squares separated by `,`; ... Then a blank and the side to
    /// move, `b` or `w`."
    fn parse(text: &str) -> Option<Self> {
        let (ranks, to_move) = ranks_and_side(text, 6, LETTERS)?;
        let mut position = Hokito {
            piles: [[None; 6]; 6],
            to_move,
        };
        for (rank, rank_text) in (0..6).rev().zip(ranks) {
            let mut contents = Vec::new();
            for item in rank_text.split(',') {
                contents.extend(parse_item(item)?);
            }
            position.piles[rank] = contents.try_into().ok()?;
        }
        position.has_right_counts().then_some(position)
    }

    /// The notation of `parse`, with the longest possible runs of empty squares.
    fn text(&self) -> String {
        let write = |pile: Pile| {
            let top = format!("{}{}", LETTERS[pile.colour as usize], pile.value);
            match pile.is_stack() {
                true => format!("{top}:{}", pile.height),
                false => top,
            }
        };
        let run = |length| match length {
            1 => "x".to_owned(),
            _ => format!("x{length}"),
        };
        let ranks = self.piles.iter().rev();
        let ranks = ranks.map(|rank| write_rank(&rank.map(|pile| pile.map(write)), run).join(","));
        let ranks: Vec<String> = ranks.collect();
        format!("{} {}", ranks.join("/"), LETTERS[self.to_move as usize])
    }

    fn to_move(&self) -> Side {
        self.to_move
    }

    /// "Move one single pawn of your colour, or one stack (two or more pawns) whose top pawn is
    /// yours." "from and to, `a4c6`." "Two routes to the same square are the same move." "The mover
    /// goes on top of what it lands on; the whole pile is one stack from then on and is never
    /// split."
    fn moves(&self) -> BTreeMap<String, Self> {
        let mut moves = BTreeMap::new();
        for from in grid(6) {
            let own = |pile: &Pile| pile.colour == self.to_move;
            let Some(mover) = self.pile_on(from).filter(own) else {
                continue;
            };
            for (to, target) in self.destinations(from, mover) {
                let mut next = self.clone();
                next.piles[from.1 as usize][from.0 as usize] = None;
                next.piles[to.1 as usize][to.0 as usize] = Some(Pile {
                    height: mover.height + target.height,
                    ..mover
                });
                next.to_move = self.to_move.opponent();
                moves.insert(square_name(from) + &square_name(to), next);
            }
        }
        moves
    }

    /// "The side to move has no legal move." "Higher score wins, equal is a draw."
    fn result(&self) -> Option<(i32, i32)> {
        if !self.moves().is_empty() {
            return None;
        }
        let margin = self.score(Side::First) - self.score(Side::Second);
        Some((margin, margin.signum()))
    }
}
