//! The errors of a game as questions.

use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::super::CliResult;
use crate::drawing::draw;
use crate::engine::Engine;
use crate::record::notation::{Notation, read_move};
use crate::review::{
    GOOD, Mark, MoveReview, Review, Settings, change, expected_after, line, percent,
};
use crate::search::solver::Solvable;
use crate::search::{Evaluate, Searchable};

/// Asks the positions before each error, in the order of play, until the
/// input ends.
pub(super) fn ask<G: Searchable + Solvable + Notation, E: Evaluate<G>>(
    review: &Review<G>,
    engine: &mut Engine<G, E>,
    settings: &Settings,
    stop: &Arc<AtomicBool>,
) -> CliResult {
    let errors = review.moves.iter().filter(|it| it.mark >= Mark::Inaccuracy);
    let errors: Vec<_> = errors.collect();
    let mut out = anstream::stdout().lock();
    if errors.is_empty() {
        writeln!(out, "\nNobody went wrong: there is nothing to ask.")?;
        return Ok(());
    }
    let (mut right, mut asked) = (0, 0);
    for (index, judged) in errors.iter().enumerate() {
        let position = &review.positions[judged.ply];
        writeln!(
            out,
            "\nQuestion {} of {}: what should {} play? (Enter shows it, q ends)\n",
            index + 1,
            errors.len(),
            position.side_name()
        )?;
        write!(out, "{}", draw(position, true))?;
        let Some(answer) = answer(&mut out, position)? else {
            break;
        };
        asked += 1;
        right += usize::from(answer == judged.line.first().copied());
        if let Some(mv) = answer {
            let points = expected_after(engine, position, mv, settings, stop);
            let near = points.is_some_and(|points| judged.before - points < GOOD);
            right += usize::from(near && answer != judged.line.first().copied());
            writeln!(out, "{}", verdict(judged, mv, points))?;
        }
        writeln!(
            out,
            "Best was {}. {} played {}: {}.",
            line(&judged.line),
            review.player(judged.side),
            judged.played,
            change(judged)
        )?;
    }
    writeln!(out, "\n{right} of {asked} right.")?;
    Ok(())
}

/// A legal move, `Some(None)` to be shown it, `None` to end.
#[allow(clippy::option_option)]
fn answer<G: Notation>(out: &mut impl Write, position: &G) -> io::Result<Option<Option<G::Move>>> {
    loop {
        write!(out, "\nmove> ")?;
        out.flush()?;
        let mut text = String::new();
        if io::stdin().lock().read_line(&mut text)? == 0 {
            writeln!(out)?;
            return Ok(None);
        }
        match text.trim() {
            "" => return Ok(Some(None)),
            "q" | "quit" => return Ok(None),
            text => match read_move(position, text) {
                Ok(mv) => return Ok(Some(Some(mv))),
                Err(why) => writeln!(out, "{why}")?,
            },
        }
    }
}

fn verdict<M: PartialEq + std::fmt::Display>(
    judged: &MoveReview<M>,
    mv: M,
    points: Option<f64>,
) -> String {
    let value = points.map_or_else(String::new, |points| {
        format!(" ({} of {})", percent(points), percent(judged.before))
    });
    if judged.line.first() == Some(&mv) {
        return format!("Right: {mv} is the best move.");
    }
    if mv == judged.played {
        return format!("That is what was played{value}.");
    }
    match points {
        Some(points) if judged.before - points < GOOD => {
            format!("Right: {mv} is as good as the best{value}.")
        }
        _ => format!("{mv} is not the best{value}."),
    }
}
