//! The width of the terminal, and texts that fit into it.

use std::io;

use terminal_size::{Width, terminal_size_of};

/// Continued lines are indented by this many more columns.
const INDENT: usize = 2;

pub(super) fn width() -> Option<usize> {
    terminal_size_of(io::stdout()).map(|(Width(columns), _)| usize::from(columns).max(10))
}

/// The blanks between two columns of a table.
const GAP: &str = "  ";

/// Breaks lines at blanks to fit the width; longer words stay whole. All rows of a table
/// are broken before the same column, so that they stay aligned.
pub(super) fn folded(text: &str, width: Option<usize>) -> String {
    let Some(width) = width else {
        return text.replace(TIE, " ");
    };
    let is_row = |line: &&str| line.contains(GAP) && !line.starts_with(' ');
    let all: Vec<&str> = text.lines().collect();
    let mut lines = Vec::new();
    for block in all.chunk_by(|one, next| is_row(one) && is_row(next)) {
        let columns: Vec<usize> = match is_row(&block[0]) {
            true => cuts(block, width),
            false => Vec::new(),
        };
        for line in block {
            let (mut from, mut indent) = (0, 0);
            for to in columns.iter().copied().chain([usize::MAX]) {
                let part: String = line.chars().skip(from).take(to - from).collect();
                if from == 0 || !part.trim().is_empty() {
                    lines.extend(wrapped(&format!("{:indent$}{part}", ""), width));
                }
                (from, indent) = (to, INDENT);
            }
        }
    }
    let end = if text.ends_with('\n') { "\n" } else { "" };
    lines.join("\n") + end
}

/// Returns the columns before which the rows of a table are broken.
fn cuts(rows: &[&str], width: usize) -> Vec<usize> {
    let rows: Vec<Vec<char>> = rows.iter().map(|row| row.chars().collect()).collect();
    let is_gap = |column: usize| {
        let blank = |row: &Vec<char>, at: usize| row.get(at).is_none_or(|&c| c == ' ');
        rows.iter()
            .all(|row| blank(row, column - 2) && blank(row, column - 1))
    };
    let longest = rows.iter().map(Vec::len).max().unwrap_or(0);
    let (mut cuts, mut from, mut indent) = (Vec::new(), 0, 0);
    while indent + longest - from > width {
        let most = from + width + GAP.len() - indent;
        let Some(cut) = (from + GAP.len() + 1..=most.min(longest)).rfind(|&at| is_gap(at)) else {
            break;
        };
        cuts.push(cut);
        (from, indent) = (cut, INDENT);
    }
    cuts
}

/// A blank at which no line is broken, in a command that can be copied.
pub(super) const TIE: &str = "\u{a0}";

/// Further lines are indented. A position at the end of a line stays whole.
fn wrapped(line: &str, width: usize) -> Vec<String> {
    let tied = line.rsplit_once(' ').filter(|(rest, side)| {
        side.len() == 1 && rest.rsplit(' ').next().is_some_and(|it| it.contains('/'))
    });
    let tied = tied.map(|(rest, side)| [rest, side].join(TIE));
    let line = tied.as_deref().unwrap_or(line);
    let words = line.trim_start();
    let indent = line.len() - words.len();
    let further = " ".repeat(indent + INDENT);
    let options = textwrap::Options::new(width)
        .initial_indent(&line[..indent])
        .subsequent_indent(&further)
        .word_splitter(textwrap::WordSplitter::NoHyphenation)
        .break_words(false);
    let parts = textwrap::wrap(words.trim_end(), options).into_iter();
    parts.map(|part| part.replace(TIE, " ")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_at_blanks() {
        let text = "one two three four\n    five six seven\n\nlast\n";
        assert_eq!(folded(text, None), text);
        assert_eq!(folded(text, Some(80)), text);
        let narrow = "one two\n  three four\n    five six\n      seven\n\nlast\n";
        assert_eq!(folded(text, Some(12)), narrow);
        let table = "name    won  lost\na b      10     1\nc         2\n";
        let cut = "name    won\n  lost\na b      10\n     1\nc         2\n";
        assert_eq!(folded(table, Some(12)), cut);
        let tied = format!("say totemic{TIE}play\n  of 3/5/7/3*3/7/5/3 w");
        let whole = "say\n  totemic play\n  of\n    3/5/7/3*3/7/5/3 w";
        assert_eq!(folded(&tied, Some(12)), whole);
        let long = folded("a abcdefghijkl b é", Some(5));
        assert_eq!(long, "a\n  abcdefghijkl\n  b é");
    }
}
