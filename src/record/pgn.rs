//! Game records that any tool can read.
//!
//! Portable Game Notation as chess has it: tags, then numbered moves in our
//! notation with comments `{score/depth time n=nodes}`. The tag `White` is who
//! plays the white pieces; `Black` is the opponent, who is called Red in
//! Yoxii. In Hokito Black moves first, so its moves are numbered from `1...`.

use std::fmt::{self, Display, Write as _};

use super::ending::GameResult;
use super::game::{GameRecord, MoveRecord};
use crate::game::{Game, Side};

/// A game as PGN has it. Its `Display` is the text, with an empty line at its
/// end.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PgnGame {
    /// Tags in their order: key and value.
    pub tags: Vec<(String, String)>,
    /// Whether the first of `moves` is one of the white pieces.
    pub white_begins: bool,
    /// All moves from the position of the tag `FEN`.
    pub moves: Vec<PgnMove>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
}

/// A move and what is remarked on it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PgnMove {
    /// Its text.
    pub mv: String,
    /// Numeric annotation glyphs: 1 good, 2 mistake, 4 blunder, 6 inaccuracy.
    pub nags: Vec<u8>,
    /// What stands in braces behind it; empty for nothing.
    pub comment: String,
    /// Lines that could have been played from here on in its place.
    pub variations: Vec<Vec<PgnMove>>,
}

/// Who played a recorded game and under which limits, by side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Headings {
    /// What the game was part of.
    pub event: String,
    /// Names of who moved first and second.
    pub names: [String; 2],
    /// Their limits, see [`MoveLimits`](super::MoveLimits).
    pub limits: [String; 2],
}

/// Whether the first mover has the white pieces.
#[must_use]
pub(crate) fn first_is_white<G: Game>() -> bool {
    G::SIDE_NAMES[0] == "White"
}

/// The number of the move at `index`, counted from 0, of a game that the white
/// pieces begin or not: `12.` for them, who open a number, else `12...`.
#[must_use]
pub(crate) fn move_number(white_begins: bool, index: usize) -> String {
    let half = index + usize::from(!white_begins);
    let dots = if half.is_multiple_of(2) { "." } else { "..." };
    format!("{}{dots}", half / 2 + 1)
}

/// How PGN writes a result.
#[must_use]
pub(crate) fn result_token<G: Game>(result: GameResult) -> &'static str {
    match (result, first_is_white::<G>()) {
        (GameResult::Draw, _) => "1/2-1/2",
        (GameResult::P1Win, true) | (GameResult::P2Win, false) => "1-0",
        _ => "0-1",
    }
}

/// How PGN writes how a game came out; `None` is a game that goes on.
#[cfg(feature = "cli")]
#[must_use]
pub(crate) fn outcome_token<G: Game>(outcome: Option<crate::game::Outcome>) -> &'static str {
    outcome.map_or("*", |outcome| result_token::<G>(outcome.into()))
}

impl PgnGame {
    /// Adds a tag.
    pub(crate) fn tag(&mut self, key: &str, value: &str) {
        self.tags.push((key.to_owned(), value.to_owned()));
    }

    /// A recorded game.
    #[must_use]
    pub(crate) fn of_record<G: Game>(game: &GameRecord, headings: &Headings) -> Self {
        let book = (game.opening.moves.iter()).map(|mv| PgnMove {
            mv: mv.clone(),
            comment: "book".to_owned(),
            ..PgnMove::default()
        });
        let begins = (game.opening_side() + game.opening.moves.len()) % 2;
        let mut pgn = Self {
            tags: Vec::new(),
            white_begins: first_is_white::<G>() == (begins == 0),
            moves: book.chain(game.moves.iter().map(annotated)).collect(),
            result: result_token::<G>(game.result).to_owned(),
        };
        pgn.add_tags::<G>(game, headings);
        pgn
    }

    /// The number of a move: `12.` for one of the white pieces, which open a
    /// number, else `12...`.
    #[must_use]
    pub(crate) fn number(&self, index: usize) -> String {
        move_number(self.white_begins, index)
    }

