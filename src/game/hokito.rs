//! Hokito: 36 pawns on a board of 6 by 6 that pile up into stacks.

use std::fmt;
use std::str::FromStr;

use super::error::{MoveError, PositionError};
use super::{Cell, Cells, Game, Glyph, Layout, Move, MoveList, Rng, Side, Standing, text, zobrist};

/// Files and ranks of the board.
const SIZE: u8 = 6;
/// The board.
const BOARD: Cells = Cells(0x3f3f_3f3f_3f3f);
/// Pawns in the game.
const PAWNS: u32 = 36;
/// Pawns of each colour and value.
const PAWNS_OF_A_KIND: u32 = 6;
/// File a of the frame.
const FILE_A: u64 = 0x0101_0101_0101_0101;

/// `startpos`.
const START: &str = "b1,b2,b3,b1,b2,b3/b2,b3,b1,b2,b3,b1/b3,b1,b2,b3,b1,b2/\
                     w2,w1,w3,w2,w1,w3/w1,w3,w2,w1,w3,w2/w3,w2,w1,w3,w2,w1 b";

/// For each occupancy of a rank (6 bits) and each file, the next occupied
/// files to both sides as bits, spread along a rank; and the same for files,
/// spread along a file.
const NEXT: ([[u64; 8]; 64], [[u64; 8]; 64]) = {
    let mut along_rank = [[0; 8]; 64];
    let mut along_file = [[0; 8]; 64];
    let mut line = 0;
    while line < 64usize {
        let mut at = 0;
        while at < 6 {
            let below = line & ((1 << at) - 1);
            let above = line >> (at + 1);
            let mut i = 0;
            let mut found = 0u64;
            if below != 0 {
                found |= 1 << (usize::BITS - 1 - below.leading_zeros());
            }
            if above != 0 {
                found |= 1 << (at + 1 + above.trailing_zeros() as usize);
            }
            along_rank[line][at] = found;
            while i < 6 {
                along_file[line][at] |= (found >> i & 1) << (8 * i);
                i += 1;
            }
            at += 1;
        }
        line += 1;
    }
    (along_rank, along_file)
};
/// Next occupied squares along a rank, by its occupancy and a file.
static NEXT_IN_RANK: [[u64; 8]; 64] = NEXT.0;
/// Next occupied squares along a file, by its occupancy and a rank.
static NEXT_IN_FILE: [[u64; 8]; 64] = NEXT.1;

/// Keys of top pawns by side, value - 1 and cell.
static TOP_KEYS: [u64; 6 * 64] = zobrist::keys(4);
/// Keys of heights above 1 by height and cell.
static HEIGHT_KEYS: [u64; 37 * 64] = zobrist::keys(5);
/// Key of the second side's turn.
const SIDE_KEY: u64 = zobrist::keys::<1>(6)[0];

/// A move from one square to another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HokitoMove(u16);

impl HokitoMove {
    /// The move between two squares.
    #[must_use]
    pub const fn new(from: Cell, to: Cell) -> Self {
        Self(from.index() as u16 | (to.index() as u16) << 6)
    }

    /// The square that the pawn or stack leaves.
    #[must_use]
    pub const fn from(self) -> Cell {
        Cell::from_index(self.0 as usize)
    }

    /// The square that it lands on.
    #[must_use]
    pub const fn to(self) -> Cell {
        Cell::from_index((self.0 >> 6) as usize)
    }
}

impl Move for HokitoMove {
    fn bits(self) -> u16 {
        self.0
    }

    fn from_bits(bits: u16) -> Self {
        Self(bits & 0x0fff)
    }
}

impl fmt::Display for HokitoMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())
    }
}

impl fmt::Debug for HokitoMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for HokitoMove {
    type Err = MoveError;

    fn from_str(text: &str) -> Result<Self, MoveError> {
        let read = || {
            let from = Cell::parse(text.get(0..2)?, BOARD)?;
            let to = Cell::parse(text.get(2..)?, BOARD)?;
            Some(Self::new(from, to))
        };
        read().ok_or_else(|| MoveError::Syntax {
            text: text.to_owned(),
            expected: "two squares, as in a4c6",
        })
    }
}

/// What stands on an occupied square: a single pawn or a stack, of which only
/// the top pawn and the height matter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Tower {
    /// Colour of the top pawn.
    pub side: Side,
    /// Value of the top pawn, 1 to 3.
    pub value: u8,
    /// Number of pawns, 1 to 36.
    pub height: u8,
}

