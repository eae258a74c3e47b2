//! Yoxii: 37 squares, one totem that both sides move, 18 pieces a side.

use std::fmt;
use std::str::FromStr;

use super::error::{MoveError, PositionError};
use super::{Cell, Cells, Game, Glyph, Layout, Move, MoveList, Rng, Side, Standing, text, zobrist};

/// First file and number of squares of each rank, from rank 1.
const RANKS: [(u8, u8); 7] = [(2, 3), (1, 5), (0, 7), (0, 7), (0, 7), (1, 5), (2, 3)];

/// The board: a square of 7 by 7 without three squares in each corner.
const BOARD: Cells = {
    let mut board = 0;
    let mut rank = 0;
    while rank < 7 {
        let (first, len) = RANKS[rank];
        board |= ((1u64 << len) - 1) << (8 * rank + first as usize);
        rank += 1;
    }
    Cells(board)
};

/// File and rank steps of the eight directions; the first four lead to higher
/// indices, so that the nearest cell of a ray is its first, else its last.
const DIRECTIONS: [(i8, i8); 8] = [
    (1, 0),
    (-1, 1),
    (0, 1),
    (1, 1),
    (-1, 0),
    (1, -1),
    (0, -1),
    (-1, -1),
];

/// The squares next to each cell, and the rays from it in [`DIRECTIONS`].
const GEOMETRY: ([Cells; 64], [[Cells; 8]; 64]) = {
    let mut near = [Cells::EMPTY; 64];
    let mut rays = [[Cells::EMPTY; 8]; 64];
    let mut index = 0;
    while index < 64 {
        let mut d = 0;
        while d < 8 {
            let (df, dr) = DIRECTIONS[d];
            let mut file = (index % 8) as i8 + df;
            let mut rank = (index / 8) as i8 + dr;
            let mut steps = 0;
            while file >= 0 && file < 8 && rank >= 0 && rank < 8 {
                let bit = 1u64 << (8 * rank + file);
                if BOARD.0 & bit == 0 {
                    break;
                }
                rays[index][d].0 |= bit;
                if steps == 0 {
                    near[index].0 |= bit;
                }
                steps += 1;
                file += df;
                rank += dr;
            }
            d += 1;
        }
        index += 1;
    }
    (near, rays)
};

/// The squares next to each cell.
static NEAR: [Cells; 64] = GEOMETRY.0;
/// The squares from each cell to the edge, by direction.
static RAYS: [[Cells; 8]; 64] = GEOMETRY.1;

/// Pieces of each value that a side owns, by value - 1.
const OWNED: [u8; 4] = [5, 5, 5, 3];

/// Keys of pieces by side, value - 1 and cell.
static PIECE_KEYS: [u64; 8 * 64] = zobrist::keys(1);
/// Keys of the totem by cell.
static TOTEM_KEYS: [u64; 64] = zobrist::keys(2);
/// Key of the second side's turn.
const SIDE_KEY: u64 = zobrist::keys::<1>(3)[0];

/// The marks of the pieces by value - 1.
const MARKS: [char; 4] = ['o', 'i', 'y', 'x'];

/// A turn: the totem goes to [`YoxiiMove::totem`], then a piece of
/// [`YoxiiMove::value`] is put on [`YoxiiMove::piece`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct YoxiiMove(u16);

impl YoxiiMove {
    /// A move from its parts; `value` is 1 to 4.
    #[must_use]
    pub const fn new(totem: Cell, piece: Cell, value: u8) -> Self {
        let value = (value - 1) as u16 & 3;
        Self(totem.index() as u16 | (piece.index() as u16) << 6 | value << 12)
    }

    /// Where the totem goes.
    #[must_use]
    pub const fn totem(self) -> Cell {
        Cell::from_index(self.0 as usize)
    }

    /// Where the piece is put.
    #[must_use]
    pub const fn piece(self) -> Cell {
        Cell::from_index((self.0 >> 6) as usize)
    }

