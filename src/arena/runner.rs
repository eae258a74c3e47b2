//! Playing a match: who plays when, and who writes it down.
//!
//! Workers play games; one coordinator hands them out, takes the records,
//! writes the journal, counts and decides when to stop. A game exists once
//! the journal has it.

mod desk;
mod pool;

use std::collections::{HashMap, HashSet};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use thiserror::Error;

use super::adjudicate::Truth;
use super::player::Player;
use super::referee::{Referee, Unplayed};
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
use crate::record::{GameId, GameRecord};
use desk::Desk;
use pool::Pool;

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
    /// This system could not start an engine, or nobody to play a game.
    #[error("{what} could not be started here: {why}; what is missing was not played")]
    Unstarted {
        /// `engine NAME`, or who else.
        what: String,
        /// What the system said.
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
pub enum MatchEvent<'a> {
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

/// What a worker is told to do.
enum Order {
    Play(Job, Box<Opening>),
    Leave,
}

/// What a worker sends.
enum Told {
    Finished(Job, Box<GameRecord>),
    /// The game was given up; a worker for which there is not enough of
    /// something ends with it.
    Unplayed(Job, Unplayed),
    /// The runner itself failed at this game.
    Panicked(GameId),
    Warnings(Vec<String>),
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
        watch: &mut dyn FnMut(&MatchEvent<'_>),
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
        let pool = Pool::default();
        let first = schedule.next_game();
        if first == Next::Done {
            return Ok((tally, Ended::Complete));
        }
        self.probe(&pool, watch)?;
        let (orders, queue) = channel();
        let queue = Mutex::new(queue);
        let ended = thread::scope(|scope| {
            let (report, reports) = channel();
            let hire = || {
                let (report, queue, pool) = (report.clone(), &queue, &pool);
                let work = move || self.work(queue, &report, pool);
                thread::Builder::new().spawn_scoped(scope, work).map(|_| ())
            };
            // Declared last, so that it stops the workers before they are
            // waited for.
            let orders = orders;
            let _stop = StopAtEnd(self.stop);
            let mut desk = Desk {
                runner: self,
                hire: &hire,
                schedule,
                tally: &mut tally,
                records,
                seats: self.concurrency,
                workers: 0,
                running: 0,
                returned: Vec::new(),
                unstarted: None,
                retries: 0,
                failed_starts: HashMap::new(),
                warned: HashSet::new(),
            };
            desk.run(first, &orders, &reports, watch)
        });
        pool.close();
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
    fn probe(&self, pool: &Pool, watch: &mut dyn FnMut(&MatchEvent<'_>)) -> Result<(), ArenaError> {
        for (index, spec) in self.settings.engines.iter().enumerate() {
            let name = spec.name.clone();
            let mut player = Player::new(spec, self.host).map_err(|why| ArenaError::Command {
                name: name.clone(),
                why,
            })?;
            match player.new_game(0, self.host, self.stop) {
                Ok(()) => {}
                Err(Trouble::Interrupted) => return Ok(()),
                // Who does not want to wait for it any more is no judge of it.
                Err(_) if self.stop.is_soon() => return Ok(()),
                Err(Trouble::Fault(_, why) | Trouble::Unstarted { why, .. }) => {
                    return Err(ArenaError::Start { name, why });
                }
            }
            for warning in player.take_warnings() {
                watch(&MatchEvent::Warning(&warning));
            }
            pool.put(index, player, usize::MAX);
        }
        Ok(())
    }

    /// A worker: plays what comes until nothing comes any more, or a game was
    /// not played: then it makes room.
    fn work(&self, queue: &Mutex<Receiver<Order>>, report: &Sender<Told>, pool: &Pool) {
        loop {
            let next = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok(Order::Play(job, opening)) = next else {
                return;
            };
            let play = AssertUnwindSafe(|| self.play(&job, *opening, report, pool));
            let (told, goes_on) = match catch_unwind(play) {
                Ok(Ok(game)) => (Told::Finished(job, Box::new(game)), true),
                Ok(Err(why)) => (Told::Unplayed(job, why), false),
                Err(_) => (Told::Panicked(job.id), false),
            };
            if report.send(told).is_err() || !goes_on {
                return;
            }
        }
    }

    fn play(
        &self,
        job: &Job,
        opening: Opening,
        report: &Sender<Told>,
        pool: &Pool,
    ) -> Result<GameRecord, Unplayed> {
        if self.stop.is_soon() {
            return Err(Unplayed::Interrupted);
        }
        let [first, second] = job.engines;
        let player = |engine: usize| {
            pool.take(engine)
                .map_or_else(
                    || Player::new(&self.settings.engines[engine], self.host),
                    Ok,
                )
                // The first start of each engine has shown that this goes.
                .map_err(|why| self.unstarted(engine, why))
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
        if matches!(game, Err(Unplayed::Unstarted { .. })) {
            pool.clear();
        }
        for (engine, mut player) in [(first, one), (second, two)] {
            let warnings = player.take_warnings();
            if !warnings.is_empty() {
                let _ = report.send(Told::Warnings(warnings));
            }
            if !matches!(game, Err(Unplayed::Unstarted { .. })) {
                pool.put(engine, player, most);
            }
        }
        game
    }

    fn unstarted(&self, engine: usize, why: String) -> Unplayed {
        Unplayed::Unstarted {
            name: self.settings.engines[engine].name.clone(),
            scarce: false,
            why,
        }
    }
}
