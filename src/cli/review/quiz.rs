//! Turns the errors of a game into questions.

use std::io::{self, BufRead, Write};

use super::super::{CliResult, terminal};
use crate::drawing::board;
use crate::engine::Engine;
use crate::game::{Cells, squares_of};
use crate::record::notation::{Notation, read_move};
use crate::review::{
    Effort, GOOD, Mark, MoveReview, Review, change, expected_after, line, percent,
};
use crate::search::solver::Solvable;
use crate::search::{Evaluate, Searchable, Stop};

/// Width of a board in columns, as in `play`.
const COLUMNS: usize = 60;

fn say(out: &mut impl Write, line: &str) -> io::Result<()> {
    writeln!(out, "{}", terminal::folded(line, terminal::width()))
}

/// Asks about the position before each error, until the input ends.
pub(super) fn ask<G: Searchable + Solvable + Notation, E: Evaluate<G>>(
    review: &Review<G>,
    engine: &mut Engine<G, E>,
    effort: &Effort,
    stop: &Stop,
) -> CliResult {
    let errors = review.moves.iter().filter(|it| it.mark >= Mark::Inaccuracy);
    let errors: Vec<_> = errors.collect();
    let mut out = anstream::stdout().lock();
    if errors.is_empty() {
        writeln!(out, "\nThere is nothing to ask: nobody made an error.")?;
        return Ok(());
    }
    writeln!(out, "{}", review.heading())?;
    let (mut right, mut asked) = (0, 0);
    for (index, judged) in errors.iter().enumerate() {
        let position = &review.positions[judged.ply];
        writeln!(
            out,
            "\nQuestion {} of {}: what should {} play? (Enter shows it, q quits)\n",
            index + 1,
            errors.len(),
            position.side_name()
        )?;
        let before = review.game.moves[..judged.ply].last();
        let last = before.and_then(|played| played.mv.parse().ok());
        let marked = last.map_or(Cells::EMPTY, squares_of::<G>);
        let columns = terminal::width().map_or(COLUMNS, |width| width.min(COLUMNS));
        write!(out, "{}", board(position, marked, columns, true))?;
        let Some(answer) = answer(&mut out, position)? else {
            break;
        };
        asked += 1;
        if let Some(mv) = answer {
            let points = expected_after(engine, position, mv, effort, stop);
            let (is_right, verdict) = verdict(judged, mv, points);
            right += usize::from(is_right);
            say(&mut out, &verdict)?;
        }
        let best = format!(
            "Best was {}; {} played {}: {}.",
            line(&judged.line),
            review.player(judged.side),
            judged.played,
            change(judged)
        );
        say(&mut out, &best)?;
    }
    writeln!(out, "\n{right} of {asked} right.")?;
    Ok(())
}

/// Reads a legal move. `Some(None)` asks for the best one to be shown; `None` ends the
/// questions.
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
            "?" | "help" => {
                writeln!(
                    out,
                    "Type a move as in play. Enter shows the best move; q quits."
                )?;
            }
            "q" | "quit" => return Ok(None),
            text => match read_move(position, text) {
                Ok(mv) => return Ok(Some(Some(mv))),
                Err(why) => say(out, &why.to_string())?,
            },
        }
    }
}

/// Returns whether a move is right, and a sentence about it.
fn verdict<M: PartialEq + std::fmt::Display>(
    judged: &MoveReview<M>,
    mv: M,
    points: Option<f64>,
) -> (bool, String) {
    let value = points.map_or_else(String::new, |points| {
        format!(
            " ({}, the best move {})",
            percent(points),
            percent(judged.before)
        )
    });
    if judged.line.first() == Some(&mv) {
        return (true, format!("Right: {mv} is the best move."));
    }
    if mv == judged.played {
        return (false, format!("That is what was played{value}."));
    }
    match points.is_some_and(|points| judged.before - points < GOOD) {
        true => (true, format!("Right: {mv} is as good as the best{value}.")),
        false => (false, format!("{mv} is not the best{value}.")),
    }
}
