//! The file of a certificate.

use std::fmt::Display;
use std::str::FromStr;

use sha2::{Digest, Sha256};

use super::claim::{Claim, ClaimError};
use crate::game::{Game, GameKind};

/// The first line.
const FIRST_LINE: &str = "totemic certificate 1";
/// What follows a game's name in the identity of its rules.
pub const RULES_VERSION: &str = "-1";
/// MiB of a certificate that are made or read where nobody asks for more. Both
/// keep each position with a choice: up to 400 bytes of memory for one of the file.
pub const DEFAULT_MAX_MB: u64 = 32;
/// Bytes of the checksum.
const CHECKSUM: usize = 32;
/// Bytes of the longest line of text, without the line feed.
const LONGEST_LINE: usize = 2048;

/// The identity of a game's rules.
#[must_use]
pub fn rules_of(game: &str) -> String {
    format!("{game}{RULES_VERSION}")
}

/// The game whose rules have this identity; none where the program does not know
/// them, or only in another version.
#[must_use]
pub fn game_of(rules: &str) -> Option<GameKind> {
    let kind = GameKind::named(rules.strip_suffix(RULES_VERSION)?)?;
    (rules_of(kind.name()) == rules).then_some(kind)
}

/// A certificate: what it says it proves, and its choices.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    rules: String,
    position: String,
    claim: Claim,
    prover: String,
    choices: Vec<u16>,
}

/// Why a file is no certificate.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FormatError {
    /// It begins otherwise.
    #[error("no certificate: expected the first line '{FIRST_LINE}'")]
    Kind,
    /// It was altered or cut.
    #[error("the checksum at its end is wrong: the file was altered or cut")]
    Checksum,
    /// A line of the header is not what it should be.
    #[error("header: expected {expected}, found '{}'", shown(.found))]
    Header {
        /// What should be there.
        expected: &'static str,
        /// The line.
        found: String,
    },
    /// The claim is none.
    #[error(transparent)]
    Claim(#[from] ClaimError),
    /// A choice is not written as it should be.
    #[error("choice {0} is not in the shortest form of one or two bytes")]
    Choice(usize),
    /// There are more or fewer than the header says.
    #[error("the header says {said} choices, and there are {found}")]
    Count {
        /// What the header says.
        said: usize,
        /// What the file has.
        found: usize,
    },
}

impl Certificate {
    pub(super) fn new<G: Game>(position: &G, claim: Claim, choices: Vec<u16>) -> Self {
        Self {
            rules: rules_of(G::NAME),
            position: position.to_string(),
            claim,
            prover: concat!("totemic ", env!("CARGO_PKG_VERSION")).to_owned(),
            choices,
        }
    }

    /// The identity of the rules ([`rules_of`]).
    #[must_use]
    pub fn rules(&self) -> &str {
        &self.rules
    }

    /// The position's text.
    #[must_use]
    pub fn position(&self) -> &str {
        &self.position
    }

    /// What is claimed of the position.
    #[must_use]
    pub fn claim(&self) -> Claim {
        self.claim
    }

    /// The moves of the side of the claim, as indices.
    #[must_use]
    pub fn choices(&self) -> &[u16] {
        &self.choices
    }

    /// The bytes of the file.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let Self {
            rules,
            position,
            claim,
            prover,
            choices,
        } = self;
        let count = choices.len();
        let header = format!(
            "{FIRST_LINE}\nrules {rules}\nposition {position}\nclaim {claim}\n\
             prover {prover}\nchoices {count}\n\n"
        );
        let mut bytes = header.into_bytes();
        for &choice in choices {
            write_choice(choice, &mut bytes);
        }
        sealed(bytes)
    }

    /// Reads a file. That it is a certificate says nothing yet of its proof.
    ///
    /// # Errors
    /// [`FormatError`].
    pub fn read(bytes: &[u8]) -> Result<Self, FormatError> {
        if !bytes.starts_with(FIRST_LINE.as_bytes()) {
            return Err(FormatError::Kind);
        }
        let body = bytes.len().checked_sub(CHECKSUM);
        let (body, checksum) = bytes.split_at(body.ok_or(FormatError::Checksum)?);
        if Sha256::digest(body).as_slice() != checksum {
            return Err(FormatError::Checksum);
        }
        let mut lines = Lines(body);
        if lines.next().as_deref() != Ok(FIRST_LINE) {
            return Err(FormatError::Kind);
        }
        let rules = lines.value("rules")?;
        let position = lines.value("position")?;
        let claim = lines.value("claim")?.parse()?;
        let prover = lines.value("prover")?;
        let count = lines.value("choices")?;
        let said: usize = number(&count).ok_or(FormatError::Header {
            expected: "a number of choices",
            found: count,
        })?;
        lines.empty()?;
        let choices = read_choices(lines.0)?;
        if choices.len() != said {
            let found = choices.len();
            return Err(FormatError::Count { said, found });
        }
        Ok(Self {
            rules,
            position,
            claim,
            prover,
            choices,
        })
    }
}

