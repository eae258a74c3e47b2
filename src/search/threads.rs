//! Iterative deepening, the lines at the root, and the threads that help.
//!
//! Lazy SMP: every thread searches the same root on its own, and they meet
//! only in the table. Odd threads begin one ply deeper, so that they run
//! ahead instead of alongside. The main thread alone keeps time and reports.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::alphabeta::{Line, Shared, Worker, extend};
use super::limits::{Control, Limits, Plan, Timer};
use super::order::History;
use super::score::{Bound, Score, Window};
use super::table::Table;
use super::{Evaluate, Info, Report};
use crate::game::Game;

/// No iteration is deeper: every game is over long before.
const MAX_DEPTH: u32 = 40;
/// Time after which results beyond an aspiration window are told.
const NEWS_AFTER: Duration = Duration::from_secs(1);
/// First half width of an aspiration window, in centipoints.
const ASPIRATION: i32 = 60;

/// A move of the root with what is known of it.
#[derive(Clone, Debug)]
struct RootMove<M> {
    mv: M,
    score: Score,
    bound: Bound,
    line: Vec<M>,
    seldepth: usize,
}

/// Searches a position with `threads` threads within `limits`.
///
/// `on_info` hears of each line of each finished depth, and after a second of
/// results beyond an aspiration window. With one thread and limits other than time, the
/// search is deterministic: it depends on the arguments and on what the table
/// holds. With `infinite` or `ponder` it does not return before the
/// [`Control`] says so, even when there is nothing left to find out.
pub fn search<G: Game, E: Evaluate<G>>(
    position: &G,
    limits: &Limits<G::Move>,
    threads: NonZeroUsize,
    table: &Table,
    eval: &E,
    control: &Control,
    mut on_info: impl FnMut(&Info<G::Move>),
) -> Report<G::Move> {
    let begin = Instant::now();
    table.new_search();
    let own_moves = position.plies_left().div_ceil(2);
    let plan = Plan::new(limits.time, limits.overhead, own_moves);
    let timer = Timer::new(control, begin, limits.ponder, plan);
    let shared = Shared {
        table,
        done: AtomicBool::new(false),
        visited: (0..threads.get()).map(|_| Default::default()).collect(),
    };
    let root = root_moves(position, limits);
    let quota = limits.nodes.unwrap_or(u64::MAX) / threads.get() as u64;
    let worker = |index: usize| Worker {
        index,
        eval,
        shared: &shared,
        timer: (index == 0).then_some(&timer),
        quota,
        nodes: 0,
        seldepth: 0,
        history: History::new(),
        selective: !limits.full_width,
    };
    let lines = std::thread::scope(|scope| {
        // Also when this thread panics: the scope waits for the helpers.
        let done = OnDrop(&shared.done);
        for index in 1..threads.get() {
            let (root, mut worker) = (root.clone(), worker(index));
            let help = move || {
                let mut tree = Root {
                    position,
                    limits,
                    moves: root,
                };
                tree.deepen(&mut worker, |_, _| true);
            };
            // One helper fewer is no reason to give no answer.
            let _ = std::thread::Builder::new().spawn_scoped(scope, help);
        }
        let mut main = worker(0);
        let mut tree = Root {
            position,
            limits,
            moves: root,
        };
        let lines = tree.lead(&mut main, &mut on_info);
        limits.linger(control);
        main.publish();
        drop(done);
        lines
    });
    let pv = lines.first().map(|info| info.pv.as_slice()).unwrap_or(&[]);
    Report {
        best: pv.first().copied(),
        ponder: pv.get(1).copied(),
        nodes: shared.nodes(),
        time: timer.elapsed(),
        lines,
    }
}

/// Raises a flag at the end of its life.
struct OnDrop<'a>(&'a AtomicBool);

