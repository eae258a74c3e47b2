//! The rules: positions, moves, results and their texts.
//!
//! The rest of the library knows a game only through the trait [`Game`], which
//! includes [`Show`], what people see of it. [`Yoxii`] and [`Hokito`] implement
//! both; generic code is compiled once for each of them.

mod batch;
mod cells;
#[cfg(feature = "serde")]
mod data;
mod encode;
mod error;
mod fen;
mod greedy;
mod hokito;
mod kind;
mod perft;
mod random;
mod sorted;
mod symmetry;
mod yoxii;
pub mod zobrist;

use std::fmt::{self, Debug, Display};
use std::hash::Hash;
use std::str::FromStr;

pub use batch::GameBatch;
pub use cells::{Cell, CellIter, Cells};
pub use encode::{
    Encode, Planes, action_of, fill_mask, fill_planes, legal_move, move_of, planes, planes_shape,
};
pub use error::{MoveError, Phrase, PositionError};
pub use greedy::{greedy_moves, greedy_value};
pub use hokito::{Hokito, HokitoMove, Tower};
pub use kind::{AnyPosition, GameKind, with_game, with_position};
pub use perft::{perft, perft_until};
#[cfg(test)]
pub(crate) use random::random_positions;
pub use random::{Layout, Rng, random_game, random_opening, random_position};
pub use sorted::sorted_moves;
pub use symmetry::canonical_key;
pub use yoxii::{Yoxii, YoxiiMove};

/// A failed test should show these types as people write them.
macro_rules! debug_as_display {
    ($($type:ty),*) => {$(
        impl Debug for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                Display::fmt(self, f)
            }
        }
    )*};
}
debug_as_display!(Cell, Hokito, HokitoMove, Yoxii, YoxiiMove);

/// The two sides, by who moves first: White in Yoxii, Black in Hokito.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    /// The side that moves first, `p1` in UGI.
    First,
    /// The other side, `p2` in UGI.
    Second,
}

impl Side {
    /// Both sides, the first one first.
    pub const BOTH: [Self; 2] = [Self::First, Self::Second];

    /// 0 for the first side, 1 for the second: an index into pairs.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    /// The side with this word in the protocol.
    pub fn of_word(word: &str) -> Option<Self> {
        Self::BOTH.into_iter().find(|side| side.word() == word)
    }

    /// The word in the protocol: `p1` or `p2`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::First => "p1",
            Self::Second => "p2",
        }
    }
}

/// How a finished game ended. For people, [`Show::SIDE_NAMES`] names the winner.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// This side won.
    Win(Side),
    /// Nobody won.
    Draw,
}

impl Outcome {
    /// All outcomes.
    pub const ALL: [Self; 3] = [Self::Win(Side::First), Self::Win(Side::Second), Self::Draw];

    /// The outcome that is 1, 0 or -1 from the view of `side`.
    pub fn of_sign(sign: i32, side: Side) -> Self {
        match sign {
            0 => Self::Draw,
            1.. => Self::Win(side),
            ..0 => Self::Win(side.other()),
        }
    }

    /// 1, 0 or -1 from the view of `side`.
    pub fn sign_for(self, side: Side) -> i32 {
        match self {
            Self::Win(winner) if winner == side => 1,
            Self::Win(_) => -1,
            Self::Draw => 0,
        }
    }

    /// Half points of a side: 0 for a loss, 1 for a draw, 2 for a win.
    pub fn half_points(self, side: Side) -> u8 {
        (self.sign_for(side) + 1) as u8
    }

    /// Points of a side: 0 for a loss, a half for a draw, 1 for a win.
    pub fn points(self, side: Side) -> f64 {
        f64::from(self.half_points(side)) / 2.0
    }