/// A Hokito board before it is checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HokitoSetup {
    /// What stands on each cell, by [`Cell::index`].
    pub towers: [Option<Tower>; 64],
    /// The side to move.
    pub side: Side,
}

impl HokitoSetup {
    /// An empty board, Black to move.
    #[must_use]
    pub const fn empty() -> Self {
        Self {
            towers: [None; 64],
            side: Side::First,
        }
    }
}

/// A legal Hokito position.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Hokito {
    occupied: Cells,
    /// Squares topped by the first side.
    first: Cells,
    /// Value of the top pawns as two bits, low plane first.
    values: [Cells; 2],
    stacks: Cells,
    key: u64,
    /// Heights by [`Cell::index`], 0 on empty squares.
    heights: [u8; 48],
    side: Side,
}

const _: () = assert!(size_of::<Hokito>() < 128);

/// For each occupied square the next occupied squares in its rank and file.
type Links = [Cells; 48];

impl Hokito {
    /// Squares with a pawn or a stack.
    #[must_use]
    pub const fn occupied(&self) -> Cells {
        self.occupied
    }

    /// Squares with a stack.
    #[must_use]
    pub const fn stacks(&self) -> Cells {
        self.stacks
    }

    /// Squares topped by a side.
    #[must_use]
    pub fn topped_by(&self, side: Side) -> Cells {
        match side {
            Side::First => self.first,
            Side::Second => self.occupied - self.first,
        }
    }

    /// Squares topped by a pawn of a value, 1 to 3, of either side.
    #[must_use]
    pub fn topped_with(&self, value: u8) -> Cells {
        let [low, high] = self.values;
        match value {
            1 => low - high,
            2 => high - low,
            _ => low & high,
        }
    }

    /// Value of the top pawn on an occupied square, 1 to 3; 0 on an empty one.
    #[must_use]
    pub fn value(&self, cell: Cell) -> u8 {
        u8::from(self.values[0].has(cell)) + 2 * u8::from(self.values[1].has(cell))
    }

    /// Number of pawns on a square, 0 to 36.
    #[must_use]
    pub fn height(&self, cell: Cell) -> u8 {
        self.heights.get(cell.index()).copied().unwrap_or(0)
    }

    /// What stands on a square.
    #[must_use]
    pub fn tower(&self, cell: Cell) -> Option<Tower> {
        self.occupied.has(cell).then(|| Tower {
            side: if self.first.has(cell) {
                Side::First
            } else {
                Side::Second
            },
            value: self.value(cell),
            height: self.height(cell),
        })
    }

    /// The points that a side tops: value times height over its squares.
    #[must_use]
    pub fn score(&self, side: Side) -> i32 {
        self.topped_by(side)
            .into_iter()
            .map(|cell| i32::from(self.value(cell)) * i32::from(self.height(cell)))
            .sum()
    }

    /// Where the tower on an occupied square may land, whosever turn it is.
    #[must_use]
    pub fn reach(&self, cell: Cell) -> Cells {
        self.targets(cell, |cell| self.next_to(cell))
    }

    /// The next occupied squares in the four directions from a square.
    #[must_use]
    pub fn next_to(&self, cell: Cell) -> Cells {
        let (file, rank) = (u32::from(cell.file()), u32::from(cell.rank()));
        let row = (self.occupied.0 >> (8 * rank)) as usize & 63;
        let column = column(self.occupied, file);
        Cells(
            NEXT_IN_RANK[row][file as usize & 7] << (8 * rank)
                | NEXT_IN_FILE[column][rank as usize & 7] << file,
        )
    }

    /// The next occupied squares of every square at once.
    fn links(&self) -> Links {
        let mut links = [Cells::EMPTY; 48];
        let columns: [usize; 8] = std::array::from_fn(|file| column(self.occupied, file as u32));
        for rank in 0..6 {
            let row = (self.occupied.0 >> (8 * rank)) as usize & 63;
            for file in 0..6 {
                links[8 * rank + file] = Cells(
                    NEXT_IN_RANK[row][file] << (8 * rank)
                        | NEXT_IN_FILE[columns[file]][rank] << file,
                );
            }
        }
        links
    }

