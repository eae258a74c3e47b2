//! What `play` and `rules` have to know about each game besides its rules.

use totemic_engine::game::{AnyPosition, Hokito, Yoxii};
use totemic_engine::search::Searchable;
use totemic_games::final_score::Count;
use totemic_games::record::notation::Notation;

/// How many squares a text begins with, what each holds, and the rest of the text.
type Squares<'a> = (usize, String, &'a str);

pub(super) trait Playable: Searchable + Notation + Count + Into<AnyPosition> {
    /// How to read the board, in lines of at most 60 columns.
    const LEGEND: &'static str;
    /// A position, a move in it, and what that move does.
    const EXAMPLE: (&'static str, &'static str, &'static str);
    /// Squares as they are typed, and their meanings, in at most 9 and 47 columns.
    const RANK_HELP: &'static [(&'static str, &'static str)];
    /// What a square can hold, for somebody who typed something else.
    const CONTENTS: &'static str;
    /// An empty square in a position's text.
    const EMPTY: &'static str;
    /// The separator of a rank's squares in a position's text.
    const BETWEEN: &'static str;

    /// Reads squares from a text that does not begin with `.`; `rank` counts from 0.
    fn next_squares(text: &str, rank: u8) -> Option<Squares<'_>>;
}

impl Playable for Yoxii {
    const LEGEND: &'static str = "O I Y X White's pieces worth 1 2 3 4,\n\
                                  o i y x Red's,\n\
                                  * the totem, > the last move\n";
    const EXAMPLE: (&'static str, &'static str, &'static str) = (
        "3/5/3y3/2OX*2/5i1/5/3 w",
        "b4b5y",
        "the totem has jumped from e4 over two pieces of White to b4, and White has placed a \
         piece of value 3 on b5.",
    );
    const RANK_HELP: &'static [(&'static str, &'static str)] = &[
        ("O I Y X", "White's pieces worth 1 2 3 4"),
        ("o i y x", "Red's pieces worth 1 2 3 4"),
        ("*", "the totem"),
        (".", "an empty square"),
        ("3", "three empty squares"),
        (". O 2 *", "a rank of five squares"),
    ];
    const CONTENTS: &'static str = "a piece is O I Y X or o i y x, the totem *";
    const EMPTY: &'static str = "1";
    const BETWEEN: &'static str = "";

    fn next_squares(text: &str, _: u8) -> Option<Squares<'_>> {
        let (first, rest) = text.split_at_checked(1)?;
        match first.parse() {
            Ok(count @ 1..=7) => Some((count, Self::EMPTY.to_owned(), rest)),
            _ if "OIYXoiyx*".contains(first) => Some((1, first.to_owned(), rest)),
            _ => None,
        }
    }
}

impl Playable for Hokito {
    const LEGEND: &'static str = "b2 a black pawn of value 2,\n\
                                  w3:5 a stack of five, White's 3 on top,\n\
                                  > the last move\n";
    const EXAMPLE: (&'static str, &'static str, &'static str) = (
        "x6/x,b2,x2,w1,x/x6/x4,b1,x/x,w3,x4/x6 b",
        "b5e3",
        "Black's pawn of value 2 has taken two steps, over empty squares to e5 and from there \
         to e3, where it is on top of a stack of two.",
    );
    const RANK_HELP: &'static [(&'static str, &'static str)] = &[
        ("b2", "a black pawn of value 2"),
        ("w3", "a white pawn of value 3"),
        ("w3:5", "a stack of five with White's 3 on top"),
        (".", "an empty square"),
        ("x3", "three empty squares"),
        ("312213", "pawns at the start: black ones on ranks 4 to 6"),
        ("b2.w3:5x3", "a rank of six squares"),
    ];
    const CONTENTS: &'static str = "a pawn is b or w and its value, 1 2 or 3";
    const EMPTY: &'static str = "x";
    const BETWEEN: &'static str = ",";

    fn next_squares(text: &str, rank: u8) -> Option<Squares<'_>> {
        let (first, rest) = text.split_at_checked(1)?;
        let (colour, rest) = match first.to_ascii_lowercase().as_str() {
            "x" => {
                let run = rest.starts_with(['1', '2', '3', '4', '5', '6']);
                let (count, rest) = rest.split_at(usize::from(run));
                return Some((count.parse().unwrap_or(1), Self::EMPTY.to_owned(), rest));
            }
            "b" => ('b', rest),
            "w" => ('w', rest),
            _ => (if rank >= 3 { 'b' } else { 'w' }, text),
        };
        let (value, rest) = rest.split_at_checked(1)?;
        if !"123".contains(value) {
            return None;
        }
        let Some(height) = rest.strip_prefix(':') else {
            return Some((1, format!("{colour}{value}"), rest));
        };
        let behind = height.trim_start_matches(|c: char| c.is_ascii_digit());
        // A stack with one pawn is a single pawn.
        let square = match &height[..height.len() - behind.len()] {
            "1" => format!("{colour}{value}"),
            height => format!("{colour}{value}:{height}"),
        };
        Some((1, square, behind))
    }
}
