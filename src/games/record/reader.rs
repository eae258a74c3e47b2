//! Reads games: PGN, match journals and lines of moves.
//!
//! [`read`] takes the whole text of a file and recognises the format by its beginning. A
//! `[` begins PGN, with comments, variations, NAGs and clock times; `{"totemic_match":`
//! begins a journal. Anything else is lines of moves, one game per line, or the movetext
//! of a PGN without tags. A game that cannot be read is an error with its line, and the
//! others are still read.

pub mod journal;
mod lines;
mod pgn;

use serde::Serialize;
use thiserror::Error;

use super::ending::Termination;
use super::fault::Fault;
use super::game::{PgnGame, PgnMove};
use super::notation::{Notation, read_move, read_moves};
pub use journal::{AnyHeading, Heading};
use totemic_engine::game::{Game, GameKind, Outcome, with_game};

/// Why a game cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, Error, Serialize)]
#[error("line {line}: {fault}")]
#[serde(tag = "why", rename = "line")]
pub struct ReadError {
    /// Number of the line, from 1.
    pub line: usize,
    /// What is wrong, and what was expected.
    #[serde(rename = "of")]
    pub fault: Fault,
}

impl ReadError {
    fn new(line: usize, fault: impl Into<Fault>) -> Self {
        let fault = fault.into();
        Self { line, fault }
    }

    /// The error for a line that is wrong as an English text says.
    pub fn text(line: usize, why: impl ToString) -> Self {
        Self::new(line, Fault::plain(why))
    }

    /// The error for a last line of which a killed program wrote only some bytes.
    pub fn cut_off(line: usize, bytes: usize) -> Self {
        Self::new(line, Fault::CutOff { bytes })
    }

    /// Whether it is the error for a line that is cut off.
    pub fn is_cut_off(&self) -> bool {
        matches!(self.fault, Fault::CutOff { .. })
    }
}

/// A game as read from a format, before its moves are checked.
#[derive(Clone, Debug, Default)]
struct Draft {
    /// An empty `start` is the start position.
    game: PgnGame,
    /// The result as the file writes it.
    result_token: String,
    /// Whether the words are moves as a person typed them, so that a move may consist of
    /// several words.
    is_typed: bool,
}

/// Reads all games in the text of a file. `hint` is the game if neither a tag nor a
/// position nor the moves show which one is played.
///
/// ```
/// use totemic_games::record::reader::read;
///
/// let games = read("1. c5b6y {a corner} (1. c4b5x) d6e6x *", None);
/// let game = games[0].as_ref().expect("both moves are legal");
/// assert_eq!(game.moves.len(), 2);
/// assert_eq!(game.moves[0].comment, "a corner");
/// ```
#[must_use]
pub fn read(text: &str, hint: Option<GameKind>) -> Vec<Result<PgnGame, ReadError>> {
    let text = text.trim_start_matches('\u{feff}');
    let drafts = match text.trim_start() {
        "" => return Vec::new(),
        begin if journal::is_journal(begin) => journal::drafts(begin),
        _ if is_journal_or_pgn(text) => pgn::drafts(text, hint),
        _ => lines::drafts(text, hint),
    };
    let into_game = |draft: Result<Draft, ReadError>| draft?.into_game();
    drafts.into_iter().map(into_game).collect()
}

/// Whether a text is a journal or PGN, not lines of moves.
pub(crate) fn is_journal_or_pgn(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    text.starts_with(['[', '%', ';']) || journal::is_journal(text) || pgn::is_movetext(text)
}

/// Reads the game on one line of moves; `None` if nothing is on it.
pub(crate) fn read_line(text: &str, hint: Option<GameKind>) -> Option<Result<PgnGame, ReadError>> {
    lines::drafts(text, hint)
        .pop()
        .map(|draft| draft?.into_game())
}

impl Draft {
    fn into_game(self) -> Result<PgnGame, ReadError> {
        with_game!(self.game.kind, G => self.into_game_as::<G>())
    }

