//! Which naive implementation belongs to which game.

use totemic_engine::game::{Game, Hokito, Yoxii};

use crate::naive::{Naive, hokito, yoxii};

/// A game with a naive implementation beside that of the engine.
pub trait Twin: Game {
    /// The naive implementation.
    type Naive: Naive;
}

impl Twin for Yoxii {
    type Naive = yoxii::Yoxii;
}

impl Twin for Hokito {
    type Naive = hokito::Hokito;
}

/// Returns the naive position of a text, which must be valid, or of `startpos`.
pub fn naive_position<G: Twin>(text: &str) -> G::Naive {
    if text == "startpos" {
        return G::Naive::start();
    }
    Naive::parse(text).unwrap_or_else(|why| panic!("{text:?} is refused: {why}"))
}