    /// Where the tower on `cell` may land. No walk of at most three steps
    /// without reversal comes back to its origin, because the next-occupied
    /// relation has no triangles, so the origin never counts as a step.
    fn targets(&self, cell: Cell, links: impl Fn(Cell) -> Cells) -> Cells {
        let from = Cells::of(cell);
        let alike = if self.stacks.meets(from) {
            self.stacks
        } else {
            self.occupied - self.stacks
        };
        let mut reached = Cells::EMPTY;
        match self.value(cell) {
            1 => reached = links(cell),
            2 => {
                for one in links(cell) {
                    reached |= links(one);
                }
            }
            _ => {
                for one in links(cell) {
                    for two in links(one) - from {
                        reached |= links(two) - Cells::of(one);
                    }
                }
            }
        }
        (reached & alike) - from
    }

    /// The only place that puts a tower on an empty square, with its key.
    fn put(&mut self, cell: Cell, tower: Tower) {
        let here = Cells::of(cell);
        self.occupied |= here;
        if tower.side == Side::First {
            self.first |= here;
        }
        if tower.value & 1 != 0 {
            self.values[0] |= here;
        }
        if tower.value & 2 != 0 {
            self.values[1] |= here;
        }
        if tower.height > 1 {
            self.stacks |= here;
        }
        if let Some(height) = self.heights.get_mut(cell.index()) {
            *height = tower.height;
        }
        self.key ^= tower_key(cell, tower);
    }

    /// The only place that empties an occupied square, with its key.
    fn take(&mut self, cell: Cell) -> Option<Tower> {
        let tower = self.tower(cell)?;
        let here = Cells::of(cell);
        self.occupied = self.occupied - here;
        self.first = self.first - here;
        self.values = self.values.map(|plane| plane - here);
        self.stacks = self.stacks - here;
        if let Some(height) = self.heights.get_mut(cell.index()) {
            *height = 0;
        }
        self.key ^= tower_key(cell, tower);
        Some(tower)
    }

    /// The only place that passes the turn, with its key.
    fn pass_turn(&mut self) {
        self.side = self.side.other();
        self.key ^= SIDE_KEY;
    }

    const fn empty() -> Self {
        Self {
            occupied: Cells::EMPTY,
            first: Cells::EMPTY,
            values: [Cells::EMPTY; 2],
            stacks: Cells::EMPTY,
            key: 0,
            heights: [0; 48],
            side: Side::First,
        }
    }
}

/// Occupancy of a file as 6 bits, rank 1 lowest.
const fn column(occupied: Cells, file: u32) -> usize {
    // The product moves the bit of rank r to bit 56 + r.
    let bits = occupied.0 >> file & FILE_A;
    (bits.wrapping_mul(0x0102_0408_1020_4080) >> 56) as usize & 63
}

/// The key of a tower.
const fn tower_key(cell: Cell, tower: Tower) -> u64 {
    let kind = tower.side.index() * 3 + (tower.value as usize + 2) % 3;
    let height = if tower.height < 37 { tower.height } else { 36 };
    TOP_KEYS[kind * 64 + cell.index()] ^ HEIGHT_KEYS[height as usize * 64 + cell.index()]
}

impl Game for Hokito {
    type Move = HokitoMove;

