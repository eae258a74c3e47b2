//! The coordinator of a match: hands games out, takes them back, writes them
//! down, and decides when to stop.

use std::collections::{HashMap, HashSet};
use std::io;
use std::sync::mpsc::Receiver;
use std::time::Duration;

use super::{ArenaError, Ended, MatchEvent, Records, Report, Runner};
use crate::arena::referee::Unplayed;
use crate::arena::schedule::{Job, Next, Played, Schedule};
use crate::arena::tally::Tally;
use crate::game::{Game, number_of};
use crate::process::VoidCause;
use crate::record::openings::Opening;
use crate::record::{GameRecord, Reason};

/// More restarts of an engine that fail in a row end the match.
const MOST_RESTARTS: u32 = 3;

/// More games of two engines that are void in a row, because one of them was
/// ended from outside or because this process was not running, end the match:
/// an engine may be ending itself. One event makes all running games void, so
/// the limit is not below [`EVENTS`] times their number.
const MOST_ENDED: usize = 10;
const MOST_SUSPENDED: usize = 20;
const EVENTS: usize = 5;

/// So often a single game at a time is tried where processes are short, at
/// such intervals.
const RETRIES: u32 = 20;
const RETRY_AFTER: Duration = Duration::from_millis(50);

/// Bytes that are kept for when there are too few: threads take more address
/// space than they need while there is some.
const RESERVE: usize = 48 << 20;

pub(super) fn reserve() -> Option<Vec<u8>> {
    let mut kept = Vec::new();
    kept.try_reserve_exact(RESERVE).ok()?;
    Some(kept)
}

/// Hands games out and takes them back.
pub(super) struct Coordinator<'a, 'r, G: Game> {
    pub(super) runner: &'r Runner<'a, G>,
    /// Starts the thread of a game.
    pub(super) start: &'r dyn Fn(Job, Opening) -> io::Result<()>,
    pub(super) schedule: Schedule,
    pub(super) tally: &'r mut Tally,
    pub(super) records: &'r mut Records,
    /// Games at the same time: as many as were asked for, fewer where the
    /// system does not start so many engines.
    pub(super) slots: usize,
    pub(super) running: usize,
    /// Games that were handed out and could not be played yet.
    pub(super) returned: Vec<Job>,
    /// Why the match cannot go on, once the running games have ended.
    pub(super) failure: Option<ArenaError>,
    /// See [`RESERVE`].
    pub(super) reserve: Option<Vec<u8>>,
    /// Failures in a row to start anything at all.
    pub(super) retries: u32,
    pub(super) failed_starts: HashMap<usize, u32>,
    pub(super) voids: HashMap<([usize; 2], VoidCause), usize>,
    pub(super) warned: HashSet<String>,
}

