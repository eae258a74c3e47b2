//! Playing a match: who plays when, and who writes it down.
//!
//! Each game has a thread; one coordinator starts them, takes the records,
//! writes the journal, counts and decides when to stop. A game exists once
//! the journal has it.

mod coordinator;
mod pool;

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::mpsc::{Sender, channel};
use std::thread;

use thiserror::Error;

use super::adjudicate::Truth;
use super::player::Player;
use super::referee::{GRACE, Referee};
use super::schedule::{ENDLESS, Job, Next, Schedule};
use super::settings::{MatchSettings, RANDOM, Shard};
use super::sprt::Verdict;
use super::tally::Tally;
use crate::game::{Game, number_of};
use crate::process::{Host, Stop, Trouble, UgiClient};
use crate::record::journal::Journal;
use crate::record::openings::{Opening, OpeningSource, Openings};
use crate::record::pgn_file::PgnFile;
use crate::record::{GameId, GameRecord};
use coordinator::Coordinator;
use pool::Pool;

/// Pairs that have to be repeated in a row, however few openings there are,
/// before two engines are taken to have nothing new to play.
const FEWEST_REPEATS: u64 = 3;

/// Openings that are compared with one another before a match.
const MOST_LOOKED_AT: u64 = 10_000;

/// What gives engines more to play; a file of openings excludes random plies.
pub(crate) const fn remedy(openings: &OpeningSource) -> &'static str {
    match openings {
        OpeningSource::File { .. } => "more openings (--openings) or time for each move (st=)",
        OpeningSource::Random { .. } => {
            "openings (--openings), more random plies (--random-plies) or time for each move (st=)"
        }
    }
}

/// Why a match ends before its time. What was played until then is in the
/// journal.
#[derive(Debug, Error)]
pub enum ArenaError {
    /// What was asked for makes no sense: an engine's command, or openings.
    #[error("{0}")]
    Refused(String),
    /// Something failed: an engine, a file, or a part of the runner.
    #[error("{0}")]
    Failed(String),
}

/// How a match ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// All games are played.
    Complete,
    /// The sequential test is decided.
    Decided(Verdict),
    /// More games would only repeat those that were played.
    Exhausted,
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

