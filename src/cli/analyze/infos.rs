//! Prints the infos of a search for people.

use std::fmt::Display;
use std::io::{self, Write};

use crate::cli::terminal::folded;
use crate::cli::texts;
use totemic_engine::search::{Bound, Info, Odds};

/// Number of columns before the pv.
const FACTS_COLUMNS: usize = 60;
/// The fewest columns for the moves.
const MIN_PV_COLUMNS: usize = 20;

pub(super) fn header(out: &mut impl Write, width: Option<usize>) -> io::Result<()> {
    if is_wide(width) {
        writeln!(
            out,
            "{:>5} {:>4} {:>11} {:>7} {:>8} {:>8} {:>8}  line",
            "depth", "rank", "score", "chances", "nodes", "seconds", "nodes/s"
        )?;
    }
    Ok(())
}

fn is_wide(width: Option<usize>) -> bool {
    width.is_none_or(|width| width >= FACTS_COLUMNS + MIN_PV_COLUMNS)
}

/// Prints an info of a search. Its moves are never cut; they continue below.
pub(super) fn show<M: Display>(
    out: &mut impl Write,
    info: &Info<M>,
    odds: Odds,
    width: Option<usize>,
) -> io::Result<()> {
    let depth = format!("{}/{}", info.depth, info.seldepth);
    let score = score_text(info);
    let chances = format!("{:.0}%", 100.0 * odds.expected_points());
    let (nodes, speed) = (short_count(info.nodes), short_count(info.nps()));
    let seconds = info.time.as_secs_f64();
    let moves = texts(&info.pv).join(" ");
    let rank = info.multipv;
    let text = if is_wide(width) {
        let facts = format!("{depth:>5} {rank:>4} {score:>11} {chances:>7} {nodes:>8}");
        let facts = format!("{facts} {seconds:>8.2} {speed:>8}  ");
        let further = " ".repeat(facts.len());
        let fold = |width| {
            let options = textwrap::Options::new(width)
                .initial_indent(&facts)
                .subsequent_indent(&further);
            textwrap::fill(&moves, options)
        };
        width.map_or_else(|| format!("{facts}{moves}"), fold)
    } else {
        let facts = format!("depth {depth}, rank {rank}: {score}, {chances}, {nodes} nodes");
        folded(&format!("{facts}, {seconds:.2} s\n    {moves}"), width)
    };
    writeln!(out, "{text}")
}

/// Writes points, or the number of plies within which the end is proved to come.
fn score_text<M>(info: &Info<M>) -> String {
    let bound = match info.bound {
        Bound::Exact => "",
        Bound::Lower => ">=",
        Bound::Upper => "<=",
    };
    let value = match info.score.mate_plies() {
        Some(plies) if plies >= 0 => format!("win in {plies}"),
        Some(plies) => format!("loss in {}", -plies),
        None if info.proven => "draw!".to_owned(),
        None => format!("{:+.2}", f64::from(info.score.centipoints()) / 100.0),
    };
    format!("{bound}{value}")
}

fn short_count(n: u64) -> String {
    match n {
        0..10_000 => n.to_string(),
        10_000..10_000_000 => format!("{}k", n / 1000),
        _ => format!("{}M", n / 1_000_000),
    }
}
