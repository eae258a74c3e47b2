//! A task, and what became of it.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};

use super::super::claim::Claim;
use super::super::format::{number, read_choices, write_choice};
use super::super::verify::{Rejection, Step, Verified, walk};
use super::super::write::{CertificateLimits, Failed, certify_counted};
use super::{PartError, hex, identity, refused};
use crate::search::solver::node::Solvable;

/// A task is given up after so many times the nodes that it should take.
const PATIENCE: u64 = 32;
/// Memory of a task's table in MiB.
const TASK_HASH_MB: usize = 32;

/// A position whose proof is a piece of work of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    /// The position's text.
    pub position: String,
    /// What is claimed of it.
    pub claim: Claim,
    /// About so many nodes for a typical task; single ones may take thirty times as
    /// many, more is given up as too large.
    pub nodes: u64,
}

impl Task {
    /// Its identity.
    #[must_use]
    pub fn id(&self) -> String {
        identity(&self.position, self.claim)
    }

    /// Proves it; the stream, if it is true and not too large.
    ///
    /// # Errors
    /// [`Failed::Stopped`] when `limits` stopped it.
    pub fn prove<G: Solvable>(
        &self,
        position: &G,
        limits: &CertificateLimits,
    ) -> Result<(PartResult, Option<Vec<u8>>), Failed> {
        let limits = CertificateLimits {
            hash_mb: TASK_HASH_MB,
            nodes: Some(self.nodes.saturating_mul(PATIENCE)),
            ..limits.clone()
        };
        let (made, nodes) = certify_counted(position, self.claim, &limits, |_| ());
        let (outcome, stream) = match made {
            Ok(certificate) => {
                let mut stream = Vec::new();
                for &choice in certificate.choices() {
                    write_choice(choice, &mut stream);
                }
                let outcome = PartOutcome::Proved {
                    length: stream.len(),
                    checksum: hex(&Sha256::digest(&stream)),
                };
                (outcome, Some(stream))
            }
            Err(Failed::False) => (PartOutcome::Refuted, None),
            Err(Failed::TooManyNodes | Failed::TooLong) => (PartOutcome::Large, None),
            Err(Failed::Stopped) => return Err(Failed::Stopped),
        };
        let id = self.id();
        Ok((PartResult { id, outcome, nodes }, stream))
    }

    /// Checks by the rules of this identity that a stream proves it.
    ///
    /// # Errors
    /// The first reason found why it proves nothing.
    pub fn verify(&self, rules: &str, stream: &[u8]) -> Result<Verified, Rejection> {
        let choices = read_choices(stream)?;
        let steps = choices.into_iter().map(Step::Choice);
        walk(rules, (&self.position, self.claim), steps)
    }
}

impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            position,
            claim,
            nodes,
        } = self;
        write!(f, "task\t{}\t{nodes}\t{claim}\t{position}", self.id())
    }
}

impl FromStr for Task {
    type Err = PartError;

    fn from_str(line: &str) -> Result<Self, PartError> {
        let refused = || {
            refused(
                "a task: task ID NODES CLAIM POSITION, tabs between them",
                line,
            )
        };
        let fields: Vec<&str> = line.split('\t').collect();
        let ["task", id, nodes, claim, position] = fields[..] else {
            return Err(refused());
        };
        if position.contains(char::is_control) {
            return Err(refused());
        }
        let task = Self {
            position: position.to_owned(),
            claim: claim.parse().map_err(|_| refused())?,
            nodes: number(nodes).ok_or_else(refused)?,
        };
        (task.id() == id).then_some(task).ok_or_else(refused)
    }
}

/// What became of a task.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PartOutcome {
    /// It is proved.
    Proved {
        /// Bytes of its stream.
        length: usize,
        /// The SHA-256 of its stream.
        checksum: String,
    },
    /// Its claim is false.
    Refuted,
    /// It took more nodes than it may, or its stream is too long.
    Large,
}

impl PartOutcome {
    /// Whether the task is proved, and this is the stream that it was proved by.
    #[must_use]
    pub fn is_proved_by(&self, stream: &[u8]) -> bool {
        match self {
            Self::Proved { checksum, .. } => hex(&Sha256::digest(stream)) == *checksum,
            Self::Refuted | Self::Large => false,
        }
    }
}

/// A result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PartResult {
    /// The task's identity.
    pub id: String,
    /// What became of it.
    pub outcome: PartOutcome,
    /// Nodes of the solver.
    pub nodes: u64,
}

impl fmt::Display for PartResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { id, outcome, nodes } = self;
        match outcome {
            PartOutcome::Proved { length, checksum } => {
                write!(f, "{id} proved {nodes} {length} {checksum}")
            }
            PartOutcome::Refuted => write!(f, "{id} refuted {nodes}"),
            PartOutcome::Large => write!(f, "{id} large {nodes}"),
        }
    }
}

impl FromStr for PartResult {
    type Err = PartError;

    fn from_str(line: &str) -> Result<Self, PartError> {
        let refused = || {
            refused(
                "a result: ID proved NODES LENGTH SHA-256, ID refuted NODES or ID large NODES",
                line,
            )
        };
        let words: Vec<&str> = line.split(' ').collect();
        let (id, nodes, outcome) = match words[..] {
            [id, "proved", nodes, length, checksum] if checksum.len() == 64 => {
                let length = length.parse().map_err(|_| refused())?;
                let checksum = checksum.to_owned();
                (id, nodes, PartOutcome::Proved { length, checksum })
            }
            [id, "refuted", nodes] => (id, nodes, PartOutcome::Refuted),
            [id, "large", nodes] => (id, nodes, PartOutcome::Large),
            _ => return Err(refused()),
        };
        Ok(Self {
            id: id.to_owned(),
            outcome,
            nodes: nodes.parse().map_err(|_| refused())?,
        })
    }
}

/// Results by the identity of their tasks.
pub type Results = HashMap<String, PartOutcome>;
