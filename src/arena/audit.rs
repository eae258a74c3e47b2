//! Checks that the games of a journal are those of its match.
//!
//! A line that was altered by hand may look right, so nothing in it is believed. Who met
//! whom, in which opening and with which seed follows from the settings; the moves are
//! replayed, and they decide how the game ended. Times, scores and crashes, which only
//! the engines and the clock know, have to be possible.

use std::collections::{HashMap, HashSet};
use std::fmt::Display;

use super::adjudicate::ended_by_scores;
use super::schedule::{Job, Next, Schedule, fixed_job, game_seed, possible_meetings};
use super::settings::{MatchSettings, UNLIMITED_PAIRS};
use super::tally::{Results, Tally};
use crate::shard::Shard;
use crate::storage::journal::check_games;
use totemic_engine::game::{Game, Outcome};
use totemic_engine::text::{number_of, quoted};
use totemic_games::limits::RunningClock;
use totemic_games::record::openings::{OpeningSource, Openings};
use totemic_games::record::reader::ReadError;
use totemic_games::record::{Accuracy, GameRecord, Opening, Reason, end_in_words};

/// What the games are checked against.
pub(crate) struct Audit<'a> {
    /// The match. No game may belong to a later pair than its last one.
    pub settings: &'a MatchSettings,
    /// The part of the match that was played.
    pub shard: Shard,
    /// The openings of the match, if known: the settings do not contain those of a file.
    pub openings: Option<&'a Openings>,
}