    /// Moves from `index` on, each with its variations behind it: pieces of
    /// text that belong on one line where they fit.
    fn movetext(&self, index: usize, moves: &[PgnMove]) -> Vec<String> {
        let mut pieces = Vec::new();
        // Behind a variation, too, a move of Black has its number.
        let mut after_text = true;
        for (index, made) in (index..).zip(moves) {
            let number = self.number(index);
            pieces.push(if after_text || !number.ends_with("...") {
                format!("{number} {made}")
            } else {
                made.to_string()
            });
            after_text = !made.variations.is_empty();
            for variation in &made.variations {
                pieces.push(format!("({})", self.movetext(index, variation).join(" ")));
            }
        }
        pieces
    }

    fn add_tags<G: Game>(&mut self, game: &GameRecord, headings: &Headings) {
        let (white, black) = if first_is_white::<G>() {
            (Side::First, Side::Second)
        } else {
            (Side::Second, Side::First)
        };
        let name = |side: Side| headings.names[side.index()].as_str();
        let limit = |side: Side| headings.limits[side.index()].as_str();
        let reason = if game.detail.is_empty() {
            game.reason.to_string()
        } else {
            format!("{}: {}", game.reason, game.detail)
        };
        let (date, time) = utc(game.begun);
        let result = self.result.clone();
        self.tag("Event", &headings.event);
        self.tag("Site", "?");
        self.tag("Date", &date);
        self.tag("Round", &game.id.to_string());
        self.tag("White", name(white));
        self.tag("Black", name(black));
        self.tag("Result", &result);
        self.tag("Variant", G::TITLE);
        self.tag("SetUp", "1");
        self.tag("FEN", &game.opening.fen);
        self.tag("First", name(Side::First));
        self.tag("PlyCount", &self.moves.len().to_string());
        self.tag("UTCTime", &time);
        self.tag("WhiteTimeControl", limit(white));
        self.tag("BlackTimeControl", limit(black));
        self.tag("Seed", &game.seed.to_string());
        self.tag("Termination", game.reason.termination());
        self.tag("Reason", &reason);
        if let Some([p1, p2]) = game.points {
            self.tag("Points", &format!("{p1}-{p2}"));
        }
    }
}

/// A move with what its engine said: `score/depth time n=nodes`.
fn annotated(made: &MoveRecord) -> PgnMove {
    let mut comment = String::new();
    if let Some(score) = made.info.score {
        let _ = write!(comment, "{score}/{} ", made.info.depth.unwrap_or(0));
    }
    let _ = write!(comment, "{:.3}s", made.elapsed_ms / 1000.0);
    if let Some(nodes) = made.info.nodes {
        let _ = write!(comment, " n={nodes}");
    }
    PgnMove {
        mv: made.mv.clone(),
        comment,
        ..PgnMove::default()
    }
}

impl Display for PgnMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.mv)?;
        for nag in &self.nags {
            write!(f, " ${nag}")?;
        }
        if !self.comment.is_empty() {
            // A brace inside would end the comment.
            write!(f, " {{{}}}", self.comment.replace(['{', '}'], "|"))?;
        }
        Ok(())
    }
}

impl Display for PgnGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (key, value) in &self.tags {
            let plain = |c: char| if c.is_control() { ' ' } else { c };
            let value: String = value.chars().map(plain).collect();
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            writeln!(f, "[{key} \"{value}\"]")?;
        }
        writeln!(f)?;
        let mut lines = Lines::default();
        for piece in self.movetext(0, &self.moves) {
            lines.add(&piece);
        }
        lines.add(&self.result);
        writeln!(f, "{}\n", lines.text)
    }
}

/// Words in lines of at most eighty characters, where a word is no longer; what
/// fits on a line stays together.
#[derive(Default)]
struct Lines {
    text: String,
    width: usize,
}