    /// The piece's value, 1 to 4.
    #[must_use]
    pub const fn value(self) -> u8 {
        (self.0 >> 12 & 3) as u8 + 1
    }
}

impl Move for YoxiiMove {
    fn bits(self) -> u16 {
        self.0
    }

    fn from_bits(bits: u16) -> Self {
        Self(bits & 0x3fff)
    }
}

impl fmt::Display for YoxiiMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = MARKS[usize::from(self.value() - 1)];
        write!(f, "{}{}{mark}", self.totem(), self.piece())
    }
}

impl fmt::Debug for YoxiiMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for YoxiiMove {
    type Err = MoveError;

    fn from_str(text: &str) -> Result<Self, MoveError> {
        let read = || {
            let totem = Cell::parse(text.get(0..2)?, BOARD)?;
            let piece = Cell::parse(text.get(2..4)?, BOARD)?;
            let mark = text.get(4..)?;
            let value = MARKS.iter().position(|m| mark.chars().eq([*m]))?;
            Some(Self::new(totem, piece, value as u8 + 1))
        };
        read().ok_or_else(|| MoveError::Syntax {
            text: text.to_owned(),
            expected: "the totem's square, the piece's square and o, i, y or x, as in c5b6y",
        })
    }
}

/// A Yoxii board before it is checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct YoxiiSetup {
    /// Side and value (1 to 4) of the piece on each cell, by [`Cell::index`].
    pub pieces: [Option<(Side, u8)>; 64],
    /// Where the totem stands.
    pub totem: Option<Cell>,
    /// The side to move.
    pub side: Side,
}

impl YoxiiSetup {
    /// No piece, no totem, White to move.
    #[must_use]
    pub const fn empty() -> Self {
        Self {
            pieces: [None; 64],
            totem: None,
            side: Side::First,
        }
    }
}

/// A legal Yoxii position.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Yoxii {
    /// Pieces of each side.
    colours: [Cells; 2],
    /// Value - 1 of each piece as two bits, low plane first.
    values: [Cells; 2],
    key: u64,
    /// Pieces in reserve by side and value - 1.
    reserves: [[u8; 4]; 2],
    totem: Cell,
    side: Side,
}

const _: () = assert!(size_of::<Yoxii>() < 128);

impl Yoxii {
    /// The squares of the pieces of a side.
    #[must_use]
    pub const fn pieces(&self, side: Side) -> Cells {
        self.colours[side.index()]
    }

    /// The squares of the pieces of a value, 1 to 4, of both sides.
    #[must_use]
    pub fn pieces_of_value(&self, value: u8) -> Cells {
        let pick = |plane: Cells, set: bool| if set { plane } else { !plane };
        let bits = value - 1;
        self.occupied() & pick(self.values[0], bits & 1 != 0) & pick(self.values[1], bits & 2 != 0)
    }

    /// The pieces that a side still has, by value - 1.
    #[must_use]
    pub const fn reserve(&self, side: Side) -> [u8; 4] {
        self.reserves[side.index()]
    }

    /// Where the totem stands.
    #[must_use]
    pub const fn totem(&self) -> Cell {
        self.totem
    }

    /// Squares with a piece.
    #[must_use]
    pub fn occupied(&self) -> Cells {
        self.colours[0] | self.colours[1]
    }

    /// Squares with neither a piece nor the totem.
    #[must_use]
    pub fn free(&self) -> Cells {
        BOARD - self.occupied() - Cells::of(self.totem)
    }

    /// The squares next to a cell.
    #[must_use]
    pub const fn near(cell: Cell) -> Cells {
        NEAR[cell.index()]
    }

