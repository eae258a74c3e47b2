//! Game records that any tool can read.
//!
//! Portable Game Notation as chess has it: tags, then numbered moves in our
//! notation with comments `{score/depth time n=nodes}`. The tag `White` is who
//! plays the white pieces; `Black` is the opponent, who is called Red in
//! Yoxii. In Hokito Black moves first, so its moves are numbered from `1...`.

use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

use super::record::{GameRecord, GameResult};
use super::settings::MatchSettings;
use crate::game::{Game, Side};

/// Whether the first mover has the white pieces.
fn first_is_white<G: Game>() -> bool {
    G::SIDE_NAMES[0] == "White"
}

/// The text of one game, with an empty line at its end.
#[must_use]
pub fn text<G: Game>(game: &GameRecord, settings: &MatchSettings) -> String {
    let mut out = String::new();
    tags::<G>(&mut out, game, settings);
    out.push('\n');
    moves::<G>(&mut out, game);
    out.push('\n');
    out
}

fn result_token<G: Game>(result: GameResult) -> &'static str {
    match (result, first_is_white::<G>()) {
        (GameResult::Draw, _) => "1/2-1/2",
        (GameResult::P1Win, true) | (GameResult::P2Win, false) => "1-0",
        _ => "0-1",
    }
}

fn tags<G: Game>(out: &mut String, game: &GameRecord, settings: &MatchSettings) {
    let name = |side: Side| settings.engines[game.engines[side.index()]].name.as_str();
    let limit = |side: Side| {
        settings.engines[game.engines[side.index()]]
            .limits
            .to_string()
    };
    let (white, black) = if first_is_white::<G>() {
        (Side::First, Side::Second)
    } else {
        (Side::Second, Side::First)
    };
    let detail = if game.detail.is_empty() {
        game.reason.to_string()
    } else {
        format!("{}: {}", game.reason, game.detail)
    };
    let mut tag = |key: &str, value: &str| {
        let plain = |c: char| if c.is_control() { ' ' } else { c };
        let value: String = value.chars().map(plain).collect();
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(out, "[{key} \"{value}\"]");
    };
    let (date, time) = utc(game.begun);
    tag("Event", &format!("{} match", G::TITLE));
    tag("Site", "?");
    tag("Date", &date);
    tag("Round", &game.id.to_string());
    tag("White", name(white));
    tag("Black", name(black));
    tag("Result", result_token::<G>(game.result));
    tag("Variant", G::TITLE);
    tag("SetUp", "1");
    tag("FEN", &game.opening.fen);
    tag("First", name(Side::First));
    tag(
        "PlyCount",
        &(game.opening.moves.len() + game.moves.len()).to_string(),
    );
    tag("UTCTime", &time);
    tag("WhiteTimeControl", &limit(white));
    tag("BlackTimeControl", &limit(black));
    tag("Seed", &game.seed.to_string());
    tag("Termination", game.reason.termination());
    tag("Reason", &detail);
    if let Some([p1, p2]) = game.points {
        tag("Points", &format!("{p1}-{p2}"));
    }
}

fn moves<G: Game>(out: &mut String, game: &GameRecord) {
    let book = game.opening.moves.iter().map(|mv| format!("{mv} {{book}}"));
    let own = game.moves.iter().map(|mv| {
        let mut text = format!("{} {{", mv.mv);
        if let Some(score) = mv.info.score {
            let _ = write!(text, "{score}/{} ", mv.info.depth.unwrap_or(0));
        }
        let _ = write!(text, "{:.3}s", mv.elapsed_ms / 1000.0);
        if let Some(nodes) = mv.info.nodes {
            let _ = write!(text, " n={nodes}");
        }
        text + "}"
    });
    let second_begins = (game.opening_side() + game.opening.moves.len()) % 2 == 1;
    // Whose turn it is at the start, by colour: white's moves open a number.
    let mut white = first_is_white::<G>() != second_begins;
    let mut number = 1;
    let mut width = 0;
    let mut word = |text: &str| {
        if width > 0 && width + text.len() >= 80 {
            out.push('\n');
            width = 0;
        } else if width > 0 {
            out.push(' ');
            width += 1;
        }
        out.push_str(text);
        width += text.len();
    };
    for (index, text) in book.chain(own).enumerate() {
        if white {
            word(&format!("{number}. {text}"));
        } else if index == 0 {
            word(&format!("{number}... {text}"));
        } else {
            word(&text);
        }
        number += u32::from(!white);
        white = !white;
    }
    word(result_token::<G>(game.result));
    out.push('\n');
}

