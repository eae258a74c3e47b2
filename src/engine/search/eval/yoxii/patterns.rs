//! Patterns around open squares, for learned weights.
//!
//! The pattern of an open square is what its eight neighbours are: open (the totem's
//! square, too), with a piece of the side to move, with one of the other side, or off
//! the board. Patterns that are equal up to the symmetries of the square are one class.
//! Neither values nor the totem matter, so a piece changes at most nine patterns.
//!
//! A neighbour's number is its place in the three ranks of three squares around the
//! square, from below and from the left: 0 to 8; the square itself is 4. Which of them
//! are on the board depends on where the square lies and is its *shape*. A *code* is an
//! index into the weights, made of the shape and, for each neighbour that is on the
//! board, a digit in base three: 0 open, 1 mine, 2 the other's.

use std::sync::LazyLock;

use crate::game::{Cell, Cells, Game, Side, Yoxii};

/// Neighbours of a square, and itself.
const WINDOW: usize = 9;
const MIDDLE: usize = 4;
const SHAPES: usize = 21;
const CODES: usize = 17_901;
pub(super) const CLASSES: usize = 2_439;

struct Geometry {
    /// The shape of each square; 0 off the board.
    shape: [u8; 64],
    /// The neighbours of each shape that are on the board, a bit for each.
    on_board: [u16; SHAPES],
    first: [u16; SHAPES],
    /// The sum of the powers of the digits of a set of neighbours, by shape.
    powers: [[u16; 1 << WINDOW]; SHAPES],
    /// The power of a neighbour's digit in the code of a square: `[square][neighbour]`.
    power_of: [[u16; 64]; 64],
}

static GEOMETRY: Geometry = {
    let mut all = Geometry {
        shape: [0; 64],
        on_board: [0; SHAPES],
        first: [0; SHAPES],
        powers: [[0; 1 << WINDOW]; SHAPES],
        power_of: [[0; 64]; 64],
    };
    let (mut shapes, mut codes) = (0, 0u16);
    let mut index = 0;
    while index < 64 {
        if Yoxii::BOARD.0 >> index & 1 == 1 {
            let on_board = window(Yoxii::BOARD.0, index) & !(1 << MIDDLE);
            let mut shape = 0;
            while shape < shapes && all.on_board[shape] as usize != on_board {
                shape += 1;
            }
            if shape == shapes {
                all.on_board[shape] = on_board as u16;
                all.first[shape] = codes;
                codes += 3u16.pow(on_board.count_ones());
                let mut set = 0;
                while set < 1 << WINDOW {
                    all.powers[shape][set] = power(on_board, set);
                    set += 1;
                }
                shapes += 1;
            }
            all.shape[index] = shape as u8;
            let mut place = 0;
            while place < WINDOW {
                if on_board >> place & 1 == 1 {
                    let neighbour = index + place / 3 * 8 + place % 3 - 9;
                    all.power_of[index][neighbour] = power(on_board, 1 << place);
                }
                place += 1;
            }
        }
        index += 1;
    }
    assert!(shapes == SHAPES && codes as usize == CODES);
    all
};

/// The sum of the powers of the digits of a set among the neighbours on the board.
const fn power(on_board: usize, set: usize) -> u16 {
    let (mut sum, mut power, mut place) = (0, 1, 0);
    while place < WINDOW {
        if on_board >> place & 1 == 1 {
            if set >> place & 1 == 1 {
                sum += power;
            }
            power *= 3;
        }
        place += 1;
    }
    sum
}

/// The part of a set around a square, the square itself included.
const fn window(cells: u64, index: usize) -> usize {
    // No square of the board is beyond the sixth file or rank, counted from 0.
    let ranks = (cells << 9 >> (index & 63)) as usize;
    ranks & 0o7 | ranks >> 5 & 0o70 | ranks >> 10 & 0o700
}

fn code([mine, theirs]: [u64; 2], cell: Cell) -> u16 {
    let index = cell.index();
    // Tells the compiler that no index is out of range.
    let shape = usize::from(GEOMETRY.shape[index]) % SHAPES;
    let powers = &GEOMETRY.powers[shape];
    GEOMETRY.first[shape] + powers[window(mine, index)] + 2 * powers[window(theirs, index)]
}

/// What each neighbour is, and in the middle an open square.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Pattern([Neighbour; WINDOW]);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Neighbour {
    Open,
    Mine,
    Theirs,
    OffBoard,
}

impl Pattern {
    fn of_code(shape: usize, code: usize) -> Self {
        let (on_board, mut rest) = (GEOMETRY.on_board[shape], code);
        let mut pattern = [Neighbour::Open; WINDOW];
        for (place, neighbour) in pattern.iter_mut().enumerate() {
            if place == MIDDLE {
                continue;
            }
            *neighbour = Neighbour::OffBoard;
            if on_board >> place & 1 == 1 {
                *neighbour = [Neighbour::Open, Neighbour::Mine, Neighbour::Theirs][rest % 3];
                rest /= 3;
            }
        }
        Self(pattern)
    }

