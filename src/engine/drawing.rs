//! Pictures of positions, made of characters.

pub mod svg;

use crate::game::{Cell, Cells, Game, Outcome, Side};

/// Parameters of the ANSI sequence "select graphic rendition".
type Style = &'static str;
/// Styles of the first side, the second side, and everything neutral: colours of the
/// palette of 256 that can be read on black and on white.
const FIRST: Style = "1;38;5;32";
const SECOND: Style = "1;38;5;160";
const NEUTRAL: Style = "1;38;5;28";
const FAINT: Style = "2";

/// Draws a position: the board with its files and ranks, then the position's text, its
/// key, and the side to move or the result. Reserves or the running score stand beside
/// the board if `columns` is wide enough for that, otherwise below it. Every line ends
/// with a line feed; `colour` adds ANSI escapes.
///
/// ```
/// use totemic_engine::drawing::draw;
/// use totemic_engine::game::{Game, Yoxii};
///
/// let picture = draw(&Yoxii::start(), 60, false);
/// assert!(picture.contains("4  . . . * . . ."));
/// ```
pub fn draw<G: Game>(position: &G, columns: usize, colour: bool) -> String {
    let mut text = board(position, Cells::EMPTY, columns, colour);
    let end = match position.outcome() {
        None => {
            let turn = format!("{} ({})", position.side_name(), position.side().word());
            ("turn", turn)
        }
        Some(Outcome::Draw) => ("result", "draw".to_owned()),
        Some(Outcome::Win(winner)) => ("result", format!("{} wins", G::SIDE_NAMES[winner.index()])),
    };
    text.push('\n');
    let key = format!("{:016x}", position.key());
    for (name, fact) in [("fen", position.to_string()), ("key", key), end] {
        let name = styled(&format!("{name:<6}"), FAINT, colour);
        text += &format!("{name}  {fact}\n");
    }
    text
}

/// Draws a position for somebody who plays: the board with a `>` before each marked
/// square. Reserves or the running score stand beside the board if `columns` is wide
/// enough for that, otherwise below it. Every line ends with a line feed.
///
/// ```
/// use totemic_engine::drawing::board;
/// use totemic_engine::game::{Cells, Game, Yoxii};
///
/// let start = Yoxii::start();
/// let picture = board(&start, Cells::of(start.totem()), 60, false);
/// assert!(picture.contains("4  . . .>* . . ."));
/// assert!(picture.lines().all(|line| line.len() <= 60));
/// ```
pub fn board<G: Game>(position: &G, marked: Cells, columns: usize, colour: bool) -> String {
    let glyphs = G::BOARD.into_iter().filter_map(|cell| position.glyph(cell));
    let width = glyphs.map(|glyph| glyph.text.chars().count()).max();
    let width = width.unwrap_or(1);
    let beside = 2 + usize::from(G::SIZE) * (width + 1) + CAPTION_GAP.len();
    let fits = |caption: &String| beside + caption.chars().count() <= columns;
    let mut captions = position.captions();
    if !captions.iter().all(fits) {
        captions = captions.iter().flat_map(|caption| parts(caption)).collect();
    }
    let below = match captions.iter().all(fits) {
        true => Vec::new(),
        false => std::mem::take(&mut captions),
    };
    let first = usize::from(G::SIZE).saturating_sub(captions.len()) / 2;
    let mut text = String::new();
    for (row, rank) in (0..G::SIZE).rev().enumerate() {
        let mut line = styled(&format!("{} ", rank + 1), FAINT, colour);
        for cell in (0..G::SIZE).map(|file| Cell::at(file, rank)) {
            line += &match marked.has(cell) {
                true => styled(">", NEUTRAL, colour),
                false => " ".to_owned(),
            };
            let (shown, style) = shown(position, cell);
            let padding = width.saturating_sub(shown.chars().count());
            line += &(styled(&shown, style, colour) + &" ".repeat(padding));
        }
        if let Some(caption) = row.checked_sub(first).and_then(|at| captions.get(at)) {
            line += CAPTION_GAP;
            line += caption;
        }
        text += line.trim_end();
        text.push('\n');
    }
    let files = (b'a'..).take(G::SIZE.into()).map(char::from);
    let edge: String = files.map(|file| format!(" {file:<width$}")).collect();
    text += &styled(&format!("  {}", edge.trim_end()), FAINT, colour);
    text.push('\n');
    for caption in below {
        text += &caption;
        text.push('\n');
    }
    text
}

const CAPTION_GAP: &str = "    ";
/// Separates the two parts of a caption, which may also be put on separate lines.
const PART_SEPARATOR: &str = "   ";

/// The parts of a caption, each for a line of its own.
fn parts(caption: &str) -> Vec<String> {
    match caption.rsplit_once(PART_SEPARATOR) {
        None => vec![caption.to_owned()],
        Some((first, second)) => vec![first.to_owned(), format!("       {second}")],
    }
}

/// What stands for a square, and its style.
fn shown<G: Game>(position: &G, cell: Cell) -> (String, Style) {
    if !G::BOARD.has(cell) {
        return (String::new(), NEUTRAL);
    }
    let Some(glyph) = position.glyph(cell) else {
        return (".".to_owned(), FAINT);
    };
    let style = match glyph.side {
        Some(Side::First) => FIRST,
        Some(Side::Second) => SECOND,
        None => NEUTRAL,
    };
    (glyph.text, style)
}

fn styled(text: &str, style: Style, colour: bool) -> String {
    match colour && !text.is_empty() {
        true => format!("\x1b[{style}m{text}\x1b[0m"),
        false => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use anstream::adapter::strip_str;

    use super::*;
    use crate::game::{Hokito, Rng, random_game};

    #[test]
    fn columns_stay_aligned_and_colour_changes_no_character() {
        let mut rng = Rng::new(7);
        for plies in 0..30 {
            let (_, position) = random_game(Hokito::start(), plies, &mut rng);
            let plain = draw(&position, usize::MAX, false);
            let coloured = draw(&position, usize::MAX, true);
            assert_eq!(strip_str(&coloured).to_string(), plain);
            assert!(plain.is_ascii());
            let edge = plain.lines().nth(6).unwrap_or_default();
            for file in 'a'..='f' {
                let column = edge.find(file).expect("the edge names every file");
                for line in plain.lines().take(6) {
                    let square = line.get(column - 1..=column).unwrap_or_default();
                    assert!(square.starts_with(' ') && !square.ends_with(' '), "{plain}");
                }
            }
        }
    }
}
