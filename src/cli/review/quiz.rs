//! Turns the errors of a game into questions.

use crate::cli::console::{BOARD_COLUMNS, Completion, Console, Typed};
use crate::cli::{Failure, texts};
use totemic_engine::drawing::board;
use totemic_engine::engine::Engine;
use totemic_engine::game::{Cells, squares_of};
use totemic_engine::search::{Evaluate, Searchable};
use totemic_engine::stop::Stop;
use totemic_games::limits::MoveLimits;
use totemic_games::record::notation::{Notation, read_move};
use totemic_games::review::{
    GOOD_LOSS, Mark, MoveReview, Review, change, expected_after, percent, variation,
};

/// Asks about each error; returns whether there may be more questions.
pub(super) fn ask<G: Searchable + Notation, E: Evaluate<G>>(
    review: &Review<G>,
    engine: &mut Engine<G, E>,
    limits: &MoveLimits,
    console: &mut Console,
    stop: &Stop,
) -> Result<bool, Failure> {
    let errors = review.moves.iter().filter(|it| it.mark >= Mark::Inaccuracy);
    let errors = Vec::from_iter(errors);
    if errors.is_empty() {
        console.say("\nThere is nothing to ask: nobody made an error.")?;
        return Ok(true);
    }
    console.say(review.heading())?;
    let (mut right, mut questions, mut goes_on) = (0, 0, true);
    for (index, judged) in errors.iter().enumerate() {
        let position = &review.positions[judged.ply];
        let (number, count, name) = (index + 1, errors.len(), position.side_name());
        console.say(format!(
            "\nQuestion {number} of {count}: what should {name} play? (Enter shows it, q quits)\n"
        ))?;
        let before = review.game.moves[..judged.ply].last();
        let last = before.and_then(|played| played.mv.parse().ok());
        let marked = last.map_or(Cells::EMPTY, squares_of::<G>);
        let columns = console.columns(BOARD_COLUMNS);
        console.print(&board(position, marked, columns, true))?;
        let Some(answer) = answer(console, position, stop)? else {
            goes_on = false;
            break;
        };
        if let Some(mv) = answer {
            let points = expected_after(engine, position, mv, limits, stop);
            if stop.is_stopped() {
                break;
            }
            let (is_right, verdict) = verdict(judged, mv, points);
            right += usize::from(is_right);
            console.say(verdict)?;
        }
        questions += 1;
        console.say(format!(
            "Best was {}; {} played {}: {}.",
            variation(&judged.pv),
            review.player(judged.side),
            judged.played,
            change(judged)
        ))?;
    }
    if questions > 0 {
        console.say(format!("\n{right} of {questions} right."))?;
    }
    Ok(goes_on)
}

/// `Some(None)` asks for the best move to be shown; `None` ends the questions.
#[expect(clippy::option_option, reason = "an empty line is an answer, too")]
fn answer<G: Notation>(
    console: &mut Console,
    position: &G,
    stop: &Stop,
) -> Result<Option<Option<G::Move>>, Failure> {
    loop {
        let completion = Completion {
            moves: texts(&position.moves()),
            ..Completion::default()
        };
        let text = match console.read("move> ", completion, None) {
            Typed::Line(text) => text,
            Typed::Interrupt => {
                stop.now();
                return Ok(None);
            }
            Typed::End | Typed::TimeUp => return Ok(None),
        };
        match text.as_str() {
            "" => return Ok(Some(None)),
            "?" | "help" => {
                console.say("Type a move as in play. Enter shows the best move; q quits.")?;
            }
            "q" | "quit" => return Ok(None),
            text => match read_move(position, text) {
                Ok(mv) => return Ok(Some(Some(mv))),
                Err(why) => console.say(why.to_string())?,
            },
        }
    }
}

fn verdict<M: PartialEq + std::fmt::Display>(
    judged: &MoveReview<M>,
    mv: M,
    points: Option<f64>,
) -> (bool, String) {
    let best = percent(judged.before);
    let value = points.map(|points| format!(" ({}, the best move {best})", percent(points)));
    let value = value.unwrap_or_default();
    if judged.pv.first() == Some(&mv) {
        return (true, format!("Right: {mv} is the best move."));
    }
    if mv == judged.played {
        return (false, format!("That is what was played{value}."));
    }
    match points.is_some_and(|points| judged.before - points < GOOD_LOSS) {
        true => (true, format!("Right: {mv} is as good as the best{value}.")),
        false => (false, format!("{mv} is not the best{value}.")),
    }
}
