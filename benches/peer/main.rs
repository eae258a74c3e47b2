//! An opponent for `totemic match` whose search somebody else wrote: the crate `minimax`
//! over our rules and our evaluation.
//!
//! `cargo run --release -p totemic-benches --bin peer [-- --mcts]`

use std::io::{self, BufRead, Write};
use std::time::Duration;

use minimax::{IterativeOptions, IterativeSearch, MCTSOptions, MonteCarloTreeSearch, Strategy};
use totemic_engine::game::{Game, GameKind, Side, with_game};
use totemic_engine::search::Learnable;
use totemic_engine::ugi::read_position_line;

#[path = "mod.rs"]
mod peer;

use peer::{Rules, Values};

/// Time for a move if nothing says how long to think.
const DEFAULT_TIME: Duration = Duration::from_millis(1000);
/// Subtracted from every time, so that the answer arrives within it.
const MARGIN: Duration = Duration::from_millis(5);
/// Size of the table, in bytes.
const TABLE_BYTES: usize = 16 << 20;

fn main() -> io::Result<()> {
    let mcts = std::env::args().any(|argument| argument == "--mcts");
    let mut input = io::stdin().lock().lines();
    let mut kind = GameKind::default();
    // `setoption name Game` leaves one game's loop for the other's.
    loop {
        match with_game!(kind, G => play::<G>(&mut input, mcts)?) {
            Some(other) => kind = other,
            None => return Ok(()),
        }
    }
}

/// Serves one game until `quit` or the end of the input (`None`), or until somebody asks
/// for the other game.
fn play<G: Learnable>(
    input: &mut impl Iterator<Item = io::Result<String>>,
    mcts: bool,
) -> io::Result<Option<GameKind>> {
    let mut position = G::start();
    for line in input {
        let line = line?;
        let mut out = io::stdout().lock();
        let tokens: Vec<&str> = line.split_whitespace().collect();
        match *tokens.as_slice() {
            ["ugi", ..] => {
                let engine = if mcts { "mcts" } else { "iterative" };
                writeln!(out, "id name minimax {engine}")?;
                writeln!(out, "id author the authors of the crate minimax")?;
                writeln!(
                    out,
                    "option name Game type combo default yoxii var yoxii var hokito"
                )?;
                writeln!(out, "ugiok")?;
            }
            ["isready"] => writeln!(out, "readyok")?,
            ["setoption", "name", name, "value", value] if name.eq_ignore_ascii_case("game") => {
                match GameKind::named(value) {
                    Some(kind) if kind.name() != G::NAME => return Ok(Some(kind)),
                    Some(_) => {}
                    None => writeln!(out, "info string no such game: {value}")?,
                }
            }
            ["uginewgame"] => position = G::start(),
            ["position", ..] => match read_position_line(&line) {
                Ok(read) => position = read,
                Err(why) => writeln!(out, "info string {why}")?,
            },
            ["go", ref limits @ ..] => match think(&position, limits, mcts) {
                Some(mv) => writeln!(out, "bestmove {mv}")?,
                None => writeln!(out, "bestmove 0000")?,
            },
            ["quit"] => return Ok(None),
            // A search here cannot be stopped; it ends when its time is over.
            _ => {}
        }
        out.flush()?;
    }
    Ok(None)
}

/// Returns the number after a word.
fn number(limits: &[&str], name: &str) -> Option<u64> {
    let at = limits.iter().position(|token| *token == name)?;
    limits.get(at + 1)?.parse().ok()
}

/// Returns the time for this move: the given one, or a share of the clock.
fn time_for<G: Game>(position: &G, limits: &[&str]) -> Duration {
    if let Some(millis) = number(limits, "movetime") {
        return Duration::from_millis(millis);
    }
    let (clock, increment) = match position.side() {
        Side::First => ("p1time", "p1inc"),
        Side::Second => ("p2time", "p2inc"),
    };
    let Some(left) = number(limits, clock) else {
        return DEFAULT_TIME;
    };
    let moves = u64::from(position.plies_left() / 2).max(3);
    let share = left / moves + number(limits, increment).unwrap_or(0) / 2;
    Duration::from_millis(share.min(left / 2))
}

fn think<G: Learnable>(position: &G, limits: &[&str], mcts: bool) -> Option<G::Move> {
    let only = position.moves().first().copied()?;
    let depth = number(limits, "depth").map(|depth| depth.clamp(1, 40) as u8);
    let time = time_for(position, limits).saturating_sub(MARGIN);
    let chosen = if mcts {
        let options = MCTSOptions::default().with_num_threads(1);
        let mut search = MonteCarloTreeSearch::<Rules<G>>::new(options);
        search.set_timeout(time);
        search.choose_move(position)
    } else {
        let options = IterativeOptions::new().with_table_byte_size(TABLE_BYTES);
        let mut search = IterativeSearch::new(Values::<G>::new(), options);
        match depth {
            Some(depth) => search.set_max_depth(depth),
            None => search.set_timeout(time.max(Duration::from_millis(1))),
        }
        search.choose_move(position)
    };
    // If there is too little time for the first depth, any legal move will do.
    chosen.filter(|&mv| position.is_legal(mv)).or(Some(only))
}
