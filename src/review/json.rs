//! A review for programs.

use serde::Serialize;

use super::{Accuracy, Mark, MoveReview, Proof, Review};
use crate::game::{Game, Outcome, Side};
use crate::record::reader::Close;

/// A review as one JSON object; see the documentation of the command `review`
/// for its fields.
#[derive(Serialize)]
pub struct ReviewJson {
    game: &'static str,
    start: String,
    players: Players,
    result: Option<&'static str>,
    close: &'static str,
    reason: String,
    complete: bool,
    summary: Vec<String>,
    turning_points: Vec<usize>,
    accuracy: [AccuracyJson; 2],
    moves: Vec<MoveJson>,
    /// Expected points of the first side at the end of the moves.
    end: Option<f64>,
}

#[derive(Serialize)]
struct Players {
    p1: String,
    p2: String,
}

#[derive(Serialize)]
struct AccuracyJson {
    side: &'static str,
    lost_a_move: Option<f64>,
    proved_points_a_move: Option<f64>,
    #[serde(flatten)]
    sum: Accuracy,
}

#[derive(Serialize)]
struct ProofJson {
    value: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    margin: Option<i32>,
}

#[derive(Serialize)]
struct MoveJson {
    ply: usize,
    side: &'static str,
    position: String,
    played: String,
    best: String,
    mark: Mark,
    before: f64,
    after: f64,
    loss: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    proof_before: Option<ProofJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    proof_after: Option<ProofJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    proved_loss: Option<i32>,
    choices: u64,
    line: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    second: Option<SecondJson>,
}

#[derive(Serialize)]
struct SecondJson {
    best: String,
    before: Option<f64>,
    after: Option<f64>,
    loss: Option<f64>,
}

/// The word for how a game ended.
const fn close_name(close: Close) -> &'static str {
    match close {
        Close::Rules => "rules",
        Close::Time => "time",
        Close::Resignation => "resignation",
        Close::Agreement => "agreement",
        Close::Adjudication => "adjudication",
        Close::Forfeit => "forfeit",
        Close::Untold => "untold",
        Close::Unfinished => "unfinished",
    }
}

impl From<Proof> for ProofJson {
    fn from(proof: Proof) -> Self {
        Self {
            value: ["loss", "draw", "win"][(proof.sign.signum() + 1) as usize],
            margin: proof.margin,
        }
    }
}

impl ReviewJson {
    /// The review as an object.
    #[must_use]
    pub fn new<G: Game>(review: &Review<G>) -> Self {
        let [p1, p2] = review.game.players.clone();
        let accuracy = |side| {
            let sum = review.accuracy(side);
            AccuracyJson {
                side: side.word(),
                lost_a_move: sum.lost_a_move().map(rounded),
                proved_points_a_move: sum.proved_a_move().map(rounded),
                sum: Accuracy {
                    lost: rounded(sum.lost),
                    ..sum
                },
            }
        };
        Self {
            game: G::NAME,
            start: review.game.start.clone(),
            players: Players { p1, p2 },
            result: review.game.result.map(Outcome::word),
            close: close_name(review.game.close),
            reason: review.game.reason.clone(),
            complete: review.is_complete(),
            summary: review.summary(),
            turning_points: review
                .turning_points(usize::MAX)
                .iter()
                .map(|it| it.ply)
                .collect(),
            accuracy: [Side::First, Side::Second].map(accuracy),
            moves: review
                .moves
                .iter()
                .map(|it| MoveJson::new(review, it))
                .collect(),
            end: review.last.map(rounded),
        }
    }
}

impl MoveJson {
    fn new<G: Game>(review: &Review<G>, judged: &MoveReview<G::Move>) -> Self {
        Self {
            ply: judged.ply,
            side: judged.side.word(),
            position: review.positions[judged.ply].to_string(),
            played: judged.played.to_string(),
            best: judged.line.first().unwrap_or(&judged.played).to_string(),
            mark: judged.mark,
            before: rounded(judged.before),
            after: rounded(judged.after),
            loss: rounded(judged.loss()),
            proof_before: judged.proof_before.map(ProofJson::from),
            proof_after: judged.proof_after.map(ProofJson::from),
            proved_loss: judged.proved_loss,
            choices: judged.choices,
            line: judged.line.iter().map(ToString::to_string).collect(),
            second: judged.second.map(|second| SecondJson {
                best: second.best.to_string(),
                before: second.before.map(rounded),
                after: second.after.map(rounded),
                loss: second.loss().map(rounded),
            }),
        }
    }
}

/// To what odds are worth.
fn rounded(value: f64) -> f64 {
    (value * 10_000.0).round() / 10_000.0
}
