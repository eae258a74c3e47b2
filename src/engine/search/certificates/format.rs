//! The file of a certificate.

use std::fmt::{self, Display};
use std::ops::Range;

use hmac_sha256::Hash;

use super::claim::{Claim, Unexpected, number};
use crate::game::{Game, GameKind};
use crate::text::{number_of, quoted};

/// The first line of a certificate without parts.
pub const FIRST_LINE: &str = "totemic certificate 1";
/// The first line of a certificate with parts.
pub const FIRST_LINE_OF_PARTS: &str = "totemic certificate 2";
/// What follows a game's name in the identity of its rules.
const RULES_VERSION: &str = "-1";
/// The largest certificate, in MiB, that is made or read unless more is asked for. Making
/// and reading keep each position with a choice, those of a part until its end: up to 400
/// bytes of memory for each byte of the file, or of its longest part.
pub const DEFAULT_MAX_MB: u64 = 32;
const CHECKSUM: usize = 32;
/// The mark among the choices, which is the index of no move: in a certificate it begins a
/// part, in a top it stands for a task. The greatest number that two bytes hold.
pub(super) const MARK: u16 = (1 << 14) - 1;
/// Bytes of the longest line of text, without the line feed.
const MAX_LINE: usize = 2048;

/// The identity of the rules of a game, for example `yoxii-1`.
pub fn rules_of(game: &str) -> String {
    format!("{game}{RULES_VERSION}")
}

/// The identities of the rules of all games, for messages.
pub(super) fn all_rules() -> String {
    GameKind::ALL
        .map(|kind| format!("'{}'", rules_of(kind.name())))
        .join(" or ")
}

/// The game whose rules have this identity; `None` if the program does not know them, or
/// only in another version.
pub(super) fn game_of(rules: &str) -> Option<GameKind> {
    let kind = GameKind::named(rules.strip_suffix(RULES_VERSION)?)?;
    (rules_of(kind.name()) == rules).then_some(kind)
}

/// What a certificate, or the top of a proof, says it proves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    /// The identity of the rules, as from [`rules_of`].
    pub rules: String,
    /// The text of the position.
    pub position: String,
    /// What is claimed of it.
    pub claim: Claim,
}

impl Statement {
    pub(super) fn new<G: Game>(position: &G, claim: Claim) -> Self {
        Self {
            rules: rules_of(G::NAME),
            position: position.to_string(),
            claim,
        }
    }

    pub(super) fn read(lines: &mut Lines<'_>) -> Result<Self, FormatError> {
        Ok(Self {
            rules: lines.value("rules")?,
            position: lines.value("position")?,
            claim: (lines.value("claim")?.parse()).map_err(|why| lines.wrong(why))?,
        })
    }
}

impl Display for Statement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "rules {}\nposition {}", self.rules, self.position)?;
        writeln!(f, "claim {}", self.claim)
    }
}

/// A certificate: what it says it proves, and its choices.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    /// What it says it proves.
    pub header: Statement,
    /// Whether marks of parts have a meaning in it.
    pub(super) has_parts: bool,
    /// The bytes of the file, kept only once, as it can be long.
    pub bytes: Vec<u8>,
    choices: Range<usize>,
    /// The number of its choices, the marks of its parts among them.
    pub count: usize,
}

/// Why a file is no certificate.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum FormatError {
    #[error("not a certificate: expected the first line '{FIRST_LINE}' or '{FIRST_LINE_OF_PARTS}', \
             found {}", quoted(.found))]
    Kind { found: String },
    #[error("the checksum at its end is wrong: the file was altered or cut")]
    Checksum,
    #[error("line {line}: {why}")]
    Line { line: usize, why: Unexpected },
    #[error("choice {0} is not in the shortest form of one or two bytes")]
    Choice(usize),
    #[error("the header says {}, but there are {found}", number_of(said, "choice"))]
    Count { said: usize, found: usize },
}

impl Certificate {
    pub(super) fn new(header: Statement, stream: Vec<u8>) -> Self {
        let count = Choices(&stream).count();
        let has_parts = Choices(&stream).any(|choice| choice == MARK);
        let first = match has_parts {
            true => FIRST_LINE_OF_PARTS,
            false => FIRST_LINE,
        };
        let version = env!("CARGO_PKG_VERSION");
        let text = format!("{first}\n{header}prover totemic {version}\nchoices {count}\n\n");
        let from = text.len();
        let mut bytes = stream;
        bytes.reserve_exact(from + CHECKSUM);
        bytes.splice(0..0, text.into_bytes());
        let choices = from..bytes.len();
        let checksum = Hash::hash(&bytes);
        bytes.extend_from_slice(&checksum);
        Self {
            header,
            has_parts,
            bytes,
            choices,
            count,
        }
    }

