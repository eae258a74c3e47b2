//! The top of a proof: its file, and whether its claim follows from its tasks.

use std::fmt;
use std::str::FromStr;

use super::super::claim::Claim;
use super::super::format::{FormatError, Lines, number};
use super::super::verify::{Rejection, Step, Verified, walk};
use super::task::Task;
use super::{PartError, refused};

/// The first line of a top.
pub const FIRST_LINE: &str = "totemic top 1";

/// What the top says of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Entry {
    Move(u16),
    /// Boxed, so that the moves of a long list take little memory.
    Task(Box<Task>),
}

/// The top of a proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Top {
    pub(super) position: String,
    pub(super) claim: Claim,
    pub(super) rules: String,
    pub(super) entries: Vec<Entry>,
}

impl Top {
    /// The identity of the rules ([`rules_of`](super::super::rules_of)).
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

    /// Checks by the rules that its claim follows from its tasks.
    ///
    /// # Errors
    /// The first reason found why it does not.
    pub fn verify(&self) -> Result<Verified, Rejection> {
        let steps = self.entries.iter().map(|entry| match entry {
            Entry::Move(index) => Step::Choice(*index),
            Entry::Task(task) => Step::Task(task.claim, &task.position),
        });
        walk(&self.rules, (&self.position, self.claim), steps)
    }

    /// Its tasks, in order.
    pub fn tasks(&self) -> impl Iterator<Item = &Task> {
        self.entries.iter().filter_map(|entry| match entry {
            Entry::Task(task) => Some(&**task),
            Entry::Move(_) => None,
        })
    }
}

impl fmt::Display for Top {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (position, claim, rules) = (&self.position, self.claim, &self.rules);
        writeln!(f, "{FIRST_LINE}\nrules {rules}")?;
        writeln!(f, "position {position}\nclaim {claim}\n")?;
        self.entries.iter().try_for_each(|entry| match entry {
            Entry::Move(index) => writeln!(f, "{index}"),
            Entry::Task(task) => writeln!(f, "{task}"),
        })
    }
}

/// A file that is no top.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TopError {
    /// It begins otherwise.
    #[error("no top of a proof: expected the first line '{FIRST_LINE}'")]
    Kind,
    /// A line of the header is not what it should be.
    #[error(transparent)]
    Header(#[from] FormatError),
    /// A line behind it is neither a move nor a task.
    #[error("entry {number}: {why}")]
    Entry {
        /// Which of them, from 1.
        number: usize,
        /// Why.
        why: PartError,
    },
}

impl Top {
    /// Reads a file. That it is a top says nothing yet of its proof.
    ///
    /// # Errors
    /// [`TopError`].
    pub fn read(bytes: &[u8]) -> Result<Self, TopError> {
        let mut lines = Lines(bytes);
        if lines.next().as_deref() != Ok(FIRST_LINE) {
            return Err(TopError::Kind);
        }
        let rules = lines.value("rules")?;
        let position = lines.value("position")?;
        let claim = lines.value("claim")?;
        let claim = claim.parse().map_err(FormatError::from)?;
        lines.empty()?;
        let mut entries = Vec::new();
        while !lines.0.is_empty() {
            let number = entries.len() + 1;
            let line = lines.next().map_err(|cut| refused("a whole line", &cut));
            let entry = line.and_then(|line| line.parse());
            entries.push(entry.map_err(|why| TopError::Entry { number, why })?);
        }
        Ok(Self {
            position,
            claim,
            rules,
            entries,
        })
    }
}

impl FromStr for Entry {
    type Err = PartError;

    fn from_str(line: &str) -> Result<Self, PartError> {
        match number(line) {
            Some(index) => Ok(Self::Move(index)),
            None => line.parse().map(|task| Self::Task(Box::new(task))),
        }
    }
}
