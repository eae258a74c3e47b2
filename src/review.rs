//! Finished games explained: what counted at the end, odds in words.

pub mod ending;
pub mod words;
