//! How long a move may take: the one place that decides it.
//!
//! The time is planned once, when a request arrives. Everything that works on the answer
//! reads the same [`Timer`]: the solver and either search. A clock is divided among the
//! moves that come before the result can be proved, or before more time is added, and each
//! of them gets a quarter more than the one before ([`Plan`]). A search takes less if its
//! best move stays the same, and more if it changes or its value falls ([`Stability`]).

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use super::heuristics::Heuristics;
use super::limits::{Clock, Limits};
use super::score::Score;
use crate::host::Instant;
use crate::stop::Stop;

/// Plies before the end at which a player of either game with one second on the clock
/// has usually proved the result, and so needs no more time.
const PROOF_PLIES: f64 = 18.6;
/// How many plies earlier twice the time proves the result.
const PROOF_PLIES_PER_DOUBLING: f64 = 0.6;
/// The ratio of the time of a move to that of the next open one: the nearer the proof, the more
/// depends on each ply of depth.
const TIME_RATIO: f64 = 0.8;
/// Moves that are assumed to be open if the result should have been proved by now.
const MIN_OPEN_MOVES: f64 = 1.75;
/// Part of the time left that a move may take.
const MAX_SHARE: f64 = 0.45;
/// The same for the last move before more time is added.
const MAX_SHARE_OF_LAST: f64 = 0.8;
/// Part of the increment that a move uses up.
const INCREMENT_SHARE: f64 = 0.75;
/// The longest time of a move, and the time after which no iteration begins, as parts of its
/// share of the clock.
const HARD_FACTOR: f64 = 3.0;
const SOFT_FACTOR: f64 = 0.9;
/// Part of the time left that may be used to choose among moves of equal value.
const TRAP_SHARE: f64 = 0.4;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Plan {
    /// No new iteration begins after this.
    soft: Option<Duration>,
    /// The search ends here.
    hard: Option<Duration>,
}

impl Plan {
    /// Plans for a position from which the game lasts at most `plies_left` plies.
    fn new<M>(limits: &Limits<M>, plies_left: u32) -> Self {
        match (limits.move_time, limits.clock) {
            (Some(time), _) => Self {
                soft: None,
                hard: Some(less_overhead(time, limits.overhead)),
            },
            (None, Some(clock)) => Self::for_clock(clock, limits.overhead, plies_left),
            (None, None) => Self::default(),
        }
    }

    /// Divides the time among the moves that are likely to be made before the result
    /// is proved, in a geometric series.
    fn for_clock(clock: Clock, overhead: Duration, plies_left: u32) -> Self {
        let moves = plies_left.div_ceil(2);
        let moves = moves.min(clock.moves_to_go.unwrap_or(u32::MAX)).max(1);
        // Moves that are proved take no time, but lose the overhead. The increment pays
        // for a part of it.
        let lost = overhead
            .saturating_mul(moves.saturating_add(1))
            .saturating_sub(clock.increment.saturating_mul(moves) / 2);
        let reserve = lost.min(clock.left / 4).max(overhead.saturating_mul(2));
        let left = clock.left.saturating_sub(reserve).as_secs_f64();
        let proved = PROOF_PLIES + PROOF_PLIES_PER_DOUBLING * left.max(1e-3).log2();
        let open = ((f64::from(plies_left) - proved) / 2.0).max(MIN_OPEN_MOVES);
        let open = open.min(f64::from(moves));
        let part = (1.0 - TIME_RATIO) * TIME_RATIO.powf(open - 1.0) / (1.0 - TIME_RATIO.powf(open));
        let increment = clock.increment.saturating_sub(overhead).as_secs_f64();
        let increment = increment.min(left);
        let share = left * part + INCREMENT_SHARE * increment;
        let most = match moves {
            1 => MAX_SHARE_OF_LAST,
            _ => MAX_SHARE,
        };
        let hard = (HARD_FACTOR * share).min(most * left);
        let soft = (SOFT_FACTOR * share).min(hard);
        Self {
            soft: Some(Duration::from_secs_f64(soft)),
            hard: Some(Duration::from_secs_f64(hard)),
        }
    }
}

