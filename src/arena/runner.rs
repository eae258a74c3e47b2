//! Plays a match.
//!
//! Each game has a thread. One coordinator starts the games, takes their records, writes
//! the journal, counts, and decides when to stop. A game counts once it is in the
//! journal.

mod coordinator;
mod pool;
mod referee;

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread;

use serde::Serialize;
use thiserror::Error;

use super::adjudicate::Prove;
use super::player::Player;
use super::schedule::{Job, Next, Schedule, possible_meetings};
use super::settings::{MatchSettings, UNLIMITED_PAIRS};
use super::sprt::Verdict;
use super::tally::Tally;
use crate::process::{RunSetup, Trouble, processors};
use crate::shard::Shard;
use crate::storage::journal::Journal;
use crate::storage::pgn_file::PgnFile;
use coordinator::Coordinator;
use pool::Pool;
use referee::GRACE;
use totemic_engine::game::Game;
use totemic_engine::stop::Stop;
use totemic_engine::text::number_of;
use totemic_games::record::openings::{OpeningSource, Openings};
use totemic_games::record::{GameId, GameRecord, Opening};

/// If two engines repeat this many pairs in a row, they may have nothing new to play. It
/// takes as many repeats as there are openings, if that is more.
const MIN_REPEATS: u64 = 3;

/// The most openings that are compared with one another before a match.
const MAX_COMPARED_OPENINGS: u64 = 10_000;

/// Says what makes engines play more different games.
pub(crate) const fn remedy(openings: &OpeningSource) -> &'static str {
    match openings {
        OpeningSource::File { .. } => "more openings (--openings) or time for each move (st=)",
        OpeningSource::Random { .. } => {
            "openings (--openings), more random plies (--random-plies) or time for each move (st=)"
        }
    }
}

/// Why a match ends early. The games played before that are in the journal.
#[derive(Debug, Error)]
pub enum ArenaError {
    /// An engine's command, or the openings, cannot be used.
    #[error("{0}")]
    Refused(String),
    /// Something failed: an engine, a file, or a part of the runner.
    #[error("{0}")]
    Failed(String),
}

/// How a match ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MatchEnd {
    /// All games are played.
    Complete,
    /// The sequential test is decided.
    Decided(#[serde(skip)] Verdict),
    /// More games would only repeat those that were played.
    Exhausted,
    /// The match was asked to stop.
    Stopped,
}

impl MatchEnd {
    /// How a match ends when its schedule has no more games.
    fn of_schedule(schedule: &Schedule) -> Self {
        match schedule.skips_games {
            true => Self::Exhausted,
            false => Self::Complete,
        }
    }
}

/// What happens in a match, for a callback.
#[derive(Debug)]
pub enum MatchEvent<'a> {
    /// A game has ended and is in the journal.
    Game(&'a GameRecord, &'a Tally),
    /// A warning for the user.
    Warning(&'a str),
    /// Nothing has happened for half a second.
    Tick,
}

/// A match to be played.
#[expect(missing_docs, reason = "the names say what the fields are")]
pub struct Runner<'a, G: Game> {
    pub settings: &'a MatchSettings,
    pub openings: &'a Openings,
    pub shard: Shard,
    /// Number of games that are played at the same time.
    pub concurrency: usize,
    /// The processors of each of these games; empty if any game may use all.
    pub processors: Vec<Vec<usize>>,
    pub setup: Arc<RunSetup>,
    /// Exact values for adjudication.
    pub prove: Option<&'a Prove<G>>,
    pub stop: Stop,
    /// Whether an engine may be another program than in earlier games.
    pub allows_mixed: bool,
}

