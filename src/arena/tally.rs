//! The sum of the games so far.
//!
//! If nothing makes engines vary their moves, they repeat their games from the same
//! opening. Repeats are no evidence: a pair counts only if both of its games are new.
//! Times and faults count in all games.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use super::settings::MatchSettings;
use super::stats::{Margins, Pentanomial, Wdl};
use totemic_engine::game::{Outcome, Side};
use totemic_engine::text::{quoted, sanitized};
use totemic_games::limits::{RunningClock, TimeControl};
use totemic_games::record::{Accuracy, GameId, GameRecord, Reason};

/// A weighted mean.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Mean {
    sum: f64,
    weight: f64,
}

impl Mean {
    fn add(&mut self, value: f64, weight: f64) {
        self.sum += value;
        self.weight += weight;
    }

    /// Returns the mean; `None` of nothing.
    pub(crate) fn get(self) -> Option<f64> {
        (self.weight > 0.0).then(|| self.sum / self.weight)
    }
}

/// The sum of an engine's games.
#[derive(Clone, PartialEq, Debug, Default)]
#[expect(missing_docs, reason = "the names say what the fields are")]
pub struct EngineTally {
    /// The programs that played as this engine; more than one is mixed evidence.
    pub programs: Vec<String>,
    /// Games lost because an answer came too late or not at all.
    pub time_losses: u64,
    /// Games lost by illegal or premature moves.
    pub illegal: u64,
    /// Games lost because the process crashed or ended in another way.
    pub crashes: u64,
    pub ms_per_move: Mean,
    pub slowest_ms: f64,
    /// Of the moves with a reported depth.
    pub depth: Mean,
    /// Of the moves with reported nodes, by the runner's clock.
    pub nodes_per_ms: Mean,
    /// At the end of each game with a clock.
    pub clock_left_ms: Mean,
    pub accuracy: Accuracy,
}

impl EngineTally {
    pub(crate) fn add_program(&mut self, program: &str) {
        let program = sanitized(program);
        if !program.is_empty() && !self.programs.contains(&program) {
            self.programs.push(program);
        }
    }

    fn add(&mut self, game: &GameRecord, side: Side, clock: Option<TimeControl>) {
        self.add_program(&game.programs[side.index()]);
        let lost = game.result.half_points(side) == 0;
        if lost && game.reason.is_forfeit() {
            *match game.reason {
                Reason::TimeForfeit | Reason::Stall => &mut self.time_losses,
                Reason::IllegalMove | Reason::PrematureMove => &mut self.illegal,
                _ => &mut self.crashes,
            } += 1;
        }
        // After an opening with an odd number of plies, the second side is to move.
        let first_own = usize::from(side != game.side_after_opening());
        let mut clock = clock.map(RunningClock::new);
        for mv in game.moves.iter().skip(first_own).step_by(2) {
            self.ms_per_move.add(mv.elapsed_ms, 1.0);
            self.slowest_ms = self.slowest_ms.max(mv.elapsed_ms);
            if let Some(depth) = mv.info.depth {
                self.depth.add(depth.into(), 1.0);
            }
            if let Some(nodes) = mv.info.nodes {
                self.nodes_per_ms.add(nodes as f64, mv.elapsed_ms);
            }
            if let Some(clock) = &mut clock {
                clock.spend(mv.elapsed_ms as u64);
            }
        }
        if let Some(clock) = clock {
            self.clock_left_ms.add(clock.left_ms as f64, 1.0);
        }
        if let Some(both) = &game.accuracy {
            let (sum, accuracy) = (&mut self.accuracy, both[side.index()]);
            sum.judged = sum.judged.saturating_add(accuracy.judged);
            sum.lost_points = sum.lost_points.saturating_add(accuracy.lost_points);
            sum.blunders = sum.blunders.saturating_add(accuracy.blunders);
        }
    }
}

/// The half points of the first mover in the games of a pair: where the engine with the
/// smaller index moves first, and where it moves second.
type PairResult = [Option<u8>; 2];

/// The score of a meeting, from the view of the engine with the smaller index.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Meeting {
    /// Complete pairs whose games are both new.
    pub pairs: Pentanomial,
    /// The same pairs by their results.
    complete: BTreeMap<PairResult, u64>,
    /// New games whose pairs are not complete, by the numbers of the pairs.
    open: BTreeMap<u64, PairResult>,
    /// Points on the board in complete pairs whose games the rules ended.
    pub margins: Margins,
    /// Pairs with a game that is not new; they count nowhere else.
    pub repeats: u64,
    /// Number of repeats since the last new pair.
    pub(crate) repeats_in_a_row: u64,
}

impl Meeting {
    /// Returns the results of the pairs that count, complete or not, and how many pairs
    /// have each.
    pub(crate) fn results(&self) -> impl Iterator<Item = (PairResult, u64)> {
        let complete = self.complete.iter();
        let complete = complete.map(|(&result, &pairs)| (result, pairs));
        complete.chain(self.open.values().map(|&result| (result, 1)))
    }

