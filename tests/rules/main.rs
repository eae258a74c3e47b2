//! The rules of the games, and which module of the crates may name which.

#[path = "../naive/mod.rs"]
mod naive;
#[path = "../support/mod.rs"]
mod support;

mod conformance;
mod golden;
mod layers;
mod random;
mod refusals;
mod routes;
mod third_game;
mod twin;
