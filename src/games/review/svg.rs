//! The odds during a game as SVG.
//!
//! Colours are CSS classes, so that a page can have a dark style, too.

use std::fmt::Write;

use super::{Mark, Review};
use totemic_engine::game::Game;

/// Size of the graph without its labels.
const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 200.0;
/// Room for labels on the left, above and below.
const LEFT: f64 = 64.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 34.0;

/// Escapes the special characters of XML in a text.
pub fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}

/// Draws the graph of the first side's odds, with errors as dots.
pub(super) fn graph<G: Game>(review: &Review<G>) -> String {
    let moves = review.game.moves.len();
    let x = |ply: usize| LEFT + WIDTH * ply as f64 / moves.max(1) as f64;
    let mut svg = format!(
        "<svg class=\"graph\" viewBox=\"0 0 {} {}\" role=\"img\" \
         aria-label=\"Odds of {} after each move\">\n",
        LEFT + WIDTH + 12.0,
        TOP + HEIGHT + BOTTOM,
        G::SIDE_NAMES[0]
    );
    plane(&mut svg);
    for ply in (0..=moves).step_by(5) {
        let _ = writeln!(
            svg,
            "<text class=\"label\" x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{ply}</text>",
            x(ply),
            TOP + HEIGHT + 18.0
        );
    }
    curve(&mut svg, &review.expected_by_ply(), x);
    for judged in review.moves.iter().filter(|it| it.mark >= Mark::Inaccuracy) {
        let after = super::for_first(judged.side, judged.after);
        let _ = writeln!(
            svg,
            "<circle class=\"{}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"5\"><title>{}</title></circle>",
            class(judged.mark),
            x(judged.ply + 1),
            y(after),
            escaped(&review.describe_error(judged))
        );
    }
    svg.push_str("</svg>\n");
    svg
}

fn y(points: f64) -> f64 {
    TOP + HEIGHT * (1.0 - points)
}

/// Draws what is behind the curve. Writing into a string cannot fail, here and elsewhere.
fn plane(svg: &mut String) {
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
}

/// Draws the odds after numbers of plies, and fills what lies between them and the middle.
fn curve(svg: &mut String, expected: &[(usize, f64)], x: impl Fn(usize) -> f64) {
    let (Some(first), Some(last)) = (expected.first(), expected.last()) else {
        return;
    };
    let middle = y(0.5);
    let (begin, end) = (x(first.0), x(last.0));
    let path: Vec<String> = (expected.iter())
        .map(|&(ply, points)| format!("{:.1} {:.1}", x(ply), y(points)))
        .collect();
    let path = path.join(" L");
    let _ = writeln!(
        svg,
        "<path class=\"area\" d=\"M{begin:.1} {middle} L{path} L{end:.1} {middle}Z\"/>\n\
         <path class=\"curve\" d=\"M{path}\"/>"
    );
}

pub(super) const fn class(mark: Mark) -> &'static str {
    match mark {
        Mark::OnlyMove => Mark::Best.name(),
        mark => mark.name(),
    }
}
