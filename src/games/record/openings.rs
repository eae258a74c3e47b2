//! Openings: each is a pure function of the settings, the seed and its number.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::game::{Opening, PgnGame, is_zero};
use super::random::{Purpose, stream};
use super::reader;
use totemic_engine::game::{Game, GameKind, Layout, random_opening};

/// Where the openings come from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OpeningSource {
    /// A random start as the rules make it, then random plies.
    #[expect(missing_docs, reason = "the names say what the fields are")]
    Random {
        plies: u32,
        /// In Hokito: whether all pawns are spread over the whole board.
        scattered: bool,
    },
    #[expect(missing_docs, reason = "the names say what the fields are")]
    File {
        count: usize,
        /// Checksum of the texts of the openings.
        checksum: String,
        /// Whether the seed decides the order.
        shuffled: bool,
        /// Index of the opening that is played first.
        #[serde(default, skip_serializing_if = "is_zero")]
        start: usize,
    },
}

/// All openings of a match; each has a number.
#[derive(Clone, Debug)]
pub struct Openings {
    seed: u64,
    source: OpeningSource,
    /// A line for each opening; empty for random ones. A file may have millions, of which a
    /// match needs a few: each is read when it is needed.
    text: String,
    /// Where these lines begin, in the order of play; a file has at least one.
    offsets: Vec<u32>,
}

/// Number of lines that are checked before a match; a wrong line after them ends the match.
const MAX_CHECKED_LINES: usize = 10_000;
/// How the checksum of a file of lines begins; older ones are of what was read from them.
const TEXT_PREFIX: &str = "text-";

/// Which openings a file gives: in which order they are played, and how many plies of a
/// game belong to one. By default all of them, in the order of the file.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Selection {
    /// Seed of a random order.
    pub seed: u64,
    /// Whether the order is random.
    pub shuffled: bool,
    /// Index of the opening that is played first; those before it come last.
    pub start: usize,
    /// How many plies of a game in PGN or a journal belong to the opening; `None` for
    /// those that are marked as book, or all if none is.
    pub plies: Option<u32>,
}

/// Why a file gives no openings.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum OpeningsError {
    /// Something in the file is wrong; the message names the line.
    #[error("{0}")]
    File(String),
    /// The file does not have what was asked for.
    #[error("{0}")]
    Selection(String),
}

impl Openings {
    /// Makes random openings.
    #[must_use]
    pub fn random(seed: u64, plies: u32, scattered: bool) -> Self {
        Self {
            seed,
            source: OpeningSource::Random { plies, scattered },
            text: String::new(),
            offsets: Vec::new(),
        }
    }

    /// Returns the openings if the settings alone describe them, which is so for random
    /// ones.
    pub fn of_source(seed: u64, source: &OpeningSource) -> Option<Self> {
        let OpeningSource::Random { plies, scattered } = *source else {
            return None;
        };
        Some(Self::random(seed, plies, scattered))
    }

    /// Reads the text of a file of openings. It may contain games in PGN or a journal, see
    /// [`reader`]. Otherwise each line is an opening: a position's text or `startpos`,
    /// then moves, with or without the word `moves` before them; or moves alone, from the
    /// start position. A leading `fen`, empty lines and everything after a `#` are
    /// ignored.
    ///
    /// # Errors
    /// Names the line and what is wrong with it, among the first ten thousand.
    pub fn of_text<G: Game>(
        text: impl Into<String>,
        selection: Selection,
    ) -> Result<Self, OpeningsError> {
        use OpeningsError as Why;
        let mut text: String = text.into();
        let mut prefix = TEXT_PREFIX;
        if reader::is_journal_or_pgn(&text) {
            prefix = "";
            text = lines_of::<G>(&text, selection.plies).map_err(Why::File)?;
        } else if selection.plies.is_some() {
            let why = "plies= is for games, in PGN or a journal";
            return Err(Why::Selection(why.to_owned()));
        }
        let mut offsets = line_offsets(&text).map_err(Why::File)?;
        let count = offsets.len();
        if count == 0 {
            return Err(Why::File("no opening in it".to_owned()));
        }
        if selection.start >= count {
            let number = selection.start + 1;
            let why = format!("start={number}: it has {count} openings");
            return Err(Why::Selection(why));
        }
        let source = OpeningSource::File {
            count,
            checksum: format!("{prefix}{}", checksum(&text)),
            shuffled: selection.shuffled,
            start: selection.start,
        };
        for &at in offsets.iter().take(MAX_CHECKED_LINES) {
            line_at::<G>(&text, at).map_err(Why::File)?;
        }
        if selection.shuffled {
            stream(selection.seed, Purpose::OrderOfOpenings, 0).shuffle(&mut offsets);
        }
        offsets.rotate_left(selection.start);
        Ok(Self {
            seed: selection.seed,
            source,
            text,
            offsets,
        })
    }

