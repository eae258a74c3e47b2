//! Finds problems in games, and grades puzzles.

use std::collections::BTreeMap;

use super::ProblemsArgs;
use crate::cli::progress;
use totemic_engine::game::{Game, Layout, Move, Rng, greedy_moves, greedy_value};
use totemic_engine::search::alphabeta::{self, Table};
use totemic_engine::search::solver::{Solution, SolveRequest, Solver, Value};
use totemic_engine::search::{Limits, Request, Searchable, ThreadPool};
use totemic_engine::stop::Stop;
use totemic_engine::text::number_of;

const MIN_LEGAL_MOVES: usize = 6;
/// From so many moves of the solver's side on, a puzzle is long.
const LONG_LINE: usize = 3;
const RANDOM_PLIES: u32 = 4;
/// After the first moves, one move in this many is random.
const RANDOM_EVERY: usize = 12;
const PLAYER_NODES: u64 = 2000;

#[derive(Clone)]
pub(super) struct Problem<G: Game> {
    pub(super) position: G,
    pub(super) solution: Solution<G::Move>,
    /// Only puzzles have one.
    pub(super) grade: Option<Grade>,
}

impl<G: Searchable> Problem<G> {
    /// Returns the grade of a puzzle, and which of several variants of one move solves it: in
    /// Yoxii, which piece is placed.
    fn category(&self) -> Option<(Grade, u16)> {
        let best = self.solution.best[0];
        Some((self.grade?, best.bits() ^ G::variant_group(best)))
    }
}

/// Returns the problems with the fewest best moves, or a choice of puzzles, in the order of the
/// games, and the number of games in which they were looked for.
pub(super) fn find_problems<G: Searchable>(
    args: &ProblemsArgs,
    games: impl Iterator<Item = Vec<G>>,
    stop: &Stop,
) -> (Vec<Problem<G>>, u64) {
    let mut finder = Finder {
        args,
        solver: Solver::new(args.hash as usize),
        request: SolveRequest {
            all_moves: true,
            pv: args.single,
            nodes: Some(args.nodes),
            stop: stop.clone(),
            ..SolveRequest::default()
        },
        found: Vec::new(),
    };
    let mut tried = 0;
    let bar = progress::bar(args.count.into(), "chosen");
    for positions in games.take_while(|_| !stop.is_stopped()) {
        tried += 1;
        let all = number_of(finder.found.len(), "problem");
        bar.set_message(format!(", {all} in {}", number_of(tried, "game")));
        finder.take(candidates(args, tried as usize, &positions));
        let progress = finder.progress();
        bar.set_position(progress as u64);
        if progress >= args.count as usize {
            break;
        }
    }
    (finder.chosen(), tried)
}

struct Finder<'a, G: Searchable> {
    args: &'a ProblemsArgs,
    solver: Solver<G>,
    request: SolveRequest,
    found: Vec<Problem<G>>,
}

impl<G: Searchable> Finder<'_, G> {
    /// Takes at most one problem of a game, of the category that is rarest so far.
    fn take(&mut self, candidates: impl Iterator<Item = G>) {
        let problems = candidates.filter_map(|position| {
            let solution = self.solver.solve(&position, &self.request);
            let is_known = self.found.iter().any(|it| it.position == position);
            // If every move loses, there is nothing to find.
            if is_known || !solution.best_complete || solution.value == Value::Loss {
                return None;
            }
            let grade = Grade::of(&position, &solution);
            (grade.is_some() || !self.args.single).then_some(Problem {
                position,
                solution,
                grade,
            })
        });
        let rarest = problems.min_by_key(|problem| {
            let category = problem.category();
            let alike = self.found.iter().filter(|it| it.category() == category);
            alike.count()
        });
        self.found.extend(rarest);
    }

    /// How far the search has come towards as many problems as are asked for. The search for
    /// puzzles ends when there are half as many of each grade to choose from.
    fn progress(&self) -> usize {
        let count = self.args.count as usize;
        if !self.args.single {
            let found = self.found.iter();
            return found.filter(|it| it.solution.best.len() == 1).count();
        }
        let pool = count.div_ceil(2);
        let grades = self.by_grade();
        let enough: usize = grades.iter().map(|all| all.len().min(pool)).sum();
        enough * count / (pool * grades.len())
    }

    /// The puzzles of each grade, as indices, those with different variants in turn.
    fn by_grade(&self) -> Vec<Vec<usize>> {
        let mut variants: [BTreeMap<u16, Vec<usize>>; 3] = Default::default();
        for (index, problem) in self.found.iter().enumerate() {
            if let Some((grade, variant)) = problem.category() {
                let same = variants[grade as usize].entry(variant).or_default();
                same.push(index);
            }
        }
        let each = variants.map(|of_grade| in_turn(of_grade.into_values().collect()));
        each.into()
    }

    fn chosen(self) -> Vec<Problem<G>> {
        let mut chosen = match self.args.single {
            true => in_turn(self.by_grade()),
            false => {
                let mut ranked = Vec::from_iter(0..self.found.len());
                ranked.sort_by_key(|&index| self.found[index].solution.best.len());
                ranked
            }
        };
        chosen.truncate(self.args.count as usize);
        chosen.sort_unstable();
        let chosen = chosen.into_iter().map(|index| self.found[index].clone());
        chosen.collect()
    }
}

