//! A line of input as words that know their place.

use crate::text::quoted;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Word<'a> {
    pub(super) text: &'a str,
    /// The byte at which it begins.
    pub(super) at: usize,
    /// Its number in the line, from 1.
    pub(super) number: usize,
}

impl Word<'_> {
    pub(super) fn end(&self) -> usize {
        self.at + self.text.len()
    }

    /// Why the word cannot be used: names it, its place and what should stand
    /// there.
    pub(super) fn refused(&self, expected: &str) -> String {
        format!("{self}: expected {expected}")
    }
}

/// `'abc' (word 3)`, long words cut.
impl std::fmt::Display for Word<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} (word {})", quoted(self.text), self.number)
    }
}

pub(super) fn words(line: &str) -> Vec<Word<'_>> {
    let start = line.as_ptr() as usize;
    (1..)
        .zip(line.split_whitespace())
        .map(|(number, text)| Word {
            text,
            at: text.as_ptr() as usize - start,
            number,
        })
        .collect()
}
