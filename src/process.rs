//! An engine as a child process: how it is started, talked to, limited and
//! ended.
//!
//! A `Process` is pipes, the threads that read them, and a certain end; a
//! `UgiClient` has a conversation with one: handshake, options, new games,
//! questions. Nothing that an engine says is trusted. [`EngineSpec`] says which
//! engine is meant, as [`tokens`] reads it from `key=value` words; a [`Stop`]
//! ends every wait; an [`Orphanage`] ends what engines left behind, and the
//! [`guard`] what a killed program did.
//!
//! Above the rules and the [`record`](crate::record), whose words for
//! searches and faults it uses.

mod child;
mod client;
pub(crate) mod group;
pub mod guard;
mod info;
mod launch;
mod log;
mod options;
mod orphans;
mod output;
mod spec;
mod stop;
pub mod tokens;

pub(crate) use child::{Process, Trouble, VoidCause};
pub use client::Host;
pub(crate) use client::{Answer, Question, UgiClient, absent};
pub(crate) use launch::Launch;
pub(crate) use options::option_name;
pub(crate) use options::shortened;
pub use orphans::Orphanage;
#[cfg(feature = "board")]
pub(crate) use output::Bucket;
pub use spec::{EngineSpec, Patience, SELF};
pub use stop::Stop;