/// The positions of a game that may be problems, in the order in which they are tried.
fn candidates<G: Game>(
    args: &ProblemsArgs,
    game: usize,
    positions: &[G],
) -> impl Iterator<Item = G> {
    let at = positions.len().checked_sub(args.plies as usize);
    let those = match args.single {
        // Puzzles may lie anywhere in the rest of the game.
        true => &positions[at.unwrap_or(0)..],
        false => at.and_then(|at| positions.get(at..=at)).unwrap_or_default(),
    };
    let first = game % those.len().max(1);
    those[first..].iter().chain(&those[..first]).copied()
}

/// The first of each row, then the second of each, and so on.
fn in_turn(rows: Vec<Vec<usize>>) -> Vec<usize> {
    let longest = rows.iter().map(Vec::len).max().unwrap_or(0);
    let places = (0..longest).flat_map(|at| rows.iter().filter_map(move |row| row.get(at)));
    places.copied().collect()
}

/// How hard a puzzle is for people, who count the points on the board.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Grade {
    Easy,
    Medium,
    Hard,
}

impl Grade {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Easy => "easy",
            Self::Medium => "medium",
            Self::Hard => "hard",
        }
    }

    /// Returns the grade of a solved position if it is a puzzle.
    fn of<G: Game>(position: &G, solution: &Solution<G::Move>) -> Option<Self> {
        let &[best] = solution.best.as_slice() else {
            return None;
        };
        let moves = position.moves();
        if solution.pv.is_empty() || moves.len() < MIN_LEGAL_MOVES {
            return None;
        }
        let first_look = greedy_moves(position);
        let own_moves = solution.pv.len().div_ceil(2);
        if first_look.contains(&best) {
            // Of a long one or of many alike, the answer would be found by luck.
            return (first_look.len() <= 2 && own_moves <= LONG_LINE).then_some(Self::Easy);
        }
        let after_reply = |mv: G::Move| {
            let next = position.play(mv);
            let reply = next.moves().iter().map(|&mv| greedy_value(&next, mv)).max();
            reply.map_or_else(|| greedy_value(position, mv), |value| -value)
        };
        let answer = after_reply(best);
        let is_hard = own_moves >= LONG_LINE && moves.iter().any(|&mv| after_reply(mv) > answer);
        Some(if is_hard { Self::Hard } else { Self::Medium })
    }
}

/// The first moves and a few later ones are random, so that the games differ.
pub(super) fn play_game<G: Searchable>(rng: &mut Rng, table: &mut Table) -> Vec<G> {
    let (pool, eval) = (ThreadPool::new(1), G::Evaluation::default());
    let (limits, never) = (Limits::nodes(PLAYER_NODES), Stop::new());
    let mut position = G::random_start(Layout::Halves, rng);
    let mut positions = Vec::new();
    while position.has_moves() {
        let played = G::MAX_PLIES - position.plies_left().min(G::MAX_PLIES);
        let is_random = played < RANDOM_PLIES || rng.below(RANDOM_EVERY) == 0;
        let moves = position.moves();
        let request = Request::new(&position, &limits, &never);
        let best = match is_random {
            true => None,
            false => alphabeta::search(&request, &pool, table, &eval, ()).best,
        };
        positions.push(position);
        position = position.play(best.unwrap_or_else(|| moves[rng.below(moves.len())]));
    }
    positions
}
