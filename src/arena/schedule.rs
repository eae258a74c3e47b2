//! Which games are played, in which order.
//!
//! A schedule is a pure function of the settings and, in a knockout or a Swiss
//! tournament, of the results of earlier stages. Pairs are numbered in the order in which
//! they are scheduled, so a number means the same game in every run.

use std::collections::{BTreeSet, VecDeque};

mod pairing;
pub(crate) mod standings;

use super::settings::{Format, MatchSettings, UNLIMITED_PAIRS};
use super::tally::{GameResult, Results, sorted};
use crate::shard::Shard;
use pairing::{MeetingScore, Round, bracket, next_level, settle, swiss_meetings};
use totemic_engine::game::Side;
use totemic_games::record::GameId;
use totemic_games::record::random::{Purpose, stream};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Job {
    /// Its place in the schedule.
    pub id: GameId,
    /// Stage of the match, from 0.
    pub stage: u32,
    /// The engine that moves first, then the other.
    pub engines: [usize; 2],
    /// Number of its opening.
    pub opening: u64,
    /// Of each engine, whether a signal ended it when this game was played before.
    pub terminated: [bool; 2],
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Next {
    Game(Job),
    /// Wait until a running game has ended.
    Wait,
    Done,
}

/// How the meetings of a stage are found; the replay of a tie is a stage, too.
#[derive(Debug)]
enum Pairings {
    /// Stage number n plays pair number n of every meeting.
    Fixed { meetings: Vec<[usize; 2]> },
    Swiss {
        met: Vec<[usize; 2]>,
        byes: Vec<usize>,
        /// By engine.
        half_points: Vec<u64>,
    },
    /// The engines that are still in, in the order of the bracket, and the rounds so far.
    Knockout {
        slots: Vec<Option<usize>>,
        rounds: Vec<Round>,
    },
}

/// Hands out the games of a match.
#[derive(Debug)]
pub(crate) struct Schedule {
    /// Pairs that each meeting plays in one stage; 1 where the pairings are fixed.
    pairs_per_stage: u64,
    /// Number of stages: `pairs` of the settings where the pairings are fixed, the rounds of a
    /// Swiss tournament, `u64::MAX` for a knockout, which ends when one engine is left.
    stage_count: u64,
    shard: Shard,
    pairings: Pairings,
    /// Meetings that get no more games.
    closed: BTreeSet<[usize; 2]>,
    /// Whether games are left out because their meetings were closed.
    pub(super) skips_games: bool,
    stage: u64,
    next_pair: u64,
    queue: VecDeque<Job>,
    /// Number of games of the stage without a result.
    unfinished: usize,
    results: Results,
}

impl Schedule {
    /// Makes the schedule of a match (or of a shard of it), without the games whose
    /// results are known already.
    pub(crate) fn new(settings: &MatchSettings, shard: Shard, results: Results) -> Self {
        let (pairings, stage_count, pairs_per_stage) = match settings.format {
            Format::RoundRobin | Format::Gauntlet => {
                let meetings = possible_meetings(settings);
                (Pairings::Fixed { meetings }, settings.pairs, 1)
            }
            Format::Swiss => {
                let pairings = Pairings::Swiss {
                    met: Vec::new(),
                    byes: Vec::new(),
                    half_points: vec![0; settings.engines.len()],
                };
                (pairings, settings.swiss_rounds.into(), settings.pairs)
            }
            Format::Knockout => {
                let pairings = Pairings::Knockout {
                    slots: bracket_slots(settings),
                    rounds: Vec::new(),
                };
                (pairings, u64::MAX, settings.pairs)
            }
        };
        Self {
            pairs_per_stage,
            stage_count,
            shard,
            pairings,
            closed: BTreeSet::new(),
            skips_games: false,
            stage: 0,
            next_pair: 0,
            queue: VecDeque::new(),
            unfinished: 0,
            results,
        }
    }

    /// Returns the number of meetings in all rounds, without replays of ties.
    pub(crate) fn meeting_count(settings: &MatchSettings) -> u64 {
        let n = settings.engines.len() as u64;
        match settings.format {
            Format::RoundRobin => n * n.saturating_sub(1) / 2,
            Format::Gauntlet | Format::Knockout => n.saturating_sub(1),
            Format::Swiss => n / 2 * u64::from(settings.swiss_rounds),
        }
    }

    /// Returns the number of games of the whole match, without replays of ties; `None` if
    /// only a sequential test ends it.
    pub(crate) fn game_count(settings: &MatchSettings, shard: Shard) -> Option<u64> {
        let pairs = Self::meeting_count(settings).checked_mul(settings.pairs)?;
        (shard.share_of(pairs).checked_mul(2)).filter(|_| settings.pairs < UNLIMITED_PAIRS)
    }

    pub(crate) fn next_game(&mut self) -> Next {
        loop {
            if let Some(job) = self.queue.pop_front() {
                return Next::Game(job);
            }
            let is_fixed = matches!(self.pairings, Pairings::Fixed { .. });
            let may_begin = self.unfinished == 0 || is_fixed;
            if !(may_begin && self.begin_stage()) {
                let is_done = self.unfinished == 0;
                return if is_done { Next::Done } else { Next::Wait };
            }
        }
    }

    /// Queues no more games of a meeting.
    pub(crate) fn close(&mut self, meeting: [usize; 2]) {
        self.closed.insert(meeting);
    }

    /// Notes the result of a game that [`Schedule::next_game`] handed out.
    pub(crate) fn finished(&mut self, job: &Job, result: GameResult) {
        self.unfinished -= 1;
        self.results.insert(job.id, result);
        self.count_pair(job.id.pair, sorted(job.engines));
    }

    /// Counts the points of a pair if both of its games are known. In a Swiss tournament all
    /// games count, not only new ones: meetings are compared with one another and with byes,
    /// so they must be worth the same number of games.
    fn count_pair(&mut self, pair: u64, meeting: [usize; 2]) {
        let legs = [0, 1].map(|leg| GameId { pair, leg });
        let [Some(&one), Some(&two)] = legs.map(|id| self.results.get(&id)) else {
            return;
        };
        // Nobody asks for them again.
        for id in &legs {
            self.results.remove(id);
        }
        let own = one.result.half_points(Side::First) + two.result.half_points(Side::Second);
        let of_pair = [own, 4 - own].map(u64::from);
        match &mut self.pairings {
            Pairings::Fixed { .. } => {}
            Pairings::Swiss { half_points, .. } => {
                for (engine, of_pair) in meeting.into_iter().zip(of_pair) {
                    half_points[engine] += of_pair;
                }
            }
            Pairings::Knockout { rounds, .. } => {
                if let Some(score) = rounds.last_mut().and_then(|it| it.get_mut(&meeting)) {
                    score.add(of_pair, one.is_new && two.is_new);
                }
            }
        }
    }

    /// Queues the games of the next stage; returns `false` if there is none.
    fn begin_stage(&mut self) -> bool {
        if self.stage >= self.stage_count {
            return false;
        }
        let (meetings, pairs) = self.pair_next_stage();
        if meetings.iter().all(|meeting| self.closed.contains(meeting)) {
            self.skips_games |= !meetings.is_empty();
            return false;
        }
        let first_opening = self.stage.saturating_mul(self.pairs_per_stage);
        for pair in 0..pairs {
            for &meeting in &meetings {
                self.queue_pair(meeting, first_opening + pair);
            }
        }
        self.stage += 1;
        true
    }

    fn queue_pair(&mut self, [a, b]: [usize; 2], opening: u64) {
        let pair = self.next_pair;
        self.next_pair += 1;
        if !self.shard.holds(pair) {
            return;
        }
        for (leg, engines) in [(0, [a, b]), (1, [b, a])] {
            let id = GameId { pair, leg };
            if self.results.contains_key(&id) {
                continue;
            }
            if self.closed.contains(&[a, b]) {
                self.skips_games = true;
                continue;
            }
            self.unfinished += 1;
            self.queue.push_back(Job {
                id,
                stage: u32::try_from(self.stage).unwrap_or(u32::MAX),
                engines,
                opening,
                terminated: [false; 2],
            });
        }
        self.count_pair(pair, [a, b]);
    }

    /// Decides who meets in the next stage, and in how many pairs, by the results so far: settles
    /// a round of a knockout, and awards the bye of a Swiss round.
    fn pair_next_stage(&mut self) -> (Vec<[usize; 2]>, u64) {
        let pairs = self.pairs_per_stage;
        match &mut self.pairings {
            Pairings::Fixed { meetings } => (meetings.clone(), 1),
            Pairings::Swiss {
                met,
                byes,
                half_points,
            } => {
                let mut order: Vec<usize> = (0..half_points.len()).collect();
                order.sort_by_key(|&engine| (std::cmp::Reverse(half_points[engine]), engine));
                if order.len() % 2 == 1 {
                    // Of those with the fewest byes, the last in the table.
                    let had = |&at: &usize| byes.iter().filter(|&&it| it == order[at]).count();
                    let idle = (0..order.len()).rev().min_by_key(had).unwrap_or_default();
                    let idle = order.remove(idle);
                    byes.push(idle);
                    half_points[idle] += 4 * pairs;
                }
                let meetings = swiss_meetings(&order, &met.iter().copied().collect());
                met.extend(&meetings);
                (meetings, pairs)
            }
            Pairings::Knockout { slots, rounds } => {
                if let Some(round) = rounds.last_mut() {
                    settle(slots, round, pairs);
                }
                let meetings = next_level(slots);
                // Engines of a tie are still neighbours.
                let is_tied = |round: &Round| meetings.iter().any(|it| round.contains_key(it));
                if rounds.last().is_some_and(is_tied) {
                    return (meetings, 1);
                }
                let new = |&meeting: &[usize; 2]| (meeting, MeetingScore::default());
                rounds.push(meetings.iter().map(new).collect());
                (meetings, pairs)
            }
        }
    }
}

/// Returns the meetings of each stage of a match whose pairings do not depend on results; of
/// another match, all that are possible.
pub(crate) fn possible_meetings(settings: &MatchSettings) -> Vec<[usize; 2]> {
    let engines = settings.engines.len();
    let meetings_of = |i| (i + 1..engines).map(move |j| [i, j]);
    match settings.format {
        Format::Gauntlet => meetings_of(0).collect(),
        _ => (0..engines).flat_map(meetings_of).collect(),
    }
}

/// Returns the game with an id in a match of `pairs` stages with these meetings; `None` if
/// there is no such game.
pub(crate) fn fixed_job(meetings: &[[usize; 2]], pairs: u64, id: GameId) -> Option<Job> {
    let count = meetings.len().max(1) as u64;
    let stage = id.pair / count;
    let &[a, b] = meetings.get((id.pair % count) as usize)?;
    (stage < pairs && id.leg < 2).then(|| Job {
        id,
        stage: u32::try_from(stage).unwrap_or(u32::MAX),
        engines: if id.leg == 0 { [a, b] } else { [b, a] },
        opening: stage,
        terminated: [false; 2],
    })
}

/// Returns the engines in the order of the bracket: the seeded ones in their order, the
/// others drawn by lot.
fn bracket_slots(settings: &MatchSettings) -> Vec<Option<usize>> {
    let count = settings.engines.len();
    let mut order: Vec<usize> = (0..count).collect();
    let seeded = (settings.seeded_engines).map_or(count, |seeds| count.min(seeds as usize));
    stream(settings.seed, Purpose::LotInKnockout, 0).shuffle(&mut order[seeded..]);
    let slots = bracket(count).into_iter();
    slots.map(|seed| Some(order[seed?])).collect()
}

/// The seed of a game, from the seed of the match and the game's place in it.
pub(crate) fn game_seed(match_seed: u64, id: GameId) -> u64 {
    let number = id.pair.wrapping_mul(2).wrapping_add(id.leg.into());
    stream(match_seed, Purpose::SeedOfGame, number).next_u64()
}

#[cfg(test)]
mod tests {
    use super::pairing::REPLAYS;
    use super::*;
    use crate::arena::settings::tests::settings;
    use totemic_engine::game::Outcome;

    const NAMES: [&str; 9] = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];

    fn tournament(format: Format, engines: usize, pairs: u64) -> MatchSettings {
        let mut settings = settings(&NAMES[..engines]);
        settings.format = format;
        settings.pairs = pairs;
        settings.swiss_rounds = if format == Format::Swiss { 3 } else { 1 };
        settings
    }

    /// The result of a game that repeats no other; the engine with the greater index
    /// wins.
    fn by_index(job: &Job) -> GameResult {
        let is_first = job.engines[0] > job.engines[1];
        GameResult {
            result: [Outcome::Win(Side::Second), Outcome::Win(Side::First)][usize::from(is_first)],
            margin: None,
            is_new: true,
        }
    }

    fn play_on(
        settings: &MatchSettings,
        shard: Shard,
        results: Results,
        result_of: impl Fn(&Job) -> GameResult,
    ) -> Vec<Job> {
        let mut schedule = Schedule::new(settings, shard, results);
        let mut jobs = Vec::new();
        loop {
            match schedule.next_game() {
                Next::Game(job) => {
                    schedule.finished(&job, result_of(&job));
                    jobs.push(job);
                }
                Next::Wait => panic!("nothing is running"),
                Next::Done => return jobs,
            }
        }
    }

    fn play(settings: &MatchSettings) -> Vec<Job> {
        play_on(settings, Shard::WHOLE, Results::new(), by_index)
    }

    #[test]
    fn every_meeting_is_balanced() {
        for (format, meetings) in [(Format::RoundRobin, 6), (Format::Gauntlet, 3)] {
            let settings = tournament(format, 4, 5);
            let jobs = play(&settings);
            assert_eq!(jobs.len(), meetings * 10);
            let total = Schedule::game_count(&settings, Shard::WHOLE);
            assert_eq!(total, Some(jobs.len() as u64));
            for two in jobs.chunks(2) {
                assert_eq!(two[0].id.pair, two[1].id.pair);
                assert_eq!(two[0].opening, two[1].opening);
                let [a, b] = two[1].engines;
                assert_eq!(two[0].engines, [b, a]);
            }
            // A longer match begins with the games of the shorter one.
            let longer = play(&tournament(format, 4, 7));
            assert_eq!(jobs[..], longer[..jobs.len()]);
        }
    }

    #[test]
    fn resumed_schedules_hand_out_the_rest() {
        for format in [
            Format::RoundRobin,
            Format::Gauntlet,
            Format::Swiss,
            Format::Knockout,
        ] {
            let settings = tournament(format, 6, 2);
            let whole = play(&settings);
            for done in 0..=whole.len() {
                let mut results = Results::new();
                for job in &whole[..done] {
                    results.insert(job.id, by_index(job));
                }
                let others = play_on(&settings, Shard::WHOLE, results, by_index);
                assert_eq!(others, whole[done..], "{format:?} {done}");
            }
        }
    }

    #[test]
    fn the_strongest_wins_a_knockout() {
        for engines in 2..=9 {
            let jobs = play(&tournament(Format::Knockout, engines, 1));
            assert_eq!(jobs.len(), 2 * (engines - 1));
            let last = jobs.last().expect("a final");
            assert!(last.engines.contains(&(engines - 1)), "{engines}");
            let mut lost = BTreeSet::new();
            for job in jobs.iter().filter(|job| job.id.leg == 0) {
                let loser = job.engines.iter().min().expect("two");
                assert!(lost.insert(*loser), "lost twice");
            }
        }
    }

    #[test]
    fn ties_are_replayed_and_then_seeded() {
        let settings = tournament(Format::Knockout, 2, 1);
        let games = |result_of: &dyn Fn(&Job) -> GameResult| {
            play_on(&settings, Shard::WHOLE, Results::new(), result_of).len()
        };
        let drawn = |job: &Job| GameResult {
            result: Outcome::Draw,
            ..by_index(job)
        };
        assert_eq!(games(&drawn), 2 * (1 + REPLAYS as usize));
        // The first pair is a tie; the replays decide unless they repeat it.
        let tied_then = |is_new: bool| {
            move |job: &Job| match job.id.pair {
                0 => drawn(job),
                _ => GameResult {
                    is_new,
                    ..by_index(job)
                },
            }
        };
        assert_eq!(games(&tied_then(true)), 4);
        assert_eq!(games(&tied_then(false)), 2 * (1 + REPLAYS as usize));
    }

    #[test]
    fn a_swiss_tournament_repeats_no_meeting_and_waits_for_each_round() {
        for engines in [5, 6, 9] {
            let jobs = play(&tournament(Format::Swiss, engines, 1));
            assert_eq!(jobs.len(), 3 * (engines / 2) * 2);
            let mut met = BTreeSet::new();
            for job in jobs.iter().filter(|job| job.id.leg == 0) {
                assert!(met.insert(sorted(job.engines)), "{engines}: {job:?} again");
            }
        }
        let settings = tournament(Format::Swiss, 4, 1);
        let mut schedule = Schedule::new(&settings, Shard::WHOLE, Results::new());
        let mut jobs = Vec::new();
        while let Next::Game(job) = schedule.next_game() {
            jobs.push(job);
        }
        assert_eq!((jobs.len(), schedule.next_game()), (4, Next::Wait));
        for job in &jobs {
            schedule.finished(job, by_index(job));
        }
        assert!(matches!(schedule.next_game(), Next::Game(job) if job.stage == 1));
    }
}
