//! The width of the terminal, and texts that fit into it.

use std::borrow::Cow;
use std::io;

use terminal_size::{Width, terminal_size_of};

/// Continued lines are indented by this many more columns.
const INDENT: usize = 2;

/// Returns the number of columns of the terminal on stdout, if there is one.
pub(super) fn width() -> Option<usize> {
    terminal_size_of(io::stdout()).map(|(Width(columns), _)| usize::from(columns).max(10))
}

/// Stands for a blank at which no line may end.
const NO_BREAK: char = '\u{a0}';

/// Breaks lines at blanks to fit the width; longer words stay whole. The row of a table,
/// whose cells have two blanks or more between them, is broken between cells; only a cell
/// that is too long is broken itself.
pub(super) fn folded(text: &str, width: Option<usize>) -> String {
    let Some(width) = width else {
        return text.to_owned();
    };
    let mut lines = Vec::new();
    for line in text.lines() {
        let words = line.trim_start();
        let (indent, words) = (line.len() - words.len(), words.trim_end());
        let is_row = words.contains("  ");
        for part in wrapped(
            &if is_row {
                cells(words)
            } else {
                words.to_owned()
            },
            indent,
            indent + INDENT,
            width,
        ) {
            let part = part.replace(NO_BREAK, " ");
            let at = part.len() - part.trim_start().len();
            lines.extend(wrapped(&part[at..], at, indent + INDENT, width));
        }
    }
    let end = if text.ends_with('\n') { "\n" } else { "" };
    lines.join("\n") + end
}

/// Breaks a line at blanks, with this many columns before its first part and the others.
fn wrapped(words: &str, first: usize, further: usize, width: usize) -> Vec<String> {
    let [first, further] = [first, further].map(|columns| " ".repeat(columns));
    let options = textwrap::Options::new(width)
        .initial_indent(&first)
        .subsequent_indent(&further)
        .word_splitter(textwrap::WordSplitter::NoHyphenation)
        .break_words(false);
    (textwrap::wrap(words, options).into_iter())
        .map(Cow::into_owned)
        .collect()
}

/// Joins the words within each cell of a row.
fn cells(row: &str) -> String {
    let mut words = row.split(' ').peekable();
    let mut joined = String::new();
    while let Some(word) = words.next() {
        joined.push_str(word);
        match words.peek() {
            Some(next) if !word.is_empty() && !next.is_empty() => joined.push(NO_BREAK),
            Some(_) => joined.push(' '),
            None => {}
        }
    }
    joined
}

#[cfg(test)]
#[test]
fn lines_are_broken_at_blanks() {
    let text = "one two three four\n    five six seven\n\nlast\n";
    assert_eq!(folded(text, None), text);
    assert_eq!(folded(text, Some(80)), text);
    let narrow = "one two\n  three four\n    five six\n      seven\n\nlast\n";
    assert_eq!(folded(text, Some(12)), narrow);
    let row = folded("12  one two  three four five six\n", Some(12));
    assert_eq!(row, "12  one two\n  three four\n  five six\n");
    let long = folded("a abcdefghijkl b é", Some(5));
    assert_eq!(long, "a\n  abcdefghijkl\n  b é");
}
