//! Checking a certificate: with the rules of the game, and nothing of search.

use std::collections::HashSet;

use super::claim::Claim;
use super::format::{Certificate, RULES_VERSION};
use crate::game::GameKind;
use crate::game::{Game, PositionError, with_game};

/// Why a certificate proves nothing.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Rejection {
    /// It is of rules that this program does not know.
    #[error("rules '{0}': expected 'yoxii{RULES_VERSION}' or 'hokito{RULES_VERSION}'")]
    Rules(String),
    /// Its position is none.
    #[error("position: {0}")]
    Position(#[from] PositionError),
    /// It has no more choices, and a position is left that needs one.
    #[error("there is no choice for the position '{0}'")]
    Missing(String),
    /// A choice names no move.
    #[error("choice {number} is move {index} of {moves} in '{position}'")]
    NoMove {
        /// Which choice, from 1.
        number: usize,
        /// The index in it.
        index: u16,
        /// The legal moves there.
        moves: usize,
        /// The position.
        position: String,
    },
    /// A game ends otherwise than claimed.
    #[error("the game can end in '{0}', where the claim does not hold")]
    End(String),
    /// Not all choices are used.
    #[error("{0} choices are left over")]
    LeftOver(usize),
}

/// What a proof took.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verified {
    /// Positions with a move of the side of the claim, each once.
    pub choices: u64,
    /// Ends of games that were looked at.
    pub ends: u64,
}

/// Checks a certificate. Takes memory in proportion to its choices, and time in
/// proportion to them and to the moves in between.
///
/// # Errors
/// The first reason found why it proves nothing.
pub fn verify(certificate: &Certificate) -> Result<Verified, Rejection> {
    let name = certificate.game();
    let kind = GameKind::named(name).filter(|kind| kind.name() == name);
    let kind = kind.ok_or_else(|| Rejection::Rules(name.to_owned()))?;
    with_game!(kind, G => check::<G>(certificate))
}

fn check<G: Game>(certificate: &Certificate) -> Result<Verified, Rejection> {
    let position: G = certificate.position().parse()?;
    let mut check = Check {
        claim: certificate.claim(),
        choices: certificate.choices(),
        used: 0,
        met: HashSet::new(),
        ends: 0,
    };
    check.visit(&position)?;
    match certificate.choices().len() - check.used {
        0 => Ok(Verified {
            choices: check.used as u64,
            ends: check.ends,
        }),
        left => Err(Rejection::LeftOver(left)),
    }
}

struct Check<'a, G> {
    claim: Claim,
    choices: &'a [u16],
    used: usize,
    /// Positions in which a choice was made.
    met: HashSet<G>,
    ends: u64,
}

impl<G: Game> Check<'_, G> {
    /// No deeper than a game is long.
    fn visit(&mut self, position: &G) -> Result<(), Rejection> {
        let moves = position.moves();
        if moves.is_empty() {
            self.ends += 1;
            return match self.claim.holds(&position.standing()) {
                true => Ok(()),
                false => Err(Rejection::End(position.to_string())),
            };
        }
        if position.side() != self.claim.side {
            return moves
                .iter()
                .try_for_each(|&mv| self.visit(&position.play(mv)));
        }
        if !self.met.insert(*position) {
            return Ok(());
        }
        let choice = self.choices.get(self.used);
        let &index = choice.ok_or_else(|| Rejection::Missing(position.to_string()))?;
        self.used += 1;
        let mv = moves
            .get(usize::from(index))
            .ok_or_else(|| Rejection::NoMove {
                number: self.used,
                index,
                moves: moves.len(),
                position: position.to_string(),
            })?;
        self.visit(&position.play(*mv))
    }
}
