//! Short searches that find the same on every machine: moves for the side that proves
//! something, and odds.

use totemic_engine::game::Side;
use totemic_engine::search::alphabeta::{self, Table};
use totemic_engine::search::certificates::{Claim, Goal};
use totemic_engine::search::{Evaluate, Limits, Odds, Report, Request, Searchable, ThreadPool};
use totemic_engine::stop::Stop;

const NODES: u64 = 4_000;
const HASH_MB: usize = 8;

/// Searches with an empty table on one thread, so that earlier searches change nothing.
pub(super) struct Chooser<G: Searchable> {
    table: Table,
    pool: ThreadPool,
    eval: G::Evaluation,
}

impl<G: Searchable> Chooser<G> {
    pub(super) fn new() -> Self {
        Self {
            table: Table::new(HASH_MB),
            pool: ThreadPool::new(1),
            eval: G::Evaluation::default(),
        }
    }

    /// Returns the best of these moves; there must be at least one.
    pub(super) fn choose(&mut self, position: &G, moves: &[G::Move]) -> G::Move {
        if moves.len() == 1 {
            return moves[0];
        }
        let limits = Limits {
            search_moves: moves.to_vec(),
            ..Limits::nodes(NODES)
        };
        self.search(position, &limits).best.unwrap_or(moves[0])
    }

    /// The odds of the first side after so many nodes, and the nodes used.
    pub(super) fn odds(&mut self, position: &G, nodes: u64) -> (Odds, u64) {
        if let Some(outcome) = position.outcome() {
            let result = outcome.sign_for(Side::First);
            let [win, draw, loss] = [1, 0, -1].map(|sign| 1000 * u32::from(sign == result));
            return (Odds { win, draw, loss }, 0);
        }
        let report = self.search(position, &Limits::nodes(nodes));
        let score = report.infos.first().map(|info| info.score);
        let mut odds = score.map_or(Odds::DRAW, |score| self.eval.odds(position, score));
        if position.side() == Side::Second {
            (odds.win, odds.loss) = (odds.loss, odds.win);
        }
        (odds, report.nodes)
    }

    fn search(&mut self, position: &G, limits: &Limits<G::Move>) -> Report<G::Move> {
        self.table.clear();
        let request = Request::new(position, limits, &Stop::new());
        alphabeta::search(&request, &self.pool, &mut self.table, &self.eval, ())
    }
}

/// Returns the claim that the side ahead wins or, if a draw is more likely, draws.
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
