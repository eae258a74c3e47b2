//! From questions about payoffs to values, best moves and pvs.

use super::SolverRun;
use super::margin::Nearer;
use super::node::{NO_BOUND, Node, PayoffBounds, Solvable};
use super::solution::{MoveValue, Solution, Value};

impl SolverRun<'_> {
    #[inline(never)]
    pub(in crate::search) fn solve<G: Solvable>(&self, position: &G) -> Solution<G::Move> {
        let mut proved = PayoffBounds::ALL;
        let found = proved.find_sign(position, |goal| self.ask(position, goal));
        let finished = found.is_some();
        let mut solution = Solution::between(proved.lower.signum(), proved.upper.signum());
        let mut bounds = proved.of_sign();
        if self.request.margin {
            if finished {
                let near = Nearer::likely(proved);
                solution.margin = self.find_margin(position, &mut proved, near);
            }
            solution.margin_bounds = Some(proved.margins::<G::Node>(&position.node()));
            if let Some(margin) = solution.margin {
                // The payoffs of this margin that also have the sign of the result.
                bounds = bounds.intersection(PayoffBounds::of_margin::<G::Node>(margin));
            }
        }
        if finished {
            self.find_moves(position, bounds, &mut solution);
        }
        (solution.nodes, solution.time) = (self.nodes(), self.begin.elapsed());
        solution
    }

    /// What is proved about a move: its value, and its margin if that is asked for.
    /// No move is better than `bounds`, those of the position.
    fn move_value<G: Solvable>(
        &self,
        position: &G,
        mv: G::Move,
        bounds: PayoffBounds,
    ) -> MoveValue<G::Move> {
        let after = position.play(mv);
        let mut proved = PayoffBounds::new(-bounds.upper, NO_BOUND);
        let value = proved.find_sign(&after, |goal| self.ask(&after, goal));
        let margin = value
            .filter(|()| self.request.margin)
            .and_then(|()| self.find_margin(&after, &mut proved, Nearer::Lower));
        MoveValue {
            mv,
            value: proved.turned().value(),
            margin: margin.map(|margin| -margin),
        }
    }

    fn find_moves<G: Solvable>(
        &self,
        position: &G,
        bounds: PayoffBounds,
        solution: &mut Solution<G::Move>,
    ) {
        let request = self.request;
        let moves = position.moves();
        if request.all_moves || request.all_best {
            solution.best_complete = true;
            for &mv in &moves {
                if request.all_moves {
                    let move_value = self.move_value(position, mv, bounds);
                    solution.best_complete &= move_value.value != Value::Unknown;
                    solution.moves.push(move_value);
                }
                match self.keeps(position, mv, bounds) {
                    Some(true) => solution.best.push(mv),
                    Some(false) => {}
                    None => solution.best_complete = false,
                }
            }
        } else if bounds.lower <= -NO_BOUND {
            solution.best = moves.to_vec();
            solution.best_complete = true;
        } else if let Some(mv) = self.best_move(position, bounds) {
            solution.best.push(mv);
            solution.best_complete = moves.len() == 1;
        }
        if request.pv {
            solution.pv = self.pv(position, bounds).unwrap_or_default();
        }
    }

    fn keeps<G: Solvable>(&self, position: &G, mv: G::Move, bounds: PayoffBounds) -> Option<bool> {
        if bounds.lower <= -NO_BOUND {
            return Some(true);
        }
        let goal = 1 - bounds.lower;
        Some(self.ask(&position.play(mv), goal)? < goal)
    }

    fn best_move<G: Solvable>(&self, position: &G, bounds: PayoffBounds) -> Option<G::Move> {
        let mut moves: Vec<G::Move> = position.moves().to_vec();
        moves.sort_by_cached_key(|&mv| position.play(mv).count_moves());
        let hashed = self.shared.table.hashed::<G::Node>(&position.node().key());
        let favourite = self.shared.known::<G::Node>(&hashed, 0).proposed(position);
        if let Some(at) = moves.iter().position(|&mv| Some(mv) == favourite) {
            moves[..=at].rotate_right(1);
        }
        for mv in moves {
            if self.keeps(position, mv, bounds)? {
                return Some(mv);
            }
        }
        None
    }

    /// The moves to the end of the game that keep proved bounds.
    fn pv<G: Solvable>(&self, position: &G, bounds: PayoffBounds) -> Option<Vec<G::Move>> {
        let mut pv = Vec::new();
        let (mut position, mut bounds) = (*position, bounds);
        while position.has_moves() {
            let mv = self.best_move(&position, bounds)?;
            pv.push(mv);
            position = position.play(mv);
            bounds = bounds.turned();
        }
        Some(pv)
    }
}
