//! A task, and what became of it.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};

use super::super::claim::Claim;
use super::super::format::{Choices, Statement, count_choices, has_one_blank, number};
use super::super::verify::{Rejection, Step, Verified, walk};
use super::super::write::{CertificateLimits, Failed, certify};
use super::{PartError, identity, refused};
use crate::checksum::hex;
use crate::search::Stop;
use crate::search::solver::node::Solvable;

/// A task is given up after this many times the nodes that it should take.
const PATIENCE: u64 = 32;
const TASK_HASH_MB: usize = 32;

/// A position whose proof is a piece of work of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Task {
    pub(crate) position: String,
    pub(crate) claim: Claim,
    /// About how many nodes a typical task takes. Single ones may take thirty times as
    /// many; beyond that a task is given up as too large.
    pub(crate) nodes: u64,
}

impl Task {
    pub(crate) fn id(&self) -> String {
        identity(&self.position, self.claim)
    }

    /// Proves the task; `position` is its position. Returns the result, and the stream
    /// if the claim is true and the task not too large; `None` soon after `stop` has
    /// come.
    pub(crate) fn prove<G: Solvable>(
        &self,
        position: &G,
        stop: &Stop,
    ) -> Option<(PartResult, Option<Vec<u8>>)> {
        let limits = CertificateLimits {
            hash_mb: TASK_HASH_MB,
            nodes: Some(self.nodes.saturating_mul(PATIENCE)),
            stop: stop.clone(),
            ..CertificateLimits::default()
        };
        let (made, nodes) = certify(position, self.claim, &limits, |_| ());
        let (outcome, stream) = match made {
            Ok(certificate) => {
                let stream = certificate.stream().to_vec();
                let outcome = PartOutcome::Proved {
                    length: stream.len(),
                    checksum: hex(&Sha256::digest(&stream)),
                };
                (outcome, Some(stream))
            }
            Err(Failed::False) => (PartOutcome::Refuted, None),
            Err(Failed::TooManyNodes | Failed::TooLong) => (PartOutcome::Large, None),
            Err(Failed::Stopped) => return None,
        };
        let id = self.id();
        Some((PartResult { id, outcome, nodes }, stream))
    }

    /// Checks by the rules with this identity that a stream proves the task.
    pub(crate) fn verify(&self, rules: &str, stream: &[u8]) -> Result<Verified, Rejection> {
        count_choices(stream)?;
        // A stream is a part, and has no parts.
        let steps = Choices(stream).map(Step::Choice);
        let header = Statement {
            rules: rules.to_owned(),
            position: self.position.clone(),
            claim: self.claim,
        };
        walk(&header, steps)
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
        let fields: Vec<&str> = line.split('\t').collect();
        let ["task", id, nodes, claim, position] = fields[..] else {
            let fields = "a task: task ID NODES CLAIM POSITION, five fields with tabs between them";
            return Err(refused(fields, line));
        };
        if position.contains(char::is_control) {
            return Err(refused("a position without control characters", position));
        }
        if !has_one_blank(position) {
            return Err(refused("a position with one blank", position));
        }
        let task = Self {
            position: position.to_owned(),
            claim: (claim.parse()).map_err(|_| refused(Claim::FORM, claim))?,
            nodes: number(nodes).ok_or_else(|| refused("a number of nodes", nodes))?,
        };
        let own = task.id();
        if own != id {
            let expected = format!("the identity {own} of this claim and position");
            return Err(refused(&expected, id));
        }
        Ok(task)
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum PartOutcome {
    Proved {
        length: usize,
        checksum: String,
    },
    Refuted,
    /// It took more nodes than it may, or its stream is too long.
    Large,
}

impl PartOutcome {
    /// Whether this is the stream by which the task was proved.
    pub(crate) fn is_of(&self, stream: &[u8]) -> bool {
        match self {
            Self::Proved { length, checksum } => {
                stream.len() == *length && hex(&Sha256::digest(stream)) == *checksum
            }
            Self::Refuted | Self::Large => false,
        }
    }
}

/// What is known about a task from its result and its stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TaskState {
    Open,
    Proved,
    Refuted,
    /// It took more nodes than it may, or its stream is too long.
    Large,
}

impl From<&PartOutcome> for TaskState {
    fn from(outcome: &PartOutcome) -> Self {
        match outcome {
            PartOutcome::Proved { .. } => Self::Proved,
            PartOutcome::Refuted => Self::Refuted,
            PartOutcome::Large => Self::Large,
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PartResult {
    pub(crate) id: String,
    pub(crate) outcome: PartOutcome,
    pub(crate) nodes: u64,
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
        let words: Vec<&str> = line.split(' ').collect();
        let (id, nodes, outcome) = match words[..] {
            [id, "proved", nodes, length, checksum] => {
                let is_digit = |c: char| matches!(c, '0'..='9' | 'a'..='f');
                if checksum.len() != 64 || !checksum.chars().all(is_digit) {
                    let expected = "a SHA-256 of 64 hexadecimal digits";
                    return Err(refused(expected, checksum));
                }
                let wrong = |_| refused("the length of a stream in bytes", length);
                let length = length.parse().map_err(wrong)?;
                let checksum = checksum.to_owned();
                (id, nodes, PartOutcome::Proved { length, checksum })
            }
            [id, "refuted", nodes] => (id, nodes, PartOutcome::Refuted),
            [id, "large", nodes] => (id, nodes, PartOutcome::Large),
            _ => {
                let forms = "a result: ID proved NODES LENGTH SHA-256, ID refuted NODES or \
                             ID large NODES, one blank between them";
                return Err(refused(forms, line));
            }
        };
        let wrong = |_| refused("a number of nodes", nodes);
        Ok(Self {
            id: id.to_owned(),
            outcome,
            nodes: nodes.parse().map_err(wrong)?,
        })
    }
}

pub(crate) type Results = HashMap<String, PartOutcome>;
