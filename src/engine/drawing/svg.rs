//! Pictures of boards as SVG, as the board in the browser draws them. They need no style
//! sheet, so they can be used on their own.

use std::f64::consts::PI;
use std::fmt::Write;

use crate::game::{Cell, Cells, Game, Glyph, Side};

/// Side of a square; all other sizes are relative to it.
const CELL: i32 = 100;
/// Width of the band around the squares, which holds the names of files and ranks.
const BAND: i32 = 46;
/// The most pieces that are drawn for a stack; its height is written beside it.
const MAX_DRAWN_HEIGHT: i32 = 6;
const CENTRED: &str = "font-family=\"system-ui, sans-serif\" text-anchor=\"middle\" \
                       dominant-baseline=\"central\"";
/// Strokes that show the values 1, 2, ... on pieces that are never stacked.
const SINGLES: [&str; 4] = [
    "M0 -16A16 16 0 1 1 0 16A16 16 0 1 1 0 -16Z",
    "M-8 -15V15M8 -15V15",
    "M-14 -16L0 0L14 -16M0 0V17",
    "M-14 -15L14 15M14 -15L-14 15",
];
/// The same on pieces that lie on others.
const STACKED: [&str; 3] = [
    "M0 -15V15",
    "M-8 -15V15M8 -15V15",
    "M-14 -15V15M0 -15V15M14 -15V15",
];

/// A picture of a position as a file of its own.
pub fn document<G: Game>(position: &G) -> String {
    let namespace = "<svg xmlns=\"http://www.w3.org/2000/svg\"";
    board(position, &[]).replacen("<svg", namespace, 1)
}

/// Draws the board, with coloured frames around some squares.
///
/// ```
/// use totemic_engine::drawing::svg::board;
/// use totemic_engine::game::{Cells, Game, Hokito};
///
/// let start = Hokito::start();
/// let picture = board(&start, &[(Cells::EMPTY, "red")]);
/// assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
/// ```
pub fn board<G: Game>(position: &G, frames: &[(Cells, &str)]) -> String {
    let size = 2 * BAND + CELL * i32::from(G::SIZE);
    let mut svg = format!(
        "<svg class=\"board\" viewBox=\"0 0 {size} {size}\" role=\"img\" aria-label=\"{position}\">\n"
    );
    empty_board::<G>(&mut svg, size);
    for cell in G::BOARD {
        if let Some(glyph) = position.glyph(cell) {
            let (x, y) = middle::<G>(cell);
            let _ = writeln!(svg, "<g transform=\"translate({x} {y})\">");
            match glyph.side {
                None => totem(&mut svg),
                Some(side) => piece::<G>(&mut svg, side, &glyph),
            }
            svg.push_str("</g>\n");
        }
    }
    for (index, (cells, colour)) in (0..).zip(frames) {
        let half = 46 - 6 * index;
        for (x, y) in cells.into_iter().map(middle::<G>) {
            let _ = writeln!(
                svg,
                "<rect x=\"{}\" y=\"{}\" width=\"{2}\" height=\"{2}\" rx=\"12\" fill=\"none\" \
                 stroke=\"{colour}\" stroke-width=\"6\"/>",
                x - half,
                y - half,
                2 * half
            );
        }
    }
    svg.push_str("</svg>\n");
    svg
}

fn middle<G: Game>(cell: Cell) -> (i32, i32) {
    let at = |index: u8| BAND + CELL * i32::from(index) + CELL / 2;
    (at(cell.file()), at(G::SIZE - 1 - cell.rank()))
}

