//! A review as PGN: the game with comments, NAGs and better lines.

use super::text::{change, opinion};
use super::{MoveReview, Review};
use crate::game::Game;
use crate::record::pgn::PgnGame;
use crate::record::reader::PlayedMove;

/// NAGs that judge a move; a review replaces them with its own.
const JUDGING: std::ops::RangeInclusive<u8> = 1..=9;

/// Writes the game with the marks and values of its moves. The tags, comments and
/// variations of the game stay.
pub(crate) fn pgn<G: Game>(review: &Review<G>) -> PgnGame {
    let game = &review.game;
    let event = format!("{} game", G::TITLE);
    let players = game.players.each_ref().map(String::as_str);
    let own = PgnGame::new::<G>(&event, players, &game.start, game.result);
    let mut pgn = PgnGame {
        tags: game.tags.clone(),
        ..own
    };
    for (key, value) in own.tags {
        let replaces = ["Result", "Variant", "FEN"].contains(&key.as_str());
        if replaces || game.tag(&key).is_none() {
            pgn.tag(&key, &value);
        }
    }
    let end = [
        ("Termination", game.close.termination().unwrap_or_default()),
        ("Reason", game.reason.as_str()),
    ];
    for (key, value) in end {
        if !value.is_empty() && game.tag(key).is_none() {
            pgn.tag(key, value);
        }
    }
    pgn.tag("Annotator", concat!("totemic ", env!("CARGO_PKG_VERSION")));
    let moves = game.moves.iter().enumerate().map(|(ply, played)| {
        let judged = review.moves.iter().find(|judged| judged.ply == ply);
        annotated(played, judged)
    });
    pgn.moves = moves.collect();
    pgn
}

fn annotated<M: PartialEq + std::fmt::Display>(
    played: &PlayedMove,
    judged: Option<&MoveReview<M>>,
) -> PlayedMove {
    let own = judged.and_then(|judged| judged.mark.nag());
    let others = played.nags.iter().copied();
    let kept = others.filter(|nag| judged.is_none() || !JUDGING.contains(nag));
    let better = judged.filter(|judged| judged.better().is_some());
    let plain = |mv: &M| PlayedMove {
        mv: mv.to_string(),
        ..PlayedMove::default()
    };
    let lines = better.map(|judged| judged.line.iter().map(plain).collect());
    PlayedMove {
        nags: own.into_iter().chain(kept).collect(),
        comment: comment(&played.comment, judged),
        variations: lines.into_iter().chain(played.variations.clone()).collect(),
        ..played.clone()
    }
}

fn comment<M: PartialEq + std::fmt::Display>(own: &str, judged: Option<&MoveReview<M>>) -> String {
    let Some(judged) = judged else {
        return own.to_owned();
    };
    let proved = judged.proved_loss.filter(|&points| points > 0);
    let points = proved.map_or_else(String::new, |points| {
        format!(", {points} points given away")
    });
    let second = judged.second.as_ref().map_or_else(String::new, |second| {
        format!(". Second opinion: {}", opinion(second))
    });
    let said = format!("{}, {}{points}{second}", judged.mark.name(), change(judged));
    if own.is_empty() {
        said
    } else {
        format!("{own}. {said}")
    }
}
