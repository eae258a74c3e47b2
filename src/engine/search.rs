//! Search: from a position and limits to a move, a score and a pv.
//!
//! [`think()`] is the front door. It asks [`alphabeta`] or [`mcts`], and
//! meanwhile the exact [`solver`]; the searches themselves ask the solver about positions
//! near the end. All of them know positions only
//! through [`Game`] and [`Searchable`], and values only through [`Evaluate`]. They
//! print nothing, and read the clock only to keep their [`Limits`] and to report how
//! long something took.
//!
//! # Terms
//!
//! Terms that most engines share mean the same here. Less common ones, with the source
//! of each idea, and the section of `benches/experiments/alphabeta.md` (or of the file
//! named) where its constants were measured:
//!
//! | term | meaning | source | experiments |
//! | --- | --- | --- | --- |
//! | variants | moves that differ only in what matters least ([`Heuristics::variant_group`]): a selective search tries the likeliest of each group | this project | Variants |
//! | correction keys | what a position shares with others that are likely to be misjudged by as much: the keys of the correction history ([`Heuristics::correction_keys`]) | Caissa, 2023 | Correction history |
//! | improving | whether the static value has risen in two plies ([`Heuristics::USES_IMPROVING`]) | chess engines | The drift of the static value |
//! | child values | static values of the positions after moves, computed together ([`Evaluate::child_values`]) | this project | The same nodes, faster |
//! | static cut | reverse futility pruning, and razoring at the last ply | chess engines | Futility, static guesses and cuts |
//! | futility | a move is pruned when its child is statically far below alpha | Heinz, 1998 | Futility, static guesses and cuts |
//! | late move reduction | late moves are searched less deep, by the logarithms of the depth and of the number of moves before them | chess engines | Order of moves and reductions |
//! | deferred search | moves that another thread is searching are tried later (ABDADA) | Weill, 1996 | `threads.md` |
//! | PUCT | choice of an edge by mean result, prior and visits | Rosin, 2011; Silver et al., 2017 | `mcts.md`, Choice of moves |
//! | first-play urgency | the value assumed for a move without a visit | Gelly and Wang, 2006 | `mcts.md`, Choice of moves |
//! | virtual loss | unfinished simulations count as losses, so that other threads go elsewhere | Chaslot et al., 2008 | |
//! | score bounds | proofs in the tree: bounds on the score of a node, backed up like its results | Winands et al., 2008; Cazenave and Saffidine, 2010 | `mcts.md`, The exact solver |
//! | payoff | what the solver asks about: margin and tie-break in one number ([`solver::Node`]) | this project | `solver.md` |
//! | probe | a question of a few nodes that another search puts to the solver | tablebase probes of chess engines | The exact solver inside the search |
//! | trial | a question of some thousand nodes to the solver while the search goes on | this project | |
//! | trap | among moves of equal value, the one after which static values mislead the opponent most | this project | `matches.md` |
//! | similar positions | positions that differ only in values, so that a proof of one bounds the payoff of the other ([`solver::Node::advantage`]) | this project | `solver.md` |
//! | optimistic node | a position no worse than any of a group's variants, searched before them ([`solver::Node::optimistic`]) | this project | `solver.md` |

pub mod alphabeta;
pub mod certificates;
mod eval;
mod heuristics;
mod hokito_walks;
mod lanes;
mod level;
mod limits;
pub mod mcts;
mod pages;
mod request;
mod score;
mod searchable;
mod shared_moves;
pub mod solver;
mod think;
mod threads;
mod time;
mod tuning;
mod turns;

use std::time::Duration;

use crate::game::Game;

pub use eval::{
    Evaluate, Features, KNOTS, Learnable, Learned, ODDS_KNOTS, ODDS_NODES, Odds, OddsModel,
    Weights, WeightsError, WeightsFile, bend_score, explain_with_value, parity_sign,
};
pub use heuristics::Heuristics;
pub use level::Level;
pub use limits::{Clock, Limits};
pub use request::{Handler, Request};
pub use score::{Bound, MAX_PLY, Score};
pub use searchable::{Searchable, WeightsSource};
pub use think::{Memory, Searcher, think};
pub(crate) use threads::{Background, Work};
pub use threads::{THREAD_STACK_BYTES, ThreadPool, useful_threads};
pub(crate) use time::{Timer, less_overhead};
pub use tuning::Tuning;

/// What a search says about one of its best moves after a depth.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Info<M> {
    /// Depth of the iteration, in plies; of MCTS the mean length of its simulations, of a
    /// proof the plies to the end of the game.
    pub depth: u32,
    /// Deepest ply visited in the iteration.
    pub seldepth: u32,
    /// Number of the pv among the best ones, from 1.
    pub multipv: usize,
    /// Value for the side to move.
    pub score: Score,
    /// Whether the score is the value at this depth or a bound on it: show it with the score.
    pub bound: Bound,
    /// Whether the value is proved: an exact decisive score always is, a draw if the
    /// solver or the bounds of the tree search found it.
    pub proven: bool,
    /// Positions visited so far, over all threads; of MCTS its simulations. [`think()`] adds those
    /// of the exact solver and of a search before a proof.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// Part of the table filled by this search, per mille; of MCTS that of the memory of the
    /// tree, earlier searches included.
    pub hashfull: u32,
    /// The principal variation: its moves, all of them legal.
    pub pv: Vec<M>,
}

impl<M> Info<M> {
    /// How likely the game is to end in each way, by this score of `position`; `eval`
    /// is the evaluation that the search used. Only what is proved is certain.
    pub fn odds<G: Game<Move = M>, E: Evaluate<G>>(&self, position: &G, eval: &E) -> Odds {
        match (self.proven, self.score.is_decisive()) {
            (true, false) => Odds::DRAW,
            (true, true) => eval.odds(position, self.score),
            (false, _) => eval.odds(position, self.score).uncertain(),
        }
    }

    /// Positions visited per second.
    pub fn nps(&self) -> u64 {
        nodes_per_second(self.nodes, self.time)
    }
}

/// The answer of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report<M> {
    /// The move to play; `None` when the game is over, or after
    /// [`Event::Failed`](crate::engine::Event::Failed).
    pub best: Option<M>,
    /// The expected reply, if the pv has one.
    pub ponder: Option<M>,
    /// The best moves of the last finished depth, best first; or, if the next depth
    /// was cut short, the best of the moves that it had searched. There are none when
    /// the game is over.
    pub infos: Vec<Info<M>>,
    /// Positions visited, as for [`Info::nodes`].
    pub nodes: u64,
    /// Time used.
    pub time: Duration,
}

impl<M: Copy> Report<M> {
    pub(crate) fn new(infos: Vec<Info<M>>, nodes: u64, time: Duration) -> Self {
        let pv = infos.first().map_or(&[][..], |info| &info.pv[..]);
        Self {
            best: pv.first().copied(),
            ponder: pv.get(1).copied(),
            infos,
            nodes,
            time,
        }
    }
}

/// Positions per second; a time below one microsecond counts as one.
pub fn nodes_per_second(nodes: u64, time: Duration) -> u64 {
    let micros = time.as_micros().max(1);
    u64::try_from(u128::from(nodes) * 1_000_000 / micros).unwrap_or(u64::MAX)
}
