//! What ends a search: limits, commands from outside, and the time.

use std::sync::OnceLock;
use std::time::Duration;

use super::clock::Instant;
use super::level::Level;
use super::stop::Stop;
use super::tuning::Tuning;
use crate::game::{Game, Move};

/// The clock of one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// Time left.
    pub left: Duration,
    /// Added after each move.
    pub increment: Duration,
    /// Moves until more time is added, if the time control has periods.
    pub moves_to_go: Option<u32>,
}

/// How long a search may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TimeLimit {
    /// As long as the other limits allow.
    #[default]
    None,
    /// This long, less the overhead; shorter if nothing is left to find.
    MoveTime(Duration),
    /// As the clock of the side to move allows.
    Clock(Clock),
}

/// What ends a search of a position; several may be set at once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limits<M> {
    /// Deepest iteration, in plies, at least 1.
    pub depth: Option<u32>,
    /// Positions visited, over all threads; at least one per thread.
    pub nodes: Option<u64>,
    /// Stop at a proven win or loss within this many plies.
    pub mate: Option<u32>,
    /// Time that the search may take.
    pub time: TimeLimit,
    /// Answer only when told to stop.
    pub infinite: bool,
    /// Think in the opponent's time: as `infinite` until
    /// [`Control::ponderhit`], then by the other limits.
    pub ponder: bool,
    /// Search only these moves of the position; all if none of them is legal.
    pub search_moves: Vec<M>,
    /// Number of best lines wanted, at least 1.
    pub multi_pv: usize,
    /// Prune nothing and reduce nothing: the search returns the values of plain
    /// minimax at each depth (or at a greater one that the table knows), with
    /// [`Policy::TEMPO`](super::Policy::TEMPO) added to static values, at the price of
    /// depth. Only alpha-beta supports this.
    pub full_width: bool,
    /// Time that each move loses between the engine and the clock.
    pub overhead: Duration,
    /// How well to play; below full strength the solver is not asked about the
    /// position itself. Has no effect with `mate`, nor on
    /// [`search`](super::search()), which plays at full strength.
    pub level: Level,
    /// The parameters of alpha-beta, if not those of the game; a value out of its
    /// range counts as the nearest one in it.
    pub tuning: Option<Box<Tuning>>,
}

impl<M> Default for Limits<M> {
    fn default() -> Self {
        Self {
            depth: None,
            nodes: None,
            mate: None,
            time: TimeLimit::None,
            infinite: false,
            ponder: false,
            search_moves: Vec::new(),
            multi_pv: 1,
            full_width: false,
            overhead: Duration::ZERO,
            level: Level::default(),
            tuning: None,
        }
    }
}

impl<M> Limits<M> {
    /// A search to a depth in plies.
    #[must_use]
    pub fn depth(plies: u32) -> Self {
        Self {
            depth: Some(plies),
            ..Self::default()
        }
    }

    /// A search of a number of nodes.
    #[must_use]
    pub fn nodes(nodes: u64) -> Self {
        Self {
            nodes: Some(nodes),
            ..Self::default()
        }
    }

    /// A search that takes this time.
    #[must_use]
    pub fn move_time(time: Duration) -> Self {
        Self {
            time: TimeLimit::MoveTime(time),
            ..Self::default()
        }
    }

    /// Whether the search ends by itself, without a command.
    pub(crate) fn is_bounded(&self) -> bool {
        !self.infinite
            && !self.ponder
            && (self.depth.is_some()
                || self.nodes.is_some()
                || self.mate.is_some()
                || self.time != TimeLimit::None)
    }

    /// The depth after which alpha-beta finds nothing new.
    pub(super) fn deepest<G: Game<Move = M>>(&self, position: &G) -> u32 {
        let left = position.plies_left().max(1);
        // Reductions use up nominal depth, by a rule of thumb no more than half.
        if self.full_width { left } else { 2 * left }
    }

    pub(crate) fn lines(&self) -> usize {
        self.multi_pv.max(1)
    }

    /// The legal moves of a position that were asked for, or all of its moves if
    /// there are none.
    pub(crate) fn root_moves<G: Game<Move = M>>(&self, position: &G) -> Vec<M>
    where
        M: Move,
    {
        let legal = position.moves();
        let wanted = |mv: &&M| self.search_moves.contains(mv);
        let moves: Vec<M> = legal.iter().filter(wanted).copied().collect();
        if moves.is_empty() {
            legal.to_vec()
        } else {
            moves
        }
    }

    /// Holds the answer of a finished search back until it may be given: with
    /// `infinite` or `ponder` not before the control says so.
    pub(crate) fn hold_answer(&self, control: &Control) {
        if self.infinite || self.ponder {
            control.wait(self.ponder && !self.infinite);
        }
    }
}

/// Commands for a running search: `stop` and `ponderhit`. Each search has a control
/// of its own, so that no command can reach another search.
#[derive(Debug, Default)]
pub struct Control {
    pub(crate) stop: Stop,
    /// When the ponder move was played, if it has been.
    hit: OnceLock<Instant>,
}

