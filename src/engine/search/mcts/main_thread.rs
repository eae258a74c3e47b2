//! The main thread: it keeps time, reports, and makes room in the tree.

use std::sync::atomic::Ordering;
use std::time::Duration;

use super::expand::Expander;
use super::shared::Shared;
use super::simulation::{CLOCK_PERIOD, Simulated, Simulator};
use super::summary::Summary;
use super::tree::TreeNode;
use crate::game::Move;
use crate::search::request::Handler;
use crate::search::time::tree_stretch;
use crate::search::turns::Turns;
use crate::search::{Evaluate, Info, Searchable, ThreadPool};

/// Simulations in a row that may find their way taken before a lone thread gives up.
const MAX_BLOCKED: u32 = 1000;
/// Simulations before the first update of the infos.
const FIRST_UPDATE: u64 = 32;
/// Most simulations of the main thread between two updates.
const UPDATE_PERIOD: u64 = 2048;
/// Most simulations without an info of a search that gets no deeper: about a second of one
/// thread. The clock has no say, so that a search can be repeated.
const SILENCE: u64 = 1 << 18;
/// Per mille of the arena that may be full when a search begins.
const KEPT_PER_MILLE_AT_START: u32 = 500;
/// Per mille of the arena beyond which it has no room for a search.
const FULL_PER_MILLE: u32 = 900;
/// Per mille of the arena that is kept when it has become full.
const KEPT_PER_MILLE_WHEN_FULL: u32 = 400;
/// Bytes of the arena that are compacted per second, at least.
const TIDY_SPEED: f64 = 3e8;

pub(super) struct MainThread<'s, 'a, G: Searchable, E> {
    pool: &'s ThreadPool,
    shared: &'s Shared<'a, G, E>,
    handler: &'s mut dyn Handler<G::Move>,
    infos: Vec<Info<G::Move>>,
    reported: Option<Info<G::Move>>,
    best_since: u64,
    /// Simulations after which the handler has something to do.
    next_pause: u64,
}

impl<'s, 'a, G: Searchable, E: Evaluate<G>> MainThread<'s, 'a, G, E> {
    pub(super) fn new(
        pool: &'s ThreadPool,
        shared: &'s Shared<'a, G, E>,
        handler: &'s mut dyn Handler<G::Move>,
    ) -> Self {
        Self {
            pool,
            shared,
            handler,
            infos: Vec::new(),
            reported: None,
            best_since: 0,
            next_pause: 0,
        }
    }

    /// The main thread's search. Returns the infos of the best moves that it has found, none
    /// when there are no moves.
    pub(super) fn run(mut self) -> Vec<Info<G::Move>> {
        if self.shared.request.position.has_moves()
            && let Some(root) = self.root()
        {
            self.search(root);
        }
        self.infos
    }

    fn search(&mut self, mut root: TreeNode<'a>) {
        let tree = self.shared.tree;
        self.update_infos(root);
        // In too small a tree, the mean depth asked for may never be reached.
        let may_tidy = self.shared.request.limits.depth.is_none();
        while self.run_threads(root) && may_tidy && self.has_time_to_tidy() {
            let stop = self.shared.request.timer.stop_at_end();
            if let Some(compacted) = tree.compact(root, KEPT_PER_MILLE_WHEN_FULL, &stop) {
                root = compacted;
                if tree.per_mille_used() > FULL_PER_MILLE {
                    // The root alone fills the arena.
                    break;
                }
            }
        }
        self.update_infos(root);
        let is_reported = |reported: &Info<_>| reported.nodes >= self.shared.simulations();
        if !self.reported.as_ref().is_some_and(is_reported) {
            self.report();
        }
    }

