//! Lines of a search for people.

use std::fmt::Display;
use std::io::{self, Write};

use crate::search::{Bound, Info, Odds};

/// Columns before the moves of a line.
const LEAD: usize = 59;
/// Columns that moves need beside them, at least.
const ROOM: usize = 20;

/// The head of the table; nothing where the terminal is too narrow for one.
pub(super) fn header(out: &mut impl Write, width: Option<usize>) -> io::Result<()> {
    if is_wide(width) {
        writeln!(
            out,
            "{:>5} {:>4} {:>11} {:>6} {:>8} {:>8} {:>8}  line",
            "depth", "rank", "score", "odds", "nodes", "seconds", "nodes/s"
        )?;
    }
    out.flush()
}

fn is_wide(width: Option<usize>) -> bool {
    width.is_none_or(|width| width >= LEAD + ROOM)
}

/// A line of a search, its moves never cut: what does not fit goes on below.
pub(super) fn show<M: Display>(
    out: &mut impl Write,
    info: &Info<M>,
    odds: Odds,
    width: Option<usize>,
) -> io::Result<()> {
    let depth = format!("{}/{}", info.depth, info.seldepth);
    let expected = format!("{:.0} %", 100.0 * odds.points());
    let facts = [
        score_text(info),
        expected,
        short_count(info.nodes),
        format!("{:.2}", info.time.as_secs_f64()),
        short_count(info.nps()),
    ];
    let moves: Vec<String> = info.pv.iter().map(ToString::to_string).collect();
    let [score, expected, nodes, seconds, speed] = &facts;
    let text = if is_wide(width) {
        let lead = format!(
            "{depth:>5} {:>4} {score:>11} {expected:>6} {nodes:>8} {seconds:>8} {speed:>8}  ",
            info.multipv
        );
        wrapped(&lead, &moves, lead.len(), width)
    } else {
        let facts = [
            format!("depth {depth},"),
            format!("rank {}:", info.multipv),
            format!("{score},"),
            format!("{expected},"),
            format!("{nodes} nodes,"),
            format!("{seconds} s"),
        ];
        wrapped("", &facts, 2, width) + &wrapped("    ", &moves, 4, width)
    };
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Words behind a lead, on lines of at most so many characters; further lines
/// begin with an indent. Only a word that is longer stands out.
fn wrapped(lead: &str, words: &[String], indent: usize, width: Option<usize>) -> String {
    let width = width.unwrap_or(usize::MAX);
    let mut text = lead.to_owned();
    let mut column = lead.len();
    let mut is_first = true;
    for word in words {
        if !is_first && column + 1 + word.len() > width {
            text.push('\n');
            text.push_str(&" ".repeat(indent));
            column = indent;
        } else if !is_first {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += word.len();
        is_first = false;
    }
    text.push('\n');
    text
}

/// A score for people: points, or the plies within which the end is proved to come.
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

/// A number of nodes in a few characters.
fn short_count(n: u64) -> String {
    match n {
        0..10_000 => n.to_string(),
        10_000..10_000_000 => format!("{}k", n / 1000),
        _ => format!("{}M", n / 1_000_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Yoxii};
    use crate::search::Score;
    use std::time::Duration;

    #[test]
    fn nothing_is_lost_on_a_narrow_terminal() {
        let pv: Vec<_> = Yoxii::start().moves().iter().take(30).copied().collect();
        let info = Info {
            depth: 30,
            seldepth: 31,
            multipv: 1,
            score: Score::estimate(123),
            bound: Bound::Lower,
            proven: false,
            nodes: 123_456_789,
            time: Duration::from_secs(1234),
            hashfull: 0,
            pv: pv.clone(),
        };
        for width in [Some(40), Some(79), Some(80), Some(200), None] {
            let mut out = Vec::new();
            show(&mut out, &info, Odds::DRAW, width).expect("a vector");
            let text = String::from_utf8(out).expect("text");
            let widest = text.lines().map(str::len).max().unwrap_or(0);
            assert!(widest <= width.unwrap_or(usize::MAX), "{text}");
            let words: Vec<&str> = text.split_whitespace().collect();
            let moves: Vec<String> = pv.iter().map(ToString::to_string).collect();
            assert_eq!(words[words.len() - pv.len()..], moves, "{text}");
            assert!(text.contains("30/31") && text.contains(">=+1.23") && text.contains("50 %"));
            assert_eq!(text.lines().count() == 1, width.is_none());
        }
    }
}