    fn into_game_as<G: Notation>(self) -> Result<PgnGame, ReadError> {
        let mut game = self.game;
        let start = match game.start.as_str() {
            "" => G::start(),
            text => text.parse::<G>().map_err(|why| {
                let (text, of) = (text.to_owned(), Box::new(Fault::from(why)));
                ReadError::new(game.line, Fault::Position { text, of })
            })?,
        };
        if self.is_typed {
            join_words(&mut game, &start)?;
        }
        let end = normalise_moves(start, &mut game.moves)
            .map_err(|(at, why)| ReadError::new(game.moves[at].line, Fault::in_move(at, why)))?;
        game.start = start.to_string();
        let by_rules = end.outcome();
        if let (Some(by_rules), Some(written)) = (by_rules, game.result)
            && by_rules != written
        {
            let why = Fault::Result {
                text: self.result_token,
                outcome: by_rules,
                winner: match by_rules {
                    Outcome::Draw => "",
                    Outcome::Win(side) => G::SIDE_NAMES[side.index()],
                },
            };
            return Err(ReadError::new(game.line, why));
        }
        use Termination as End;
        game.termination = match (by_rules, game.result, game.termination) {
            (Some(_), ..) => End::Rules,
            (None, None, _) => End::Unfinished,
            (None, Some(_), End::Rules | End::Unfinished) => End::Untold,
            (None, Some(_), end) => end,
        };
        game.result = by_rules.or(game.result);
        Ok(game)
    }
}

/// Plays moves, writes them in the strict form, and removes the illegal ends of their
/// variations. Returns the position at the end, or which move is illegal and why.
fn normalise_moves<G: Notation>(start: G, moves: &mut [PgnMove]) -> Result<G, (usize, Fault)> {
    let mut position = start;
    for (at, played) in moves.iter_mut().enumerate() {
        // The strict form is quicker to read than what people type.
        let mv = (position.read_move(&played.mv))
            .or_else(|_| read_move(&position, &played.mv))
            .map_err(|why| (at, why))?;
        played.mv = mv.to_string();
        for line in &mut played.variations {
            if let Err((legal, _)) = normalise_moves(position, line) {
                line.truncate(legal);
            }
        }
        played.variations.retain(|line| !line.is_empty());
        position = position.play(mv);
    }
    Ok(position)
}

/// Joins the words of a line into whole moves, unless they are whole moves already.
fn join_words<G: Notation>(game: &mut PgnGame, start: &G) -> Result<(), ReadError> {
    let words: Vec<&str> = game.moves.iter().map(|word| word.mv.as_str()).collect();
    if words.iter().all(|word| word.parse::<G::Move>().is_ok()) {
        return Ok(());
    }
    let (moves, _) =
        read_moves(start, &words.join(" ")).map_err(|why| ReadError::new(game.line, why))?;
    let played = |mv| PgnMove::on_line(game.line, mv);
    game.moves = moves.into_iter().map(played).collect();
    Ok(())
}

/// Which game is played: as the text says, else as the position or the first move shows, else
/// the hint.
fn kind_of_draft(game: &PgnGame, named: Option<GameKind>, hint: Option<GameKind>) -> GameKind {
    let first = game.moves.first().map(|played| played.mv.as_str());
    let by_start = || GameKind::of_text(&game.start);
    let by_move = || first.and_then(kind_of_move);
    let kind = named.or_else(by_start).or_else(by_move);
    kind.or(hint).unwrap_or_default()
}

fn kind_of_move(token: &str) -> Option<GameKind> {
    let reads =
        |kind: &GameKind| with_game!(*kind, G => token.parse::<<G as Game>::Move>().is_ok());
    GameKind::ALL.into_iter().find(reads)
}

impl PgnGame {
    /// Makes a game of moves from a position.
    ///
    /// # Errors
    /// Names the position or the move that breaks the rules.
    pub(crate) fn of_moves(
        kind: GameKind,
        start: &str,
        moves: Vec<PgnMove>,
    ) -> Result<Self, ReadError> {
        let game = Self {
            kind,
            start: start.to_owned(),
            moves,
            ..Self::default()
        };
        let draft = Draft {
            game,
            ..Draft::default()
        };
        draft.into_game()
    }

