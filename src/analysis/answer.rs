//! Answers as JSON. Values are for the side to move.

use serde::Serialize;
use serde_json::Value as Json;

use crate::search::{Info, Odds};

/// What is found about a position.
#[derive(Serialize, Default)]
pub(super) struct Answer {
    pub(super) id: Json,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) turn: Option<usize>,
    pub(super) game: &'static str,
    pub(super) position: String,
    pub(super) side: &'static str,
    /// Of a finished game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) result: Option<&'static str>,
    pub(super) bestmove: Option<String>,
    /// Expected points, a win being 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) points: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) odds: Option<OddsJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) depth: Option<u32>,
    pub(super) nodes: u64,
    pub(super) time_ms: u128,
    pub(super) lines: Vec<LineJson>,
    /// Every legal move, best first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) moves: Option<Vec<MoveJson>>,
    /// Whether the search was cut short by a word to cancel.
    #[serde(skip_serializing_if = "is_false")]
    pub(super) cancelled: bool,
}

#[allow(clippy::trivially_copy_pass_by_ref)]
const fn is_false(value: &bool) -> bool {
    !*value
}

/// How likely the game is to end in each way, per mille.
#[derive(Serialize, Clone, Copy)]
pub(super) struct OddsJson {
    win: u32,
    draw: u32,
    loss: u32,
}

impl From<Odds> for OddsJson {
    fn from(odds: Odds) -> Self {
        Self {
            win: odds.win,
            draw: odds.draw,
            loss: odds.loss,
        }
    }
}

/// One of the best lines.
#[derive(Serialize)]
pub(super) struct LineJson {
    multipv: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    cp: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<i32>,
    bound: &'static str,
    pub(super) proven: bool,
    pub(super) points: f64,
    pub(super) depth: u32,
    pub(super) pv: Vec<String>,
}

impl LineJson {
    pub(super) fn new<M: std::fmt::Display>(info: &Info<M>, odds: Odds) -> Self {
        let mate = info.score.mate_plies();
        Self {
            multipv: info.multipv,
            cp: mate.is_none().then(|| info.score.centipoints()),
            mate,
            bound: info.bound.name(),
            proven: info.proven,
            points: odds.points(),
            depth: info.depth,
            pv: info.pv.iter().map(ToString::to_string).collect(),
        }
    }
}

/// The value of a move.
#[derive(Serialize, Clone)]
pub(super) struct MoveJson {
    #[serde(rename = "move")]
    pub(super) mv: String,
    /// Expected points, a win being 1.
    pub(super) points: f64,
    /// Depth of the search behind it; 0 for the static evaluation.
    pub(super) depth: u32,
    /// Whether the value is proved.
    pub(super) proven: bool,
    /// `win`, `draw` or `loss` where it is proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) value: Option<&'static str>,
    /// Points on the board by which the game ends, where that is proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) margin: Option<i32>,
}
