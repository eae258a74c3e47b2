//! The top of a proof: its file, and whether its claim follows from its tasks.

use std::fmt;
use std::str::FromStr;

use super::super::format::{
    Certificate, FormatError, Lines, PART, Statement, number, write_choice,
};
use super::super::verify::{Rejection, Step, Verified, walk};
use super::task::Task;
use super::{PartError, refused};

pub(crate) const FIRST_LINE: &str = "totemic top 1";

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Entry {
    Move(u16),
    /// Boxed, so that the moves of a long list take little memory.
    Task(Box<Task>),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Top {
    pub(crate) header: Statement,
    pub(super) entries: Vec<Entry>,
}

const HEADER_LINES: usize = 5;

impl Top {
    /// Checks by the rules that its claim follows from its tasks.
    pub(crate) fn verify(&self) -> Result<Verified, Rejection> {
        let steps = self.entries.iter().map(|entry| match entry {
            Entry::Move(index) => Step::Choice(*index),
            Entry::Task(task) => Step::Task(task.claim, &task.position),
        });
        walk(&self.header, steps).map_err(|why| match why.number() {
            Some(number) => Rejection::Line {
                line: HEADER_LINES + number,
                why: Box::new(why),
            },
            None => why,
        })
    }

    /// Reads a file. That it is a top does not yet mean that its proof holds.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, FormatError> {
        let mut lines = Lines::of(bytes);
        match lines.next() {
            Ok(line) if line == FIRST_LINE => {}
            Ok(found) | Err(found) => {
                return Err(lines.refused(&format!("'{FIRST_LINE}'"), found));
            }
        }
        let header = Statement::read(&mut lines)?;
        lines.empty()?;
        let mut entries = Vec::new();
        while !lines.rest.is_empty() {
            let cut = |cut: String| {
                refused(
                    "a line of 2048 bytes at the most with a line feed after it",
                    &cut,
                )
            };
            let entry = lines.next().map_err(cut).and_then(|line| line.parse());
            entries.push(entry.map_err(|why| lines.refused(&why.expected, why.found))?);
        }
        Ok(Self { header, entries })
    }

    /// Makes a certificate of the top and the streams of its tasks, each as a part;
    /// `None` if `stream`, which is asked for all of them, lacks one. It is a proof if
    /// each stream proves its task.
    ///
    /// # Errors
    /// Why the claim does not follow from the tasks; then no stream is asked for.
    pub(crate) fn merge(
        &self,
        mut stream: impl FnMut(&Task) -> Option<Vec<u8>>,
    ) -> Result<Option<Certificate>, Rejection> {
        self.verify()?;
        let mut choices = Some(Vec::new());
        for entry in &self.entries {
            match (entry, &mut choices) {
                (Entry::Move(index), Some(choices)) => write_choice(*index, choices),
                (Entry::Move(_), None) => {}
                (Entry::Task(task), known) => match (stream(task), known) {
                    (Some(found), Some(choices)) => {
                        write_choice(PART, choices);
                        choices.extend(found);
                    }
                    _ => choices = None,
                },
            }
        }
        Ok(choices.map(|choices| Certificate::new(self.header.clone(), choices)))
    }

    pub(crate) fn tasks(&self) -> impl Iterator<Item = &Task> {
        self.entries.iter().filter_map(|entry| match entry {
            Entry::Task(task) => Some(&**task),
            Entry::Move(_) => None,
        })
    }
}

impl fmt::Display for Top {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{FIRST_LINE}\n{}", self.header)?;
        self.entries.iter().try_for_each(|entry| match entry {
            Entry::Move(index) => writeln!(f, "{index}"),
            Entry::Task(task) => writeln!(f, "{task}"),
        })
    }
}

impl FromStr for Entry {
    type Err = PartError;

    fn from_str(line: &str) -> Result<Self, PartError> {
        match number(line) {
            Some(index) => Ok(Self::Move(index)),
            None if line.starts_with("task") => line.parse().map(|task| Self::Task(Box::new(task))),
            None => Err(refused("the index of a move, or a task", line)),
        }
    }
}
