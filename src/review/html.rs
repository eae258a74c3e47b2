//! A review as one page that needs nothing else: no script, no other file.

use std::fmt::Write;

use super::svg::{board, class, escaped, graph, legend};
use super::text::{change, line, opinion};
use super::{Mark, MoveReview, Review};
use crate::game::{Game, Side};
use crate::record::notation::Notation;

/// The colours of the page, light and dark.
const STYLE: &str = include_str!("page.css");

/// A page of games that were made by [`section`].
#[must_use]
pub fn page(sections: &[String]) -> String {
    let body = sections.concat();
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Review</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n{body}</body>\n</html>\n"
    )
}

/// One game of a page.
#[must_use]
pub fn section<G: Notation>(review: &Review<G>) -> String {
    let [first, second] = [Side::First, Side::Second].map(|side| escaped(&review.player(side)));
    let mut page = format!(
        "<article>\n<h1>{}: {first} – {second}</h1>\n<ul class=\"summary\">\n",
        G::TITLE
    );
    for line in review.summary() {
        // Writing into a string cannot fail, here and below.
        let _ = writeln!(page, "<li>{}</li>", escaped(&line));
    }
    page.push_str("</ul>\n");
    let _ = writeln!(
        page,
        "<h2>Odds of {}</h2>\n<p class=\"note\">Expected points of {} after each move, a win being \
         100 %. Dots are errors.</p>\n{}",
        G::SIDE_NAMES[0],
        G::SIDE_NAMES[0],
        graph(review)
    );
    turning_points(&mut page, review);
    accuracy(&mut page, review);
    moves(&mut page, review);
    page.push_str("</article>\n");
    page
}

fn turning_points<G: Notation>(page: &mut String, review: &Review<G>) {
    let turns = review.turning_points(usize::MAX);
    if turns.is_empty() {
        return;
    }
    let _ = writeln!(
        page,
        "<h2>Turning points</h2>\n<p class=\"note\">{}</p>",
        legend::<G>()
    );
    page.push_str("<div class=\"turns\">\n");
    for judged in turns {
        let position = &review.positions[judged.ply];
        let _ = writeln!(
            page,
            "<section class=\"turn\">\n<h3>{} {} <b>{}</b> <span class=\"{}\">{}</span></h3>\n\
             {}<p>{}</p>\n<p>Should have been: <b>{}</b></p>\n",
            review.move_number(judged.ply),
            G::SIDE_NAMES[judged.side.index()],
            judged.played,
            class(judged.mark),
            judged.mark.name(),
            board(position, judged),
            escaped(&change(judged)),
            line(&judged.line)
        );
        for note in position.notes() {
            let _ = writeln!(page, "<p class=\"note\">{}</p>", escaped(&note));
        }
        page.push_str("</section>\n");
    }
    page.push_str("</div>\n");
}

fn accuracy<G: Game>(page: &mut String, review: &Review<G>) {
    page.push_str(
        "<h2>Accuracy</h2>\n<table>\n<tr><th>side</th><th>moves</th>\
         <th>lost a move</th><th>proved moves</th><th>points a move</th>",
    );
    for mark in Mark::ALL {
        let _ = write!(page, "<th>{}</th>", mark.name());
    }
    page.push_str("</tr>\n");
    for side in [Side::First, Side::Second] {
        let sum = review.accuracy(side);
        let number = |value: Option<f64>, digits: usize| {
            value.map_or_else(|| "–".to_owned(), |value| format!("{value:.digits$}"))
        };
        let _ = write!(
            page,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>",
            escaped(&review.player(side)),
            sum.moves,
            number(sum.lost_a_move(), 3),
            sum.proved_moves,
            number(sum.proved_a_move(), 1)
        );
        for mark in Mark::ALL {
            let _ = write!(page, "<td>{}</td>", sum.count(mark));
        }
        page.push_str("</tr>\n");
    }
    page.push_str(
        "</table>\n<p class=\"note\">Lost a move: expected points given away, a win being 1. \
         Proved moves: those of which the solver knows the margin before and after.</p>\n",
    );
}

fn moves<G: Game>(page: &mut String, review: &Review<G>) {
    let has_second = review.moves.iter().any(|judged| judged.second.is_some());
    let second = if has_second {
        "<th>second opinion</th>"
    } else {
        ""
    };
    let _ = writeln!(
        page,
        "<h2>Moves</h2>\n<table>\n<tr><th></th><th>side</th><th>played</th><th>chances</th>\
         <th>mark</th><th>better</th>{second}</tr>"
    );
    for judged in &review.moves {
        let better = judged
            .better()
            .map_or_else(String::new, |_| line(&judged.line));
        let _ = write!(
            page,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td class=\"{}\">{}</td><td>{better}</td>",
            review.move_number(judged.ply),
            G::SIDE_NAMES[judged.side.index()],
            judged.played,
            escaped(&change(judged)),
            class(judged.mark),
            mark(judged),
        );
        if has_second {
            let said = judged.second.as_ref().map_or_else(String::new, opinion);
            let _ = write!(page, "<td>{}</td>", escaped(&said));
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</table>\n");
}

/// The mark with the points that it costs for certain.
fn mark<M>(judged: &MoveReview<M>) -> String {
    match judged.proved_loss {
        Some(points) if points > 0 => format!("{}, {points} points", judged.mark.name()),
        _ => judged.mark.name().to_owned(),
    }
}
