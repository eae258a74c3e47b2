//! The width of the terminal, and texts that fit into it.

use std::io;

use terminal_size::{Width, terminal_size_of};

/// Continued lines are indented by this many more columns.
const INDENT: usize = 2;

/// Returns the number of columns of the terminal on stdout, if there is one.
pub(super) fn width() -> Option<usize> {
    terminal_size_of(io::stdout()).map(|(Width(columns), _)| usize::from(columns).max(10))
}

/// Breaks lines at blanks to fit the width; longer words stay whole.
pub(super) fn folded(text: &str, width: Option<usize>) -> String {
    let Some(width) = width else {
        return text.to_owned();
    };
    let mut lines = Vec::new();
    for line in text.lines() {
        let words = line.trim_start();
        let indent = line.len() - words.len();
        let further = " ".repeat(indent + INDENT);
        let options = textwrap::Options::new(width)
            .initial_indent(&line[..indent])
            .subsequent_indent(&further)
            .word_splitter(textwrap::WordSplitter::NoHyphenation)
            .break_words(false);
        lines.extend(textwrap::wrap(words.trim_end(), options));
    }
    let end = if text.ends_with('\n') { "\n" } else { "" };
    lines.join("\n") + end
}

#[cfg(test)]
#[test]
fn lines_are_broken_at_blanks() {
    let text = "one two three four\n    five six seven\n\nlast\n";
    assert_eq!(folded(text, None), text);
    assert_eq!(folded(text, Some(80)), text);
    let narrow = "one two\n  three four\n    five six\n      seven\n\nlast\n";
    assert_eq!(folded(text, Some(12)), narrow);
    let long = folded("a abcdefghijkl b é", Some(5));
    assert_eq!(long, "a\n  abcdefghijkl\n  b é");
}
