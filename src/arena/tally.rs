//! What the games so far add up to.

use std::collections::{BTreeMap, HashMap};

use super::stats::{EloEstimate, Margins, Pentanomial, Wdl};
use crate::game::Side;
use crate::record::{Accuracy, GameRecord, Reason};

/// What is counted for one engine.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct EngineTally {
    /// Its results.
    pub wdl: Wdl,
    /// Games lost on time, answered too late or not at all.
    pub time_losses: u64,
    /// Games lost by illegal or premature moves.
    pub illegal: u64,
    /// Games lost by crashes and everything else that ends a conversation.
    pub crashes: u64,
    /// Moves made.
    pub moves: u64,
    /// Milliseconds for these moves.
    pub time_ms: f64,
    /// The slowest move in milliseconds.
    pub slowest_ms: f64,
    /// Sum of reported depths, and the number of moves that reported one.
    pub depth: (u64, u64),
    /// Sum of reported nodes, and milliseconds of the moves that reported
    /// them.
    pub nodes: (u64, f64),
    /// What the solver found about its moves.
    pub accuracy: Accuracy,
}

impl EngineTally {
    fn add(&mut self, game: &GameRecord, side: Side, opening_side: usize) {
        self.wdl.add(game.result.half_points(side));
        let lost = game.result.half_points(side) == 0;
        if lost && game.reason.is_forfeit() {
            *match game.reason {
                Reason::TimeForfeit | Reason::Stall => &mut self.time_losses,
                Reason::IllegalMove | Reason::PrematureMove => &mut self.illegal,
                _ => &mut self.crashes,
            } += 1;
        }
        let own = game
            .moves
            .iter()
            .skip((side.index() + 2 - opening_side) % 2)
            .step_by(2);
        for mv in own {
            self.moves += 1;
            self.time_ms += mv.elapsed_ms;
            self.slowest_ms = self.slowest_ms.max(mv.elapsed_ms);
            if let Some(depth) = mv.info.depth {
                self.depth.0 += u64::from(depth);
                self.depth.1 += 1;
            }
            if let Some(nodes) = mv.info.nodes {
                self.nodes.0 = self.nodes.0.saturating_add(nodes);
                self.nodes.1 += mv.elapsed_ms;
            }
        }
        if let Some(both) = &game.accuracy {
            let found = both[side.index()];
            self.accuracy.judged += found.judged;
            self.accuracy.lost_points += found.lost_points;
            self.accuracy.blunders += found.blunders;
        }
    }

    /// Mean depth of its moves, if it reports any.
    #[must_use]
    pub fn mean_depth(&self) -> Option<f64> {
        (self.depth.1 > 0).then(|| self.depth.0 as f64 / self.depth.1 as f64)
    }

    /// Nodes a second by the runner's clock, if it reports nodes.
    #[must_use]
    pub fn nodes_per_second(&self) -> Option<f64> {
        (self.nodes.1 > 0.0).then(|| self.nodes.0 as f64 / self.nodes.1 * 1e3)
    }

    /// Milliseconds for a move.
    #[must_use]
    pub fn mean_time_ms(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.time_ms / self.moves as f64)
    }
}

/// The score of one meeting, from the view of the engine with the smaller
/// index.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Meeting {
    /// Single games.
    pub wdl: Wdl,
    /// Complete pairs.
    pub pairs: Pentanomial,
    /// Points on the board of complete pairs that the rules ended.
    pub margins: Margins,
}

/// Pairs below which an estimate of strength says nothing: its interval is
/// hundreds of Elo points wide, and its approximations do not hold.
pub const FEWEST_PAIRS: u64 = 10;

impl Meeting {
    /// What the pairs say about strength, if there are enough of them.
    #[must_use]
    pub fn estimate(&self) -> Option<EloEstimate> {
        (self.pairs.estimate()).filter(|_| self.pairs.pairs() >= FEWEST_PAIRS)
    }

    /// The same from the other engine's view.
    #[must_use]
    pub fn reversed(&self) -> Self {
        Self {
            wdl: self.wdl.reversed(),
            pairs: self.pairs.reversed(),
            margins: Margins {
                sum: -self.margins.sum,
                ..self.margins
            },
        }
    }
}

/// The first game of a pair, waiting for the second: half points and margin
/// of the engine with the smaller index.
type Half = (u8, Option<i32>);

/// The sum of all games.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Tally {
    /// For each engine.
    pub engines: Vec<EngineTally>,
    /// For each two engines that met, the smaller index first.
    pub meetings: BTreeMap<[usize; 2], Meeting>,
    /// Results of those who moved first.
    pub first_mover: Wdl,
    /// Games by the reason of their end.
    pub reasons: BTreeMap<String, u64>,
    /// Milliseconds of all games, and those in which no engine was thinking.
    pub total_ms: (f64, f64),
    /// Plies that engines played.
    pub plies: u64,
    open: HashMap<u64, Half>,
}

impl Tally {
    /// Nothing yet, for so many engines.
    #[must_use]
    pub(crate) fn new(engines: usize) -> Self {
        Self {
            engines: vec![EngineTally::default(); engines],
            ..Self::default()
        }
    }

    /// Number of games.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.first_mover.games()
    }

    /// Adds a game.
    pub(crate) fn add(&mut self, game: &GameRecord) {
        // An opening of an odd number of plies leaves the second side to move.
        let opening_side = game.opening_side();
        for (engine, side) in game.engines.into_iter().zip([Side::First, Side::Second]) {
            self.engines[engine].add(game, side, opening_side);
        }
        self.first_mover.add(game.result.half_points(Side::First));
        *self.reasons.entry(game.reason.to_string()).or_default() += 1;
        self.total_ms.0 += game.total_ms;
        self.total_ms.1 += game.overhead_ms;
        self.plies += game.moves.len() as u64;
        self.add_to_meeting(game);
    }

    fn add_to_meeting(&mut self, game: &GameRecord) {
        let [first, second] = game.engines;
        let (key, view) = if first < second {
            ([first, second], Side::First)
        } else {
            ([second, first], Side::Second)
        };
        let half_points = game.result.half_points(view);
        let margin = game.points.map(|[p1, p2]| match view {
            Side::First => p1 - p2,
            Side::Second => p2 - p1,
        });
        let meeting = self.meetings.entry(key).or_default();
        meeting.wdl.add(half_points);
        match self.open.remove(&game.id.pair) {
            None => {
                self.open.insert(game.id.pair, (half_points, margin));
            }
            Some((other, other_margin)) => {
                meeting.pairs.add(half_points + other);
                if let (Some(a), Some(b)) = (margin, other_margin) {
                    meeting.margins.add(f64::from(a + b));
                }
            }
        }
    }
}
