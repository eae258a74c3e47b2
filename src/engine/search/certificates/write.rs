//! Making a certificate: the solver's answers along the tree of a proof.

use std::collections::HashSet;

use super::claim::Claim;
use super::format::{Certificate, Statement, write_choice};
use crate::search::solver::{CheaperMoveSearches, Solvable, SolveRequest, Solver, SolverRun};

/// Why there is no certificate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum Failed {
    #[error("the claim is false")]
    False,
    #[error("the proof is longer than the limit")]
    TooLong,
    #[error("the proof takes more nodes than the limit")]
    TooManyNodes,
    #[error("stopped before the claim was proved")]
    Stopped,
}

/// Proves a claim and writes the proof down, using what a solver has already proved, unless
/// the file would have more than `max_bytes` bytes. With one thread and a new solver, the
/// certificate is the same on every machine. Also returns the nodes that the solver took.
/// `progress` gets from time to time which part of the proof's tree is done, from 0 to 1,
/// and how many choices that took.
#[inline(never)]
pub fn certify<G: Solvable>(
    solver: &mut Solver<G>,
    position: &G,
    claim: Claim,
    request: &SolveRequest,
    max_bytes: u64,
    progress: &mut dyn FnMut(f64, u64),
) -> (Result<Certificate, Failed>, u64) {
    let run = solver.run_that_keeps_all(request);
    let mut writer = Writer {
        claim,
        run: &run,
        max_bytes,
        choices: Vec::new(),
        count: 0,
        met: HashSet::new(),
        searches: CheaperMoveSearches::default(),
        progress,
    };
    let made = match writer.prove(position) {
        Ok(()) => {
            let made = Certificate::new(Statement::new(position, claim), writer.choices);
            let fits = made.bytes.len() as u64 <= max_bytes;
            fits.then_some(made).ok_or(Failed::TooLong)
        }
        Err(Failed::Stopped) if !request.stop.is_stopped() => Err(Failed::TooManyNodes),
        Err(why) => Err(why),
    };
    (made, run.nodes())
}

struct Writer<'a, G> {
    claim: Claim,
    run: &'a SolverRun<'a>,
    max_bytes: u64,
    choices: Vec<u8>,
    count: u64,
    met: HashSet<G>,
    searches: CheaperMoveSearches,
    progress: &'a mut dyn FnMut(f64, u64),
}

const REPORT_EVERY: u64 = 1 << 12;

impl<G: Solvable> Writer<'_, G> {
    fn prove(&mut self, position: &G) -> Result<(), Failed> {
        let payoff = self.claim.payoff::<G>();
        let is_own = position.side() == self.claim.side;
        // The other side must not reach what would keep the claim's side below its payoff.
        let goal = if is_own { payoff } else { 1 - payoff };
        let bound = self.run.ask(position, goal).ok_or(Failed::Stopped)?;
        match (bound >= goal) == is_own {
            true => self.visit(position, 0.0, 1.0),
            false => Err(Failed::False),
        }
    }

    /// Writes the choices for a position in which the claim is true. As a part of the
    /// whole, from 0 to 1, they begin at `from` and have this `length`.
    fn visit(&mut self, position: &G, from: f64, length: f64) -> Result<(), Failed> {
        let moves = position.moves();
        if moves.is_empty() {
            return Ok(());
        }
        if position.side() != self.claim.side {
            let share = length / moves.len() as f64;
            for (i, &mv) in moves.iter().enumerate() {
                self.visit(&position.play(mv), from + share * i as f64, share)?;
            }
            return Ok(());
        }
        if !self.met.insert(*position) {
            return Ok(());
        }
        if self.count.is_multiple_of(REPORT_EVERY) {
            (self.progress)(from, self.count);
        }
        if self.run.is_stopped() {
            return Err(Failed::Stopped);
        }
        let ends = |&mv: &G::Move| {
            let after = position.play(mv);
            !after.has_moves() && self.claim.holds(&after.standing())
        };
        let index = moves.iter().position(ends).or_else(|| {
            let goal = self.claim.payoff::<G>();
            let best = self.run.move_reaching(position, goal, &mut self.searches)?;
            moves.iter().position(|&mv| mv == best)
        });
        let index = index.ok_or(Failed::Stopped)?;
        write_choice(index as u16, &mut self.choices);
        self.count += 1;
        if self.choices.len() as u64 > self.max_bytes {
            return Err(Failed::TooLong);
        }
        self.visit(&position.play(moves[index]), from, length)
    }
}
