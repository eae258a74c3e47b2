//! The top of a proof: its file, and whether its claim follows from its tasks.

use std::fmt;

use super::task::Task;
use crate::search::certificates::claim::{Unexpected, number};
use crate::search::certificates::format::{
    Certificate, FormatError, Lines, MARK, Statement, write_choice,
};
use crate::search::certificates::verify::{Marks, Rejection, Verified, check_proof};

/// The first line of the file of a top.
pub const FIRST_LINE_OF_TOP: &str = "totemic top 1";

/// The top of a proof: choices down to positions whose proofs are tasks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Top {
    /// What the whole proof says.
    pub header: Statement,
    /// Indices of moves, and [`MARK`] in place of each task.
    pub(super) choices: Vec<u16>,
    /// The tasks, in the order in which the choices lead to them.
    pub tasks: Vec<Task>,
}

const HEADER_LINES: usize = 5;

impl Top {
    /// Checks by the rules that its claim follows from its tasks.
    pub fn verify(&self) -> Result<Verified, Rejection> {
        let mut choices = self.choices.iter().copied();
        let mut tasks = (self.tasks.iter()).map(|task| (task.claim, task.position.as_str()));
        let verified = check_proof(&self.header, &mut choices, Marks::Tasks(&mut tasks));
        verified.map_err(|why| match why.number() {
            Some(number) => Rejection::Line {
                line: HEADER_LINES + number,
                why: Box::new(why),
            },
            None => why,
        })
    }

    /// Reads a file. That it is a top does not yet mean that its proof holds.
    pub fn read(bytes: &[u8]) -> Result<Self, FormatError> {
        let mut lines = Lines::of(bytes);
        match lines.next() {
            Ok(line) if line == FIRST_LINE_OF_TOP => {}
            Ok(found) | Err(found) => {
                return Err(lines.refused(format!("'{FIRST_LINE_OF_TOP}'"), found));
            }
        }
        let header = Statement::read(&mut lines)?;
        lines.empty()?;
        let (mut choices, mut tasks) = (Vec::new(), Vec::new());
        while !lines.rest.is_empty() {
            let limit = "a line of 2048 bytes at the most with a line feed after it";
            let line = lines.next().map_err(|cut| lines.refused(limit, cut))?;
            match number(&line).filter(|&index| index < MARK) {
                Some(index) => choices.push(index),
                None if line.starts_with("task") => {
                    tasks.push(line.parse().map_err(|why: Unexpected| lines.wrong(why))?);
                    choices.push(MARK);
                }
                None => return Err(lines.refused("the index of a move, or a task", line)),
            }
        }
        Ok(Self {
            header,
            choices,
            tasks,
        })
    }

    /// Makes a certificate of a top that is verified and the streams of its tasks, each as
    /// a part. It is a proof if each stream proves its task.
    pub fn merge(&self, streams: Vec<Vec<u8>>) -> Certificate {
        let (mut streams, mut choices) = (streams.into_iter(), Vec::new());
        for &choice in &self.choices {
            write_choice(choice, &mut choices);
            if choice == MARK {
                choices.extend(streams.next().unwrap_or_default());
            }
        }
        Certificate::new(self.header.clone(), choices)
    }
}

impl fmt::Display for Top {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{FIRST_LINE_OF_TOP}\n{}", self.header)?;
        let mut tasks = self.tasks.iter();
        self.choices.iter().try_for_each(|index| match index {
            &MARK => tasks.next().map_or(Ok(()), |task| writeln!(f, "{task}")),
            index => writeln!(f, "{index}"),
        })
    }
}
