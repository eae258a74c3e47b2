//! What `play` has to know of each game besides its rules.

use crate::game::{Game, Hokito, Yoxii};
use crate::record::notation::Notation;
use crate::review::ending::Count;
use crate::search::Searchable;
use crate::search::solver::Solvable;

/// A game that people play at the terminal.
pub(super) trait Playable: Searchable + Solvable + Notation + Count {
    /// How to read the board, in lines of at most 60 columns.
    const LEGEND: &'static [&'static str];
    /// How to write the squares of a rank when a position is entered: what is typed
    /// and what it means, in at most 9 and 47 columns.
    const RANK_HELP: &'static [(&'static str, &'static str)];
    /// An empty square in a position's text.
    const EMPTY: &'static str;
    /// What stands between two squares of a rank in a position's text.
    const BETWEEN: &'static str;

    /// The squares at the beginning of a text: `None` for an empty one, else as
    /// in a position's text; and the number of bytes that say so. `rank` counts
    /// from 0.
    fn next_squares(text: &str, rank: u8) -> Option<(Vec<Option<String>>, usize)>;
}

/// So many empty squares, from a digit; one where there is none.
fn empties(digit: Option<char>, most: usize) -> (Vec<Option<String>>, usize) {
    let run = digit
        .and_then(|digit| digit.to_digit(10))
        .map(|n| n as usize);
    match run.filter(|n| (1..=most).contains(n)) {
        Some(run) => (vec![None; run], 2),
        None => (vec![None], 1),
    }
}

impl Playable for Yoxii {
    const LEGEND: &'static [&'static str] = &[
        "O I Y X White's pieces worth 1 2 3 4, o i y x Red's,",
        "* the totem, > the last move",
    ];
    const RANK_HELP: &'static [(&'static str, &'static str)] = &[
        ("O I Y X", "White's pieces worth 1 2 3 4"),
        ("o i y x", "Red's pieces worth 1 2 3 4"),
        ("*", "the totem"),
        (".", "an empty square"),
        ("3", "three empty squares"),
        (". O 2 *", "a rank of five squares"),
    ];
    const EMPTY: &'static str = "1";
    const BETWEEN: &'static str = "";

    fn next_squares(text: &str, _: u8) -> Option<(Vec<Option<String>>, usize)> {
        let first = text.chars().next()?;
        match first {
            '.' | '-' | '_' => Some((vec![None], 1)),
            '1'..='7' => Some((vec![None; first as usize - '0' as usize], 1)),
            _ if "OIYXoiyx*".contains(first) => Some((vec![Some(first.to_string())], 1)),
            _ => None,
        }
    }
}

impl Playable for Hokito {
    const LEGEND: &'static [&'static str] = &[
        "b2 a black pawn of value 2, w3:5 a stack of five with",
        "White's 3 on top, > the last move",
    ];
    const RANK_HELP: &'static [(&'static str, &'static str)] = &[
        ("b2", "a black pawn of value 2"),
        ("w3", "a white pawn of value 3"),
        ("w3:5", "a stack of five with White's 3 on top"),
        (".", "an empty square"),
        ("x3", "three empty squares"),
        ("312213", "pawns at the start: black ones on ranks 4 to 6"),
        ("b2.w3:5x3", "a rank of six squares"),
    ];
    const EMPTY: &'static str = "x";
    const BETWEEN: &'static str = ",";

    fn next_squares(text: &str, rank: u8) -> Option<(Vec<Option<String>>, usize)> {
        let mut chars = text.chars();
        let first = chars.next()?.to_ascii_lowercase();
        let home = if rank >= 3 { 'b' } else { 'w' };
        let (colour, value, mut length) = match first {
            '.' | '-' | '_' => return Some((vec![None], 1)),
            'x' => return Some(empties(chars.next(), 6)),
            'b' | 'w' => (first, chars.next()?, 2),
            value => (home, value, 1),
        };
        if !matches!(value, '1'..='3') {
            return None;
        }
        let mut square = format!("{colour}{value}");
        if let Some(height) = text[length..].strip_prefix(':') {
            let digits = height
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(height.len());
            // A stack of one is a pawn.
            if &height[..digits] != "1" {
                square.push(':');
                square.push_str(&height[..digits]);
            }
            length += 1 + digits;
        }
        Some((vec![Some(square)], length))
    }
}

/// The letter of a side in a position's text.
pub(super) fn side_letter<G: Game>(side: usize) -> String {
    G::SIDE_NAMES[side][..1].to_lowercase()
}
