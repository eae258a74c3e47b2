//! Pictures of a review as SVG: the odds over the game, boards.
//!
//! Colours are CSS classes, so that a page can have a dark side, too.

use std::fmt::Write;

use super::{Mark, MoveReview, Review};
use crate::game::{Cell, Cells, Game, squares_of};
use crate::record::notation::Notation;

/// Size of the graph without its labels.
const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 200.0;
/// Room for labels at the left, above and below.
const LEFT: f64 = 64.0;
const TOP: f64 = 12.0;
const BELOW: f64 = 34.0;
/// Side of a square of a board.
const SQUARE: f64 = 44.0;

/// Text that means nothing to XML.
#[must_use]
pub(crate) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            _ => safe.push(c),
        }
    }
    safe
}

/// The graph of the first side's odds, errors as dots.
#[must_use]
pub(super) fn graph<G: Game>(review: &Review<G>) -> String {
    let chances = review.chances();
    let plies = review.game.moves.len().max(1) as f64;
    let x = |ply: usize| LEFT + WIDTH * ply as f64 / plies;
    let y = |points: f64| TOP + HEIGHT * (1.0 - points);
    let mut svg = format!(
        "<svg class=\"graph\" viewBox=\"0 0 {} {}\" role=\"img\" \
         aria-label=\"Odds of {} after each move\">\n",
        LEFT + WIDTH + 12.0,
        TOP + HEIGHT + BELOW,
        G::SIDE_NAMES[0]
    );
    // Writing into a string cannot fail, here and below.
    let _ = writeln!(
        svg,
        "<rect class=\"plane\" x=\"{LEFT}\" y=\"{TOP}\" width=\"{WIDTH}\" height=\"{HEIGHT}\"/>"
    );
    for (points, label) in [(1.0, "100 %"), (0.5, "50 %"), (0.0, "0 %")] {
        let at = y(points);
        let _ = writeln!(
            svg,
            "<path class=\"grid\" d=\"M{LEFT} {at}h{WIDTH}\"/>\
             <text class=\"label\" x=\"{}\" y=\"{}\" text-anchor=\"end\">{label}</text>",
            LEFT - 8.0,
            at + 4.0
        );
    }
    for ply in (0..=review.game.moves.len()).step_by(5) {
        let _ = writeln!(
            svg,
            "<text class=\"label\" x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{ply}</text>",
            x(ply),
            TOP + HEIGHT + 18.0
        );
    }
    let path: Vec<String> = chances
        .iter()
        .map(|&(ply, points)| format!("{:.1} {:.1}", x(ply), y(points)))
        .collect();
    if let (Some(first), Some(last)) = (chances.first(), chances.last()) {
        let _ = writeln!(
            svg,
            "<path class=\"area\" d=\"M{:.1} {} L{} L{:.1} {}Z\"/>\n<path class=\"curve\" d=\"M{}\"/>",
            x(first.0),
            y(0.5),
            path.join(" L"),
            x(last.0),
            y(0.5),
            path.join(" L")
        );
    }
    for judged in review.moves.iter().filter(|it| it.mark >= Mark::Inaccuracy) {
        let after = super::for_first(judged.side, judged.after);
        let _ = writeln!(
            svg,
            "<circle class=\"{}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"5\"><title>{}</title></circle>",
            class(judged.mark),
            x(judged.ply + 1),
            y(after),
            escaped(&review.error(judged))
        );
    }
    svg.push_str("</svg>\n");
    svg
}

/// The CSS class of a mark.
#[must_use]
pub(super) const fn class(mark: Mark) -> &'static str {
    match mark {
        Mark::OnlyMove | Mark::Best => "best",
        Mark::Good => "good",
        Mark::Inaccuracy => "inaccuracy",
        Mark::Mistake => "mistake",
        Mark::Blunder => "blunder",
    }
}