/// Where the records of games are written.
#[derive(Debug, Default)]
#[expect(missing_docs, reason = "the names say what the fields are")]
pub struct Records {
    pub journal: Option<Journal>,
    /// The games as PGN.
    pub pgn: Option<PgnFile>,
    /// Tags that each PGN gets.
    pub tags: Vec<(&'static str, String)>,
}

impl Records {
    fn write(&mut self, settings: &MatchSettings, game: &GameRecord) -> Result<(), ArenaError> {
        let journal = self.journal.as_mut();
        let written = journal.map_or(Ok(()), |it| it.append(std::slice::from_ref(game)));
        let shown = self.pgn.as_mut().map_or(Ok(()), |pgn| {
            // If the journal failed, no game is added, but a PGN file that somebody removed is
            // saved all the same.
            let text = written.is_ok().then(|| settings.pgn(game, &self.tags));
            pgn.append(&text.unwrap_or_default())
        });
        let failed = [written.err().map(|why| why.to_string()), shown.err()];
        let failed: Vec<String> = failed.into_iter().flatten().collect();
        match failed.is_empty() {
            true => Ok(()),
            false => Err(ArenaError::Failed(failed.join("; "))),
        }
    }
}

/// What the thread of a game tells the coordinator.
enum GameReport {
    Finished(Job, Box<GameRecord>),
    Unplayed(Job, Prevented),
    /// The runner itself failed during this game.
    Panicked(GameId),
    Warning(String),
}

/// Why a game could not be played: the index of the engine in trouble, and the trouble. If that is
/// [`Trouble::Interrupted`], it is not about this engine.
type Prevented = (usize, Trouble);

impl<G: Game> Runner<'_, G> {
    /// Plays all games that are not in the tally yet, adds them to it, and calls `watch`
    /// after each.
    ///
    /// # Errors
    /// Why the match cannot go on.
    pub fn run(
        &self,
        tally: &mut Tally,
        records: &mut Records,
        watch: &mut dyn FnMut(&MatchEvent<'_>),
    ) -> Result<MatchEnd, ArenaError> {
        self.refuse_mixed(tally)?;
        if let Some(verdict) = self.decided(tally) {
            return Ok(MatchEnd::Decided(verdict));
        }
        let mut schedule = Schedule::new(self.settings, self.shard, tally.results.clone());
        for &meeting in tally.meetings.keys() {
            if self.is_exhausted(meeting, tally) {
                schedule.close(meeting);
            }
        }
        let first = schedule.next_game();
        if first == Next::Done {
            return Ok(MatchEnd::of_schedule(&schedule));
        }
        if let Some(warning) = self.too_few_openings() {
            watch(&MatchEvent::Warning(&warning));
        }
        let pool = Pool::new(self.processors.clone());
        self.probe(&pool, tally, watch)?;
        self.refuse_mixed(tally)?;
        let coordinator = Coordinator::new(self, schedule, tally, records, watch);
        let ended = self.run_games(coordinator, first, &pool);
        pool.quit_all();
        ended
    }

    fn run_games(
        &self,
        mut coordinator: Coordinator<'_, '_, G>,
        first: Next,
        pool: &Pool,
    ) -> Result<MatchEnd, ArenaError> {
        thread::scope(|scope| {
            let (report, reports) = channel();
            let start = |job: Job, opening: Opening| {
                let report = report.clone();
                let game = move || {
                    let play = AssertUnwindSafe(|| {
                        pool.on_free_processors(|own| self.play(&job, opening, own, &report, pool))
                    });
                    let _ = report.send(match catch_unwind(play) {
                        Ok(Ok(game)) => GameReport::Finished(job, Box::new(game)),
                        Ok(Err(prevented)) => GameReport::Unplayed(job, prevented),
                        Err(_) => GameReport::Panicked(job.id),
                    });
                };
                thread::Builder::new().spawn_scoped(scope, game).map(drop)
            };
            // Ends the running games before the scope waits for their threads.
            let _stop = self.stop.end_on_drop();
            coordinator.run(first, &start, &reports)
        })
    }

    fn refuse_mixed(&self, tally: &Tally) -> Result<(), ArenaError> {
        let why = tally.mixed(self.settings).filter(|_| !self.allows_mixed);
        why.map_or(Ok(()), |why| Err(ArenaError::Failed(why)))
    }

    /// Whether two engines have played all that they can: nothing makes them vary their
    /// moves, they have played every opening, and they repeated as many pairs in a row as
    /// there are openings. If the pairings depend on the results, all games are played,
    /// because the next stage needs them.
    fn is_exhausted(&self, meeting: [usize; 2], tally: &Tally) -> bool {
        let played = tally.meetings.get(&meeting);
        let in_a_row = played.map_or(0, |meeting| meeting.repeats_in_a_row);
        if in_a_row < MIN_REPEATS
            || self.settings.format.is_adaptive()
            || !self.is_deterministic(meeting)
        {
            return false;
        }
        match self.openings.count() {
            Some(openings) => in_a_row >= openings as u64,
            None => {
                let played = tally.openings(meeting);
                // The openings are counted only where that may end the match.
                in_a_row >= played as u64 && played >= self.different_openings()
            }
        }
    }

    /// Whether no known cause could make two games from the same opening differ.
    fn is_deterministic(&self, meeting: [usize; 2]) -> bool {
        !self.settings.ponder
            && meeting.iter().all(|&engine| {
                let spec = &self.settings.engines[engine];
                !spec.cmd.is_built_in() && !spec.limits.is_timed() && spec.threads() <= 1
            })
    }

    /// Counts the different positions among the openings of the match, or the first of
    /// them.
    fn different_openings(&self) -> usize {
        let compared = self.settings.pairs.min(MAX_COMPARED_OPENINGS);
        let openings = (0..compared).map_while(|number| self.openings.get::<G>(number).ok());
        HashSet::<_>::from_iter(openings.map(|opening| opening.position())).len()
    }

    /// Warns if the openings give clearly fewer different pairs than are asked for.
    fn too_few_openings(&self) -> Option<String> {
        let mut meetings = possible_meetings(self.settings).into_iter();
        if !meetings.any(|meeting| self.is_deterministic(meeting)) {
            return None;
        }
        let pairs = self.settings.pairs;
        let compared = pairs.min(MAX_COMPARED_OPENINGS);
        let different = self.different_openings() as u64;
        let wanted = match pairs {
            UNLIMITED_PAIRS => "as many as the test needs".to_owned(),
            pairs => pairs.to_string(),
        };
        (different < compared - compared / 10).then(|| {
            let different = number_of(different, "different pair");
            format!(
                "the openings give {different} of games, but {wanted} are asked \
                 for: engines limited by nodes or depth play the others again move by move, and \
                 repeats do not count; give {}",
                remedy(&self.settings.openings)
            )
        })
    }

    /// Returns the verdict of the sequential test, if there is one and it is decided.
    fn decided(&self, tally: &Tally) -> Option<Verdict> {
        let sprt = self.settings.sprt?;
        let meeting = tally.meetings.get(&[0, 1])?;
        let verdict = sprt.verdict(sprt.llr_of_pairs(&meeting.pairs));
        Some(verdict).filter(|&verdict| verdict != Verdict::Continue)
    }

    /// Starts every engine once before any game. If an engine cannot play at all, the
    /// match fails instead of counting losses.
    fn probe(
        &self,
        pool: &Pool,
        tally: &mut Tally,
        watch: &mut dyn FnMut(&MatchEvent<'_>),
    ) -> Result<(), ArenaError> {
        for (index, spec) in self.settings.engines.iter().enumerate() {
            let name = &spec.name;
            let mut player = Player::new(spec, &self.setup)
                .map_err(|why| ArenaError::Refused(format!("engine {name}: {why}")))?;
            match player.new_game(0, &self.stop) {
                Ok(()) => {}
                Err(Trouble::Interrupted) => return Ok(()),
                // An engine that was asked to stop as well has not failed.
                Err(_) if self.stop.wait_until_ending(GRACE) => return Ok(()),
                Err(
                    Trouble::Forfeit(_, why)
                    | Trouble::Unstarted { why, .. }
                    | Trouble::Void(_, why),
                ) => {
                    let why = format!("engine {name} is not ready: {why}");
                    return Err(ArenaError::Failed(why));
                }
            }
            for warning in player.take_warnings() {
                watch(&MatchEvent::Warning(&warning));
            }
            tally.engines[index].add_program(player.program());
            // It was started on all processors.
            match self.processors.is_empty() {
                true => pool.put(index, &[], player, usize::MAX),
                false => player.quit(),
            }
        }
        Ok(())
    }

    fn play(
        &self,
        job: &Job,
        opening: Opening,
        processors: &[usize],
        report: &Sender<GameReport>,
        pool: &Pool,
    ) -> Result<GameRecord, Prevented> {
        let [first, second] = job.engines;
        if self.stop.is_ending() {
            return Err((first, Trouble::Interrupted));
        }
        let unstarted = |engine, why| (engine, Trouble::Unstarted { scarce: false, why });
        processors::bind(processors)
            .map_err(|why| unstarted(first, format!("processors {processors:?}: {why}")))?;
        let player = |engine: usize| {
            let idle = pool.take(engine, processors).map(Ok);
            idle.unwrap_or_else(|| Player::new(&self.settings.engines[engine], &self.setup))
                // The first start of each engine has shown that its command is right.
                .map_err(|why| unstarted(engine, why))
        };
        let (mut one, mut two) = (player(first)?, player(second)?);
        let game = self.referee(job, opening, processors, [&mut one, &mut two]);
        let most = 2 * self.concurrency.max(self.settings.engines.len().min(8));
        let is_unstarted = matches!(game, Err((_, Trouble::Unstarted { .. })));
        if is_unstarted {
            pool.kill_idle();
        }
        for (engine, mut player) in [(first, one), (second, two)] {
            for warning in player.take_warnings() {
                let _ = report.send(GameReport::Warning(warning));
            }
            if !is_unstarted {
                pool.put(engine, processors, player, most);
            }
        }
        game
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::settings::tests::settings;
    use crate::process::{EngineCommand, Patience};
    use crate::storage::journal::tests::game;
    use totemic_engine::game::Yoxii;

    #[test]
    fn a_match_ends_when_it_only_repeats_its_random_openings() {
        let mut settings = settings(&["a", "b"]);
        settings.pairs = 3000;
        for spec in &mut settings.engines {
            spec.cmd = EngineCommand::ThisProgram;
            spec.limits.nodes = Some(1);
        }
        let openings = Openings::random(1, 1, false);
        let runner = Runner::<Yoxii> {
            settings: &settings,
            openings: &openings,
            shard: Shard::WHOLE,
            concurrency: 1,
            processors: Vec::new(),
            setup: Arc::new(RunSetup::new("yoxii", Patience::default(), None)),
            prove: None,
            stop: Stop::new(),
            allows_mixed: false,
        };
        let mut tally = Tally::of(&settings, &[]);
        let mut played = 0..settings.pairs;
        let last = played.find(|&pair| {
            for leg in [0, 1] {
                let opening = openings.get::<Yoxii>(pair).expect("one ply");
                let played = game(pair, leg);
                tally.add(&GameRecord { opening, ..played });
            }
            runner.is_exhausted([0, 1], &tally)
        });
        assert!(last.is_some(), "it never ended");
        let different = runner.different_openings() as u64;
        assert_eq!(tally.meetings[&[0, 1]].pairs.pairs(), different);
        assert!((200..300).contains(&different), "{different}");
    }
}