    /// Where `side` could move the totem if it were on move.
    #[must_use]
    pub fn totem_targets(&self, side: Side) -> Cells {
        let own = self.colours[side.index()];
        let free = self.free();
        let rays = &RAYS[self.totem.index()];
        // The first square of each ray without an own piece, if it is free.
        let up = rays[..4].iter().fold(0, |found, ray| {
            let open = (*ray - own).0;
            found | (open & open.wrapping_neg())
        });
        let down = rays[4..].iter().fold(0, |found, ray| {
            let open = (*ray - own).0;
            let nearest = 1u64.checked_shl(63u32.wrapping_sub(open.leading_zeros()));
            found | nearest.unwrap_or(0)
        });
        Cells(up | down) & free
    }

    /// Where a piece may be put once the totem has gone to `target`.
    #[must_use]
    pub fn placements(&self, target: Cell) -> Cells {
        let free = BOARD - self.occupied() - Cells::of(target);
        let adjacent = NEAR[target.index()] & free;
        if adjacent.is_empty() { free } else { adjacent }
    }

    /// Number of values that a side still has in reserve, 0 to 4.
    #[must_use]
    pub fn values_left(&self, side: Side) -> u32 {
        let present = |&&left: &&u8| left > 0;
        self.reserves[side.index()].iter().filter(present).count() as u32
    }

    /// Sum of the values of a side's pieces within `cells`.
    #[must_use]
    pub fn sum(&self, side: Side, cells: Cells) -> i32 {
        let own = self.colours[side.index()] & cells;
        let [low, high] = self.values;
        (own.len() + (own & low).len() + 2 * (own & high).len()) as i32
    }

    /// The only place that changes a square with a piece, and the key with it.
    fn put(&mut self, side: Side, value: u8, cell: Cell) {
        let bits = usize::from(value - 1) & 3;
        let here = Cells::of(cell);
        self.colours[side.index()] |= here;
        if bits & 1 != 0 {
            self.values[0] |= here;
        }
        if bits & 2 != 0 {
            self.values[1] |= here;
        }
        let left = &mut self.reserves[side.index()][bits];
        *left = left.wrapping_sub(1);
        self.key ^= piece_key(side, bits, cell);
    }

    /// The only place that moves the totem, and changes the key with it.
    fn set_totem(&mut self, cell: Cell) {
        self.key ^= TOTEM_KEYS[self.totem.index()] ^ TOTEM_KEYS[cell.index()];
        self.totem = cell;
    }

    /// The only place that passes the turn, and changes the key with it.
    fn pass_turn(&mut self) {
        self.side = self.side.other();
        self.key ^= SIDE_KEY;
    }

    const fn empty(totem: Cell) -> Self {
        Self {
            colours: [Cells::EMPTY; 2],
            values: [Cells::EMPTY; 2],
            key: TOTEM_KEYS[totem.index()],
            reserves: [OWNED; 2],
            totem,
            side: Side::First,
        }
    }
}

/// The key of a piece of a side and value - 1 on a cell.
const fn piece_key(side: Side, value_index: usize, cell: Cell) -> u64 {
    PIECE_KEYS[(side.index() * 4 + (value_index & 3)) * 64 + cell.index()]
}

impl Game for Yoxii {
    type Move = YoxiiMove;

