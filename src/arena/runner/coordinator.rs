//! The coordinator of a match: it hands games out, takes them back, writes them down, and
//! decides when to stop.

use std::collections::{HashMap, HashSet};
use std::io;
use std::sync::mpsc::Receiver;
use std::time::Duration;

use super::{ArenaError, GameReport, MatchEnd, MatchEvent, Prevented, Records, Runner};
use crate::arena::schedule::{Job, Next, Schedule};
use crate::arena::tally::{GameResult, Tally, sorted};
use crate::process::{Trouble, VoidCause};
use totemic_engine::game::Game;
use totemic_engine::text::number_of;
use totemic_games::record::{GameRecord, Opening, Reason};

/// This many failed restarts of an engine in a row end the match.
const MAX_RESTARTS: u32 = 3;

/// A game is void if this process was suspended while an engine's clock ran. More than this
/// many of the same two engines in a row end the match. One suspension makes all running games
/// void, so the limit is at least [`MAX_SUSPENSIONS`] times their number.
const MAX_VOID_GAMES: usize = 20;
const MAX_SUSPENSIONS: usize = 5;

/// Where processes are scarce, a single game at a time is tried this often, with this
/// pause in between.
const MAX_RETRIES: u32 = 20;
const RETRY_PAUSE: Duration = Duration::from_millis(50);

/// Bytes kept in reserve, because threads take more address space than they need.
const RESERVE_BYTES: usize = 48 << 20;

/// Starts a game.
type Start<'s> = &'s dyn Fn(Job, Opening) -> io::Result<()>;

/// What went wrong so far.
#[derive(Default)]
struct Setbacks {
    /// Memory that the first shortage frees, so that what failed can be tried again.
    reserve: Option<Vec<u8>>,
    /// How many times in a row nothing at all could be started.
    retries: u32,
    /// Failed restarts of each engine in a row.
    failed_restarts: HashMap<usize, u32>,
    /// Games in a row that were void because this process was not running.
    suspended: HashMap<[usize; 2], usize>,
}

impl Setbacks {
    fn new() -> Self {
        let mut reserve = Vec::new();
        let reserved = reserve.try_reserve_exact(RESERVE_BYTES);
        Self {
            reserve: reserved.ok().map(|()| reserve),
            ..Self::default()
        }
    }

    /// Notes a game that was played. Returns an engine that does not start again, and so
    /// would lose all other games.
    fn after_game(&mut self, game: &GameRecord) -> Option<usize> {
        self.retries = 0;
        self.suspended.remove(&sorted(game.engines));
        if game.reason != Reason::NoHandshake {
            for engine in &game.engines {
                self.failed_restarts.remove(engine);
            }
            return None;
        }
        let loser = game.loser()?;
        let row = self.failed_restarts.entry(loser).or_default();
        *row += 1;
        (*row >= MAX_RESTARTS).then_some(loser)
    }
}

/// Hands games out and takes them back.
pub(super) struct Coordinator<'a, 'r, G: Game> {
    runner: &'r Runner<'a, G>,
    schedule: Schedule,
    tally: &'r mut Tally,
    records: &'r mut Records,
    watch: &'r mut dyn FnMut(&MatchEvent<'_>),
    /// Number of games at the same time: as many as were asked for, or fewer if the
    /// system does not start so many engines.
    slots: usize,
    running: usize,
    /// Games that were handed out but could not be played yet.
    returned: Vec<Job>,
    /// Why the match cannot go on once the running games have ended.
    failure: Option<String>,
    setbacks: Setbacks,
    warned: HashSet<String>,
}

