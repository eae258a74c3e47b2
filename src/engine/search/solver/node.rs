//! What the solver needs from a game.

use arrayvec::ArrayVec;

use crate::game::{Cell, Cells, Game, Move};

/// A position's exact key: two positions with one key have the same value and
/// the same moves.
pub type Key = [u64; 4];

/// More than any payoff, which the margin and the tie-break of a game have to stay below: a
/// bound that says nothing.
pub const NO_BOUND: i32 = 8_000;

/// A game that can be solved: its positions have a form made for the solver.
pub trait Solvable: Game {
    /// The form of positions that the solver searches.
    type Node: Node<Move = Self::Move>;

    /// With at most this many plies left, a question is worth asking in the middle
    /// of another search: it takes some dozens of nodes.
    const PROBE_PLIES: u32;

    /// Factors by which the ends of the interval of an estimate are moved outward so that
    /// it holds the cost of a proof 95 times in 100 (`benches/estimates.py`); for a game
    /// of which nothing was measured, the widest of those that were.
    const COST_FACTORS: [f64; 2] = [0.25, 25.0];

    /// The node of this position. Its moves are this position's moves; those
    /// of its descendants may be named differently.
    fn node(&self) -> Self::Node;

    /// Guesses whether the side to move wins.
    fn expects_win(&self) -> bool;
}

/// An inclusive interval of the payoffs that the side to move can reach.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PayoffBounds {
    /// It reaches at least this.
    pub lower: i32,
    /// It reaches at most this.
    pub upper: i32,
}

/// What can be said about a node before its moves are searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expansion {
    /// The game is over with this payoff, or a move reaches the goal at once with at least
    /// this payoff.
    Decided(i32),
    /// The groups are listed; the moves that are not listed fail, with this payoff
    /// at most (`-NO_BOUND` if there are none).
    Open(i32),
}

/// A variant group ([`Heuristics::variant_group`](crate::search::Heuristics::variant_group))
/// among the moves of a node.
#[derive(Clone, Copy, Debug)]
pub struct VariantGroup<M> {
    /// Search groups with a lower key first.
    pub sort_key: i32,
    /// One of its moves, which stands for all of them.
    pub mv: M,
}

/// A position as the solver sees it, from the view of the side to move.
///
/// Results are *payoffs*: a finished game's payoff is its margin in points times
/// [`Node::POINT`], plus the tie-break, from the view of the side to move. Its
/// sign is the result of the game.
pub trait Node: Copy + Send + Sync {
    /// A move.
    type Move: Move;

    /// What a search updates from node to node because it would cost more to
    /// compute anew.
    type State;

    /// What a point of margin is worth as a payoff; more than twice any
    /// tie-break.
    const POINT: i32;

    /// No game ends with a larger margin in points.
    const MAX_MARGIN: i32;

    /// How many points the windows have with which the margin is sought; with `None`, it
    /// is sought by single questions.
    const MARGIN_WINDOW: Option<i32> = None;

    /// Nodes with less [`Node::plies_left`] than this are not worth a look into the
    /// table.
    const TABLE_FROM: u32;

    /// Nodes with less [`Node::plies_left`] than this are not worth sharing among
    /// threads.
    const SHARE_FROM: u32;

    /// In nodes with at least this much [`Node::plies_left`], the first group is the right
    /// one so often that one of its variants is tried before [`Node::optimistic`].
    const EAGER_FROM: u32 = u32::MAX;

    /// Nodes with less [`Node::plies_left`] than this have a search of their own,
    /// [`Node::solve_small`]; 0 if there is none.
    const SMALL_BELOW: u32 = 0;

    /// The bits of a move that tell variant groups apart; the others tell variants.
    const GROUP_BITS: u16 = u16::MAX;

    /// The bits of the key that say more than values: nodes that agree in them
    /// have the same moves all the way down.
    const STRUCTURE: Key = [u64::MAX; 4];

    /// For two keys that agree in [`Node::STRUCTURE`] but not in all bits: an upper
    /// bound on how much better the one is than the other for the side to move;
    /// never negative.
    fn advantage(_one: &Key, _other: &Key) -> i32 {
        NO_BOUND
    }

    /// The exact key of this node.
    fn key(&self) -> Key;

    /// An upper bound on the plies still to come.
    fn plies_left(&self) -> u32;

    /// Bounds on the payoff of any end that can still come, as narrow as the board tells
    /// without a search.
    fn static_bounds(&self) -> PayoffBounds;

    /// The state at the root of a search.
    fn state(&self) -> Self::State;

    /// Turns this node's state into that of the node after a move.
    fn make(_state: &mut Self::State, _mv: Self::Move) {}

    /// Takes back [`Node::make`].
    fn unmake(_state: &mut Self::State, _mv: Self::Move) {}

    /// Lists the moves that could lead to a payoff of at least `goal`.
    fn expand(
        &self,
        goal: i32,
        state: &mut Self::State,
        groups: &mut Vec<VariantGroup<Self::Move>>,
    ) -> Expansion;

    /// Whether the payoff reaches `goal`, by a search that needs no table: a
    /// result of `goal` or more is a lower bound on the payoff, a lesser one an
    /// upper bound. With it comes the move that reaches the goal, if one does.
    /// Calls `count` for every node, including this one, and ends when that
    /// returns `None`. Only called below [`Node::SMALL_BELOW`].
    fn solve_small(
        &self,
        _goal: i32,
        _state: &Self::State,
        _count: &mut impl FnMut() -> Option<()>,
    ) -> Option<(i32, Option<Self::Move>)> {
        None
    }

    /// The node after a move.
    #[must_use]
    fn play(&self, mv: Self::Move) -> Self;

    /// The moves of the variant group to which a move belongs, best first.
    fn variants(&self, mv: Self::Move) -> ArrayVec<Self::Move, 4> {
        std::iter::once(mv).collect()
    }

    /// An upper bound on how much better one variant of a group is than another.
    fn gap(_one: Self::Move, _other: Self::Move) -> i32 {
        NO_BOUND
    }

    /// A node that is no worse for the mover than any to which the variants of a
    /// group lead; `mv` is one of them.
    fn optimistic(&self, _mv: Self::Move) -> Option<Self> {
        None
    }
}

/// The indices of the cells of a set, lowest first.
pub(super) fn each(cells: u64) -> impl Iterator<Item = usize> {
    Cells(cells).into_iter().map(Cell::index)
}
