//! `totemic problems`: makes endgame problems for the solver and for people.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::files::Input;
use super::values::whole;
use super::{
    CliResult, Failure, Global, fail_if, interrupted, progress, say_errors, stop_on_interrupt,
    texts,
};
use totemic_engine::game::{
    Game, GameKind, Layout, Move, Rng, greedy_moves, greedy_value, number_of, quoted_path,
    with_game,
};
use totemic_engine::search::solver::{Solution, SolveRequest, Solver, Value};
use totemic_engine::search::{Limits, Request, Searchable, Table, ThreadPool, search};
use totemic_engine::stop::Stop;
use totemic_games::record::PgnGame;
use totemic_games::record::reader::read;

/// Make endgame problems: positions, values and all best moves
///
/// Lets the engine play quick games against itself, with some random moves, and
/// takes the position a given number of plies before the end of each game. It
/// skips lost positions and prefers those with few best moves. It writes the
/// game, the position, its value and all moves that keep the value, separated by
/// tabs: the format that `totemic solve --file FILE --all-moves` checks.
///
/// Exit codes: 0 all found, or the files of --from are empty; 1 fewer found than you asked
/// for; 2 bad arguments; 130 stopped by Ctrl-C. Whatever was found is written.
#[derive(Args, Debug)]
pub(super) struct ProblemsArgs {
    /// Plies before the end of its game; with --single, the most
    #[arg(long, value_name = "N", default_value_t = 8,
          value_parser = whole(1..=GameKind::MAX_PLIES))]
    plies: u32,
    /// Take the positions from these games, in PGN, journals or lines of moves
    #[arg(long, num_args = 1.., value_name = "FILE")]
    from: Vec<PathBuf>,
    /// Number of problems
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = whole(1u32..))]
    count: u32,
    /// Seed of the games: the same seed makes the same problems
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(0u64..))]
    seed: u64,
    /// Skip positions that take more nodes than this to solve
    #[arg(long, value_name = "N", default_value_t = 3_000_000, value_parser = whole(1u64..))]
    nodes: u64,
    /// Make puzzles, of which exactly one move keeps the value
    ///
    /// Puzzles are positions with at least six moves; as many of each grade as possible,
    /// and in Yoxii as many answers with each piece. A comment after each puzzle gives
    /// its grade and a line to the end.
    ///
    /// easy: a player who looks one ply ahead and counts the points on the board may find
    /// the answer, and the line has at most 3 moves of that side; medium: such a player
    /// misses it; hard: a player who also counts the best reply misses it as well, and
    /// the line has at least 3 such moves.
    #[arg(long)]
    single: bool,
    /// Print one JSON object for each problem
    #[arg(long)]
    json: bool,
    /// Memory for proved positions in MiB
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = whole(1..=1_048_576u32))]
    hash: u32,
}

const GAMES_PER_PROBLEM: u64 = 12;
const GAMES_PER_PUZZLE: u64 = 400;
const MIN_LEGAL_MOVES: usize = 6;
/// From so many moves of the solver's side on, a puzzle is long.
const LONG_LINE: usize = 3;
const RANDOM_PLIES: u32 = 4;
/// After the first moves, one move in this many is random.
const RANDOM_EVERY: usize = 12;
const PLAYER_NODES: u64 = 2000;
const PLAYER_HASH_MB: usize = 16;

pub(super) fn run(global: Global, args: &ProblemsArgs) -> CliResult {
    let (mut games, mut unreadable) = (Vec::new(), Vec::new());
    for path in &args.from {
        let text = Input::open(path, "a file of games")?.text()?;
        let read = read(&text, global.game);
        if read.is_empty() {
            say!("{}: there is no game", quoted_path(path));
        }
        for game in read {
            match game {
                Ok(game) => games.push(game),
                Err(why) if why.is_cut_off() => say!("{}, {why}", quoted_path(path)),
                Err(why) => unreadable.push(format!("{}, {why}", quoted_path(path))),
            }
        }
    }
    say_errors(&unreadable);
    let of_first = || games.first().map(|game| game.kind);
    let kind = global.game.or_else(of_first).unwrap_or_default();
    let all = games.len();
    if all == 0 && unreadable.is_empty() && !args.from.is_empty() {
        return Ok(());
    }
    games.retain(|game| game.kind == kind);
    if games.len() < all {
        let others = number_of(all - games.len(), "game");
        say!("warning: skipped {others} that are not of {kind}");
    }
    with_game!(kind, G => write_problems::<G>(args, &games))?;
    fail_if(!unreadable.is_empty(), 1)
}

