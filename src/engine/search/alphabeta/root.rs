//! The root of one thread's tree: its moves and their pvs, and iterative deepening.

use std::cmp::Reverse;
use std::ops::Range;

use super::abdada::key_of_moves;
use super::reductions::LateMove;
use super::shared_root::RootMove;
use super::thread::{Pv, SearchThread, Unwind, extend};
use crate::game::Move;
use crate::search::request::Request;
use crate::search::score::{Bound, Score, Window};
use crate::search::time::Stability;
use crate::search::{Evaluate, Info, Searchable};

/// Half width beyond which an aspiration window is opened completely, in centipoints.
const MAX_HALF_WIDTH: i32 = 1000;

pub(super) struct Root<'a, G: Searchable, E> {
    thread: SearchThread<'a, G, E>,
    request: &'a Request<G>,
    /// The best moves in their order, then the others.
    moves: Vec<RootMove<G::Move>>,
    /// Number of pvs wanted, from 1 to the number of moves.
    multi_pv: usize,
    next_depth: u32,
}

/// How the search of a depth has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum IterationEnd {
    Finished,
    Stopped,
}

impl<'a, G: Searchable, E: Evaluate<G>> Root<'a, G, E> {
    pub(super) fn new(thread: SearchThread<'a, G, E>) -> Self {
        let request = thread.shared.request;
        let mut moves: Vec<_> = (request.moves().into_iter())
            .map(|mv| RootMove {
                mv,
                depth: 0,
                score: Score::ZERO,
                bound: Bound::Exact,
                pv: vec![mv],
                seldepth: 1,
            })
            .collect();
        let mut child_values = thread.eval.child_values(&request.position);
        moves.sort_by_cached_key(|root_move| child_values(root_move.mv, None));
        let multi_pv = request.limits.multi_pv.min(moves.len()).max(1);
        Self {
            next_depth: 1 + (thread.index as u32 & 1),
            thread,
            request,
            moves,
            multi_pv,
        }
    }

    /// The main thread's search: deepens, reports, and decides when to end. Returns
    /// the infos of the last finished depth, or that of the best move of the depth that was
    /// cut short, if that found a better one; if not even the first depth was
    /// finished, that of one legal move.
    pub(super) fn search_main(mut self) -> Vec<Info<G::Move>> {
        if self.moves.is_empty() {
            return Vec::new();
        }
        self.value_first();
        let mut infos = vec![self.info(0)];
        let mut stability = Stability::default();
        while let Some(ended) = self.deepen() {
            if ended == IterationEnd::Stopped {
                let better = self.report_better(&infos[0]);
                infos = better.map_or(infos, |better| vec![better]);
                break;
            }
            let last = (infos[0].pv.first().copied(), infos[0].score);
            infos = (0..self.multi_pv).map(|index| self.info(index)).collect();
            infos.iter().for_each(|info| self.thread.report(info));
            let best = &infos[0];
            stability.note_depth(best.pv.first().copied() == last.0, last.1, best.score);
            if self.iteration_ends_search(&infos, stability) {
                break;
            }
        }
        self.thread.publish();
        infos
    }

    /// Reports the better move that an unfinished depth has found, if only one pv is
    /// wanted; `last` is the info of the depth before.
    fn report_better(&mut self, last: &Info<G::Move>) -> Option<Info<G::Move>> {
        let best = &self.moves[0];
        if best.depth != self.thread.iteration || best.bound == Bound::Upper || self.multi_pv > 1 {
            return None;
        }
        let mut better = self.info(0);
        if better.score.is_loss() && self.moves.len() > 1 {
            if last.proven {
                // The depth before has already shown that all moves lose.
                return None;
            }
            // Another move may lose later, or not at all.
            (better.bound, better.proven) = (Bound::Lower, false);
        }
        self.thread.report(&better);
        Some(better)
    }

    fn info(&self, index: usize) -> Info<G::Move> {
        let (root_move, shared) = (&self.moves[index], self.thread.shared);
        self.thread.publish();
        Info {
            depth: self.thread.iteration,
            seldepth: root_move.seldepth as u32,
            multipv: index.min(self.multi_pv - 1) + 1,
            score: root_move.score,
            bound: root_move.bound,
            proven: root_move.score.is_decisive() && root_move.bound == Bound::Exact,
            nodes: shared.nodes(),
            time: self.request.timer.elapsed(),
            hashfull: shared.table.hashfull(),
            pv: root_move.pv.clone(),
        }
    }

    /// Gives the first move its static value, for an answer before the first
    /// depth is finished: others may be better.
    fn value_first(&mut self) {
        let first = &mut self.moves[0];
        let next = self.request.position.play(first.mv);
        first.score = -self.thread.leaf(&next, 1, None);
        first.bound = match first.score.is_win() {
            true => Bound::Exact,
            false => Bound::Lower,
        };
    }