    const NAME: &'static str = "yoxii";
    const TITLE: &'static str = "Yoxii";
    const SIDE_NAMES: [&'static str; 2] = ["White", "Red"];
    const MAX_PLIES: u32 = 36;
    const BOARD: Cells = BOARD;

    fn start() -> Self {
        Self::empty(Cell::at(3, 3))
    }

    fn random_start(_: Layout, _: &mut Rng) -> Self {
        Self::start()
    }

    fn side(&self) -> Side {
        self.side
    }

    fn moves(&self) -> MoveList<YoxiiMove> {
        let mut moves = MoveList::new();
        let reserve = self.reserve(self.side);
        for totem in self.totem_targets(self.side) {
            for piece in self.placements(totem) {
                for value in (1..=4).filter(|&value| reserve[value as usize - 1] > 0) {
                    moves.push(YoxiiMove::new(totem, piece, value));
                }
            }
        }
        moves
    }

    fn count_moves(&self) -> u64 {
        let squares: u32 = self
            .totem_targets(self.side)
            .into_iter()
            .map(|totem| self.placements(totem).len())
            .sum();
        u64::from(squares * self.values_left(self.side))
    }

    fn has_moves(&self) -> bool {
        !self.totem_targets(self.side).is_empty()
    }

    fn standing(&self) -> Standing {
        let ring = NEAR[self.totem.index()];
        let sides = [Side::First, Side::Second];
        Standing {
            points: sides.map(|side| self.sum(side, ring)),
            tie_break: sides.map(|side| (self.pieces(side) & ring).len() as i32),
        }
    }

    fn play(&self, mv: YoxiiMove) -> Self {
        let mut next = *self;
        next.set_totem(mv.totem());
        next.put(self.side, mv.value(), mv.piece());
        next.pass_turn();
        next
    }

    fn refusal(&self, mv: YoxiiMove) -> Option<&'static str> {
        if !self.totem_targets(self.side).has(mv.totem()) {
            return Some("the totem cannot go to that square");
        }
        if !self.placements(mv.totem()).has(mv.piece()) {
            return Some(
                "a piece goes on a free square next to the totem's new one, \
                 or on any free square when none is free there",
            );
        }
        if self.reserve(self.side)[usize::from(mv.value() - 1)] == 0 {
            return Some("no piece of that value is left in reserve");
        }
        None
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn recomputed_key(&self) -> u64 {
        let mut key = TOTEM_KEYS[self.totem.index()];
        for side in [Side::First, Side::Second] {
            for value in 1..=4 {
                for cell in self.pieces(side) & self.pieces_of_value(value) {
                    key ^= piece_key(side, usize::from(value - 1), cell);
                }
            }
        }
        match self.side {
            Side::First => key,
            Side::Second => key ^ SIDE_KEY,
        }
    }

    fn plies_left(&self) -> u32 {
        self.free().len()
    }

    fn glyph(&self, cell: Cell) -> Option<Glyph> {
        if cell == self.totem {
            return Some(Glyph {
                text: "*".to_owned(),
                side: None,
            });
        }
        let side = [Side::First, Side::Second]
            .into_iter()
            .find(|&side| self.pieces(side).has(cell))?;
        let value = (1..=4).find(|&value| self.pieces_of_value(value).has(cell))?;
        Some(Glyph {
            text: piece_letter(side, value).to_string(),
            side: Some(side),
        })
    }

    fn notes(&self) -> Vec<String> {
        let standing = self.standing();
        let note = |side: Side| {
            let name = Self::SIDE_NAMES[side.index()];
            let reserve = (0..4)
                .map(|v| {
                    let letter = piece_letter(side, v as u8 + 1);
                    format!("{letter} x{}", self.reserve(side)[v])
                })
                .collect::<Vec<_>>()
                .join("  ");
            let points = standing.points[side.index()];
            let pieces = standing.tie_break[side.index()];
            format!("{name:<5}  reserve {reserve}   at the totem {points} ({pieces} pieces)")
        };
        vec![note(Side::First), note(Side::Second)]
    }
}

/// The letter of a piece: upper case for White.
fn piece_letter(side: Side, value: u8) -> char {
    let mark = MARKS[usize::from(value - 1)];
    match side {
        Side::First => mark.to_ascii_uppercase(),
        Side::Second => mark,
    }
}

impl TryFrom<&YoxiiSetup> for Yoxii {
    type Error = PositionError;