/// Lines of text, one by one, each of which a line feed ends.
pub(super) struct Lines<'a>(pub(super) &'a [u8]);

impl Lines<'_> {
    /// The next one; where there is none, or a longer one than there may be, what
    /// there is of it is the error.
    pub(super) fn next(&mut self) -> Result<String, String> {
        let within = &self.0[..self.0.len().min(LONGEST_LINE + 1)];
        let end = within.iter().position(|&byte| byte == b'\n');
        let line = &within[..end.unwrap_or(within.len())];
        let line = String::from_utf8_lossy(line).into_owned();
        match end {
            Some(end) => {
                self.0 = &self.0[end + 1..];
                Ok(line)
            }
            None => Err(line),
        }
    }

    /// What follows this word and a blank in the next line.
    pub(super) fn value(&mut self, word: &'static str) -> Result<String, FormatError> {
        let line = self.next();
        let value = line.as_ref().ok().and_then(|line| {
            let rest = line.strip_prefix(word)?;
            rest.strip_prefix(' ')
        });
        match value {
            Some(value) => Ok(value.to_owned()),
            None => Err(FormatError::Header {
                expected: word,
                found: line.unwrap_or_else(|cut| cut),
            }),
        }
    }

    /// The end of a header.
    pub(super) fn empty(&mut self) -> Result<(), FormatError> {
        let found = match self.next() {
            Ok(line) if line.is_empty() => return Ok(()),
            Ok(found) | Err(found) => found,
        };
        Err(FormatError::Header {
            expected: "an empty line",
            found,
        })
    }
}

/// Characters of a refused text that are shown.
const SHOWN: usize = 200;

/// A refused text for a message: short, and in printable ASCII, so that no file
/// can tell a terminal what to do.
pub(super) fn shown(text: &str) -> String {
    let escaped = |char: char| match char {
        ' '..='~' => char.to_string(),
        _ => char.escape_default().to_string(),
    };
    text.chars().take(SHOWN).map(escaped).collect()
}

/// A number in its shortest form.
pub(super) fn number<T: FromStr + Display>(text: &str) -> Option<T> {
    let number: T = text.parse().ok()?;
    (number.to_string() == text).then_some(number)
}

/// The bytes with their checksum.
pub(super) fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let checksum = Sha256::digest(&bytes);
    bytes.extend_from_slice(&checksum);
    bytes
}

/// Bytes that a choice takes.
pub(super) fn length_of(choice: u16) -> u64 {
    1 + u64::from(choice >= 1 << 7)
}

pub(super) fn write_choice(choice: u16, bytes: &mut Vec<u8>) {
    let low = (choice & 0x7f) as u8;
    if length_of(choice) == 1 {
        bytes.push(low);
    } else {
        bytes.extend([low | 0x80, (choice >> 7) as u8]);
    }
}

pub(super) fn read_choices(mut bytes: &[u8]) -> Result<Vec<u16>, FormatError> {
    let mut choices = Vec::new();
    while let Some((&low, rest)) = bytes.split_first() {
        bytes = rest;
        let mut choice = u16::from(low & 0x7f);
        if low & 0x80 != 0 {
            let refused = || FormatError::Choice(choices.len() + 1);
            let (&high, rest) = bytes.split_first().ok_or_else(refused)?;
            if !(1..0x80).contains(&high) {
                return Err(refused());
            }
            bytes = rest;
            choice |= u16::from(high) << 7;
        }
        choices.push(choice);
    }
    Ok(choices)
}
