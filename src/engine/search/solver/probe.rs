//! Short questions of another search to the solver.

use std::mem::take;

use super::node::{PayoffBounds, Solvable, VariantGroup};
use super::table::{ProofMemory, ProofTable};
use super::worker::{Budget, CHECK_EVERY, GROUPS_CAPACITY, Mode, Shared, Worker};
use crate::search::shared_moves::SharedMoves;
use crate::stop::Stop;

/// Nodes that a [`Probe`] may take for one question.
pub(in crate::search) const PROBE_NODES: u64 = 1 << 11;
// As for [`super::SOLO_NODES`].
const _: () = assert!(PROBE_NODES <= CHECK_EVERY);
/// Size of [`ProbeMemory`] for each thread in MiB: few enough for the processor's caches.
const PROBE_MB: usize = 1;

/// What the probes of one search share: a table for a number of threads.
#[derive(Default)]
pub(in crate::search) struct ProbeMemory(Option<(usize, ProofMemory)>);

impl ProbeMemory {
    /// A probe with an empty table for `threads` threads, to be cloned for each of them.
    pub(in crate::search) fn cleared<G: Solvable>(&mut self, threads: usize) -> Probe<'_, G> {
        self.0.take_if(|(size, _)| *size != threads);
        let new = || (threads, ProofMemory::new((threads * PROBE_MB) << 20));
        let (_, memory) = self.0.get_or_insert_with(new);
        if memory.is_used() {
            memory.clear();
        }
        Probe::new(memory.table())
    }
}

/// Short questions to the solver, for a thread of another search that meets
/// positions near the end of the game.
pub(in crate::search) struct Probe<'a, G: Solvable> {
    /// With a budget that is never used up: the questions are short.
    shared: Shared<'a>,
    groups: Vec<VariantGroup<G::Move>>,
}

impl<G: Solvable> Clone for Probe<'_, G> {
    fn clone(&self) -> Self {
        Self::new(self.shared.table)
    }
}

impl<'a, G: Solvable> Probe<'a, G> {
    fn new(table: ProofTable<'a>) -> Self {
        Self {
            shared: Shared {
                table,
                budget: Budget::new(Stop::new(), u64::MAX, &|_| ()),
                shared_moves: SharedMoves::new(1, 0),
                mode: Mode::Fast,
            },
            groups: Vec::with_capacity(GROUPS_CAPACITY),
        }
    }

    /// Asks whether the side to move reaches the goal, 1 for a win or 0 for at
    /// least a draw. Returns a bound on the result's payoff, which is at least the
    /// goal or below it, or `None` if `max_nodes` nodes did not decide; and the
    /// nodes that it took.
    pub(in crate::search) fn ask(
        &mut self,
        position: &G,
        goal: i32,
        max_nodes: u64,
    ) -> (Option<i32>, u64) {
        let budget = &self.shared.budget;
        let (node, before) = (position.node(), budget.spent());
        let groups = take(&mut self.groups);
        let mut worker = Worker::new(&node, &self.shared, &budget.stop, max_nodes, groups);
        let payoff = worker.search(&node, goal);
        self.groups = worker.end();
        (payoff, budget.spent() - before)
    }

    /// The sign of the result for the side to move, if a few nodes find it.
    pub(in crate::search) fn sign(&mut self, position: &G) -> Option<i32> {
        let mut proved = PayoffBounds::ALL;
        proved.find_sign(position, |goal| self.ask(position, goal, PROBE_NODES).0)?;
        proved.value().sign()
    }
}

#[cfg(test)]
mod tests {
    use std::iter::repeat;

    use super::*;
    use crate::game::{Hokito, Yoxii, random_positions};
    use crate::search::solver::{SolveRequest, Solver};

    fn probes_agree<G: Solvable>() {
        let (mut memory, mut whole) = (ProbeMemory::default(), Solver::<G>::new(16));
        let mut probe = memory.cleared::<G>(1);
        let (mut seen, mut given_up) = ([0; 3], 0);
        let plies = repeat(G::MAX_PLIES - G::PROBE_PLIES);
        for position in random_positions::<G>(41, plies).take(300) {
            let solution = whole.solve(&position, &SolveRequest::default());
            let sign = solution.value.sign().expect("no limit");
            // A few questions take more nodes than they may.
            let answer = probe.sign(&position);
            given_up += u32::from(answer.is_none());
            assert_eq!(answer.unwrap_or(sign), sign, "{position}");
            for goal in [0, 1] {
                let (payoff, _) = probe.ask(&position, goal, PROBE_NODES);
                let answer = payoff.map(|payoff| payoff >= goal);
                assert_eq!(answer.unwrap_or(sign >= goal), sign >= goal, "{position}");
            }
            seen[(sign + 1) as usize] += 1;
        }
        assert!(seen[0] > 30 && seen[2] > 30, "{seen:?}");
        assert!(given_up < 15, "{given_up}");
    }

    #[test]
    fn probes_answer_as_the_whole_solver() {
        probes_agree::<Yoxii>();
        probes_agree::<Hokito>();
    }

    #[test]
    fn a_probe_takes_no_more_nodes_than_it_may() {
        let start = <Yoxii as crate::game::Game>::start();
        for most in [1, 7, PROBE_NODES] {
            let (answer, nodes) = ProbeMemory::default().cleared(1).ask(&start, 1, most);
            assert_eq!(answer, None);
            assert!(nodes <= most, "{nodes} of {most}");
        }
    }
}
