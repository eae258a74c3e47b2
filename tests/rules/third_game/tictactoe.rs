//! Tic-tac-toe, with only what the engine needs to play it; and a game that fills the largest
//! board square by square, the longest that there may be.

use std::fmt;
use std::str::FromStr;

use totemic_engine::game::zobrist::splitmix64;
use totemic_engine::game::{
    Cell, Cells, Game, Glyph, Layout, Move, MoveError, MoveList, Phrase, PositionError, Rng, Show,
    Side, Standing,
};
use totemic_engine::search::solver::{
    Expansion, Key, NO_BOUND, Node, PayoffBounds, Solvable, VariantGroup,
};
use totemic_engine::search::{Evaluate, Heuristics, Searchable};

/// All rows of three: ranks, files and diagonals.
const LINES: [u64; 8] = [
    0x07, 0x07_00, 0x07_00_00, 0x01_01_01, 0x02_02_02, 0x04_04_04, 0x04_02_01, 0x01_02_04,
];
const MARKS: [char; 2] = ['x', 'o'];

/// The squares of each side; the number of marks shows whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Marks<const IS_LONG: bool> {
    marks: [Cells; 2],
}

pub type TicTacToe = Marks<false>;
/// 64 plies with one legal move each, and nobody gets a row.
pub type Filling = Marks<true>;

impl<const IS_LONG: bool> Marks<IS_LONG> {
    fn free(&self) -> Cells {
        Self::BOARD - self.marks[0] - self.marks[1]
    }

    fn has_line(&self, side: Side) -> bool {
        let marks = self.marks[side.index()];
        let is_whole = |line| (Cells(line) - marks).is_empty();
        !IS_LONG && LINES.into_iter().any(is_whole)
    }

    fn put(&mut self, side: Side, cell: Cell) {
        self.marks[side.index()] = self.marks[side.index()] | Cells::of(cell);
    }
}

impl<const IS_LONG: bool> Game for Marks<IS_LONG> {
    type Move = Mark;
    const NAME: &'static str = if IS_LONG { "filling" } else { "tictactoe" };
    const MAX_PLIES: u32 = Self::BOARD.0.count_ones();
    const BOARD: Cells = Cells(if IS_LONG { u64::MAX } else { 0x07_07_07 });

    fn start() -> Self {
        Self::default()
    }

    fn random_start(_: Layout, _: &mut Rng) -> Self {
        Self::start()
    }

    fn side(&self) -> Side {
        match self.free().len() % 2 {
            parity if parity == Self::MAX_PLIES % 2 => Side::First,
            _ => Side::Second,
        }
    }

    fn moves(&self) -> MoveList<Mark> {
        if self.has_moves() {
            let most = if IS_LONG { 1 } else { usize::MAX };
            self.free().into_iter().take(most).map(Mark).collect()
        } else {
            MoveList::new()
        }
    }

    fn count_moves(&self) -> u64 {
        self.moves().len() as u64
    }

    fn has_moves(&self) -> bool {
        !self.free().is_empty() && !self.has_line(Side::First) && !self.has_line(Side::Second)
    }

    fn standing(&self) -> Standing {
        Standing {
            points: Side::BOTH.map(|side| i32::from(self.has_line(side))),
            tie_break: [0; 2],
        }
    }

    fn play(&self, Mark(cell): Mark) -> Self {
        let mut next = *self;
        next.put(self.side(), cell);
        next
    }

    fn refusal(&self, Mark(cell): Mark) -> Option<Phrase> {
        if self.has_moves() && self.free().has(cell) {
            return None;
        }
        Some(Phrase::new(&[
            "free",
            "a mark goes on a free square while nobody has three in a row",
        ]))
    }

    fn key(&self) -> u64 {
        let [x, o] = self.marks;
        splitmix64(x.0 ^ splitmix64(o.0))
    }

    fn plies_left(&self) -> u32 {
        self.free().len()
    }
}

impl<const IS_LONG: bool> Show for Marks<IS_LONG> {
    const TITLE: &'static str = "Tic-tac-toe";
    const SIDE_NAMES: [&'static str; 2] = ["Crosses", "Noughts"];

    fn glyph(&self, cell: Cell) -> Option<Glyph> {
        let owns = |side: &Side| self.marks[side.index()].has(cell);
        let side = Side::BOTH.into_iter().find(owns)?;
        Some(Glyph {
            text: MARKS[side.index()].to_string(),
            side: Some(side),
            value: 0,
            height: None,
        })
    }

    fn captions(&self) -> Vec<String> {
        Vec::new()
    }
}

impl<const IS_LONG: bool> fmt::Display for Marks<IS_LONG> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for cell in Self::BOARD {
            let glyph = self.glyph(cell).map(|glyph| glyph.text);
            f.write_str(glyph.as_deref().unwrap_or("."))?;
        }
        Ok(())
    }
}