    /// Notes the end of an iteration. Returns whether the search may end.
    fn iteration_ends_search(&self, infos: &[Info<G::Move>], stability: Stability) -> bool {
        if self.request.limits.depth.is_none() && infos.iter().all(is_shortest_proof) {
            return true;
        }
        let is_settled = infos.iter().all(|info| info.score.is_decisive());
        let stretch = match self.moves.len() == 1 || is_settled {
            true => 0.0,
            false => stability.stretch::<G>(),
        };
        self.request.finish_iteration(&infos[0], stretch)
    }

    /// Searches the next depth, or takes over a finished one from another thread; `None`
    /// if there is none.
    pub(super) fn deepen(&mut self) -> Option<IterationEnd> {
        let depth = self.next_depth;
        let end = self.request.deepest();
        let deepest = self.request.limits.depth.unwrap_or(end).min(end);
        if depth > deepest || self.moves.is_empty() {
            return None;
        }
        self.thread.iteration = depth;
        let shared_root = &self.thread.shared.shared_root;
        let ended = if self.iterate(depth).is_ok() {
            shared_root.publish_iteration(depth, &self.moves[..self.multi_pv]);
            IterationEnd::Finished
        } else if let Some((depth, best_moves)) = shared_root.finished_iteration(depth) {
            self.take_over_iteration(depth, best_moves);
            IterationEnd::Finished
        } else {
            IterationEnd::Stopped
        };
        self.next_depth = self.thread.iteration + 1;
        Some(ended)
    }

    fn take_over_iteration(&mut self, depth: u32, best_moves: Vec<RootMove<G::Move>>) {
        self.thread.iteration = depth;
        for best in best_moves.into_iter().rev() {
            if let Some(index) = self.moves.iter().position(|it| it.mv == best.mv) {
                self.moves[..=index].rotate_right(1);
                self.moves[0] = best;
            }
        }
    }

    /// Searches one depth: finds exact values for as many moves as pvs are wanted,
    /// and shows for each of the others at least that it is no better than the last
    /// of these.
    fn iterate(&mut self, depth: u32) -> Result<(), Unwind> {
        self.thread.visit(0)?;
        self.thread.seldepth = 0;
        let key = key_of_moves(self.request.position.key(), depth as i32, false);
        self.resolve_best(depth, key)?;
        self.scout_others(depth, key)?;
        self.resolve_best_of_others(depth)
    }

    /// Finds the exact values of as many moves as pvs are wanted, and sorts these.
    fn resolve_best(&mut self, depth: u32, key: u64) -> Result<(), Unwind> {
        let rule_out_none = |_: &Self, _| false;
        self.search_moves_at(key, 0..self.multi_pv, rule_out_none, |root, index| {
            let guess = root.moves[index].score;
            let window = if depth < 3 || guess.is_decisive() {
                Window::FULL
            } else {
                Window::around(guess, root.thread.half_width())
            };
            root.resolve(depth, index, window)
        })?;
        // Moves that were left for later are not in their places yet.
        self.moves[..self.multi_pv].sort_by_key(|root_move| Reverse(root_move.score));
        Ok(())
    }

    fn scout_others(&mut self, depth: u32, key: u64) -> Result<(), Unwind> {
        let is_refuted = |root: &Self, mv| {
            let floor = root.floor(depth, mv);
            root.thread.shared_refutation(key, mv, floor, 0).is_some()
        };
        self.search_moves_at(
            key,
            self.multi_pv..self.moves.len(),
            is_refuted,
            |root, index| root.scout(depth, index, key),
        )
    }

    /// The move that the other threads had to beat must be the best here, too.
    fn resolve_best_of_others(&mut self, depth: u32) -> Result<(), Unwind> {
        if self.multi_pv == 1
            && let Some((score, mv)) =
                (self.thread.shared.shared_root).to_beat(depth, self.moves[0].mv)
            && score > self.moves[0].score
            && let Some(index) = self.moves.iter().position(|it| it.mv == mv)
        {
            let window = Window::around(score, self.thread.half_width());
            self.resolve(depth, index, window)?;
        }
        Ok(())
    }

    /// Searches the moves at `indices`, except those that `is_ruled_out` rules out. Moves that
    /// another thread is searching come last.
    fn search_moves_at(
        &mut self,
        key: u64,
        indices: Range<usize>,
        is_ruled_out: impl Fn(&Self, G::Move) -> bool,
        mut search: impl FnMut(&mut Self, usize) -> Result<(), Unwind>,
    ) -> Result<(), Unwind> {
        let shared_moves = &self.thread.shared.shared_moves;
        let mut deferred = Vec::new();
        for index in indices {
            let mv = self.moves[index].mv;
            if is_ruled_out(self, mv) {
                continue;
            }
            match shared_moves.claim(key, mv.bits()) {
                Some(_claim) => search(self, index)?,
                None => deferred.push(mv),
            }
        }
        for mv in deferred {
            if !is_ruled_out(self, mv)
                && let Some(index) = self.moves.iter().position(|it| it.mv == mv)
            {
                search(self, index)?;
            }
        }
        Ok(())
    }

