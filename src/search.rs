//! Search: exact values.

pub mod solver;