impl Control {
    /// The control of a search that ends when this stop comes.
    pub(crate) const fn new(stop: Stop) -> Self {
        Self {
            stop,
            hit: OnceLock::new(),
        }
    }

    /// Ends the search as soon as possible.
    pub fn stop(&self) {
        self.stop.now();
    }

    /// Whether the search has to end.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.is_stopped()
    }

    /// The expected move was played: the clock runs from now.
    pub fn ponderhit(&self) {
        self.hit.get_or_init(Instant::now);
        self.stop.wake();
    }

    pub(crate) fn is_hit(&self) -> bool {
        self.hit.get().is_some()
    }

    /// Waits for `stop`, or with `ponder` also for `ponderhit`.
    pub(crate) fn wait(&self, ponder: bool) {
        self.stop.wait_or(|| ponder && self.is_hit());
    }
}

/// Plies before the end at which a player of either game with one second on the clock
/// has usually proved the result, and so needs no more time.
const PROVED: f64 = 18.6;
/// By how many plies twice the time brings that forward.
const PROVED_BY_DOUBLE: f64 = 0.6;
/// The time of a move as a part of the next open move's: the nearer the proof, the more
/// depends on each ply of depth.
const EARLIER: f64 = 0.8;
/// Moves that are assumed to be open if the result should have been proved by now.
const STILL_OPEN: f64 = 1.75;
/// Part of the time left that a move may take.
const MOST: f64 = 0.45;
/// The same for the last move before more time is added.
const MOST_OF_LAST: f64 = 0.8;

/// The time a search has, planned once from its limits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TimePlan {
    /// No new iteration begins after this.
    pub(crate) soft: Option<Duration>,
    /// The search ends here.
    pub(crate) hard: Option<Duration>,
}

impl TimePlan {
    /// Plans for a position from which the game lasts at most `plies_left` plies.
    pub(crate) fn new<M>(limits: &Limits<M>, plies_left: u32) -> Self {
        let hard = match limits.time {
            TimeLimit::None => None,
            // A little is kept back so that the answer arrives in time.
            TimeLimit::MoveTime(time) => Some(time - limits.overhead.min(time / 5)),
            TimeLimit::Clock(clock) => return Self::for_clock(clock, limits.overhead, plies_left),
        };
        Self { soft: None, hard }
    }

    /// Divides the time among the moves that are likely to be made before the result
    /// is proved, in a geometric series.
    fn for_clock(clock: Clock, overhead: Duration, plies_left: u32) -> Self {
        let moves = plies_left
            .div_ceil(2)
            .min(clock.moves_to_go.unwrap_or(u32::MAX))
            .max(1);
        // Moves that are proved take no time, but lose the overhead. The increment pays
        // for a part of it.
        let lost = overhead
            .saturating_mul(moves.saturating_add(1))
            .saturating_sub(clock.increment.saturating_mul(moves) / 2);
        let reserve = lost.min(clock.left / 4).max(overhead.saturating_mul(2));
        let left = clock.left.saturating_sub(reserve).as_secs_f64();
        let proved = PROVED + PROVED_BY_DOUBLE * left.max(1e-3).log2();
        let open = ((f64::from(plies_left) - proved) / 2.0).max(STILL_OPEN);
        let open = open.min(f64::from(moves));
        let part = (1.0 - EARLIER) * EARLIER.powf(open - 1.0) / (1.0 - EARLIER.powf(open));
        let increment = clock
            .increment
            .saturating_sub(overhead)
            .as_secs_f64()
            .min(left);
        let share = left * part + 0.75 * increment;
        let most = if moves == 1 { MOST_OF_LAST } else { MOST };
        let hard = (3.0 * share).min(most * left);
        let soft = (0.9 * share).min(hard);
        Self {
            soft: Some(Duration::from_secs_f64(soft)),
            hard: Some(Duration::from_secs_f64(hard)),
        }
    }
}

#[derive(Debug)]
pub(crate) struct Timer<'a> {
    pub(crate) control: &'a Control,
    begin: Instant,
    ponder: bool,
    plan: TimePlan,
}

impl<'a> Timer<'a> {
    pub(crate) fn new<G: Game>(
        position: &G,
        limits: &Limits<G::Move>,
        control: &'a Control,
    ) -> Self {
        Self {
            control,
            begin: Instant::now(),
            ponder: limits.ponder,
            plan: TimePlan::new(limits, position.plies_left()),
        }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.begin.elapsed()
    }

    /// Time used on the engine's clock: none while pondering.
    fn used(&self) -> Option<Duration> {
        if self.ponder {
            self.control.hit.get().map(|hit| hit.elapsed())
        } else {
            Some(self.elapsed())
        }
    }

    pub(crate) fn is_over(&self) -> bool {
        self.control.stop.is_stopped() || self.is_past(self.plan.hard, 1.0)
    }

