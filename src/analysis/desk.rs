//! A worker's tools: engines and solvers that remember.

use std::any::Any;
use std::io::Write;

use super::Settings;
use super::answer::{Answer, LineJson, OddsJson};
use super::queue::Queue;
use super::request::Job;
use super::tools::Tools;
use super::values::values;
use crate::game::with_position;
use crate::search::solver::Solvable;
use crate::search::{Limits, Report, Searchable, TimeLimit};

/// A worker's tools for each game; they are made when it is asked for.
pub(super) struct Desk {
    /// A [`Tools`] each.
    tools: Vec<Box<dyn Any>>,
    hash_mb: usize,
}

impl Desk {
    pub(super) fn new(settings: &Settings) -> Self {
        Self {
            tools: Vec::new(),
            hash_mb: (settings.hash_mb / settings.threads.get()).max(1),
        }
    }

    /// Analyses a position and writes what is found.
    pub(super) fn work<W: Write>(&mut self, job: &Job, queue: &Queue<W>) {
        let mut answer = with_position!(job.position, position => {
            self.tools().analyse(&position, job)
        });
        // Whoever has the answer and cancels must be told that it is too late.
        queue.done(job);
        answer.cancelled = job.is_cancelled();
        queue.write(&answer);
    }

    fn tools<G: Searchable + Solvable>(&mut self) -> &mut Tools<G> {
        let known = self.tools.iter().position(|tools| tools.is::<Tools<G>>());
        let at = known.unwrap_or_else(|| {
            self.tools.push(Box::new(Tools::<G>::new(self.hash_mb)));
            self.tools.len() - 1
        });
        self.tools[at].downcast_mut().expect("found by its type")
    }
}

impl<G: Searchable + Solvable> Tools<G> {
    fn analyse(&mut self, position: &G, job: &Job) -> Answer {
        let mut answer = Answer {
            id: job.id.clone(),
            turn: job.turn,
            game: G::NAME,
            position: position.to_string(),
            side: position.side().word(),
            ..Answer::default()
        };
        if let Some(outcome) = position.outcome() {
            answer.result = Some(outcome.word());
            answer.points = Some(f64::from(outcome.sign_for(position.side()) + 1) / 2.0);
            return answer;
        }
        self.engine.set_position(*position);
        let moves = position.count_moves() as usize;
        let limits = Limits {
            depth: job.bounds.depth,
            nodes: job.bounds.nodes,
            time: job
                .bounds
                .move_time
                .map_or(TimeLimit::None, TimeLimit::MoveTime),
            multi_pv: if job.moves_values {
                moves
            } else {
                job.multi_pv
            },
            ..Limits::default()
        };
        if let Some(report) = self.engine.search(limits, &[&job.cancelled], |_| ()) {
            self.fill(&mut answer, position, job, &report);
        }
        if job.moves_values {
            let found = std::mem::take(&mut answer.lines);
            answer.moves = Some(values(self, position, job, &found));
            answer.lines = found.into_iter().take(job.multi_pv).collect();
        }
        answer
    }

    fn fill(&self, answer: &mut Answer, position: &G, job: &Job, report: &Report<G::Move>) {
        let eval = self.engine.evaluation();
        answer.bestmove = report.best.map(|best| best.to_string());
        answer.nodes = report.nodes;
        answer.time_ms = report.time.as_millis();
        let wanted = if job.moves_values {
            usize::MAX
        } else {
            job.multi_pv
        };
        let lines = report.lines.iter().take(wanted);
        answer.lines = lines
            .map(|info| LineJson::new(info, info.odds(position, eval)))
            .collect();
        if let Some(best) = report.lines.first() {
            let odds = best.odds(position, eval);
            answer.depth = Some(best.depth);
            answer.points = Some(odds.points());
            answer.odds = Some(OddsJson::from(odds));
        }
    }
}
