//! Completion of commands, legal moves, and the names of files.

use std::sync::{Arc, Mutex, PoisonError};

use rustyline::completion::Completer;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::validate::Validator;
use rustyline::{Context, Helper, Result};

use super::command::NAMES;
use super::files;

/// What can be completed at the moment.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Words {
    /// Legal moves.
    pub(super) moves: Vec<String>,
    /// Whether commands are taken, and not just an answer.
    pub(super) commands: bool,
}

impl Words {
    /// The words that begin with what is typed; of moves as many letters more
    /// as tell them apart by their next square.
    fn beginning(&self, typed: &str) -> Vec<String> {
        let commands = NAMES.iter().filter(|_| self.commands).copied();
        let typed = typed.to_ascii_lowercase();
        let mut found: Vec<String> = commands
            .filter(|name| name.starts_with(&typed))
            .map(str::to_owned)
            .collect();
        if !typed.is_empty() {
            found.extend(self.squares(&typed));
        }
        found
    }

    /// Beginnings of legal moves, one square longer than what is typed.
    fn squares(&self, typed: &str) -> Vec<String> {
        let typed = typed.to_ascii_lowercase();
        let until = (typed.len() / 2 + 1) * 2;
        let mut found: Vec<String> = Vec::new();
        for mv in self.moves.iter().filter(|mv| mv.starts_with(&typed)) {
            let part = mv.get(..until).unwrap_or(mv).to_owned();
            if !found.contains(&part) {
                found.push(part);
            }
        }
        found
    }

    /// What may stand in place of the end of a line, and where that begins.
    fn ending(&self, line: &str) -> (usize, Vec<String>) {
        let (command, argument) = match line.split_once(' ') {
            Some((command, argument)) if self.commands => (command, argument.trim_start()),
            _ => return (0, self.beginning(line)),
        };
        let found = match command {
            "save" | "open" => files::beginning(argument),
            "moves" => self.squares(argument),
            _ => Vec::new(),
        };
        (line.len() - argument.len(), found)
    }
}

/// The editor's view of [`Words`].
pub(super) struct Completion(pub(super) Arc<Mutex<Words>>);

impl Helper for Completion {}
impl Highlighter for Completion {}
impl Validator for Completion {}

impl Hinter for Completion {
    type Hint = String;
}

impl Completer for Completion {
    type Candidate = String;

    fn complete(&self, line: &str, pos: usize, _: &Context<'_>) -> Result<(usize, Vec<String>)> {
        let words = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(words.ending(&line[..pos]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_grow_square_by_square_and_commands_at_once() {
        let words = Words {
            moves: ["d5e5x", "d5e5o", "d5d6x", "c3c4x"]
                .map(str::to_owned)
                .to_vec(),
            commands: true,
        };
        assert_eq!(words.beginning("c"), ["c3"]);
        assert_eq!(words.beginning("d5"), ["d5e5", "d5d6"]);
        assert_eq!(words.beginning("D5e5"), ["d5e5x", "d5e5o"]);
        assert_eq!(words.beginning("und"), ["undo"]);
        assert!(words.beginning("").contains(&"help".to_owned()));
        assert_eq!(
            words.ending("moves d"),
            (6, vec!["d5".to_owned()]),
            "behind a command that takes squares"
        );
        assert_eq!(words.ending("undo d"), (5, Vec::new()));
    }
}