impl Drop for OnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The moves to search: those asked for that are legal, or all.
fn root_moves<G: Game>(position: &G, limits: &Limits<G::Move>) -> Vec<RootMove<G::Move>> {
    let wanted = &limits.search_moves;
    position
        .moves()
        .into_iter()
        .filter(|mv| wanted.is_empty() || wanted.contains(mv))
        .map(|mv| RootMove {
            mv,
            score: -Score::INFINITY,
            bound: Bound::Exact,
            line: vec![mv],
            seldepth: 1,
        })
        .collect()
}

/// The root of one thread's tree.
struct Root<'a, G: Game> {
    position: &'a G,
    limits: &'a Limits<G::Move>,
    moves: Vec<RootMove<G::Move>>,
}

impl<G: Game> Root<'_, G> {
    /// The main thread's search: deepens, reports, and decides when it is
    /// enough. Returns the lines of the last finished depth; when not even the
    /// first was finished, a line of one legal move.
    fn lead<E: Evaluate<G>>(
        &mut self,
        worker: &mut Worker<'_, E>,
        on_info: &mut impl FnMut(&Info<G::Move>),
    ) -> Vec<Info<G::Move>> {
        let Some(timer) = worker.timer else {
            return Vec::new();
        };
        if self.moves.is_empty() {
            return Vec::new();
        }
        let count = self.limits.multi_pv.clamp(1, self.moves.len());
        let snapshot = |tree: &Self, worker: &Worker<'_, E>, depth, rank: usize| {
            let root = &tree.moves[rank];
            worker.publish();
            Info {
                depth,
                seldepth: root.seldepth as u32,
                multipv: rank + 1,
                score: root.score,
                bound: root.bound,
                proven: root.score.is_decisive() && root.bound == Bound::Exact,
                nodes: worker.shared.nodes(),
                time: timer.elapsed(),
                hashfull: worker.shared.table.hashfull(),
                pv: root.line.clone(),
            }
        };
        let mut lines = vec![snapshot(self, worker, 0, 0)];
        lines[0].score = Score::ZERO;
        let mut stable = 0;
        self.deepen(worker, |event, (tree, worker)| match event {
            Event::Beyond { depth, rank } => {
                // Of interest only to somebody who has to wait for the value.
                if timer.elapsed() >= NEWS_AFTER {
                    on_info(&snapshot(tree, worker, depth, rank));
                }
                true
            }
            Event::Depth(depth) => {
                let last_best = lines[0].pv.first().copied();
                lines = (0..count)
                    .map(|rank| snapshot(tree, worker, depth, rank))
                    .collect();
                lines.iter().for_each(&mut *on_info);
                stable = if lines[0].pv.first().copied() == last_best {
                    stable + 1
                } else {
                    0
                };
                !tree.is_enough(&lines, timer, stable)
            }
            Event::Stopped { depth } => {
                // What the unfinished depth found better is worth having.
                let root = &tree.moves[0];
                if root.score > -Score::INFINITY && root.bound != Bound::Upper && count == 1 {
                    lines = vec![snapshot(tree, worker, depth, 0)];
                    on_info(&lines[0]);
                }
                false
            }
        });
        lines
    }

    /// Whether the lines found leave nothing to gain in the time left.
    fn is_enough(&self, lines: &[Info<G::Move>], timer: &Timer<'_>, stable: u32) -> bool {
        let best = &lines[0];
        if let (Some(wanted), Some(found)) = (self.limits.mate, best.score.mate_plies())
            && found.unsigned_abs() <= wanted
        {
            return true;
        }
        let stretch = match stable {
            0 => 1.5,
            1 => 1.1,
            2 => 0.9,
            _ => 0.75,
        };
        let settled = self.moves.len() == 1 || lines.iter().all(|line| line.score.is_decisive());
        timer.is_enough(stretch) || (settled && timer.is_on_clock())
    }

    /// Searches deeper and deeper; tells `on_event` of what it finds, which
    /// answers whether to go on.
    fn deepen<E: Evaluate<G>>(
        &mut self,
        worker: &mut Worker<'_, E>,
        mut on_event: impl FnMut(Event, (&Self, &Worker<'_, E>)) -> bool,
    ) {
        let deepest = self.limits.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH);
        let left = self.position.plies_left().max(1);
        // Reductions eat nominal depth, but not more than all of it twice.
        let end = if worker.selective { 2 * left } else { left };
        let deepest = deepest.min(end);
        let lines = self.limits.multi_pv.clamp(1, self.moves.len().max(1));
        for depth in 1 + (worker.index as u32 & 1)..=deepest {
            let guesses: Vec<Score> = self.moves.iter().map(|root| root.score).collect();
            for root in &mut self.moves {
                root.score = -Score::INFINITY;
            }
            for (rank, guess) in guesses.into_iter().take(lines).enumerate() {
                worker.seldepth = 0;
                let finished = self.aspire(worker, depth, rank, guess, &mut on_event);
                if finished.is_none() {
                    on_event(Event::Stopped { depth }, (self, worker));
                    return;
                }
            }
            // Ranks found one after the other may overtake each other.
            self.moves[..lines].sort_by_key(|root| std::cmp::Reverse(root.score));
            if !on_event(Event::Depth(depth), (self, worker)) {
                return;
            }
        }
    }

    /// One line of one depth, in windows that widen until the value fits.
    fn aspire<E: Evaluate<G>>(
        &mut self,
        worker: &mut Worker<'_, E>,
        depth: u32,
        rank: usize,
        guess: Score,
        on_event: &mut impl FnMut(Event, (&Self, &Worker<'_, E>)) -> bool,
    ) -> Option<()> {
        let mut delta = ASPIRATION;
        let mut window = if depth < 3 || guess.is_decisive() {
            Window::FULL
        } else {
            Window::around(guess, delta)
        };
        loop {
            let best = self.pass(worker, window, depth, rank)?;
            match window.bound_of(best) {
                Bound::Exact => return Some(()),
                Bound::Lower => window.beta = best.offset(delta),
                Bound::Upper => window.alpha = best.offset(-delta),
            }
            on_event(Event::Beyond { depth, rank }, (self, worker));
            delta *= 4;
            if delta > 1000 || best.is_decisive() {
                window = Window::FULL;
            }
        }
    }

    /// Searches the moves from `rank` on within a window; the best comes to
    /// `rank`, the others keep their order.
    fn pass<E: Evaluate<G>>(
        &mut self,
        worker: &mut Worker<'_, E>,
        window: Window,
        depth: u32,
        rank: usize,
    ) -> Option<Score> {
        worker.visit(0)?;
        let Window { mut alpha, beta } = window;
        let mut best = -Score::INFINITY;
        let mut below = Line::new();
        for index in rank..self.moves.len() {
            let mv = self.moves[index].mv;
            let next = self.position.play(mv);
            let rest = Window { alpha, beta };
            let below_depth = depth as i32 - 1;
            let null = Window::null_above(alpha);
            let mut score = -Score::INFINITY;
            if index > rank {
                score = -worker.search(&next, -null, below_depth, 1, &mut below)?;
            }
            if index == rank || (score > alpha && !window.is_null()) {
                score = -worker.search(&next, -rest, below_depth, 1, &mut below)?;
            }
            if score <= best && index > rank {
                continue;
            }
            best = best.max(score);
            if score > alpha || index == rank {
                let root = &mut self.moves[index];
                root.score = score;
                root.bound = window.bound_of(score);
                root.seldepth = worker.seldepth;
                if score > alpha {
                    let mut line = Line::new();
                    extend(&mut line, mv, &below);
                    root.line = line.to_vec();
                }
                alpha = alpha.max(score);
                self.moves[rank..=index].rotate_right(1);
            }
            if score >= beta {
                break;
            }
        }
        Some(best)
    }
}

/// What happens while a tree is searched deeper.
enum Event {
    /// A line's value lies beyond its window.
    Beyond { depth: u32, rank: usize },
    /// All lines of a depth are known.
    Depth(u32),
    /// The search was stopped within a depth.
    Stopped { depth: u32 },
}
