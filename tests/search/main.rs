//! The searches, the exact solver and the engine, through the library.

#[path = "../naive/mod.rs"]
mod naive;
#[path = "../support/mod.rs"]
mod support;

mod claims;
mod engine;
mod levels;
mod mcts;
mod search;
mod solver;
