//! Proofs in parts: a top, its tasks, and the certificate that they make together.
//!
//! The *top* holds the first moves of the proof, chosen by the engine, down to *tasks*:
//! positions with few plies left. One thread proves a task with a table of a fixed size, so
//! its *stream*, the choices of a certificate, is the same on every
//! machine. A task that is refuted or takes too many nodes stays so: the next top, made
//! with the results so far, has a task two plies earlier or smaller tasks there, and keeps
//! the others.
//!
//! A top is lines of text, each of at most 2048 bytes and ended by a line feed:
//!
//! ```text
//! totemic top 1
//! rules hokito-1
//! position x2,b2,b2,b1,b2/x2,b3,b1,b3,b1/x2,w1,w3,w1,w2/x2,w3,w1,w2,w2/x6/x6 b
//! claim p1 wins
//! ```
//!
//! then an empty line, and a line for each new position with a move of the claim's side,
//! in the order of a certificate: the index of its move, or a task, which is `task`, its
//! identity, about how many nodes it takes, its claim and its position, separated by tabs.
//! Numbers are in their shortest form. A result is a line, too: the task's identity,
//! `proved`, `refuted` or `large`, the solver's nodes, and for a proved task the length of
//! the stream in bytes and its SHA-256.
//!
//! A task is proved if there is a stream that proves it, whatever the results say. A
//! stream with the length and the SHA-256 of a result is taken for the one that was
//! found; any other is checked by the rules. Merging and `verify` check all of them.
//!
//! The merged certificate has each stream as a part: a position that is met in two parts
//! is in both. `src/cli/certify/README.md` shows how to spread the work.

mod plan;
mod task;
mod top;

pub use plan::{TaskSize, split};
pub use task::{Task, TaskResult, TaskState, identity, seal};
pub use top::{FIRST_LINE_OF_TOP, Top};