impl<G: Game> Coordinator<'_, '_, G> {
    pub(super) fn run(
        &mut self,
        first: Next,
        reports: &Receiver<Report>,
        watch: &mut dyn FnMut(&MatchEvent<'_>),
    ) -> Result<Ended, ArenaError> {
        let mut next = first;
        loop {
            self.fill_slots(&mut next, watch)?;
            if self.running == 0 {
                if let Some(why) = self.failure.take() {
                    return Err(why);
                }
                if next == Next::Done && self.returned.is_empty() {
                    return Ok(self.runner.complete(&self.schedule));
                }
                if self.runner.stop.is_soon() {
                    return Ok(Ended::Stopped);
                }
                // What has just ended takes a moment to be gone.
                std::thread::sleep(RETRY_AFTER);
                continue;
            }
            match reports.recv_timeout(Duration::from_millis(500)) {
                Ok(Report::Finished(job, game)) => {
                    self.running -= 1;
                    self.retries = 0;
                    let result = game.result;
                    let is_new = self.write_down(*game, watch)?;
                    self.schedule.finished(&job, Played { result, is_new });
                    if next == Next::Wait {
                        next = self.schedule.next_game();
                    }
                    if let Some(verdict) = self.runner.decided(self.tally) {
                        return Ok(Ended::Decided(verdict));
                    }
                }
                Ok(Report::Unplayed(job, why)) => {
                    self.running -= 1;
                    self.take_back(job, why, watch);
                }
                Ok(Report::Panicked(id)) => {
                    let why = format!("internal error: the referee panicked in game {id}");
                    return Err(ArenaError::Failed(why));
                }
                Ok(Report::Warnings(warnings)) => {
                    for warning in warnings {
                        self.warn(warning, watch);
                    }
                }
                Err(_) => watch(&MatchEvent::Tick),
            }
        }
    }

    fn warn(&mut self, warning: String, watch: &mut dyn FnMut(&MatchEvent<'_>)) {
        if self.warned.insert(warning.clone()) {
            watch(&MatchEvent::Warning(&warning));
        }
    }

    /// Starts games while there are some and slots are free.
    fn fill_slots(
        &mut self,
        next: &mut Next,
        watch: &mut dyn FnMut(&MatchEvent<'_>),
    ) -> Result<(), ArenaError> {
        while self.running < self.slots && !self.runner.stop.is_soon() && self.failure.is_none() {
            let job = match (self.returned.pop(), *next) {
                (Some(job), _) => job,
                (None, Next::Game(job)) => {
                    *next = self.schedule.next_game();
                    job
                }
                (None, Next::Wait | Next::Done) => break,
            };
            let opening = (self.runner.openings)
                .get::<G>(job.opening)
                .map_err(|why| ArenaError::Refused(format!("opening: {why}")))?;
            if let Err(why) = (self.start)(job, opening) {
                self.returned.push(job);
                let why = format!("cannot start a game: {why}");
                self.give_up_a_slot("a game", true, &why, watch);
                break;
            }
            self.running += 1;
        }
        Ok(())
    }

    /// A game that was not played is played later, here or after
    /// `--resume`.
    fn take_back(&mut self, job: Job, why: Unplayed, watch: &mut dyn FnMut(&MatchEvent<'_>)) {
        self.returned.push(job);
        match why {
            Unplayed::Interrupted => {}
            Unplayed::Void(cause, why) => self.note_void(&job, cause, &why, watch),
            Unplayed::Unstarted { name, scarce, why } => {
                self.give_up_a_slot(&format!("engine {name}"), scarce, &why, watch);
            }
        }
    }

    /// Says that a game is void, and gives up when that happens too often.
    fn note_void(
        &mut self,
        job: &Job,
        cause: VoidCause,
        why: &str,
        watch: &mut dyn FnMut(&MatchEvent<'_>),
    ) {
        let (name, most) = match cause {
            VoidCause::EngineEnded => ("an engine was ended from outside", MOST_ENDED),
            VoidCause::RunnerSuspended => ("the match runner was not running", MOST_SUSPENDED),
        };
        *self.tally.voids.entry(name).or_default() += 1;
        let is_stopping = self.runner.stop.is_soon();
        let rest = match is_stopping {
            true => "--resume plays it",
            false => "it is played again",
        };
        let text = format!("game {} is void ({why}): {rest}", job.id);
        watch(&MatchEvent::Warning(&text));
        let [a, b] = job.engines;
        let count = self.voids.entry(([a.min(b), a.max(b)], cause)).or_default();
        *count += 1;
        let most = most.max(self.runner.concurrency.saturating_mul(EVENTS));
        if *count > most && !is_stopping && self.failure.is_none() {
            self.failure = Some(ArenaError::Failed(format!(
                "{count} games of two engines were void in a row, the last one because of {why}; \
                 what is missing was not played: --resume plays it"
            )));
        }
    }

    /// Goes on with as many games as are running, or one, if that may help;
    /// otherwise the match ends behind them.
    fn give_up_a_slot(
        &mut self,
        what: &str,
        scarce: bool,
        why: &str,
        watch: &mut dyn FnMut(&MatchEvent<'_>),
    ) {
        if scarce && self.reserve.take().is_some() {
            return;
        }
        self.retries += u32::from(self.running == 0);
        if scarce && self.retries <= RETRIES {
            self.slots = self.slots.min(self.running.max(1));
            let games = number_of(self.slots, "game");
            self.warn(
                format!("{why}; at most {games} at the same time from now on"),
                watch,
            );
        } else if self.failure.is_none() {
            self.failure = Some(ArenaError::Failed(format!(
                "{what} could not be started here: {why}; what is missing was not played"
            )));
        }
    }

    /// Journal first: what it does not have did not happen. Says whether the
    /// game is new.
    fn write_down(
        &mut self,
        game: GameRecord,
        watch: &mut dyn FnMut(&MatchEvent<'_>),
    ) -> Result<bool, ArenaError> {
        if let Some(journal) = &mut self.records.journal {
            let written = journal.append(&game);
            written.map_err(|why| ArenaError::Failed(why.to_string()))?;
        }
        if let Some((pgn, path)) = &mut self.records.pgn {
            let text = self.runner.settings.pgn::<G>(&game);
            pgn.append(&text).map_err(|why| {
                ArenaError::Failed(format!("games file {}: {why}", path.display()))
            })?;
        }
        let is_new = self.tally.add(&game);
        let [a, b] = game.engines;
        let meeting = [a.min(b), a.max(b)];
        self.voids.retain(|(engines, _), _| *engines != meeting);
        if self.runner.is_exhausted(meeting, self.tally) {
            self.schedule.end(meeting);
        }
        watch(&MatchEvent::Game(&game, self.tally));
        let failed = self.check_restarts(&game);
        self.records.games.push(game);
        failed.map(|()| is_new)
    }

    /// An engine that never starts again would lose all games that are left.
    fn check_restarts(&mut self, game: &GameRecord) -> Result<(), ArenaError> {
        let failed = (game.reason == Reason::NoHandshake)
            .then(|| game.loser())
            .flatten();
        for engine in game.engines {
            let row = self.failed_starts.entry(engine).or_default();
            if failed == Some(engine) {
                *row += 1;
            } else if failed.is_none() {
                *row = 0;
            }
            if *row >= MOST_RESTARTS {
                return Err(ArenaError::Failed(format!(
                    "engine {} could not be started again {row} times in a row: {}",
                    self.runner.settings.engines[engine].name, game.detail
                )));
            }
        }
        Ok(())
    }
}
