//! What the games so far add up to.
//!
//! Engines that nothing makes vary play the same game again from the same
//! opening. That is no new evidence: a pair of games that repeats an earlier
//! pair move by move counts once in all results. Times and faults are counted
//! in all games.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use super::settings::MatchSettings;
use super::stats::{EloEstimate, Margins, Pentanomial, Wdl};
use crate::game::Side;
use crate::record::{Accuracy, GameRecord, Reason, TimeControl};

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
    /// Milliseconds left on its clock at the end of its games, and the number of
    /// games with a clock.
    pub clock: (u64, u64),
    /// What the solver found about its moves.
    pub accuracy: Accuracy,
}

impl EngineTally {
    fn add(&mut self, game: &GameRecord, side: Side, clock: Option<TimeControl>) {
        let lost = game.result.half_points(side) == 0;
        if lost && game.reason.is_forfeit() {
            *match game.reason {
                Reason::TimeForfeit | Reason::Stall => &mut self.time_losses,
                Reason::IllegalMove | Reason::PrematureMove => &mut self.illegal,
                _ => &mut self.crashes,
            } += 1;
        }
        // An opening of an odd number of plies leaves the second side to move.
        let first_own = (side.index() + 2 - game.opening_side()) % 2;
        let mut left = clock.map(|clock| clock.base_ms);
        for (made, mv) in (1..).zip(game.moves.iter().skip(first_own).step_by(2)) {
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
            let both = left.zip(clock);
            left = both.map(|(left, clock)| clock.after_move(left, mv.elapsed_ms as u64, made));
        }
        if let Some(left) = left {
            self.clock.0 += left;
            self.clock.1 += 1;
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

    /// Mean milliseconds for a move.
    #[must_use]
    pub fn mean_time_ms(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.time_ms / self.moves as f64)
    }

    /// Mean milliseconds left on its clock at the end of a game, if it has one.
    #[must_use]
    pub fn mean_clock_ms(&self) -> Option<f64> {
        (self.clock.1 > 0).then(|| self.clock.0 as f64 / self.clock.1 as f64)
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
    /// Pairs that repeat an earlier one and count nowhere else.
    pub repeats: u64,
    /// Repeats since the last pair that was new.
    pub(crate) repeats_in_a_row: u64,
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
}

/// What decides whether a game was played before: who moved first, from which
/// position, which moves, with which result.
pub(crate) fn fingerprint(game: &GameRecord) -> u64 {
    let mut hasher = DefaultHasher::new();
    game.engines.hash(&mut hasher);
    match game.opening.position() {
        Some(position) => position.to_string().hash(&mut hasher),
        None => (&game.opening.fen, &game.opening.moves).hash(&mut hasher),
    }
    for made in &game.moves {
        made.mv.hash(&mut hasher);
    }
    game.result.hash(&mut hasher);
    hasher.finish()
}

/// A game of a pair, for the results.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Leg {
    engines: [usize; 2],
    /// Half points of the first mover.
    half_points: u8,
    /// Points on the board of the first mover over the other's.
    margin: Option<i32>,
    fingerprint: u64,
}

impl Leg {
    /// Half points and margin of the engine with the smaller index.
    fn seen(&self) -> (u8, Option<i32>) {
        if self.engines[0] < self.engines[1] {
            (self.half_points, self.margin)
        } else {
            (2 - self.half_points, self.margin.map(|margin| -margin))
        }
    }
}

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
    /// Games that were void and are not recorded, by the reason.
    pub voids: BTreeMap<&'static str, u64>,
    /// Milliseconds of all games, and those in which no engine was thinking.
    pub total_ms: (f64, f64),
    /// Plies that engines played.
    pub plies: u64,
    /// All games, repeats too.
    pub games: u64,
    clocks: Vec<Option<TimeControl>>,
    /// First games of pairs without the second.
    open: HashMap<u64, Leg>,
    known_games: HashSet<u64>,
    known_pairs: HashSet<[u64; 2]>,
    /// Numbers of the pairs that do not count.
    repeated: HashSet<u64>,
}

impl Tally {
    pub(crate) fn new(settings: &MatchSettings) -> Self {
        Self {
            engines: vec![EngineTally::default(); settings.engines.len()],
            clocks: (settings.engines.iter())
                .map(|spec| spec.limits.clock)
                .collect(),
            ..Self::default()
        }
    }

    pub(crate) fn of<'a>(
        settings: &MatchSettings,
        games: impl IntoIterator<Item = &'a GameRecord>,
    ) -> Self {
        let mut tally = Self::new(settings);
        games.into_iter().for_each(|game| tally.add(game));
        tally
    }

    /// Whether a game counts: it belongs to no pair that repeats another one.
    #[must_use]
    pub fn counts(&self, game: &GameRecord) -> bool {
        !self.repeated.contains(&game.id.pair)
    }

    /// Games that repeat others.
    #[must_use]
    pub const fn repeats(&self) -> u64 {
        self.games - self.first_mover.games()
    }

    pub(crate) fn add(&mut self, game: &GameRecord) {
        for (engine, side) in game.engines.into_iter().zip([Side::First, Side::Second]) {
            self.engines[engine].add(game, side, self.clocks[engine]);
        }
        self.games += 1;
        *self.reasons.entry(game.reason.to_string()).or_default() += 1;
        self.total_ms.0 += game.total_ms;
        self.total_ms.1 += game.overhead_ms;
        self.plies += game.moves.len() as u64;
        let leg = Leg {
            engines: game.engines,
            half_points: game.result.half_points(Side::First),
            margin: game.points.map(|[p1, p2]| p1 - p2),
            fingerprint: fingerprint(game),
        };
        self.add_leg(game.id.pair, leg);
    }

    fn add_leg(&mut self, pair: u64, leg: Leg) {
        let is_new = self.known_games.insert(leg.fingerprint);
        let Some(first) = self.open.remove(&pair) else {
            // A repeated game waits for the other one of its pair.
            self.open.insert(pair, leg);
            if is_new {
                self.count(&leg, 1);
            } else {
                self.repeated.insert(pair);
            }
            return;
        };
        let first_counts = !self.repeated.remove(&pair);
        let mut both = [first.fingerprint, leg.fingerprint];
        both.sort_unstable();
        let is_new = self.known_pairs.insert(both);
        match (is_new, first_counts) {
            (true, false) => self.count(&first, 1),
            (false, true) => self.count(&first, -1),
            _ => {}
        }
        if is_new {
            self.count(&leg, 1);
        } else {
            self.repeated.insert(pair);
        }
        let meeting = self.meetings.entry(sorted(leg.engines)).or_default();
        if !is_new {
            meeting.repeats += 1;
            meeting.repeats_in_a_row += 1;
            return;
        }
        meeting.repeats_in_a_row = 0;
        let [(a, margin_a), (b, margin_b)] = [first.seen(), leg.seen()];
        meeting.pairs.add(a + b);
        if let (Some(a), Some(b)) = (margin_a, margin_b) {
            meeting.margins.add(f64::from(a + b));
        }
    }

    /// Adds or takes back a game's result.
    fn count(&mut self, leg: &Leg, by: i64) {
        let [first, second] = leg.engines;
        self.first_mover.add(leg.half_points, by);
        self.engines[first].wdl.add(leg.half_points, by);
        self.engines[second].wdl.add(2 - leg.half_points, by);
        let meeting = self.meetings.entry(sorted(leg.engines)).or_default();
        meeting.wdl.add(leg.seen().0, by);
    }
}

fn sorted([a, b]: [usize; 2]) -> [usize; 2] {
    [a.min(b), a.max(b)]
}