    /// Returns the results of the first movers: where the engine with the smaller index
    /// moves first, and where it moves second.
    fn of_first_movers(&self) -> [Wdl; 2] {
        let mut both = [Wdl::default(); 2];
        for (result, pairs) in self.results() {
            for (wdl, half_points) in both.iter_mut().zip(result) {
                *match half_points {
                    Some(0) => &mut wdl.losses,
                    Some(1) => &mut wdl.draws,
                    Some(_) => &mut wdl.wins,
                    None => continue,
                } += pairs;
            }
        }
        both
    }

    pub(crate) fn wdl(&self) -> Wdl {
        let [first, second] = self.of_first_movers();
        [first, second.reversed()].into_iter().sum()
    }
}

/// The games that were played, whether they count or not. A match may have millions, so
/// they are kept small.
#[derive(Clone, PartialEq, Debug, Default)]
struct SeenGames {
    /// Of each game a checksum of its setting, and the numbers of its moves.
    games: BTreeSet<(u64, Box<[u16]>)>,
    /// The numbers of the moves, by their texts.
    moves: HashMap<String, u16>,
    /// Checksums of the positions from which one engine began against another.
    begun: HashMap<[usize; 2], HashSet<u64>>,
}

impl SeenGames {
    /// Adds a game and returns whether it is new. Two games in the same setting are the
    /// same if the moves of one begin with those of the other: then the solver or the
    /// scores ended one of them earlier. Nobody knows what would have followed a forfeit,
    /// so only a game with a forfeit at the same move is the same.
    fn insert(&mut self, game: &GameRecord) -> bool {
        let checksum = BuildHasherDefault::<DefaultHasher>::default();
        let position = match game.opening.position() {
            Some(position) => position.to_string(),
            None => format!("{} {:?}", game.opening.fen, game.opening.moves),
        };
        let begun = self.begun.entry(game.engines).or_default();
        begun.insert(checksum.hash_one(&position));
        let forfeit_after = game.reason.is_forfeit().then_some(game.moves.len());
        let setting = (game.engines, position, game.result, forfeit_after);
        let setting = checksum.hash_one(setting);
        let moves = game.moves.iter().map(|made| {
            // No game has more moves than that.
            let next = u16::try_from(self.moves.len()).unwrap_or(u16::MAX);
            *self.moves.entry(made.mv.clone()).or_insert(next)
        });
        let entry = (setting, moves.collect::<Box<[u16]>>());
        // In this order, all games that begin with these moves come right after them.
        let next = self.games.range(&entry..).next();
        let goes_on =
            next.is_some_and(|(other, moves)| *other == setting && moves.starts_with(&entry.1));
        let begins = |count| self.games.contains(&(setting, entry.1[..count].into()));
        let is_new = !goes_on && !(0..entry.1.len()).any(begins);
        self.games.insert(entry);
        is_new
    }
}

/// What the schedule and the other game of the pair need to know about a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct GameResult {
    pub(crate) result: Outcome,
    /// Points on the board of the first mover minus those of the other.
    pub(crate) margin: Option<i32>,
    /// Whether no earlier game was the same.
    pub(crate) is_new: bool,
}

pub(crate) type Results = HashMap<GameId, GameResult>;

/// The sum of all games.
#[derive(Clone, PartialEq, Debug, Default)]
#[expect(missing_docs, reason = "the names say what the fields are")]
pub struct Tally {
    pub engines: Vec<EngineTally>,
    /// For each two engines that met, the smaller index first.
    pub meetings: BTreeMap<[usize; 2], Meeting>,
    /// Games by the reason of their end.
    pub reasons: BTreeMap<String, u64>,
    /// Void games by the reason; they are not recorded.
    pub voids: BTreeMap<&'static str, u64>,
    pub total_ms: f64,
    /// Of these, the milliseconds in which no engine was thinking.
    pub overhead_ms: f64,
    /// Plies that engines played.
    pub plies: u64,
    /// Number of all games, including repeats.
    pub games: u64,
    clocks: Vec<Option<TimeControl>>,
    seen: SeenGames,
    pub(crate) results: Results,
}

impl Tally {
    /// Counts the games of a match that have been played.
    pub fn of(settings: &MatchSettings, games: &[GameRecord]) -> Self {
        let engines = settings.engines.iter();
        let mut tally = Self {
            engines: vec![EngineTally::default(); engines.len()],
            clocks: engines.map(|spec| spec.limits.clock).collect(),
            ..Self::default()
        };
        for game in games {
            tally.add(game);
        }
        tally
    }

    /// Says which engine was played by several programs, if one was.
    pub(crate) fn mixed(&self, settings: &MatchSettings) -> Option<String> {
        let mut all = settings.engines.iter().zip(&self.engines);
        let (spec, engine) = all.find(|(_, engine)| engine.programs.len() > 1)?;
        let [.., one, other] = engine.programs.as_slice() else {
            return None;
        };
        let name = quoted(&spec.name);
        Some(format!(
            "engine {name} is {other}, but was {one} in earlier games: these results do not \
             belong together; --mixed counts them together anyway"
        ))
    }