    /// The word in the protocol: `p1win`, `p2win` or `draw`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Win(Side::First) => "p1win",
            Self::Win(Side::Second) => "p2win",
            Self::Draw => "draw",
        }
    }

    /// The word in the protocol for the result of a game, which is `none` while it goes on.
    pub fn result_word(result: Option<Self>) -> &'static str {
        result.map_or("none", Self::word)
    }
}

/// The current score of both sides, by [`Side::index`].
///
/// Yoxii: sum and number of a side's pieces next to the totem. Hokito: sum of
/// value times height over the squares that a side tops, and no tie-break.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Standing {
    /// Points of each side.
    pub points: [i32; 2],
    /// Decides between equal points; if it is equal too, the game is a draw.
    pub tie_break: [i32; 2],
}

impl Standing {
    /// The result if the game ended with this standing.
    pub fn outcome(&self) -> Outcome {
        let rank = |side: usize| (self.points[side], self.tie_break[side]);
        Outcome::of_sign(rank(0).cmp(&rank(1)) as i32, Side::First)
    }

    /// Difference of the points from the view of `side`.
    pub fn margin_for(&self, side: Side) -> i32 {
        self.points[side.index()] - self.points[side.other().index()]
    }
}

/// No position of either game has more moves: in Yoxii eight totem squares
/// times 28 free squares times four values.
pub const MAX_MOVES: usize = 896;

/// The moves of a position, on the stack.
pub type MoveList<M> = arrayvec::ArrayVec<M, MAX_MOVES>;

/// A move, which can be packed into 16 bits for tables.
pub trait Move:
    Copy + Eq + Ord + Hash + Debug + Display + FromStr<Err = MoveError> + Send + Sync + 'static
{
    /// The packed form; never 0 for a legal move.
    fn bits(self) -> u16;

    /// The inverse of [`Move::bits`]. Any other bits yield some move, which may
    /// be legal in no position: check it before use.
    fn from_bits(bits: u16) -> Self;
}

/// What a picture shows on one square.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Glyph {
    /// A few characters, as in the position's text.
    pub text: String,
    /// The side that it belongs to; `None` for what is neutral.
    pub side: Option<Side>,
    /// The value of a piece, from 1; 0 if it has none.
    pub value: u8,
    /// The number of pieces that lie on each other; `None` in a game without stacks.
    pub height: Option<u8>,
}

