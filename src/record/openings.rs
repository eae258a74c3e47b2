//! Openings: each is a pure function of the settings, the seed and its number.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use super::game::Opening;
use super::reader;
use crate::game::{Game, GameKind, Layout, Rng, random_game};

/// Where the openings come from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OpeningSource {
    /// A random start as the rules make it, then random plies.
    #[allow(missing_docs)]
    Random {
        plies: u32,
        /// In Hokito: whether all pawns are spread over the whole board.
        scattered: bool,
    },
    #[allow(missing_docs)]
    File {
        count: usize,
        /// Checksum of the texts of the openings.
        checksum: String,
        /// Whether the seed decides the order.
        shuffled: bool,
        /// The opening that is played first, from 0.
        #[serde(default, skip_serializing_if = "is_zero")]
        start: usize,
    },
}

/// All openings of a match; each has a number.
#[derive(Clone, Debug)]
pub struct Openings {
    seed: u64,
    source: OpeningSource,
    /// The openings of a file in the order of play; empty for random ones.
    list: Vec<Opening>,
}

const fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// The order in which the openings of a file are played, and how many plies of a game
/// belong to one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Order {
    /// Seed of a random order.
    pub seed: u64,
    /// Whether the order is random.
    pub shuffled: bool,
    /// Number of the opening that is played first, from 1; those before it come last.
    pub first: u64,
    /// How many plies of a game in PGN or a journal belong to the opening; `None` for
    /// those that are marked as book, or all if none is.
    pub plies: Option<u32>,
}

impl Order {
    /// Keeps the order of the file.
    #[must_use]
    pub const fn of_file() -> Self {
        Self {
            seed: 0,
            shuffled: false,
            first: 1,
            plies: None,
        }
    }
}

/// Why a file gives no openings.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum OpeningsError {
    /// Something in the file is wrong; the message names the line.
    #[error("{0}")]
    File(String),
    /// The file does not have what was asked for.
    #[error("{0}")]
    Order(String),
}

/// Returns a stream of random numbers for this purpose and number, so that any opening
/// can be made without those before it.
pub(crate) fn stream(seed: u64, purpose: u64, number: u64) -> Rng {
    let mixed = Rng::new(seed ^ purpose.rotate_left(32)).next_u64();
    Rng::new(mixed ^ Rng::new(number).next_u64())
}

/// The purposes of [`stream`].
const OPENING: u64 = 1;
const ORDER: u64 = 2;

impl Openings {
    /// Makes random openings.
    #[must_use]
    pub fn random(seed: u64, plies: u32, scattered: bool) -> Self {
        Self {
            seed,
            source: OpeningSource::Random { plies, scattered },
            list: Vec::new(),
        }
    }

    /// Returns the openings if the settings alone describe them, which is so for random
    /// ones.
    pub(crate) fn of_source(seed: u64, source: &OpeningSource) -> Option<Self> {
        let OpeningSource::Random { plies, scattered } = *source else {
            return None;
        };
        Some(Self::random(seed, plies, scattered))
    }

    /// Reads a file of openings. It may contain games in PGN or a journal, see
    /// [`reader`]. Otherwise each line is an opening: a position's text or `startpos`,
    /// then moves, with or without the word `moves` before them; or moves alone, from the
    /// start position. A leading `fen`, empty lines and everything after a `#` are
    /// ignored.
    ///
    /// # Errors
    /// Names the line and what is wrong with it.
    pub fn of_file<G: Game>(text: &str, order: Order) -> Result<Self, OpeningsError> {
        use OpeningsError as Why;
        let Order { seed, shuffled, .. } = order;
        let text = text.trim_start_matches('\u{feff}');
        let are_games = text.trim_start().starts_with(['[', '{']);
        if order.plies.is_some() && !are_games {
            let why = "plies= is for games, in PGN or a journal";
            return Err(Why::Order(why.to_owned()));
        }
        let mut list = openings_of::<G>(text, are_games, order.plies).map_err(Why::File)?;
        if list.is_empty() {
            return Err(Why::File("no opening in it".to_owned()));
        }
        let (first, count) = (order.first, list.len());
        if !(1..=count as u64).contains(&first) {
            let why = format!("start={first}: it has {count} openings");
            return Err(Why::Order(why));
        }
        let start = first as usize - 1;
        let source = OpeningSource::File {
            count,
            checksum: checksum(&list),
            shuffled,
            start,
        };
        if shuffled {
            stream(seed, ORDER, 0).shuffle(&mut list);
        }
        list.rotate_left(start);
        Ok(Self { seed, source, list })
    }

    /// Returns the source, for the settings of a match.
    pub const fn source(&self) -> &OpeningSource {
        &self.source
    }

    /// Returns the number of different openings; `None` if they are made at random.
    pub const fn count(&self) -> Option<usize> {
        if self.list.is_empty() {
            None
        } else {
            Some(self.list.len())
        }
    }

    /// Returns opening number `number`; a list begins again at its end.
    ///
    /// # Errors
    /// If none of a hundred random games still goes on after the given number of plies.
    pub fn get<G: Game>(&self, number: u64) -> Result<Opening, String> {
        let OpeningSource::Random { plies, scattered } = self.source else {
            let index = number % self.list.len() as u64;
            return Ok(self.list[index as usize].clone());
        };
        let layout = [Layout::Halves, Layout::Scattered][usize::from(scattered)];
        let mut rng = stream(self.seed, OPENING, number);
        (0..100)
            .find_map(|_| {
                let start = G::random_start(layout, &mut rng);
                let (played, last) = random_game(start, plies, &mut rng);
                let goes_on = played.len() == plies as usize && last.has_moves();
                goes_on.then(|| Opening {
                    fen: start.to_string(),
                    moves: played.iter().map(ToString::to_string).collect(),
                })
            })
            .ok_or_else(|| {
                format!(
                    "no random game of {} was still going on after {plies} plies in a hundred tries",
                    G::NAME
                )
            })
    }
}

/// Reads the openings in a text: lines, or the beginnings of games. Equal beginnings of
/// games count once, because the two games of a pair have the same opening.
fn openings_of<G: Game>(
    text: &str,
    are_games: bool,
    plies: Option<u32>,
) -> Result<Vec<Opening>, String> {
    let kind = GameKind::named(G::NAME);
    let mut list: Vec<Opening> = Vec::new();
    let mut known = HashSet::new();
    for game in reader::read(text, kind) {
        let game = game.map_err(|why| why.to_string())?;
        let line = game.line;
        if Some(game.kind) != kind {
            return Err(format!("line {line}: it is not a game of {}", G::TITLE));
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
            let hint = match (are_games, plies, book) {
                (true, None, 0) => "; no move is marked as book: add plies=N after the file",
                _ => "",
            };
            return Err(format!("line {line}: the game is over there{hint}"));
        }
        let opening = Opening {
            fen: game.start,
            moves: moves.iter().map(ToString::to_string).collect(),
        };
        if !are_games || known.insert(opening.clone()) {
            list.push(opening);
        }
    }
    Ok(list)
}

/// FNV-1a over the texts of the openings, which is enough to notice a different file.
fn checksum(list: &[Opening]) -> String {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for opening in list {
        let text = format!("{} {}\n", opening.fen, opening.moves.join(" "));
        for byte in text.bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Hokito, Yoxii};

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
        let openings = Openings::of_file::<Yoxii>(text, Order::of_file()).expect("all good");
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
            let why = Openings::of_file::<Yoxii>(text, Order::of_file()).expect_err(text);
            assert!(why.to_string().contains(expected), "{text}: {why}");
        }
    }
}
