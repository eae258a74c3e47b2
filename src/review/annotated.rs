//! A review as PGN: the game with comments, NAGs and better lines.

use super::text::{change, opinion};
use super::{MoveReview, Review};
use crate::game::Game;
use crate::record::pgn::{PgnGame, PgnMove, first_is_white, outcome_token};
use crate::record::reader::PlayedMove;

/// NAGs that judge a move; a review replaces them by its own.
const JUDGING: std::ops::RangeInclusive<u8> = 1..=9;

/// The game with what is said of its moves. Tags, comments and variations of
/// the game stay.
#[must_use]
pub fn pgn<G: Game>(review: &Review<G>) -> PgnGame {
    let moves = review.game.moves.iter().enumerate().map(|(ply, played)| {
        let judged = review.moves.iter().find(|judged| judged.ply == ply);
        annotated(played, judged)
    });
    let mut pgn = PgnGame {
        tags: review.game.tags.clone(),
        white_begins: review.positions[0].side_name() == "White",
        moves: moves.collect(),
        result: outcome_token::<G>(review.game.result).to_owned(),
    };
    add_tags(&mut pgn, review);
    pgn
}

/// A move with its mark, its value and what should have been.
fn annotated<M: PartialEq + std::fmt::Display>(
    played: &PlayedMove,
    judged: Option<&MoveReview<M>>,
) -> PgnMove {
    let own = judged.and_then(|judged| judged.mark.nag());
    let others = played.nags.iter().copied();
    let kept = others.filter(|nag| judged.is_none() || !JUDGING.contains(nag));
    let better = judged.filter(|judged| judged.better().is_some());
    let kept_lines = PgnMove::from(played).variations;
    PgnMove {
        mv: played.mv.clone(),
        nags: own.into_iter().chain(kept).collect(),
        comment: comment(&played.comment, judged),
        variations: better
            .map(better_line)
            .into_iter()
            .chain(kept_lines)
            .collect(),
    }
}

/// What should have been played.
fn better_line<M: std::fmt::Display>(judged: &MoveReview<M>) -> Vec<PgnMove> {
    let plain = |mv: &M| PgnMove {
        mv: mv.to_string(),
        ..PgnMove::default()
    };
    judged.line.iter().map(plain).collect()
}

/// Adds what the game's own tags do not say.
fn add_tags<G: Game>(pgn: &mut PgnGame, review: &Review<G>) {
    let game = &review.game;
    let white = usize::from(!first_is_white::<G>());
    let named = |side: usize| match game.players[side].as_str() {
        "" => "?".to_owned(),
        name => name.to_owned(),
    };
    let mut set = |key: &str, value: String, replaces: bool| match pgn
        .tags
        .iter_mut()
        .find(|(it, _)| it == key)
    {
        Some((_, old)) if replaces => *old = value,
        Some(_) => {}
        None => pgn.tags.push((key.to_owned(), value)),
    };
    set("Event", format!("{} game", G::TITLE), false);
    set("Site", "?".to_owned(), false);
    set("Date", "????.??.??".to_owned(), false);
    set("Round", "?".to_owned(), false);
    set("White", named(white), false);
    set("Black", named(1 - white), false);
    set("Result", outcome_token::<G>(game.result).to_owned(), true);
    set("Variant", G::TITLE.to_owned(), true);
    set("SetUp", "1".to_owned(), false);
    set("FEN", game.start.clone(), true);
    if let Some(termination) = game.close.termination() {
        set("Termination", termination.to_owned(), false);
    }
    if !game.reason.is_empty() {
        set("Reason", game.reason.clone(), false);
    }
    let annotator = concat!("totemic ", env!("CARGO_PKG_VERSION"));
    set("Annotator", annotator.to_owned(), true);
}

/// The game's own comment and that of the review.
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