/// Date and time of seconds since 1970 (proleptic Gregorian, by the civil
/// calendar algorithm of Howard Hinnant).
fn utc(seconds: u64) -> (String, String) {
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

/// How the tags of a game begin.
const FIRST_TAG: &[u8] = b"[Event \"";

/// Whether a path is that of a device or a pipe, which cannot be looked into
/// or replaced.
fn is_special(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|data| !data.is_file() && !data.is_dir())
}

/// A file of games.
#[derive(Debug)]
pub struct Pgn(File);

impl Pgn {
    /// Creates the file, which must not hold anything yet, unless the match
    /// is resumed: then it is written again from the games of the journal, in
    /// one step, so that it can never hold a game twice or half.
    ///
    /// # Errors
    /// When the file system refuses, or the file is not empty, or it holds
    /// anything but games.
    pub fn open<'a, G: Game>(
        path: &Path,
        settings: &MatchSettings,
        resume: bool,
        games: impl Iterator<Item = &'a GameRecord>,
    ) -> io::Result<Self> {
        Self::check(path, resume)?;
        let mut all = String::new();
        for game in games {
            all.push_str(&text::<G>(game, settings));
        }
        let append = || OpenOptions::new().append(true).open(path);
        if is_special(path) {
            let mut pgn = Self(append()?);
            pgn.0.write_all(all.as_bytes())?;
            return Ok(pgn);
        }
        let mut draft = path.as_os_str().to_owned();
        draft.push(".part");
        std::fs::write(&draft, all)?;
        std::fs::rename(&draft, path)?;
        Ok(Self(append()?))
    }

    /// Whether [`Pgn::open`] would take the file, which stays as it is.
    ///
    /// # Errors
    /// As those of [`Pgn::open`].
    pub fn check(path: &Path, resume: bool) -> io::Result<()> {
        if is_special(path) {
            return Ok(());
        }
        let mut start = Vec::new();
        match File::open(path) {
            Ok(file) => file.take(FIRST_TAG.len() as u64).read_to_end(&mut start)?,
            Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(why) => return Err(why),
        };
        let why = if start.is_empty() {
            return Ok(());
        } else if start != FIRST_TAG {
            "it holds something else than games: choose another file"
        } else if !resume {
            "it exists already: add --resume, or choose another file"
        } else {
            return Ok(());
        };
        Err(io::Error::new(io::ErrorKind::AlreadyExists, why))
    }

    /// Appends a game.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn append<G: Game>(
        &mut self,
        game: &GameRecord,
        settings: &MatchSettings,
    ) -> io::Result<()> {
        self.0.write_all(text::<G>(game, settings).as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::journal::tests::game;
    use crate::arena::record::EngineScore;
    use crate::arena::settings::tests::settings;
    use crate::game::{Hokito, Yoxii};

    #[test]
    fn a_game_of_yoxii() {
        let mut record = game(4, 0);
        record.begun = 951_827_696;
        record.moves[0].info.score = Some(EngineScore::Cp(-25));
        record.moves[0].info.depth = Some(7);
        record.moves[0].info.nodes = Some(99);
        let text = text::<Yoxii>(&record, &settings(&["A \"x\"", "B"]));
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
        let text = text::<Hokito>(&record, &settings(&["A", "B"]));
        for part in [
            "[White \"B\"]",
            "[First \"A\"]",
            "[Result \"0-1\"]",
            "\n1... a4a3 {book} 2. a2b2 {book} c6c5o {0.001s} 0-1\n",
        ] {
            assert!(text.contains(part), "{part} is not in\n{text}");
        }
    }
}