    /// Counts the different positions from which the first of two engines began a game
    /// against the second.
    pub(crate) fn openings(&self, engines: [usize; 2]) -> usize {
        self.seen.begun.get(&engines).map_or(0, HashSet::len)
    }

    /// Returns the results of an engine.
    pub(crate) fn wdl(&self, engine: usize) -> Wdl {
        let meetings = self.meetings.iter();
        let own = meetings.filter_map(|(&[a, b], meeting)| match engine {
            it if it == a => Some(meeting.wdl()),
            it if it == b => Some(meeting.wdl().reversed()),
            _ => None,
        });
        own.sum()
    }

    /// Returns the results of the engines that moved first.
    pub(crate) fn first_mover(&self) -> Wdl {
        let meetings = self.meetings.values();
        meetings.flat_map(Meeting::of_first_movers).sum()
    }

    /// Returns the number of games that are not new.
    pub(crate) fn repeats(&self) -> usize {
        self.results.values().filter(|game| !game.is_new).count()
    }

    pub(crate) fn add(&mut self, game: &GameRecord) -> GameResult {
        for (engine, side) in game.engines.into_iter().zip(Side::BOTH) {
            self.engines[engine].add(game, side, self.clocks[engine]);
        }
        self.games += 1;
        *self.reasons.entry(game.reason.to_string()).or_default() += 1;
        self.total_ms += game.total_ms;
        self.overhead_ms += game.overhead_ms;
        self.plies += game.moves.len() as u64;
        let result = GameResult {
            result: game.result,
            margin: game.points.map(|[p1, p2]| p1.saturating_sub(p2)),
            is_new: self.seen.insert(game),
        };
        self.results.insert(game.id, result);
        self.add_result(game, result);
        result
    }

    /// Counts a pair if both of its games are new; a new game alone counts until the other
    /// game of its pair is played.
    fn add_result(&mut self, game: &GameRecord, own: GameResult) {
        let meeting = self.meetings.entry(sorted(game.engines)).or_default();
        let GameId { pair, leg } = game.id;
        let other_leg = GameId { pair, leg: leg ^ 1 };
        let mut games = [Some(own), self.results.get(&other_leg).copied()];
        if !game.engines.is_sorted() {
            games.reverse();
        }
        let result = games.map(|game| Some(game?.result.half_points(Side::First)));
        let [Some(one), Some(two)] = games else {
            if own.is_new {
                meeting.open.insert(pair, result);
            }
            return;
        };
        meeting.open.remove(&pair);
        if !(one.is_new && two.is_new) {
            meeting.repeats += 1;
            meeting.repeats_in_a_row += 1;
            return;
        }
        meeting.repeats_in_a_row = 0;
        let points = one.result.half_points(Side::First) + two.result.half_points(Side::Second);
        meeting.pairs.add(points);
        *meeting.complete.entry(result).or_default() += 1;
        if let (Some(one), Some(two)) = (one.margin, two.margin) {
            meeting.margins.add(f64::from(one) - f64::from(two));
        }
    }
}

/// Two engines, the smaller index first.
pub(super) fn sorted([a, b]: [usize; 2]) -> [usize; 2] {
    [a.min(b), a.max(b)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::settings::tests::settings;
    use crate::storage::journal::tests::game;
    use totemic_games::record::MoveRecord;

    /// Plays pairs of games with these moves that end for this reason. Returns how many
    /// pairs count, and how many games are not new.
    fn counted(reason: Reason, pairs: &[[&str; 2]]) -> (u64, usize) {
        let mut tally = Tally::of(&settings(&["a", "b"]), &[]);
        for (number, legs) in (0..).zip(pairs) {
            for (leg, moves) in (0..).zip(legs) {
                let mut played = game(number, leg);
                let made = played.moves[0].clone();
                let made = |mv: &str| MoveRecord {
                    mv: mv.to_owned(),
                    ..made.clone()
                };
                played.moves = moves.split_whitespace().map(made).collect();
                played.reason = reason;
                tally.add(&played);
            }
        }
        let pairs = tally.meetings[&[0, 1]].pairs.pairs();
        assert_eq!(tally.first_mover().games(), 2 * pairs);
        (pairs, tally.repeats())
    }

    #[test]
    fn a_pair_counts_when_both_games_are_new() {
        let mixed = [["a", "x"], ["a", "y"], ["b", "x"], ["b", "y"], ["c", "z"]];
        assert_eq!(counted(Reason::Rules, &mixed), (2, 4));
    }

    #[test]
    fn a_game_that_ends_earlier_is_the_same_but_not_a_forfeit() {
        let longer = [["a b", "x"], ["a b c", "y"], ["d", "z"]];
        let shorter = [["a b c", "x"], ["a b", "y"], ["d", "z"]];
        for pairs in [longer, shorter] {
            assert_eq!(counted(Reason::Solver, &pairs), (2, 1));
            assert_eq!(counted(Reason::Crash, &pairs), (3, 0));
        }
        // A move that merely begins with the same letters is a different move.
        let other = [["a b", "x"], ["a bc", "y"]];
        assert_eq!(counted(Reason::Solver, &other), (2, 0));
    }
}
