//! Making a top: a fast function of the caller chooses the moves of the claim's side, as
//! far as earlier results do not refute them.

use rustc_hash::{FxHashMap, FxHashSet};

use super::task::{Task, TaskState};
use super::top::Top;
use crate::game::Game;
use crate::search::certificates::Choose;
use crate::search::certificates::claim::Claim;
use crate::search::certificates::format::{MARK, Statement};
use crate::search::certificates::write::Failed;
use crate::search::solver::Solvable;
use crate::stop::Stop;

/// Where the top ends, and how large tasks may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TaskSize {
    /// A task is given out once at most this many plies are left.
    pub plies_left: u32,
    /// The size that tasks are given: about how many nodes a typical one takes. Single
    /// ones may take thirty times as many; beyond that a task is given up as too large.
    pub nodes: u64,
}

/// Makes the top of a proof down to tasks. What `state` knows about earlier tasks is
/// taken over; `None` stands for a task that is neither proved nor given up.
///
/// # Errors
/// [`Failed::False`] if these refute the claim, [`Failed::Stopped`] soon after
/// `stop` has come.
#[inline(never)]
pub fn split<G: Solvable>(
    position: &G,
    claim: Claim,
    size: TaskSize,
    state: &mut dyn FnMut(&Task) -> Option<TaskState>,
    choose: Choose<'_, G>,
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
    let mut top = Top {
        header: Statement::new(position, claim),
        choices: Vec::new(),
        tasks: Vec::new(),
    };
    splitter.list(position, &mut FxHashSet::default(), &mut top);
    Ok(top)
}

struct Splitter<'a, G: Game> {
    claim: Claim,
    size: TaskSize,
    state: &'a mut dyn FnMut(&Task) -> Option<TaskState>,
    choose: Choose<'a, G>,
    stop: &'a Stop,
    /// Positions that have been dealt with: the index of a move, [`MARK`] for a task, or
    /// `None` where the claim is refuted.
    plan: FxHashMap<G, Option<u16>>,
}

impl<G: Solvable> Splitter<'_, G> {
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
        if let Some(mv) = self.plan.get(position) {
            return mv.is_some();
        }
        let is_small = position.plies_left() <= self.size.plies_left;
        let task = self.task(position);
        let choice = match (self.state)(&task) {
            Some(TaskState::Proved) => Some(MARK),
            Some(TaskState::Refuted) => None,
            None if is_small => Some(MARK),
            None => self.best_move(position, &moves, false),
            Some(TaskState::Large) => self.best_move(position, &moves, true),
        };
        self.plan.insert(*position, choice);
        choice.is_some()
    }

    fn task(&self, position: &G) -> Task {
        Task {
            position: position.to_string(),
            claim: self.claim,
            nodes: self.size.nodes,
        }
    }

    /// The chosen move; if that is refuted, a task in which the solver finds another.
    /// Where this task is too large, all moves are tried, the best first.
    fn best_move(&mut self, position: &G, moves: &[G::Move], is_too_large: bool) -> Option<u16> {
        let mut left = moves.to_vec();
        while !left.is_empty() && !self.stop.is_stopped() {
            let chosen = (self.choose)(position, &left);
            let at = left.iter().position(|&mv| mv == chosen).unwrap_or(0);
            let mv = left.remove(at);
            if self.stands(&position.play(mv)) {
                let index = moves.iter().position(|&other| other == mv);
                return index.map(|index| index as u16);
            }
            if !is_too_large {
                return Some(MARK);
            }
        }
        None
    }

    /// Lists what is planned for each new position of the claim's side, depth first.
    fn list(&self, position: &G, met: &mut FxHashSet<G>, top: &mut Top) {
        let moves = position.moves();
        if position.side() != self.claim.side {
            for &mv in &moves {
                self.list(&position.play(mv), met, top);
            }
            return;
        }
        if moves.is_empty() || !met.insert(*position) {
            return;
        }
        let Some(&Some(choice)) = self.plan.get(position) else {
            return;
        };
        top.choices.push(choice);
        match choice {
            MARK => top.tasks.push(self.task(position)),
            index => self.list(&position.play(moves[usize::from(index)]), met, top),
        }
    }
}
