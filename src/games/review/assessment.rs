//! The value of one position: searched, and proved if that succeeds.

use super::MISTAKE;
use crate::limits::MoveLimits;
use totemic_engine::engine::Engine;
use totemic_engine::game::{Game, Outcome};
use totemic_engine::search::solver::{Solution, SolveRequest, Value};
use totemic_engine::search::{Evaluate, Limits, Report, Score, Searchable};
use totemic_engine::stop::Stop;

/// After this many failed proofs in a row, earlier positions are not tried.
const MAX_FAILED_PROOFS: u32 = 2;

/// A value that is proved by play to the end of the game, from the view of a side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProvedValue {
    /// 1 for a win, 0 for a draw, -1 for a loss.
    pub sign: i32,
    /// The points at the end of the side that the sign is for, less the other's, if that is
    /// proved, too.
    pub margin: Option<i32>,
}

impl ProvedValue {
    pub(super) fn expected_points(self) -> f64 {
        f64::from(self.sign + 1) / 2.0
    }

    pub(super) fn reversed(self) -> Self {
        Self {
            sign: -self.sign,
            margin: self.margin.map(|margin| -margin),
        }
    }

    /// Returns what a move to a position of this value proves about the position before
    /// it: a win by an unknown margin, or nothing.
    pub(super) fn at_least(self) -> Option<Self> {
        (self.sign > 0).then_some(Self {
            sign: 1,
            margin: None,
        })
    }

    /// Writes the value as `win by 5`, `draw` or `loss`.
    pub(super) fn text(self) -> String {
        match self.margin {
            Some(margin) if margin != 0 => format!("{} by {}", self.word(), margin.abs()),
            _ => self.word().to_owned(),
        }
    }

    pub(super) fn word(self) -> &'static str {
        Value::of_sign(self.sign).name()
    }
}

/// The value of a position, for the side to move.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Assessment<M> {
    /// 1 for a win, a half for a draw.
    pub(super) expected_points: f64,
    pub(super) proof: Option<ProvedValue>,
    /// Plies that the search looked ahead; `None` if the value is proved.
    pub(super) depth: Option<u32>,
    /// The best moves; empty if the game is over.
    pub(super) pv: Vec<M>,
    /// Expected points that the second-best move loses compared with the best.
    pub(super) second_best_loss: Option<f64>,
}

/// Assesses positions by the engine, which keeps its tables between them.
pub(super) struct Assessor<'a, G: Searchable, E> {
    engine: &'a mut Engine<G, E>,
    failed_proofs: u32,
    limits: &'a MoveLimits,
    stop: &'a Stop,
}

impl<'a, G: Searchable, E: Evaluate<G>> Assessor<'a, G, E> {
    pub(super) fn new(
        engine: &'a mut Engine<G, E>,
        limits: &'a MoveLimits,
        stop: &'a Stop,
    ) -> Self {
        Self {
            engine,
            failed_proofs: 0,
            limits,
            stop,
        }
    }

    /// Evaluates a position; `None` if stopped.
    pub(super) fn assess(&mut self, position: &G) -> Option<Assessment<G::Move>> {
        if let Some(outcome) = position.outcome() {
            return Some(finished(position, outcome));
        }
        self.engine.set_position(*position);
        let solution = self.prove();
        let report = self.search()?;
        let eval = self.engine.evaluation();
        let expected_points = |score| eval.odds(position, score).expected_points();
        let best = report.infos.first();
        let static_score = || Score::estimate(eval.evaluate(position));
        let estimate = expected_points(best.map_or_else(static_score, |best| best.score));
        let second_best = report.infos.get(1).map(|info| expected_points(info.score));
        let by_search = best.filter(|best| best.proven).map(|best| ProvedValue {
            sign: best.score.sign(),
            margin: None,
        });
        let by_solver = solution.as_ref().and_then(|solution| {
            let (sign, margin) = (solution.value.sign()?, solution.margin);
            Some(ProvedValue { sign, margin })
        });
        let proof = by_solver.or(by_search);
        let loss = second_best.map(|second_best| estimate - second_best);
        let second_best_loss = loss.map(|loss| match (proof, by_solver) {
            (Some(proof), _) if proof.sign < 0 => 0.0,
            // The second-best move is proved to be as good.
            (_, Some(solved)) if loss >= MISTAKE && self.count_keeping(solved.sign) > 1 => 0.0,
            _ => loss,
        });
        let solver_pv = solution.map(|solution| solution.pv);
        let pv = solver_pv.filter(|pv| !pv.is_empty()).or_else(|| {
            let search_pv = best.map(|best| best.pv.clone());
            search_pv.or_else(|| report.best.map(|best| vec![best]))
        });
        Some(Assessment {
            expected_points: proof.map_or(estimate, ProvedValue::expected_points),
            proof,
            depth: best.filter(|_| proof.is_none()).map(|best| best.depth),
            pv: pv?,
            second_best_loss,
        })
    }

    /// Returns the number of moves that are proved to keep a value.
    fn count_keeping(&mut self, sign: i32) -> usize {
        let request = SolveRequest {
            all_moves: true,
            margin: false,
            ..self.proof_request()
        };
        let solution = self.engine.solve(request);
        let signs = solution.moves.iter().map(|it| it.value.sign());
        signs.filter(|&it| it == Some(sign)).count()
    }

    fn proof_request(&self) -> SolveRequest {
        SolveRequest {
            margin: true,
            nodes: self.limits.nodes.map(|nodes| nodes.saturating_mul(4)),
            time: self.limits.proof_time(),
            stop: self.stop.clone(),
            ..SolveRequest::default()
        }
    }

    fn prove(&mut self) -> Option<Solution<G::Move>> {
        if self.failed_proofs >= MAX_FAILED_PROOFS {
            return None;
        }
        let solution = self.engine.solve(self.proof_request());
        let is_solved = solution.value != Value::Unknown;
        self.failed_proofs = if is_solved { 0 } else { self.failed_proofs + 1 };
        is_solved.then_some(solution)
    }

    fn search(&mut self) -> Option<Report<G::Move>> {
        let limits = Limits {
            // The second pv shows whether there was a choice.
            multi_pv: 2,
            ..Limits::from(*self.limits)
        };
        let report = self.engine.search_until(limits, self.stop, ());
        (!self.stop.is_stopped()).then_some(report)
    }
}

fn finished<G: Game>(position: &G, outcome: Outcome) -> Assessment<G::Move> {
    let side = position.side();
    let proof = ProvedValue {
        sign: outcome.sign_for(side),
        margin: Some(position.standing().margin_for(side)),
    };
    Assessment {
        expected_points: proof.expected_points(),
        proof: Some(proof),
        depth: None,
        pv: Vec::new(),
        second_best_loss: None,
    }
}
