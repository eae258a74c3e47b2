//! A player: an engine's process, or random moves.

use crate::game::{Game, Rng};
use crate::process::{
    Answer, EngineCommand, EngineSpec, Host, Question, RANDOM, Trouble, UgiClient,
};
use crate::search::Stop;

pub(crate) enum Player {
    Engine(Box<UgiClient>),
    Random(Rng),
}

impl Player {
    pub(crate) fn new(spec: &EngineSpec, host: &Host) -> Result<Self, String> {
        if spec.cmd == EngineCommand::Random {
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
                let mv = moves[rng.below(moves.len())].to_string();
                Ok(Answer {
                    mv,
                    ..Answer::default()
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

    /// Returns the program that plays.
    pub(crate) fn program(&self) -> &str {
        match self {
            Self::Engine(engine) => engine.program(),
            Self::Random(_) => RANDOM,
        }
    }

    pub(crate) fn quit(self) {
        if let Self::Engine(engine) = self {
            engine.quit();
        }
    }
}