    /// Returns the positions before each move and at the end, and the moves.
    ///
    /// # Errors
    /// When it is not a game of `G`, or its moves were changed after it was read.
    pub fn replay<G: Game>(&self) -> Result<(Vec<G>, Vec<G::Move>), ReadError> {
        let mut position: G =
            (self.start.parse()).map_err(|why: G::Err| ReadError::new(self.line, why))?;
        let (mut positions, mut moves) = (vec![position], Vec::with_capacity(self.moves.len()));
        for played in &self.moves {
            let mv =
                (position.read_move(&played.mv)).map_err(|why| ReadError::new(played.line, why))?;
            position = position.play(mv);
            positions.push(position);
            moves.push(mv);
        }
        Ok((positions, moves))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use totemic_engine::game::{Side, Yoxii};

    fn one(text: &str) -> PgnGame {
        let mut games = read(text, None);
        assert_eq!(games.len(), 1, "{text}");
        games.remove(0).expect(text)
    }

    #[test]
    fn pgn_bears_what_others_write_into_it() {
        let game = one("\u{feff}% a line of escape\n\
            [Event \"x\"]\n[White \"A \\\"q\\\"\"]\n[Black \"B\"]\n[Termination \"time forfeit\"]\n\
            [Result \"0-1\"]\n\n\
            1.c5b6y!? {good (or not) [%clk 0:01:02.5] indeed} (1. c4b5x {a ) in it} (1. c5b6x) *) $3\n\
            1... d6e6x ; to the end { of the line\n 0-1\n");
        assert_eq!(game.kind, GameKind::Yoxii);
        assert_eq!(game.players, ["A \"q\"", "B"]);
        let moves: Vec<&str> = game.moves.iter().map(|played| &*played.mv).collect();
        assert_eq!(moves, ["c5b6y", "d6e6x"]);
        assert_eq!(game.moves[0].comment, "good (or not) indeed");
        assert_eq!(game.moves[0].clock, Some(Duration::from_millis(62_500)));
        assert_eq!(game.moves[0].nags, [5, 3]);
        let line = &game.moves[0].variations[0];
        assert_eq!((line.len(), &*line[0].mv), (1, "c4b5x"));
        assert_eq!(line[0].comment, "a ) in it");
        assert_eq!(line[0].variations[0][0].mv, "c5b6x");
        assert_eq!(game.moves[1].comment, "to the end { of the line");
        assert_eq!(game.result, Some(Outcome::Win(Side::Second)));
        assert_eq!(game.termination, Termination::Time);
    }

    #[test]
    fn a_variation_ends_where_it_cannot_be_played() {
        let game = one("1. c5b6y (1. c4b5x zz d6e6x) (1. zz) (c5b6x) d6e6x *");
        let lines: Vec<usize> = game.moves[0].variations.iter().map(Vec::len).collect();
        assert_eq!(lines, [1, 1]);
        let deep = format!(
            "1. c5b6y {}{} d6e6x *",
            "(c4b5x ".repeat(9999),
            ")".repeat(9999)
        );
        assert_eq!(one(&deep).moves.len(), 2);
    }

    #[test]
    fn black_is_the_first_side_in_hokito() {
        let game = one("[Variant \"Hokito\"]\n[White \"W\"]\n[Black \"B\"]\n\n1... a4a3 1-0");
        assert_eq!(game.kind, GameKind::Hokito);
        assert_eq!(game.players, ["B", "W"]);
        assert_eq!(game.result, Some(Outcome::Win(Side::Second)));
        assert_eq!(game.termination, Termination::Untold);
        // Where only the hint tells which game it is.
        let text = "[White \"W\"][Black \"B\"]\n\n1... a4xa3 1-0";
        let game = read(text, Some(GameKind::Hokito)).remove(0).expect(text);
        assert_eq!(game.players, ["B", "W"]);
        assert_eq!(game.result, Some(Outcome::Win(Side::Second)));
    }

    #[test]
    fn lines_of_moves_with_and_without_a_start() {
        for text in [
            "c5b6y d6e6x",
            "startpos moves c5b6y d6e6x",
            "position startpos moves c5b6y d6e6x # as in UGI",
            "3/5/7/3*3/7/5/3 w c5b6y d6e6x",
            "position fen 3/5/7/3*3/7/5/3 w moves c5b6y d6e6x",
            "yoxii startpos c5b6y d6e6x",
            "1. c5b6y d6e6x",
            "startpos moves C5B6Y d6-e6-4",
            "startpos moves C5-B6 Y d6 e6 4",
            "; a remark\n{and one more}\n[Site \"?\"]\n\n1. c5b6y d6e6x *",
            "{\"At last\", she said} 1. c5b6y d6e6x *",
        ] {
            let game = one(text);
            assert_eq!(game.start, Yoxii::start().to_string(), "{text}");
            assert_eq!(game.moves.len(), 2, "{text}");
            assert_eq!(game.termination, Termination::Unfinished);
        }
        assert_eq!(one("startpos moves a4a3").kind, GameKind::Hokito);
        assert_eq!(read("a4a3\n\n# no game\nc5b6y\n", None).len(), 2);
    }

    #[test]
    fn what_cannot_be_read_is_named_and_the_rest_goes_on() {
        let text = "[Event \"1\"]\n\n1. c5b6y c5b6y *\n\n[Event \"2\"]\n\n1. c5b6y *\n";
        let games = read(text, None);
        let why = games[0].as_ref().expect_err("played twice").to_string();
        assert!(why.starts_with("line 3: move 2: "), "{why}");
        assert!(why.contains("c5b6y"), "{why}");
        assert!(games[1].is_ok());
        for (text, expected) in [
            ("[Event \"1\"]\n\n1. c5b6y {never closed", "line 3: comment"),
            ("[Event \"1\"]\n\n1. c5b6y (c5b6x", "line 3: variation"),
            ("[Event \"1\"]\n\n1. c5b6y ) *", "line 3: ')'"),
            ("[Event 1]\n\n1. c5b6y *", "line 1: tag '[Event 1]'"),
            ("[FEN \"3/5 w\"]\n\n*", "line 1: position '3/5 w'"),
            ("[Variant \"Chess\"]\n\n1. e4 *", "line 1: variant 'Chess'"),
            ("hello", "line 1: move 1: "),
            ("(null)", "line 1: expected a position or moves"),
            ("{\"totemic_match\":1}", "line 1: not the first line"),
        ] {
            let games = read(text, None);
            let why = games[0].as_ref().expect_err(text).to_string();
            assert!(why.starts_with(expected), "{text}: {why}");
            if text.starts_with("[Event ") {
                let games = read(&format!("{text}\n\n[Event \"2\"]\n\n1. c5b6y *"), None);
                assert_eq!(games.len(), 2, "{text}");
                assert!(games[1].is_ok(), "{text}");
                let games = read(&format!("[Event \"0\"]\n\n1. c5b6y *\n\n{text}"), None);
                assert_eq!(games.len(), 2, "{text}");
                assert!(games[0].is_ok(), "{text}");
            }
        }
    }

    #[test]
    fn a_result_against_the_rules_is_refused() {
        let end = "Oo1/oIi2/1xXiiOi/oYy1XII/yIOxYyy/1x*XO/IyO w";
        let text = |result| format!("[FEN \"{end}\"]\n[Result \"{result}\"]\n\n1. a5e6y {result}");
        let position: Yoxii = end.parse().expect("a position");
        let over = position.play(position.read_move("a5e6y").expect("legal"));
        let (right, wrong) = match over.outcome() {
            Some(Outcome::Win(Side::First)) => ("1-0", "0-1"),
            Some(Outcome::Win(Side::Second)) => ("0-1", "1-0"),
            other => panic!("{other:?}"),
        };
        assert_eq!(one(&text(right)).termination, Termination::Rules);
        let games = read(&text(wrong), None);
        let why = games[0].as_ref().expect_err("a lie").to_string();
        assert!(why.contains("by the rules"), "{why}");
    }
}
