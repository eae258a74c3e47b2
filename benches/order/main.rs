//! The order in which the exact solver tries moves: decisions from the smallest proofs,
//! and weights fitted to them.
//!
//! ```text
//! cargo run --release -p totemic-benches --bin solver_order -- decide yoxii|hokito GAMES FILE [SEED]
//! cargo run --release -p totemic-benches --bin solver_order -- fit    yoxii|hokito FILE...
//! ```
//!
//! `decide` plays GAMES games of the engine against itself, as `solver_speed -- plies`
//! does, with the seeds SEED (1), SEED + 1 and so on. Near their ends it asks what the
//! solver asks, whether the side to move wins and, if not, whether it does not lose. It
//! looks at everything that can follow to find the smallest proofs: one node more than
//! the cheapest move that reaches the goal or, if none does, one more than all moves
//! together. Nodes are those of the solver, with its bounds and its immediate
//! refutations. A question with too many positions is skipped. From the root of each
//! question lines go down the proof, by the cheapest move or, if the goal is not reached,
//! by a random one. A decision is a position on such a line in which the mover reaches
//! the goal, and in which not all moves are equally good. FILE then contains numbers
//! separated by tabs, a line for each move of each decision:
//!
//! | column | meaning |
//! | --- | --- |
//! | `game` | the seed of the game; those that 4 divides are held out by `fit` |
//! | `decision` | its number in the file |
//! | `plies_left` | towers (Hokito), squares without a piece or the totem (Yoxii) |
//! | `goal` | 1: wins, 0: does not lose |
//! | `reaches` | 1 if the move reaches the goal |
//! | `cost` | nodes of the smallest proof that it does, or that it does not |
//!
//! and then the features, those of today's order first. For Hokito:
//!
//! | column | meaning |
//! | --- | --- |
//! | `replies`, `movers`, `bases` | of the opponent: moves, towers that can make one, own towers that they lead to |
//! | `risk` | pawns of the highest of the mover's towers that it can take |
//! | `height`, `capture`, `gain` | pawns of the tower moved onto, whether it is the opponent's, what the margin gains |
//! | `best`, `gains` | the most that a reply gains, and the sum of what they gain |
//! | `own_moves`, `own_best` | if the mover had another turn at once: its moves, the most that one gains |
//! | `short` | what the mover lacks of the goal after `own_best` and `best`; 0 if nothing |
//!
//! For Yoxii:
//!
//! | column | meaning |
//! | --- | --- |
//! | `squares`, `replies`, `single` | squares of all replies, where the totem can go, whether that is one square |
//! | `blocks`, `jump` | whether the piece takes a reply away, whether the totem jumps |
//! | `beside_free`, `beside_opp`, `beside_own` | squares beside the piece |
//! | `own_ways` | the mover's ways after each reply with the piece where it leaves fewest, together |
//! | `ends` | replies that end the game below the goal |
//! | `least`, `most` | the mover's points less the opponent's where the totem can go |
//!
//! `fit` fits weights for three sets of decisions by their plies left, with the features
//! of today's order and with all features. It prints what each order costs on the
//! held-out games: the nodes of the wrong moves that it tries first and of the right one,
//! relative to those of the cheapest right one. The same arguments give the same
//! decisions and weights.

mod decisions;
mod fit;
#[path = "../solver/games.rs"]
mod games;
mod hokito;
mod proof;
#[path = "../solver/words.rs"]
mod words;
mod yoxii;

use std::path::Path;

use totemic_engine::game::{GameKind, with_game};
use totemic_engine::search::Searchable;
use totemic_engine::search::solver::Solvable;
use words::{game, number, refuse};

/// A game with features by which its moves can be ordered.
trait Ordered: Searchable + Solvable {
    /// The names of the features, those of today's order first.
    const FEATURES: &'static [&'static str];
    /// The weights of today's order; the move with the lowest score is tried first.
    const TODAY: &'static [i32];
    /// The smallest number of plies left in each set of decisions.
    const SETS: [u32; 3];
    /// Up to this many plies before the end of a game proofs are affordable.
    const DEEPEST: usize;

    /// Returns the features of a move.
    fn features(&self, mv: Self::Move, goal: i32) -> Vec<i32>;
}

fn decide<G: Ordered>(games: u64, file: &str, seed: u64) -> Result<(), String> {
    let failed = |why| format!("{file}: {why}");
    totemic::file::check_writable(Path::new(file)).map_err(failed)?;
    let mut text = decisions::header::<G>();
    let (mut count, mut asked, mut skipped) = (0, 0, 0);
    for game in seed..seed.saturating_add(games) {
        let harvest = decisions::decisions_of::<G>(game);
        decisions::write(&mut text, count, &harvest.decisions);
        count += harvest.decisions.len();
        asked += harvest.asked;
        skipped += harvest.skipped;
        // Written after each game, for those who cannot wait for the last one.
        totemic::file::replace(Path::new(file), text.as_bytes()).map_err(failed)?;
        eprintln!(
            "{} after game {game}: {count} decisions, {skipped} of {asked} questions skipped",
            G::NAME
        );
    }
    Ok(())
}

fn fit<G: Ordered>(files: &[&str]) -> Result<(), String> {
    let mut all = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(file).map_err(|why| format!("{file}: {why}"))?;
        all.extend(decisions::read::<G>(&text).map_err(|why| format!("{file}: {why}"))?);
    }
    fit::report::<G>(&all)
}

fn run<G: Ordered>(words: &[&str]) -> Result<(), String> {
    match words {
        ["decide", _, games, file] => decide::<G>(number(games), file, 1),
        ["decide", _, games, file, seed] => decide::<G>(number(games), file, number(seed)),
        ["fit", _, files @ ..] if !files.is_empty() => fit::<G>(files),
        _ => refuse(
            "expected 'decide', a game, a number of games, a file to write and maybe a seed; or 'fit', a game and files",
        ),
    }
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let kind = words.get(1).map_or(GameKind::Yoxii, |name| game(name));
    if let Err(why) = with_game!(kind, G => run::<G>(&words)) {
        eprintln!("{why}");
        std::process::exit(1);
    }
}
