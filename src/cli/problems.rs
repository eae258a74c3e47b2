//! `totemic problems`: makes endgame problems for the solver and for people.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::progress;
use super::values::whole;
use super::{CliResult, Failure, Global, INTERRUPTED, files, say, say_errors, stop_on_interrupt};
use crate::game::{Game, GameKind, Layout, Rng, number_of, quoted_path, with_game};
use crate::record::reader::{PlayedGame, read};
use crate::search::solver::{Solution, SolveLimits, Solver, Value};
use crate::search::{Limits, Request, Searchable, Stop, Table, ThreadPool, search};

/// Make endgame problems: positions, values and all best moves.
///
/// Plays quick games of the engine against itself, with some random moves, and
/// takes from each game the position a given number of plies before its end. It
/// skips lost positions and prefers those with few best moves. It writes the
/// game, the position, its value and all moves that keep the value, separated by
/// tabs: the format that `totemic solve --file FILE --all-moves` checks.
///
/// Exit codes: 0 all found; 1 fewer found than asked for; 2 bad arguments;
/// 130 stopped by Ctrl-C. What was found is always written.
#[derive(Args, Debug)]
pub(super) struct ProblemsArgs {
    /// Plies from the position to the end of the game that it comes from
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = whole(1..=GameKind::MAX_PLIES))]
    plies: u32,
    /// Take the positions from these games instead of playing: PGN, journals,
    /// lines of moves
    #[arg(long, num_args = 1.., value_name = "FILE")]
    from: Vec<PathBuf>,
    /// Number of problems
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = whole(1u32..))]
    count: u32,
    /// Seed of the games: the same seed makes the same problems
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(0u64..))]
    seed: u64,
    /// Skip positions that take more nodes to solve
    #[arg(long, value_name = "N", default_value_t = 3_000_000, value_parser = whole(1u64..))]
    nodes: u64,
    /// Only puzzles: positions where one of at least six moves keeps the value and all
    /// others lose it. A comment after each gives the depth from which a search plays
    /// that move (9 if a search of 8 plies does not) and a line to the end
    #[arg(long)]
    single: bool,
    /// Print one JSON object for each problem
    #[arg(long)]
    json: bool,
    /// Memory for proved positions in MiB
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = whole(1..=1_048_576u32))]
    hash: u32,
}

const GAMES_A_PROBLEM: u64 = 12;
const GAMES_A_PUZZLE: u64 = 400;
const PUZZLE_MOVES: u64 = 6;
/// The deepest search that is tried on a puzzle.
const PUZZLE_DEPTH: u32 = 8;
const RANDOM_PLIES: u32 = 4;
/// After the first moves, one move in this many is random.
const RANDOM_EVERY: usize = 12;
const PLAYER_NODES: u64 = 2000;
const PLAYER_HASH_MB: usize = 16;

pub(super) fn run(global: Global, args: &ProblemsArgs) -> CliResult {
    let hint = global.game;
    let (mut games, mut unreadable) = (Vec::new(), Vec::new());
    for path in &args.from {
        let text = files::text_or_stdin(path, "a file of games")?;
        for game in read(&text, hint) {
            match game {
                Ok(game) => games.push(game),
                Err(why) if why.is_cut() => say(format_args!("{}, {why}", quoted_path(path))),
                Err(why) => unreadable.push(format!("{}, {why}", quoted_path(path))),
            }
        }
    }
    say_errors(&unreadable);
    let named = hint.or_else(|| games.first().map(|game| game.kind));
    let kind = named.unwrap_or_else(|| global.kind());
    let all = games.len();
    games.retain(|game| game.kind == kind);
    if games.len() < all {
        let others = number_of(all - games.len(), "game");
        say(format_args!(
            "warning: skipped {others} that are not of {kind}"
        ));
    }
    with_game!(kind, G => write_problems::<G>(args, &games))?;
    match unreadable.is_empty() {
        true => Ok(()),
        false => Err(Failure::Code(1)),
    }
}

