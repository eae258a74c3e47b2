//! Completes commands, legal moves and the names of files.

use rustyline::completion::Completer;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::validate::Validator;
use rustyline::{Context, Helper, Result};

use crate::cli::files;

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(in crate::cli) struct Completion {
    pub(in crate::cli) moves: Vec<String>,
    pub(in crate::cli) commands: Vec<String>,
}

impl Completion {
    /// Returns the beginnings of legal moves, one square longer than what is typed.
    fn squares(&self, typed: &str) -> Vec<String> {
        let until = (typed.len() / 2 + 1) * 2;
        let fitting = self.moves.iter().filter(|mv| mv.starts_with(typed));
        let mut beginnings: Vec<String> = fitting
            .map(|mv| mv.get(..until).unwrap_or(mv).to_owned())
            .collect();
        beginnings.sort();
        beginnings.dedup();
        beginnings
    }

    /// Returns the possible ends of a line, and the place where they begin.
    fn ending(&self, line: &str) -> (usize, Vec<String>) {
        let lower = line.to_ascii_lowercase();
        let Some((command, argument)) = line.split_once(' ') else {
            let names = self.commands.iter().filter(|name| name.starts_with(&lower));
            let mut words = Vec::from_iter(names.cloned());
            if !line.is_empty() {
                words.extend(self.squares(&lower));
            }
            return (0, words);
        };
        let argument = argument.trim_start();
        let at = line.len() - argument.len();
        let ends = match command {
            "save" | "open" => files::complete_path(argument),
            "moves" => self.squares(&lower[at..]),
            _ => Vec::new(),
        };
        (at, ends)
    }
}

impl Helper for Completion {}
impl Highlighter for Completion {}
impl Validator for Completion {}

impl Hinter for Completion {
    type Hint = String;
}

impl Completer for Completion {
    type Candidate = String;

    fn complete(&self, line: &str, pos: usize, _: &Context<'_>) -> Result<(usize, Vec<String>)> {
        Ok(self.ending(&line[..pos]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_grow_square_by_square_and_commands_at_once() {
        let moves = ["c3c4x", "d5d6x", "d5e5o", "d5e5x"];
        let [moves, commands] = [moves.as_slice(), &["help", "moves", "undo"]]
            .map(|names| names.iter().map(|&name| name.to_owned()).collect());
        let completion = Completion { moves, commands };
        for (line, at, expected) in [
            ("c", 0, "c3"),
            ("d5", 0, "d5d6 d5e5"),
            ("D5e5", 0, "d5e5o d5e5x"),
            ("und", 0, "undo"),
            ("moves d", 6, "d5"),
            ("undo d", 5, ""),
        ] {
            let (place, ends) = completion.ending(line);
            assert_eq!((place, ends.join(" ").as_str()), (at, expected), "{line}");
        }
        assert!(completion.ending("").1.contains(&"help".to_owned()));
    }
}
