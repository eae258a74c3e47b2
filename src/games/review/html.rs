//! A review as one page that needs nothing else, neither a script nor another file.

use std::fmt::Write;

use super::Review;
use super::svg::{class, escaped, graph};
use super::text::{LEGEND, change, variation};
use totemic_engine::drawing::svg::board;
use totemic_engine::game::{Cells, Game, Side, squares_of};

const STYLE: &str = include_str!("page.css");

/// Colours of the frames around squares of a board.
const PLAYED_COLOUR: &str = "#d9302c";
const BETTER_COLOUR: &str = "#2e9e4f";

/// A whole page with these sections, one for each game.
pub fn html_page(sections: &[String]) -> String {
    let body = sections.concat();
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Review</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n{body}</body>\n</html>\n"
    )
}

/// The section of one game.
pub fn html_section<G: Game>(review: &Review<G>) -> String {
    let [first, second] = Side::BOTH.map(|side| escaped(&review.player(side)));
    let (title, name) = (G::TITLE, G::SIDE_NAMES[0]);
    let mut page =
        format!("<article>\n<h1>{title}: {first} – {second}</h1>\n<ul class=\"summary\">\n");
    for line in review.summary() {
        // Writing into a string cannot fail, here and below.
        let _ = writeln!(page, "<li>{}</li>", escaped(&line));
    }
    page.push_str("</ul>\n");
    let _ = writeln!(
        page,
        "<h2>Odds of {name}</h2>\n<p class=\"note\">Expected points of {name} after each move, a \
         win being 100 %. Dots are errors.</p>\n{}",
        graph(review)
    );
    turning_points(&mut page, review);
    page.push_str("<h2>Accuracy</h2>\n");
    table(&mut page, &review.accuracy_table(), std::iter::empty());
    page.push_str("<h2>Moves</h2>\n");
    let classes = review.moves.iter().map(|judged| class(judged.mark));
    table(&mut page, &review.moves_table(change), classes);
    // Here words, and no `!`, say what is proved.
    let legend: Vec<&str> = LEGEND.lines().filter(|it| !it.starts_with('!')).collect();
    let legend = legend.join("\n");
    let _ = writeln!(page, "<p class=\"note\">{legend}</p>\n</article>");
    page
}

fn turning_points<G: Game>(page: &mut String, review: &Review<G>) {
    let turns = review.turning_points(usize::MAX);
    if turns.is_empty() {
        return;
    }
    page.push_str(
        "<h2>Turning points</h2>\n<p class=\"note\">The squares of the move played have a red \
         frame, those of the better move a green one.</p>\n<div class=\"turns\">\n",
    );
    for judged in turns {
        let position = &review.positions[judged.ply];
        let better = (judged.better()).map_or(Cells::EMPTY, |&best| squares_of::<G>(best));
        let frames = [
            (squares_of::<G>(judged.played), PLAYED_COLOUR),
            (better, BETTER_COLOUR),
        ];
        let _ = writeln!(
            page,
            "<section class=\"turn\">\n<h3>{} {} <b>{}</b> <span class=\"{}\">{}</span></h3>\n\
             {}<p>{}</p>\n<p>Should have been: <b>{}</b></p>\n",
            review.move_number(judged.ply),
            G::SIDE_NAMES[judged.side.index()],
            judged.played,
            class(judged.mark),
            judged.mark.name(),
            board(position, &frames),
            escaped(&change(judged)),
            variation(&judged.pv)
        );
        for caption in position.captions() {
            let _ = writeln!(page, "<p class=\"note\">{}</p>", escaped(&caption));
        }
        page.push_str("</section>\n");
    }
    page.push_str("</div>\n");
}

/// Writes a table; its first row has the names of the columns, and each of the others may
/// have a class.
fn table<'a>(page: &mut String, rows: &[Vec<String>], mut classes: impl Iterator<Item = &'a str>) {
    let head = &rows[0];
    page.push_str("<table>\n<tr>");
    for name in head {
        let _ = write!(page, "<th>{name}</th>");
    }
    page.push_str("</tr>\n");
    for row in &rows[1..] {
        let class = classes.next().unwrap_or_default();
        let _ = write!(page, "<tr class=\"{class}\">");
        // On a phone each cell is on a line of its own, after its name.
        for (name, cell) in head.iter().zip(row) {
            let _ = write!(page, "<td data-name=\"{name}\">{}</td>", escaped(cell));
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</table>\n");
}
