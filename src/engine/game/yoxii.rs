//! Yoxii: 37 squares, one totem that both sides move, 18 pieces per side.

mod fen;
mod geometry;
mod mv;

use arrayvec::ArrayVec;

use super::error::YOXII_SIDES;
use super::{
    Cell, Cells, Game, Glyph, Layout, MoveList, Phrase, PositionError, Rng, Show, Side, Standing,
    zobrist,
};
use crate::text::number_of;
use fen::piece_letter;
use geometry::{BOARD, NEAR, RAYS};
pub use mv::YoxiiMove;

/// Pieces of each value that a side owns, by value - 1.
const PIECES_OF_A_VALUE: [u8; 4] = [5, 5, 5, 3];

/// Keys of pieces by side, value - 1 and cell.
static PIECE_KEYS: [u64; 8 * 64] = zobrist::keys(1);
static TOTEM_KEYS: [u64; 64] = zobrist::keys(2);
const SIDE_KEY: u64 = zobrist::keys::<1>(3)[0];

/// A legal Yoxii position. `parse` reads and `to_string` writes its text, rank by rank from
/// the top and then the side to move: `3/5/7/3*3/7/5/3 w` is the start. `protocol.md` has
/// the grammar.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Yoxii {
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
    /// The position with the totem and these pieces: square, side and value, 1 to 4.
    ///
    /// # Errors
    /// [`PositionError`] if two of them share a square, or the rules allow no such
    /// pieces with this side to move.
    pub fn of(
        totem: Cell,
        pieces: impl IntoIterator<Item = (Cell, Side, u8)>,
        side: Side,
    ) -> Result<Self, PositionError> {
        let bad_cell = |cell: Cell| PositionError::BadCell {
            cell: cell.to_string(),
        };
        if !BOARD.has(totem) {
            return Err(bad_cell(totem));
        }
        let mut counts = [[0u8; 4]; 2];
        let mut position = Self::empty(totem);
        for (cell, side, value) in pieces {
            if !position.free().has(cell) || !(1..=4).contains(&value) {
                return Err(bad_cell(cell));
            }
            counts[side.index()][usize::from(value - 1)] += 1;
            position.put(side, value, cell);
        }
        for side in Side::BOTH {
            for value in 0..4 {
                let found = counts[side.index()][value];
                if found > PIECES_OF_A_VALUE[value] {
                    return Err(PositionError::TooManyPieces {
                        side,
                        value: value as u8 + 1,
                        found: found.into(),
                        at_most: PIECES_OF_A_VALUE[value].into(),
                    });
                }
            }
        }
        let [white, red] = position.colours.map(Cells::len);
        if white != red + u32::from(side == Side::Second) {
            return Err(PositionError::PieceBalance { white, red, side });
        }
        if side == Side::Second {
            position.pass_turn();
        }
        Ok(position)
    }

    /// The squares of the pieces of a side.
    pub const fn pieces(&self, side: Side) -> Cells {
        self.colours[side.index()]
    }

    /// The squares of the pieces of a value, 1 to 4, of both sides.
    pub fn pieces_of_value(&self, value: u8) -> Cells {
        let pick = |plane: Cells, set: bool| if set { plane } else { !plane };
        let bits = value - 1;
        self.occupied() & pick(self.values[0], bits & 1 != 0) & pick(self.values[1], bits & 2 != 0)
    }

    /// The squares whose values, less 1, have the lower bit set and the higher one; none that is
    /// empty.
    pub(crate) fn value_planes(&self) -> [u64; 2] {
        self.values.map(|plane| plane.0)
    }

    /// The pieces that a side still has, by value - 1.
    pub const fn reserve(&self, side: Side) -> [u8; 4] {
        self.reserves[side.index()]
    }

    /// Where the totem stands.
    pub const fn totem(&self) -> Cell {
        self.totem
    }

    /// Squares with a piece.
    pub fn occupied(&self) -> Cells {
        self.colours[0] | self.colours[1]
    }

    /// Squares with neither a piece nor the totem.
    pub fn free(&self) -> Cells {
        BOARD - self.occupied() - Cells::of(self.totem)
    }

    /// The squares next to a cell.
    pub const fn near(cell: Cell) -> Cells {
        NEAR[cell.index()]
    }

    /// Some squares of the board and those next to them.
    pub(crate) const fn around(cells: Cells) -> Cells {
        let wide = cells.0 | cells.0 << 1 | cells.0 >> 1;
        Cells((wide | wide << 8 | wide >> 8) & BOARD.0)
    }

    /// Where a side with pieces on `own` could move the totem from a cell to one
    /// of the `free` ones: a step, or a jump over an unbroken line of its own.
    #[inline]
    pub(crate) fn ways(from: Cell, own: Cells, free: Cells) -> Cells {
        let near = Self::near(from);
        if !near.meets(own) {
            return near & free;
        }
        // The first square of each ray without an own piece; the first four rays
        // lead to higher indices.
        let (up, down) = RAYS[from.index()].split_at(4);
        let mut reached = 0;
        for ray in up {
            let open = (*ray - own).0;
            reached |= open & open.wrapping_neg();
        }
        for ray in down {
            let open = (*ray - own).0;
            if open != 0 {
                reached |= 1 << (63 - open.leading_zeros());
            }
        }
        Cells(reached) & free
    }

    /// Where `side` could move the totem if it were on move.
    pub fn totem_targets(&self, side: Side) -> Cells {
        Self::ways(self.totem, self.colours[side.index()], self.free())
    }

    /// Where a piece may be put once the totem has gone to `target`.
    pub fn placements(&self, target: Cell) -> Cells {
        let free = BOARD - self.occupied() - Cells::of(target);
        let adjacent = NEAR[target.index()] & free;
        if adjacent.is_empty() { free } else { adjacent }
    }

    /// Sum of the values of a side's pieces within `cells`.
    pub fn sum(&self, side: Side, cells: Cells) -> i32 {
        let own = self.colours[side.index()] & cells;
        let [low, high] = self.values;
        (own.len() + (own & low).len() + 2 * (own & high).len()) as i32
    }

    /// The only place that puts a piece on a square, and changes the key with it.
    fn put(&mut self, side: Side, value: u8, cell: Cell) {
        let bits = usize::from(value - 1) & 3;
        let here = Cells::of(cell);
        self.colours[side.index()] |= here;
        self.values[0] |= here.only_if(bits & 1 != 0);
        self.values[1] |= here.only_if(bits & 2 != 0);
        let left = &mut self.reserves[side.index()][bits];
        *left = left.wrapping_sub(1);
        self.key ^= PIECE_KEYS[(side.index() * 4 + bits) * 64 + cell.index()];
    }

    /// The only place that moves the totem, and changes the key with it.
    fn set_totem(&mut self, cell: Cell) {
        self.key ^= TOTEM_KEYS[self.totem.index()] ^ TOTEM_KEYS[cell.index()];
        self.totem = cell;
    }

    fn pass_turn(&mut self) {
        self.side = self.side.other();
        self.key ^= SIDE_KEY;
    }

    const fn empty(totem: Cell) -> Self {
        Self {
            colours: [Cells::EMPTY; 2],
            values: [Cells::EMPTY; 2],
            key: TOTEM_KEYS[totem.index()],
            reserves: [PIECES_OF_A_VALUE; 2],
            totem,
            side: Side::First,
        }
    }
}

