//! One thread of a search: what it works with, and when it has to end.

use std::sync::atomic::Ordering;

use arrayvec::ArrayVec;

use super::corrections::CorrectedEval;
use super::history::History;
use super::shared::{GROUP_SIZE, Shared};
use crate::game::Move;
use crate::host::HAS_HOST;
use crate::search::request::Handler;
use crate::search::score::{MAX_PLY, Score, Window};
use crate::search::solver::Probe;
use crate::search::threads::do_other_work;
use crate::search::turns::InTurns;
use crate::search::{Evaluate, Info, Searchable};

pub(super) type Pv<M> = ArrayVec<M, MAX_PLY>;

/// Sets `pv` to the move and what follows it.
pub(super) fn extend<M: Move>(pv: &mut Pv<M>, mv: M, below: &Pv<M>) {
    pv.clear();
    pv.push(mv);
    pv.extend(below.iter().copied().take(MAX_PLY - 1));
}

/// The search has to end, or another thread has answered a node above: the caller stores nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unwind;

pub(super) fn unwind_if(is_due: bool) -> Result<(), Unwind> {
    match is_due {
        true => Err(Unwind),
        false => Ok(()),
    }
}

/// A node that another thread may answer: what an answer must fit.
pub(super) struct SharedPathNode {
    pub(super) key: u64,
    pub(super) ply: usize,
    pub(super) window: Window,
    pub(super) depth: i32,
}

/// One thread of a search: what it shares with others, the path that it is on, and what ends it.
pub(super) struct SearchThread<'a, G: Searchable, E> {
    pub(super) index: usize,
    pub(super) shared: &'a Shared<'a, G, E>,
    pub(super) history: &'a History,
    pub(super) eval: CorrectedEval<'a, E>,
    pub(super) probe: Probe<'a, G>,
    /// The depth of the iteration, in plies.
    pub(super) iteration: u32,
    pub(super) seldepth: usize,
    /// Static values of the positions on the path that is being searched, as far as
    /// they are known: one more than it has moves.
    pub(super) static_evals: [Option<i32>; MAX_PLY + 1],
    /// The nodes on that path that threads share.
    pub(super) shared_path: ArrayVec<SharedPathNode, MAX_PLY>,
    /// The ply of the node that the search goes back to, and another thread's answer for it.
    pub(super) unwinding_to: Option<(usize, Score)>,
    pub(super) nodes: u64,
    quota: u64,
    next_check: u64,
    in_turns: Option<InTurns<'a>>,
    /// What the main thread reports to, and after how many nodes that has something to do.
    handler: Option<&'a mut dyn Handler<G::Move>>,
    next_pause: u64,
}

/// Nodes between two looks at the clock. A look at a host's clock takes longer.
const CLOCK_PERIOD: u64 = if HAS_HOST { 128 } else { 16 };
/// Xored with the keys of a full-width search.
const FULL_WIDTH: u64 = 0x5bd1_e995_9d1b_58e3;

impl<'a, G: Searchable, E: Evaluate<G>> SearchThread<'a, G, E> {
    /// The thread with this index; only the main one, with index 0, has a handler.
    pub(super) fn new(
        index: usize,
        shared: &'a Shared<'a, G, E>,
        probe: Probe<'a, G>,
        handler: Option<&'a mut dyn Handler<G::Move>>,
    ) -> Self {
        let learned = &shared.learned[index / GROUP_SIZE];
        Self {
            index,
            shared,
            history: &learned.history,
            eval: CorrectedEval {
                eval: shared.eval,
                corrections: learned.corrections.as_ref(),
                unit: shared.tuning.correction_unit,
                gain: shared.tuning.correction_gain,
            },
            probe,
            iteration: 1,
            seldepth: 0,
            static_evals: [None; MAX_PLY + 1],
            shared_path: ArrayVec::new(),
            unwinding_to: None,
            nodes: 0,
            quota: shared.quota,
            next_check: 0,
            in_turns: shared.turns.as_ref().map(|turns| turns.join(index)),
            next_pause: if handler.is_some() { 0 } else { u64::MAX },
            handler,
        }
    }

    /// Counts a position. At times it looks at the clock, helps with other work, and lets the
    /// handler [work](Handler::work_in_pause), for a question to the exact solver. The search
    /// unwinds, too, when another thread has finished this iteration.
    pub(super) fn visit(&mut self, ply: usize) -> Result<(), Unwind> {
        unwind_if(self.nodes >= self.quota)?;
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        if self.nodes >= self.next_check {
            self.check_in()?;
        }
        let has_to_end = self.shared.stop.is_known_stopped()
            || self.shared.shared_root.is_finished(self.iteration);
        unwind_if(has_to_end)
    }

    fn check_in(&mut self) -> Result<(), Unwind> {
        self.next_check = self.nodes + CLOCK_PERIOD;
        self.publish();
        if let Some(in_turns) = &self.in_turns {
            in_turns.pass(self.nodes).ok_or(Unwind)?;
        }
        if self.index > 0 {
            do_other_work();
        } else {
            // The others stop when the main thread is done.
            unwind_if(self.shared.request.timer.is_over())?;
        }
        self.unwind_if_answered()?;
        if self.nodes >= self.next_pause {
            self.pause()?;
        }
        Ok(())
    }

    /// Lets the handler work, which may end the search. The nodes that it visits are taken from
    /// those of this thread.
    fn pause(&mut self) -> Result<(), Unwind> {
        let (request, left) = (self.shared.request, self.nodes_left());
        let before = request.nodes_elsewhere();
        self.next_pause = match &mut self.handler {
            Some(handler) => handler.work_in_pause(self.nodes, left).ok_or(Unwind)?,
            None => u64::MAX,
        };
        self.quota -= (request.nodes_elsewhere() - before).min(left);
        Ok(())
    }

    pub(super) fn report(&mut self, info: &Info<G::Move>) {
        if let Some(handler) = &mut self.handler {
            handler.report(info);
        }
    }

    pub(super) const fn nodes_left(&self) -> u64 {
        self.quota - self.nodes
    }

    /// The key of a position in the table. What a selective search found is no answer
    /// for a full-width one, so the entries of the two are kept apart.
    pub(super) fn key(&self, position: &G) -> u64 {
        match self.shared.is_selective {
            true => position.key(),
            false => position.key() ^ FULL_WIDTH,
        }
    }

    /// First half width of an aspiration window, in centipoints: wide enough to hold
    /// a value between its ends.
    pub(super) fn half_width(&self) -> i32 {
        self.shared.tuning.aspiration.max(2)
    }

    pub(super) fn publish(&self) {
        let counter = &self.shared.visited[self.index].0;
        counter.store(self.nodes, Ordering::Relaxed);
    }
}
