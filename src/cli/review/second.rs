//! Another engine, asked for its opinion.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::super::{Failure, say};
use crate::game::Game;
use crate::process::{EngineSpec, Host, Patience, Question, Stop, UgiClient, tokens};
use crate::record::EngineScore;
use crate::review::{Effort, Opinion};
use crate::search::Score;

/// Reads the words of `--engine`; without limits of its own, the engine thinks
/// as long as this one does.
pub(super) fn spec(words: &[String], effort: &Effort) -> Result<Option<EngineSpec>, Failure> {
    if words.is_empty() {
        return Ok(None);
    }
    let mut spec = EngineSpec::default();
    tokens::apply_to_engine(&mut spec, words)
        .map_err(|why| Failure::Usage(format!("--engine: {why}")))?;
    if spec.cmd.is_empty() {
        return Err(Failure::Usage("--engine: expected cmd=PROGRAM".to_owned()));
    }
    if spec.limits.clock.is_some() {
        let why = "--engine: a review has no clock; expected st=, nodes= or depth=, not tc=";
        return Err(Failure::Usage(why.to_owned()));
    }
    if !spec.limits.is_bounded() {
        spec.limits.nodes = effort.nodes;
        spec.limits.movetime_ms = effort.move_time.map(|time| time.as_millis() as u64);
    }
    Ok(Some(spec))
}

/// A conversation with the engine.
pub(super) struct Adviser {
    client: UgiClient,
    host: Host,
    go: String,
    name: String,
    stop: Stop,
}

impl Adviser {
    /// Starts the engine.
    pub(super) fn new<G: Game>(spec: &EngineSpec) -> Result<Self, Failure> {
        let failed = |why: String| Failure::Work(format!("engine '{}': {why}", spec.cmd));
        let limits = &spec.limits;
        // A search of a set time is given some more before it counts as lost.
        let answer = limits.movetime_ms.map_or(Duration::from_secs(600), |ms| {
            Duration::from_millis(2 * ms) + Duration::from_secs(10)
        });
        let patience = Patience {
            answer_ms: answer.as_millis() as u64,
            ..Patience::default()
        };
        let host = Host::new(G::NAME, patience, None);
        let client = UgiClient::new(spec, &host).map_err(failed)?;
        let mut adviser = Self {
            client,
            host,
            go: format!("go{}", limits.go_words()),
            name: spec.cmd.clone(),
            stop: Stop::new(),
        };
        adviser
            .client
            .new_game(&adviser.host, &adviser.stop)
            .map_err(|why| failed(why.to_string()))?;
        for warning in adviser.client.take_warnings() {
            say(format_args!("warning: {warning}"));
        }
        Ok(adviser)
    }

    /// Its opinion; `None` when stopped, and after trouble, which is reported on stderr.
    pub(super) fn ask<G: Game>(
        &mut self,
        position: &G,
        stop: &AtomicBool,
    ) -> Option<Opinion<G::Move>> {
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        let question = Question {
            setup: &format!("position fen {position}"),
            go: &self.go,
            allowed: None,
        };
        let answer = match self.client.ask(&question, &self.host, &self.stop) {
            Ok(answer) => answer,
            Err(why) => {
                say(format_args!("warning: engine '{}': {why}", self.name));
                return None;
            }
        };
        let best = match position.read_move(&answer.mv) {
            Ok(best) => best,
            Err(why) => {
                say(format_args!("warning: engine '{}': {why}", self.name));
                return None;
            }
        };
        let score = answer.info.score.map(|score| match score {
            EngineScore::Cp(cp) => Score::estimate(cp),
            EngineScore::Mate(plies) if plies > 0 => Score::win_in(within(plies)),
            EngineScore::Mate(plies) => Score::loss_in(within(plies)),
        });
        Some(Opinion { best, score })
    }

    /// Ends the engine.
    pub(super) fn quit(self) {
        self.client.quit();
    }
}

/// A length that a score can hold.
fn within(plies: i32) -> usize {
    (plies.unsigned_abs() as usize).min(crate::search::MAX_PLY)
}
