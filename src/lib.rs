//! Totemic: an engine for the abstract games Yoxii and Hokito.
#![forbid(unsafe_code)]

pub mod arena;
pub mod bench;
pub mod cli;
pub mod drawing;
pub mod engine;
pub mod game;
pub mod search;
pub mod ugi;