impl<'a, 'r, G: Game> Coordinator<'a, 'r, G> {
    pub(super) fn new(
        runner: &'r Runner<'a, G>,
        schedule: Schedule,
        tally: &'r mut Tally,
        records: &'r mut Records,
        watch: &'r mut dyn FnMut(&MatchEvent<'_>),
    ) -> Self {
        Self {
            runner,
            schedule,
            tally,
            records,
            watch,
            slots: runner.concurrency,
            running: 0,
            returned: Vec::new(),
            failure: None,
            setbacks: Setbacks::new(),
            warned: HashSet::new(),
        }
    }

    pub(super) fn run(
        &mut self,
        mut next: Next,
        start: Start<'_>,
        reports: &Receiver<GameReport>,
    ) -> Result<MatchEnd, ArenaError> {
        loop {
            self.fill_slots(&mut next, start)?;
            if self.running == 0 {
                if let Some(why) = self.failure.take() {
                    return Err(ArenaError::Failed(why));
                }
                if next == Next::Done && self.returned.is_empty() {
                    return Ok(MatchEnd::of_schedule(&self.schedule));
                }
                if self.runner.stop.is_ending() {
                    return Ok(MatchEnd::Stopped);
                }
                // A process that has just ended takes a moment to disappear.
                std::thread::sleep(RETRY_PAUSE);
                continue;
            }
            match reports.recv_timeout(Duration::from_millis(500)) {
                Ok(GameReport::Finished(job, game)) => {
                    self.running -= 1;
                    let result = self.write_down(&game)?;
                    self.schedule.finished(&job, result);
                    if next == Next::Wait {
                        next = self.schedule.next_game();
                    }
                    if let Some(verdict) = self.runner.decided(self.tally) {
                        return Ok(MatchEnd::Decided(verdict));
                    }
                }
                Ok(GameReport::Unplayed(job, prevented)) => {
                    self.running -= 1;
                    self.take_back(job, prevented);
                }
                Ok(GameReport::Panicked(id)) => {
                    let why = format!("internal error: the referee panicked in game {id}");
                    return Err(ArenaError::Failed(why));
                }
                Ok(GameReport::Warning(warning)) => self.warn(warning),
                Err(_) => (self.watch)(&MatchEvent::Tick),
            }
        }
    }

    fn fill_slots(&mut self, next: &mut Next, start: Start<'_>) -> Result<(), ArenaError> {
        while self.running < self.slots && !self.runner.stop.is_ending() && self.failure.is_none() {
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
                .map_err(|why| match self.runner.openings.count() {
                    None => ArenaError::Refused(format!("opening: {why}")),
                    // A mistake in a file is not a wrong command line.
                    Some(_) => ArenaError::Failed(format!("openings, {why}")),
                })?;
            if let Err(why) = start(job, opening) {
                self.returned.push(job);
                self.not_started("a game", true, &format!("cannot start a game: {why}"));
                break;
            }
            self.running += 1;
        }
        Ok(())
    }

    /// Writes a game down and only then counts it: a game that is not in the journal has
    /// not happened.
    fn write_down(&mut self, game: &GameRecord) -> Result<GameResult, ArenaError> {
        for (engine, program) in game.engines.iter().zip(&game.programs) {
            self.tally.engines[*engine].add_program(program);
        }
        self.runner.refuse_mixed(self.tally)?;
        self.records.write(self.runner.settings, game)?;
        let result = self.tally.add(game);
        let meeting = sorted(game.engines);
        if self.runner.is_exhausted(meeting, self.tally) {
            self.schedule.close(meeting);
        }
        (self.watch)(&MatchEvent::Game(game, self.tally));
        if let Some(engine) = self.setbacks.after_game(game) {
            return Err(ArenaError::Failed(format!(
                "engine {} could not be started again {MAX_RESTARTS} times in a row: {}",
                self.runner.settings.engines[engine].name, game.detail
            )));
        }
        Ok(result)
    }

    /// Keeps a game that was not played, because of an engine's trouble, for later: for
    /// this run or for `--resume`.
    fn take_back(&mut self, mut job: Job, (engine, trouble): Prevented) {
        if matches!(trouble, Trouble::Void(VoidCause::EngineTerminated, _)) {
            let both = job.terminated.iter_mut().zip(job.engines);
            both.for_each(|(terminated, it)| *terminated |= it == engine);
        }
        self.returned.push(job);
        let name = &self.runner.settings.engines[engine].name;
        let (scarce, why) = match trouble {
            Trouble::Interrupted => return,
            Trouble::Void(cause, why) => {
                return self.count_void(&job, cause, &format!("{name}: {why}"));
            }
            Trouble::Unstarted { scarce, why } => (scarce, why),
            Trouble::Forfeit(_, why) => (false, why),
        };
        self.not_started(&format!("engine {name}"), scarce, &why);
    }

    /// Reports that a game is void, and gives up if that happens too often.
    fn count_void(&mut self, job: &Job, cause: VoidCause, why: &str) {
        let name = match cause {
            VoidCause::EngineTerminated => "an engine was ended by a signal",
            VoidCause::RunnerSuspended => "the match runner was not running",
        };
        *self.tally.voids.entry(name).or_default() += 1;
        let is_stopping = self.runner.stop.is_ending();
        let what_next = match is_stopping {
            true => "--resume plays it",
            false => "it is played again",
        };
        let text = format!("game {} is void ({why}): {what_next}", job.id);
        (self.watch)(&MatchEvent::Warning(&text));
        if cause == VoidCause::EngineTerminated {
            return;
        }
        let suspended = &mut self.setbacks.suspended;
        let count = suspended.entry(sorted(job.engines)).or_default();
        *count += 1;
        let most = MAX_VOID_GAMES.max(self.runner.concurrency.saturating_mul(MAX_SUSPENSIONS));
        if *count > most && !is_stopping {
            self.failure.get_or_insert(format!(
                "{count} games of two engines were void in a row, the last one because of {why}; \
                 the missing games were not played: --resume plays them"
            ));
        }
    }

    /// Goes on with as many games as are running, or with one, if that may help;
    /// otherwise the match ends after the running games.
    fn not_started(&mut self, what: &str, scarce: bool, why: &str) {
        if scarce && self.setbacks.reserve.take().is_some() {
            return;
        }
        self.setbacks.retries += u32::from(self.running == 0);
        if scarce && self.setbacks.retries <= MAX_RETRIES {
            self.slots = self.slots.min(self.running.max(1));
            let games = number_of(self.slots, "game");
            self.warn(format!(
                "{why}; at most {games} at the same time from now on"
            ));
        } else {
            self.failure.get_or_insert(format!(
                "{what} could not be started here: {why}; the missing games were not played"
            ));
        }
    }

    fn warn(&mut self, warning: String) {
        if self.warned.insert(warning.clone()) {
            (self.watch)(&MatchEvent::Warning(&warning));
        }
    }
}