    /// The least of the patterns that are equal to this one up to symmetry.
    fn canonical(self) -> Self {
        let mut least = self;
        let mut turned = self;
        for _ in 0..4 {
            let [a, b, c, d, e, f, g, h, i] = turned.0;
            turned = Self([g, d, a, h, e, b, i, f, c]);
            let mirrored = Self([a, d, g, b, e, h, c, f, i]);
            least = least.min(turned).min(mirrored);
        }
        least
    }
}

struct Catalogue {
    patterns: Vec<Pattern>,
    of_code: Vec<u16>,
}

static ALL: LazyLock<Catalogue> = LazyLock::new(|| {
    let of_shape = |shape: usize| {
        let codes = 3usize.pow(GEOMETRY.on_board[shape].count_ones());
        (0..codes).map(move |code| Pattern::of_code(shape, code).canonical())
    };
    let by_code: Vec<Pattern> = (0..SHAPES).flat_map(of_shape).collect();
    let mut patterns = by_code.clone();
    patterns.sort_unstable();
    patterns.dedup();
    assert_eq!(patterns.len(), CLASSES, "classes of patterns");
    let class = |pattern| patterns.partition_point(|other| other < pattern) as u16;
    let of_code = by_code.iter().map(class).collect();
    Catalogue { patterns, of_code }
});

/// A class in words: the ranks around the square from the top.
pub(super) fn name(class: usize) -> String {
    let mut marks = ALL.patterns[class].0.map(|neighbour| match neighbour {
        Neighbour::Open => '.',
        Neighbour::Mine => '+',
        Neighbour::Theirs => '-',
        Neighbour::OffBoard => '#',
    });
    marks[MIDDLE] = '_';
    let ranks = marks.chunks(3).rev();
    let ranks: Vec<String> = ranks.map(|rank| rank.iter().collect()).collect();
    format!("open square amid {}", ranks.join("/"))
}

pub(super) fn classes(position: &Yoxii) -> impl Iterator<Item = (Cell, usize)> {
    let pieces = pieces(position, position.side());
    let open = Yoxii::BOARD - position.occupied();
    let class = move |cell| ALL.of_code[usize::from(code(pieces, cell))];
    open.into_iter().map(move |cell| (cell, class(cell).into()))
}

fn pieces(position: &Yoxii, me: Side) -> [u64; 2] {
    [me, me.other()].map(|side| position.pieces(side).0)
}

/// The weights of all classes at one ply, by code.
#[derive(Debug)]
pub(super) struct PatternWeights(Box<[i16; CODES]>);

impl PatternWeights {
    #[expect(clippy::expect_used, reason = "there is one for each code")]
    pub(super) fn new(weight: impl Fn(usize) -> i16) -> Self {
        let by_class: Vec<i16> = (0..CLASSES).map(weight).collect();
        let weights: Vec<i16> = (ALL.of_code.iter())
            .map(|&class| by_class[usize::from(class)])
            .collect();
        Self(weights.try_into().expect("one for each code"))
    }

    fn at(&self, code: u16) -> i32 {
        i32::from(self.0[usize::from(code)])
    }
}

/// The patterns of a position, from the view of one side.
pub(super) struct Patterns<'a> {
    table: &'a PatternWeights,
    open: Cells,
    squares: [(u16, i16); 64],
    pub(super) sum: i32,
}

impl<'a> Patterns<'a> {
    pub(super) fn of(position: &Yoxii, me: Side, table: &'a PatternWeights) -> Self {
        let pieces = pieces(position, me);
        let mut patterns = Self {
            table,
            open: Yoxii::BOARD - position.occupied(),
            squares: [(0, 0); 64],
            sum: 0,
        };
        for cell in patterns.open {
            let code = code(pieces, cell);
            let weight = table.at(code);
            patterns.squares[cell.index()] = (code, weight as i16);
            patterns.sum += weight;
        }
        patterns
    }

    /// The sum of the weights once a piece of the opponent stands on an open square.
    pub(super) fn with_piece(&self, piece: Cell) -> i32 {
        let old = |cell: Cell| self.squares[cell.index()];
        let mut sum = self.sum - i32::from(old(piece).1);
        for cell in Yoxii::near(piece) & self.open {
            let (code, weight) = old(cell);
            let power = GEOMETRY.power_of[cell.index()][piece.index()];
            sum += self.table.at(code + 2 * power) - i32::from(weight);
        }
        sum
    }
}
