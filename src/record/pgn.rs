//! Portable Game Notation, which many tools can read.
//!
//! As in chess, a game consists of tags, then numbered moves in our notation with
//! comments `{score/depth time n=nodes}`. The tag `White` names the player of the white
//! pieces, `Black` the opponent, whose pieces are red in Yoxii. In Hokito Black moves
//! first, so the moves are numbered from `1...`.

use std::fmt::{self, Display, Write as _};
use std::time::{Duration, UNIX_EPOCH};

use super::game::{GameRecord, MoveRecord, PlayedMove};
use crate::game::{Game, Outcome};

/// A game in PGN. Its `Display` writes the text, with an empty line at the end.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PgnGame {
    /// The tags in their order: key and value.
    pub tags: Vec<(String, String)>,
    /// Whether the first of `moves` is a move of the white pieces.
    pub white_begins: bool,
    /// All moves from the position of the tag `FEN`.
    pub moves: Vec<PlayedMove>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
}

/// Whether the first mover has the white pieces.
pub(crate) fn first_is_white<G: Game>() -> bool {
    G::SIDE_NAMES[0] == "White"
}

/// Returns the number of the move at `index`, counted from 0: `12.` for the first move of
/// a pair, `12...` for the second. The move at 0 is the first of its pair or, if Black
/// begins the game, the second.
pub(crate) fn move_number(is_first_of_pair: bool, index: usize) -> String {
    let half = index + usize::from(!is_first_of_pair);
    let dots = if half.is_multiple_of(2) { "." } else { "..." };
    format!("{}{dots}", half / 2 + 1)
}

/// Returns the result as PGN writes it; `None` is a game that goes on.
pub(crate) fn outcome_token<G: Game>(outcome: Option<Outcome>) -> &'static str {
    match outcome {
        None => "*",
        Some(Outcome::Draw) => "1/2-1/2",
        Some(Outcome::Win(side)) if G::SIDE_NAMES[side.index()] == "White" => "1-0",
        Some(Outcome::Win(_)) => "0-1",
    }
}

impl PgnGame {
    /// Makes a game from a position, without moves yet. The first mover's name comes
    /// first.
    pub(crate) fn new<G: Game>(
        event: &str,
        players: [&str; 2],
        fen: &str,
        outcome: Option<Outcome>,
    ) -> Self {
        let result = outcome_token::<G>(outcome);
        let mut pgn = Self {
            // In both games this letter means that White is to move.
            white_begins: fen.ends_with('w'),
            result: result.to_owned(),
            ..Self::default()
        };
        let [first, second] = players.map(|name| if name.is_empty() { "?" } else { name });
        let (white, black) = match first_is_white::<G>() {
            true => (first, second),
            false => (second, first),
        };
        for (key, value) in [
            ("Event", event),
            ("Site", "?"),
            ("Date", "????.??.??"),
            ("Round", "-"),
            ("White", white),
            ("Black", black),
            ("Result", result),
            ("Variant", G::TITLE),
            ("SetUp", "1"),
            ("FEN", fen),
        ] {
            pgn.tag(key, value);
        }
        pgn
    }

    /// Sets a tag; a new tag is added after the others.
    pub(crate) fn tag(&mut self, key: &str, value: &str) {
        match self.tags.iter_mut().find(|(known, _)| known == key) {
            Some((_, old)) => value.clone_into(old),
            None => self.tags.push((key.to_owned(), value.to_owned())),
        }
    }

    /// Makes the PGN of a match's game, with the names and the limits of the first and
    /// the second mover.
    pub(crate) fn of_record<G: Game>(
        game: &GameRecord,
        names: [&str; 2],
        [first, second]: &[String; 2],
    ) -> Self {
        let (event, outcome) = (format!("{} match", G::TITLE), Some(game.result));
        let mut pgn = Self::new::<G>(&event, names, &game.opening.fen, outcome);
        let book = (game.opening.moves.iter()).map(|mv| PlayedMove {
            mv: mv.clone(),
            comment: "book".to_owned(),
            ..PlayedMove::default()
        });
        pgn.moves = book.chain(game.moves.iter().map(annotated)).collect();
        let (date, time) = utc(game.begun);
        let (white, black) = match first_is_white::<G>() {
            true => (first, second),
            false => (second, first),
        };
        let reason = match game.detail.as_str() {
            "" => game.reason.to_string(),
            detail => format!("{}: {detail}", game.reason),
        };
        let plies = pgn.moves.len().to_string();
        for (key, value) in [
            ("Date", date.as_str()),
            ("Round", &game.id.to_string()),
            ("First", names[0]),
            ("PlyCount", &plies),
            ("UTCTime", &time),
            ("WhiteTimeControl", white),
            ("BlackTimeControl", black),
            ("Seed", &game.seed.to_string()),
            ("Termination", game.reason.termination()),
            ("Reason", &reason),
        ] {
            pgn.tag(key, value);
        }
        if let Some([p1, p2]) = game.points {
            pgn.tag("Points", &format!("{p1}-{p2}"));
        }
        pgn
    }

    /// Returns the moves from `index` on, each followed by its variations, as pieces of
    /// text that stay on one line if they fit.
    fn movetext(&self, index: usize, moves: &[PlayedMove]) -> Vec<String> {
        let mut pieces = Vec::new();
        // After a variation, a move of Black has its number, too.
        let mut after_text = true;
        for (index, made) in (index..).zip(moves) {
            let number = move_number(self.white_begins, index);
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
}

/// Makes a move with what its engine said: `score/depth time n=nodes`.
fn annotated(made: &MoveRecord) -> PlayedMove {
    let mut comment = String::new();
    if let Some(score) = made.info.score {
        let _ = write!(comment, "{score}/{} ", made.info.depth.unwrap_or(0));
    }
    let _ = write!(comment, "{:.3}s", made.elapsed_ms / 1000.0);
    if let Some(nodes) = made.info.nodes {
        let _ = write!(comment, " n={nodes}");
    }
    PlayedMove {
        mv: made.mv.clone(),
        comment,
        ..PlayedMove::default()
    }
}

impl Display for PlayedMove {
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

/// Breaks text into lines of at most eighty characters, unless a word is longer. A piece
/// of text that fits on a line is not broken.
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

/// Formats seconds since 1970 as a date and a time in PGN; times after the year 9999
/// become its end.
pub(crate) fn utc(seconds: u64) -> (String, String) {
    let since = Duration::from_secs(seconds.min(253_402_300_799));
    let text = humantime::format_rfc3339_seconds(UNIX_EPOCH + since).to_string();
    (text[..10].replace('-', "."), text[11..19].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Hokito, Yoxii};
    use crate::record::EngineScore;
    use crate::record::game::tests::game;

    const LIMITS: [String; 2] = [String::new(), String::new()];

    #[test]
    fn a_game_of_yoxii() {
        let mut record = game(4, 0);
        record.begun = 951_827_696;
        record.moves[0].info.score = Some(EngineScore::Cp(-25));
        record.moves[0].info.depth = Some(7);
        record.moves[0].info.nodes = Some(99);
        let text = PgnGame::of_record::<Yoxii>(&record, ["A \"x\"", "B"], &LIMITS).to_string();
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
        let text = PgnGame::of_record::<Hokito>(&record, ["A", "B"], &LIMITS).to_string();
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
        let moves = |text: &str| -> Vec<PlayedMove> {
            let plain = |mv: &str| PlayedMove {
                mv: mv.to_owned(),
                ..PlayedMove::default()
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
