//! The exact solver, which judges the positions of a match.

use std::sync::Mutex;
use std::time::Duration;

use crate::arena::adjudicate::ExactValue;
use totemic_engine::game::{Outcome, Side};
use totemic_engine::lock::locked;
use totemic_engine::search::solver::{Solvable, SolveRequest, Solver};
use totemic_engine::stop::Stop;

const HASH_MB: usize = 64;

pub(super) fn prover<G: Solvable>() -> impl Fn(&G, Duration, &Stop) -> Option<ExactValue> + Sync {
    // Solvers with their tables, one for each thread.
    let solvers = Mutex::new(Vec::new());
    move |position, budget, stop| {
        let idle = locked(&solvers).pop();
        let mut solver = idle.unwrap_or_else(|| Solver::new(HASH_MB));
        let solution = solver.solve(
            position,
            &SolveRequest {
                margin: true,
                pv: false,
                time: Some(budget),
                stop: stop.clone(),
                ..SolveRequest::default()
            },
        );
        locked(&solvers).push(solver);
        let side = position.side();
        let sign = if side == Side::First { 1 } else { -1 };
        Some(ExactValue {
            outcome: Outcome::of_sign(solution.value.sign()?, side),
            margin: solution.margin.map(|margin| sign * margin),
        })
    }
}
