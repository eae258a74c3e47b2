//! Writes Portable Game Notation, which many tools can read.
//!
//! As in chess, a game consists of tags, then numbered moves in our notation with
//! comments `{score/depth time n=nodes}`. The tag `White` names the player of the white
//! pieces, `Black` the opponent, whose pieces are red in Yoxii. In Hokito Black moves
//! first, so the moves are numbered from `1...`.

use std::fmt::{self, Display};
use std::time::{Duration, UNIX_EPOCH};

use super::game::{GameRecord, PgnGame, PgnMove};
use totemic_engine::game::{GameKind, Outcome, Show, with_game};

/// Whether the first mover has the white pieces.
fn first_is_white(kind: GameKind) -> bool {
    with_game!(kind, G => G::SIDE_NAMES[0] == "White")
}

/// Puts what belongs to the first and the second side in the order White, Black, and back.
pub(super) fn by_colour<T>(kind: GameKind, [first, second]: [T; 2]) -> [T; 2] {
    match first_is_white(kind) {
        true => [first, second],
        false => [second, first],
    }
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
pub(crate) fn outcome_token(kind: GameKind, outcome: Option<Outcome>) -> &'static str {
    match outcome {
        None => "*",
        Some(Outcome::Draw) => "1/2-1/2",
        Some(Outcome::Win(side)) if (side.index() == 0) == first_is_white(kind) => "1-0",
        Some(Outcome::Win(_)) => "0-1",
    }
}

impl PgnGame {
    /// Sets a tag; a new tag is added after the others.
    pub fn set_tag(&mut self, key: &str, value: impl Into<String>) {
        let value = value.into();
        match self.tags.iter_mut().find(|(known, _)| known == key) {
            Some((_, old)) => *old = value,
            None => self.tags.push((key.to_owned(), value)),
        }
    }

    /// Adds the tags that are missing: those of every PGN, and what is known of the end.
    #[must_use]
    pub fn tagged(mut self, event: &str) -> Self {
        let or_unknown = |name: &str| if name.is_empty() { "?" } else { name }.to_owned();
        let [first, second] = self.players.each_ref().map(|name| or_unknown(name));
        let [white, black] = by_colour(self.kind, [first.clone(), second]);
        let title = with_game!(self.kind, G => G::TITLE);
        let ending = self.termination.tag().unwrap_or_default();
        let fixed = ["Result", "Variant", "FEN"];
        for (key, value) in [
            ("Event", event.to_owned()),
            ("Site", "?".to_owned()),
            ("Date", "????.??.??".to_owned()),
            ("Round", "-".to_owned()),
            ("White", white),
            ("Black", black),
            (fixed[0], outcome_token(self.kind, self.result).to_owned()),
            (fixed[1], title.to_owned()),
            ("SetUp", "1".to_owned()),
            (fixed[2], self.start.clone()),
            ("First", first),
            ("PlyCount", self.moves.len().to_string()),
            ("Termination", ending.to_owned()),
            ("Reason", self.reason_text.clone()),
        ] {
            let is_due = fixed.contains(&key) || self.tag(key).is_none();
            if is_due && !value.is_empty() {
                self.set_tag(key, value);
            }
        }
        self
    }

    /// Makes the PGN of a match's game, with the limits of the first and the second mover.
    pub fn of_match(
        game: &GameRecord,
        kind: GameKind,
        players: [&str; 2],
        limits: [String; 2],
    ) -> Self {
        let pgn = Self::of_record(game, kind, players.map(str::to_owned));
        let mut pgn = pgn.tagged(&with_game!(kind, G => format!("{} match", G::TITLE)));
        let (date, time) = utc(game.begun);
        let [white, black] = by_colour(kind, limits);
        for (key, value) in [
            ("Date", date),
            ("Round", game.id.to_string()),
            ("UTCTime", time),
            ("Termination", game.reason.tag().to_owned()),
            ("WhiteTimeControl", white),
            ("BlackTimeControl", black),
            ("Seed", game.seed.to_string()),
        ] {
            pgn.set_tag(key, value);
        }
        if let Some([p1, p2]) = game.points {
            pgn.set_tag("Points", format!("{p1}-{p2}"));
        }
        pgn
    }

