//! The node function: principal variation search, fail-soft.
//!
//! Marsland and Campbell's refinement of alpha-beta: the first move is
//! searched with the whole window, the others with a null window that only
//! asks whether they are better, and again when they are.

use std::sync::atomic::Ordering;

use super::corrections::Judge;
use super::line::{Line, extend};
use super::picker::{History, Picker};
use super::reductions::{Drift, futility_margin, late_move_reduction};
use super::shared::Shared;
use super::table::Entry;
use crate::game::{Game, Move};
use crate::search::limits::Timer;
use crate::search::score::{Bound, MAX_PLY, Score, Window};
use crate::search::solver::{AT_HAND_NODES, Probe, Prover};
use crate::search::{Evaluate, Searchable};

/// One thread of a search.
pub(super) struct Worker<'a, G: Searchable, E> {
    pub(super) index: usize,
    pub(super) judge: Judge<'a, E>,
    pub(super) shared: &'a Shared<'a>,
    /// The main thread's stop watch; the others stop when it is done.
    pub(super) timer: Option<&'a Timer<'a>>,
    /// Positions that this thread may visit.
    pub(super) quota: u64,
    pub(super) nodes: u64,
    /// Number of nodes at which to look at the clock again.
    pub(super) next_look: u64,
    pub(super) seldepth: usize,
    /// The iteration that it is at.
    pub(super) iteration: u32,
    pub(super) history: &'a History,
    /// Whether moves may be reduced and left out.
    pub(super) selective: bool,
    /// For positions near the end.
    pub(super) prover: <G::Prover as Prover<G>>::Probe<'a>,
    /// Static values of the positions on the line that is searched, where they
    /// are known.
    pub(super) path: [Option<i32>; MAX_PLY],
}

/// Nodes between two looks at the clock.
const CLOCK_PERIOD: u64 = 16;