/// The board before a judged move: the squares of the move played and of the
/// better one are framed.
#[must_use]
pub(super) fn board<G: Game>(position: &G, judged: &MoveReview<G::Move>) -> String {
    let played = squares_of::<G>(judged.played);
    let better = (judged.better()).map_or(Cells::EMPTY, |&best| squares_of::<G>(best));
    let (files, ranks) = extent::<G>();
    let height = f64::from(ranks.1 - ranks.0 + 1) * SQUARE;
    let width = f64::from(files.1 - files.0 + 1) * SQUARE;
    let mut svg = format!(
        "<svg class=\"board\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n",
        width + 24.0,
        height + 24.0,
        escaped(&position.to_string())
    );
    for cell in G::BOARD {
        let left = 22.0 + f64::from(cell.file() - files.0) * SQUARE;
        let top = 2.0 + f64::from(ranks.1 - cell.rank()) * SQUARE;
        let _ = writeln!(
            svg,
            "<rect class=\"square\" x=\"{left}\" y=\"{top}\" width=\"{SQUARE}\" height=\"{SQUARE}\"/>"
        );
        piece(
            &mut svg,
            position,
            cell,
            left + SQUARE / 2.0,
            top + SQUARE / 2.0,
        );
        for (cells, class, inset) in [(played, "played", 2.0), (better, "better", 5.0)] {
            if cells.has(cell) {
                let _ = writeln!(
                    svg,
                    "<rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\"{2}\" height=\"{2}\"/>",
                    left + inset,
                    top + inset,
                    SQUARE - 2.0 * inset,
                );
            }
        }
    }
    edges(&mut svg, files, ranks, height);
    svg.push_str("</svg>\n");
    svg
}

/// Names of files and ranks.
fn edges(svg: &mut String, files: (u8, u8), ranks: (u8, u8), height: f64) {
    for file in files.0..=files.1 {
        let x = 22.0 + (f64::from(file - files.0) + 0.5) * SQUARE;
        let name = char::from(b'a' + file);
        let _ = writeln!(
            svg,
            "<text class=\"label\" x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{name}</text>",
            height + 18.0
        );
    }
    for rank in ranks.0..=ranks.1 {
        let y = 2.0 + (f64::from(ranks.1 - rank) + 0.5) * SQUARE + 4.0;
        let _ = writeln!(
            svg,
            "<text class=\"label\" x=\"9\" y=\"{y}\" text-anchor=\"middle\">{}</text>",
            rank + 1
        );
    }
}

fn piece<G: Game>(svg: &mut String, position: &G, cell: Cell, x: f64, y: f64) {
    let Some(glyph) = position.glyph(cell) else {
        return;
    };
    let class = match glyph.side {
        Some(side) => match G::SIDE_NAMES[side.index()] {
            "White" => "white",
            "Black" => "black",
            _ => "red",
        },
        None => "neutral",
    };
    let size = if glyph.text.len() > 2 { 12 } else { 16 };
    let _ = writeln!(
        svg,
        "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{}\"/>\
         <text class=\"on-{class}\" x=\"{x}\" y=\"{}\" font-size=\"{size}\" \
         text-anchor=\"middle\">{}</text>",
        SQUARE * 0.4,
        y + f64::from(size) * 0.36,
        escaped(&glyph.text)
    );
}

/// First and last file and rank of the board.
fn extent<G: Game>() -> ((u8, u8), (u8, u8)) {
    let (mut files, mut ranks) = ((u8::MAX, 0), (u8::MAX, 0));
    for cell in G::BOARD {
        files = (files.0.min(cell.file()), files.1.max(cell.file()));
        ranks = (ranks.0.min(cell.rank()), ranks.1.max(cell.rank()));
    }
    (files, ranks)
}

/// What a board shows, in words.
#[must_use]
pub(super) fn legend<G: Notation>() -> String {
    let marks = G::MARKS.iter().enumerate();
    let values: Vec<String> = marks
        .map(|(index, mark)| format!("{} is {}", mark.to_ascii_uppercase(), index + 1))
        .collect();
    let pieces = if values.is_empty() {
        "b3 is a black pawn of value 3, w2:5 a stack of five with a white pawn of value 2 on top"
            .to_owned()
    } else {
        format!("Values: {}; * is the totem", values.join(", "))
    };
    format!(
        "Squares of the move played have a red frame, those of the better move a green one. \
         {pieces}."
    )
}