    /// Returns the moves from `index` on, each followed by its variations, as chunks of
    /// text that stay on one line if they fit.
    fn movetext(&self, index: usize, moves: &[PgnMove]) -> Vec<String> {
        let mut chunks = Vec::new();
        // After a variation, a move of Black has its number, too.
        let mut after_text = true;
        for (index, made) in (index..).zip(moves) {
            let number = move_number(self.start.ends_with('w'), index);
            chunks.push(match after_text || !number.ends_with("...") {
                true => format!("{number} {made}"),
                false => made.to_string(),
            });
            after_text = !made.variations.is_empty();
            for variation in &made.variations {
                chunks.push(format!("({})", self.movetext(index, variation).join(" ")));
            }
        }
        chunks
    }
}

impl Display for PgnMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.mv)?;
        for nag in &self.nags {
            write!(f, " ${nag}")?;
        }
        let mut comment = String::new();
        if let Some(left) = self.clock {
            let (seconds, millis) = (left.as_secs(), left.subsec_millis());
            let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
            let seconds = seconds % 60;
            comment = format!("[%clk {hours}:{minutes:02}:{seconds:02}.{millis:03}]");
        }
        if !self.comment.is_empty() {
            let blank = if comment.is_empty() { "" } else { " " };
            // A brace inside would end the comment.
            comment += &format!("{blank}{}", self.comment.replace(['{', '}'], "|"));
        }
        match comment.as_str() {
            "" => Ok(()),
            comment => write!(f, " {{{comment}}}"),
        }
    }
}

impl Display for PgnGame {
    /// Writes the PGN, with an empty line at the end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (key, value) in &self.tags {
            let plain = |c: char| if c.is_control() { ' ' } else { c };
            let value: String = value.chars().map(plain).collect();
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            writeln!(f, "[{key} \"{value}\"]")?;
        }
        writeln!(f)?;
        // A chunk of text that fits on a line is not broken.
        let whole = |chunk: String| match chunk.len() {
            ..80 => chunk.replace(' ', "\u{a0}"),
            _ => chunk,
        };
        let mut chunks = self.movetext(0, &self.moves);
        chunks.push(outcome_token(self.kind, self.result).to_owned());
        let chunks: Vec<String> = chunks.into_iter().map(whole).collect();
        let options = textwrap::Options::new(80)
            .break_words(false)
            .wrap_algorithm(textwrap::WrapAlgorithm::FirstFit)
            .word_separator(textwrap::WordSeparator::AsciiSpace)
            .word_splitter(textwrap::WordSplitter::NoHyphenation);
        let lines = textwrap::fill(&chunks.join(" "), options);
        writeln!(f, "{}\n", lines.replace('\u{a0}', " "))
    }
}

/// Formats seconds since 1970 as a date and a time in PGN; times after the year 9999
/// become its end.
pub fn utc(seconds: u64) -> (String, String) {
    let since = Duration::from_secs(seconds.min(253_402_300_799));
    let text = humantime::format_rfc3339_seconds(UNIX_EPOCH + since).to_string();
    (text[..10].replace('-', "."), text[11..19].to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::record::EngineScore;
    use totemic_engine::game::{Game, Hokito};

    const LIMITS: [String; 2] = [String::new(), String::new()];

    fn game(pair: u64) -> GameRecord {
        serde_json::from_value(json!({
            "pair": pair, "leg": 0, "stage": 0, "engines": [0, 1], "seed": 17,
            "opening": {"fen": "3/5/7/3*3/7/5/3 w", "moves": ["c5b6y"]},
            "moves": [{"m": "c6c5o", "t": 1.25}],
            "result": "p1win", "reason": "rules", "points": [3, 1],
        }))
        .expect("a game")
    }

    #[test]
    fn a_game_of_yoxii() {
        let mut record = game(4);
        record.begun = 951_827_696;
        record.moves[0].info.score = Some(EngineScore::Cp(-25));
        record.moves[0].info.depth = Some(7);
        record.moves[0].info.nodes = Some(99);
        let text =
            PgnGame::of_match(&record, GameKind::Yoxii, ["A \"x\"", "B"], LIMITS).to_string();
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
        let mut record = game(0);
        record.opening.fen = Hokito::start().to_string();
        record.opening.moves = vec!["a4a3".to_owned(), "a2b2".to_owned()];
        let text = PgnGame::of_match(&record, GameKind::Hokito, ["A", "B"], LIMITS).to_string();
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
        let moves = |text: &str| -> Vec<PgnMove> { text.split(' ').map(PgnMove::new).collect() };
        let mut pgn = PgnGame {
            start: "3/5/7/3*3/7/5/3 w".to_owned(),
            moves: moves("c5b6y d6e6x d5d6o"),
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
