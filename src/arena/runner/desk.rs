//! The coordinator of a match: hands games out, takes them back, writes them
//! down, and decides when to stop.

use std::collections::{HashMap, HashSet};
use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::Duration;

use super::{ArenaError, Ended, MatchEvent, Order, Records, Runner, Told};
use crate::arena::referee::Unplayed;
use crate::arena::schedule::{Job, Next, Schedule};
use crate::arena::tally::Tally;
use crate::game::Game;
use crate::record::{GameRecord, Reason};

/// More restarts of an engine that fail in a row end the match.
const MOST_RESTARTS: u32 = 3;

/// So often a single game at a time is tried where processes are short, at
/// such intervals.
const RETRIES: u32 = 20;
const RETRY_AFTER: Duration = Duration::from_millis(50);

/// The coordinator's desk.
pub(super) struct Desk<'a, 'r, G: Game> {
    pub(super) runner: &'r Runner<'a, G>,
    /// Starts one more worker.
    pub(super) hire: &'r dyn Fn() -> io::Result<()>,
    pub(super) schedule: Schedule,
    pub(super) tally: &'r mut Tally,
    pub(super) records: &'r mut Records,
    /// Games at the same time: as many as were asked for, fewer where the
    /// system does not start so many engines.
    pub(super) seats: usize,
    /// Workers that wait or play.
    pub(super) workers: usize,
    pub(super) running: usize,
    /// Games that were handed out and could not be played yet.
    pub(super) returned: Vec<Job>,
    /// Why the match cannot go on, once the running games have ended.
    pub(super) unstarted: Option<ArenaError>,
    /// Failures in a row to start anything at all.
    pub(super) retries: u32,
    pub(super) failed_starts: HashMap<usize, u32>,
    pub(super) warned: HashSet<String>,
}

impl<G: Game> Desk<'_, '_, G> {
    pub(super) fn run(
        &mut self,
        first: Next,
        orders: &Sender<Order>,
        told: &Receiver<Told>,
        watch: &mut dyn FnMut(&MatchEvent<'_>),
    ) -> Result<Ended, ArenaError> {
        let mut next = first;
        loop {
            self.fill_seats(&mut next, orders, watch)?;
            self.dismiss_surplus(orders);
            if self.running == 0 {
                if let Some(why) = self.unstarted.take() {
                    return Err(why);
                }
                if next == Next::Done && self.returned.is_empty() {
                    return Ok(Ended::Complete);
                }
                if self.runner.stop.is_soon() {
                    return Ok(Ended::Stopped);
                }
                // What has just ended takes a moment to be gone.
                std::thread::sleep(RETRY_AFTER);
                continue;
            }
            match told.recv_timeout(Duration::from_millis(500)) {
                Ok(Told::Finished(job, game)) => {
                    self.running -= 1;
                    self.retries = 0;
                    self.schedule.finished(&job, game.result);
                    if next == Next::Wait {
                        next = self.schedule.next_game();
                    }
                    self.write_down(*game, watch)?;
                    if let Some(verdict) = self.runner.decided(self.tally) {
                        return Ok(Ended::Decided(verdict));
                    }
                }
                Ok(Told::Unplayed(job, why)) => {
                    self.running -= 1;
                    self.workers -= 1;
                    self.take_back(job, why, watch);
                }
                Ok(Told::Panicked(id)) => {
                    return Err(ArenaError::Internal(format!(
                        "the referee panicked in game {id}"
                    )));
                }
                Ok(Told::Warnings(warnings)) => {
                    for warning in warnings {
                        self.warn(warning, watch);
                    }
                }
                Err(RecvTimeoutError::Timeout) => watch(&MatchEvent::Tick),
                Err(RecvTimeoutError::Disconnected) => return Err(nobody_left()),
            }
        }
    }

    /// Each warning is told once.
    fn warn(&mut self, warning: String, watch: &mut dyn FnMut(&MatchEvent<'_>)) {
        if self.warned.insert(warning.clone()) {
            watch(&MatchEvent::Warning(&warning));
        }
    }

    /// Hands out games while there are some and somebody to play them.
    fn fill_seats(
        &mut self,
        next: &mut Next,
        orders: &Sender<Order>,
        watch: &mut dyn FnMut(&MatchEvent<'_>),
    ) -> Result<(), ArenaError> {
        while self.running < self.seats
            && !self.runner.stop.is_soon()
            && self.unstarted.is_none()
            && (!self.returned.is_empty() || matches!(next, Next::Game(_)))
            && self.has_worker(watch)
        {
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
                .map_err(ArenaError::Opening)?;
            self.running += 1;
            let order = Order::Play(job, Box::new(opening));
            orders.send(order).map_err(|_| nobody_left())?;
        }
        Ok(())
    }

    /// Lets idle workers go for whom there is no seat.
    fn dismiss_surplus(&mut self, orders: &Sender<Order>) {
        while self.workers > self.seats.max(self.running) {
            let _ = orders.send(Order::Leave);
            self.workers -= 1;
        }
    }

    /// Whether a worker is idle, or could be hired.
    fn has_worker(&mut self, watch: &mut dyn FnMut(&MatchEvent<'_>)) -> bool {
        if self.running < self.workers {
            return true;
        }
        match (self.hire)() {
            Ok(()) => self.workers += 1,
            Err(why) => {
                let why = format!("cannot start a thread: {why}");
                self.give_up_a_seat("a game", true, why, watch);
            }
        }
        self.running < self.workers
    }

    /// A game that was not played: it stays to be played, here or after
    /// `--resume`.
    fn take_back(&mut self, job: Job, why: Unplayed, watch: &mut dyn FnMut(&MatchEvent<'_>)) {
        self.returned.push(job);
        if let Unplayed::Unstarted { name, scarce, why } = why {
            self.give_up_a_seat(&format!("engine {name}"), scarce, why, watch);
        }
    }

    /// Goes on with as many games as are running, or one, if that may help;
    /// otherwise the match ends behind them.
    fn give_up_a_seat(
        &mut self,
        what: &str,
        scarce: bool,
        why: String,
        watch: &mut dyn FnMut(&MatchEvent<'_>),
    ) {
        self.retries += u32::from(self.running == 0);
        if scarce && self.retries <= RETRIES {
            self.seats = self.seats.min(self.running.max(1));
            let seats = self.seats;
            self.warn(
                format!("{why}; at most {seats} games at the same time from now on"),
                watch,
            );
        } else if self.unstarted.is_none() {
            let what = what.to_owned();
            self.unstarted = Some(ArenaError::Unstarted { what, why });
        }
    }

    /// Journal first: what it does not have did not happen.
    fn write_down(
        &mut self,
        game: GameRecord,
        watch: &mut dyn FnMut(&MatchEvent<'_>),
    ) -> Result<(), ArenaError> {
        if let Some(journal) = &mut self.records.journal {
            journal.append(&game)?;
        }
        if let Some((pgn, path)) = &mut self.records.pgn {
            let text = self.runner.settings.pgn::<G>(&game);
            pgn.append(&text).map_err(|source| ArenaError::Pgn {
                path: path.clone(),
                source,
            })?;
        }
        self.tally.add(&game);
        watch(&MatchEvent::Game(&game, self.tally));
        let failed = self.check_restarts(&game);
        self.records.games.push(game);
        failed
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
                return Err(ArenaError::Restart {
                    name: self.runner.settings.engines[engine].name.clone(),
                    times: *row,
                    why: game.detail.clone(),
                });
            }
        }
        Ok(())
    }
}

fn nobody_left() -> ArenaError {
    ArenaError::Internal("every worker has ended".to_owned())
}