enum Report {
    Finished(Job, Box<GameRecord>),
    /// The engine whose trouble kept the game from being played.
    Unplayed(Job, usize, Trouble),
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
        let mut tally = Tally::of(self.settings, &records.games);
        if let Some(verdict) = self.decided(&tally) {
            return Ok((tally, Ended::Decided(verdict)));
        }
        let mut schedule = Schedule::new(self.settings, self.shard, tally.known.clone());
        for &meeting in tally.meetings.keys() {
            if self.is_exhausted(meeting, &tally) {
                schedule.end(meeting);
            }
        }
        let pool = Pool::default();
        let first = schedule.next_game();
        if first == Next::Done {
            let ended = self.complete(&schedule);
            return Ok((tally, ended));
        }
        if let Some(warning) = self.too_few_openings() {
            watch(&MatchEvent::Warning(&warning));
        }
        self.probe(&pool, watch)?;
        let ended = thread::scope(|scope| {
            let (report, reports) = channel();
            let start = |job: Job, opening: Opening| {
                let (report, pool) = (report.clone(), &pool);
                let game = move || {
                    let play = AssertUnwindSafe(|| self.play(&job, opening, &report, pool));
                    let _ = report.send(match catch_unwind(play) {
                        Ok(Ok(game)) => Report::Finished(job, Box::new(game)),
                        Ok(Err((engine, trouble))) => Report::Unplayed(job, engine, trouble),
                        Err(_) => Report::Panicked(job.id),
                    });
                };
                let thread = thread::Builder::new().spawn_scoped(scope, game);
                thread.map(|_| ())
            };
            // Ends the games before their threads are waited for.
            let _stop = StopAtEnd(self.stop);
            Coordinator::new(self, &start, watch, schedule, &mut tally, records)
                .run(first, &reports)
        });
        pool.close();
        ended.map(|ended| (tally, ended))
    }

    /// How a match ends whose schedule has no more games.
    fn complete(&self, schedule: &Schedule) -> Ended {
        match schedule.is_cut() {
            true => Ended::Exhausted,
            false => Ended::Complete,
        }
    }

    /// Whether all that two engines can play is played: every opening was
    /// repeated in a row by engines that nothing makes vary. Where the pairings
    /// depend on the results, all games are played: the next stage needs them.
    fn is_exhausted(&self, meeting: [usize; 2], tally: &Tally) -> bool {
        let played = tally.meetings.get(&meeting);
        let in_a_row = played.map_or(0, |meeting| meeting.repeats_in_a_row);
        in_a_row >= FEWEST_REPEATS
            && !self.settings.format.is_adaptive()
            && self.may_repeat(meeting)
            && (self.openings.count().map(|count| count as u64))
                .or_else(|| (self.different_openings(8) == 1).then_some(1))
                .is_some_and(|openings| in_a_row >= openings)
    }

    /// Whether nothing is known that makes games of two engines from the same
    /// opening differ.
    fn may_repeat(&self, meeting: [usize; 2]) -> bool {
        !self.settings.ponder
            && meeting.iter().all(|&engine| {
                let spec = &self.settings.engines[engine];
                let has_threads = (spec.options.iter())
                    .any(|(name, value)| name.eq_ignore_ascii_case("Threads") && value != "1");
                let is_timed = spec.limits.clock.is_some() || spec.limits.movetime_ms.is_some();
                spec.cmd != RANDOM && !is_timed && !has_threads
            })
    }

    /// Different positions among the first openings.
    fn different_openings(&self, first: u64) -> usize {
        let openings = (0..first).map_while(|number| self.openings.get::<G>(number).ok());
        let positions: HashSet<_> = openings.map(|opening| opening.position()).collect();
        positions.len()
    }

    /// What to say where the openings give clearly fewer different pairs than
    /// are asked for.
    fn too_few_openings(&self) -> Option<String> {
        let engines = self.settings.engines.len();
        let mut meetings = (0..engines).flat_map(|b| (0..b).map(move |a| [a, b]));
        if !meetings.any(|meeting| self.may_repeat(meeting)) {
            return None;
        }
        let asked = self.settings.pairs;
        let looked_at = asked.min(MOST_LOOKED_AT);
        let different = self.different_openings(looked_at) as u64;
        let wanted = match asked {
            ENDLESS => "as many as the test needs".to_owned(),
            asked => asked.to_string(),
        };
        (different < looked_at - looked_at / 10).then(|| {
            let different = number_of(different, "different pair");
            format!(
                "the openings give {different} of games, where {wanted} are asked \
                 for: engines limited by nodes or depth play the others again move by move, and \
                 repeats do not count; give {}",
                remedy(&self.settings.openings)
            )
        })
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
            let name = &spec.name;
            let mut player = Player::new(spec, self.host)
                .map_err(|why| ArenaError::Refused(format!("engine {name}: {why}")))?;
            match player.new_game(0, self.host, self.stop) {
                Ok(()) => {}
                Err(Trouble::Interrupted) => return Ok(()),
                // Who does not want to wait for it any more is no judge of it.
                Err(_) if self.stop.comes_within(GRACE) => return Ok(()),
                Err(
                    Trouble::Fault(_, why) | Trouble::Unstarted { why, .. } | Trouble::Void(_, why),
                ) => {
                    let why = format!("engine {name} does not start: {why}");
                    return Err(ArenaError::Failed(why));
                }
            }
            let warnings = player.engine().map(UgiClient::take_warnings);
            for warning in warnings.into_iter().flatten() {
                watch(&MatchEvent::Warning(&warning));
            }
            pool.put(index, player, usize::MAX);
        }
        Ok(())
    }

    fn play(
        &self,
        job: &Job,
        opening: Opening,
        report: &Sender<Report>,
        pool: &Pool,
    ) -> Result<GameRecord, (usize, Trouble)> {
        if self.stop.is_soon() {
            return Err((job.engines[0], Trouble::Interrupted));
        }
        let [first, second] = job.engines;
        let player = |engine: usize| {
            pool.take(engine)
                .map_or_else(
                    || Player::new(&self.settings.engines[engine], self.host),
                    Ok,
                )
                // The first start of each engine has shown that its command is right.
                .map_err(|why| (engine, Trouble::Unstarted { scarce: false, why }))
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
        let is_unstarted = matches!(game, Err((_, Trouble::Unstarted { .. })));
        if is_unstarted {
            pool.clear();
        }
        for (engine, mut player) in [(first, one), (second, two)] {
            let warnings = player.engine().map(UgiClient::take_warnings);
            if let Some(warnings) = warnings.filter(|warnings| !warnings.is_empty()) {
                let _ = report.send(Report::Warnings(warnings));
            }
            if !is_unstarted {
                pool.put(engine, player, most);
            }
        }
        game
    }
}
