//! Plays one game, move by move, by the rules.

use std::time::{Duration, Instant, UNIX_EPOCH};

use super::{Prevented, Runner};
use crate::arena::accuracy::accuracy;
use crate::arena::adjudicate::{ExactValue, ended_by_scores};
use crate::arena::player::Player;
use crate::arena::schedule::{Job, game_seed};
use crate::arena::settings::Adjudication;
use crate::process::{self, BestMove, MoveRequest, Trouble, VoidCause, go_line, shortened};
use totemic_engine::game::{Game, Outcome, Side};
use totemic_games::limits::{MoveLimits, RunningClock};
use totemic_games::record::{Accuracy, GameRecord, MoveRecord, Opening, Reason};

/// When the solver looks back over a game, it gets this many times its usual time.
const LOOK_BACK_FACTOR: u64 = 10;

/// If a request to stop comes this soon after an engine has ended, both were asked to
/// stop: job schedulers and service managers signal every process of a job.
pub(super) const GRACE: Duration = Duration::from_millis(500);

struct GameEnd {
    result: Outcome,
    reason: Reason,
    detail: String,
    proof: Option<ExactValue>,
}

impl GameEnd {
    fn new(result: Outcome, reason: Reason) -> Self {
        Self {
            result,
            reason,
            detail: String::new(),
            proof: None,
        }
    }

    fn forfeit(loser: Side, reason: Reason, detail: String) -> Self {
        Self {
            detail,
            ..Self::new(Outcome::Win(loser.other()), reason)
        }
    }
}

struct GameState<'a, G: Game> {
    opening: &'a Opening,
    rules: &'a Adjudication,
    limits: [&'a MoveLimits; 2],
    clocks: [Option<RunningClock>; 2],
    /// All positions since the engines took over; the last one is the current one.
    positions: Vec<G>,
    moves: Vec<MoveRecord>,
    /// The reply that the engine that moved last expects.
    ponder_move: Option<G::Move>,
    thinking: Duration,
}

impl<G: Game> Runner<'_, G> {
    /// Plays a game to its end; `players` move first and second. A game is not recorded if
    /// something prevented it that is not the engine's fault.
    pub(super) fn referee(
        &self,
        job: &Job,
        opening: Opening,
        processors: &[usize],
        mut players: [&mut Player; 2],
    ) -> Result<GameRecord, Prevented> {
        let begin = Instant::now();
        let begun = UNIX_EPOCH.elapsed().map_or(0, |since| since.as_secs());
        let seed = game_seed(self.settings.seed, job.id);
        let mut state = self.state(job, &opening);
        let played = self.play_moves(&mut state, &mut players, seed);
        for engine in players.iter_mut().filter_map(|player| player.engine()) {
            engine.end_pondering(&self.stop);
        }
        let ended = played.or_else(|(side, trouble)| self.end_after(job, side, trouble))?;
        let total = begin.elapsed();
        let points = (ended.reason == Reason::Rules).then(|| state.position().standing().points);
        Ok(GameRecord {
            id: job.id,
            stage: job.stage,
            engines: job.engines,
            programs: players.each_ref().map(|player| player.program().to_owned()),
            processors: processors.to_owned(),
            opening: opening.clone(),
            seed,
            accuracy: self.accuracy(&state, ended.proof),
            moves: state.moves,
            result: ended.result,
            reason: ended.reason,
            detail: ended.detail,
            points,
            begun,
            total_ms: milliseconds(total),
            overhead_ms: milliseconds(total.saturating_sub(state.thinking)),
        })
    }

    fn state<'t>(&'t self, job: &Job, opening: &'t Opening) -> GameState<'t, G> {
        let limits = (job.engines).map(|engine| &self.settings.engines[engine].limits);
        // The openings were checked when they were read or made.
        let position = opening.replay().unwrap_or_else(|_| G::start());
        GameState {
            opening,
            rules: &self.settings.adjudication,
            limits,
            clocks: limits.map(|limits| limits.clock.map(RunningClock::new)),
            positions: vec![position],
            moves: Vec::new(),
            ponder_move: None,
            thinking: Duration::ZERO,
        }
    }

    /// Returns how the game ends when the player of a side is in trouble.
    fn end_after(&self, job: &Job, side: Side, trouble: Trouble) -> Result<GameEnd, Prevented> {
        let engine = job.engines[side.index()];
        let (reason, detail) = match trouble {
            Trouble::Forfeit(reason, detail) => (reason, detail),
            // Nobody from outside ends the same engine in the same game again.
            Trouble::Void(VoidCause::EngineTerminated, why) if job.terminated[side.index()] => {
                (Reason::Crash, why)
            }
            other => return Err((engine, other)),
        };
        if reason.may_come_from_outside() && self.stop.wait_until_ending(GRACE) {
            return Err((engine, Trouble::Void(VoidCause::EngineTerminated, detail)));
        }
        Ok(GameEnd::forfeit(side, reason, detail))
    }

    fn play_moves(
        &self,
        state: &mut GameState<'_, G>,
        players: &mut [&mut Player; 2],
        seed: u64,
    ) -> Result<GameEnd, (Side, Trouble)> {
        for (player, side) in players.iter_mut().zip(Side::BOTH) {
            let seed = seed.wrapping_add(side.index() as u64);
            let ready = player.new_game(seed, &self.stop);
            ready.map_err(|trouble| (side, trouble))?;
        }
        loop {
            let position = state.position();
            let side = position.side();
            if let Some((proof, reason)) = self.proved(&position) {
                return Ok(GameEnd {
                    proof: Some(proof),
                    ..GameEnd::new(proof.outcome, reason)
                });
            }
            // What the solver has not proved until the stop may be proved all the same.
            if self.stop.is_stopped() {
                return Err((side, Trouble::Interrupted));
            }
            if (state.rules.maxplies).is_some_and(|most| state.moves.len() >= most as usize) {
                return Ok(GameEnd::new(Outcome::Draw, Reason::MaxPlies));
            }
            let waits = side.other();
            if self.settings.ponder
                && let Some(expected) = state.expected_position_line()
                && let Some(engine) = players[waits.index()].engine()
            {
                engine.ponder(&expected, &state.go_command(waits));
            }
            let player = &mut *players[side.index()];
            let request = MoveRequest {
                position: &state.position_line(None),
                go: &state.go_command(side),
                allowed: state.allowed(side),
            };
            let answer = player
                .ask(&position, &request, &self.stop)
                .map_err(|trouble| (side, trouble))?;
            let time_margin = Duration::from_millis(state.limits[side.index()].time_margin_ms);
            if request.allowed.is_some() && answer.absence > time_margin {
                return Err((side, Trouble::suspended(answer.absence)));
            }
            if let Some(end) = state.make_move(side, answer) {
                if end.reason == Reason::IllegalMove
                    && let Some(engine) = player.engine()
                {
                    engine.kill();
                }
                return Ok(end);
            }
        }
    }

    /// Returns the value of a position in which the rules or the solver end the game, and which
    /// of them it is.
    fn proved(&self, position: &G) -> Option<(ExactValue, Reason)> {
        if !position.has_moves() {
            let standing = position.standing();
            let value = ExactValue {
                outcome: standing.outcome(),
                margin: Some(standing.margin_for(Side::First)),
            };
            return Some((value, Reason::Rules));
        }
        let rules = &self.settings.adjudication;
        let budget = Duration::from_millis(rules.solver_ms.filter(|_| !rules.play_on)?);
        let prove = self.prove?;
        Some((prove(position, budget, &self.stop)?, Reason::Solver))
    }

    /// Returns what the players gave away before a proven end. The position before the
    /// first proven one was too hard for the usual time, so it gets more.
    fn accuracy(
        &self,
        state: &GameState<'_, G>,
        proof: Option<ExactValue>,
    ) -> Option<[Accuracy; 2]> {
        let rules = &self.settings.adjudication;
        let factor = if rules.play_on { 1 } else { LOOK_BACK_FACTOR };
        let budget = Duration::from_millis(rules.solver_ms?.saturating_mul(factor));
        let prove = self.prove?;
        let value = |position: &G| prove(position, budget, &self.stop);
        Some(accuracy(value, &state.positions, proof?))
    }
}