impl Audit<'_> {
    /// Checks all games in the order of the journal; the error describes the first wrong
    /// one.
    pub(crate) fn check<G: Game>(&self, games: &[GameRecord]) -> Result<(), ReadError> {
        (self.check_settings()).map_err(|why| ReadError::text(1, why))?;
        let jobs = self.jobs(games);
        let listed = self.listed(games, &jobs);
        check_games(games, |at, game| {
            let checked = self.check_game::<G>(game, jobs[at].as_ref(), listed[at]);
            checked.map_err(|why| format!("game {}: {why}", game.id))
        })
    }

    fn check_settings(&self) -> Result<(), String> {
        let Shard { number, count } = self.shard;
        let (engines, sprt) = (&self.settings.engines, self.settings.sprt.is_some());
        let names: HashSet<_> = engines.iter().map(|spec| &spec.name).collect();
        let (many, twins) = (engines.len() > 2, names.len() < engines.len());
        let split = count > 1 && (sprt || self.settings.format.is_adaptive());
        let faults = [
            (engines.len() < 2, "it has fewer than two engines"),
            (sprt && many, "a sequential test is for two engines"),
            (twins, "two engines have the same name"),
            (number < 1 || number > count, "there is no such part"),
            (split, "its games depend on results, so it has no parts"),
        ];
        let fault = faults.into_iter().find(|&(is_there, _)| is_there);
        fault.map_or(Ok(()), |(_, why)| Err(why.to_owned()))
    }

    /// Returns the place of each game in the schedule. If the pairings depend on results,
    /// the schedule is the one that the games of the journal lead to.
    fn jobs(&self, games: &[GameRecord]) -> Vec<Option<Job>> {
        if !self.settings.format.is_adaptive() {
            let meetings = possible_meetings(self.settings);
            let own = games.iter().map(|game| {
                let job = fixed_job(&meetings, self.settings.pairs, game.id);
                job.filter(|job| self.shard.holds(job.id.pair))
            });
            return own.collect();
        }
        let results = Tally::of(self.settings, games).results;
        let mut schedule = Schedule::new(self.settings, self.shard, Results::new());
        let mut places = HashMap::new();
        while let Next::Game(job) = schedule.next_game() {
            if let Some(&result) = results.get(&job.id) {
                places.insert(job.id, job);
                schedule.finished(&job, result);
            }
        }
        (games.iter().map(|game| places.get(&game.id).copied())).collect()
    }

    fn check_game<G: Game>(
        &self,
        game: &GameRecord,
        job: Option<&Job>,
        listed: Option<&Opening>,
    ) -> Result<(), String> {
        let job = job.ok_or_else(|| match self.shard {
            Shard::WHOLE if self.settings.pairs < UNLIMITED_PAIRS => {
                let pairs = number_of(self.settings.pairs, "pair");
                format!("it is not in the schedule of this match, which has {pairs} a meeting")
            }
            Shard::WHOLE => "it is not in the schedule of this match".to_owned(),
            part => format!("it is not in the schedule of part {part} of this match"),
        })?;
        check_equal("its stage is", &game.stage, &job.stage)?;
        let name = |engine: usize| quoted(&self.settings.engines[engine].name);
        let names = |engines: [usize; 2]| engines.map(name).join(" against ");
        check_equal("its pairing is", &names(game.engines), &names(job.engines))?;
        let seed = game_seed(self.settings.seed, game.id);
        check_equal("its seed is", &game.seed, &seed)?;
        let own = self.openings.map(|all| all.get::<G>(job.opening));
        if let Some(opening) = own.transpose()?.as_ref().or(listed) {
            check_equal("its opening is", &text(&game.opening), &text(opening))?;
        }
        let positions = game.positions::<G>()?;
        self.check_end(game, &positions)?;
        self.check_times(game, &positions)?;
        if game.accuracy.is_some() && self.settings.adjudication.solver_ms.is_none() {
            return Err("it has an accuracy, but no solver judges this match".to_owned());
        }
        check_measures(game)
    }

    fn check_times<G: Game>(&self, game: &GameRecord, positions: &[G]) -> Result<(), String> {
        let limits = (game.engines).map(|engine| &self.settings.engines[engine].limits);
        let mut clocks = limits.map(|limits| limits.clock.map(RunningClock::new));
        let mut made = [0u32; 2];
        for (number, (mv, position)) in (1..).zip(game.moves.iter().zip(positions)) {
            let side = position.side().index();
            let (own, clock) = (limits[side], &mut clocks[side]);
            let spent = mv.elapsed_ms as u64;
            if let Some(ms) = own.allowed_ms(*clock)
                // The journal rounds each time, and the clock did not.
                && spent > ms.saturating_add(made[side].into())
            {
                return Err(format!(
                    "its move {number} took {spent} ms of {ms} ms allowed"
                ));
            }
            made[side] += 1;
            if let Some(clock) = clock {
                clock.spend(spent);
            }
        }
        Ok(())
    }

    /// Checks that the moves and the settings lead to this end of the game.
    fn check_end<G: Game>(&self, game: &GameRecord, positions: &[G]) -> Result<(), String> {
        let rules = &self.settings.adjudication;
        let last = &positions[positions.len() - 1];
        let ended = end_in_words(game.result, game.reason);
        let shown = |points: Option<[i32; 2]>| match points {
            Some([first, second]) => format!("{first} to {second}"),
            None => "none".to_owned(),
        };
        let points = shown(game.points);
        if !last.has_moves() {
            let standing = last.standing();
            let by_rules = end_in_words(standing.outcome(), Reason::Rules);
            check_equal("its end is", &ended, &by_rules)?;
            return check_equal("its points are", &points, &shown(Some(standing.points)));
        }
        check_equal("its points are", &points, &shown(None))?;
        if let Some((result, reason)) = self.ended_by_scores(game, positions)? {
            return check_equal("its end is", &ended, &end_in_words(result, reason));
        }
        let mover = &self.settings.engines[game.engines[last.side().index()]];
        let (plies, most) = (game.moves.len(), rules.maxplies.map(|most| most as usize));
        let possible = match game.reason {
            Reason::Rules | Reason::Resign | Reason::AgreedDraw => false,
            Reason::TimeForfeit if !mover.limits.is_timed() => false,
            // By a clock, an engine can fall silent only in the opponent's time.
            Reason::Stall if mover.limits.is_timed() && !self.settings.ponder => false,
            Reason::Solver => rules.solver_ms.is_some() && !rules.play_on,
            Reason::MaxPlies => game.result == Outcome::Draw && most == Some(plies),
            // Before the first move either engine may fail to get ready.
            _ if game.moves.is_empty() => game.result != Outcome::Draw,
            _ => game.result.half_points(last.side()) == 0,
        };
        if !possible || most.is_some_and(|most| plies > most) {
            return Err(format!(
                "its end is {ended}, which does not follow from its moves and this match"
            ));
        }
        Ok(())
    }

    /// Returns how the engines' scores end the game. They must not end it before its last
    /// move.
    fn ended_by_scores<G: Game>(
        &self,
        game: &GameRecord,
        positions: &[G],
    ) -> Result<Option<(Outcome, Reason)>, String> {
        let rules = &self.settings.adjudication;
        let scores: Vec<_> = game.moves.iter().map(|made| made.info.score).collect();
        let mut moves = (1..=scores.len()).zip(positions);
        let ended = moves.find_map(|(number, position)| {
            let end = ended_by_scores(rules, position.side(), &scores[..number])?;
            Some((number, end))
        });
        match ended {
            Some((number, _)) if number < game.moves.len() => Err(format!(
                "its scores end it after move {number}, but it goes on"
            )),
            ended => Ok(ended.map(|(_, end)| end)),
        }
    }

    /// If the openings are in a file that is not known, returns for each game the opening of the
    /// first game from the same line of that file.
    fn listed<'a>(
        &self,
        games: &'a [GameRecord],
        jobs: &[Option<Job>],
    ) -> Vec<Option<&'a Opening>> {
        let (None, OpeningSource::File { count, .. }) = (self.openings, &self.settings.openings)
        else {
            return vec![None; games.len()];
        };
        let mut listed = HashMap::new();
        let games = games.iter().zip(jobs).map(|(game, job)| {
            let number = job.as_ref()?.opening % (*count).max(1) as u64;
            Some(*listed.entry(number).or_insert(&game.opening))
        });
        games.collect()
    }
}

fn text(opening: &Opening) -> String {
    format!("{} {}", opening.fen, opening.moves.join(" "))
}

fn check_equal<T: PartialEq + Display>(what: &str, found: &T, due: &T) -> Result<(), String> {
    match found == due {
        true => Ok(()),
        false => Err(format!("{what} {found}, expected {due}")),
    }
}

/// Checks that no time is negative and that there are no more blunders than judged moves.
fn check_measures(game: &GameRecord) -> Result<(), String> {
    let time = |ms: f64| ms.is_finite() && ms >= 0.0;
    for (number, ms) in (1..).zip(game.moves.iter().map(|made| made.elapsed_ms)) {
        if !time(ms) {
            return Err(format!("its move {number} took {ms} ms"));
        }
    }
    if !time(game.overhead_ms) || !time(game.total_ms) || game.overhead_ms > game.total_ms {
        return Err(format!(
            "it took {} ms, {} of them without thinking",
            game.total_ms, game.overhead_ms
        ));
    }
    let is_wrong = |it: &&Accuracy| it.blunders > it.judged || it.lost_points < 0;
    match game.accuracy.iter().flatten().find(is_wrong) {
        Some(accuracy) => Err(format!(
            "{} blunders in {} judged moves, {} points lost",
            accuracy.blunders, accuracy.judged, accuracy.lost_points
        )),
        None => Ok(()),
    }
}
