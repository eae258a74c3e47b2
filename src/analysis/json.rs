//! What a search found, as JSON. Values are for the side to move.

use std::fmt::Display;

use serde_json::{Value as Json, json};

use totemic_engine::search::{Info, Odds};

pub(crate) fn line<M: Display>(info: &Info<M>, odds: Odds) -> Json {
    let mut line = json!({
        "multipv": info.multipv,
        "bound": info.bound.name(),
        "proven": info.proven,
        "points": odds.points(),
        "depth": info.depth,
        "pv": info.pv.iter().map(ToString::to_string).collect::<Vec<_>>(),
    });
    match info.score.mate_plies() {
        Some(plies) => line["mate"] = plies.into(),
        None => line["cp"] = info.score.centipoints().into(),
    }
    line
}

/// How likely each result of the game is, per mille.
pub(crate) fn odds(odds: Odds) -> Json {
    json!({"win": odds.win, "draw": odds.draw, "loss": odds.loss})
}