    /// Returns the source as the journal of a match with it says it: the checksums of older
    /// programs are not known here.
    pub fn source_as_in(&self, journal: &OpeningSource) -> OpeningSource {
        use OpeningSource::File;
        let mut source = self.source.clone();
        if let (File { checksum, .. }, File { checksum: old, .. }) = (&mut source, journal)
            && checksum.starts_with(TEXT_PREFIX)
            && !old.starts_with(TEXT_PREFIX)
        {
            checksum.clone_from(old);
        }
        source
    }

    /// Returns the source, for the settings of a match.
    pub const fn source(&self) -> &OpeningSource {
        &self.source
    }

    /// Returns the number of lines with an opening, equal ones too; `None` if they are made at
    /// random.
    pub fn count(&self) -> Option<usize> {
        Some(self.offsets.len()).filter(|&count| count > 0)
    }

    /// Returns opening number `number`; a list begins again at its end.
    ///
    /// # Errors
    /// If its line in the file is wrong, or none of a hundred random games still goes on
    /// after the given number of plies.
    pub fn get<G: Game>(&self, number: u64) -> Result<Opening, String> {
        let OpeningSource::Random { plies, scattered } = self.source else {
            let index = number % self.offsets.len() as u64;
            return line_at::<G>(&self.text, self.offsets[index as usize]);
        };
        let layout = Layout::of(scattered);
        let mut rng = stream(self.seed, Purpose::RandomOpening, number);
        let (start, played, _) = random_opening::<G>(layout, plies, &mut rng)?;
        Ok(Opening {
            fen: start.to_string(),
            moves: played.iter().map(ToString::to_string).collect(),
        })
    }
}

/// Returns where the lines with openings begin.
fn line_offsets(text: &str) -> Result<Vec<u32>, String> {
    let mut offsets = Vec::new();
    let count = text.bytes().filter(|&byte| byte == b'\n').count() + 1;
    let why = |_| format!("there is no memory for its {count} lines");
    offsets.try_reserve_exact(count).map_err(why)?;
    let mut at = text.len() - text.trim_start_matches('\u{feff}').len();
    for line in text[at..].split_inclusive('\n') {
        let opening = line.split('#').next().unwrap_or_default();
        if !opening.trim().is_empty() {
            offsets.push(u32::try_from(at).map_err(|_| "it is too large".to_owned())?);
        }
        at += line.len();
    }
    Ok(offsets)
}

fn line_at<G: Game>(text: &str, at: u32) -> Result<Opening, String> {
    let (before, rest) = text.split_at(at as usize);
    let line = rest.lines().next().unwrap_or_default();
    let opening = match reader::read_line(line, GameKind::named(G::NAME)) {
        None => Err("no opening".to_owned()),
        Some(Err(why)) => Err(why.fault.to_string()),
        Some(Ok(game)) => opening_of::<G>(game, None, ""),
    };
    opening.map_err(|why| {
        let number = 1 + before.bytes().filter(|&byte| byte == b'\n').count();
        format!("line {number}: {why}")
    })
}

