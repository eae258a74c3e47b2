//! A player: an engine's process, or a few lines of its own.

use std::sync::Arc;

use crate::process::{
    BestMove, EngineCommand, EngineSpec, GREEDY, MoveRequest, RANDOM, RunSetup, Trouble, UgiClient,
};
use totemic_engine::game::{Game, Rng, greedy_moves};
use totemic_engine::stop::Stop;

pub(crate) enum Player {
    Engine(Box<UgiClient>),
    Random(Rng),
    /// Draws by lot where several moves look best.
    Greedy(Rng),
}

impl Player {
    pub(crate) fn new(spec: &EngineSpec, setup: &Arc<RunSetup>) -> Result<Self, String> {
        Ok(match spec.cmd {
            EngineCommand::Random => Self::Random(Rng::new(0)),
            EngineCommand::Greedy => Self::Greedy(Rng::new(0)),
            _ => Self::Engine(Box::new(UgiClient::new(spec, setup)?)),
        })
    }

    pub(crate) fn new_game(&mut self, seed: u64, stop: &Stop) -> Result<(), Trouble> {
        match self {
            Self::Random(rng) | Self::Greedy(rng) => {
                *rng = Rng::new(seed);
                Ok(())
            }
            Self::Engine(engine) => engine.new_game(stop),
        }
    }

    /// Asks for a move in `position`, which `request` sets up.
    pub(crate) fn ask<G: Game>(
        &mut self,
        position: &G,
        request: &MoveRequest<'_>,
        stop: &Stop,
    ) -> Result<BestMove, Trouble> {
        let (moves, rng) = match self {
            Self::Random(rng) => (position.moves(), rng),
            Self::Greedy(rng) => (greedy_moves(position), rng),
            Self::Engine(engine) => return engine.ask(request, stop),
        };
        Ok(BestMove {
            mv: moves[rng.below(moves.len())].to_string(),
            ..BestMove::default()
        })
    }

    pub(crate) fn engine(&mut self) -> Option<&mut UgiClient> {
        match self {
            Self::Engine(engine) => Some(engine),
            Self::Random(_) | Self::Greedy(_) => None,
        }
    }

    pub(crate) fn program(&self) -> &str {
        match self {
            Self::Engine(engine) => &engine.program,
            Self::Random(_) => RANDOM,
            Self::Greedy(_) => GREEDY,
        }
    }

    /// Returns what the user should know about the engine.
    pub(crate) fn take_warnings(&mut self) -> Vec<String> {
        let engine = self.engine();
        engine.map(UgiClient::take_warnings).unwrap_or_default()
    }

    pub(crate) fn quit(self) {
        if let Self::Engine(mut engine) = self {
            engine.quit();
        }
    }
}