    /// Checks a setup against the rules.
    fn try_from(setup: &YoxiiSetup) -> Result<Self, PositionError> {
        let totem = setup.totem.ok_or(PositionError::NoTotem)?;
        let off_board = |cell: Cell| PositionError::BadCell {
            cell: cell.to_string(),
        };
        if !BOARD.has(totem) || setup.pieces[totem.index()].is_some() {
            return Err(off_board(totem));
        }
        let mut counts = [[0u8; 4]; 2];
        let mut position = Self::empty(totem);
        for (index, piece) in setup.pieces.iter().enumerate() {
            let Some((side, value @ 1..=4)) = *piece else {
                if piece.is_some() {
                    return Err(off_board(Cell::from_index(index)));
                }
                continue;
            };
            let cell = Cell::from_index(index);
            if !BOARD.has(cell) {
                return Err(off_board(cell));
            }
            counts[side.index()][usize::from(value - 1)] += 1;
            position.put(side, value, cell);
        }
        for side in [Side::First, Side::Second] {
            for value in 0..4 {
                let found = counts[side.index()][value];
                if found > OWNED[value] {
                    let name = Self::SIDE_NAMES[side.index()].to_lowercase();
                    return Err(PositionError::TooMany {
                        what: format!("{name} pieces of value {}", value + 1),
                        found: found.into(),
                        at_most: OWNED[value].into(),
                    });
                }
            }
        }
        let [white, red] = position.colours.map(Cells::len);
        let to_move = match setup.side {
            Side::First => white == red,
            Side::Second => white == red + 1,
        };
        if !to_move {
            return Err(PositionError::PieceBalance {
                white,
                red,
                side: Self::SIDE_NAMES[setup.side.index()],
            });
        }
        if setup.side == Side::Second {
            position.pass_turn();
        }
        Ok(position)
    }
}

impl FromStr for YoxiiSetup {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        let (board, side) = text::board_and_side(text, "'w' or 'r'", |side| match side {
            "w" => Some(Side::First),
            "r" => Some(Side::Second),
            _ => None,
        })?;
        let mut setup = Self::empty();
        setup.side = side;
        let ranks = text::split_ranks(board, RANKS.len())?;
        for ((at, rank_text), rank) in ranks.into_iter().zip((0..7).rev()) {
            let (first, len) = RANKS[usize::from(rank)];
            let mut file = 0;
            for (offset, found) in rank_text.char_indices() {
                let at = at + offset;
                let (step, piece) = match found {
                    '1'..='7' => (found as u8 - b'0', None),
                    '*' => (1, None),
                    _ => {
                        let value = MARKS.iter().position(|m| found.eq_ignore_ascii_case(m));
                        let value = value.ok_or_else(|| PositionError::Unexpected {
                            at,
                            found: found.to_string(),
                            expected: "a digit from 1 to 7, a piece (O I Y X o i y x) or '*'",
                        })?;
                        let side = if found.is_ascii_uppercase() {
                            Side::First
                        } else {
                            Side::Second
                        };
                        (1, Some((side, value as u8 + 1)))
                    }
                };
                if file + step > len {
                    return Err(PositionError::RankTooLong {
                        rank: rank + 1,
                        at,
                        expected: len.into(),
                    });
                }
                let cell = Cell::at(first + file, rank);
                if found == '*' && setup.totem.replace(cell).is_some() {
                    return Err(PositionError::SecondTotem {
                        cell: cell.to_string(),
                    });
                }
                setup.pieces[cell.index()] = piece;
                file += step;
            }
            if file < len {
                return Err(PositionError::RankTooShort {
                    rank: rank + 1,
                    found: file.into(),
                    expected: len.into(),
                });
            }
        }
        Ok(setup)
    }
}

impl FromStr for Yoxii {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        Self::try_from(&text.parse::<YoxiiSetup>()?)
    }
}

impl fmt::Display for Yoxii {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..7u8).rev() {
            let (first, len) = RANKS[usize::from(rank)];
            let mut run = 0;
            for file in first..first + len {
                let Some(glyph) = self.glyph(Cell::at(file, rank)) else {
                    run += 1;
                    continue;
                };
                if run > 0 {
                    write!(f, "{run}")?;
                    run = 0;
                }
                f.write_str(&glyph.text)?;
            }
            if run > 0 {
                write!(f, "{run}")?;
            }
            if rank > 0 {
                f.write_str("/")?;
            }
        }
        f.write_str(match self.side {
            Side::First => " w",
            Side::Second => " r",
        })
    }
}

impl fmt::Debug for Yoxii {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