/// What may be used of the time for one move, so that the answer arrives in time: a little
/// is kept back, but a fifth at most.
pub(crate) fn less_overhead(time: Duration, overhead: Duration) -> Duration {
    time - overhead.min(time / 5)
}

/// The clock of one request, which its commands and its searches share.
#[derive(Debug)]
pub(crate) struct Timer {
    /// Ends the search at once.
    pub(crate) stop: Stop,
    begin: Instant,
    /// Since when the time counts. While the engine ponders, it does not.
    running: OnceLock<Instant>,
    /// Comes when pondering ends: what began before knows no time limit.
    pondering: Stop,
    /// Whether the engine has pondered for as long as it would have searched.
    has_pondered_enough: AtomicBool,
    plan: Plan,
    is_bounded: bool,
    /// Whether the answer has to wait for the stop.
    infinite: bool,
    failed_proof_micros: AtomicU64,
}

impl Timer {
    /// Plans the time for a position from which the game lasts at most `plies_left`
    /// plies, and begins to count it, unless the engine is to ponder.
    pub(crate) fn new<M>(limits: &Limits<M>, plies_left: u32, stop: &Stop) -> Self {
        let begin = Instant::now();
        let stop = stop.child();
        Self {
            pondering: stop.child(),
            has_pondered_enough: AtomicBool::new(false),
            stop,
            begin,
            running: match limits.ponder {
                true => OnceLock::new(),
                false => begin.into(),
            },
            plan: Plan::new(limits, plies_left),
            is_bounded: limits.is_bounded(),
            infinite: limits.infinite,
            failed_proof_micros: AtomicU64::new(0),
        }
    }

    /// The clock of work that is no search; `is_bounded` says whether it ends by itself.
    pub(crate) fn of_work(is_bounded: bool, stop: &Stop) -> Self {
        Self {
            is_bounded,
            ..Self::new(&Limits::<()>::default(), 0, stop)
        }
    }

    /// The expected move was played: the time counts from now. Without any limit, the
    /// answer is due. Has no effect if the engine does not ponder or is to answer at the
    /// stop only.
    pub(crate) fn ponderhit(&self) {
        if self.infinite || self.is_running() {
            return;
        }
        self.running.get_or_init(Instant::now);
        self.pondering.now();
        match self.is_bounded {
            true => self.stop.wake(),
            false => self.stop.now(),
        }
    }

    fn is_running(&self) -> bool {
        self.running.get().is_some()
    }

    /// Whether an answer may be given although nobody has asked for the stop.
    pub(crate) fn is_due(&self) -> bool {
        self.is_running() && !self.infinite
    }

    /// Whether the work ends soon or within limits, without another command.
    pub(crate) fn ends_by_itself(&self) -> bool {
        self.stop.is_stopped() || self.is_bounded && self.is_due()
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.begin.elapsed()
    }

    /// Time used on the engine's clock: `None` while pondering.
    fn used(&self) -> Option<Duration> {
        self.running.get().map(|begin| begin.elapsed())
    }

    #[inline]
    pub(crate) fn is_over(&self) -> bool {
        let is_late = |used, hard| used >= hard || self.has_pondered_enough.load(Ordering::Relaxed);
        let is_past = |hard| self.used().is_some_and(|used| is_late(used, hard));
        self.stop.is_stopped() || self.plan.hard.is_some_and(is_past)
    }

    /// Notes the end of an iteration: if the time planned is over while pondering, the search
    /// ends when pondering does. Returns whether another one is not worth its time; `stretch`
    /// scales the time planned, to which the time of vain proofs is added.
    pub(crate) fn finish_iteration(&self, stretch: f64) -> bool {
        let vain = Duration::from_micros(self.failed_proof_micros.load(Ordering::Relaxed));
        let is_past = |soft: Duration| self.elapsed() >= soft.mul_f64(stretch) + vain;
        let (is_past, is_running) = (self.plan.soft.is_some_and(is_past), self.is_running());
        let has_pondered = is_past && !is_running;
        self.has_pondered_enough
            .store(has_pondered, Ordering::Relaxed);
        self.stop.is_known_stopped() || is_past && is_running
    }

