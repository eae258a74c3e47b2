//! Totemic: an engine for the abstract games Yoxii and Hokito.
#![forbid(unsafe_code)]

pub mod cli;
pub mod game;
pub mod search;
