//! The exact solver's part of an answer: trials while the search goes on, a question after
//! it, and how what they prove is reported.

use super::Thinker;
use crate::game::Game;
use crate::search::limits::Limits;
use crate::search::request::{Handler, Request};
use crate::search::score::{Bound, Score};
use crate::search::solver::{CHECK_EVERY, Mode, Solution, SolveRequest, SolverRun, Value};
use crate::search::{Evaluate, Info, Searchable, ThreadPool};

/// Nodes of the first question to the solver: less than a millisecond.
const FIRST_TRIAL_NODES: u64 = 1 << 11;
/// Nodes of the search before the first question, unless that comes at once.
const NODES_BEFORE_TRIAL: f64 = 512.0;
/// Most plies left with which it is asked before anything is searched.
const PLIES_TO_TRY_FIRST: u32 = 14;
/// Most plies left with which it is asked once more when a search has reached its depth.
const PLIES_TO_TRY_AGAIN: u32 = 24;
/// Nodes that the solver may use for each node of the search, by the most plies left: where
/// the search holds the game for won or lost, and where it is open. With 20 plies left the
/// solver decides two of three positions from games of the engine in 60,000 nodes, with 23
/// one of seven, with 26 hardly any; beyond 20, most of them are those in which one side is
/// far ahead.
const RATES: [(u32, f64, f64); 9] = [
    (19, 3.0, 1.5),
    (20, 3.0, 1.0),
    (21, 2.5, 0.6),
    (22, 2.0, 0.3),
    (23, 1.2, 0.1),
    (24, 0.8, 0.05),
    (25, 0.3, 0.02),
    (26, 0.1, 0.02),
    (30, 0.05, 0.01),
];

/// Questions to the solver while a search goes on. Each may take twice the nodes of the
/// last one; what that has proved is in the table.
pub(super) struct Trials<M> {
    /// Nodes of the next question.
    size: u64,
    used: u64,
    /// Nodes that the solver may use for each one of the search, in a one-sided and in an
    /// open position; 0 if it is not asked.
    rates: [f64; 2],
    /// Threads that answer a question.
    threads: usize,
    /// How many nodes these visit while the search's main thread visits one.
    speed: f64,
    /// How one-sided the position looks, from 0 to 1.
    one_sided: f64,
    /// Whether the first question comes before the search.
    at_once: bool,
    /// The infos of the answer, once the solver has found them.
    pub(super) proved: Option<Vec<Info<M>>>,
}

impl<M> Trials<M> {
    /// The trials of a request; `threads` is the size of the pool, `speed` is
    /// [that of the solver](super::memory::SearchMemory::solver_speed).
    pub(super) fn of<G: Game<Move = M>>(request: &Request<G>, threads: usize, speed: f64) -> Self {
        let Request {
            position, limits, ..
        } = request;
        let left = position.plies_left();
        let rates = RATES.iter().find(|&&(most, ..)| left <= most);
        let rates = rates.map_or([0.0; 2], |&(_, one_sided, open)| [one_sided, open]);
        let (size, rates) = match limits.mate {
            None if limits.full_width => (FIRST_TRIAL_NODES, [0.0; 2]),
            None => (FIRST_TRIAL_NODES, rates),
            // A proof is all that is wanted.
            Some(mate) if left <= mate.min(limits.depth.unwrap_or(mate)) => {
                (u64::MAX, [f64::MAX; 2])
            }
            Some(_) => (FIRST_TRIAL_NODES, [0.0; 2]),
        };
        // If nodes are limited, several threads could use more than are left.
        let threads = limits.nodes.map_or(threads, |_| 1);
        Self {
            size,
            used: 0,
            rates,
            threads,
            speed: speed * threads as f64,
            one_sided: 0.0,
            at_once: left <= PLIES_TO_TRY_FIRST,
            proved: None,
        }
    }

    /// Nodes of the search before the next question.
    fn due(&self) -> u64 {
        let [one_sided, open] = self.rates;
        let used = self.used.saturating_add(self.size) as f64;
        match open + self.one_sided * (one_sided - open) {
            0.0 => u64::MAX,
            _ if self.used == 0 && self.at_once => 0,
            rate => ((used / rate).max(NODES_BEFORE_TRIAL) / self.speed) as u64,
        }
    }

    /// The nodes before the next pause of a search whose main thread has visited so many. The
    /// search may soon think otherwise of the position.
    fn next_pause(&self, nodes: u64) -> u64 {
        self.due().min((2 * nodes).max(FIRST_TRIAL_NODES))
    }
}