impl<G: Searchable, E: Evaluate<G>> Worker<'_, G, E> {
    /// Counts a position; `None` when the search has to end, or another thread
    /// has finished this iteration.
    pub(super) fn visit(&mut self, ply: usize) -> Option<()> {
        if self.nodes >= self.quota {
            return None;
        }
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        if self.nodes >= self.next_look {
            self.next_look = self.nodes + CLOCK_PERIOD;
            self.publish();
            if self.timer.is_some_and(Timer::is_over) {
                return None;
            }
        }
        let stopped = match self.timer {
            Some(timer) => timer.control.is_stopped(),
            None => self.shared.done.load(Ordering::Relaxed),
        };
        let has_to_end = stopped || self.shared.best.is_finished(self.iteration);
        (!has_to_end).then_some(())
    }

    /// Lets the other threads see how many positions this one has visited.
    pub(super) fn publish(&self) {
        self.shared.publish(self.index, self.nodes);
    }

    /// The value of a position `ply` plies below the root, searched `depth`
    /// plies deep; fail-soft. Its static value need not be found again where it
    /// is known. `None` when the search was stopped: then nothing of this node
    /// is known, and nothing was stored.
    pub(super) fn search(
        &mut self,
        position: &G,
        window: Window,
        depth: i32,
        ply: usize,
        line: &mut Line<G::Move>,
        known: Option<i32>,
    ) -> Option<Score> {
        self.visit(ply)?;
        line.clear();
        if depth <= 0 {
            return Some(self.leaf(position, ply, known));
        }
        // No line through here ends sooner than here: the side that cannot
        // move may be the one that wins.
        let beta = window.beta.min(Score::win_in(ply));
        let mut alpha = window.alpha.max(Score::loss_in(ply));
        if alpha >= beta {
            return Some(alpha);
        }

        let key = position.key();
        let found = self.shared.table.probe(key, ply);
        let answer = |found: Option<Entry>| {
            let entry = found.filter(|entry| window.is_null() && cuts(entry, window, depth));
            entry.map(|entry| entry.score)
        };
        if let Some(score) = answer(found) {
            return Some(score);
        }
        // Only where all that counts is on which side of an estimate it is.
        let may_cut = self.selective && window.is_null() && !window.is_decisive();
        if may_cut && let Some(score) = self.proof(position, window, depth, ply) {
            return Some(score);
        }
        let (known, drift) = self.follow(position, depth, ply, known);
        let table_move = found.map_or(0, |entry| entry.mv);
        if may_cut
            && table_move == 0
            && let Some(score) = self.guess(position, window, depth, known)
        {
            return Some(score);
        }
        let mut below = Line::new();
        let mut behind = self.judge.behind(position);
        let mut picker = Picker::new(position, table_move, depth);
        let shares = depth >= DEFER_DEPTH && !self.shared.busy.is_alone();

        let mut best = -Score::INFINITY;
        let mut best_move = 0;
        let mut searched = 0;
        loop {
            // At the end of the principal variation a variant left out would show
            // in the score.
            let is_end = depth == 1 && !window.is_null();
            let wants_all = !self.selective || best.is_loss() || is_end;
            let Some(ranked) = picker.next(self.history, &mut behind, wants_all) else {
                break;
            };
            let mv = ranked.mv;
            let margin = self.judge.scaled(futility_margin(depth, drift));
            let hopeless = alpha.centipoints() - margin;
            if self.selective
                && searched > 0
                && !best.is_loss()
                && ranked.value.is_some_and(|value| value <= hopeless)
            {
                picker.leave_out(hopeless);
                continue;
            }
            let before = picker.before(&ranked, searched);
            let mut claim = None;
            if searched > 0 && shares {
                if !window.is_null()
                    && let Some((score, found)) = self.found_meanwhile(position, depth, ply)
                    && score > alpha
                {
                    (best, best_move, alpha) = (score, found.bits(), score);
                    extend(line, found, &Line::new());
                    if score >= beta {
                        break;
                    }
                }
                claim = self.shared.busy.claim(key, mv.bits());
                if claim.is_none() && picker.defer(ranked, before) {
                    continue;
                }
            }
            // What another thread found is looked at once more for its line.
            let is_taken_over = searched > 0 && mv.bits() == best_move;
            let floor = if is_taken_over {
                alpha.next_down()
            } else {
                alpha
            };
            let next = position.play(mv);
            let rest = Window { alpha: floor, beta };
            let null = Window::null_above(floor);
            let value = match ranked.value {
                // The last ply has its moves unranked. Its first one mostly cuts
                // off, so what its positions have in common is not looked up.
                None if depth == 1 && searched > 0 => Some(behind(mv, Some(&next))),
                value => value.map(|value| -value),
            };
            let reduction =
                self.reduction(depth, before, window.is_null(), drift, ranked.is_variant);
            let mut score = floor.next_up();
            if searched > 0 && reduction > 0 && !is_taken_over {
                score = -self.search(
                    &next,
                    -null,
                    depth - 1 - reduction,
                    ply + 1,
                    &mut below,
                    value,
                )?;
            }
            if searched > 0 && score > floor {
                score = -self.search(&next, -null, depth - 1, ply + 1, &mut below, value)?;
            }
            if searched == 0 || (score > floor && score < beta) {
                score = -self.search(&next, -rest, depth - 1, ply + 1, &mut below, value)?;
            }
            drop(claim);
            if shares
                && score <= alpha
                && let Some(score) = answer(self.shared.table.probe(key, ply))
            {
                // Another thread was faster.
                return Some(score);
            }
            searched += 1;
            if score <= floor {
                best = best.max(score);
                continue;
            }
            best = score;
            best_move = mv.bits();
            alpha = score;
            extend(line, mv, &below);
            if score >= beta {
                let others = picker.handed_out().filter(|&other| other != mv);
                self.history.reward(position, mv, others.take(32), depth);
                break;
            }
            if shares {
                let entry = Entry {
                    mv: best_move,
                    score,
                    bound: Bound::Lower,
                    depth: depth as u8,
                };
                self.shared.table.store(key, ply, entry);
            }
        }
        if searched == 0 {
            return Some(final_score(position, ply));
        }
        if depth >= LEARN_DEPTH && !best.is_decisive() {
            let bound = window.bound_of(best);
            self.judge.learn(position, known, best, bound, depth);
        }
        let entry = Entry {
            mv: best_move,
            score: best,
            bound: window.bound_of(best),
            depth: depth as u8,
        };
        self.shared.table.store(key, ply, entry);
        Some(best)
    }

    /// The best move of a node of the principal variation and its score as far
    /// as another thread has got with it.
    fn found_meanwhile(&self, position: &G, depth: i32, ply: usize) -> Option<(Score, G::Move)> {
        let entry = self.shared.table.probe(position.key(), ply)?;
        let mv = G::Move::from_bits(entry.mv);
        let counts = entry.bound != Bound::Upper && i32::from(entry.depth) >= depth;
        (counts && entry.mv != 0 && position.is_legal(mv)).then_some((entry.score, mv))
    }

    /// What the exact solver answers to a null window near the end of the
    /// game: at the edge of a search, where only the static value would speak,
    /// and the deeper the search, the farther from the end.
    fn proof(&mut self, position: &G, window: Window, depth: i32, ply: usize) -> Option<Score> {
        let left = position.plies_left();
        if left > G::Prover::AT_HAND? + depth as u32 / 2 {
            return None;
        }
        // A window lies on one side of a draw, so one question is enough.
        let goal = i32::from(window.alpha >= Score::ZERO);
        let most = AT_HAND_NODES.min(self.quota - self.nodes);
        if most == 0 {
            return None;
        }
        let (rank, nodes) = self.prover.ask(position, goal, most);
        self.nodes += nodes;
        let reached = rank? >= goal;
        // At least a win or a draw, at most a draw or a loss.
        let sign = if reached { goal } else { goal - 1 };
        let score = Score::of_sign(sign, ply + left as usize);
        let entry = Entry {
            mv: 0,
            score,
            bound: window.bound_of(score),
            depth: depth.max(left as i32) as u8,
        };
        self.shared.table.store(position.key(), ply, entry);
        Some(score)
    }

    /// A value without a search, where the static one is so far beyond the
    /// window that a shallow search would hardly bring it back.
    fn guess(&self, position: &G, window: Window, depth: i32, known: Option<i32>) -> Option<Score> {
        if depth > 3 || !position.has_moves() {
            return None;
        }
        let value = known.unwrap_or_else(|| self.judge.value(position));
        let [above, below] = [GUESS_HIGH * depth, GUESS_LOW].map(|part| self.judge.scaled(part));
        let high = value - above >= window.beta.centipoints();
        let low = depth == 1 && value + below <= window.alpha.centipoints();
        (high || low).then(|| Score::estimate(value))
    }

    /// Notes the static value of a position on the line that is searched, found
    /// now if it is not known and worth it, and tells its drift.
    fn follow(
        &mut self,
        position: &G,
        depth: i32,
        ply: usize,
        known: Option<i32>,
    ) -> (Option<i32>, Drift) {
        if !G::HAS_DRIFT {
            return (known, Drift::Unclear);
        }
        let now = known.or_else(|| (depth >= 2).then(|| self.judge.value(position)));
        self.path[ply] = now;
        let before = ply.checked_sub(2).and_then(|before| self.path[before]);
        let drift = match before.zip(now) {
            Some((before, now)) if now > before => Drift::Rising,
            Some((before, now)) if now < before => Drift::Falling,
            _ => Drift::Unclear,
        };
        (now, drift)
    }

    /// By how many plies less a late move is searched at first.
    pub(super) fn reduction(
        &self,
        depth: i32,
        before: usize,
        is_null: bool,
        drift: Drift,
        is_variant: bool,
    ) -> i32 {
        if !self.selective || depth < 2 || before < 2 {
            return 0;
        }
        late_move_reduction(depth, before, is_null, drift, is_variant)
    }

    /// The value of a position that is not looked into.
    fn leaf(&self, position: &G, ply: usize, known: Option<i32>) -> Score {
        if position.has_moves() {
            Score::estimate(known.unwrap_or_else(|| self.judge.value(position)))
        } else {
            final_score(position, ply)
        }
    }
}

/// Whether an entry answers a null window's question. Proven scores do so
/// from any depth.
fn cuts(entry: &Entry, window: Window, depth: i32) -> bool {
    let deep = i32::from(entry.depth) >= depth;
    match entry.bound {
        Bound::Exact => deep,
        Bound::Lower => entry.score >= window.beta && (deep || entry.score.is_win()),
        Bound::Upper => entry.score <= window.alpha && (deep || entry.score.is_loss()),
    }
}

/// The score of a finished game.
pub(super) fn final_score<G: Game>(position: &G, ply: usize) -> Score {
    let sign = position.standing().outcome().sign_for(position.side());
    Score::of_sign(sign, ply)
}

/// By how much, for each ply of depth, a static value has to be above a window
/// to stand for a search.
const GUESS_HIGH: i32 = 50;
/// The same below a window, at the last ply.
const GUESS_LOW: i32 = 90;
/// Least depth of a search that corrects static values.
const LEARN_DEPTH: i32 = 2;
/// Least depth at which moves that other threads search are put off.
const DEFER_DEPTH: i32 = 4;
