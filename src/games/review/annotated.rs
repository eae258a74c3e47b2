//! A review as PGN: the game with comments, NAGs and better variations.

use std::fmt::Display;

use super::text::{change, opinion};
use super::{MoveReview, Review};
use crate::record::{PgnGame, PgnMove};
use totemic_engine::game::Game;

/// NAGs that judge a move; a review replaces them with its own.
const MOVE_ASSESSMENTS: std::ops::RangeInclusive<u8> = 1..=9;

/// Returns the game with the marks and values of its moves. Its tags, comments and
/// variations stay.
pub fn annotated<G: Game>(review: &Review<G>) -> PgnGame {
    let mut game = review.game.clone().tagged(&format!("{} game", G::TITLE));
    game.set_tag("Annotator", concat!("totemic ", env!("CARGO_PKG_VERSION")));
    for judged in &review.moves {
        annotate(&mut game.moves[judged.ply], judged);
    }
    game
}

fn annotate<M: PartialEq + Display>(played: &mut PgnMove, judged: &MoveReview<M>) {
    played.nags.retain(|nag| !MOVE_ASSESSMENTS.contains(nag));
    played.nags.splice(0..0, judged.mark.nag());
    if judged.better().is_some() {
        let better = judged.pv.iter().map(PgnMove::new).collect();
        played.variations.insert(0, better);
    }
    let proved = judged.proved_loss.filter(|&points| points > 0);
    let points = proved.map_or_else(String::new, |points| {
        format!(", {points} points given away")
    });
    let second = (judged.second_opinion.as_ref()).map_or_else(String::new, |second| {
        format!(". Second opinion: {}", opinion(second))
    });
    let own = match played.comment.as_str() {
        "" => String::new(),
        own => format!("{own}. "),
    };
    let mark = judged.mark.name();
    played.comment = format!("{own}{mark}, {}{points}{second}", change(judged));
}