impl<G: Searchable, E: Evaluate<G>> Handler<G::Move> for Thinker<'_, G, E> {
    fn report(&mut self, info: &Info<G::Move>) {
        self.reporter.report(info);
    }

    fn work_in_pause(&mut self, nodes: u64, left: u64) -> Option<u64> {
        if let Some(best) = self.reporter.best() {
            let odds = best.odds(&self.request.position, self.eval);
            self.trials.one_sided = (2.0 * odds.expected_points() - 1.0).abs().powi(8);
        }
        if nodes < self.trials.due() {
            return Some(self.trials.next_pause(nodes));
        }
        if self.reporter.all_proved_decisive() {
            return Some(2 * nodes);
        }
        let Some(most) = left
            .checked_sub(CHECK_EVERY)
            .filter(|&left| left >= FIRST_TRIAL_NODES)
        else {
            return Some(u64::MAX);
        };
        self.run_trial(most);
        match self.trials.proved {
            Some(_) => None,
            None => Some(self.trials.next_pause(nodes)),
        }
    }
}

impl<G: Searchable, E: Evaluate<G>> Thinker<'_, G, E> {
    /// The next question while the search goes on, within `most` nodes.
    fn run_trial(&mut self, most: u64) {
        let Trials { size, threads, .. } = self.trials;
        // What the other threads count after the answer must not use up the nodes.
        let excess = CHECK_EVERY * (threads as u64 - 1);
        let nodes = size.saturating_add(excess).min(most);
        let request = self.request;
        let (begin, before) = (request.timer.elapsed(), request.nodes_elsewhere());
        let infos = self.prove_root_moves(&request.limits, nodes, threads);
        let trials = &mut self.trials;
        trials.used += request.nodes_elsewhere() - before;
        trials.size = size.saturating_mul(2);
        trials.proved = infos;
        if trials.proved.is_none() {
            request.timer.give_time_back(begin);
        }
    }

    /// Asks the solver for the best of the moves that `wanted` allows. Returns the infos with
    /// their proven values, best first, if it found them in time.
    fn prove_root_moves(
        &mut self,
        wanted: &Limits<G::Move>,
        nodes: u64,
        threads: usize,
    ) -> Option<Vec<Info<G::Move>>> {
        let request = self.request;
        let mut solve_request = SolveRequest {
            nodes: Some(nodes),
            threads,
            stop: request.timer.stop_at_end(),
            ..SolveRequest::default()
        };
        let mut used = 0;
        let mut solve = |position: &G| {
            let solution = self.run_solver(position, &solve_request);
            used += solution.nodes;
            let left = nodes.saturating_sub(used);
            solve_request.nodes = Some(left);
            (solution.value != Value::Unknown && left > 0).then_some(solution)
        };
        match wants_one_pv(wanted) {
            true => solve(&request.position).and_then(|it| Some(vec![own_info(request, &it)?])),
            false => proved_moves(request, wanted, solve),
        }
    }

    /// The answer of all threads, or of the caller's alone while the others are busy.
    pub(super) fn run_solver(&mut self, position: &G, request: &SolveRequest) -> Solution<G::Move> {
        let alone = ThreadPool::new(1);
        let pool = match request.threads {
            1 => &alone,
            _ => self.pool,
        };
        let table = self.proof_memory.table();
        let solution = SolverRun::new(Mode::Fast, table, pool, request, &|_| ()).solve(position);
        self.request.add_nodes_elsewhere(solution.nodes);
        solution
    }

    /// The infos of the moves that `wanted` allows, proved with all threads after a search
    /// of so many nodes: within the nodes that are left, or within as many again, if they are
    /// not limited.
    fn prove_after_search(
        &mut self,
        wanted: &Limits<G::Move>,
        searched: u64,
    ) -> Option<Vec<Info<G::Move>>> {
        let threads = self.pool.size();
        let nodes = match self.request.nodes_left() {
            u64::MAX => searched.max(FIRST_TRIAL_NODES),
            left => {
                let spare = CHECK_EVERY * threads as u64;
                left.checked_sub(searched + spare)
                    .filter(|&left| left > 0)?
            }
        };
        self.prove_root_moves(wanted, nodes, threads)
    }

    /// The proved infos of a position whose search ended without a proof although it
    /// reached the greatest depth that makes sense, or the depth asked for if the game is
    /// nearly over: a search that leaves moves out proves no draw.
    pub(super) fn prove_searched(
        &mut self,
        searched: &[Info<G::Move>],
        nodes: u64,
    ) -> Option<Vec<Info<G::Move>>> {
        let Request {
            position,
            limits,
            timer,
            ..
        } = self.request;
        let best = searched.first()?;
        let is_open = searched.iter().any(|info| !info.score.is_decisive());
        let longest = position.plies_left();
        let wanted =
            (limits.depth).filter(|&depth| depth >= longest || longest <= PLIES_TO_TRY_AGAIN);
        let deepest = self.request.deepest();
        let is_whole = best.depth >= wanted.map_or(deepest, |depth| depth.min(deepest));
        if !is_open || !is_whole || timer.stop.is_stopped() {
            return None;
        }
        self.prove_after_search(limits, nodes)
    }

    /// The infos of a proved draw, or those of the move that the search had found, if that
    /// draws, too: it is the better one against an opponent who errs.
    pub(super) fn prefer_searched_draw(
        &mut self,
        infos: Vec<Info<G::Move>>,
        searched: &[Info<G::Move>],
        nodes: u64,
    ) -> Vec<Info<G::Move>> {
        let limits = &self.request.limits;
        let own = searched.first().and_then(|info| info.pv.first());
        let Some(&mv) = own.filter(|&mv| infos[0].pv.first() != Some(mv)) else {
            return infos;
        };
        if infos[0].score.is_decisive() || !wants_one_pv(limits) {
            return infos;
        }
        let of_move = Limits {
            search_moves: vec![mv],
            ..limits.clone()
        };
        let own = self.prove_after_search(&of_move, nodes);
        own.filter(|own| own[0].score == infos[0].score)
            .unwrap_or(infos)
    }
}