    const NAME: &'static str = "hokito";
    const TITLE: &'static str = "Hokito";
    const SIDE_NAMES: [&'static str; 2] = ["Black", "White"];
    const MAX_PLIES: u32 = 35;
    const BOARD: Cells = BOARD;

    fn start() -> Self {
        START.parse().expect("the start is a legal position")
    }

    fn random_start(layout: Layout, rng: &mut Rng) -> Self {
        let kinds = |side| (0..18u8).map(move |i| (side, i / 6 + 1));
        let mut white: Vec<(Side, u8)> = kinds(Side::Second).collect();
        let mut black: Vec<(Side, u8)> = kinds(Side::First).collect();
        match layout {
            Layout::Halves => {
                rng.shuffle(&mut white);
                rng.shuffle(&mut black);
                white.append(&mut black);
            }
            Layout::Scattered => {
                white.append(&mut black);
                rng.shuffle(&mut white);
            }
        }
        let mut position = Self::empty();
        for (cell, (side, value)) in BOARD.into_iter().zip(white) {
            let height = 1;
            position.put(
                cell,
                Tower {
                    side,
                    value,
                    height,
                },
            );
        }
        position
    }

    fn side(&self) -> Side {
        self.side
    }

    fn moves(&self) -> MoveList<HokitoMove> {
        let links = self.links();
        let mut moves = MoveList::new();
        for from in self.topped_by(self.side) {
            for to in self.targets(from, |cell| linked(&links, cell)) {
                moves.push(HokitoMove::new(from, to));
            }
        }
        moves
    }

    fn count_moves(&self) -> u64 {
        let links = self.links();
        let own = self.topped_by(self.side);
        own.into_iter()
            .map(|from| u64::from(self.targets(from, |cell| linked(&links, cell)).len()))
            .sum()
    }

    fn has_moves(&self) -> bool {
        self.topped_by(self.side)
            .into_iter()
            .any(|from| !self.reach(from).is_empty())
    }

    fn standing(&self) -> Standing {
        Standing {
            points: [self.score(Side::First), self.score(Side::Second)],
            tie_break: [0; 2],
        }
    }

    fn play(&self, mv: HokitoMove) -> Self {
        let mut next = *self;
        if let (Some(mover), Some(base)) = (next.take(mv.from()), next.take(mv.to())) {
            let height = mover.height + base.height;
            next.put(mv.to(), Tower { height, ..mover });
        }
        next.pass_turn();
        next
    }

    fn refusal(&self, mv: HokitoMove) -> Option<&'static str> {
        if !self.occupied.has(mv.from()) {
            return Some("nothing stands on the square of departure");
        }
        if !self.topped_by(self.side).has(mv.from()) {
            return Some("the square of departure is topped by the opponent");
        }
        if self.reach(mv.from()).has(mv.to()) {
            return None;
        }
        if !self.occupied.has(mv.to()) {
            return Some("a move ends on an occupied square");
        }
        if self.stacks.has(mv.from()) != self.stacks.has(mv.to()) {
            return Some("a single pawn lands only on a single pawn, a stack only on a stack");
        }
        Some("no route of as many steps as the top pawn's value leads there")
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn recomputed_key(&self) -> u64 {
        let towers = self
            .occupied
            .into_iter()
            .filter_map(|cell| self.tower(cell).map(|tower| tower_key(cell, tower)));
        let key = towers.fold(0, |key, tower| key ^ tower);
        match self.side {
            Side::First => key,
            Side::Second => key ^ SIDE_KEY,
        }
    }

    fn plies_left(&self) -> u32 {
        self.occupied.len().saturating_sub(1)
    }

    fn glyph(&self, cell: Cell) -> Option<Glyph> {
        let tower = self.tower(cell)?;
        Some(Glyph {
            text: tower.to_string(),
            side: Some(tower.side),
        })
    }

    fn notes(&self) -> Vec<String> {
        [Side::First, Side::Second]
            .into_iter()
            .map(|side| {
                let own = self.topped_by(side);
                format!(
                    "{:<5}  score {:>3}   {} singles, {} stacks",
                    Self::SIDE_NAMES[side.index()],
                    self.score(side),
                    (own - self.stacks).len(),
                    (own & self.stacks).len(),
                )
            })
            .collect()
    }
}

/// The entry of a cell.
fn linked(links: &Links, cell: Cell) -> Cells {
    links.get(cell.index()).copied().unwrap_or_default()
}

impl fmt::Display for Tower {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let colour = match self.side {
            Side::First => 'b',
            Side::Second => 'w',
        };
        write!(f, "{colour}{}", self.value)?;
        if self.height > 1 {
            write!(f, ":{}", self.height)?;
        }
        Ok(())
    }
}

impl TryFrom<&HokitoSetup> for Hokito {
    type Error = PositionError;

    /// Checks a setup against the rules.
    fn try_from(setup: &HokitoSetup) -> Result<Self, PositionError> {
        let mut position = Self::empty();
        let mut total = 0;
        for (index, tower) in setup.towers.iter().enumerate() {
            let Some(tower) = *tower else { continue };
            let cell = Cell::from_index(index);
            if !BOARD.has(cell) || !(1..=3).contains(&tower.value) {
                return Err(PositionError::BadCell {
                    cell: cell.to_string(),
                });
            }
            if !(1..=PAWNS).contains(&u32::from(tower.height)) {
                return Err(PositionError::Height {
                    cell: cell.to_string(),
                    found: tower.height.into(),
                });
            }
            total += u32::from(tower.height);
            position.put(cell, tower);
        }
        if total > PAWNS {
            return Err(PositionError::TotalHeight { found: total });
        }
        for side in [Side::First, Side::Second] {
            for value in 1..=3 {
                let found = (position.topped_by(side) & position.topped_with(value)).len();
                if found > PAWNS_OF_A_KIND {
                    let name = Self::SIDE_NAMES[side.index()].to_lowercase();
                    return Err(PositionError::TooMany {
                        what: format!("{name} tops of value {value}"),
                        found,
                        at_most: PAWNS_OF_A_KIND,
                    });
                }
            }
        }
        if setup.side == Side::Second {
            position.pass_turn();
        }
        Ok(position)
    }
}