/// How people see a position.
pub trait Show {
    /// Name of the game for people: `Yoxii`.
    const TITLE: &'static str;
    /// Names of the sides for people, by [`Side::index`]; in pictures, a side named `White`
    /// or `Black` has pieces of that colour, any other has red ones.
    const SIDE_NAMES: [&'static str; 2];

    /// What stands on a square.
    fn glyph(&self, cell: Cell) -> Option<Glyph>;

    /// Lines beside a picture: reserves or the current score.
    fn captions(&self) -> Vec<String>;
}

/// A position in a game for two sides, with the rules of the game.
///
/// Other programs call such a type `Board` or `Position`: each value is one
/// position that the rules allow. [`Game::play`] returns a new position; there
/// is no undo.
///
/// ```
/// use totemic_engine::game::{Game, Yoxii};
///
/// let start = Yoxii::start();
/// let mv = start.read_move("c5b6y")?;
/// let next = start.play(mv);
/// assert_eq!(start.moves().len(), 256);
/// assert_eq!(next.to_string(), "3/Y4/2*4/7/7/5/3 r");
/// # Ok::<(), totemic_engine::game::MoveError>(())
/// ```
pub trait Game:
    Show + Copy + Eq + Hash + Debug + Display + FromStr<Err = PositionError> + Send + Sync + 'static
{
    /// A move of this game.
    type Move: Move;

    /// Name in the protocol and on the command line: `yoxii`.
    const NAME: &'static str;
    /// No game has more plies; searches support at most
    /// [`MAX_PLY`](crate::search::MAX_PLY).
    const MAX_PLIES: u32;
    /// The squares of the board.
    const BOARD: Cells;
    /// The number of files and of ranks that the board has.
    const SIZE: u8 = 8 - (Self::BOARD.0.leading_zeros() / 8) as u8;

    /// The position that the protocol calls `startpos`.
    fn start() -> Self;

    /// A random start: for Hokito by `layout`; Yoxii has only one start.
    fn random_start(layout: Layout, rng: &mut Rng) -> Self;

    /// The side to move.
    fn side(&self) -> Side;

    /// Every legal move once, by its squares in the order a1, b1, ..., then by value. When
    /// there is none, the game is over.
    fn moves(&self) -> MoveList<Self::Move>;

    /// Number of legal moves, without making a list.
    fn count_moves(&self) -> u64;

    /// Whether the side to move can move; if not, the game is over.
    fn has_moves(&self) -> bool;

    /// The current score; final once [`Game::has_moves`] is false.
    fn standing(&self) -> Standing;

    /// The position after a move that is known to be legal here; the other side is to
    /// move in it. An illegal move yields a meaningless position, but no panic in release
    /// builds.
    #[must_use]
    fn play(&self, mv: Self::Move) -> Self;

    /// The rule that a move breaks here; `None` if it is legal.
    fn refusal(&self, mv: Self::Move) -> Option<Phrase>;

    /// Zobrist key, updated with each move. It depends only on the board and the
    /// side to move, not on how the position was reached, and differs after each move.
    fn key(&self) -> u64;

    /// An upper bound on the plies still to come, which falls with each move.
    fn plies_left(&self) -> u32;

    /// Whether a move is legal here.
    fn is_legal(&self, mv: Self::Move) -> bool {
        self.refusal(mv).is_none()
    }

    /// The result of a finished game, `None` while it goes on.
    fn outcome(&self) -> Option<Outcome> {
        (!self.has_moves()).then(|| self.standing().outcome())
    }

    /// Plays a move if it is legal.
    ///
    /// # Errors
    /// [`MoveError::GameOver`] or [`MoveError::Illegal`] with the rule broken.
    fn try_play(&self, mv: Self::Move) -> Result<Self, MoveError> {
        match self.refusal(mv) {
            None => Ok(self.play(mv)),
            Some(_) if !self.has_moves() => Err(MoveError::GameOver { mv: mv.to_string() }),
            Some(rule) => Err(MoveError::Illegal {
                mv: mv.to_string(),
                rule,
            }),
        }
    }

    /// Reads a position: its text, or `startpos`.
    ///
    /// # Errors
    /// [`PositionError`] if the text is no position of this game.
    fn read_position(text: &str) -> Result<Self, PositionError> {
        match text.trim() {
            "startpos" => Ok(Self::start()),
            text => text.parse(),
        }
    }

    /// Reads a move and checks that it is legal here.
    ///
    /// # Errors
    /// [`MoveError::Syntax`] if the text is not a move of this game, otherwise the
    /// errors of [`Game::try_play`].
    fn read_move(&self, text: &str) -> Result<Self::Move, MoveError> {
        let mv: Self::Move = text.parse()?;
        self.try_play(mv).map(|_| mv)
    }

    /// The squares that a legal move passes over, including the first and the
    /// last: the route of the pawns in Hokito, of the totem in Yoxii. If there are
    /// several routes, this is always the same one. Empty by default, for games
    /// whose moves have no route.
    fn route(&self, _mv: Self::Move) -> Vec<Cell> {
        Vec::new()
    }

    /// Name of the side to move, for people.
    fn side_name(&self) -> &'static str {
        Self::SIDE_NAMES[self.side().index()]
    }
}

/// The squares that a move names.
pub fn squares_of<G: Game>(mv: G::Move) -> Cells {
    let text = mv.to_string();
    let cell = |square| Cell::parse(str::from_utf8(square).ok()?, G::BOARD);
    text.as_bytes().chunks_exact(2).filter_map(cell).collect()
}
