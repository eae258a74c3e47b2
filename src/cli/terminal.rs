//! The width of the terminal, and texts that fit into it.

use std::io;

use terminal_size::{Width, terminal_size_of};

/// Columns by which a line that goes on below is set in further.
const INDENT: usize = 2;

/// Columns of the terminal that stdout is; `None` where it is none.
pub(super) fn width() -> Option<usize> {
    terminal_size_of(io::stdout()).map(|(Width(columns), _)| usize::from(columns).max(10))
}

/// The same lines, of at most so many columns: what does not fit goes on below,
/// from a blank on. Only a word that is longer stands out.
pub(super) fn folded(text: &str, width: Option<usize>) -> String {
    let Some(width) = width else {
        return text.to_owned();
    };
    let mut lines = Vec::new();
    for line in text.lines() {
        let inset = line.len() - line.trim_start().len() + INDENT;
        let mut rest = line.trim_end().to_owned();
        while let Some(at) = break_of(&rest, width) {
            lines.push(rest[..at].trim_end().to_owned());
            rest = format!("{:inset$}{}", "", rest[at..].trim_start());
        }
        lines.push(rest);
    }
    let end = if text.ends_with('\n') { "\n" } else { "" };
    lines.join("\n") + end
}

/// The byte of the last blank at which a line that is too long can be broken, so
/// that something stands before it and behind it.
fn break_of(line: &str, width: usize) -> Option<usize> {
    let (end, _) = line.char_indices().nth(width)?;
    let begin = line.len() - line.trim_start().len();
    let blanks = || line[begin..].match_indices(' ').map(|(at, _)| begin + at);
    let fitting = blanks().take_while(|&at| at <= end).last();
    fitting.or_else(|| blanks().next())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_at_blanks() {
        let text = "one two three four\n    five six seven\n\nlast\n";
        assert_eq!(folded(text, None), text);
        assert_eq!(folded(text, Some(80)), text);
        assert_eq!(
            folded(text, Some(12)),
            "one two\n  three four\n    five six\n      seven\n\nlast\n"
        );
        // Nothing is lost where a word is longer than the line.
        let folded = folded("a abcdefghijkl b é", Some(5));
        assert_eq!(folded, "a\n  abcdefghijkl\n  b é");
    }
}