    /// Finds or makes the root with all its moves, and makes room in the arena. Never
    /// `None`: the smallest arena has room for the root.
    fn root(&self) -> Option<TreeNode<'a>> {
        let (tree, eval) = (self.shared.tree, self.shared.eval);
        let position = &self.shared.request.position;
        let mut expander = Expander::new(self.shared.probe.clone());
        let is_crowded = tree.per_mille_used() > KEPT_PER_MILLE_AT_START;
        let mut root = tree.find(position.key());
        if is_crowded {
            let stop = self.shared.request.timer.stop_at_end();
            let tidy = |root| tree.compact(root, KEPT_PER_MILLE_AT_START, &stop);
            let tidied = root.filter(|_| self.has_time_to_tidy()).and_then(tidy);
            root = tidied.or_else(|| root.filter(|_| tree.per_mille_used() <= FULL_PER_MILLE));
        }
        if let Some(root) = root
            && (root.is_whole() || expander.widen(root, position, eval).is_some())
        {
            return Some(root);
        }
        if is_crowded {
            tree.reset();
        }
        let static_value = eval.evaluate(position);
        let root = expander.expand(tree, position, eval, static_value, true)?;
        tree.publish(root);
        Some(root)
    }

    /// Whether there is time to make room in the arena and go on.
    fn has_time_to_tidy(&self) -> bool {
        let bytes = (8 * self.shared.tree.used()) as f64;
        let needed = Duration::from_secs_f64(bytes / TIDY_SPEED);
        let timer = &self.shared.request.timer;
        !timer.is_over() && timer.left().is_none_or(|left| left > 2 * needed)
    }

    /// Lets all threads work until the search is over or the arena is full; returns
    /// whether it is full.
    fn run_threads(&mut self, root: TreeNode<'a>) -> bool {
        let shared = self.shared;
        let stop = shared.request.timer.stop.child();
        shared.full.store(false, Ordering::Relaxed);
        shared.turns.iter().for_each(Turns::restart);
        let help = |index: usize| Simulator::new(shared, index, root).help(&stop);
        self.pool.work(&stop, help, || self.run_simulations(root))
    }

    /// Runs the main thread's simulations until the search is over or the arena is full;
    /// returns whether it is full.
    fn run_simulations(&mut self, root: TreeNode<'a>) -> bool {
        let shared = self.shared;
        let mut simulator = Simulator::new(shared, 0, root);
        let alone = shared.counts.len() == 1;
        let mut next_update = FIRST_UPDATE.max(simulator.simulations());
        let mut blocked = 0;
        loop {
            let Some(step) = simulator.simulate() else {
                return false;
            };
            match step {
                Simulated::Full => return true,
                Simulated::Blocked => {
                    blocked += 1;
                    std::thread::yield_now();
                }
                Simulated::Done => blocked = 0,
            }
            let simulations = simulator.simulations();
            if step == Simulated::Done && !simulations.is_multiple_of(CLOCK_PERIOD) {
                continue;
            }
            if shared.full.load(Ordering::Relaxed) {
                return true;
            }
            if shared.request.timer.is_over() || self.pause(simulations).is_none() {
                return false;
            }
            if alone && blocked > MAX_BLOCKED {
                // No other thread could ever unblock the way.
                return false;
            }
            if simulations >= next_update || blocked % 64 == 1 {
                next_update = simulations + (simulations / 5).clamp(32, UPDATE_PERIOD);
                if self.update_infos(root) {
                    return false;
                }
            }
        }
    }

    /// Lets the handler work when it is time; `None` when it ends the search.
    fn pause(&mut self, simulations: u64) -> Option<()> {
        if simulations < self.next_pause {
            return Some(());
        }
        let (request, left) = (self.shared.request, self.shared.left.as_ref());
        let simulations_left = left.map_or(u64::MAX, |left| left.load(Ordering::Relaxed));
        let before = request.nodes_elsewhere();
        self.next_pause = self.handler.work_in_pause(simulations, simulations_left)?;
        if let Some(left) = left {
            let used = request.nodes_elsewhere() - before;
            let less = |left: u64| Some(left.saturating_sub(used));
            let _ = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
        }
        Some(())
    }

    /// Updates the infos, reports them if they are news, and returns whether the
    /// search may end.
    fn update_infos(&mut self, root: TreeNode<'a>) -> bool {
        let shared = self.shared;
        // A reported pv is at least one ply deep, and the depth never falls.
        let before = self.infos.first().map_or(1, |info| info.depth);
        let depth = shared.mean_depth().max(before);
        let summary = shared.summary(root, depth);
        let leaders = shared.root_moves.leaders.iter();
        for (leader, info) in leaders.zip(&summary.infos) {
            let mv = info.pv.first().map_or(0, |mv| mv.bits());
            leader.store(mv, Ordering::Relaxed);
        }
        let old_best = self.best();
        let may_end = self.iteration_ends_search(&summary);
        self.infos = summary.infos;
        if self.best() != old_best {
            self.best_since = shared.simulations();
        }
        let is_news = self.reported.as_ref().is_none_or(|reported| {
            let is_same = self.best() == reported.pv.first().copied();
            depth > reported.depth || !is_same || shared.simulations() >= reported.nodes + SILENCE
        });
        if is_news && shared.simulations() > 0 {
            self.report();
        }
        may_end
    }

    fn best(&self) -> Option<G::Move> {
        self.infos.first()?.pv.first().copied()
    }

    fn report(&mut self) {
        self.reported = self.infos.first().cloned();
        self.infos.iter().for_each(|info| self.handler.report(info));
    }

    /// Notes the end of an iteration. Returns whether the search may end.
    fn iteration_ends_search(&self, summary: &Summary<G::Move>) -> bool {
        let Some(best) = summary.infos.first().filter(|_| !summary.is_final) else {
            return true;
        };
        let simulations = self.shared.simulations();
        let stable = (simulations - self.best_since) as f64 / simulations.max(1) as f64;
        let stretch = match summary.choices {
            1 => 0.0,
            _ => tree_stretch(stable),
        };
        self.shared.request.finish_iteration(best, stretch)
    }
}
