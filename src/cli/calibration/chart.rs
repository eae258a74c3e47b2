//! A picture of a calibration as SVG: points expected against points made.
//!
//! The picture has a ground of its own, light or dark as the reader likes it, so that
//! it can be read on any page. Parts of the game are told apart by dashes and by colours
//! that the colour-blind can tell apart, too (Okabe and Ito, 2008).

use std::fmt::Write;

use crate::review::escaped;
use crate::train::calibration::{Calibration, Table};

/// Side of the square of the graph.
const SIDE: f64 = 400.0;
/// Room for labels at the left and at the right, above and below.
const LEFT: f64 = 70.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 64.0;
const BELOW: f64 = 156.0;
/// Radius of the dot of no position, and what the most positions add.
const RADIUS: [f64; 2] = [2.0, 8.0];

const STYLE: &str = "\
.ground{fill:#fff}.text{fill:#24292f}.faint{fill:#57606a}.grid{stroke:#d0d7de}.even{stroke:#57606a}
.p0{color:#0072b2}.p1{color:#d55e00}.p2{color:#00805c}
@media (prefers-color-scheme:dark){
.ground{fill:#0d1117}.text{fill:#e6edf3}.faint{fill:#9aa4af}.grid{stroke:#30363d}.even{stroke:#9aa4af}
.p0{color:#56b4e9}.p1{color:#ff9d4d}.p2{color:#3fcf9f}}
text{font:13px system-ui,sans-serif}.title{font-size:16px;font-weight:600}
path{fill:none}.line{stroke:currentColor;stroke-width:2}.dot{fill:currentColor;fill-opacity:.75}
.p1 .line{stroke-dasharray:8 4}.p2 .line{stroke-dasharray:2 4}
";

/// The picture; `title` says whose scores they are.
pub(super) fn svg(calibration: &Calibration, title: &str) -> String {
    let (width, height) = (LEFT + SIDE + RIGHT, TOP + SIDE + BELOW);
    let title = escaped(title);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" role=\"img\">\n\
         <title>Points expected and made: {title}</title>\n<style>\n{STYLE}</style>\n\
         <rect class=\"ground\" width=\"{width}\" height=\"{height}\"/>\n\
         <text class=\"text title\" x=\"{LEFT}\" y=\"26\">Points expected and made</text>\n\
         <text class=\"faint\" x=\"{LEFT}\" y=\"46\">{title}</text>\n"
    );
    axes(&mut svg);
    let tenths = calibration.phases.iter().flat_map(|table| &table.tenths);
    let most = tenths.map(|tenth| tenth.positions).max().unwrap_or(0);
    for (index, table) in calibration.phases.iter().enumerate() {
        // Writing into a string cannot fail, here and below.
        let _ = writeln!(svg, "<g class=\"p{index}\">");
        line(&mut svg, table, most);
        let y = TOP + SIDE + 74.0 + 20.0 * index as f64;
        let _ = writeln!(
            svg,
            "<path class=\"line\" d=\"M{LEFT} {y}h36\"/>\
             <circle class=\"dot\" cx=\"{}\" cy=\"{y}\" r=\"5\"/>\
             <text class=\"text\" x=\"{}\" y=\"{}\">{}: {} positions</text>\n</g>",
            LEFT + 18.0,
            LEFT + 46.0,
            y + 4.5,
            words(table),
            table.positions()
        );
    }
    let _ = writeln!(
        svg,
        "<text class=\"faint\" x=\"{LEFT}\" y=\"{}\">The more positions, the larger a dot: \
         at most {most}</text>\n</svg>",
        TOP + SIDE + 142.0
    );
    svg
}

fn x(expected: f64) -> f64 {
    LEFT + SIDE * expected
}

fn y(made: f64) -> f64 {
    TOP + SIDE * (1.0 - made)
}

fn axes(svg: &mut String) {
    for step in 0..=5 {
        let (share, label) = (f64::from(step) / 5.0, 20 * step);
        let _ = writeln!(
            svg,
            "<path class=\"grid\" d=\"M{0} {1}V{2}M{3} {4}H{5}\"/>\
             <text class=\"faint\" x=\"{0}\" y=\"{6}\" text-anchor=\"middle\">{label} %</text>\
             <text class=\"faint\" x=\"{7}\" y=\"{8}\" text-anchor=\"end\">{label} %</text>",
            x(share),
            y(1.0),
            y(0.0),
            x(0.0),
            y(share),
            x(1.0),
            y(0.0) + 20.0,
            x(0.0) - 8.0,
            y(share) + 4.5
        );
    }
    let _ = writeln!(
        svg,
        "<path class=\"even\" d=\"M{} {}L{} {}\"/>\n\
         <text class=\"text\" x=\"{4}\" y=\"{5}\" text-anchor=\"middle\">expected by the score</text>\n\
         <text class=\"text\" transform=\"translate(18 {6}) rotate(-90)\" \
         text-anchor=\"middle\">made</text>",
        x(0.0),
        y(0.0),
        x(1.0),
        y(1.0),
        x(0.5),
        y(0.0) + 44.0,
        y(0.5)
    );
}

/// The line of a part of the game, and a dot for each tenth that has positions.
fn line(svg: &mut String, table: &Table, most: usize) {
    let (mut path, mut dots) = (String::new(), String::new());
    for tenth in &table.tenths {
        let Some([expected, made]) = tenth.means() else {
            continue;
        };
        let share = tenth.positions as f64 / most.max(1) as f64;
        let (x, y) = (x(expected), y(made));
        let step = if path.is_empty() { 'M' } else { 'L' };
        let _ = write!(path, "{step}{x:.1} {y:.1}");
        let _ = writeln!(
            dots,
            "<circle class=\"dot\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{:.1}\">\
             <title>{}: {:.1} % expected, {:.1} % made, {} positions</title></circle>",
            RADIUS[0] + RADIUS[1] * share.sqrt(),
            words(table),
            100.0 * expected,
            100.0 * made,
            tenth.positions
        );
    }
    let _ = write!(svg, "<path class=\"line\" d=\"{path}\"/>\n{dots}");
}

/// A part of the game as people say it.
fn words(table: &Table) -> String {
    match table.plies {
        [first, u8::MAX] => format!("{}, from ply {first} on", table.name),
        [first, last] => format!("{}, plies {first} to {last}", table.name),
    }
}
