//! Checking a certificate, or the top of one, with the rules of the game and without
//! a search.

use std::collections::HashSet;
use std::mem;

use super::claim::Claim;
use super::format::{
    Certificate, Choices, FormatError, MARK, Statement, all_rules, game_of, has_one_blank,
};
use crate::game::{Game, PositionError, with_game};
use crate::text::quoted;

/// Why a certificate proves nothing.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum Rejection {
    #[error("rules {}: expected {}", quoted(.0), all_rules())]
    Rules(String),
    #[error("position {}: expected one blank, before the side to move", quoted(.0))]
    Blanks(String),
    #[error("position: {0}")]
    Position(#[from] PositionError),
    #[error("there is no choice for the position '{0}'")]
    Missing(String),
    #[error("choice {number} is move {index} of {moves} in '{position}'")]
    NoMove {
        number: usize,
        index: u16,
        moves: usize,
        position: String,
    },
    #[error("choice {number} begins a part within a part, in '{position}'")]
    Nested { number: usize, position: String },
    #[error("the game can end in '{0}', where the claim does not hold")]
    End(String),
    #[error("a task is needed that says {claim} in '{position}'")]
    Task {
        number: usize,
        claim: Claim,
        position: String,
    },
    #[error(transparent)]
    Stream(#[from] FormatError),
    #[error("choices left over: {0}")]
    LeftOver(usize),
    #[error("line {line}: {why}")]
    Line { line: usize, why: Box<Self> },
}

impl Rejection {
    /// The number, from 1, of the choice or task that does not fit, if that is the reason.
    pub(super) fn number(&self) -> Option<usize> {
        match self {
            Self::NoMove { number, .. } | Self::Task { number, .. } => Some(*number),
            _ => None,
        }
    }
}

/// What a proof consists of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Verified {
    /// Positions with a move of the side of the claim, each counted once in a part, and
    /// marks of parts.
    pub choices: u64,
    /// Parts that have a memory of their own.
    pub parts: u64,
    /// Tasks from which the claim follows: none for a whole certificate.
    pub tasks: u64,
    /// Ends of games that it reaches.
    pub ends: u64,
}

/// What [`MARK`] means among the choices.
pub(super) enum Marks<'a> {
    /// It is the index of a move, which no list has.
    None,
    /// A part begins: the next choice is that of the position, and the part ends with all
    /// that follows from it.
    Parts,
    /// The position is that of the next task: these are their claims and positions.
    Tasks(&'a mut dyn Iterator<Item = (Claim, &'a str)>),
}

const REPORT_EVERY: u64 = 1 << 14;

/// Checks a certificate. Takes memory in proportion to its choices, or to those of its
/// longest part, and time in proportion to its choices and to the moves in between.
/// `progress` gets from time to time how many choices have been used.
pub fn verify(
    certificate: &Certificate,
    progress: &mut dyn FnMut(u64),
) -> Result<Verified, Rejection> {
    let mut choices = (0..)
        .zip(Choices(certificate.stream()))
        .map(|(used, choice)| {
            if used % REPORT_EVERY == 0 {
                progress(used);
            }
            choice
        });
    let marks = match certificate.has_parts {
        true => Marks::Parts,
        false => Marks::None,
    };
    check_proof(&certificate.header, &mut choices, marks)
}

pub(super) fn check_proof<'a>(
    header: &Statement,
    choices: &'a mut dyn Iterator<Item = u16>,
    marks: Marks<'a>,
) -> Result<Verified, Rejection> {
    let rules = &header.rules;
    let kind = game_of(rules).ok_or_else(|| Rejection::Rules(rules.clone()))?;
    with_game!(kind, G => {
        let position: G = read_position(&header.position)?;
        let mut check = Check {
            claim: header.claim,
            choices,
            marks,
            met: HashSet::new(),
            is_in_part: false,
            done: Verified::default(),
        };
        check.visit(&position)?;
        match check.choices.count() {
            0 => Ok(check.done),
            left => Err(Rejection::LeftOver(left)),
        }
    })
}

/// Reads a position from a text with one blank, as the protocol writes it.
fn read_position<G: Game>(text: &str) -> Result<G, Rejection> {
    if !has_one_blank(text) {
        return Err(Rejection::Blanks(text.to_owned()));
    }
    Ok(text.parse()?)
}

struct Check<'a, G> {
    claim: Claim,
    choices: &'a mut dyn Iterator<Item = u16>,
    marks: Marks<'a>,
    /// Positions for which there was a choice; within a part, a choice of that part.
    met: HashSet<G>,
    is_in_part: bool,
    done: Verified,
}

impl<G: Game> Check<'_, G> {
    /// Checks a position and all that follows; recurses no deeper than a game is long.
    fn visit(&mut self, position: &G) -> Result<(), Rejection> {
        let moves = position.moves();
        if moves.is_empty() {
            self.done.ends += 1;
            return match self.claim.holds(&position.standing()) {
                true => Ok(()),
                false => Err(Rejection::End(position.to_string())),
            };
        }
        if position.side() != self.claim.side {
            let mut moves = moves.iter();
            return moves.try_for_each(|&mv| self.visit(&position.play(mv)));
        }
        if !self.met.insert(*position) {
            return Ok(());
        }
        let missing = || Rejection::Missing(position.to_string());
        let index = self.choices.next().ok_or_else(missing)?;
        let number = (self.done.choices + self.done.tasks) as usize + 1;
        match &mut self.marks {
            Marks::Parts if index == MARK && self.is_in_part => Err(Rejection::Nested {
                number,
                position: position.to_string(),
            }),
            Marks::Parts if index == MARK => {
                self.done.choices += 1;
                self.done.parts += 1;
                self.is_in_part = true;
                let outside = mem::take(&mut self.met);
                self.visit(position)?;
                self.met = outside;
                self.is_in_part = false;
                Ok(())
            }
            Marks::Tasks(tasks) if index == MARK => {
                let is_it = |&(claim, text): &(Claim, &str)| {
                    claim == self.claim && read_position(text) == Ok(*position)
                };
                tasks.next().filter(is_it).ok_or_else(|| Rejection::Task {
                    number,
                    claim: self.claim,
                    position: position.to_string(),
                })?;
                self.done.tasks += 1;
                Ok(())
            }
            _ => {
                let chosen = moves.get(usize::from(index));
                let &mv = chosen.ok_or_else(|| Rejection::NoMove {
                    number,
                    index,
                    moves: moves.len(),
                    position: position.to_string(),
                })?;
                self.done.choices += 1;
                self.visit(&position.play(mv))
            }
        }
    }
}
