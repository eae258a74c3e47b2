//! Solving many positions with several threads.

use std::iter::zip;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::node::Solvable;
use super::solution::{MarginBounds, Solution, SolveRequest, Value};
use super::{Solver, SolverRun};
use crate::search::ThreadPool;

/// Nodes that one thread spends on a position before all of them work on it.
const SCOUT_NODES: u64 = 1 << 21;
const SCOUTED_PER_THREAD: usize = 32;

/// What one thread proved about a position on its own, and whether that is all that
/// was asked for; empty until the thread has ended.
type Scouted<M> = OnceLock<(Solution<M>, bool)>;

impl<G: Solvable> Solver<G> {
    /// Solves many positions, each as [`Solver::solve`] does, and passes the
    /// solutions with their indices to `on_solution`, in the order of the positions.
    ///
    /// Several threads first try one position each, then work together on those
    /// that take longer; so they help with thousands of easy positions as well as
    /// with a hard one. The nodes and the time of a solution are those of both
    /// attempts, and calls of `progress` for several positions may alternate.
    ///
    /// Once it is stopped, positions that were not begun are left out.
    ///
    /// # Errors
    /// The first error that `on_solution` returns, at once.
    pub fn solve_each<E>(
        &mut self,
        positions: &[G],
        request: &SolveRequest,
        progress: impl Fn(usize, u64) + Sync,
        mut on_solution: impl FnMut(usize, Solution<G::Move>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.pool.resize(request.threads);
        let together = match self.pool.size() {
            1 => 1,
            threads => threads * SCOUTED_PER_THREAD,
        };
        for (chunk, some) in positions.chunks(together).enumerate() {
            let first = chunk * together;
            let progress = |index: usize, now| progress(first + index, now);
            let mut on_solution = |index: usize, solution| on_solution(first + index, solution);
            let scouted = self.scout(some, request, &progress, &mut on_solution)?;
            let solved = some.len() - scouted.len();
            for (index, scouted) in zip(solved.., scouted) {
                let progress = |now| progress(index, now);
                let mut solve = |request: &SolveRequest| {
                    self.run(self.mode, request, &progress).solve(&some[index])
                };
                let solution = match scouted.into_inner() {
                    Some((solution, true)) => solution,
                    Some((solution, false)) => solve(&request.after(&solution)).and(solution),
                    None if request.stop.is_stopped() => return Ok(()),
                    None => solve(request),
                };
                on_solution(index, solution)?;
            }
        }
        Ok(())
    }

    /// Gives each of several positions to one thread, for few nodes. Tells the
    /// complete solutions of the first ones as soon as they are found, and returns
    /// what is known about the others.
    fn scout<E>(
        &mut self,
        positions: &[G],
        request: &SolveRequest,
        progress: &(impl Fn(usize, u64) + Sync),
        on_solution: &mut impl FnMut(usize, Solution<G::Move>) -> Result<(), E>,
    ) -> Result<Vec<Scouted<G::Move>>, E> {
        // If nodes are limited, most of them are for all threads together.
        let part = request.nodes.map_or(SCOUT_NODES, |nodes| nodes / 4);
        let few = SolveRequest {
            nodes: Some(part.min(SCOUT_NODES)),
            ..request.clone()
        };
        let mut scouted: Vec<_> = positions.iter().map(|_| OnceLock::new()).collect();
        if positions.len() == 1 {
            return Ok(scouted);
        }
        let (table, mode) = (self.memory.table(), self.mode);
        let next = AtomicUsize::new(0);
        let is_over = request.stop.child();
        // Whether there was a position left to try.
        let try_one = || {
            if is_over.is_stopped() {
                return false;
            }
            let index = next.fetch_add(1, Ordering::Relaxed);
            let (Some(position), Some(place)) = (positions.get(index), scouted.get(index)) else {
                return false;
            };
            let progress = |now| progress(index, now);
            place.get_or_init(|| {
                let alone = ThreadPool::new(1);
                let run = SolverRun::new(mode, table, &alone, &few, &progress);
                (run.solve(position), !run.is_stopped())
            });
            true
        };
        let help = |_| while try_one() {};
        let mut solved = 0;
        let main = || {
            while try_one() {
                while let Some((solution, true)) = scouted.get(solved).and_then(OnceLock::get) {
                    on_solution(solved, solution.clone())?;
                    solved += 1;
                }
            }
            Ok(())
        };
        self.pool.work(&is_over, help, main)?;
        Ok(scouted.split_off(solved))
    }
}

impl SolveRequest {
    fn after<M>(&self, first: &Solution<M>) -> Self {
        Self {
            nodes: self.nodes.map(|nodes| nodes.saturating_sub(first.nodes)),
            time: self.time.map(|time| time.saturating_sub(first.time)),
            ..self.clone()
        }
    }
}

impl<M> Solution<M> {
    /// Combines two attempts, of which this is the second. A small table may have
    /// lost some of what the first one proved.
    fn and(self, first: Self) -> Self {
        let (nodes, time) = (self.nodes + first.nodes, self.time + first.time);
        let (lower, upper) = (self.lower.max(first.lower), self.upper.min(first.upper));
        let margin_bounds = match (self.margin_bounds, first.margin_bounds) {
            (Some(one), Some(other)) => Some(MarginBounds {
                lower: one.lower.max(other.lower),
                upper: one.upper.min(other.upper),
            }),
            (one, other) => one.or(other),
        };
        let richer = match self.value {
            Value::Unknown => first,
            _ => self,
        };
        Self {
            value: Value::between(lower, upper),
            lower,
            upper,
            margin_bounds,
            nodes,
            time,
            ..richer
        }
    }
}