pub(super) fn wants_one_pv<M>(limits: &Limits<M>) -> bool {
    limits.multi_pv <= 1 && limits.search_moves.is_empty()
}

/// The infos of several or chosen moves: each is worth the opposite of the position after
/// it.
fn proved_moves<G: Searchable>(
    request: &Request<G>,
    limits: &Limits<G::Move>,
    mut ask: impl FnMut(&G) -> Option<Solution<G::Move>>,
) -> Option<Vec<Info<G::Move>>> {
    let mut nodes = 0;
    let mut solved = Vec::new();
    for mv in limits.root_moves(&request.position) {
        let solution = ask(&request.position.play(mv))?;
        nodes += solution.nodes;
        solved.push((mv, solution));
    }
    solved.sort_by_key(|(_, solution)| solution.value.sign());
    let best = solved.into_iter().take(limits.multi_pv.max(1)).enumerate();
    let infos = best.map(|(at, (mv, solution))| {
        let pv = std::iter::once(mv).chain(solution.pv.iter().copied());
        proved_info(request, at + 1, &solution, -1, pv.collect(), nodes)
    });
    Some(infos.collect())
}

/// The info of the position's own solution; `None` if the time sufficed for the value,
/// but not for a move that keeps it.
fn own_info<G: Searchable>(
    request: &Request<G>,
    solution: &Solution<G::Move>,
) -> Option<Info<G::Move>> {
    let pv = match (&solution.pv[..], &solution.best[..]) {
        ([], []) => return None,
        ([], [best, ..]) => vec![*best],
        (pv, _) => pv.to_vec(),
    };
    Some(proved_info(request, 1, solution, 1, pv, solution.nodes))
}

/// An info with a proven value; `sign` is -1 if the solution is for the opponent.
fn proved_info<G: Searchable>(
    request: &Request<G>,
    multipv: usize,
    solution: &Solution<G::Move>,
    sign: i32,
    pv: Vec<G::Move>,
    nodes: u64,
) -> Info<G::Move> {
    let plies = request.position.plies_left();
    let score = Score::of_sign(solution.value.sign().unwrap_or(0) * sign, plies as usize);
    Info {
        depth: request.limits.depth.map_or(plies, |depth| depth.min(plies)),
        seldepth: plies,
        multipv,
        score,
        bound: Bound::Exact,
        proven: true,
        nodes,
        time: request.timer.elapsed(),
        hashfull: 0,
        pv,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Yoxii};
    use crate::search::solver::solve;
    use crate::stop::Stop;

    #[test]
    fn a_value_without_a_move_is_no_answer() {
        let text = "3/IIy1o/yOO1I*1/o1Yy3/yoiiIX1/IXoyO/3 w";
        let position: Yoxii = text.parse().expect("a position");
        let request = Request::new(&position, &Limits::default(), &Stop::new());
        let solution = solve(&position, &SolveRequest::default());
        let best = solution.best[0];
        let without_pv = Solution {
            pv: Vec::new(),
            ..solution.clone()
        };
        let info = own_info(&request, &without_pv).expect("a best move");
        assert_eq!(info.pv, [best]);
        assert!(info.score.is_win() && position.is_legal(best));
        let without_move = Solution {
            best: Vec::new(),
            ..without_pv
        };
        assert_eq!(own_info(&request, &without_move), None);
    }
}
