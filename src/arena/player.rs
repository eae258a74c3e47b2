//! Who plays: an engine's process, or moves at random.

use std::time::Duration;

use super::settings::RANDOM;
use crate::game::{Game, Rng};
use crate::process::{Answer, EngineSpec, Host, Question, Stop, Trouble, UgiClient};
use crate::record::SearchInfo;

/// A player.
#[derive(Debug)]
pub(crate) enum Player {
    /// A process that speaks UGI.
    Engine(Box<UgiClient>),
    /// Random legal moves.
    Random(Rng),
}

impl Player {
    pub(crate) fn new(spec: &EngineSpec, host: &Host) -> Result<Self, String> {
        if spec.cmd == RANDOM {
            return Ok(Self::Random(Rng::new(0)));
        }
        Ok(Self::Engine(Box::new(UgiClient::new(spec, host)?)))
    }

    pub(crate) fn new_game(&mut self, seed: u64, host: &Host, stop: &Stop) -> Result<(), Trouble> {
        match self {
            Self::Random(rng) => {
                *rng = Rng::new(seed);
                Ok(())
            }
            Self::Engine(engine) => engine.new_game(host, stop),
        }
    }

    /// Asks for a move in `position`, which `question` sets up.
    pub(crate) fn ask<G: Game>(
        &mut self,
        position: &G,
        question: &Question<'_>,
        host: &Host,
        stop: &Stop,
    ) -> Result<Answer, Trouble> {
        match self {
            Self::Random(rng) => {
                let moves = position.moves();
                Ok(Answer {
                    mv: moves[rng.below(moves.len())].to_string(),
                    reply: None,
                    elapsed: Duration::ZERO,
                    absence: Duration::ZERO,
                    info: SearchInfo::default(),
                })
            }
            Self::Engine(engine) => engine.ask(question, host, stop),
        }
    }

    pub(crate) fn engine(&mut self) -> Option<&mut UgiClient> {
        match self {
            Self::Engine(engine) => Some(engine),
            Self::Random(_) => None,
        }
    }

    pub(crate) fn quit(self) {
        if let Self::Engine(engine) = self {
            engine.quit();
        }
    }
}
