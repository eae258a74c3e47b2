//! Playing a match: who plays when, and who writes it down.
//!
//! Workers play games; one coordinator hands them out, takes the records,
//! writes the journal, counts and decides when to stop. A game exists once
//! the journal has it.

use std::collections::HashMap;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use thiserror::Error;

use super::adjudicate::Truth;
use super::player::Player;
use super::referee::Referee;
use super::schedule::{Job, Next, Schedule};
use super::settings::{MatchSettings, Shard};
use super::sprt::Verdict;
use super::tally::Tally;
use crate::game::Game;
use crate::process::Host;
use crate::process::Stop;
use crate::process::Trouble;
use crate::record::journal::{Journal, JournalError};
use crate::record::openings::{Opening, Openings};
use crate::record::pgn_file::PgnFile;
use crate::record::{GameId, GameRecord, Reason};

/// Why a match ends before its time.
#[derive(Debug, Error)]
pub enum ArenaError {
    /// An engine's command makes no sense.
    #[error("engine {name}: {why}")]
    Command {
        /// The engine.
        name: String,
        /// What is wrong.
        why: String,
    },
    /// An engine does not start; no game was played.
    #[error("engine {name} does not start: {why}")]
    Start {
        /// The engine.
        name: String,
        /// What happened.
        why: String,
    },
    /// An engine could not be started again, time after time.
    #[error("engine {name} could not be started again {times} times in a row: {why}")]
    Restart {
        /// The engine.
        name: String,
        /// How often it was tried.
        times: u32,
        /// What happened last.
        why: String,
    },
    /// No opening could be made.
    #[error("opening: {0}")]
    Opening(String),
    /// The journal cannot be written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The game file cannot be written.
    #[error("games file {path}: {source}")]
    Pgn {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A part of the runner failed.
    #[error("internal error: {0}")]
    Internal(String),
}

/// How a match ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// All games are played.
    Complete,
    /// The sequential test is decided.
    Decided(Verdict),
    /// Somebody asked to stop.
    Stopped,
}

/// What happens in a match, for whoever watches.
#[derive(Debug)]
pub enum Event<'a> {
    /// A game has ended and is in the journal.
    Game(&'a GameRecord, &'a Tally),
    /// Something the user should know.
    Warning(&'a str),
    /// Nothing; time goes on.
    Tick,
}

/// Everything that a match needs.
pub struct Runner<'a, G: Game> {
    /// Which match.
    pub settings: &'a MatchSettings,
    /// Its openings.
    pub openings: &'a Openings,
    /// Which part of it.
    pub shard: Shard,
    /// Games at the same time.
    pub concurrency: usize,
    /// Players' surroundings.
    pub host: &'a Host,
    /// Exact values for adjudication.
    pub truth: Option<&'a dyn Truth<G>>,
    /// A way to stop it.
    pub stop: &'a Stop,
}

/// Where games go.
#[derive(Debug, Default)]
pub struct Records {
    /// The journal.
    pub journal: Option<Journal>,
    /// The games in PGN and the file's name.
    pub pgn: Option<(PgnFile, PathBuf)>,
    /// Games that are played already.
    pub games: Vec<GameRecord>,
}

/// More restarts of an engine that fail in a row end the match.
const MOST_RESTARTS: u32 = 3;

/// What a worker sends.
enum Report {
    Finished(Job, Box<GameRecord>),
    /// The game was given up.
    Abandoned,
    /// The runner itself failed at this game.
    Panicked(GameId),
    Warnings(Vec<String>),
}

/// Engines that wait for their next game, by index.
#[derive(Default)]
struct Bench(Mutex<Vec<(usize, Player)>>);

impl Bench {
    fn take(&self, engine: usize) -> Option<Player> {
        let mut idle = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = idle.iter().position(|(index, _)| *index == engine)?;
        Some(idle.remove(at).1)
    }

    /// Puts a player back; those that have been idle longest leave when there
    /// are more than `most`.
    fn put(&self, engine: usize, player: Player, most: usize) {
        let leaving: Vec<_> = {
            let mut idle = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            idle.push((engine, player));
            let surplus = idle.len().saturating_sub(most);
            idle.drain(..surplus).collect()
        };
        for (_, player) in leaving {
            player.quit();
        }
    }

