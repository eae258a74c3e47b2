//! Making a top: a fast function of the caller chooses the moves of the claim's side, as
//! far as earlier results do not refute them.

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::claim::Claim;
use super::super::format::Statement;
use super::super::write::Failed;
use super::task::{Task, TaskState};
use super::top::{Entry, Top};
use crate::search::Stop;
use crate::search::solver::node::Solvable;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TaskSize {
    pub(crate) plies_left: u32,
    /// The size that tasks are given: about how many nodes a typical one takes. Single
    /// ones may take thirty times as many; beyond that a task is given up as too large.
    pub(crate) nodes: u64,
}

/// Makes the top of a proof down to tasks. What `state` knows about earlier tasks is
/// taken over.
///
/// # Errors
/// [`Failed::False`] if these refute the claim, [`Failed::Stopped`] soon after
/// `stop` has come.
pub(crate) fn split<G: Solvable>(
    position: &G,
    claim: Claim,
    size: TaskSize,
    state: impl FnMut(&Task) -> TaskState,
    choose: impl FnMut(&G, &[G::Move]) -> G::Move,
    stop: &Stop,
) -> Result<Top, Failed> {
    let mut splitter = Splitter {
        claim,
        size,
        state,
        choose,
        stop,
        plan: FxHashMap::default(),
    };
    let stands = splitter.stands(position);
    if stop.is_stopped() {
        return Err(Failed::Stopped);
    }
    if !stands {
        return Err(Failed::False);
    }
    let mut entries = Vec::new();
    splitter.list(position, &mut FxHashSet::default(), &mut entries);
    Ok(Top {
        header: Statement::new(position, claim),
        entries,
    })
}

struct Splitter<'a, G, S, F> {
    claim: Claim,
    size: TaskSize,
    state: S,
    choose: F,
    stop: &'a Stop,
    /// Positions that have been dealt with; `None` where the claim is refuted.
    plan: FxHashMap<G, Option<Entry>>,
}

impl<G, S, F> Splitter<'_, G, S, F>
where
    G: Solvable,
    S: FnMut(&Task) -> TaskState,
    F: FnMut(&G, &[G::Move]) -> G::Move,
{
    /// Whether the claim is not refuted by what is known; plans its proof. After a
    /// stop it returns false at once, which means nothing.
    fn stands(&mut self, position: &G) -> bool {
        if self.stop.is_stopped() {
            return false;
        }
        let moves = position.moves();
        if moves.is_empty() {
            return self.claim.holds(&position.standing());
        }
        if position.side() != self.claim.side {
            return moves.iter().all(|&mv| self.stands(&position.play(mv)));
        }
        if let Some(known) = self.plan.get(position) {
            return known.is_some();
        }
        let task = Task {
            position: position.to_string(),
            claim: self.claim,
            nodes: self.size.nodes,
        };
        let is_small = position.plies_left() <= self.size.plies_left;
        let entry = match (self.state)(&task) {
            TaskState::Proved => Some(Entry::Task(Box::new(task))),
            TaskState::Refuted => None,
            TaskState::Open if is_small => Some(Entry::Task(Box::new(task))),
            TaskState::Open | TaskState::Large => self.best_move(position, &moves).map(Entry::Move),
        };
        let stands = entry.is_some();
        self.plan.insert(*position, entry);
        stands
    }

    fn best_move(&mut self, position: &G, moves: &[G::Move]) -> Option<u16> {
        let mut left = moves.to_vec();
        while !left.is_empty() && !self.stop.is_stopped() {
            let chosen = (self.choose)(position, &left);
            let at = left.iter().position(|&mv| mv == chosen).unwrap_or(0);
            let mv = left.remove(at);
            if self.stands(&position.play(mv)) {
                return moves
                    .iter()
                    .position(|&other| other == mv)
                    .map(|i| i as u16);
            }
        }
        None
    }

    /// Lists what is planned for each new position of the claim's side, depth first.
    fn list(&self, position: &G, met: &mut FxHashSet<G>, entries: &mut Vec<Entry>) {
        let moves = position.moves();
        if position.side() != self.claim.side {
            for &mv in &moves {
                self.list(&position.play(mv), met, entries);
            }
            return;
        }
        if moves.is_empty() || !met.insert(*position) {
            return;
        }
        if let Some(Some(entry)) = self.plan.get(position) {
            entries.push(entry.clone());
            if let Entry::Move(index) = entry {
                let next = position.play(moves[usize::from(*index)]);
                self.list(&next, met, entries);
            }
        }
    }
}
