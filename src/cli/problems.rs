//! `totemic problems`: makes endgame problems for the solver and for people.

mod finder;

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::files::Input;
use super::values::whole;
use super::{
    CliResult, Failure, Global, fail_if, interrupted, say_errors, stop_on_interrupt, texts,
};
use finder::{Grade, Problem, find_problems, play_game};
use totemic_engine::game::{Game, GameKind, Rng, with_game};
use totemic_engine::search::Searchable;
use totemic_engine::search::alphabeta::Table;
use totemic_engine::text::{number_of, quoted_path};
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

impl<G: Searchable> Problem<G> {
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
