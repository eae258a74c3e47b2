//! An engine as a child process: how it is started, talked to, limited and ended.
//!
//! A `Process` has pipes and the threads that read them, and is certain to be ended. A
//! `Dialogue` sends it lines and waits for its answers. A `UgiClient` leads a dialogue:
//! handshake, options, new games, questions. Nothing that an engine says is trusted. An
//! [`EngineSpec`] describes an engine, and [`tokens`] reads it from `key=value` words. A
//! [`Stop`](totemic_engine::stop::Stop) ends every wait. The `guard` ends the processes that
//! engines leave behind, and the engines of a killed program.
//!
//! Of the engine, these modules need neither search nor solver.

mod child;
mod client;
pub(crate) mod group;
pub(crate) mod guard;
mod info;
mod launch;
mod log;
mod options;
mod output;
pub(crate) mod processors;
mod program;
mod question;
mod spec;
pub mod tokens;

pub(crate) use child::{Dialogue, Process, Trouble, VoidCause};
pub use client::RunSetup;
pub(crate) use client::{BestMove, UgiClient};
pub(crate) use launch::{Launch, split_words};
pub(crate) use options::option_name;
pub(crate) use output::{Arrival, MAX_LINE, shortened};
pub(crate) use program::this_program;
pub(crate) use question::{MoveRequest, go_line, position_line};
pub use spec::{EngineCommand, EngineSpec, Patience};
pub(crate) use spec::{GREEDY, RANDOM};
