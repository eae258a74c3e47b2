//! A proof in parts: its top, tasks for many machines, and one certificate of
//! all that they found.
//!
//! The *top* holds the first moves of the proof, chosen by somebody quick (the
//! engine, say), down to *tasks*, positions with few plies left: about so many nodes
//! for a typical task; single ones may take thirty times as many, more is given up
//! as too large. A task is proved with one thread and an own table of a fixed size, so
//! that its *stream*, the choices of a certificate of it, is the same on every
//! machine. A task that is refuted, or too large, stays so: the next top,
//! made with the results so far, has another move there, or smaller tasks, and
//! keeps all others.
//!
//! A top is lines of text, each of 2048 bytes at the most and ended by a line feed:
//!
//! ```text
//! totemic top 1
//! rules hokito-1
//! position x2,b2,b2,b1,b2/x2,b3,b1,b3,b1/x2,w1,w3,w1,w2/x2,w3,w1,w2,w2/x6/x6 b
//! claim p1 wins
//! ```
//!
//! then an empty one, and one for each new position with a move of the claim's side,
//! in the order of a certificate: the index of its move, or a task, `task`, its
//! identity, about how many nodes it takes, what it claims and its position, with tabs
//! between them. Numbers are in their shortest form. A result is a line, too: the
//! task's identity, `proved`, `refuted` or `large`, the solver's nodes, and of what is
//! proved the length of the stream in bytes and its SHA-256.
//!
//! A task is proved where there is a stream that proves it. Its result is a witness:
//! where length and SHA-256 are those of the stream, the stream is taken for the one
//! that was found, and read once, by pieces. Any other stream is checked by the rules,
//! and counts if it proves the task, whatever the results say of it. Merging, and
//! `verify`, check all streams by the rules.
//!
//! The merged certificate has each stream as a part. So making and checking it takes its
//! own length of memory and what its longest part takes, and it is somewhat longer than
//! one made as a whole: a position that is met in two parts stands in both.
//!
//! The work is spread by any tool that runs commands, such as GNU parallel:
//!
//! ```text
//! totemic certify POSITION --claim CLAIM --split 10000000 --out top.txt
//! grep ^task top.txt | parallel totemic certify --results parts --task {}
//! totemic certify --merge top.txt --results parts --out proof
//! ```
//!
//! or a Slurm array of as many jobs as there are tasks, each of which runs
//!
//! ```text
//! totemic certify --results "parts/$(hostname)" --task "$(grep ^task top.txt | sed -n "${SLURM_ARRAY_TASK_ID}p")"
//! ```
//!
//! On one machine many processes may share a folder. On several each has one of its
//! own, for network file systems let lines that are added at the same time overwrite
//! one another; all streams are then copied into one folder, and all lines of results
//! into one list there, in any order.
//!
//! Where `--merge` names tasks that are refuted or too large, `--split` with
//! `--results parts` makes the next top.

mod merge;
mod plan;
mod task;
mod top;

use sha2::{Digest, Sha256};

use super::claim::Claim;
use crate::checksum::hex;
use crate::game::quoted;
pub use merge::merge;
pub use plan::{TaskSize, split};
pub use task::{PartOutcome, PartResult, Results, Task, TaskState};
pub use top::{FIRST_LINE, Top, TopError};

/// A text that is no task or result.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected {expected}, found {}", quoted(found))]
pub struct PartError {
    expected: String,
    found: String,
}

fn refused(expected: &str, found: &str) -> PartError {
    PartError {
        expected: expected.to_owned(),
        found: found.to_owned(),
    }
}

/// The identity of a position's text with a claim, for names: 16 hexadecimal
/// digits of a SHA-256.
#[must_use]
pub fn identity(position: &str, claim: Claim) -> String {
    hex(&Sha256::digest(format!("{position}\n{claim}\n"))[..8])
}