impl Lines {
    fn add(&mut self, text: &str) {
        if text.len() < 80 {
            self.add_word(text);
        } else {
            text.split(' ').for_each(|word| self.add_word(word));
        }
    }

    fn add_word(&mut self, word: &str) {
        if self.width > 0 && self.width + word.len() >= 80 {
            self.text.push('\n');
            self.width = 0;
        } else if self.width > 0 {
            self.text.push(' ');
            self.width += 1;
        }
        self.text.push_str(word);
        self.width += word.len();
    }
}

/// Date and time of seconds since 1970 (proleptic Gregorian, by the civil
/// calendar algorithm of Howard Hinnant).
pub(crate) fn utc(seconds: u64) -> (String, String) {
    let days = i64::try_from(seconds / 86400).unwrap_or(0) + 719_468;
    let era = days / 146_097;
    let day_of_era = days % 146_097;
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 {
        shifted + 3
    } else {
        shifted - 9
    };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    let clock = seconds % 86400;
    (
        format!("{year:04}.{month:02}.{day:02}"),
        format!(
            "{:02}:{:02}:{:02}",
            clock / 3600,
            clock / 60 % 60,
            clock % 60
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Hokito, Yoxii};
    use crate::record::EngineScore;
    use crate::record::game::tests::game;

    fn headings(names: [&str; 2]) -> Headings {
        Headings {
            event: "a match".to_owned(),
            names: names.map(str::to_owned),
            limits: [String::new(), String::new()],
        }
    }

    #[test]
    fn a_game_of_yoxii() {
        let mut record = game(4, 0);
        record.begun = 951_827_696;
        record.moves[0].info.score = Some(EngineScore::Cp(-25));
        record.moves[0].info.depth = Some(7);
        record.moves[0].info.nodes = Some(99);
        let text = PgnGame::of_record::<Yoxii>(&record, &headings(["A \"x\"", "B"])).to_string();
        for part in [
            "[Date \"2000.02.29\"]",
            "[UTCTime \"12:34:56\"]",
            "[White \"A \\\"x\\\"\"]",
            "[Black \"B\"]",
            "[Result \"1-0\"]",
            "[Round \"5.1\"]",
            "[Variant \"Yoxii\"]",
            "[PlyCount \"2\"]",
            "\n\n1. c5b6y {book} c6c5o {-0.25/7 0.001s n=99} 1-0\n\n",
        ] {
            assert!(text.contains(part), "{part} is not in\n{text}");
        }
    }

    #[test]
    fn black_begins_in_hokito() {
        let mut record = game(0, 0);
        record.opening.fen = Hokito::start().to_string();
        record.opening.moves = vec!["a4a3".to_owned(), "a2b2".to_owned()];
        let text = PgnGame::of_record::<Hokito>(&record, &headings(["A", "B"])).to_string();
        for part in [
            "[White \"B\"]",
            "[First \"A\"]",
            "[Result \"0-1\"]",
            "\n1... a4a3 {book} 2. a2b2 {book} c6c5o {0.001s} 0-1\n",
        ] {
            assert!(text.contains(part), "{part} is not in\n{text}");
        }
    }

    #[test]
    fn lines_that_were_not_played_stand_in_parentheses() {
        let moves = |text: &str| -> Vec<PgnMove> {
            let plain = |mv: &str| PgnMove {
                mv: mv.to_owned(),
                ..PgnMove::default()
            };
            text.split(' ').map(plain).collect()
        };
        let mut pgn = PgnGame {
            white_begins: true,
            moves: moves("c5b6y d6e6x d5d6o"),
            result: "*".to_owned(),
            ..PgnGame::default()
        };
        let mut instead = moves("d5e6x c4b4x");
        instead[0].variations = vec![moves("d5c6x")];
        pgn.moves[1].variations = vec![instead, moves("d6e6o")];
        assert_eq!(
            pgn.to_string(),
            "\n1. c5b6y d6e6x (1... d5e6x (1... d5c6x) 2. c4b4x) (1... d6e6o) 2. d5d6o *\n\n"
        );
    }
}
