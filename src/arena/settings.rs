//! What defines a match: engines, limits, schedule, judges.
//!
//! Two runs with equal [`MatchSettings`] play the same games, so these are
//! what a journal begins with. What only concerns the machine (concurrency,
//! files) is no part of them.

use serde::{Deserialize, Serialize};

use super::sprt::Sprt;
use crate::game::Game;
use crate::process::{EngineSpec, Patience};
use crate::record::GameRecord;
use crate::record::journal::Heading;
use crate::record::openings::OpeningSource;
use crate::record::pgn::PgnGame;
pub use crate::record::shard::Shard;

/// The command of the built-in player of random legal moves.
pub const RANDOM: &str = "random";

/// Who meets whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum), value(rename_all = "lower"))]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Everybody meets everybody.
    #[default]
    RoundRobin,
    /// The first engine meets all others.
    Gauntlet,
    /// Losers leave; a tie is decided by more pairs, at last by the seeding.
    Knockout,
    /// Each round engines of like points meet, nobody twice while avoidable.
    Swiss,
}

impl Format {
    /// Whether the pairings depend on earlier results; such a match can be
    /// neither split nor lengthened.
    pub(crate) const fn is_adaptive(self) -> bool {
        matches!(self, Self::Knockout | Self::Swiss)
    }
}

/// Ends a game that an engine itself holds for lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Resign {
    /// Consecutive moves of the losing engine.
    pub movecount: u32,
    /// Its score was at or below minus this, in centipoints.
    pub score: i32,
    /// Whether the opponent's scores must agree.
    pub twosided: bool,
}

/// Ends a game that both engines hold for even.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DrawRule {
    /// Not before this number of moves of each side.
    pub movenumber: u32,
    /// Consecutive moves of each side.
    pub movecount: u32,
    /// All scores within plus and minus this, in centipoints.
    pub score: i32,
}

/// Ends of games before the rules end them; none by default.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Adjudication {
    /// By an exact solver that may think so many milliseconds a position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solver_ms: Option<u64>,
    /// Whether a game goes on when the solver knows its result, so that the
    /// solver only says afterwards what was given away.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub play_on: bool,
    /// By the loser's own scores.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resign: Option<Resign>,
    /// By both engines' scores.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRule>,
    /// A draw after so many plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub maxplies: Option<u32>,
}

/// Everything that decides which games are played and how they are judged.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MatchSettings {
    /// Name of the game.
    pub game: String,
    /// The engines, at least two.
    pub engines: Vec<EngineSpec>,
    /// Who meets whom.
    pub format: Format,
    /// Stages of a Swiss tournament; 1 for all other formats.
    pub stages: u32,
    /// Pairs of games in each meeting (of each stage).
    pub pairs: u64,
    /// Seed of everything random.
    pub seed: u64,
    /// Where the games begin.
    pub openings: OpeningSource,
    /// Early ends.
    pub adjudication: Adjudication,
    /// Whether engines that can think in their opponents' time do so.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ponder: bool,
    /// A sequential test of the first engine against the second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
    /// Deadlines outside of the clocks.
    pub patience: Patience,
}

/// What a match's journal begins with.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct MatchPart {
    /// The match.
    pub settings: MatchSettings,
    /// The part of it that is played here.
    pub shard: Shard,
}

impl Heading for MatchPart {
    const JOURNAL: &str = "a match's journal";

    fn entrants(&self) -> usize {
        self.settings.engines.len()
    }
}

impl MatchPart {
    /// Whether the journal of which `self` is the heading can be continued
    /// with this match and part.
    pub(crate) fn same_part(&self, asked: &Self) -> Result<(), String> {
        self.settings.same_match(&asked.settings)?;
        if self.shard == asked.shard {
            return Ok(());
        }
        Err(differs("shard", self.shard, asked.shard))
    }
}

impl MatchSettings {
    /// A game of this match in PGN.
    pub(crate) fn pgn<G: Game>(&self, game: &GameRecord) -> String {
        let engines = game.engines.map(|engine| &self.engines[engine]);
        let limits = engines.map(|engine| engine.limits.to_string());
        let names = engines.map(|engine| engine.name.as_str());
        PgnGame::of_record::<G>(game, names, &limits).to_string()
    }
}

pub(super) fn differs<T: std::fmt::Display>(what: &str, journal: T, here: T) -> String {
    format!("{what} is {journal} in the journal, but {here} here")
}

#[cfg(test)]
pub(crate) mod tests {
    use serde_json::{Value, json};

    use super::*;

    pub(crate) fn settings(names: &[&str]) -> MatchSettings {
        MatchSettings {
            game: "yoxii".to_owned(),
            engines: (names.iter())
                .map(|name| EngineSpec {
                    name: (*name).to_owned(),
                    cmd: RANDOM.to_owned(),
                    ..EngineSpec::default()
                })
                .collect(),
            format: Format::RoundRobin,
            stages: 1,
            pairs: 3,
            seed: 1,
            openings: OpeningSource::Random {
                plies: 4,
                scattered: false,
            },
            adjudication: Adjudication::default(),
            ponder: false,
            sprt: None,
            patience: Patience::default(),
        }
    }

    #[test]
    fn another_match_is_refused_with_the_difference_named() {
        let journal = settings(&["a", "b"]);
        let part = |index, count| MatchPart {
            settings: journal.clone(),
            shard: Shard { index, count },
        };
        assert_eq!(part(1, 2).same_part(&part(1, 2)), Ok(()));
        let why = part(1, 1).same_part(&part(1, 2)).expect_err("other parts");
        assert!(why.contains("shard is 1/1"), "{why}");
        let refusal = |path: &str, value: Value| {
            let mut asked = serde_json::to_value(&journal).expect("settings");
            let place = path
                .split('/')
                .fold(&mut asked, |at, key| match key.parse() {
                    Ok::<usize, _>(index) => &mut at[index],
                    Err(_) => &mut at[key],
                });
            *place = value;
            let asked: MatchSettings = serde_json::from_value(asked).expect("settings");
            journal.same_match(&asked).err()
        };
        assert_eq!(refusal("pairs", json!(7)), None);
        for (path, value, expected) in [
            (
                "engines/1/limits/nodes",
                json!(5),
                "of engine 2, the node limit (nodes=) is none in the journal, but 5 here",
            ),
            (
                "engines/0/options",
                json!([["Hash", "4"]]),
                r#"(option.NAME=) is none in the journal, but [["Hash","4"]] here"#,
            ),
            (
                "openings/random/plies",
                json!(6),
                r#"(--openings, --random-plies) is {"random":{"plies":4,"#,
            ),
            (
                "ponder",
                json!(true),
                "(--ponder) is none in the journal, but true here",
            ),
            ("seed", json!(2), "seed is 1 in the journal, but 2 here"),
            (
                "engines",
                json!([journal.engines[0]]),
                "number of engines is 2",
            ),
        ] {
            let why = refusal(path, value).expect("another match");
            assert!(why.contains(expected), "{why}");
        }
    }
}