impl<G: Game> GameState<'_, G> {
    fn position(&self) -> G {
        self.positions[self.positions.len() - 1]
    }

    /// The command that sets up the position after the expected reply, if there is one
    /// and the game goes on after it.
    fn expected_position_line(&self) -> Option<String> {
        let ponder_move = self.ponder_move?;
        let goes_on = self.position().play(ponder_move).has_moves();
        goes_on.then(|| self.position_line(Some(ponder_move)))
    }

    /// The command that sets up the position after the moves so far and maybe another one.
    fn position_line(&self, next: Option<G::Move>) -> String {
        let made = self.moves.iter().map(|made| &made.mv);
        let next = next.map(|mv| mv.to_string());
        let moves = self.opening.moves.iter().chain(made).chain(&next);
        process::position_line(&self.opening.fen, moves)
    }

    fn go_command(&self, side: Side) -> String {
        go_line(self.limits[side.index()], self.clocks, side)
    }

    /// How long the answer may take; `None` if no clock runs.
    fn allowed(&self, side: Side) -> Option<Duration> {
        let ms = self.limits[side.index()].allowed_ms(self.clocks[side.index()]);
        ms.map(Duration::from_millis)
    }

    /// Makes the player's move. Returns how the game ends if the move is illegal, or if the
    /// scores end the game after it.
    fn make_move(&mut self, side: Side, answer: BestMove) -> Option<GameEnd> {
        self.thinking += answer.elapsed;
        let position = self.position();
        // No move is longer than what `shortened` leaves of the text.
        let mv = match position.read_move(&shortened(&answer.mv)) {
            Ok(mv) => mv,
            Err(why) => return Some(GameEnd::forfeit(side, Reason::IllegalMove, why.to_string())),
        };
        if let Some(clock) = &mut self.clocks[side.index()] {
            clock.spend(answer.elapsed.as_millis() as u64);
        }
        self.moves.push(MoveRecord {
            mv: mv.to_string(),
            elapsed_ms: milliseconds(answer.elapsed),
            info: answer.info,
            proved: None,
        });
        self.positions.push(position.play(mv));
        // An illegal ponder move is no fault; the engine just does not ponder.
        self.ponder_move = (answer.ponder_move.as_deref())
            .and_then(|mv| self.position().read_move(&shortened(mv)).ok());
        if !self.position().has_moves() {
            return None;
        }
        let scores: Vec<_> = self.moves.iter().map(|made| made.info.score).collect();
        let (result, reason) = ended_by_scores(self.rules, side, &scores)?;
        Some(GameEnd::new(result, reason))
    }
}

fn milliseconds(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 1e6).round() / 1e3
}
