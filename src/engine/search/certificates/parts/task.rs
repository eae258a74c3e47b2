//! A task, and what became of it.

use std::fmt;
use std::str::FromStr;

use hmac_sha256::Hash;

use crate::checksum::hex;
use crate::search::certificates::claim::{Claim, Unexpected, number};
use crate::search::certificates::format::{
    Choices, DEFAULT_MAX_MB, Statement, count_choices, has_one_blank,
};
use crate::search::certificates::verify::{Marks, Rejection, Verified, check_proof};
use crate::search::certificates::write::{Failed, certify};
use crate::search::solver::{Solvable, SolveRequest, Solver};
use crate::stop::Stop;

/// A task is given up after this many times the nodes that it should take.
const PATIENCE: u64 = 32;
const TASK_HASH_MB: usize = 32;

/// The identity of a position's text with a claim, for names: 16 hexadecimal
/// digits of a SHA-256.
pub fn identity(position: &str, claim: Claim) -> String {
    hex(&Hash::hash(format!("{position}\n{claim}\n").as_bytes())[..8])
}

/// A position whose proof is a piece of work of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    /// The text of the position.
    pub position: String,
    pub(crate) claim: Claim,
    /// About how many nodes a typical task takes. Single ones may take thirty times as
    /// many; beyond that a task is given up as too large.
    pub(crate) nodes: u64,
}

impl Task {
    /// The name of the task: see [`identity`].
    pub fn id(&self) -> String {
        identity(&self.position, self.claim)
    }

    /// Proves the task; `position` is its position. Returns the result, and the stream
    /// if the claim is true and the task not too large; `None` soon after `stop` has
    /// come.
    pub fn prove<G: Solvable>(
        &self,
        position: &G,
        stop: &Stop,
    ) -> Option<(TaskResult, Option<Vec<u8>>)> {
        let request = SolveRequest {
            nodes: Some(self.nodes.saturating_mul(PATIENCE)),
            stop: stop.clone(),
            ..SolveRequest::default()
        };
        let (solver, most) = (&mut Solver::new(TASK_HASH_MB), DEFAULT_MAX_MB << 20);
        let (made, nodes) = certify(solver, position, self.claim, &request, most, &mut |_, _| ());
        let (state, stream) = match made {
            Ok(certificate) => (TaskState::Proved, Some(certificate.stream().to_vec())),
            Err(Failed::False) => (TaskState::Refuted, None),
            Err(Failed::TooManyNodes | Failed::TooLong) => (TaskState::Large, None),
            Err(Failed::Stopped) => return None,
        };
        let result = TaskResult {
            id: self.id(),
            state,
            nodes,
            seal: stream.as_deref().map_or_else(String::new, seal),
        };
        Some((result, stream))
    }

    /// Checks by the rules with this identity that a stream proves the task.
    pub fn verify(&self, rules: &str, stream: &[u8]) -> Result<Verified, Rejection> {
        count_choices(stream)?;
        let header = Statement {
            rules: rules.to_owned(),
            position: self.position.clone(),
            claim: self.claim,
        };
        check_proof(&header, &mut Choices(stream), Marks::None)
    }
}

impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "task\t{}\t{}", self.id(), self.nodes)?;
        write!(f, "\t{}\t{}", self.claim, self.position)
    }
}

impl FromStr for Task {
    type Err = Unexpected;

    fn from_str(line: &str) -> Result<Self, Unexpected> {
        let fields: Vec<&str> = line.split('\t').collect();
        let ["task", id, nodes, claim, position] = fields[..] else {
            let fields = "a task: task ID NODES CLAIM POSITION, five fields with tabs between them";
            return Err(Unexpected::new(fields, line));
        };
        if position.contains(char::is_control) || !has_one_blank(position) {
            let expected = "a position with one blank and without control characters";
            return Err(Unexpected::new(expected, position));
        }
        let task = Self {
            position: position.to_owned(),
            claim: claim.parse()?,
            nodes: number(nodes).ok_or_else(|| Unexpected::new("a number of nodes", nodes))?,
        };
        let own = task.id();
        let expected = || format!("the identity {own} of this claim and position");
        match own == id {
            true => Ok(task),
            false => Err(Unexpected::new(expected(), id)),
        }
    }
}

/// What became of a task.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TaskState {
    /// The claim is proved.
    Proved,
    /// The claim is proved to be false.
    Refuted,
    /// It took more nodes than it may, or its stream is too long.
    Large,
}

/// What became of a task, and what it took.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TaskResult {
    /// The name of the task.
    pub id: String,
    /// Proved or given up.
    pub state: TaskState,
    pub(crate) nodes: u64,
    /// What [`seal`] returns for the stream by which the task was proved, if it was.
    pub seal: String,
}

/// The length of a stream in bytes and its SHA-256.
pub fn seal(stream: &[u8]) -> String {
    format!("{} {}", stream.len(), hex(&Hash::hash(stream)))
}

fn is_seal(text: &str) -> bool {
    let is_digit = |c: char| matches!(c, '0'..='9' | 'a'..='f');
    let checksum = text.split_once(' ');
    let checksum = checksum.filter(|(length, _)| number::<usize>(length).is_some());
    checksum.is_some_and(|(_, sum)| sum.len() == 64 && sum.chars().all(is_digit))
}

impl fmt::Display for TaskResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (id, nodes) = (&self.id, self.nodes);
        match self.state {
            TaskState::Proved => write!(f, "{id} proved {nodes} {}", self.seal),
            TaskState::Refuted => write!(f, "{id} refuted {nodes}"),
            TaskState::Large => write!(f, "{id} large {nodes}"),
        }
    }
}

impl FromStr for TaskResult {
    type Err = Unexpected;

    fn from_str(line: &str) -> Result<Self, Unexpected> {
        let read = || {
            let words: Vec<&str> = line.splitn(4, ' ').collect();
            let (id, state, nodes, seal) = match words[..] {
                [id, "proved", nodes, seal] if is_seal(seal) => {
                    (id, TaskState::Proved, nodes, seal)
                }
                [id, "refuted", nodes] => (id, TaskState::Refuted, nodes, ""),
                [id, "large", nodes] => (id, TaskState::Large, nodes, ""),
                _ => return None,
            };
            Some(Self {
                id: id.to_owned(),
                state,
                nodes: number(nodes)?,
                seal: seal.to_owned(),
            })
        };
        let forms = "a result: ID proved NODES LENGTH SHA-256, ID refuted NODES or ID large \
                     NODES, one blank between them";
        read().ok_or_else(|| Unexpected::new(forms, line))
    }
}
