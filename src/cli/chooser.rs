//! The engine's moves for the side that proves something.

use crate::game::Side;
use crate::search::solver::certificate::{Claim, Goal};
use crate::search::{Control, Crew, Evaluate, Limits, Odds, Searchable, Table, search};

/// Nodes of the engine for a move.
const NODES: u64 = 4_000;
/// Nodes for its opinion of who is ahead.
const OPINION_NODES: u64 = 200_000;
/// MiB of its table.
const HASH_MB: usize = 8;

/// Chooses moves by short searches: the same moves on every machine, whatever
/// was chosen before.
pub(super) struct Chooser<G: Searchable> {
    table: Table,
    crew: Crew,
    eval: G::Evaluation,
}

impl<G: Searchable> Chooser<G> {
    pub(super) fn new() -> Self {
        Self {
            table: Table::new(HASH_MB),
            crew: Crew::new(1),
            eval: G::Evaluation::default(),
        }
    }

    /// The best of some moves, of which there is one at least.
    pub(super) fn choose(&mut self, position: &G, moves: &[G::Move]) -> G::Move {
        if moves.len() == 1 {
            return moves[0];
        }
        let limits = Limits {
            search_moves: moves.to_vec(),
            ..Limits::nodes(NODES)
        };
        self.search(position, &limits)
            .and_then(|(best, _)| best)
            .unwrap_or(moves[0])
    }

    /// What the engine thinks of the game's end, for the first side.
    pub(super) fn opinion(&mut self, position: &G) -> Odds {
        if let Some(outcome) = position.outcome() {
            let sign = outcome.sign_for(Side::First);
            let certain = |is: bool| if is { 1000 } else { 0 };
            return Odds {
                win: certain(sign > 0),
                draw: certain(sign == 0),
                loss: certain(sign < 0),
            };
        }
        let found = self.search(position, &Limits::nodes(OPINION_NODES));
        let odds = found.map_or(Odds::DRAW, |(_, odds)| odds);
        match position.side() {
            Side::First => odds,
            Side::Second => Odds {
                win: odds.loss,
                loss: odds.win,
                ..odds
            },
        }
    }

    fn search(
        &mut self,
        position: &G,
        limits: &Limits<G::Move>,
    ) -> Option<(Option<G::Move>, Odds)> {
        self.table.clear();
        let (crew, table, eval) = (&self.crew, &mut self.table, &self.eval);
        let control = Control::default();
        let report = search(position, limits, crew, table, eval, &control, |_| ());
        let line = report.lines.first()?;
        Some((report.best, eval.odds(position, line.score)))
    }
}

/// The claim that looks cheapest to prove by these odds of the first side: that
/// of the side ahead, to win or, where a draw is likelier than that, to draw.
pub(super) fn cheap_claim(odds: Odds) -> Claim {
    let side = match odds.win >= odds.loss {
        true => Side::First,
        false => Side::Second,
    };
    let goal = match odds.draw > odds.win.max(odds.loss) {
        true => Goal::Draw,
        false => Goal::Win,
    };
    Claim { side, goal }
}