fn write_problems<G: Searchable>(args: &ProblemsArgs, games: &[PlayedGame]) -> CliResult {
    let given: Option<Vec<Vec<G>>> = match args.from.as_slice() {
        [] => None,
        _ => Some(games.iter().map(positions).collect::<Result<_, _>>()?),
    };
    let tries = match &given {
        Some(games) => games.len() as u64,
        None if args.single => u64::from(args.count) * GAMES_A_PUZZLE,
        None => u64::from(args.count) * GAMES_A_PROBLEM,
    };
    let stop = stop_on_interrupt()?;
    let mut rng = Rng::new(args.seed);
    let mut table = Table::new(PLAYER_HASH_MB);
    let mut given = given.map(Vec::into_iter);
    let games = std::iter::from_fn(|| match &mut given {
        Some(games) => games.next(),
        None => Some(play_game(&mut rng, &mut table)),
    });
    let problems = find_problems(args, games.take(tries as usize), &stop);
    let mut out = io::stdout().lock();
    for (position, solution) in &problems {
        let mut best: Vec<String> = solution.best.iter().map(ToString::to_string).collect();
        best.sort();
        let (game, value) = (G::NAME, solution.value);
        let line: Vec<String> = solution.pv.iter().map(ToString::to_string).collect();
        let depth = args.single.then(|| depth_of(position, solution.best[0]));
        if args.json {
            let problem = json!({"game": game, "position": position.to_string(),
                "value": value.name(), "best": best, "depth": depth, "pv": line});
            writeln!(out, "{problem}")?;
            continue;
        }
        write!(out, "{game}\t{position}\t{value}\t{}", best.join(" "))?;
        if let Some(depth) = depth {
            write!(out, "\t# depth {depth}: {}", line.join(" "))?;
        }
        writeln!(out)?;
    }
    if stop.is_stopped() {
        return Err(Failure::Code(INTERRUPTED));
    }
    if problems.len() < args.count as usize {
        return Err(Failure::Work(format!(
            "found only {} in {}",
            number_of(problems.len(), "problem"),
            number_of(tries, "game")
        )));
    }
    Ok(())
}

fn positions<G: Game>(game: &PlayedGame) -> Result<Vec<G>, Failure> {
    let replayed = game.replay::<G>();
    let (mut positions, _) = replayed.map_err(|why| Failure::Work(why.to_string()))?;
    positions.retain(Game::has_moves);
    Ok(positions)
}

/// Returns the problems with the fewest best moves in some games, in the order of the
/// games.
fn find_problems<G: Searchable>(
    args: &ProblemsArgs,
    games: impl Iterator<Item = Vec<G>>,
    stop: &Stop,
) -> Vec<(G, Solution<G::Move>)> {
    let count = args.count as usize;
    let limits = SolveLimits {
        all_moves: true,
        line: args.single,
        nodes: Some(args.nodes),
        stop: stop.clone(),
        ..SolveLimits::default()
    };
    let mut solver = Solver::<G>::new(args.hash as usize);
    let mut found: Vec<(G, Solution<G::Move>)> = Vec::new();
    let bar = progress::bar(args.count.into(), "problems of a single best move");
    for (game, positions) in (1..).zip(games) {
        bar.set_message(format!(", game {game}"));
        if stop.is_stopped() {
            break;
        }
        let Some(at) = positions.len().checked_sub(args.plies as usize) else {
            continue;
        };
        let position = positions[at];
        let solution = solver.solve(&position, &limits);
        let known = found.iter().any(|(other, _)| *other == position);
        // If every move loses, there is nothing to find.
        if known || !solution.best_complete || solution.value == Value::Loss {
            continue;
        }
        let is_single = solution.best.len() == 1 && !solution.pv.is_empty();
        let is_puzzle = is_single && position.count_moves() >= PUZZLE_MOVES;
        if args.single && !is_puzzle {
            continue;
        }
        found.push((position, solution));
        let single = found.iter().filter(|(_, it)| it.best.len() == 1);
        let single = single.count();
        bar.set_position(single as u64);
        if single >= count {
            break;
        }
    }
    bar.finish_and_clear();
    let mut ranked: Vec<_> = found.into_iter().enumerate().collect();
    ranked.sort_by_key(|(_, (_, solution))| solution.best.len());
    ranked.truncate(count);
    ranked.sort_by_key(|&(index, _)| index);
    ranked.into_iter().map(|(_, problem)| problem).collect()
}

/// Returns the least depth from which every search finds the move.
fn depth_of<G: Searchable>(position: &G, best: G::Move) -> u32 {
    let (pool, eval) = (ThreadPool::new(1), G::Evaluation::default());
    let finds = |depth: &u32| {
        let request = Request::new(position, &Limits::depth(*depth), &Stop::new());
        let mut table = Table::new(PLAYER_HASH_MB);
        search(&request, &pool, &mut table, &eval, ()).best == Some(best)
    };
    let depths = (1..=PUZZLE_DEPTH).rev();
    depths.take_while(finds).last().unwrap_or(PUZZLE_DEPTH + 1)
}

/// Returns the positions of a quick game of the engine against itself. The first moves
/// and a few later ones are random, so that the games differ.
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
        let found = match is_random {
            true => None,
            false => search(&request, &pool, table, &eval, ()).best,
        };
        positions.push(position);
        position = position.play(found.unwrap_or_else(|| moves[rng.below(moves.len())]));
    }
    positions
}