    /// Whether another iteration is not worth its time; `stretch` scales the
    /// time planned.
    pub(crate) fn is_enough(&self, stretch: f64) -> bool {
        self.control.stop.is_raised() || self.is_past(self.plan.soft, stretch)
    }

    /// Time until the search has to end; `None` when nothing is set or while
    /// pondering.
    pub(crate) fn left(&self) -> Option<Duration> {
        Some(self.plan.hard?.saturating_sub(self.used()?))
    }

    /// Whether the search is on a clock that runs now.
    pub(crate) fn is_on_clock(&self) -> bool {
        self.plan.soft.is_some() && self.used().is_some()
    }

    fn is_past(&self, limit: Option<Duration>, stretch: f64) -> bool {
        let Some(limit) = limit else { return false };
        self.used()
            .is_some_and(|used| used >= limit.mul_f64(stretch))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OVERHEAD: Duration = Duration::from_millis(10);

    /// The soft and the hard limit.
    fn plan(
        left: Duration,
        increment: Duration,
        moves_to_go: Option<u32>,
        plies: u32,
    ) -> [Duration; 2] {
        let clock = Clock {
            left,
            increment,
            moves_to_go,
        };
        let limits = Limits::<crate::game::YoxiiMove> {
            time: TimeLimit::Clock(clock),
            overhead: OVERHEAD,
            ..Limits::default()
        };
        let plan = TimePlan::new(&limits, plies);
        [plan.soft, plan.hard].map(|limit| limit.expect("a clock limits a search"))
    }

    /// Milliseconds on the clock.
    const CLOCKS: [u64; 9] = [0, 1, 19, 50, 400, 2_000, 10_000, 60_000, 3_600_000];

    #[test]
    fn no_plan_takes_more_than_is_left() {
        for left in CLOCKS.map(Duration::from_millis) {
            for increment in [0, 5, 20, 60_000].map(Duration::from_millis) {
                for moves_to_go in [None, Some(1), Some(2), Some(7), Some(40)] {
                    for plies in 0..=36 {
                        let [soft, hard] = plan(left, increment, moves_to_go, plies);
                        let case = format!("{left:?}+{increment:?} {moves_to_go:?} {plies}");
                        let spare = left.saturating_sub(OVERHEAD);
                        assert!(soft <= hard && hard <= spare, "{case}: {soft:?} {hard:?}");
                        assert!(left <= 2 * OVERHEAD || soft > Duration::ZERO, "{case}");
                    }
                }
            }
        }
    }

    #[test]
    fn more_time_and_fewer_moves_give_a_move_more() {
        let clocks = CLOCKS.map(Duration::from_millis);
        let increment = Duration::from_millis(20);
        for moves_to_go in [None, Some(5)] {
            for plies in 1..=36 {
                let plan = |left, plies| plan(left, increment, moves_to_go, plies);
                for pair in clocks.windows(2) {
                    let [less, more] = [pair[0], pair[1]].map(|left| plan(left, plies));
                    assert!(less[0] <= more[0] && less[1] <= more[1], "{pair:?} {plies}");
                }
                for left in clocks {
                    let [later, sooner] = [plies - 1, plies].map(|plies| plan(left, plies));
                    let is_more = later[0] >= sooner[0] && later[1] >= sooner[1];
                    assert!(is_more, "{left:?} {plies}");
                }
            }
        }
        let soft = |increment, moves_to_go| plan(clocks[5], increment, moves_to_go, 32)[0];
        assert!(soft(increment, None) > soft(Duration::ZERO, None));
        assert!(soft(increment, Some(3)) > soft(increment, Some(4)));
    }

    /// Even if all searches take as long as they may.
    #[test]
    fn a_clock_lasts_for_a_whole_game() {
        let lost = Duration::from_millis(1);
        for (base, increment, period) in [(1_000, 0, None), (2_000, 20, None), (600, 0, Some(4))] {
            let [base, increment] = [base, increment].map(Duration::from_millis);
            let mut left = base;
            for (made, plies) in (0..).zip((1..=36).rev().step_by(2)) {
                let moves_to_go = period.map(|period| period - made % period);
                let [_, hard] = plan(left, increment, moves_to_go, plies);
                left = left.checked_sub(hard + lost).expect("time is left");
                left += increment;
                if moves_to_go == Some(1) {
                    left += base;
                }
            }
        }
    }

    #[test]
    fn open_moves_get_more_and_more_and_leave_little() {
        for seconds in [1, 5, 60, 3600] {
            let base = Duration::from_secs(seconds);
            let (mut left, mut last) = (base, Duration::ZERO);
            for plies in (20..=32).rev().step_by(2) {
                let [soft, _] = plan(left, Duration::ZERO, None, plies);
                assert!(soft > last || left < base * 2 / 3, "{base:?} {plies}");
                left -= soft;
                last = soft;
            }
            assert!(left < base / 3, "{left:?} of {base:?}");
        }
    }
}