impl Game for Yoxii {
    type Move = YoxiiMove;

    const NAME: &'static str = "yoxii";
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
        let is_left = |value: &u8| reserve[usize::from(value - 1)] > 0;
        let values: ArrayVec<u8, 4> = (1..=4).filter(is_left).collect();
        // Always four are made, because a loop of known length is quicker.
        let four: [u8; 4] = std::array::from_fn(|at| values.get(at).copied().unwrap_or(1));
        for totem in self.totem_targets(self.side) {
            for piece in self.placements(totem) {
                let variants = four.map(|value| YoxiiMove::new(totem, piece, value));
                moves.extend(variants.into_iter().take(values.len()));
            }
        }
        moves
    }

    fn count_moves(&self) -> u64 {
        let totems = self.totem_targets(self.side).into_iter();
        let squares: u32 = totems.map(|totem| self.placements(totem).len()).sum();
        let values = self.reserve(self.side).into_iter().filter(|&left| left > 0);
        u64::from(squares) * values.count() as u64
    }

    #[inline]
    fn has_moves(&self) -> bool {
        !self.totem_targets(self.side).is_empty()
    }

    fn standing(&self) -> Standing {
        let ring = NEAR[self.totem.index()];
        Standing {
            points: Side::BOTH.map(|side| self.sum(side, ring)),
            tie_break: Side::BOTH.map(|side| (self.pieces(side) & ring).len() as i32),
        }
    }

    #[inline]
    fn play(&self, mv: YoxiiMove) -> Self {
        let mut next = *self;
        next.set_totem(mv.totem());
        next.put(self.side, mv.value(), mv.piece());
        next.pass_turn();
        next
    }

    fn refusal(&self, mv: YoxiiMove) -> Option<Phrase> {
        if !self.totem_targets(self.side).has(mv.totem()) {
            return Some(Phrase::new(&[
                "totem-way",
                "the totem cannot go to that square",
            ]));
        }
        if !self.placements(mv.totem()).has(mv.piece()) {
            return Some(Phrase::new(&[
                "piece-place",
                "a piece goes on a free square next to the totem's new one, or on any \
                 free square when none is free there",
            ]));
        }
        if self.reserve(self.side)[usize::from(mv.value() - 1)] == 0 {
            return Some(Phrase::new(&[
                "reserve",
                "no piece of that value is left in reserve",
            ]));
        }
        None
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn plies_left(&self) -> u32 {
        self.free().len()
    }

    fn route(&self, mv: YoxiiMove) -> Vec<Cell> {
        let (from, to) = (self.totem, mv.totem());
        let towards = |at: u8, goal: u8| {
            let way = i16::from(goal) - i16::from(at);
            at.saturating_add_signed(way.signum() as i8)
        };
        let step = |&at: &Cell| {
            let next = Cell::at(towards(at.file(), to.file()), towards(at.rank(), to.rank()));
            (at != to).then_some(next)
        };
        std::iter::successors(Some(from), step).collect()
    }
}

