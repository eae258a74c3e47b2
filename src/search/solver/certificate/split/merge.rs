//! One certificate of a top and the streams of its tasks.
//!
//! Streams are not just put one behind the other: a certificate skips positions
//! that were met before, in whatever task. The merger walks through the proof
//! with the choices of all streams and writes those that are met first.

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::claim::Claim;
use super::super::format::{Certificate, read_choices};
use super::task::Task;
use super::top::{Entry, Top};
use crate::game::Game;

/// Why parts are no certificate.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MergeError {
    /// The top is not that of a proof.
    #[error("the top does not fit the rules of the game")]
    Top,
    /// The stream of a task is not at hand, or does not fit.
    #[error("task {}: its stream is missing, or does not fit", .0.id())]
    Unproved(Box<Task>),
}

/// Puts a certificate together from a top and the streams of its tasks, which
/// `stream` finds by their identity. Whether it is a proof is for
/// [`verify`](super::super::verify()) to say.
///
/// # Errors
/// [`MergeError`].
pub fn merge<G: Game>(
    top: &Top,
    stream: impl FnMut(&str) -> Option<Vec<u8>>,
) -> Result<Certificate, MergeError> {
    let claim = top.header.claim;
    let position: G = top.header.position.parse().map_err(|_| MergeError::Top)?;
    let mut entries = top.entries.iter();
    let mut plan = FxHashMap::default();
    replay(&position, claim, &mut || entries.next().cloned(), &mut plan).ok_or(MergeError::Top)?;
    let mut merger = Merger {
        claim,
        stream,
        met: FxHashSet::default(),
        choices: Vec::new(),
    };
    merger.walk(&position, &plan)?;
    Ok(Certificate::new(&position, claim, merger.choices))
}

/// What a list says of each new position of the claim's side, depth first; `None`
/// where it does not fit.
fn replay<G: Game>(
    position: &G,
    claim: Claim,
    next: &mut impl FnMut() -> Option<Entry>,
    plan: &mut FxHashMap<G, Entry>,
) -> Option<()> {
    // Most positions were met before: their moves are not needed.
    if plan.contains_key(position) {
        return Some(());
    }
    let moves = position.moves();
    if position.side() != claim.side {
        return (moves.iter()).try_for_each(|&mv| replay(&position.play(mv), claim, next, plan));
    }
    if moves.is_empty() {
        return Some(());
    }
    let entry = next()?;
    plan.insert(*position, entry.clone());
    match entry {
        Entry::Move(index) => {
            let &mv = moves.get(usize::from(index))?;
            replay(&position.play(mv), claim, next, plan)
        }
        Entry::Task(_) => Some(()),
    }
}

struct Merger<G, S> {
    claim: Claim,
    stream: S,
    /// Positions whose choices are written.
    met: FxHashSet<G>,
    choices: Vec<u16>,
}

impl<G: Game, S: FnMut(&str) -> Option<Vec<u8>>> Merger<G, S> {
    /// Writes the choices of a plan that are not yet written.
    fn walk(&mut self, position: &G, plan: &FxHashMap<G, Entry>) -> Result<(), MergeError> {
        if self.met.contains(position) {
            return Ok(());
        }
        let moves = position.moves();
        if position.side() != self.claim.side {
            return (moves.iter()).try_for_each(|&mv| self.walk(&position.play(mv), plan));
        }
        if moves.is_empty() {
            return Ok(());
        }
        match plan.get(position).ok_or(MergeError::Top)? {
            Entry::Move(index) => {
                self.met.insert(*position);
                self.choices.push(*index);
                self.walk(&position.play(moves[usize::from(*index)]), plan)
            }
            Entry::Task(task) => {
                let unproved = || MergeError::Unproved(task.clone());
                let bytes = (self.stream)(&task.id()).ok_or_else(unproved)?;
                let choices = read_choices(&bytes).map_err(|_| unproved())?;
                let mut choices = choices.into_iter().map(Entry::Move);
                let mut own = FxHashMap::default();
                replay(position, self.claim, &mut || choices.next(), &mut own)
                    .ok_or_else(unproved)?;
                self.walk(position, &own)
            }
        }
    }
}
