//! Cells and sets of cells on a board of up to eight files and eight ranks.
//!
//! Both boards live in the same 64 bit frame: the cell of file `f` and rank
//! `r` (both from 0) is bit `8 r + f`. Both leave the last file of the frame
//! empty, so squares of the board that are shifted by one file never wrap from
//! one rank to the next without leaving the board.

use std::fmt::{self, Write as _};
use std::ops::{BitAnd, BitOr, BitOrAssign, Not, Sub};

/// One cell of the frame: `8 * rank + file`, 0 to 63.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u8);

impl Cell {
    /// The cell of a file and a rank, both from 0 to 7.
    pub const fn at(file: u8, rank: u8) -> Self {
        debug_assert!(file < 8 && rank < 8);
        Self(rank * 8 + file)
    }

    /// The cell of an index from 0 to 63; higher bits are ignored.
    pub const fn from_index(index: usize) -> Self {
        Self((index & 63) as u8)
    }

    /// `8 * rank + file`, 0 to 63.
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// File from 0 (`a`).
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    /// Rank from 0 (`1`).
    pub const fn rank(self) -> u8 {
        self.0 >> 3
    }

    /// Reads a square as the rules write it, `d4`; `None` if it is not on `board`.
    pub fn parse(text: &str, board: Cells) -> Option<Self> {
        let [file @ b'a'..=b'h', rank @ b'1'..=b'8'] = *text.as_bytes() else {
            return None;
        };
        let cell = Self::at(file - b'a', rank - b'1');
        board.has(cell).then_some(cell)
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char((b'a' + self.file()).into())?;
        f.write_char((b'1' + self.rank()).into())
    }
}

/// A set of cells: bit `8 * rank + file`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Cells(pub u64);

impl Cells {
    /// No cell.
    pub const EMPTY: Self = Self(0);

    /// The set of one cell.
    pub const fn of(cell: Cell) -> Self {
        Self(1 << cell.index())
    }

    /// Whether the set holds `cell`.
    pub const fn has(self, cell: Cell) -> bool {
        self.0 >> cell.index() & 1 != 0
    }

    /// Number of cells, 0 to 64.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether no cell is in the set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the two sets share a cell.
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// The set if `wanted`, else the empty set; without a branch.
    pub(crate) const fn only_if(self, wanted: bool) -> Self {
        Self(self.0 & (wanted as u64).wrapping_neg())
    }

    /// The cell with the lowest index.
    pub const fn first(self) -> Option<Cell> {
        if self.0 == 0 {
            None
        } else {
            Some(Cell(self.0.trailing_zeros() as u8))
        }
    }
}

impl BitAnd for Cells {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Cells {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// Set difference.
impl Sub for Cells {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl Not for Cells {
    type Output = Self;
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl BitOrAssign for Cells {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl IntoIterator for Cells {
    type Item = Cell;
    type IntoIter = CellIter;
    fn into_iter(self) -> CellIter {
        CellIter(self.0)
    }
}

impl FromIterator<Cell> for Cells {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> Self {
        let add = |set, cell| set | Self::of(cell);
        cells.into_iter().fold(Self::EMPTY, add)
    }
}

/// The cells of a set in ascending order of their index.
#[derive(Clone, Debug)]
pub struct CellIter(u64);

impl Iterator for CellIter {
    type Item = Cell;

    fn next(&mut self) -> Option<Cell> {
        let cell = Cells(self.0).first()?;
        self.0 &= self.0 - 1;
        Some(cell)
    }
}

/// A picture of the frame, rank 8 on top: `#` in the set, `.` outside.
impl fmt::Debug for Cells {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..8).rev() {
            for file in 0..8 {
                let inside = self.has(Cell::at(file, rank));
                f.write_str(if inside { "#" } else { "." })?;
            }
            f.write_str("\n")?;
        }
        Ok(())
    }
}