    /// The score that a move has to beat to be one of the best.
    fn floor(&self, depth: u32, mv: G::Move) -> Score {
        let last = self.moves[self.multi_pv - 1].score;
        if self.multi_pv == 1
            && let Some((score, _)) = self.thread.shared.shared_root.to_beat(depth, mv)
        {
            return last.max(score);
        }
        last
    }

    /// Shows that a move is no better than the last of the best, or finds its exact
    /// value and its place among them. If it is no better, tells the other threads so under
    /// `key`.
    fn scout(&mut self, depth: u32, index: usize, key: u64) -> Result<(), Unwind> {
        let mv = self.moves[index].mv;
        let floor = self.floor(depth, mv);
        let null = Window::null_above(floor);
        let late = LateMove {
            moves_before: index,
            is_variant: self.is_variant(index),
            has_null_window: false,
            rise: 0,
        };
        let reduction = self.thread.late_move_reduction(depth as i32, &late);
        let mut score = self.search_move(depth - reduction as u32, index, null)?;
        if reduction > 0 && score > floor {
            score = self.search_move(depth, index, null)?;
        }
        if score <= floor {
            self.thread.publish_refutation(key, mv, score, 0);
            return Ok(());
        }
        let window = Window {
            alpha: floor,
            beta: floor.offset(self.thread.half_width()),
        };
        self.resolve(depth, index, window)
    }

    /// Whether a move is a variant
    /// ([`Heuristics::variant_group`](crate::search::Heuristics::variant_group)) of one before it.
    fn is_variant(&self, index: usize) -> bool {
        let group = G::variant_group(self.moves[index].mv);
        let mut before = self.moves[..index].iter();
        before.any(|root_move| G::variant_group(root_move.mv) == group)
    }

    /// Finds the exact value of a move with windows that widen until it fits, and
    /// moves it to its place among the best.
    fn resolve(&mut self, depth: u32, mut index: usize, mut window: Window) -> Result<(), Unwind> {
        let mut delta = self.thread.half_width();
        loop {
            let score = self.search_move(depth, index, window)?;
            let bound = window.bound_of(score);
            if bound != Bound::Upper {
                // At once, so that it is not lost if the time runs out.
                index = self.raise(index);
            }
            match bound {
                Bound::Exact => {
                    self.lower(index);
                    if index == 0 {
                        let best = &self.moves[0];
                        (self.thread.shared.shared_root).offer(depth, best.score, best.mv);
                    }
                    return Ok(());
                }
                Bound::Lower => window.beta = score.offset(delta),
                Bound::Upper => window.alpha = score.offset(-delta),
            }
            delta *= 4;
            if delta > MAX_HALF_WIDTH || score.is_decisive() {
                window = Window::FULL;
            }
        }
    }

    /// Moves a move up among the best to where its score belongs, and returns its
    /// new index.
    fn raise(&mut self, index: usize) -> usize {
        let score = self.moves[index].score;
        let above = &self.moves[..index.min(self.multi_pv)];
        let place = above.partition_point(|root_move| root_move.score >= score);
        self.moves[place..=index].rotate_right(1);
        place
    }

    /// Moves a move down below those that this depth has shown to be better: its
    /// exact value may be lower than the bound by which it was raised.
    fn lower(&mut self, index: usize) {
        let RootMove { depth, score, .. } = self.moves[index];
        let is_better = |root_move: &RootMove<G::Move>| {
            root_move.depth == depth && root_move.bound == Bound::Exact && root_move.score > score
        };
        let better = self.moves[index + 1..].iter().take_while(|r| is_better(r));
        let place = index + better.count();
        self.moves[index..=place].rotate_left(1);
    }

    /// Searches a move with a window, and keeps the result unless it is a null window.
    fn search_move(&mut self, depth: u32, index: usize, window: Window) -> Result<Score, Unwind> {
        let mut below = Pv::new();
        let root_move = &mut self.moves[index];
        let (next, thread) = (self.request.position.play(root_move.mv), &mut self.thread);
        let score = -thread.search(&next, -window, depth as i32 - 1, 1, &mut below, None)?;
        if !window.is_null() {
            root_move.depth = depth;
            root_move.score = score;
            root_move.bound = window.bound_of(score);
            root_move.seldepth = thread.seldepth;
            if score > window.alpha {
                let mut pv = Pv::new();
                extend(&mut pv, root_move.mv, &below);
                root_move.pv = pv.to_vec();
            }
        }
        Ok(score)
    }
}

/// Whether a pv is a proof that a deeper search would hardly make shorter: reductions
/// seldom take more than half of the depth.
fn is_shortest_proof<M>(info: &Info<M>) -> bool {
    let plies = info.score.mate_plies().map(i32::unsigned_abs);
    info.bound == Bound::Exact && plies.is_some_and(|plies| info.depth >= 2 * plies)
}