/// What a square's text may be.
const SQUARE_TEXT: &str = "x or x1 to x6 for empty squares, b or w with a value from 1 to 3, \
                           and for a stack ':' and its height from 2 to 36";

/// A square's text: so many empty squares, or a tower.
enum SquareText {
    Empty(u8),
    Tower(Tower),
}

impl SquareText {
    fn read(text: &str) -> Option<Self> {
        if let Some(run) = text.strip_prefix('x') {
            return match run.as_bytes() {
                [] => Some(Self::Empty(1)),
                [digit @ b'1'..=b'6'] => Some(Self::Empty(digit - b'0')),
                _ => None,
            };
        }
        let (top, height) = match text.split_once(':') {
            None => (text, 1),
            Some((top, height)) => {
                let plain = height.starts_with(|c: char| matches!(c, '1'..='9'));
                let height = height.parse().ok().filter(|h| plain && *h >= 2)?;
                (top, height)
            }
        };
        let (side, value) = match top.as_bytes() {
            [b'b', value @ b'1'..=b'3'] => (Side::First, value - b'0'),
            [b'w', value @ b'1'..=b'3'] => (Side::Second, value - b'0'),
            _ => return None,
        };
        Some(Self::Tower(Tower {
            side,
            value,
            height,
        }))
    }
}

impl FromStr for HokitoSetup {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        let (board, side) = text::board_and_side(text, "'b' or 'w'", |side| match side {
            "b" => Some(Side::First),
            "w" => Some(Side::Second),
            _ => None,
        })?;
        let mut setup = Self::empty();
        setup.side = side;
        let ranks = text::split_ranks(board, usize::from(SIZE))?;
        for ((at, rank_text), rank) in ranks.into_iter().zip((0..SIZE).rev()) {
            let mut file = 0;
            for (at, found) in text::split_at(at, rank_text, ',') {
                let square = SquareText::read(found).ok_or_else(|| PositionError::Unexpected {
                    at,
                    found: found.to_owned(),
                    expected: SQUARE_TEXT,
                })?;
                let step = match square {
                    SquareText::Empty(run) => run,
                    SquareText::Tower(_) => 1,
                };
                if file + step > SIZE {
                    return Err(PositionError::RankTooLong {
                        rank: rank + 1,
                        at,
                        expected: SIZE.into(),
                    });
                }
                if let SquareText::Tower(tower) = square {
                    setup.towers[Cell::at(file, rank).index()] = Some(tower);
                }
                file += step;
            }
            if file < SIZE {
                return Err(PositionError::RankTooShort {
                    rank: rank + 1,
                    found: file.into(),
                    expected: SIZE.into(),
                });
            }
        }
        Ok(setup)
    }
}

impl FromStr for Hokito {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        Self::try_from(&text.parse::<HokitoSetup>()?)
    }
}

impl fmt::Display for Hokito {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..SIZE).rev() {
            let mut squares: Vec<String> = Vec::new();
            let mut run = 0;
            let flush = |run: &mut u8, squares: &mut Vec<String>| {
                match *run {
                    0 => {}
                    1 => squares.push("x".to_owned()),
                    many => squares.push(format!("x{many}")),
                }
                *run = 0;
            };
            for file in 0..SIZE {
                match self.tower(Cell::at(file, rank)) {
                    None => run += 1,
                    Some(tower) => {
                        flush(&mut run, &mut squares);
                        squares.push(tower.to_string());
                    }
                }
            }
            flush(&mut run, &mut squares);
            f.write_str(&squares.join(","))?;
            if rank > 0 {
                f.write_str("/")?;
            }
        }
        f.write_str(match self.side {
            Side::First => " b",
            Side::Second => " w",
        })
    }
}

impl fmt::Debug for Hokito {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