impl Show for Yoxii {
    const TITLE: &'static str = "Yoxii";
    const SIDE_NAMES: [&'static str; 2] = YOXII_SIDES;

    fn glyph(&self, cell: Cell) -> Option<Glyph> {
        if cell == self.totem {
            return Some(Glyph {
                text: "*".to_owned(),
                side: None,
                value: 0,
                height: None,
            });
        }
        let mut sides = Side::BOTH.into_iter();
        let side = sides.find(|&side| self.pieces(side).has(cell))?;
        let value = (1..=4).find(|&value| self.pieces_of_value(value).has(cell))?;
        Some(Glyph {
            text: piece_letter(side, value).to_string(),
            side: Some(side),
            value,
            height: None,
        })
    }

    fn captions(&self) -> Vec<String> {
        let standing = self.standing();
        let caption = |side: Side| {
            let name = Self::SIDE_NAMES[side.index()];
            let left = (1..).zip(self.reserve(side));
            let left = left.map(|(value, left)| format!("{} x{left}", piece_letter(side, value)));
            let reserve = left.collect::<Vec<_>>().join("  ");
            let points = standing.points[side.index()];
            let pieces = number_of(standing.tie_break[side.index()], "piece");
            format!("{name:<5}  reserve {reserve}   at the totem {points} ({pieces})")
        };
        Side::BOTH.map(caption).to_vec()
    }
}
