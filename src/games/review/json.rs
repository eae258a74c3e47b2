//! A review for programs.

use serde_json::{Value as Json, json};

use super::{MoveReview, ProvedValue, Review};
use totemic_engine::game::{Game, Side};

/// The review as one JSON object. Programs rely on the keys, so they stay as they are even where
/// the code says it in another word.
pub fn to_json<G: Game>(review: &Review<G>) -> Json {
    let game = &review.game;
    let [p1, p2] = &game.players;
    let turning_points = review.turning_points(usize::MAX);
    let accuracy = Side::BOTH.map(|side| {
        let sum = review.accuracy(side);
        json!({
            "side": side,
            "lost_a_move": sum.loss_per_move().map(rounded),
            "proved_points_a_move": sum.proved_loss_per_move().map(rounded),
            "moves": sum.moves,
            "open_moves": sum.open_moves,
            "lost": rounded(sum.lost),
            "proved_moves": sum.proved_moves,
            "proved_points": sum.proved_points,
            "marks": sum.marks,
        })
    });
    let moves = review.moves.iter().map(|judged| move_json(review, judged));
    json!({
        "game": G::NAME,
        "start": game.start,
        "players": { "p1": p1, "p2": p2 },
        "result": game.result,
        "close": game.termination,
        "reason": game.reason_text,
        "complete": review.is_complete(),
        "summary": review.summary(),
        "decided": review.decided_at(),
        "turning_points": turning_points.iter().map(|it| it.ply).collect::<Vec<_>>(),
        "accuracy": accuracy,
        "moves": moves.collect::<Vec<_>>(),
        "end": review.expected_at_end.map(rounded),
    })
}

fn move_json<G: Game>(review: &Review<G>, judged: &MoveReview<G::Move>) -> Json {
    let second = judged.second_opinion.map(|second| {
        json!({
            "best": second.best.to_string(),
            "before": second.before.map(rounded),
            "after": second.after.map(rounded),
            "loss": second.before.zip(second.after).map(|(b, a)| rounded((b - a).max(0.0))),
        })
    });
    without_nulls(json!({
        "ply": judged.ply,
        "side": judged.side,
        "position": review.positions[judged.ply].to_string(),
        "played": judged.played.to_string(),
        "best": judged.pv.first().unwrap_or(&judged.played).to_string(),
        "mark": judged.mark,
        "before": rounded(judged.before),
        "after": rounded(judged.after),
        "loss": rounded(judged.loss()),
        "proof_before": judged.proof_before.map(proof_json),
        "proof_after": judged.proof_after.map(proof_json),
        "proved_loss": judged.proved_loss,
        "depth": judged.depth,
        "choices": judged.choices,
        "line": judged.pv.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "second": second,
    }))
}

fn proof_json(value: ProvedValue) -> Json {
    without_nulls(json!({ "value": value.word(), "margin": value.margin }))
}

pub(crate) fn without_nulls(mut object: Json) -> Json {
    if let Some(fields) = object.as_object_mut() {
        fields.retain(|_, value| !value.is_null());
    }
    object
}

fn rounded(value: f64) -> f64 {
    (value * 10_000.0).round() / 10_000.0
}