/// Returns the opening of a game. If a game without book moves is over there, `unmarked` is
/// appended to the error.
fn opening_of<G: Game>(
    game: PgnGame,
    plies: Option<u32>,
    unmarked: &str,
) -> Result<Opening, String> {
    if Some(game.kind) != GameKind::named(G::NAME) {
        return Err(format!("it is not a game of {}", G::TITLE));
    }
    let book = game.moves.iter().filter(|made| made.is_book).count();
    let count = match (plies, book) {
        (Some(plies), _) => plies as usize,
        (None, 0) => game.moves.len(),
        (None, book) => book,
    };
    let (positions, mut moves) = game.replay::<G>().map_err(|why| why.to_string())?;
    moves.truncate(count);
    if !positions[moves.len()].has_moves() {
        let is_unmarked = plies.is_none() && book == 0;
        let hint = if is_unmarked { unmarked } else { "" };
        return Err(format!("the game is over there{hint}"));
    }
    Ok(Opening {
        fen: game.start,
        moves: moves.iter().map(ToString::to_string).collect(),
    })
}

/// Returns the beginnings of games as lines. Equal ones count once, because the two games
/// of a pair have the same opening.
fn lines_of<G: Game>(text: &str, plies: Option<u32>) -> Result<String, String> {
    let (mut lines, mut seen) = (String::new(), HashSet::new());
    for game in reader::read(text, GameKind::named(G::NAME)) {
        let game = game.map_err(|why| why.to_string())?;
        let line = game.line;
        let unmarked = "; no move is marked as book: add plies=N after the file";
        let opening = opening_of::<G>(game, plies, unmarked);
        let Opening { fen, moves } = opening.map_err(|why| format!("line {line}: {why}"))?;
        let opening = format!("{fen} {}\n", moves.join(" "));
        if seen.insert(opening.clone()) {
            lines += &opening;
        }
    }
    Ok(lines)
}

/// FNV-1a over a text, which is enough to notice a different file.
fn checksum(text: &str) -> String {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in text.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use totemic_engine::game::{Hokito, Yoxii};

    #[test]
    fn random_openings_depend_on_seed_and_number_alone() {
        let openings = Openings::random(7, 4, false);
        let get = |seed, number| Openings::random(seed, 4, false).get::<Yoxii>(number);
        let first = get(7, 0).expect("four plies are always there");
        assert_eq!(get(7, 0), Ok(first.clone()));
        assert_eq!(first.moves.len(), 4);
        assert_ne!(get(7, 1), Ok(first.clone()));
        assert_ne!(get(8, 0), Ok(first));
        let setup = |number| openings.get::<Hokito>(number).expect("a setup").fen;
        let setups: HashSet<String> = (0..200).map(setup).collect();
        assert_eq!(setups.len(), 200);
    }

    #[test]
    fn lines_of_every_form_are_read() {
        let text = "# comment\n\nstartpos # and another\nfen 3/5/7/3*3/7/5/3 w moves c5b6y\n\
                    c5b6y\n3/5/7/3*3/7/5/3 w c5b6y\nstartpos moves c5b6y\n";
        let openings = Openings::of_text::<Yoxii>(text, Selection::default()).expect("all good");
        assert_eq!(openings.count(), Some(5));
        let second = openings.get::<Yoxii>(1).expect("listed");
        for number in [2, 3, 4, 6] {
            assert_eq!(openings.get::<Yoxii>(number).as_ref(), Ok(&second));
        }
    }

    #[test]
    fn a_bad_line_is_named() {
        for (text, expected) in [
            ("startpos\n\nc5b6z", "line 3"),
            ("c5b6y c5b6y", "illegal"),
            ("3/5 w", "7 ranks"),
            ("# nothing", "no opening"),
            ("fen", "after 'fen'"),
            ("hello", "'hello'"),
        ] {
            let why = Openings::of_text::<Yoxii>(text, Selection::default()).expect_err(text);
            assert!(why.to_string().contains(expected), "{text}: {why}");
        }
    }
}