/// Reads what `Display` has written.
impl<const IS_LONG: bool> FromStr for Marks<IS_LONG> {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        let mut position = Self::default();
        for (cell, mark) in Self::BOARD.into_iter().zip(text.chars()) {
            let owner = Side::BOTH
                .into_iter()
                .find(|side| MARKS[side.index()] == mark);
            if let Some(side) = owner {
                position.put(side, cell);
            }
        }
        Ok(position)
    }
}

/// The move that puts a mark of the side to move on a square.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Mark(Cell);

impl Move for Mark {
    fn bits(self) -> u16 {
        self.0.index() as u16 + 1
    }

    fn from_bits(bits: u16) -> Self {
        Self(Cell::from_index(usize::from(bits.wrapping_sub(1))))
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Mark {
    type Err = MoveError;

    fn from_str(text: &str) -> Result<Self, MoveError> {
        let cell = Cell::parse(text, Filling::BOARD).map(Self);
        cell.ok_or_else(|| MoveError::Syntax {
            text: text.to_owned(),
            expected: Phrase::new(&["square", "a square, as in b2"]),
        })
    }
}

/// Evaluates the lines that only one side can still complete, by its marks on them.
#[derive(Clone, Copy, Debug, Default)]
pub struct OpenLines;

impl<const IS_LONG: bool> Evaluate<Marks<IS_LONG>> for OpenLines {
    fn evaluate(&self, position: &Marks<IS_LONG>) -> i32 {
        let side = position.side();
        let [own, other] = [side, side.other()].map(|side| position.marks[side.index()]);
        let worth = |own: Cells, other: Cells| -> i32 {
            let open = LINES.into_iter().filter(|&line| !Cells(line).meets(other));
            open.map(|line| 10 * (Cells(line) & own).len().pow(2) as i32)
                .sum()
        };
        worth(own, other) - worth(other, own)
    }
}

impl<const IS_LONG: bool> Heuristics for Marks<IS_LONG> {
    const USES_IMPROVING: bool = IS_LONG;
}

impl<const IS_LONG: bool> Searchable for Marks<IS_LONG> {
    type Evaluation = OpenLines;
}

impl<const IS_LONG: bool> Solvable for Marks<IS_LONG> {
    type Node = MarksNode<IS_LONG>;
    const PROBE_PLIES: u32 = 4;

    fn node(&self) -> MarksNode<IS_LONG> {
        MarksNode(*self)
    }

    fn expects_win(&self) -> bool {
        OpenLines.evaluate(self) > 0
    }
}

/// A position as the solver needs it.
#[derive(Clone, Copy, Debug)]
pub struct MarksNode<const IS_LONG: bool>(Marks<IS_LONG>);

impl<const IS_LONG: bool> Node for MarksNode<IS_LONG> {
    type Move = Mark;
    type State = ();
    const POINT: i32 = 1;
    const MAX_MARGIN: i32 = 1;
    const TABLE_FROM: u32 = 2;
    const SHARE_FROM: u32 = 9;

    fn state(&self) {}

    fn key(&self) -> Key {
        let [x, o] = self.0.marks;
        [x.0, o.0, 0, 0]
    }

    fn plies_left(&self) -> u32 {
        self.0.plies_left()
    }

    fn static_bounds(&self) -> PayoffBounds {
        let (lower, upper) = (-1, 1);
        PayoffBounds { lower, upper }
    }

    fn expand(&self, _goal: i32, (): &mut (), groups: &mut Vec<VariantGroup<Mark>>) -> Expansion {
        let moves = self.0.moves();
        if moves.is_empty() {
            return Expansion::Decided(self.0.standing().margin_for(self.0.side()));
        }
        groups.extend(moves.into_iter().map(|mv| VariantGroup { sort_key: 0, mv }));
        Expansion::Open(-NO_BOUND)
    }

    fn play(&self, mv: Mark) -> Self {
        Self(self.0.play(mv))
    }
}