    pub(super) fn stream(&self) -> &[u8] {
        &self.bytes[self.choices.clone()]
    }

    /// Reads a file. That it is a certificate does not yet mean that its proof holds.
    pub fn read(bytes: Vec<u8>) -> Result<Self, FormatError> {
        let has_parts = match Lines::of(&bytes).next() {
            Ok(line) if line == FIRST_LINE => false,
            Ok(line) if line == FIRST_LINE_OF_PARTS => true,
            Ok(found) | Err(found) => return Err(FormatError::Kind { found }),
        };
        let end = bytes.len().checked_sub(CHECKSUM);
        let end = end.ok_or(FormatError::Checksum)?;
        let (body, checksum) = bytes.split_at(end);
        if Hash::hash(body) != checksum {
            return Err(FormatError::Checksum);
        }
        let mut lines = Lines::of(body);
        drop(lines.next());
        let header = Statement::read(&mut lines)?;
        lines.value("prover")?;
        let said = lines.value("choices")?;
        let said = number(&said).ok_or_else(|| lines.refused("a number of choices", said))?;
        lines.empty()?;
        let choices = end - lines.rest.len()..end;
        let found = count_choices(lines.rest)?;
        if found != said {
            return Err(FormatError::Count { said, found });
        }
        Ok(Self {
            header,
            has_parts,
            bytes,
            choices,
            count: found,
        })
    }
}

pub(in crate::search) struct Lines<'a> {
    pub rest: &'a [u8],
    /// How many lines were asked for: the number of the last one, from 1.
    pub number: usize,
}

impl<'a> Lines<'a> {
    pub(super) fn of(bytes: &'a [u8]) -> Self {
        let (rest, number) = (bytes, 0);
        Self { rest, number }
    }

    /// The next line. If there is none, or it is longer than allowed, the error is its
    /// beginning.
    pub(super) fn next(&mut self) -> Result<String, String> {
        self.number += 1;
        let within = &self.rest[..self.rest.len().min(MAX_LINE + 1)];
        let end = within.iter().position(|&byte| byte == b'\n');
        let line = &within[..end.unwrap_or(within.len())];
        let line = String::from_utf8_lossy(line).into_owned();
        match end {
            Some(end) => {
                self.rest = &self.rest[end + 1..];
                Ok(line)
            }
            None => Err(line),
        }
    }

    /// What follows this word and a blank in the next line.
    fn value(&mut self, word: &str) -> Result<String, FormatError> {
        let line = self.next();
        let begun = line.as_ref().ok().and_then(|line| line.strip_prefix(word));
        match begun.and_then(|rest| rest.strip_prefix(' ')) {
            Some(value) => Ok(value.to_owned()),
            None => Err(self.refused(format!("'{word} ...'"), line.unwrap_or_else(|cut| cut))),
        }
    }

    pub(super) fn empty(&mut self) -> Result<(), FormatError> {
        match self.next() {
            Ok(line) if line.is_empty() => Ok(()),
            Ok(found) | Err(found) => Err(self.refused("an empty line", found)),
        }
    }

    pub(super) fn refused(
        &self,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> FormatError {
        self.wrong(Unexpected::new(expected, found))
    }

    pub(super) fn wrong(&self, why: Unexpected) -> FormatError {
        let line = self.number;
        FormatError::Line { line, why }
    }
}

/// Whether a position's text has its blank before the side to move and no other, as
/// the protocol writes it.
pub(super) fn has_one_blank(position: &str) -> bool {
    let mut blanks = position.chars().filter(|c| c.is_whitespace());
    blanks.next() == Some(' ') && blanks.next().is_none()
}

/// Adds a choice, at most [`MARK`], to a stream.
pub(super) fn write_choice(choice: u16, bytes: &mut Vec<u8>) {
    let low = (choice & 0x7f) as u8;
    if choice < 0x80 {
        bytes.push(low);
    } else {
        bytes.extend([low | 0x80, (choice >> 7) as u8]);
    }
}

/// The choices of a stream, up to the first one that is malformed.
pub(super) struct Choices<'a>(pub(super) &'a [u8]);

impl Iterator for Choices<'_> {
    type Item = u16;

    fn next(&mut self) -> Option<u16> {
        let (choice, rest) = match *self.0 {
            [low @ ..0x80, ref rest @ ..] => (u16::from(low), rest),
            [low, high @ 1..0x80, ref rest @ ..] => {
                (u16::from(low & 0x7f) | u16::from(high) << 7, rest)
            }
            _ => return None,
        };
        self.0 = rest;
        Some(choice)
    }
}

pub(super) fn count_choices(stream: &[u8]) -> Result<usize, FormatError> {
    let mut choices = Choices(stream);
    let count = choices.by_ref().count();
    match choices.0 {
        [] => Ok(count),
        _ => Err(FormatError::Choice(count + 1)),
    }
}