    /// Time until the search has to end; `None` when nothing is set or while
    /// pondering.
    pub(crate) fn left(&self) -> Option<Duration> {
        Some(self.plan.hard?.saturating_sub(self.used()?))
    }

    /// A stop that also comes when the search has to end; what begins while the engine
    /// ponders on a limited time ends with the pondering.
    pub(crate) fn stop_at_end(&self) -> Stop {
        match (self.left(), self.plan.hard) {
            (Some(left), _) => self.stop.within(left),
            (None, Some(_)) => self.pondering.child(),
            (None, None) => self.stop.child(),
        }
    }

    /// The part of the time left that may be used to choose among moves of equal value.
    pub(crate) fn time_for_traps(&self) -> Duration {
        let share = self.left().unwrap_or_default().mul_f64(TRAP_SHARE);
        self.plan.soft.map_or(share, |soft| share.min(soft))
    }

    /// Gives the search back the time since then, by [`Timer::elapsed`], which the solver has
    /// used in vain; as far as the longest time of the move allows.
    pub(crate) fn give_time_back(&self, since: Duration) {
        let time = self.elapsed().saturating_sub(since);
        self.failed_proof_micros
            .fetch_add(time.as_micros() as u64, Ordering::Relaxed);
    }
}

/// How settled the best move of alpha-beta is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stability {
    /// Depths for which the best move has been the same.
    stable: u32,
    /// By how much the value fell at the last depth, in centipoints.
    fall: i32,
}

impl Stability {
    pub(super) fn note_depth(&mut self, is_same: bool, before: Score, now: Score) {
        self.stable = if is_same { self.stable + 1 } else { 0 };
        self.fall = before.centipoints() - now.centipoints();
    }

    /// The part of the planned time that the search should use.
    pub(super) fn stretch<G: Heuristics>(self) -> f64 {
        let doubt = match self.stable {
            0 => 1.5,
            1 => 1.1,
            2 => 0.9,
            _ => 0.75,
        };
        G::PLAN_USED * doubt * (1.0 + f64::from(self.fall.clamp(0, 100)) / 200.0)
    }
}

/// The part of the planned time that a tree search should use, by the part of its
/// simulations for which the best move has been the same.
pub(super) fn tree_stretch(stable: f64) -> f64 {
    if stable > 0.5 {
        0.9
    } else if stable > 0.2 {
        1.25
    } else {
        1.7
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
        let plan = Plan::for_clock(clock, OVERHEAD, plies);
        [plan.soft, plan.hard].map(|limit| limit.expect("a clock limits a search"))
    }

    /// An hour on the clock, of which the first move gets minutes.
    fn pondering() -> Timer {
        let clock = Clock {
            left: Duration::from_secs(3600),
            increment: Duration::ZERO,
            moves_to_go: None,
        };
        let limits = Limits::<()> {
            clock: Some(clock),
            overhead: OVERHEAD,
            ponder: true,
            ..Limits::default()
        };
        Timer::new(&limits, 36, &Stop::new())
    }

    #[test]
    fn a_search_that_has_pondered_enough_ends_with_the_pondering() {
        for (stretch, is_over) in [(0.0, true), (1.0, false)] {
            let timer = pondering();
            assert!(!timer.finish_iteration(stretch) && !timer.is_over());
            timer.ponderhit();
            assert_eq!(timer.is_over(), is_over);
            assert_eq!(timer.finish_iteration(stretch), is_over);
        }
        let timer = pondering();
        timer.finish_iteration(0.0);
        // Another iteration has cast doubt on the best move.
        timer.finish_iteration(1.0);
        timer.ponderhit();
        assert!(!timer.is_over());
    }

    #[test]
    fn what_begins_while_pondering_on_a_limited_time_ends_with_the_pondering() {
        let timer = pondering();
        let [early, unlimited] =
            [&timer, &Timer::of_work(false, &Stop::new())].map(Timer::stop_at_end);
        assert!(!early.is_stopped());
        timer.ponderhit();
        assert!(early.is_stopped() && !timer.stop_at_end().is_stopped());
        assert!(!timer.is_over() && !unlimited.is_stopped());
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
