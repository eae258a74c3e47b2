//! Texts for people, and texts of others on their way to people.

use std::path::Path;

/// A number of things for people: `1 stack`, `2 stacks`.
pub fn number_of(count: impl ToString, noun: &str) -> String {
    let count = count.to_string();
    let ending = if count == "1" { "" } else { "s" };
    format!("{count} {noun}{ending}")
}

/// A table for people, whose first row names the columns. The first `left` columns are
/// aligned to the left, the others to the right.
///
/// # Panics
/// If there are no rows.
pub fn table(rows: &[Vec<String>], left: usize) -> String {
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..rows[0].len()).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().zip(&widths).enumerate();
        let cells = cells.map(|(column, (cell, &width))| match column < left {
            true => format!("{cell:<width$}"),
            false => format!("{cell:>width$}"),
        });
        text += cells.collect::<Vec<_>>().join("  ").trim_end();
        text.push('\n');
    }
    text
}

/// The most characters of a quoted text: it leaves room for the explanation.
const MAX_QUOTED_TEXT: usize = 60;

/// A text in quotes for a message: cut if it is long, and without characters that
/// could tell a terminal what to do.
pub fn quoted(text: &str) -> String {
    within_quotes(text, MAX_QUOTED_TEXT)
}

/// The most characters of a quoted path: one that is cut no longer tells which file it
/// names.
const MAX_QUOTED_PATH: usize = 200;

/// A path in quotes for a message, like a text by [`quoted`].
pub fn quoted_path(path: &Path) -> String {
    within_quotes(&path.to_string_lossy(), MAX_QUOTED_PATH)
}

/// A text in quotes, cut after `most` characters.
fn within_quotes(text: &str, most: usize) -> String {
    let mut shown = String::from("'");
    let mut chars = text.chars();
    for char in chars.by_ref().take(most) {
        match char {
            // Quotes and backslashes, which would be escaped as well, do no harm.
            ' '..='~' => shown.push(char),
            _ => shown.extend(char.escape_debug()),
        }
    }
    shown.push_str(if chars.next().is_some() { "...'" } else { "'" });
    shown
}

/// The one gate for a text of somebody else, such as a name in a file or what an engine
/// says, on its way to a terminal or a page: without what could tell a terminal what to
/// do, break a line or turn the direction of writing.
pub fn sanitized(text: &str) -> String {
    let shown = |char: char| match char {
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' => None,
        '\u{2066}'..='\u{2069}' | '\u{feff}' => None,
        '\u{2028}' | '\u{2029}' => Some(' '),
        char if char.is_control() => Some(' '),
        char => Some(char),
    };
    text.chars().filter_map(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quoted_text_is_short_and_harmless() {
        let long = "x".repeat(60);
        assert_eq!(quoted(&long), format!("'{long}'"));
        assert_eq!(quoted(&(long.clone() + "é")), format!("'{long}...'"));
        assert_eq!(quoted("l'été \\"), "'l'été \\'");
        assert_eq!(
            quoted("\x1b[2J\u{9b}\u{202e}\t"),
            "'\\u{1b}[2J\\u{9b}\\u{202e}\\t'"
        );
    }
}