/// Draws the wood, its squares and their names.
fn empty_board<G: Game>(svg: &mut String, size: i32) {
    let has_corners = G::BOARD.has(Cell::at(0, 0));
    let (low, high, cut) = (10, size - 10, if has_corners { 26 } else { BAND + 155 });
    let far = size - cut;
    // Writing into a string cannot fail, here and elsewhere.
    let _ = writeln!(
        svg,
        "<path d=\"M{cut} {low}H{far}L{high} {cut}V{far}L{far} {high}H{cut}L{low} {far}V{cut}Z\" \
         fill=\"#c99f66\" stroke=\"#8f6a3a\" stroke-width=\"6\" stroke-linejoin=\"round\"/>"
    );
    for (x, y) in G::BOARD.into_iter().map(middle::<G>) {
        let _ = writeln!(
            svg,
            "<rect x=\"{}\" y=\"{}\" width=\"94\" height=\"94\" rx=\"12\" fill=\"#e6c796\" \
             stroke=\"#a97f49\" stroke-width=\"2\"/>",
            x - 47,
            y - 47
        );
    }
    let mut name = |x: i32, y: i32, name: u8| {
        let _ = writeln!(
            svg,
            "<text x=\"{x}\" y=\"{y}\" fill=\"#4a3517\" font-size=\"22\" font-weight=\"600\" \
             {CENTRED}>{}</text>",
            char::from(name)
        );
    };
    for file in 0..G::SIZE {
        if let Some(lowest) = G::BOARD.into_iter().find(|cell| cell.file() == file) {
            let (x, y) = middle::<G>(lowest);
            name(x, y + CELL / 2 + 15, b'a' + file);
        }
    }
    for rank in 0..G::SIZE {
        if let Some(leftmost) = G::BOARD.into_iter().find(|cell| cell.rank() == rank) {
            let (x, y) = middle::<G>(leftmost);
            name(x - CELL / 2 - 15, y, b'1' + rank);
        }
    }
}

fn totem(svg: &mut String) {
    let point = |index: u8| {
        let radius = if index.is_multiple_of(2) { 24.0 } else { 10.0 };
        let angle = f64::from(index) * PI / 5.0 - PI / 2.0;
        format!("{:.1},{:.1}", radius * angle.cos(), radius * angle.sin())
    };
    let star: Vec<String> = (0..10).map(point).collect();
    let _ = writeln!(
        svg,
        "<circle cy=\"3\" r=\"41\" fill=\"#17472a\"/>\
         <circle cy=\"-1\" r=\"40\" fill=\"#2f7d4c\" stroke=\"#17472a\" stroke-width=\"2\"/>\
         <polygon points=\"{}\" fill=\"#f7e7a6\"/>",
        star.join(" ")
    );
}

fn piece<G: Game>(svg: &mut String, side: Side, glyph: &Glyph) {
    let height = i32::from(glyph.height.unwrap_or(1));
    let (face, rim, ink) = match G::SIDE_NAMES[side.index()] {
        "White" => ("#fbf5e6", "#b9a888", "#2b2826"),
        "Black" => ("#2f2b28", "#0f0d0c", "#f6ead2"),
        _ => ("#c4342d", "#7d1813", "#fff3e4"),
    };
    let (radius, strokes) = match glyph.height {
        Some(_) => (35, &STACKED[..]),
        None => (39, &SINGLES[..]),
    };
    let strokes = strokes.get(usize::from(glyph.value).wrapping_sub(1));
    let below = height.min(MAX_DRAWN_HEIGHT) - 1;
    let top = -3 * below;
    for level in (1..=below).rev() {
        let _ = writeln!(
            svg,
            "<circle cy=\"{}\" r=\"{radius}\" fill=\"#c39a63\" stroke=\"#6f4f27\"/>",
            top + 5 * level
        );
    }
    let _ = writeln!(
        svg,
        "<circle cy=\"{}\" r=\"{radius}\" fill=\"{rim}\"/>\
         <circle cy=\"{top}\" r=\"{radius}\" fill=\"{face}\" stroke=\"{rim}\" stroke-width=\"2\"/>\
         <path d=\"{}\" transform=\"translate(0 {top})\" fill=\"none\" stroke=\"{ink}\" \
         stroke-width=\"7\" stroke-linecap=\"round\" stroke-linejoin=\"round\"/>",
        top + 3,
        strokes.unwrap_or(&"")
    );
    if height > 1 {
        let half = if height > 9 { 17 } else { 13 };
        let _ = writeln!(
            svg,
            "<g transform=\"translate(27 {})\"><rect x=\"{}\" y=\"-13\" width=\"{}\" height=\"26\" \
             rx=\"13\" fill=\"#2b2826\" stroke=\"#fff\" stroke-width=\"2\"/>\
             <text y=\"1\" fill=\"#fff\" font-size=\"19\" font-weight=\"700\" {CENTRED}>{height}</text></g>",
            top - 25,
            -half,
            2 * half
        );
    }
}
