//! The game where it is chosen at run time: the list of all games.

use std::fmt::{self, Display};

use super::{Game, Hokito, MoveError, Outcome, Side, Yoxii};

/// One of the games.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum GameKind {
    /// [`Yoxii`].
    #[default]
    Yoxii,
    /// [`Hokito`].
    Hokito,
}

/// Runs the same generic code for the game of a [`GameKind`]: in the
/// expression, the name before the arrow is the game's type.
///
/// ```
/// use totemic_engine::game::{Game, GameKind, with_game};
///
/// let plies = |kind| with_game!(kind, G => G::MAX_PLIES);
/// assert_eq!(plies(GameKind::Yoxii), 36);
/// ```
#[macro_export]
#[doc(hidden)]
macro_rules! with_game_of_kind {
    ($kind:expr, $game:ident => $body:expr) => {
        match $kind {
            $crate::game::GameKind::Yoxii => {
                type $game = $crate::game::Yoxii;
                $body
            }
            $crate::game::GameKind::Hokito => {
                type $game = $crate::game::Hokito;
                $body
            }
        }
    };
}
pub use with_game_of_kind as with_game;

/// Runs the same generic code on an [`AnyPosition`]: in the expression, the
/// name before the arrow is the position.
///
/// ```
/// use totemic_engine::game::{AnyPosition, Game, GameKind, with_position};
///
/// let start = AnyPosition::start(GameKind::Hokito);
/// assert_eq!(with_position!(start, position => position.count_moves()), 110);
/// ```
#[macro_export]
#[doc(hidden)]
macro_rules! with_position_of_kind {
    ($any:expr, $position:ident => $body:expr) => {
        match $any {
            $crate::game::AnyPosition::Yoxii($position) => $body,
            $crate::game::AnyPosition::Hokito($position) => $body,
        }
    };
}
pub use with_position_of_kind as with_position;

impl GameKind {
    /// All games, in the order in which they are listed to users.
    pub const ALL: [Self; 2] = [Self::Yoxii, Self::Hokito];

    /// No game of any kind has more plies.
    pub const MAX_PLIES: u32 = {
        let (one, other) = (Yoxii::MAX_PLIES, Hokito::MAX_PLIES);
        if one > other { one } else { other }
    };

    /// The name in the protocol.
    pub const fn name(self) -> &'static str {
        with_game!(self, G => G::NAME)
    }

    /// The names of all games, for error texts: `yoxii or hokito`.
    pub fn any_name() -> String {
        Self::ALL.map(Self::name).join(" or ")
    }

    /// The game with this name, without regard to case.
    pub fn named(name: &str) -> Option<Self> {
        let mut kinds = Self::ALL.into_iter();
        kinds.find(|kind| kind.name().eq_ignore_ascii_case(name))
    }

    /// The game for which a position's text is written, by its marks and its number of
    /// ranks: a guess that is good enough to choose the reader, whose own error then
    /// says what is wrong. `None` if the text fits neither game.
    pub fn of_text(text: &str) -> Option<Self> {
        if text.contains(',') || text.contains(':') {
            return Some(Self::Hokito);
        }
        if text.contains('*') {
            return Some(Self::Yoxii);
        }
        match text.matches('/').count() {
            6 => Some(Self::Yoxii),
            5 => Some(Self::Hokito),
            _ => None,
        }
    }
}

impl Display for GameKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A position of any game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AnyPosition {
    /// Of [`Yoxii`].
    Yoxii(Yoxii),
    /// Of [`Hokito`].
    Hokito(Hokito),
}

impl AnyPosition {
    /// The start of a game.
    pub fn start(kind: GameKind) -> Self {
        with_game!(kind, G => G::start().into())
    }

    /// The game to which the position belongs.
    pub const fn kind(&self) -> GameKind {
        match self {
            Self::Yoxii(_) => GameKind::Yoxii,
            Self::Hokito(_) => GameKind::Hokito,
        }
    }

    /// The side to move.
    pub fn side(&self) -> Side {
        with_position!(self, position => position.side())
    }

    /// How the game ended; `None` while the side to move has a move.
    pub fn outcome(&self) -> Option<Outcome> {
        with_position!(self, position => position.outcome())
    }

    /// The position after the legal move with this text.
    ///
    /// # Errors
    /// When it is not the text of a move, or the move is illegal.
    pub fn play(&self, mv: &str) -> Result<Self, MoveError> {
        with_position!(self, position => Ok(position.play(position.read_move(mv)?).into()))
    }
}

macro_rules! of_any_game {
    ($($game:ident),*) => {$(
        impl From<$game> for AnyPosition {
            fn from(position: $game) -> Self {
                Self::$game(position)
            }
        }

        /// The position, if it is one of this game; otherwise the error is the argument.
        impl TryFrom<AnyPosition> for $game {
            type Error = AnyPosition;

            fn try_from(any: AnyPosition) -> Result<Self, AnyPosition> {
                match any {
                    AnyPosition::$game(position) => Ok(position),
                    other => Err(other),
                }
            }
        }
    )*};
}
of_any_game!(Yoxii, Hokito);

impl Display for AnyPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        with_position!(self, position => position.fmt(f))
    }
}