    fn close(self) {
        let idle = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        thread::scope(|scope| {
            for (_, player) in idle {
                scope.spawn(|| player.quit());
            }
        });
    }
}

/// Stops everything when the coordinator leaves, even by a panic.
struct StopAtEnd<'a>(&'a Stop);

impl Drop for StopAtEnd<'_> {
    fn drop(&mut self) {
        self.0.now();
    }
}

impl<G: Game> Runner<'_, G> {
    /// Plays all games that are not in `records` yet and tells `watch` of
    /// each. Returns the sum of all games and how it ended.
    ///
    /// # Errors
    /// [`ArenaError`]; the games until then are in the journal.
    pub fn run(
        &self,
        records: &mut Records,
        watch: &mut dyn FnMut(&Event<'_>),
    ) -> Result<(Tally, Ended), ArenaError> {
        let mut tally = Tally::new(self.settings.engines.len());
        for game in &records.games {
            tally.add(game);
        }
        if let Some(verdict) = self.decided(&tally) {
            return Ok((tally, Ended::Decided(verdict)));
        }
        let known: HashMap<_, _> = (records.games.iter())
            .map(|game| (game.id, game.result))
            .collect();
        let mut schedule = Schedule::new(self.settings, self.shard, known);
        let bench = Bench::default();
        let first = schedule.next_game();
        if first == Next::Done {
            return Ok((tally, Ended::Complete));
        }
        self.probe(&bench, watch)?;
        let (jobs, queue) = channel();
        let queue = Mutex::new(queue);
        let ended = thread::scope(|scope| {
            let (report, reports) = channel();
            for _ in 0..self.concurrency {
                let (report, queue, bench) = (report.clone(), &queue, &bench);
                scope.spawn(move || self.work(queue, &report, bench));
            }
            drop(report);
            // Declared last, so that it stops the workers before they are
            // waited for.
            let jobs = jobs;
            let _stop = StopAtEnd(self.stop);
            let mut desk = Desk {
                runner: self,
                schedule,
                tally: &mut tally,
                records,
                running: 0,
                failed_starts: HashMap::new(),
            };
            desk.run(first, &jobs, &reports, watch)
        });
        bench.close();
        ended.map(|ended| (tally, ended))
    }

    /// What the sequential test says, if there is one and it is decided.
    fn decided(&self, tally: &Tally) -> Option<Verdict> {
        let sprt = self.settings.sprt?;
        let meeting = tally.meetings.get(&[0, 1])?;
        match sprt.verdict(sprt.llr_of_pairs(&meeting.pairs)) {
            Verdict::Continue => None,
            verdict => Some(verdict),
        }
    }

    /// Starts every engine once before any game: one that cannot play at all
    /// is an error of the match, not a loss.
    fn probe(&self, bench: &Bench, watch: &mut dyn FnMut(&Event<'_>)) -> Result<(), ArenaError> {
        for (index, spec) in self.settings.engines.iter().enumerate() {
            let name = spec.name.clone();
            let mut player = Player::new(spec, self.host).map_err(|why| ArenaError::Command {
                name: name.clone(),
                why,
            })?;
            match player.new_game(0, self.host, self.stop) {
                Ok(()) => {}
                Err(Trouble::Interrupted) => return Ok(()),
                Err(Trouble::Fault(_, why)) => return Err(ArenaError::Start { name, why }),
            }
            for warning in player.take_warnings() {
                watch(&Event::Warning(&warning));
            }
            bench.put(index, player, usize::MAX);
        }
        Ok(())
    }

    /// A worker: plays what comes until nothing comes any more.
    fn work(
        &self,
        queue: &Mutex<Receiver<(Job, Opening)>>,
        report: &Sender<Report>,
        bench: &Bench,
    ) {
        loop {
            let next = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok((job, opening)) = next else {
                return;
            };
            let play = AssertUnwindSafe(|| self.play(&job, opening, report, bench));
            let told = match catch_unwind(play) {
                Ok(Some(game)) => report.send(Report::Finished(job, Box::new(game))),
                Ok(None) => report.send(Report::Abandoned),
                Err(_) => report.send(Report::Panicked(job.id)),
            };
            if told.is_err() {
                return;
            }
        }
    }

    fn play(
        &self,
        job: &Job,
        opening: Opening,
        report: &Sender<Report>,
        bench: &Bench,
    ) -> Option<GameRecord> {
        if self.stop.is_soon() {
            return None;
        }
        let [first, second] = job.engines;
        let player = |engine: usize| {
            bench
                .take(engine)
                .or_else(|| Player::new(&self.settings.engines[engine], self.host).ok())
        };
        let (mut one, mut two) = (player(first)?, player(second)?);
        let referee = Referee {
            settings: self.settings,
            host: self.host,
            truth: self.truth,
            stop: self.stop,
        };
        let game = referee.play(job, opening, [&mut one, &mut two]);
        let most = 2 * self.concurrency.max(self.settings.engines.len().min(8));
        for (engine, mut player) in [(first, one), (second, two)] {
            let warnings = player.take_warnings();
            if !warnings.is_empty() {
                let _ = report.send(Report::Warnings(warnings));
            }
            bench.put(engine, player, most);
        }
        game
    }
}

/// The coordinator's desk.
struct Desk<'a, 'r, G: Game> {
    runner: &'r Runner<'a, G>,
    schedule: Schedule,
    tally: &'r mut Tally,
    records: &'r mut Records,
    running: usize,
    failed_starts: HashMap<usize, u32>,
}

impl<G: Game> Desk<'_, '_, G> {
    fn run(
        &mut self,
        first: Next,
        jobs: &Sender<(Job, Opening)>,
        reports: &Receiver<Report>,
        watch: &mut dyn FnMut(&Event<'_>),
    ) -> Result<Ended, ArenaError> {
        let mut next = first;
        let mut warned = std::collections::HashSet::new();
        loop {
            while self.running < self.runner.concurrency && !self.runner.stop.is_soon() {
                let Next::Game(job) = next else {
                    break;
                };
                self.hand_out(job, jobs)?;
                next = self.schedule.next_game();
            }
            if self.running == 0 {
                let complete = next == Next::Done;
                return Ok(if complete {
                    Ended::Complete
                } else {
                    Ended::Stopped
                });
            }
            match reports.recv_timeout(std::time::Duration::from_millis(500)) {
                Ok(Report::Finished(job, game)) => {
                    self.running -= 1;
                    self.schedule.finished(&job, game.result);
                    if next == Next::Wait {
                        next = self.schedule.next_game();
                    }
                    self.write_down(*game, watch)?;
                    if let Some(verdict) = self.runner.decided(self.tally) {
                        return Ok(Ended::Decided(verdict));
                    }
                }
                Ok(Report::Abandoned) => self.running -= 1,
                Ok(Report::Panicked(id)) => {
                    return Err(ArenaError::Internal(format!(
                        "the referee panicked in game {id}"
                    )));
                }
                Ok(Report::Warnings(warnings)) => {
                    for warning in warnings.into_iter().filter(|w| warned.insert(w.clone())) {
                        watch(&Event::Warning(&warning));
                    }
                }
                Err(std::sync::mpsc::RecvTimeoutError::Timeout) => watch(&Event::Tick),
                Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => {
                    let why = "every worker has ended".to_owned();
                    return Err(ArenaError::Internal(why));
                }
            }
        }
    }

    fn hand_out(&mut self, job: Job, jobs: &Sender<(Job, Opening)>) -> Result<(), ArenaError> {
        let opening = (self.runner.openings)
            .get::<G>(job.opening)
            .map_err(ArenaError::Opening)?;
        self.running += 1;
        jobs.send((job, opening))
            .map_err(|_| ArenaError::Internal("every worker has ended".to_owned()))
    }

    /// Journal first: what it does not have did not happen.
    fn write_down(
        &mut self,
        game: GameRecord,
        watch: &mut dyn FnMut(&Event<'_>),
    ) -> Result<(), ArenaError> {
        if let Some(journal) = &mut self.records.journal {
            journal.append(&game)?;
        }
        if let Some((pgn, path)) = &mut self.records.pgn {
            pgn.append(&self.runner.settings.pgn::<G>(&game))
                .map_err(|source| ArenaError::Pgn {
                    path: path.clone(),
                    source,
                })?;
        }
        self.tally.add(&game);
        watch(&Event::Game(&game, self.tally));
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