fn write_problems<G: Searchable>(args: &ProblemsArgs, games: &[PgnGame]) -> CliResult {
    let from_files: Vec<Vec<G>> = games.iter().map(positions).collect::<Result<_, _>>()?;
    let tries = match (args.from.is_empty(), args.single) {
        (false, _) => from_files.len() as u64,
        (true, true) => u64::from(args.count) * GAMES_PER_PUZZLE,
        (true, false) => u64::from(args.count) * GAMES_PER_PROBLEM,
    };
    let stop = stop_on_interrupt()?;
    let mut rng = Rng::new(args.seed);
    let mut table = Table::new(PLAYER_HASH_MB);
    let played = std::iter::repeat_with(|| play_game(&mut rng, &mut table));
    let games = from_files.into_iter().chain(played).take(tries as usize);
    let (problems, tried) = find_problems(args, games, &stop);
    for problem in &problems {
        problem.print(args.json)?;
    }
    if stop.is_stopped() {
        let (count, games) = (problems.len(), number_of(tried, "game"));
        return Err(interrupted(format_args!(
            "stopped after {games}: found {count} of {}",
            number_of(args.count, "problem")
        )));
    }
    if problems.len() < args.count as usize {
        return Err(failure!(
            "found only {} in {}",
            number_of(problems.len(), "problem"),
            number_of(tries, "game")
        ));
    }
    Ok(())
}

fn positions<G: Game>(game: &PgnGame) -> Result<Vec<G>, Failure> {
    let replayed = game.replay::<G>();
    let (mut positions, _) = replayed.map_err(|why| failure!("{why}"))?;
    positions.retain(Game::has_moves);
    Ok(positions)
}

#[derive(Clone)]
struct Problem<G: Game> {
    position: G,
    solution: Solution<G::Move>,
    /// Only puzzles have one.
    grade: Option<Grade>,
}

impl<G: Searchable> Problem<G> {
    /// Returns the grade of a puzzle, and which of several variants of one move solves it: in
    /// Yoxii, which piece is placed.
    fn category(&self) -> Option<(Grade, u16)> {
        let best = self.solution.best[0];
        Some((self.grade?, best.bits() ^ G::variant_group(best)))
    }

    fn print(&self, as_json: bool) -> CliResult {
        let (position, value) = (&self.position, self.solution.value);
        let (mut best, pv) = (texts(&self.solution.best), texts(&self.solution.pv));
        best.sort();
        let (game, grade) = (G::NAME, self.grade.map(Grade::name));
        if as_json {
            let problem = json!({"game": game, "position": position.to_string(),
                "value": value.name(), "best": best, "grade": grade, "pv": pv});
            return print_line!("{problem}");
        }
        let note = grade.map(|grade| format!("\t# {grade}: {}", pv.join(" ")));
        let (best, note) = (best.join(" "), note.unwrap_or_default());
        print_line!("{game}\t{position}\t{value}\t{best}{note}")
    }
}

/// Returns the problems with the fewest best moves in some games, in the order of the
/// games, or a choice of puzzles, and the number of games.
fn find_problems<G: Searchable>(
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
        let complete = finder.complete();
        bar.set_position(complete as u64);
        if complete >= args.count as usize {
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

    /// How far the search for problems has come. That for puzzles ends when there are half
    /// as many again of each grade to choose from.
    fn complete(&self) -> usize {
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
enum Grade {
    Easy,
    Medium,
    Hard,
}

impl Grade {
    fn name(self) -> &'static str {
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
fn play_game<G: Searchable>(rng: &mut Rng, table: &mut Table) -> Vec<G> {
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
            false => search(&request, &pool, table, &eval, ()).best,
        };
        positions.push(position);
        position = position.play(best.unwrap_or_else(|| moves[rng.below(moves.len())]));
    }
    positions
}
