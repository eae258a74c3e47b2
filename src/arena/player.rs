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
    /// A player for an engine, not started yet.
    ///
    /// # Errors
    /// A sentence when its command makes no sense.
    pub(crate) fn new(spec: &EngineSpec, host: &Host) -> Result<Self, String> {
        if spec.cmd == RANDOM {
            return Ok(Self::Random(Rng::new(0)));
        }
        Ok(Self::Engine(Box::new(UgiClient::new(spec, host)?)))
    }

    /// Gets ready for a new game; starts the engine if need be.
    ///
    /// # Errors
    /// [`Trouble`] when it does not get ready.
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
    ///
    /// # Errors
    /// [`Trouble`] when no valid answer comes in time.
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
                    info: SearchInfo::default(),
                })
            }
            Self::Engine(engine) => engine.ask(question, host, stop),
        }
    }

    /// Lets it think in its opponent's time, see [`UgiClient::ponder`].
    ///
    /// # Errors
    /// [`Trouble`] when it reads no more.
    pub(crate) fn ponder(&mut self, setup: &str, go: &str) -> Result<(), Trouble> {
        match self {
            Self::Random(_) => Ok(()),
            Self::Engine(engine) => engine.ponder(setup, go),
        }
    }

    /// Ends what it still thinks about, see [`UgiClient::rest`].
    pub(crate) fn rest(&mut self, host: &Host, stop: &Stop) {
        if let Self::Engine(engine) = self {
            engine.rest(host, stop);
        }
    }

    /// Ends the engine's process, so that the next game starts a new one.
    pub(crate) fn dismiss(&mut self) {
        if let Self::Engine(engine) = self {
            engine.dismiss();
        }
    }

    /// What the user should know, see [`UgiClient::take_warnings`].
    pub(crate) fn take_warnings(&mut self) -> Vec<String> {
        match self {
            Self::Engine(engine) => engine.take_warnings(),
            Self::Random(_) => Vec::new(),
        }
    }

    /// Lets the engine leave in peace.
    pub(crate) fn quit(self) {
        if let Self::Engine(engine) = self {
            engine.quit();
        }
    }
}
